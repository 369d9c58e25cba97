#include "axode/io/mechanism/mechanism_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <set>

#include "axode/io/model_file.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/mechanism/description/from_tree.hpp"
#include "tests/io/schema_keys.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::mechanism_file {
namespace {

const std::filesystem::path root = std::filesystem::path(AXODE_TEST_DATA) / "../..";

/// Two planar bodies on two pins, and further members of the file.
std::string model(const std::string& more = "", const std::string& joints = "") {
  return R"({"axode_mechanism": 1, "name": "m", "planar": true, "gravity": [0, -9],
"bodies": [
 {"name": "world", "points": {"A": [0, 0], "B": [4, 0]}},
 {"name": "crank", "points": {"A": [0, 0], "tip": [1, 0]},
  "inertia": {"mass": 2, "com": [0.5, 0], "about_origin": 0.75}, "pose": {"angle": 0.3}},
 {"name": "coupler", "pose": {"position": [1, 0.3], "angle": 0.1}, "rod": true}],
"joints": [
 {"name": "A", "type": "revolute", "bodies": ["world", "crank"], "points": ["A", "A"]},
 {"name": "B", "type": "revolute", "bodies": ["crank", "coupler"], "points": ["tip", [0, 0]]})" +
         (joints.empty() ? "" : ",\n " + joints) + "]" + (more.empty() ? "" : ",\n" + more) + "}";
}
Mechanism read(const std::string& more = "", const std::string& joints = "") {
  return parse_mechanism(model(more, joints), "m.json");
}
void says(const std::string& text, const std::string& words) {
  expect_says(message([&] { parse_mechanism(text, "m.json"); }), words);
}

TEST(MechanismFile, ReadsPlanarMechanisms) {
  const Mechanism m = read();
  EXPECT_EQ(m.name, "m");
  EXPECT_TRUE(m.is_planar);
  EXPECT_EQ(m.gravity, (Vec3<double>{0, -9, 0}));
  ASSERT_EQ(m.bodies.size(), 3U);
  EXPECT_EQ(m.bodies[0].name, "world");
  EXPECT_EQ(m.bodies[0].points[1].at, (Vec3<double>{4, 0, 0}));
  EXPECT_EQ(m.bodies[1].inertia.about_com.zz, 0.25);
  EXPECT_NEAR(m.bodies[1].pose.R.matrix.x.y, std::sin(.3), 1e-16);
  EXPECT_TRUE(m.bodies[2].rod);
  ASSERT_EQ(m.joints.size(), 2U);
  EXPECT_EQ(m.joints[1].body, (std::array<int, 2>{1, 2}));
  EXPECT_EQ(m.joints[1].point[0], (Vec3<double>{1, 0, 0}));
  ASSERT_EQ(m.coordinates.size(), 2U);
  EXPECT_EQ(m.coordinates[1].name, "B.angle");
  EXPECT_TRUE(std::isnan(m.initial[0]));
}

TEST(MechanismFile, ReadsFunctionsOfTime) {
  const Mechanism m = read(R"j("drivers": [{"coordinate": "A.angle", "value": "0.1 + sin(2*t)"},
    {"coordinate": "B.angle", "value": {"polynomial": [1, 2, 3, 4]}}],
   "coordinates": [{"name": "d", "distance": [["world", "B"], ["coupler", [2, 0]]]}],
   "forces": {"coordinates": [{"coordinate": "d", "stiffness": 2, "rest": 1, "damping": 0.5,
                               "force": {"times": [0, 1, 2], "values": [0, 1, 8]}}],
    "springs": [{"between": [["world", "B"], ["coupler", [1, 0]]], "stiffness": 3, "length": 2}],
    "loads": [{"body": "crank", "point": "tip", "force": [1, 2], "torque": 3},
              {"body": "crank", "force": [0, "t^2"], "torque": "-t"}]},
   "initial": {"q": {"A.angle": 0.3}, "v": {"d": 1.5}})j");
  const TimeValue sine = m.drivers[0].motion(.7);
  EXPECT_NEAR(sine.value, .1 + std::sin(1.4), 1e-15);
  EXPECT_NEAR(sine.rate, 2 * std::cos(1.4), 1e-15);
  EXPECT_NEAR(sine.acceleration, -4 * std::sin(1.4), 1e-15);
  const TimeValue cubic = m.drivers[1].motion(2);
  EXPECT_EQ(cubic.value, 1 + 4 + 12 + 32);
  EXPECT_EQ(cubic.rate, 2 + 12 + 48);
  EXPECT_EQ(cubic.acceleration, 6 + 48);
  // The natural spline through (0, 0), (1, 1), (2, 8) is -x/2 + 3/2 x^3 on [0, 1].
  EXPECT_NEAR(m.coordinate_forces[0].force(.5), -.25 + 1.5 / 8, 1e-15);
  EXPECT_EQ(m.coordinate_forces[0].force(3), 8);
  EXPECT_EQ(m.springs[0].length, 2);
  EXPECT_EQ(m.loads[0].torque, (Vec3<double>{0, 0, 3}));
  EXPECT_EQ(m.loads[1].varying(3).linear, (Vec3<double>{0, 9, 0}));
  EXPECT_EQ(m.loads[1].varying(3).angular, (Vec3<double>{0, 0, -3}));
  EXPECT_EQ(m.initial[0], .3);
  EXPECT_EQ(m.initial_rate[2], 1.5);
}

/// Expressions have the derivatives that differences show.
TEST(MechanismFile, ExpressionsHaveTwoDerivatives) {
  for (const char* text :
       {"t^3 - 2/t", "atan2(sin(t), 2 + t)", "exp(-t)*tan(t/3)", "sqrt(t)*log(1+t)", "t^(1.5*t)",
        "asin(t/4) + acos(t/5) - atan(t)", "tanh(t)*abs(t-3)", "max(t, 1) + min(t, t*t)",
        "t > 1 ? t^2 : 3", "pow(2, t)"}) {
    const TextFunction f = time_function_from_text(text, "test");
    const double t = 1.3, h = 1e-4;
    const TimeValue minus = f.function(t - h), at = f.function(t), plus = f.function(t + h);
    EXPECT_NEAR(at.rate, (plus.value - minus.value) / (2 * h), 1e-6) << text;
    EXPECT_NEAR(at.acceleration, (plus.rate - minus.rate) / (2 * h), 1e-6) << text;
  }
  EXPECT_EQ(time_function_from_text("t^2", "test").function(0).acceleration, 2);
}

TEST(MechanismFile, WritesWhatItReads) {
  const std::string joints =
      R"({"name": "g", "type": "gear", "joints": ["A", "B"], "ratio": 0.4, "offset": 0.3},
     {"name": "P", "type": "prismatic", "bodies": ["world", "coupler"], "at": [3, 0],
      "axis": [1, 2]},
     {"name": "c", "type": "cable", "over": [["crank", "tip"], ["world", "B"],
       ["coupler", [1, 1]]],
      "length": 7},
     {"name": "w", "type": "rolling", "bodies": ["world", "coupler"], "points": ["A", [0, 0]],
      "axes": [[1, 0]], "radius": 0.3},
     {"name": "r", "type": "rod", "bodies": ["world", "coupler"], "points": ["A", [1, 0]],
      "length": 2})";
  const std::string more = R"j("drivers": [{"coordinate": "A.angle", "value": "0.1 + 2*t"}],
   "forces": {"coordinates": [{"coordinate": "A.angle", "damping": 0.1, "force": "3*sin(t)"}],
    "loads": [{"body": "crank", "force": [0, "t"]}]}, "initial": {"q": {"B.angle": 1}})j";
  const std::string once = mechanism_text(read(more, joints));
  const Mechanism again = parse_mechanism(once, "again.json");
  EXPECT_EQ(mechanism_text(again), once);
  EXPECT_EQ(again.couplings.size(), 2U);
  EXPECT_EQ(again.drivers[0].motion(2).value, 4.1);
  EXPECT_EQ(again.loads[0].varying(2).linear.y, 2);
}

TEST(MechanismFile, ExamplesLoadAndAreWritten) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(root / "examples/mechanisms")) {
    if (entry.path().extension() != ".json") continue;
    SCOPED_TRACE(entry.path().filename());
    const std::string text = mechanism_text(load_mechanism(entry.path()));
    EXPECT_EQ(mechanism_text(parse_mechanism(text, "again")), text);
    ++files;
  }
  EXPECT_GE(files, 3);
}

TEST(MechanismFile, RefusesWithPlaceAndRemedy) {
  says("[]", "m.json:1: a mechanism is an object");
  says("{}", "axode_mechanism");
  says(R"({"axode_mechanism": 2, "bodies": []})", "version 2");
  says(R"({"axode_mechanism": 1, "bodies": [], "jonts": []})", "joints");
  says(model(R"("drivers": [{"coordinate": "A.angel", "value": 1}])"), "there is no coordinate");
  says(model(R"("drivers": [{"coordinate": "A.angle", "value": "q[A]"}])"), "m.json:10");
  says(model(R"("drivers": [{"coordinate": "A.angle", "value": "q[A]"}])"), "has no joints");
  says(model(R"("drivers": [{"coordinate": "A.angle", "value": "x"}])"), "known are t, pi");
  says(model(R"("drivers": [{"coordinate": "A.angle", "value": true}])"), "not a function of time");
  says(model(R"("drivers": [{"coordinate": "A.angle", "value": 1},
                            {"coordinate": "A.angle", "value": 2}])"),
       "driven twice");
  const auto joint = [](const char* members) {
    return model("",
                 std::string(R"({"name": "x", "bodies": ["world", "crank"], )") + members + "}");
  };
  says(joint(R"("type": "revolut")"), "m.json:10");
  says(joint(R"("type": "revolute")"), "does not say where it is");
  says(joint(R"("type": "revolute", "at": [0, 0], "length": 3)"), "has no \"length\"");
  says(joint(R"("type": "revolute", "points": ["A", "C"])"), "has no point 'C'");
  says(joint(R"("type": "revolute", "points": [[0, 0, 1], "A"])"), "off the plane");
  says(joint(R"("type": "spherical", "at": [0, 0])"), "moves in space");
  says(joint(R"("type": "prismatic", "at": [0, 0])"), "needs an axis");
  says(joint(R"("type": "prismatic", "at": [0, 0], "axis": [0, 0])"), "length zero");
  says(joint(R"("type": "prismatic", "at": [0, 0], "axes": [[1, 0], [0, 1]], "angle": 1)"),
       "parallel at the angle");
  says(joint(R"("type": "rod", "points": ["B", "A"], "length": -1)"), "its length is -1");
  says(joint(R"("type": "gear", "joints": ["A", "B"], "ratio": 1)"), "names no bodies");
}

TEST(MechanismFile, TreesNeedLoops) {
  const auto file = root / "tests/data/models/walker.urdf";
  expect_says(message([&] { load_mechanism(file); }), "--loops");
}

/// A tree as mechanism: measured at its reference, its coordinates are zero, as q is.
TEST(MechanismFile, TreesBecomeMechanisms) {
  const Tree tree = load_tree(root / "models/scara.json");
  const Mechanism m = build(describe_tree(tree));
  ASSERT_EQ(m.bodies.size(), tree.bodies.size() + 1);
  ASSERT_EQ(m.coordinates.size(), 4U);
  EXPECT_EQ(m.coordinates[2].name, "slide.distance");
  EXPECT_EQ(m.bodies[4].points[0].name, "gripper");
  std::vector<SE3<double>> poses;
  for (const MechanismBody& body : m.bodies) poses.push_back(body.pose);
  for (int c = 0; c < 4; ++c) EXPECT_NEAR(measure(m, c, poses), 0, 1e-15);
  expect_says(message([&] { describe_tree(load_tree(root / "models/all_joints.json")); }),
              "mechanisms have no");
}

/// Every key the reader knows is in the schema and described, and none besides.
TEST(MechanismFile, SchemaHasTheKeysOfTheReader) {
  const JsonDocument schema(read_text_file(root / "docs/axode-mechanism.schema.json"), "schema");
  const JsonValue definitions = schema.root().at("$defs", "");
  expect_described(schema, mechanism_keys());
  const auto types =
      definitions.at("joint", "").at("properties", "").at("type", "").at("enum", "").items();
  ASSERT_EQ(types.size(), 16U);
  for (std::size_t i = 0; i < 14; ++i) EXPECT_EQ(types[i].text(), name(static_cast<PairType>(i)));
}

/// The example in the documentation loads.
TEST(MechanismFile, DocumentedExampleLoads) {
  const std::string page = read_text_file(root / "docs/mechanism_format.md");
  const std::size_t begin = page.find("```jsonc\n") + 9, end = page.find("```\n", begin);
  const Mechanism m = parse_mechanism(page.substr(begin, end - begin), "docs");
  EXPECT_EQ(m.joints.size(), 4U);
  EXPECT_EQ(m.coordinates.back().name, "s");
}

/// Hostile texts are refused within a second, and never crash.
TEST(MechanismFile, SurvivesHostileTexts) {
  const std::clock_t start = std::clock();
  std::string deep(100000, '[');
  EXPECT_THROW(parse_mechanism(deep, "deep"), Error);
  EXPECT_THROW(parse_mechanism("", "empty"), Error);
  EXPECT_THROW(parse_mechanism(std::string("{\"axode_mechanism\": 1\0}", 22), "nul"), Error);
  const std::string good = model(R"("drivers": [{"coordinate": "A.angle", "value": "0.1 + 2*t"}])");
  for (std::size_t cut = 0; cut < good.size(); ++cut)
    EXPECT_THROW(parse_mechanism(good.substr(0, cut), "cut"), Error) << cut;
  for (const char* value :
       {"null", "1e999", "\"\"", "[]", "{}", "\"t +\"", "\"1/0\"", "\"log(-1)\""})
    EXPECT_THROW(
        read(std::string(R"("drivers": [{"coordinate": "A.angle", "value": )") + value + "}]"),
        Error)
        << value;
  for (const char* wrong : {"\"bodies\": 3", "\"gravity\": [1]", "\"planar\": 1"}) {
    const std::string text = std::string("{\"axode_mechanism\": 1, ") + wrong + "}";
    EXPECT_THROW(parse_mechanism(text, "wrong"), Error) << wrong;
  }
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 5);
}

}  // namespace
}  // namespace axode::test::mechanism_file
