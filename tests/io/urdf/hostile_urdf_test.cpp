/// Hostile URDF files: each loads, or is refused with file, line and remedy, within 2 s and 1 GB.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "axode/core/error.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/io/urdf/urdf.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/sanitized.hpp"

namespace axode::test::hostile_urdf_test {
namespace {

const double longest = is_release() ? 2 : 60;  // seconds

struct Case {
  std::string name;
  std::function<std::string()> text;
  std::vector<std::string> said;  ///< words of the refusal; none: it loads
};

/// What reading, building and perhaps writing says; empty if all went well.
std::string outcome(const std::string& text, bool writes = true) {
  try {
    const Tree tree = build(parse_urdf(text, "h.urdf"));
    if (writes) urdf_text(tree);
    return "";
  } catch (const Error& e) {
    return e.what();
  }
}

/// "h.urdf:LINE: problem; remedy".
bool names_line_and_remedy(const std::string& said) {
  const std::string file = "h.urdf:";
  const std::size_t end = said.find_first_not_of("0123456789", file.size());
  const std::size_t remedy = said.find("; ");
  return said.starts_with(file) && end > file.size() && end != std::string::npos &&
         said.substr(end, 2) == ": " && remedy != std::string::npos && remedy + 2 < said.size();
}

void check(const Case& c) {
  SCOPED_TRACE(c.name);
  const std::string text = c.text();
  const std::clock_t start = std::clock();  // time on the processor: others may use it, too
  const std::string said = outcome(text, text.size() < 1'000'000);
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, longest);
  EXPECT_LT(said.size(), 2000u);
  if (c.said.empty()) {
    EXPECT_EQ(said, "");
    return;
  }
  for (const std::string& words : c.said) expect_says(said, words);
  EXPECT_TRUE(names_line_and_remedy(said)) << said;
}
void check_all(const std::vector<Case>& cases) {
  for (const Case& c : cases) check(c);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  if (longest == 2) {
    EXPECT_LT(usage.ru_maxrss, 1 << 20);  // [kB]
  }
}

[[gnu::noinline]] std::string numbered(const char* prefix, int number) {
  return std::string(prefix).append(std::to_string(number));
}
[[gnu::noinline]] std::string repeated(const std::string& piece, int times) {
  std::string text;
  text.reserve(piece.size() * times);
  for (int i = 0; i < times; ++i) text += piece;
  return text;
}
[[gnu::noinline]] std::string robot(const std::string& inside) {
  std::string text = "<robot name='r'>\n";
  return text.append(inside).append("\n</robot>\n");
}
std::function<std::string()> as_is(std::string text) {
  return [text = std::move(text)] { return text; };
}
[[gnu::noinline]] std::string link(const std::string& name, const std::string& inside = "") {
  return "<link name='" + name + "'>" + inside + "</link>\n";
}
[[gnu::noinline]] std::string joint(const std::string& name, const std::string& parent,
                                    const std::string& child, const std::string& inside = "",
                                    const std::string& type = "continuous") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent +
         "'/><child link='" + child + "'/>\n" + inside + "</joint>\n";
}
/// Links a (line 2) and b (line 3), joint j (line 4) with what is in line 5.
std::function<std::string()> pair(const std::string& inside,
                                  const std::string& type = "continuous") {
  return as_is(robot(link("a") + link("b") + joint("j", "a", "b", inside, type)));
}
/// Link a in line 2 with what is in line 3.
std::function<std::string()> one(const std::string& inside) {
  return as_is(robot(link("a", "\n" + inside)));
}
[[gnu::noinline]] std::string inertial(const std::string& mass, const std::string& ixx = "1") {
  return "<inertial><mass value='" + mass + "'/><inertia ixx='" + ixx +
         "' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>";
}

// --- XML ------------------------------------------------------------------------------------------

TEST(HostileUrdf, Nesting) {
  check_all({
      {"deep", [] { return robot(repeated("<a>", 1'000'000)); }, {"h.urdf:2:", "deeper than 256"}},
      {"deep, closed",
       [] { return robot(repeated("<a>", 1'000'000) + repeated("</a>", 1'000'000)); },
       {"deeper than 256"}},
      {"deep links",
       [] { return repeated("<link name='a'>", 1'000'000); },
       {"h.urdf:1:", "deeper"}},
      {"deep lines", [] { return repeated("<a>\n", 1'000'000); }, {"h.urdf:257:", "deeper"}},
      {"deep inside a visual",
       [] {
         return robot("<link name='a'><visual>" + repeated("<geometry>", 250) +
                      repeated("</geometry>", 250) + "</visual></link>");
       },
       {}},
      {"unclosed tags",
       [] { return repeated("<a ", 1'000'000); },
       {"h.urdf:1:", "unexpected characters"}},
      {"many <", [] { return repeated("<", 1'000'000); }, {"h.urdf:1:", "< without a name"}},
      {"many </", [] { return repeated("</a>", 1'000'000); }, {"closes nothing"}},
  });
}

TEST(HostileUrdf, Size) {
  const auto with_attribute = [](const std::string& value) {
    return [value] { return robot("<link name='a' x='" + value + "'/>"); };
  };
  check_all({
      {"10 MB attribute", with_attribute(repeated("x", 10'000'000)), {}},
      {"10 MB name",
       [] { return robot(link(repeated("x", 10'000'000))); },
       {"h.urdf:2:", "10000000"}},
      {"10 MB number",
       [] { return pair("<origin xyz='1" + repeated("0", 10'000'000) + " 0 0'/>")(); },
       {"h.urdf:5: <origin> of joint 'j'", "too large"}},
      {"10 MB of digits",
       [] { return pair("<origin xyz='0." + repeated("3", 10'000'000) + " 0 0'/>")(); },
       {}},
      {"many numbers",
       [] { return pair("<origin xyz='" + repeated("1 ", 5'000'000) + "'/>")(); },
       {"holds 5000000 numbers instead of 3"}},
      {"10 MB element",
       [] { return robot("<" + repeated("x", 10'000'000) + "/><link name='a'/>"); },
       {}},
      {"10 MB comment",
       [] { return robot("<!--" + repeated("-", 10'000'000) + "--><link name='a'/>"); },
       {}},
      {"10 MB of space", [] { return robot(repeated(" ", 10'000'000) + "<link name='a'/>"); }, {}},
      {"10 MB of references",
       [] { return robot("<link name='a' x='" + repeated("&amp;", 2'000'000) + "'/>"); },
       {}},
      {"200000 attributes",
       [] {
         std::string text = "<link name='a'";
         for (int i = 0; i < 200'000; ++i) text += " x" + std::to_string(i) + "='1'";
         return robot(text + "/>");
       },
       {}},
      {"200000 attributes, the last one twice",
       [] {
         std::string text = "<link name='a'";
         for (int i = 0; i < 200'000; ++i) text += " x" + std::to_string(i) + "='1'";
         return robot(text + " x0='1'/>");
       },
       {"h.urdf:2:", "the attribute x0 twice"}},
      {"million unknown elements",
       [] {
         std::string text;
         for (int i = 0; i < 1'000'000; ++i) text += "<x" + std::to_string(i) + "/>";
         return robot(text + "<link name='a'/>");
       },
       {}},
      {"million origins",
       [] { return pair(repeated("<origin/>", 1'000'000))(); },
       {"h.urdf:5:", "another one"}},
      {"too many elements",
       [] { return repeated("<a>", 1) + repeated("<b/>", 10'000'001); },
       {"more than 10000000"}},
      {"million lines",
       [] { return repeated("\n", 1'000'000) + robot(""); },
       {"h.urdf:1000001:", "no link"}},
  });
}

TEST(HostileUrdf, Encoding) {
  const auto utf16 = [] {
    std::string text = "\xff\xfe";
    for (const char c : robot(link("a"))) text.append({c, '\0'});
    return text;
  };
  check_all({
      {"empty", as_is(""), {"h.urdf:1:", "there is no element"}},
      {"spaces", as_is(" \n "), {"there is no element"}},
      {"UTF-16", utf16, {"h.urdf:1: is in UTF-16"}},
      {"UTF-16 without mark", [&] { return utf16().substr(2); }, {"UTF-16"}},
      {"bad UTF-8", as_is(robot("<link name='\xc3('/>")), {"h.urdf:2:", "\\xc3 is not UTF-8"}},
      {"Latin-1", as_is(robot("<link name='gr\xfcn'/>")), {"h.urdf:2:", "is not UTF-8"}},
      {"overlong", as_is(robot("<link name='\xc0\xaf'/>")), {"h.urdf:2:", "is not UTF-8"}},
      {"NUL in a name",
       as_is(robot("<link name='a") + std::string(1, '\0')),
       {"h.urdf:4:", "zero byte"}},
      {"NUL by reference", as_is(robot("<link name='a&#0;b'/>")), {"h.urdf:2:", "&#0;"}},
      {"line break in a name",
       as_is(robot("<link name='a&#10;b'/>")),
       {"h.urdf:2:", "control character"}},
      {"control character",
       as_is(robot("<link name='a\x07'/>")),
       {"h.urdf:2:", "control character"}},
      {"ELF",
       as_is("\x7f"
             "ELF\x02\x01\x01"),
       {"h.urdf:1:"}},
      {"PNG", as_is("\x89PNG\r\n\x1a\n"), {"h.urdf:1:", "not UTF-8"}},
      {"zeros", as_is(std::string(1000, '\0')), {"h.urdf:1:"}},
      {"byte order mark", as_is("\xef\xbb\xbf" + robot(link("a"))), {}},
      {"other alphabets", as_is(robot(link("\xd1\x80\xd1\x83\xd0\xba\xd0\xb0"))), {}},
      {"carriage returns", as_is("<robot name='r'>\r\n<link name='a'/>\r\n</robot>\r\n"), {}},
      {"JSON", as_is("{\"robot\": 1}"), {"h.urdf:1:", "text outside"}},
  });
}

TEST(HostileUrdf, Entities) {
  std::string laughs = "<?xml version='1.0'?>\n<!DOCTYPE robot [\n<!ENTITY a0 'ha'>\n";
  for (int i = 1; i < 30; ++i)
    laughs += "<!ENTITY a" + std::to_string(i) + " '&a" + std::to_string(i - 1) + ";&a" +
              std::to_string(i - 1) + ";'>\n";
  laughs += "]>\n" + robot(link("&a29;"));
  check_all({
      {"billion laughs", as_is(laughs), {"h.urdf:2:", "entities are not allowed"}},
      {"external entity",
       as_is("<!DOCTYPE r [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>" + robot(link("&x;"))),
       {"h.urdf:1:", "entities are not allowed"}},
      {"document type",
       as_is("\n<!DOCTYPE robot>" + robot(link("a"))),
       {"h.urdf:2:", "not allowed"}},
      {"nested document type", as_is("<!DOCTYPE " + repeated("<!", 100'000)), {"not allowed"}},
      {"unknown entity", as_is(robot(link("&hello;"))), {"h.urdf:2:", "&hello;"}},
      {"CDATA", as_is(robot("<![CDATA[<link name='x'>]]>" + link("a"))), {}},
      {"instructions", as_is("<?xml version='1.0'?><?php die ?>" + robot("<?a?>" + link("a"))), {}},
      {"open CDATA", as_is(robot("<![CDATA[")), {"h.urdf:2:", "not closed"}},
      {"open comment", as_is(robot("\n<!--")), {"h.urdf:3:", "not closed"}},
      {"open instruction", as_is(robot("<?")), {"h.urdf:2:", "not closed"}},
      {"duplicate attribute", as_is(robot("<link name='a' name='b'/>")), {"h.urdf:2:", "twice"}},
      {"wrong closing",
       as_is(robot("<link name='a'></joint>")),
       {"h.urdf:2:", "</joint> closes <link>"}},
      {"no quotes", as_is(robot("<link name=a/>")), {"h.urdf:2:", "quotes"}},
      {"two roots of XML",
       as_is(robot(link("a")) + robot(link("b"))),
       {"h.urdf:5:", "second root"}},
  });
}

TEST(HostileUrdf, CutFiles) {
  const std::string text =
      read_text_file(std::string(AXODE_TEST_DATA) + "/models/gripper_arm.urdf");
  EXPECT_EQ(outcome(text), "");
  for (std::size_t size = 0; size + 1 < text.size(); size += 7) {
    const std::string said = outcome(text.substr(0, size));
    EXPECT_TRUE(names_line_and_remedy(said)) << size << said;
  }
}

TEST(HostileUrdf, DamagedFiles) {
  const std::string text = read_text_file(std::string(AXODE_TEST_DATA) + "/models/walker.urdf");
  for (std::size_t i = 0; i < text.size(); i += 3) {
    for (const char c : {'<', '"', '&', '9', '\0', '\xff'}) {
      std::string damaged = text;
      damaged[i] = c;
      outcome(damaged);  // loads or is refused by an Error: nothing else gets here
    }
    outcome(text.substr(0, i) + text.substr(std::min(text.size(), i + 5)));
  }
}

// --- structure ------------------------------------------------------------------------------------

TEST(HostileUrdf, Robots) {
  check_all({
      {"SDF", as_is("<sdf/>"), {"h.urdf:1:", "\"sdf\", not <robot>", "convert it"}},
      {"wrong root", as_is("\n<html></html>"), {"h.urdf:2:", "\"html\", not <robot>"}},
      {"upper case", as_is("<Robot/>"), {"not <robot>"}},
      {"nothing in it", as_is("<robot name='r'/>"), {"h.urdf:1: robot 'r'", "no link"}},
      {"joints only", as_is(robot(joint("j", "a", "b"))), {"no link"}},
      {"no robot name", as_is("<robot><link name='a'/></robot>"), {}},
      {"link without name", as_is(robot("<link/>")), {"h.urdf:2:", "name is missing"}},
      {"link with empty name", as_is(robot("<link name=''/>")), {"h.urdf:2:", "name is empty"}},
      {"joint without name",
       as_is(robot(link("a") + "<joint type='fixed'/>")),
       {"h.urdf:3:", "name is missing"}},
      {"joint without type",
       as_is(robot(link("a") + link("b") +
                   "<joint name='j'><parent link='a'/><child link='b'/></joint>")),
       {"h.urdf:4: joint 'j'", "type is missing"}},
      {"unknown type",
       pair("", "ball"),
       {"h.urdf:4: joint 'j'", "\"ball\" is unknown", "write revolute"}},
      {"no parent",
       as_is(robot(link("a") + "<joint name='j' type='fixed'><child link='a'/></joint>")),
       {"h.urdf:3: joint 'j'", "no <parent>"}},
      {"no child",
       as_is(robot(link("a") + "<joint name='j' type='fixed'><parent link='a'/></joint>")),
       {"h.urdf:3: joint 'j'", "no <child>"}},
      {"parent without link",
       as_is(
           robot(link("a") + "<joint name='j' type='fixed'>\n<parent/><child link='a'/></joint>")),
       {"h.urdf:4: <parent> of joint 'j'", "link is missing"}},
      {"two parents in a joint",
       pair("<parent link='b'/>"),
       {"h.urdf:5: <parent> of joint 'j'", "another one in line 4"}},
      {"unknown parent",
       as_is(robot(link("a") + link("b") + joint("j", "x", "b"))),
       {"h.urdf:4: joint 'j'", "no link \"x\""}},
      {"unknown child",
       as_is(robot(link("a") + joint("j", "a", "x"))),
       {"h.urdf:3: joint 'j'", "no link \"x\""}},
      {"links of one name",
       as_is(robot(link("a") + link("a"))),
       {"h.urdf:3: link 'a'", "in line 2"}},
      {"joints of one name",
       as_is(
           robot(link("a") + link("b") + link("c") + joint("j", "a", "b") + joint("j", "a", "c"))),
       {"h.urdf:7: joint 'j'", "another joint of this name"}},
      {"two roots",
       as_is(robot(link("a") + link("b"))),
       {"h.urdf:3: link 'b'", "link \"a\" of line 2", "connect them"}},
      {"child of two",
       as_is(robot(link("a") + link("b") + link("c") + joint("j", "a", "c") + joint("k", "a", "b") +
                   joint("l", "b", "c"))),
       {"h.urdf:9: joint 'l'", "already carried"}},
      {"self loop",
       as_is(robot(link("a") + joint("j", "a", "a"))),
       {"h.urdf:3: joint 'j'", "cycle"}},
      {"self loop beside a root",
       as_is(robot(link("a") + link("b") + joint("j", "b", "b"))),
       {"h.urdf:4: joint 'j'", "its own parent"}},
      {"cycle",
       as_is(robot(link("a") + link("b") + joint("j", "a", "b") + joint("k", "b", "a"))),
       {"h.urdf:4:", "cycle"}},
      {"cycle beside a root",
       as_is(
           robot(link("r") + link("a") + link("b") + joint("j", "a", "b") + joint("k", "b", "a"))),
       {"cycle"}},
      {"link named world",
       as_is(robot(link("a") + link("world") + joint("j", "a", "world"))),
       {"h.urdf:3:", "'world'"}},
      {"joint named world", as_is(robot(link("a") + link("b") + joint("world", "a", "b"))), {}},
      {"the world alone", as_is(robot(link("world"))), {}},
      {"root joint name taken",
       as_is(robot(link("a") + link("b") + joint("a_to_world", "a", "b"))),
       {}},
      {"link in a link", as_is(robot(link("a", link("b")))), {}},
      {"xacro file",
       as_is("<robot name='r' xmlns:xacro='x'>\n<xacro:macro name='m'><link "
             "name='a'/></xacro:macro></robot>"),
       {"h.urdf:1:", "run xacro first"}},
      {"xacro element left over",
       as_is(robot("<xacro:property name='a' value='1'/>" + link("a"))),
       {}},
      {"xacro in a number",
       pair("<origin xyz='0 ${h/2} 0'/>"),
       {"h.urdf:5: <origin> of joint 'j'", "run xacro first"}},
      {"xacro in a name", as_is(robot(link("${prefix}a"))), {"h.urdf:2:", "run xacro first"}},
  });
}

TEST(HostileUrdf, LargeModels) {
  const int many = 100'000;
  const auto model = [&](const std::function<int(int)>& parent) {
    std::string text = link("l0");
    for (int i = 1; i < many; ++i)
      text +=
          link(numbered("l", i)) + joint(numbered("j", i), numbered("l", parent(i)),
                                         numbered("l", i), "<origin xyz='0 0 0.1' rpy='0.1 0 0'/>");
    return robot(text);
  };
  const auto followers = [&](int step) {
    std::string text = link("l0");
    for (int i = 1; i < many; ++i) {
      const int leader = i + step;
      const std::string mimic =
          leader >= 1 && leader < many ? numbered("<mimic joint='j", leader) + "'/>" : "";
      text += link(numbered("l", i)) + joint(numbered("j", i), "l0", numbered("l", i), mimic);
    }
    return robot(text);
  };
  check_all({
      {"chain", [&] { return model([](int i) { return i - 1; }); }, {}},
      {"star", [&] { return model([](int) { return 0; }); }, {}},
      {"chain from the end",
       [&] { return model([&](int i) { return i + 1 < many ? i + 1 : 0; }); },
       {}},
      {"long cycle",
       [&] { return model([&](int i) { return i + 1 < many ? i + 1 : 1; }); },
       {"cycle"}},
      {"chain of followers", [&] { return followers(-1); }, {}},
      {"chain of followers from the end", [&] { return followers(1); }, {}},
      {"many roots",
       [&] {
         std::string text;
         for (int i = 0; i < many; ++i) text += link(numbered("l", i));
         return robot(text);
       },
       {"h.urdf:3: link 'l1'", "\"l0\""}},
      {"many shapes",
       [&] {
         return robot(link("a", repeated("<visual><geometry><sphere radius='1'/></geometry>"
                                         "<material name='m'/></visual>",
                                         many)));
       },
       {}},
  });
}

// --- values ---------------------------------------------------------------------------------------

TEST(HostileUrdf, NumbersEverywhere) {
  struct Place {
    std::function<std::function<std::string()>(std::string)> with;
    std::string where;
  };
  const auto in_joint = [](const std::string& before, const std::string& after,
                           const std::string& element) {
    return Place{[=](const std::string& x) { return pair(before + x + after, "revolute"); },
                 "h.urdf:5: <" + element + "> of joint 'j'"};
  };
  const auto in_link = [](const std::string& before, const std::string& after,
                          const std::string& element) {
    return Place{[=](const std::string& x) { return one(before + x + after); },
                 "h.urdf:3: <" + element + "> of link 'a'"};
  };
  const std::vector<Place> places{
      in_joint("<origin xyz='0 ", " 0'/>", "origin"),
      in_joint("<origin rpy='", " 0 0'/>", "origin"),
      in_joint("<origin quat_xyzw='0 0 0 ", "'/>", "origin"),
      in_joint("<axis xyz='0 0 ", "'/>", "axis"),
      in_joint("<limit lower='", "'/>", "limit"),
      in_joint("<limit upper='", "'/>", "limit"),
      in_joint("<limit effort='", "'/>", "limit"),
      in_joint("<limit velocity='", "'/>", "limit"),
      in_joint("<dynamics damping='", "'/>", "dynamics"),
      in_joint("<dynamics friction='", "'/>", "dynamics"),
      in_joint("<mimic joint='k' multiplier='", "'/>", "mimic"),
      in_joint("<mimic joint='k' offset='", "'/>", "mimic"),
      in_link("<inertial><mass value='", "'/></inertial>", "mass"),
      in_link("<inertial><mass value='1'/><inertia ixx='1' ixy='", "'/></inertial>", "inertia"),
      in_link("<inertial><origin xyz='0 0 ", "'/><mass value='1'/></inertial>", "origin"),
      in_link("<visual><geometry><box size='1 1 ", "'/></geometry></visual>", "box"),
      in_link("<visual><geometry><sphere radius='", "'/></geometry></visual>", "sphere"),
      in_link("<visual><geometry><cylinder radius='1' length='", "'/></geometry></visual>",
              "cylinder"),
      in_link("<visual><geometry><mesh filename='a' scale='1 1 ", "'/></geometry></visual>",
              "mesh"),
      in_link(
          "<visual><geometry><box size='1 1 1'/></geometry><material name='m'><color rgba='1 1 1 ",
          "'/></material></visual>", "color")};
  for (const Place& place : places)
    for (const char* number : {"nan", "NaN", "inf", "-inf", "INFINITY", "1e400", "-1e999", "1.0abc",
                               "1,5", "0x1p3", "0b1", "", "--1", "1e", "one", "1.2.3", "\xd9\xa1"})
      check({place.where + " " + number, place.with(number), {place.where}});
}

TEST(HostileUrdf, WrongCounts) {
  check_all({
      {"two of three", pair("<origin xyz='1 2'/>"), {"h.urdf:5:", "2 numbers instead of 3"}},
      {"four of three", pair("<origin rpy='1 2 3 4'/>"), {"h.urdf:5:", "4 numbers instead of 3"}},
      {"none of three", pair("<axis xyz=''/>"), {"h.urdf:5:", "xyz is empty"}},
      {"commas", pair("<axis xyz='1,0,0'/>"), {"h.urdf:5:", "write a decimal point"}},
      {"two for one", one(inertial("1 2")), {"h.urdf:3: <mass>", "not a number"}},
      {"three colours",
       one("<visual><geometry><box size='1 1 1'/></geometry><material name='m'>"
           "<color rgba='1 1 1'/></material></visual>"),
       {"h.urdf:3: <color>", "3 numbers instead of 4"}},
      {"no moments",
       one("<inertial><mass value='1'/><inertia ixx='1'/></inertial>"),
       {"h.urdf:3: <inertia>", "iyy is missing"}},
      {"no mass", one("<inertial><inertia/></inertial>"), {"h.urdf:3: <inertial>", "no <mass>"}},
      {"no value", one("<inertial><mass/></inertial>"), {"h.urdf:3: <mass>", "value is missing"}},
      {"two inertials",
       one(inertial("1") + inertial("1")),
       {"h.urdf:3: <inertial>", "another one"}},
      {"two masses",
       one("<inertial><mass value='1'/><mass value='2'/></inertial>"),
       {"h.urdf:3: <mass>", "another one"}},
      {"two axes",
       pair("<axis xyz='1 0 0'/><axis xyz='0 1 0'/>"),
       {"h.urdf:5: <axis>", "another one"}},
      {"two limits", pair("<limit/><limit/>"), {"h.urdf:5: <limit>", "another one"}},
      {"empty geometry",
       one("<visual><geometry/></visual>"),
       {"h.urdf:3: <geometry>", "no geometry"}},
      {"no geometry", one("<collision/>"), {"h.urdf:3: <collision>", "no geometry"}},
      {"no filename",
       one("<visual><geometry><mesh/></geometry></visual>"),
       {"h.urdf:3: <mesh>", "filename is missing"}},
      {"no rgba",
       one("<visual><geometry><box size='1 1 1'/></geometry><material "
           "name='m'><color/></material></visual>"),
       {"h.urdf:3: <color>", "rgba is missing"}},
  });
}

TEST(HostileUrdf, Physics) {
  check_all({
      {"zero axis", pair("<axis xyz='0 0 0'/>"), {"h.urdf:5: <axis> of joint 'j'", "axis is zero"}},
      {"tiny axis", pair("<axis xyz='0 0 1e-320'/>"), {}},
      {"huge axis", pair("<axis xyz='1e308 1e308 1e308'/>"), {}},
      {"huge angles", pair("<origin rpy='1e308 1e308 1e308'/>"), {}},
      {"negative mass", one(inertial("-1")), {"h.urdf:2: ", "mass -1 kg is negative"}},
      {"indefinite inertia", one(inertial("1", "-1")), {"h.urdf:2: ", "indefinite"}},
      {"no triangle", one(inertial("1", "100")), {}},
      {"massless", one(inertial("0")), {}},
      {"lower above upper",
       pair("<limit lower='1' upper='-1'/>", "revolute"),
       {"h.urdf:4: joint 'j'", "above"}},
      {"negative damping", pair("<dynamics damping='-1'/>"), {"h.urdf:4: joint 'j'", "damping"}},
      {"negative friction", pair("<dynamics friction='-1'/>"), {"h.urdf:4: joint 'j'", "friction"}},
      {"negative radius",
       one("<visual><geometry><sphere radius='-1'/></geometry></visual>"),
       {"h.urdf:3: <sphere>", "negative"}},
      {"zero quaternion",
       pair("<origin quat_xyzw='0 0 0 0'/>"),
       {"h.urdf:5: <origin>", "length 0"}},
      {"follows itself", pair("<mimic joint='j'/>"), {"h.urdf:4: joint 'j'", "follows itself"}},
      {"follows nobody", pair("<mimic joint='x'/>"), {"h.urdf:4: joint 'j'", "'x'"}},
      {"follows without name",
       pair("<mimic/>"),
       {"h.urdf:5: <mimic> of joint 'j'", "joint is missing"}},
      {"floating follower", pair("<mimic joint='j'/>", "floating"), {"h.urdf:4: joint 'j'"}},
      {"followers in a cycle",
       as_is(robot(link("a") + link("b") + link("c") + joint("j", "a", "b", "<mimic joint='k'/>") +
                   joint("k", "a", "c", "<mimic joint='j'/>"))),
       {"cycle"}},
      {"follower of a fixed joint",
       as_is(robot(link("a") + link("b") + link("c") + joint("j", "a", "b", "", "fixed") +
                   joint("k", "a", "c", "<mimic joint='j'/>"))),
       {"h.urdf:7: joint 'k'", "one degree of freedom"}},
  });
}

TEST(HostileUrdf, Paths) {
  for (const char* name :
       {"../../../../etc/passwd", "/etc/passwd", "file:///etc/passwd", "package://../../etc/passwd",
        "package://", "file://", "/", ".", "..", "http://example.org/a.stl", "//host/share",
        "package://a/\xc3\xa4/..", "~/a.stl", "/proc/self/mem", "/dev/zero"}) {
    SCOPED_TRACE(name);
    UrdfOptions options;
    options.mesh_roots = {std::filesystem::path(AXODE_TEST_DATA) / "models"};
    const std::string text =
        one(std::string("<visual><geometry><mesh filename='") + name + "'/></geometry></visual>")();
    const TreeDescription d = parse_urdf(text, "h.urdf", options);
    EXPECT_EQ(d.bodies.at(0).shapes.at(0).mesh_path, "");
    ASSERT_EQ(d.warnings.size(), 1u);
    expect_says(d.warnings[0].text, "h.urdf:3: <mesh> of link 'a'");
  }
}

TEST(HostileUrdf, Files) {
  const std::string folder = std::filesystem::temp_directory_path().string();
  const auto said = [](const std::string& file) { return message([&] { read_urdf(file); }); };
  expect_says(said(folder), "is a directory; ");
  expect_says(said(folder + "/axode_there_is_none.urdf"),
              "axode_there_is_none.urdf: cannot be read: No such file");
  expect_says(said("/dev/zero"), "not a regular file; ");
  expect_says(said(""), "cannot be read");
  expect_says(said(repeated("x", 10'000)), "cannot be read");
  EXPECT_THROW(read_urdf(folder), IoError);
}

// --- little stack ---------------------------------------------------------------------------------

/// Runs f in a thread with a stack of 256 kB, or 1 MB with sanitizers, which need more.
void with_little_stack(const std::function<void()>& f) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, longest == 2 ? 256 << 10 : 1 << 20);
  pthread_t thread{};
  const auto run = [](void* work) -> void* {
    (*static_cast<const std::function<void()>*>(work))();
    return nullptr;
  };
  ASSERT_EQ(
      pthread_create(&thread, &attributes, run, const_cast<void*>(static_cast<const void*>(&f))),
      0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

TEST(HostileUrdf, NeedsLittleStack) {
  std::string chain = link("l0");
  for (int i = 1; i < 100'000; ++i)
    chain +=
        link(numbered("l", i)) + joint(numbered("j", i), numbered("l", i - 1), numbered("l", i));
  chain = robot(chain);
  std::string deep_said, chain_said = "not run", allowed_said;
  const std::string deep = repeated("<a>", 1'000'000);
  const std::string allowed = robot(repeated("<a>", 254) + repeated("</a>", 254) + link("a"));
  with_little_stack([&] {
    deep_said = outcome(deep);
    allowed_said = outcome(allowed);
    chain_said = outcome(chain);
  });
  expect_says(deep_said, "deeper than 256");
  EXPECT_EQ(allowed_said, "");
  EXPECT_EQ(chain_said, "");
}

}  // namespace
}  // namespace axode::test::hostile_urdf_test
