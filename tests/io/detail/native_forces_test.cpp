#include "axode/io/detail/native_forces.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "axode/io/scene_file.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::native_forces_test {
namespace {

/// Two links, a coupled finger and a ball joint; `more` are further members of the model.
std::string model(const std::string& more) {
  return R"({
"axode": 1,
"bodies": [
 {"name": "upper", "inertia": {"mass": 1}, "joint": {"name": "shoulder", "type": "revolute",
  "axis": [0, 1, 0]}, "shapes": [{"type": "sphere", "radius": 0.1, "collision": true}]},
 {"name": "lower", "inertia": {"mass": 1}, "joint": {"name": "elbow", "parent": "upper",
  "type": "revolute", "axis": [0, 1, 0], "limits": {"lower": -1, "upper": 1}}},
 {"name": "finger", "inertia": {"mass": 1}, "joint": {"name": "grip", "parent": "lower",
  "type": "prismatic", "axis": [0, 1, 0], "mimic": {"joint": "elbow", "ratio": 2}}},
 {"name": "hand", "inertia": {"mass": 1}, "joint": {"name": "wrist", "parent": "lower",
  "type": "spherical"}}],
"frames": [{"name": "tip", "on": "hand", "at": {"position": [0, 0, 1]}}])" +
         (more.empty() ? "" : ",\n" + more) + "}";
}
Scene scene(const std::string& more) { return parse_scene(model(more), "arm.json"); }
void says(const std::string& more, const std::string& words) {
  expect_says(message([&] { scene(more); }), words);
}
double signal(const Signal& s, double t) {
  return value<double>(s, SignalArguments<double>{.t = t, .q = {}, .v = {}});
}

TEST(NativeForces, ReadsForces) {
  const Forces f = scene(R"("forces": {
    "friction": {"on": false, "width": 0.01},
    "stops": {"frequency": 10, "damping_ratio": 0.5, "width": 0.002, "stiffness": 70},
    "effort_limits": false,
    "springs": [{"joint": "elbow", "stiffness": 5, "rest": 0.1, "damping": 0.2}],
    "joint_forces": [{"joint": "wrist.2", "force": "2*t"}],
    "wrenches": [{"on": "tip", "torque": [1, 0, "t"], "in": "tip[world]",
                  "force": [{"times": [0, 1], "values": [0, 4], "between": "hold"}, 0, 3]}],
    "points": [{"from": {"on": "tip", "at": [0, 1, 0]}, "to": {"at": [1, 2, 3]}, "stiffness": 9,
                "damping": 1, "free_length": 0.4, "force": 7}]})")
                       .forces;
  EXPECT_FALSE(f.friction.on);
  EXPECT_EQ(f.friction.width, .01);
  EXPECT_EQ(f.stops.frequency, 10);
  EXPECT_EQ(f.stops.stiffness, std::vector<double>(6, 70));
  EXPECT_FALSE(f.effort_limits);
  ASSERT_EQ(f.springs.size(), 1u);
  EXPECT_EQ(f.springs[0].velocity, 1);
  EXPECT_EQ(f.springs[0].rest, .1);
  EXPECT_EQ(f.joint_forces[0].velocity, 5);
  EXPECT_EQ(signal(f.joint_forces[0].force, 3), 6);
  const BodyForce& w = f.wrenches[0];
  EXPECT_EQ(w.body, 3);
  EXPECT_EQ(w.expressed_in.origin.body, 3);
  EXPECT_EQ(w.expressed_in.axes.body, -1);
  EXPECT_EQ(signal(w.wrench[2], .5), .5);
  EXPECT_EQ(signal(w.wrench[3], .9), 0);
  EXPECT_EQ(signal(w.wrench[3], 1), 4);
  EXPECT_EQ(f.points[0].point_a, (Vec3<double>{0, 1, 1}));
  EXPECT_EQ(f.points[0].body_b, -1);
  EXPECT_EQ(f.points[0].free_length, .4);
}

TEST(NativeForces, ReadsControllersContactsAndTheInitialState) {
  const Scene s = scene(R"("initial": {"q": {"elbow": 0.3, "wrist": [0, 1, 0, 0]},
    "v": {"elbow": 2, "wrist": [1, 2, 3]}},
   "controllers": [
    {"type": "pd", "kp": 10, "kd": {"elbow": 1, "wrist": [2, 3, 4]}, "gravity_compensation": true,
     "from": 1, "until": 2, "reference": {"q": {"shoulder": 0.7}}},
    {"type": "computed_torque", "kp": 9, "kd": 6, "reference": {"type": "minimum_jerk",
     "times": [0, 1], "waypoints": [{"elbow": 0.1}, {"shoulder": 2}]}}],
   "contacts": [{"bodies": ["upper"], "balls": [{"on": "tip", "at": [0, 0, 1], "radius": 0.2}],
    "plane": {"on": "world", "point": [0, 0, -1], "normal": [0, 0, 3]}, "stiffness": 1e6,
    "exponent": 1, "dissipation": 2, "friction": 0.1, "width": 0.02}])");
  EXPECT_EQ(s.initial.q, (std::vector<double>{0, .3, .6, 0, 1, 0, 0}));
  EXPECT_EQ(s.initial.v, (std::vector<double>{0, 2, 4, 1, 2, 3}));
  const Controller& pd = s.forces.controllers[0];
  EXPECT_EQ(pd.kp, std::vector<double>(6, 10));
  EXPECT_EQ(pd.kd, (std::vector<double>{0, 1, 0, 2, 3, 4}));
  EXPECT_TRUE(pd.gravity_compensation);
  EXPECT_EQ(pd.from, 1);
  EXPECT_EQ(pd.until, 2);
  EXPECT_EQ(pd.reference.waypoints, (std::vector<double>{.7, .3, .6, 0, 1, 0, 0}));
  const Controller& ct = s.forces.controllers[1];
  EXPECT_EQ(ct.reference.waypoints[1], .1);
  EXPECT_EQ(ct.reference.waypoints[7], 2);
  EXPECT_EQ(ct.reference.waypoints[8], .1);  // as in the point before
  const CompliantContact& c = s.forces.contacts[0];
  ASSERT_EQ(c.balls.size(), 2u);
  EXPECT_EQ(c.balls[1].centre, (Vec3<double>{0, 0, 2}));
  EXPECT_EQ(c.plane.normal, (Vec3<double>{0, 0, 1}));
  EXPECT_EQ(c.law.exponent, 1);
  EXPECT_EQ(c.law.width, .02);
}

TEST(NativeForces, ErrorsNameTheLine) {
  says(R"("forces": {"spring": []})", "arm.json:13: \"forces\" has no key \"spring\"");
  says(R"("forces": {
 "springs": [{"joint": "elbo"}]})",
       "arm.json:14");
  says(R"("forces": {"springs": [{"joint": "wrist.0", "stiffness": 3}]})", "no coordinate");
  says(R"("forces": {"springs": [{"joint": "elbow", "stiffness": -3}]})", "the stiffness is -3");
  says(R"("forces": {"joint_forces": [
 {"joint": "elbow", "force": "2*sin(t"}]})",
       "arm.json:14, column 8: ')' is missing");
  says(R"("forces": {"joint_forces": [{"joint": "elbow", "force": [1]}]})",
       "a list is not a signal");
  says(
      R"("forces": {"joint_forces": [{"joint": "elbow", "force": {"times": [1, 0], "values": [1, 2]}}]})",
      "not after the one before");
  says(R"("forces": {"wrenches": [{"on": "world"}]})", "moves nothing");
  says(R"("forces": {"wrenches": [{"on": "hand", "force": [1, 2]}]})", "has 2 components");
  says(R"("forces": {"points": [{"from": {"on": "hand"}, "to": {"on": "tip"}}]})", "on one body");
  says(R"("forces": {"stops": {"width": 0}})", "the width is 0");
  says(R"("forces": [])", "arm.json:13");
  says(R"("controllers": [{"kp": 1, "kd": 1}])", "add \"type\"");
  says(R"("controllers": [{"type": "pd", "kd": 1}])", "add \"kp\"");
  says(R"("controllers": [{"type": "pd", "kp": {"wrist": 3}, "kd": 1}])",
       "give a list of 3 numbers");
  says(R"("controllers": [{"type": "pd", "kp": 1, "kd": 1, "from": 2, "until": 1}])",
       "ends before");
  says(
      R"("controllers": [{"type": "computed_torque", "kp": 1, "kd": 1, "gravity_compensation": true}])",
      "always");
  says(R"("controllers": [{"type": "pd", "kp": 1, "kd": 1, "reference": {"times": [1]}}])",
       "either");
  says(R"("contacts": [{"bodies": ["lower"]}])", "no collision shape");
  says(R"("contacts": [{}])", "nothing touches");
  says(R"("contacts": [{"bodies": ["upper"], "plane": {"normal": [0, 0, 0]}}])",
       "the normal is zero");
  says(R"("contacts": [{"bodies": ["upper"], "exponent": 0.5}])", "the exponent is 0.5");
  says(R"("initial": {"q": {"wrist": [1, 1, 0, 0]}})", "arm.json:13");
  says(R"("initial": {"q": {"elbow": 0.1, "grip": 0.3}})", "follows another");
  says(R"("initial": {"p": {}})", "has no key \"p\"");
  says(R"("initial": {"q": {"elbow": 1e300}})", "arm.json:13: \"elbow\" is too large");
  says(R"("initial": {"v": {"elbow": 1e101}})", "arm.json:13: \"elbow\" is too large");
  says(R"("forces": {"springs": [{"joint": "elbow", "stiffness": 1e101}]})", "too large");
}

/// Whatever is done to a file, it is a scene or an Error.
TEST(NativeForces, BrokenFilesAreErrors) {
  const std::string text = model(R"("forces": {"springs": [{"joint": "elbow", "stiffness": 5}],
    "joint_forces": [{"joint": "wrist.2", "force": "2*t"}], "wrenches": [{"on": "tip", "in": "tip[world]",
    "force": [{"times": [0, 1], "values": [0, 4]}, 0, 3]}]}, "controllers": [{"type": "pd", "kp": 1,
    "kd": {"wrist": [1, 2, 3]}, "reference": {"times": [0, 1], "waypoints": [{}, {"elbow": 1}]}}],
    "contacts": [{"bodies": ["upper"], "plane": {"normal": [0, 0, 3]}}], "initial": {"v": {"elbow": 1}})");
  const std::size_t first = text.find("\"forces\"");
  std::mt19937_64 random(1);
  const std::string letters = "0-9.e\"[]{},:truelbow ";
  int good = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string broken = text;
    for (std::size_t n = 1 + random() % 3; n > 0; --n)
      broken[first + random() % (text.size() - first)] = letters[random() % letters.size()];
    try {
      const Scene s = parse_scene(broken, "broken.json");
      const ForceWork work(s.tree, s.forces);
      good += work.needs_bodies;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("broken.json"), std::string::npos) << e.what();
    }
  }
  EXPECT_GT(good, 0);
}

TEST(NativeForces, PartsAreWrittenUnchanged) {
  const std::string more = R"("forces": {"springs": [{"joint": "elbow", "stiffness": 5}]},
   "initial": {"q": {"elbow": 0.30000000000000004}}, "contacts": [], "controllers": [])";
  const JsonDocument document(model(more), "arm.json");
  const std::string parts = scene_parts_text(document.root());
  const JsonDocument again("{\"a\": 1" + parts + "}", "again");
  EXPECT_EQ(scene_parts_text(again.root()), parts);
  EXPECT_EQ(again.root().at("initial", "").at("q", "").at("elbow", "").number(),
            0.30000000000000004);
  EXPECT_EQ(scene_parts_text(JsonDocument(model(""), "arm.json").root()), "");
  EXPECT_EQ(native_scene_parts().size(), 4u);
}

}  // namespace
}  // namespace axode::test::native_forces_test
