#include "axode/io/scene_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "axode/core/error.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/simulate/run/simulate.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/models/force_run.hpp"
#include "tests/support/near.hpp"

namespace axode::test::scene_file_test {
namespace {

const std::filesystem::path root = std::filesystem::path(AXODE_TEST_DATA) / "../..";

TEST(SceneFile, UrdfHasNoForcesOfItsOwn) {
  const Scene scene = load_scene(root / "tests/data/models/gripper_arm.urdf");
  EXPECT_GT(scene.tree.nv, 0);
  EXPECT_EQ(scene.initial.q, neutral(scene.tree));
  EXPECT_TRUE(scene.forces.controllers.empty());
  EXPECT_TRUE(scene.forces.friction.on);
  EXPECT_EQ(scene_parts(root / "tests/data/models/gripper_arm.urdf"), "");
}

TEST(SceneFile, QuadrupedStandsOnItsFeet) {
  const Scene scene = load_scene(root / "models/quadruped.json");
  EXPECT_EQ(scene.tree.nv, 18);
  EXPECT_TRUE(scene.tree.warnings.empty());
  ASSERT_EQ(scene.forces.contacts.size(), 1u);
  EXPECT_EQ(scene.forces.contacts[0].balls.size(), 4u);
  ForceRun run(scene.tree, scene.forces);
  const BodyMotion bodies = run.bodies(scene.initial.q, scene.initial.v);
  for (const Ball& ball : scene.forces.contacts[0].balls) {
    const double z = (bodies.T_WB[ball.body] * ball.centre).z;
    EXPECT_NEAR(z, .03, .001);  // a centimetre above the ground
  }
  // It comes to rest, level, on the ground, which bears its weight.
  const RunResult rest = simulate(scene.tree, scene.forces, scene.initial, {.duration = 2});
  ASSERT_EQ(rest.ending, Ending::finished) << rest.message;
  const std::vector<double>&q = rest.last.q, &v = rest.last.v;
  EXPECT_GT(q[0], .999);
  EXPECT_NEAR(q[6], .39, .02);
  for (const double number : v) EXPECT_NEAR(number, 0, 2e-3);
  double weight = 0, support = 0;
  for (const Body& body : scene.tree.bodies) weight += 9.81 * body.inertia.mass;
  const auto sum = run.sum(2, q, v);
  for (std::size_t i = 0; i < sum.wrenches.size(); ++i)
    support += (run.poses_.T_WB[i].R * sum.wrenches[i].linear).z;
  EXPECT_NEAR(support, weight, 1e-3 * weight);
}

TEST(SceneFile, SwingingArmIsCaughtAfterTwoSeconds) {
  const Scene scene = load_scene(root / "models/swinging_arm.json");
  EXPECT_EQ(scene.tree.nv, 7);
  ASSERT_EQ(scene.forces.controllers.size(), 1u);
  EXPECT_EQ(next_discontinuity(scene.forces, 0), 2);
  EXPECT_EQ(scene.initial.q[1], 1.2);
  ForceRun run(scene.tree, scene.forces);
  State<double> x = scene.initial;
  run.run(x, 0, 2, 2000);
  run.run(x, 2, 8, 6000);
  const std::vector<double> wanted{.5, .6, 0, -1.2, 0, .9, 0};
  for (std::size_t k = 0; k < 7; ++k)
    EXPECT_NEAR(std::remainder(x.q[k] - wanted[k], 2 * M_PI), 0, 1e-3) << k;
}

TEST(SceneFile, TheTreeIsTheSameWithAndWithoutItsForces) {
  const auto file = root / "models/quadruped.json";
  EXPECT_EQ(native_text(load_tree(file)), native_text(load_scene(file).tree));
}

TEST(SceneFile, WrittenAnewItKeepsAll) {
  for (const char* name : {"quadruped.json", "swinging_arm.json"}) {
    const auto file = root / "models" / name;
    const Scene scene = load_scene(file);
    NativeWriteOptions options{.form = GeometryForm::body_screws, .parts = scene_parts(file)};
    const Scene again = parse_scene(native_text(scene.tree, options), "again");
    EXPECT_EQ(again.initial.q, scene.initial.q);
    ForceRun run(scene.tree, scene.forces), second(again.tree, again.forces);
    auto q = scene.initial.q, v = scene.initial.v;
    for (double& number : v) number = .1;
    if (scene.tree.nv == 18) q[6] -= .015;
    const auto a = run.acceleration(3, q, v), b = second.acceleration(3, q, v);
    for (std::size_t k = 0; k < a.size(); ++k)
      EXPECT_NEAR(a[k], b[k], 1e-9 * std::max(1.0, std::abs(a[k])));
  }
}

TEST(SceneFile, FilesThatCannotBeReadAreErrors) {
  EXPECT_THROW(load_scene(root / "models/none.json"), IoError);
  expect_says(message([] { parse_scene("{\"axode\": 1, \"bodies\": [], \"forcs\": {}}", "x"); }),
              "did you mean 'forces'");
}

}  // namespace
}  // namespace axode::test::scene_file_test
