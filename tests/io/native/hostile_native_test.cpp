/// Hostile and broken texts for the native reader: each loads or is refused, within two seconds, with
/// source, line and remedy.
#include <gtest/gtest.h>

#include <ctime>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "axode/core/error.hpp"
#include "axode/io/native/native.hpp"
#include "axode/io/text/text_file.hpp"
#include "tests/support/sanitized.hpp"

namespace axode::test::hostile_native_test {
namespace {

struct Case {
  std::string name;
  std::function<std::string()> text;
  std::string refused;  // words of the message; empty: loads
  int line = 0;         // of the message; 0: any
};

std::string repeated(const std::string& piece, int count) {
  std::string all;
  all.reserve(piece.size() * count);
  for (int i = 0; i < count; ++i) all += piece;
  return all;
}
std::string join(std::initializer_list<std::string_view> parts) {
  std::string all;
  for (const std::string_view part : parts) all += part;
  return all;
}
/// A model with these bodies and further members.
std::string model(std::string_view bodies, std::string_view more = "") {
  return join({"{\"axode\": 1, \"bodies\": [\n", bodies, "]", more, "}"});
}
/// A model of a body, on line 2, with these members beside its name.
std::string body(std::string_view members) {
  return model(join({"{\"name\": \"a\", ", members, "}"}));
}
/// A body whose joint, on line 2, has these members.
std::string joint(std::string_view members) { return body(join({"\"joint\": {", members, "}"})); }
std::string revolute(std::string_view members) {
  return joint(join({"\"type\": \"revolute\", \"axis\": [0, 0, 1], ", members}));
}
std::string inertia(std::string_view members) {
  return body(join({"\"joint\": {\"type\": \"fixed\"}, \"inertia\": {", members, "}"}));
}
std::string shape(std::string_view members) {
  return body(join({"\"joint\": {\"type\": \"fixed\"}, \"shapes\": [{", members, "}]"}));
}
std::string pose(std::string_view members) {
  return joint(join({"\"type\": \"fixed\", \"body_in_world\": {", members, "}"}));
}
/// One body on a line: its name, its parent and further members of its joint.
std::string on(std::string_view name, std::string_view parent, std::string_view more = "") {
  return join({"{\"name\": \"", name, "\", \"joint\": {\"type\": \"revolute\", ",
               "\"axis\": [0, 0, 1], \"parent\": \"", parent, "\"", more, "}}"});
}
std::string number(std::string_view prefix, int i) { return join({prefix, std::to_string(i)}); }
std::string many(int count, bool chain) {
  std::string bodies;
  for (int i = 0; i < count; ++i) {
    if (i > 0) bodies += ",\n";
    bodies += on(number("b", i), i == 0 ? "world" : number("b", chain ? i - 1 : 0));
  }
  return model(bodies);
}
/// A sound model to cut into pieces: every prefix must be refused.
const std::string sound = model(join({on("a", "world"), ",\n", on("b", "a")}),
                                ", \"frames\": [{\"name\": \"f\", \"on\": \"b\"}]");

void check(const Case& c) {
  SCOPED_TRACE(c.name);
  const std::string text = c.text();
  const std::clock_t start = std::clock();  // time on the processor: others may use it, too
  std::string said;
  bool loaded = false;
  try {
    const Tree tree = build(parse_native(text, "bad.json", {{AXODE_TEST_DATA}}));
    loaded = true;
  } catch (const Error& e) {
    said = e.what();
    EXPECT_FALSE(e.remedy().empty()) << said;
    EXPECT_LT(said.size(), 2000U) << "too long a message";
    EXPECT_NE(said.find(c.refused), std::string::npos) << "'" << c.refused << "' not in: " << said;
    const std::string line = c.line > 0 ? std::to_string(c.line) + ":" : "";
    EXPECT_TRUE(said.starts_with(std::string("bad.json:") + line)) << said;
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_EQ(loaded, c.refused.empty()) << said;
  EXPECT_LT(seconds, is_release() ? 2 : 20);
}
void check_all(const std::vector<Case>& cases) {
  for (const Case& c : cases) check(c);
}
std::function<std::string()> text(std::string t) {
  return [t = std::move(t)] { return t; };
}

TEST(HostileNative, Structure) {
  check_all({
      {"empty", text(""), "ends too early", 1},
      {"white", text(" \n\n "), "ends too early", 3},
      {"deep lists", [] { return repeated("[", 1'000'000); }, "256 deep", 1},
      {"deep objects", [] { return repeated("{\"a\":", 1'000'000); }, "256 deep", 1},
      {"deep closed lists", [] { return repeated("[", 1'000'000) + repeated("]", 1'000'000); },
       "256 deep", 1},
      {"deep in a model", [] { return model(repeated("[", 1'000'000)); }, "256 deep", 2},
      {"allowed depth", [] { return repeated("[", 256) + repeated("]", 256); },
       "a model is an object", 1},
      {"root is a list", text("[]"), "a model is an object, not a list", 1},
      {"root is a text", text("\"model\""), "a model is an object, not a text", 1},
      {"root is null", text("null"), "a model is an object, not null", 1},
      {"trailing junk", text(sound + "\n]"), "follows the end", 4},
      {"two documents", text(sound + sound), "follows the end", 3},
      {"trailing comma", text(model(on("a", "world") + ",\n")), "remove the comma", 3},
      {"missing comma", text(model(on("a", "world") + "\n" + on("b", "a"))), "not JSON", 3},
      {"single quotes", text("{'axode': 1}"), "not JSON", 1},
      {"unquoted key", text("{axode: 1}"), "not JSON", 1},
      {"open comment", text("{\"axode\": 1, /* no end"), "comment", 1},
      {"xml", text("<robot/>"), "not JSON", 1},
      {"UTF-16", text(std::string("\xff\xfe{\0}\0", 6)), "UTF-16", 1},
      {"UTF-16 without mark", text(std::string("{\0\"\0}\0", 6)), "UTF-16", 1},
      {"bad UTF-8", text(model("{\"name\": \"\xc3(\"}")), "UTF-8", 2},
      {"overlong UTF-8", text(model("{\"name\": \"\xc0\x80\"}")), "UTF-8", 2},
      {"surrogate in UTF-8", text(model("{\"name\": \"\xed\xa0\x80\"}")), "UTF-8", 2},
      {"NUL", text(model(std::string("{\"name\": \"a\0\"}", 13))), "zero byte", 2},
      {"only NUL", text(std::string(100, '\0')), "UTF-16", 1},
      {"byte order mark", text("\xef\xbb\xbf" + sound), "", 0},
      {"CRLF", text("{\"axode\": 1,\r\n\"bodies\": [],\r\n\"x\": 1}"), "no key \"x\"", 3},
      {"duplicate keys", text("{\"axode\": 1,\n\"bodies\": [],\n\"axode\": 1}"), "first on line 1",
       3},
      {"two joints",
       text(body("\"joint\": {\"type\": \"fixed\"},\n\"joint\": {\"type\": \"fixed\"}")),
       "\"joint\" stands twice", 3},
      {"200000 keys",
       [] {
         std::string all = "{\"axode\": 1";
         for (int i = 0; i < 200'000; ++i) all += join({",\n\"", number("k", i), "\": 1"});
         return all + "}";
       },
       "no key \"k0\"", 2},
      {"200000 times one key",
       [] {
         return join({"{\"axode\": 1", repeated(",\n\"k\": 1", 200'000), "}"});
       },
       "twice", 3},
      {"10 MB name", [] { return model(on(repeated("x", 10'000'000), "world")); },
       "the name has 10000000 characters", 2},
      {"10 MB key",
       [] {
         return body(join({"\"", repeated("x", 10'000'000), "\": 1"}));
       },
       "no key", 2},
      {"10 MB bad token",
       [] {
         return join({"{\"axode\": 1, \"a\": ", repeated("n", 10'000'000)});
       },
       "not a value", 1},
      {"10 MB number",
       [] {
         return body(join({"\"inertia\": {\"mass\": 1", repeated("0", 10'000'000)}));
       },
       "too large", 2},
      {"many values",
       [] {
         return join({"[", repeated("0,", 12'000'000), "0]"});
       },
       "more than 10000000", 1},
  });
}

TEST(HostileNative, Numbers) {
  check_all({
      {"NaN", text(inertia("\"mass\": NaN")), "NaN", 2},
      {"Infinity", text(inertia("\"mass\": Infinity")), "Infinity", 2},
      {"minus Infinity", text(inertia("\"mass\": -Infinity")), "not JSON", 2},
      {"1e400", text(inertia("\"mass\": 1e400")), "too large", 2},
      {"-1e400", text(inertia("\"mass\":\n-1e400")), "too large", 3},
      {"1e-400", text(inertia("\"mass\": 1e-400")), "", 0},
      {"text", text(inertia("\"mass\": \"1.0\"")), "without quotes", 2},
      {"leading zero", text(inertia("\"mass\": 01")), "not JSON", 2},
      {"plus", text(inertia("\"mass\": +1")), "not JSON", 2},
      {"hexadecimal", text(inertia("\"mass\": 0x10")), "not JSON", 2},
      {"decimal comma", text(inertia("\"mass\": 1,5")), "not JSON", 2},
      {"huge but finite mass", text(inertia("\"mass\": 1e308, \"about_com\": [1, 1, 1]")),
       "too large", 2},
      {"overflow in a tensor",
       text(inertia("\"mass\": 1e308, \"com\": [1e308, 0, 0], "
                    "\"about_origin\": [1, 1, 1]")),
       "not finite", 2},
      {"list too short", text(inertia("\"mass\": 1, \"com\": [0, 0]")), "2 numbers instead of 3",
       2},
      {"list too long", text(inertia("\"mass\": 1, \"com\": [0, 0, 0, 0]")), "instead of 3", 2},
      {"list of texts", text(inertia("\"mass\": 1, \"com\": [0, \"0\", 0]")), "number 2 of", 2},
      {"nested list", text(inertia("\"mass\": 1, \"com\": [[0], 0, 0]")), "a list", 2},
      {"far away",
       text(joint("\"type\": \"revolute\", \"axis\": [0, 0, 1], "
                  "\"point\": [1e308, 1e308, 0], \"body_in_world\": "
                  "{\"position\": [-1e308, 1e308, 0]}")),
       "too large to compute with", 2},
  });
}

TEST(HostileNative, WrongTypes) {
  check_all({
      {"version missing", text("{\"bodies\": []}"), "has no \"axode\"", 1},
      {"version 2", text("{\n\"axode\": 2}"), "version 2", 2},
      {"version 1.5", text("{\n\"axode\": 1.5}"), "version 1.5", 2},
      {"version text", text("{\n\"axode\": \"1\"}"), "must be a number", 2},
      {"version of later keys", text("{\"new\": 1,\n\"axode\": 9}"), "newer library", 2},
      {"no bodies", text("{\"axode\": 1}"), "has no \"bodies\"", 1},
      {"bodies an object", text("{\"axode\": 1, \"bodies\": {}}"), "must be a list", 1},
      {"body a text", text(model("\"a\"")), "must be an object", 2},
      {"name a number", text("{\"axode\": 1, \"name\": 1, \"bodies\": []}"), "must be a text", 1},
      {"schema a number", text("{\"axode\": 1, \"$schema\": 1, \"bodies\": []}"), "text", 1},
      {"gravity a number", text("{\"axode\": 1, \"gravity\": 9.81, \"bodies\": []}"),
       "a list of 3 numbers, not a number", 1},
      {"frames an object", text(model("", ", \"frames\": {}")), "must be a list", 2},
      {"frame a list", text(model("", ", \"frames\": [[]]")), "must be an object", 2},
      {"body without name", text(model("{\"joint\": {\"type\": \"fixed\"}}")), "no \"name\"", 2},
      {"body without joint", text(model("{\"name\": \"a\"}")), "no \"joint\"", 2},
      {"body name null", text(model("{\"name\": null, \"joint\": {}}")), "must be a text", 2},
      {"joint a text", text(body("\"joint\": \"fixed\"")), "must be an object", 2},
      {"joint name a list", text(revolute("\"name\": []")), "must be a text", 2},
      {"joint parent a number", text(revolute("\"parent\": 0")), "must be a text", 2},
      {"joint type a number", text(joint("\"type\": 1")), "must be a text", 2},
      {"no joint type", text(joint("")), "no \"type\"", 2},
      {"unknown joint type", text(joint("\"type\": \"revolut\"")), "'revolute'?", 2},
      {"joint axis a text", text(joint("\"type\": \"prismatic\", \"axis\": \"z\"")), "list of 3",
       2},
      {"joint axis missing", text(joint("\"type\": \"prismatic\"")), "needs \"axis\"", 2},
      {"joint pitch a text",
       text(joint("\"type\": \"helical\", \"axis\": [0, 0, 1], \"pitch\": \"1\"")), "number", 2},
      {"limits a list", text(revolute("\"limits\": [0, 1]")), "must be an object", 2},
      {"limits a text", text(revolute("\"limits\": {\"lower\": \"0\"}")), "must be a number", 2},
      {"damping an object", text(revolute("\"damping\": {}")), "must be a number", 2},
      {"mimic a text", text(revolute("\"mimic\": \"a\"")), "must be an object", 2},
      {"mimic joint a number", text(revolute("\"mimic\": {\"joint\": 1}")), "must be a text", 2},
      {"mimic ratio a text", text(revolute("\"mimic\": {\"joint\": \"b\", \"ratio\": \"2\"}")),
       "without quotes", 2},
      {"dh a list", text(joint("\"type\": \"revolute\", \"dh\": [0, 0, 0, 0]")), "an object", 2},
      {"dh a text",
       text(joint("\"type\": \"revolute\", \"dh\": {\"convention\": \"classic\", \"a\": \"1\"}")),
       "without quotes", 2},
      {"dh overflow",
       text(joint("\"type\": \"revolute\", \"dh\": {\"convention\": \"classic\", "
                  "\"theta\": 1e300}")),
       "not finite", 2},
      {"inertia a number", text(body("\"inertia\": 1, \"joint\": {\"type\": \"fixed\"}")), "object",
       2},
      {"pose a list", text(joint("\"type\": \"fixed\", \"body_in_world\": [0, 0, 0]")), "object",
       2},
      {"shapes an object", text(body("\"joint\": {\"type\": \"fixed\"}, \"shapes\": {}")), "list",
       2},
      {"shape without type", text(shape("\"radius\": 1")), "no \"type\"", 2},
      {"shape unknown", text(shape("\"type\": \"cone\"")), "cannot be \"cone\"", 2},
      {"shape without size", text(shape("\"type\": \"box\"")), "needs \"size\"", 2},
      {"shape with other size", text(shape("\"type\": \"sphere\", \"radius\": 1, \"length\": 1")),
       "has no \"length\"", 2},
      {"collision a number", text(shape("\"type\": \"sphere\", \"radius\": 1, \"collision\": 1")),
       "true or false", 2},
      {"rgba too short", text(shape("\"type\": \"sphere\", \"radius\": 1, \"rgba\": [1, 1, 1]")),
       "instead of 4", 2},
      {"unknown key of the model", text("{\"axode\": 1, \"bodie\": []}"), "'bodies'?", 1},
      {"unknown key of a body", text(body("\"joints\": {}")), "'joint'?", 2},
      {"unknown key of a joint", text(revolute("\"friktion\": 1")), "'friction'?", 2},
      {"unknown key of an inertia", text(inertia("\"mas\": 1")), "'mass'?", 2},
      {"unknown key of a pose", text(pose("\"xyz\": [0, 0, 0]")), "no key \"xyz\"", 2},
      {"unknown key of a shape", text(shape("\"kind\": \"box\"")), "no key \"kind\"", 2},
      {"unknown key of a frame", text(model("", ",\n\"frames\": [{\"nam\": \"f\"}]")), "'name'?",
       3},
      {"empty key", text(body("\"\": 1")), "no key \"\"", 2},
  });
}

TEST(HostileNative, Geometry) {
  check_all({
      {"stretched rotation", text(pose("\"rotation\": [[1, 0, 0], [0, 1, 0], [0, 0, 1.001]]")),
       "rotation", 2},
      {"left-handed rotation", text(pose("\"rotation\": [[1, 0, 0], [0, 1, 0], [0, 0, -1]]")),
       "rotation", 2},
      {"zero rotation", text(pose("\"rotation\": [[0, 0, 0], [0, 0, 0], [0, 0, 0]]")), "rotation",
       2},
      {"zero quaternion", text(pose("\"quaternion\": [0, 0, 0, 0]")), "is zero", 2},
      {"tiny quaternion", text(pose("\"quaternion\": [5e-324, 0, 0, 0]")), "", 0},
      {"huge quaternion", text(pose("\"quaternion\": [1e308, 1e308, 1e308, 1e308]")), "", 0},
      {"zero axis of a rotation", text(pose("\"axis_angle\": {\"axis\": [0, 0, 0], \"angle\": 1}")),
       "is zero", 2},
      {"two rotations", text(pose("\"rpy\": [0, 0, 0], \"quaternion\": [1, 0, 0, 0]")),
       "two rotations", 2},
      {"huge angle", text(pose("\"rpy\": [0, 1e200, 0]")), "too large", 2},
      {"no homogeneous matrix", text(pose("\"matrix\": [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,0]]")),
       "matrix", 2},
      {"zero axis", text(joint("\"type\": \"revolute\", \"axis\": [0, 0, 0]")), "axis is zero", 2},
      {"tiny axis", text(joint("\"type\": \"revolute\", \"axis\": [0, 5e-324, 0]")), "", 0},
      {"parallel axes",
       text(joint("\"type\": \"universal\", \"first_axis\": [0, 0, 1], "
                  "\"second_axis\": [0, 0, -3]")),
       "parallel", 2},
      {"seven screws",
       text(joint(join({"\"type\": \"screws\", \"screws\": [", repeated("[0, 0, 1, 0, 0, 0], ", 6),
                        "[0, 0, 1, 0, 0, 0]]"}))),
       "one to six", 2},
      {"screw not of unit length",
       text(joint("\"type\": \"screws\", \"screws\": [[0, 0, 3, 0, 0, 0]]")), "length 3", 2},
      {"zero screw", text(joint("\"type\": \"screws\", \"screws\": [[0, 0, 0, 0, 0, 0]]")),
       "length 0", 2},
      {"screws against the type",
       text(joint("\"type\": \"planar\", \"screws\": [[0, 0, 1, 0, 0, 0]]")), "of the kind TTR", 2},
  });
}

/// Meshes outside the roots are not looked at; the model loads all the same.
TEST(HostileNative, MeshesOutside) {
  for (const char* file : {"../../etc/passwd", "a/../../b.stl", "/etc/passwd", "file:///etc/passwd",
                           "package://../../etc/passwd", "none.stl"}) {
    SCOPED_TRACE(file);
    const std::string mesh = join({"\"type\": \"mesh\", \"file\": \"", file, "\""});
    const TreeDescription d = parse_native(text(shape(mesh))(), "bad.json", {{AXODE_TEST_DATA}});
    EXPECT_EQ(d.bodies.at(0).shapes.at(0).mesh_path, "");
    ASSERT_EQ(d.warnings.size(), 1u);
    EXPECT_TRUE(d.warnings[0].text.starts_with("bad.json:2")) << d.warnings[0].text;
  }
}

TEST(HostileNative, Meaning) {
  check_all({
      {"negative mass", text(inertia("\"mass\": -1")), "negative", 2},
      {"indefinite inertia", text(inertia("\"mass\": 1, \"about_com\": [1, 1, -1]")), "indefinite",
       2},
      {"inertia without mass", text(inertia("\"com\": [0, 0, 0]")), "no \"mass\"", 2},
      {"impossible inertia", text(inertia("\"mass\": 1, \"about_com\": [1, 1, 5]")), "", 0},
      {"empty name", text(model(on("", "world"))), "name is empty", 2},
      {"name with an escape of NUL", text(model(on("a\\u0000", "world"))), "U+0000", 2},
      {"name with a control character", text(model(on("a\\u0007", "world"))), "control", 2},
      {"name world", text(model(on("world", "world"))), "inertial frame", 2},
      {"duplicate body", text(model(on("a", "world") + ",\n" + on("a", "world"))), "another body",
       3},
      {"duplicate joint",
       text(model(on("a", "world", ", \"name\": \"j\"") + ",\n" +
                  on("b", "world", ", \"name\": \"j\""))),
       "another joint", 3},
      {"self parent", text(model(on("a", "a"))), "own parent", 2},
      {"cycle of two", text(model(on("a", "b") + ",\n" + on("b", "a"))), "cycle", 0},
      {"long cycle",
       [] {
         std::string bodies;
         for (int i = 0; i < 100'000; ++i)
           bodies +=
               join({i == 0 ? "" : ",\n", on(number("b", i), number("b", (i + 1) % 100'000))});
         return model(bodies);
       },
       "cycle", 0},
      {"unknown parent", text(model(on("a", "b"))), "'b' is not there", 2},
      {"lower above upper", text(revolute("\"limits\": {\"lower\": 2, \"upper\": 1}")), "above", 2},
      {"negative damping", text(revolute("\"damping\": -1")), "negative", 2},
      {"negative effort", text(revolute("\"limits\": {\"effort\": -1}")), "negative", 2},
      {"mimic of itself", text(revolute("\"mimic\": {\"joint\": \"a\"}")), "itself", 2},
      {"mimic of nothing", text(revolute("\"mimic\": {\"joint\": \"z\"}")), "'z'", 2},
      {"mimic in a cycle",
       text(model(on("a", "world", ", \"mimic\": {\"joint\": \"b\"}") + ",\n" +
                  on("b", "a", ", \"mimic\": {\"joint\": \"a\"}"))),
       "cycle", 0},
      {"mimic of a planar joint",
       text(model("{\"name\": \"p\", \"joint\": {\"type\": \"planar\"}},\n" +
                  on("a", "p", ", \"mimic\": {\"joint\": \"p\"}"))),
       "one degree of freedom", 3},
      {"long chain of mimics",
       [] {
         std::string bodies = on("b0", "world");
         for (int i = 1; i < 50'000; ++i)
           bodies +=
               join({",\n", on(number("b", i), "world",
                               join({", \"mimic\": {\"joint\": \"", number("b", i - 1), "\"}"}))});
         return model(bodies);
       },
       "", 0},
      {"frame on nothing", text(model("", ",\n\"frames\": [{\"name\": \"f\", \"on\": \"z\"}]")),
       "'z'", 3},
      {"frame named as a body", text(model(on("a", "world"), ",\n\"frames\": [{\"name\": \"a\"}]")),
       "a body has this name", 3},
      {"duplicate frame", text(model("", ",\n\"frames\": [{\"name\": \"f\"},\n{\"name\": \"f\"}]")),
       "another frame", 4},
      {"chain of 100000", [] { return many(100'000, true); }, "", 0},
      {"star of 100000", [] { return many(100'000, false); }, "", 0},
      {"children before parents",
       text(model(on("c", "b") + ",\n" + on("b", "a") + ",\n" + on("a", "world"))), "", 0},
  });
}

/// Cut anywhere, the sound text is refused, and never with another message than an Error.
TEST(HostileNative, CutAnywhere) {
  for (std::size_t length = 0; length < sound.size(); ++length)
    check({number("cut at ", static_cast<int>(length)), text(sound.substr(0, length)), ":", 0});
  check({"whole", text(sound), "", 0});
}

/// With a byte changed it loads or is refused, but nothing else happens.
TEST(HostileNative, OneByteChanged) {
  int loaded = 0;
  for (std::size_t i = 0; i < sound.size(); ++i)
    for (const char c :
         {'\0', '"', '{', '}', '[', ']', ',', ':', '9', '-', 'e', '\\', '\x80', '\n'}) {
      std::string changed = sound;
      changed[i] = c;
      try {
        (void)build(parse_native(changed, "f"));
        ++loaded;
      } catch (const Error& e) {
        ASSERT_FALSE(e.remedy().empty()) << e.what();
      }
    }
  EXPECT_GT(loaded, 0);
}

}  // namespace
}  // namespace axode::test::hostile_native_test
