// Masses that are carried stand at the joints, whatever the state.
#include "axode/engine/detail/batch/batch_body.hpp"

#include <gtest/gtest.h>

#include "tests/engine/engine_cases.hpp"

namespace axode::test::batch_body_test {
namespace {

TEST(BatchBody, MassesAreCarriedAtTheOriginsOfRevoluteJoints) {
  for_random_cases(100, [](Random& random) {
    const EngineTree tree(random_plain_tree(random, random.integer(1, 20)));
    const std::vector<batch::BatchBody> found = batch::batch_bodies(tree);
    ASSERT_EQ(found.size(), tree.bodies.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const EngineBody& b = tree.bodies[i];
      double mass = b.mass, trace = 0, x = b.moment[0], size = 1;
      for (int j = 0; j < 3; ++j) trace += b.inertia[j][j];
      EXPECT_NEAR(found[i].second[0] + found[i].second[1] + found[i].second[2], trace / 2,
                  1e-13 * (1 + trace));
      for (std::size_t k = i + 1; k < found.size(); ++k) {
        const EngineBody& next = tree.bodies[k];
        if (next.parent != static_cast<int>(i)) continue;
        mass += found[k].mass;
        if (next.joint != EngineJoint::revolute) continue;
        x += found[k].mass * next.position[0];
        double square = 0;
        for (const double p : next.position) square += p * p;
        trace += 2 * found[k].mass * square;
        size += found[k].mass * square;
      }
      EXPECT_NEAR(found[i].mass, mass, 1e-12 * (1 + mass));
      EXPECT_NEAR(found[i].moment[0], x, 1e-12 * (size + mass));
      EXPECT_NEAR(found[i].inertia[0][0] + found[i].inertia[1][1] + found[i].inertia[2][2], trace,
                  1e-12 * (size + trace));
    }
  });
}

TEST(BatchBody, PathsAreLongOnAverage) {
  Random random(1);
  const auto long_paths = [&](int bodies) {
    return batch::has_long_paths(
        EngineTree(random_plain_tree(random, bodies, {.balls = false, .chain = true})));
  };
  EXPECT_FALSE(long_paths(1));
  EXPECT_FALSE(long_paths(7));
  EXPECT_TRUE(long_paths(50));
}

}  // namespace
}  // namespace axode::test::batch_body_test
