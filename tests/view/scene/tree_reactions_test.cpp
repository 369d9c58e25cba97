#include "axode/view/scene/tree_reactions.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/model/builder.hpp"

namespace axode::test::tree_reactions {
namespace {

constexpr double mass = 3, length = 0.4, g = 9.81;

/// A point mass on a rod about x, hanging down at q = 0.
Tree pendulum() {
  Tree tree = TreeBuilder{}
                  .body("bob", Inertia<double>{mass, {0, 0, -length}, {}})
                  .joint("hinge", revolute({.axis = {1, 0, 0}, .point = {0, 0, 0}}))
                  .build();
  tree.gravity = {0, 0, -g};
  return tree;
}

/// By Newton: the rod pulls with m (l v^2 + g cos q) and turns the bob by m l a + m g sin q, and the
/// motor's torque is that of a point mass. A force on the bob is taken off.
TEST(TreeReactions, OfAPendulumThatIsDrivenAndPushed) {
  const Tree tree = pendulum();
  Forces forces;
  BodyForce push;
  push.body = 0;
  push.wrench[3] = 5.0;  // along x
  forces.wrenches.push_back(push);
  axode::Run run;
  run.metadata = run_metadata(tree);
  const double q[] = {0.7}, v[] = {2.5}, a[] = {-1.5}, tau[] = {0};
  append(run, {0, q, v, a, tau});
  for (const bool pushed : {false, true}) {
    const ClipSeries series = axode::tree_reactions(tree, pushed ? forces : Forces{}, run);
    ASSERT_EQ(series.values.size(), 6U);
    ASSERT_EQ(series.names[4], "bob.fy");
    EXPECT_EQ(series.units[0], "N m");
    // Acceleration of the bob at p = l (0, sin q, -cos q).
    const double s = std::sin(q[0]), c = std::cos(q[0]);
    const double ay = length * (c * a[0] - s * v[0] * v[0]);
    const double az = length * (s * a[0] + c * v[0] * v[0]);
    const double fy = mass * ay, fz = mass * (az + g);
    EXPECT_NEAR(series.values[3], pushed ? -5 : 0, 1e-12);
    EXPECT_NEAR(series.values[4], fy, 1e-12);
    EXPECT_NEAR(series.values[5], fz, 1e-12);
    EXPECT_NEAR(series.values[0], length * (s * fz + c * fy), 1e-12);  // p x f
  }
}

TEST(TreeReactions, NotOfAnotherTree) {
  axode::Run run;
  run.metadata = run_metadata(pendulum());
  const double two[] = {0, 0};
  append(run, {0, two, {two, 1}, {two, 1}, {two, 1}});
  EXPECT_THROW(axode::tree_reactions(pendulum(), {}, run), Error);
}

}  // namespace
}  // namespace axode::test::tree_reactions
