#include "axode/io/flexible/flexible_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "axode/io/text/crc32.hpp"
#include "axode/io/text/text_file.hpp"
#include "tests/flexible/reference_chains.hpp"
#include "tests/io/schema_keys.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::flexible_file {
namespace {

const std::filesystem::path root = std::filesystem::path(AXODE_TEST_DATA) / "../..";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  if (place == std::string::npos) {
    ADD_FAILURE() << "no " << from;
    return text;
  }
  return text.replace(place, from.size(), to);
}

/// A rigid base, a beam on line 4 and a hand at its tip.
const std::string arm =
    R"j({"axode_flexible": 1, "name": "m", "gravity": [0, -9, 0], "links": [
 {"name": "base", "parent": "world", "joint": {"type": "revolute", "axis": [0, 0, 2]},
  "inertia": {"mass": 3, "com": [0.1, 0, 0], "about_com": [1, 2, 2]}},
 {"name": "arm", "parent": "base", "joint": {"type": "prismatic", "axis": [1, 0, 0]},
  "mount": {"position": [0.2, 0, 0], "rpy": [0.1, 0, 0]},
  "beam": {"length": 2, "E": 7e10, "G": 2.6e10, "density": 2700, "section": {"tube": [0.1, 0.08]}},
  "modes": {"torsion": 1, "bend_y": 2, "tip_mass": "outboard", "tip_inertia": [0.1, 0.2, 0.3]},
  "damping": {"ratio": 0.01, "rayleigh": [0.1, 1e-4]}},
 {"name": "hand", "parent": "arm", "station": 1.5, "joint": {"type": "fixed"}}],
"payload": [{"link": "arm", "inertia": {"mass": 5}}],
"control": {"kp": {"base": 0, "arm": 10}, "kd": {"arm": 2},
            "targets": [{"q": {"base": 1}}, {"from": 2, "q": {"arm": 0.5}}]},
"forces": {"arm": "3*sin(t)"},
"loads": [{"link": "arm", "station": 1, "force": [1, 2, 3], "follows": true,
           "factor": {"polynomial": [0, 2]}}],
"prescribed": [{"switches": [1, 2], "joint": "base", "motion": "t^2"}],
"initial": {"q": {"arm": 0.25, "arm.bend_y2": 0.01}, "v": {"arm": 1}}, "duration": 7})j";

FlexibleSetup read(const std::string& text) { return parse_flexible(text, "m.json"); }
void says(const std::string& from, const std::string& to, const std::string& words) {
  SCOPED_TRACE(to);
  expect_says(message([&] { read(replaced(arm, from, to)); }), words);
}

TEST(FlexibleFile, ReadsWhatIsSaid) {
  const FlexibleSetup s = read(arm);
  const FlexibleTree& t = s.tree;
  ASSERT_EQ(t.links.size(), 4U);
  EXPECT_EQ(t.name, "m");
  EXPECT_EQ(t.joints, 2);
  EXPECT_EQ(t.size, 2 + 1 + 2 + 2);
  EXPECT_EQ(t.rotation, SectionRotation::zyx);
  EXPECT_EQ(t.links[0].axis, (Vec3<>{0, 0, 1}));
  EXPECT_EQ(t.links[1].mount.p, (Vec3<>{.2, 0, 0}));
  EXPECT_EQ(t.links[1].boundary_y.tip_mass, 5);  // the hand is not at the tip, and massless
  EXPECT_EQ(t.links[1].boundary_y.tip_inertia, .3);
  EXPECT_EQ(t.links[1].boundary_z.tip_inertia, .2);
  EXPECT_EQ(t.links[1].boundary_x.tip_inertia, .1);
  EXPECT_EQ(t.links[1].damping_stiffness, 1e-4);
  EXPECT_EQ(t.links[2].station, 1.5);
  EXPECT_EQ(t.links[3].station, 2);
  EXPECT_EQ(s.q[1], .25);
  EXPECT_EQ(s.q[4], .01);
  EXPECT_EQ(s.v[1], 1);
  EXPECT_EQ(s.duration, 7);
  EXPECT_EQ(s.forces.control.kp, (std::vector<double>{0, 10}));
  EXPECT_EQ(s.forces.control.times, (std::vector<double>{0, 2}));
  EXPECT_EQ(s.forces.control.targets[0], (std::vector<double>{1, .25}));
  EXPECT_EQ(s.forces.control.targets[1], (std::vector<double>{1, .5}));
  EXPECT_EQ(s.forces.loads[0].wrench.linear, (Vec3<>{1, 2, 3}));
  EXPECT_TRUE(s.forces.loads[0].follows);
  const SignalArguments<double> at{2, s.q, s.v};
  EXPECT_EQ(value(s.forces.load_factors[0], at), 4);
  EXPECT_NEAR(value(s.forces.joint_forces[1], at), 3 * std::sin(2), 1e-15);
  EXPECT_EQ(s.forces.prescribed[0].motion(3).rate, 6);
}

/// Before the first target the joints are held where they start.
TEST(FlexibleFile, TargetsHoldFromTheirTimesOn) {
  const FlexibleSetup s =
      read(replaced(arm, R"({"q": {"base": 1}})", R"({"from": 1, "q": {"base": 1}})"));
  const FlexibleControl& c = s.forces.control;
  EXPECT_EQ(c.times, (std::vector<double>{0, 1, 2}));
  ASSERT_EQ(c.targets.size(), 3U);
  EXPECT_EQ(c.targets[0], (std::vector<double>{0, .25}));
  EXPECT_EQ(c.targets[1], (std::vector<double>{1, .25}));
}
TEST(FlexibleFile, WritesWhatItReads) {
  const std::string once = flexible_text(read(arm));
  const FlexibleSetup again = parse_flexible(once, "again");
  EXPECT_EQ(flexible_text(again), once);
  const FlexibleSetup first = read(arm);
  EXPECT_EQ(again.tree.stiffness, first.tree.stiffness);
  EXPECT_EQ(again.tree.damping, first.tree.damping);
  EXPECT_EQ(again.q, first.q);
  FlexibleSetup of_program = first;
  of_program.force_texts.clear();
  expect_says(message([&] { flexible_text(of_program); }), "of the program");
}

TEST(FlexibleFile, ExamplesLoadAndAreWritten) {
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(root / "examples/flexible")) {
    if (entry.path().extension() != ".json") continue;
    SCOPED_TRACE(entry.path().filename());
    const std::string text = flexible_text(load_flexible(entry.path()));
    EXPECT_EQ(flexible_text(parse_flexible(text, "again")), text);
    files.insert(entry.path().stem());
  }
  const std::set<std::string> all{"arm4", "branched", "pendulum", "spin_up", "two_link"};
  EXPECT_EQ(files, all);
}

/// The example is the chain of the reference vectors.
TEST(FlexibleFile, ArmIsTheReferenceArm) {
  const std::filesystem::path file = root / "examples/flexible/arm4.json";
  const FlexibleSetup s = load_flexible(file);
  EXPECT_EQ(s.source_crc32, crc32(read_text_file(file)));
  const FlexibleTree reference = reference_chain("arm4");
  ASSERT_EQ(s.tree.size, reference.size);
  for (std::size_t k = 0; k < reference.stiffness.size(); ++k)
    EXPECT_NEAR(s.tree.stiffness[k], reference.stiffness[k], 1e-11 * 6.2e6);
  EXPECT_EQ(s.forces.control.times, (std::vector<double>{0, .5, 3}));
  EXPECT_NEAR(s.forces.control.targets[2][1], std::numbers::pi / 3, 1e-15);
}

/// Natural frequencies of the links in [DeLucaSiciliano1991] come from what hangs at their tips.
TEST(FlexibleFile, TwoLinkHasThePublishedFrequencies) {
  const FlexibleTree t = load_flexible(root / "examples/flexible/two_link.json").tree;
  EXPECT_NEAR(t.links[0].boundary_y.tip_mass, 1.2, 1e-12);
  const auto hertz = [&](std::size_t link, std::size_t mode) {
    return t.links[link].modes[mode].frequency / (2 * std::numbers::pi);
  };
  EXPECT_NEAR(hertz(0, 0), 0.48, .005);
  EXPECT_NEAR(hertz(0, 1), 1.80, .005);
  EXPECT_NEAR(hertz(1, 0), 2.18, .005);
  EXPECT_NEAR(hertz(1, 1), 15.91, .005);
}

TEST(FlexibleFile, ShapesOfTheUser) {
  const auto with = [](const std::string& shapes) {
    return replaced(arm, "\"bend_y\": 2,", "\"bend_z\": 0, \"shapes\": [" + shapes + "],");
  };
  const FlexibleSetup s =
      read(replaced(with(R"({"direction": "bend_y", "polynomial": [0, 0, 6, -4, 1]},
              {"direction": "bend_y", "places": [0, 0.5, 1, 1.5, 2],
               "values": [0, 0.1, 0.3, 0.6, 1]})"),
                    ", \"arm.bend_y2\": 0.01", ""));
  ASSERT_EQ(s.tree.links[1].modes.size(), 3U);
  EXPECT_NEAR(shape_at(s.tree.links[1].modes[1].shape, 2).value, 3, 1e-14);
  EXPECT_NEAR(shape_at(s.tree.links[1].modes[2].shape, 1).value, .3, 1e-14);
  EXPECT_EQ(flexible_text(parse_flexible(flexible_text(s), "again")), flexible_text(s));
  const auto refuses = [&](const std::string& shape, const std::string& words) {
    SCOPED_TRACE(shape);
    expect_says(message([&] { read(with(shape)); }), words);
  };
  refuses(R"({"direction": "bend_y", "polynomial": [0, 1]})", "m.json:4: link 'arm'");
  refuses(R"({"direction": "bend_y", "polynomial": [1, 0, 1]})", "m.json:4: link 'arm'");
  refuses(R"({"direction": "torsion", "polynomial": [1]})", "m.json:4: link 'arm'");
  refuses(R"({"direction": "bend_y", "places": [0, 2], "values": [0, 1]})", "m.json:");
  refuses(R"({"direction": "bend_y", "places": [0, 1, 2], "values": [0, 1]})", "values");
  refuses(R"({"direction": "bend_y"})", "a polynomial, or values at places");
  refuses(R"({"direction": "bend_x", "polynomial": [0, 0, 1]})", "bend_y");
}

TEST(FlexibleFile, RefusesBadNumbers) {
  says("7e10", "-7e10", "m.json:6: \"E\" is -7e+10; give a positive number");
  says("2.6e10", "0", "m.json:6: \"G\" is 0");
  says("2.6e10", "1e200", "the shear modulus is too large to compute with: 1e+200");
  says("2.6e10", "1e-200", "the shear modulus is too small to compute with: 1e-200");
  says("\"length\": 2", "\"length\": 1e16", "the length is too large to compute with");
  says("\"arm\": 0.25", "\"arm\": 1e300", "\"arm\" is too large to compute with");
  says("2700", "0", "m.json:6: \"density\" is 0; give a positive number");
  says("\"length\": 2", "\"length\": -2", "\"length\" is -2");
  says("7e10", "NaN", "m.json:6");
  says("7e10", "1e999", "m.json:6");
  const std::string section = R"({"tube": [0.1, 0.08]})";
  says(section, R"({"area": 1, "Iy": -1, "Iz": 1, "torsion": 1})", "m.json:6: \"Iy\" is -1");
  says(section, R"({"area": 1, "Iy": 1, "Iz": 1})", "torsion");
  says(section, R"({"tube": [0.08, 0.1]})", "m.json:6: \"tube\": the inner diameter");
  says(section, R"({"box": [0.1, 0.1, 0.05]})", "the walls leave no hole");
  says(section, R"({"circle": -1})", "the diameter is -1");
  says(section, R"({"rectangle": [1]})", "m.json:6");
  says(section, R"({"sphere": 1})", "m.json:6: ");
  says(section, R"({"circle": 1, "tube": [2, 1]})", "not a section");
  says(section, R"({"circle": 1}, "tip_section": {"tube": [2, 1]})", "of different kinds");
  says("\"ratio\": 0.01", "\"ratio\": -0.01", "m.json:8: \"ratio\" is -0.01");
  says("\"torsion\": 1", "\"torsion\": 1.5", "count of modes");
  says("\"tip_mass\": \"outboard\"", "\"tip_mass\": \"inboard\"", "outboard");
  says("\"mass\": 3", "\"mass\": -3", "its mass is -3 kg");
  says("\"duration\": 7", "\"duration\": 0", "\"duration\" is 0");
}

TEST(FlexibleFile, RefusesWhatDoesNotFit) {
  says("\"parent\": \"base\"", "\"parent\": \"bass\"",
       "m.json:4: link 'arm': there is no parent 'bass'");
  says("\"parent\": \"arm\"", "\"parent\": \"hand\"", "there is no parent 'hand'");
  says("\"station\": 1.5", "\"station\": 2.5",
       "m.json:9: link 'hand': its station 2.5 m is not on 'arm'");
  says("\"station\": 1,", "\"station\": -1,", "the station -1 m is not on 'arm'");
  says("\"damping\"", "\"dampnig\"", "damping");
  says("[0, 0, 2]", "[0, 0, 0]", "\"axis\" is zero");
  says("\"fixed\"", "\"fixed\", \"axis\": [1, 0, 0]", "a fixed joint has no axis");
  says("\"prismatic\"", "\"helical\"", "pitch");
  says("\"station\": 1.5", "\"modes\": {}", "a rigid link has no modes");
  says("{\"base\": 0,", "{\"bas\": 0,", "m.json:11: there is no joint 'bas'; did you mean 'base'?");
  says("\"arm\": 10}", "\"arm\": -10}", "\"arm\" is -10");
  says("\"from\": 2", "\"from\": 0", "order of time");
  says("arm.bend_y2", "arm.bend_y3", "there is no coordinate 'arm.bend_y3'");
  says("\"joint\": \"base\", \"motion\"", "\"joint\": \"arm.bend_y1\", \"motion\"", "no joint");
  says("[1, 2], ", "[2, 1], ", "do not rise");
  says("\"3*sin(t)\"", "\"3*sin(x)\"", "m.json:13");
  says("\"link\": \"arm\", \"station\": 1,", "\"link\": \"leg\",", "there is no link 'leg'");
}

TEST(FlexibleFile, RefusesWhatAPrescribedJointWouldIgnore) {
  says("\"v\": {\"arm\": 1}", "\"v\": {\"base\": 1}", "joint 'base' is prescribed");
  says("\"q\": {\"arm\": 0.25,", "\"q\": {\"base\": 0.25,", "starts where its motion does");
  says("\"base\": 0,", "\"base\": 10,", "m.json:11: joint 'base' is prescribed");
  says("\"kd\": {\"arm\"", "\"kd\": {\"base\"", "do not prescribe the joint");
  says("\"forces\": {\"arm\"", "\"forces\": {\"base\"", "m.json:13: joint 'base' is prescribed");
}

TEST(FlexibleFile, RefusesOtherFiles) {
  const auto refuses = [](const std::string& text, const std::string& words) {
    expect_says(message([&] { parse_flexible(text, "m.json"); }), words);
  };
  refuses("[]", "m.json:1: a flexible model is an object");
  refuses("{}", "axode_flexible");
  refuses(R"({"axode": 1})", "axode_flexible");
  refuses(R"({"axode_flexible": 2, "links": []})", "version 2");
  refuses(R"({"axode_flexible": 1, "links": []})", "there are no links");
  refuses(R"({"axode_flexible": 1, "link": []})", "links");
  expect_says(message([] { load_flexible(root / "models/no_such.json"); }), "no_such.json");
}

/// The example in the documentation loads.
TEST(FlexibleFile, DocumentedExampleLoads) {
  const std::string page = read_text_file(root / "docs/flexible.md");
  const std::size_t begin = page.find("```jsonc\n") + 9, end = page.find("```\n", begin);
  const FlexibleSetup s = parse_flexible(page.substr(begin, end - begin), "docs");
  EXPECT_EQ(s.tree.links.size(), 5U);
  EXPECT_EQ(s.tree.joints, 3);
  EXPECT_EQ(s.tree.size, 3 + 6 + 4);
  EXPECT_EQ(flexible_text(parse_flexible(flexible_text(s), "again")), flexible_text(s));
}

TEST(FlexibleFile, SchemaHasTheKeysOfTheReader) {
  const JsonDocument schema(read_text_file(root / "docs/axode-flexible.schema.json"), "schema");
  expect_described(schema, flexible_keys());
}

}  // namespace
}  // namespace axode::test::flexible_file
