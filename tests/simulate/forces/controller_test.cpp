#include "axode/simulate/forces/controller.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/core/error.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/models/arms.hpp"
#include "tests/support/models/force_run.hpp"
#include "tests/support/models/random_tree.hpp"

namespace axode::test::controller_test {
namespace {

/// 2 kg at 0.5 m on a horizontal axis, hanging at q = 0: torque of gravity -m g l sin q.
Tree pendulum(double max_effort = std::numeric_limits<double>::infinity()) {
  return TreeBuilder("pendulum")
      .body("rod", {.mass = 2, .com = {0, 0, -.5}})
      .joint("pivot", revolute({.axis = {0, 1, 0}}))
      .max_effort(max_effort)
      .build();
}
constexpr double weight = 2 * 9.81 * .5, inertia = 2 * .25;

TEST(Controller, PdComesToRestWhereItBalancesGravity) {
  const Tree tree = pendulum();
  Forces forces;
  forces.controllers.push_back(pd_controller(tree, 40, 8, {1}));
  ForceRun run(tree, forces);
  State<double> x{{0}, {0}};
  run.run(x, 0, 8, 4000);
  EXPECT_NEAR(40 * (1 - x.q[0]), weight * std::sin(x.q[0]), 1e-10);
  EXPECT_LT(x.q[0], .95);
  forces.controllers[0].gravity_compensation = true;
  ForceRun compensated(tree, forces);
  compensated.run(x, 0, 8, 4000);
  EXPECT_NEAR(x.q[0], 1, 1e-9);
}

TEST(Controller, ComputedTorqueHasLinearErrorDynamics) {
  Random random(5);
  const Tree tree =
      random_tree(random, 7, {.chain = true, .one_screw_joints = true, .fixed_joints = false});
  const std::size_t n = tree.nv;
  Forces forces;
  const std::vector<double> a(n, .2), b(n, -.7);
  forces.controllers.push_back(computed_torque_controller(
      tree, 5, 1, trajectory(tree, Trajectory::Kind::minimum_jerk, {0, 2}, {a, b})));
  ForceRun run(tree, forces);
  State<double> x{a, std::vector<double>(n, 0)};
  x.q[2] += .3;
  x.v[5] = 1;
  run.run(x, 0, 1, 1000);
  std::vector<double> q(n), v(n), acceleration(n);
  sample(tree, forces.controllers[0].reference, 1, q, v, acceleration);
  // e'' + 10 e' + 25 e = 0: e = (e0 + (e0' + 5 e0) t) exp(-5 t)
  const double decay = std::exp(-5.0);
  for (std::size_t k = 0; k < n; ++k) {
    const double e0 = k == 2 ? -.3 : 0, rate = k == 5 ? -1 : 0;
    EXPECT_NEAR(q[k] - x.q[k], (e0 + (rate + 5 * e0)) * decay, 1e-8) << k;
  }
}

TEST(Controller, EffortLimitsCutTheSum) {
  const Tree tree = pendulum(3);
  Forces forces;
  forces.controllers.push_back(pd_controller(tree, 10, 0, {1}));
  forces.controllers.push_back(pd_controller(tree, 10, 0, {1}));
  ForceRun run(tree, forces);
  EXPECT_DOUBLE_EQ(run.sum(0, {.9}, {0}).tau[0], 2);
  EXPECT_DOUBLE_EQ(run.sum(0, {.2}, {0}).tau[0], 3);
  EXPECT_DOUBLE_EQ(run.sum(0, {1.8}, {0}).tau[0], -3);
  forces.effort_limits = false;
  EXPECT_DOUBLE_EQ(run.sum(0, {.2}, {0}).tau[0], 16);
}

TEST(Controller, SwitchesOnAndOff) {
  const Tree tree = pendulum();
  Forces forces;
  forces.controllers.push_back(pd_controller(tree, 10, 0, {1}));
  forces.controllers[0].from = 2;
  forces.controllers[0].until = 3;
  EXPECT_EQ(next_discontinuity(forces, 0), 2);
  EXPECT_EQ(next_discontinuity(forces, 2), 3);
  EXPECT_TRUE(std::isinf(next_discontinuity(forces, 3)));
  ForceRun run(tree, forces);
  EXPECT_EQ(run.sum(1.9, {0}, {0}).tau[0], 0);
  EXPECT_EQ(run.sum(2, {0}, {0}).tau[0], 10);
  EXPECT_EQ(run.sum(3, {0}, {0}).tau[0], 0);
  // Just before a switch nothing is seen of it, and back in time all is as it was.
  EXPECT_EQ(run.sum(std::nextafter(2., 0.), {0}, {0}).tau[0], 0);
  EXPECT_EQ(run.sum(std::nextafter(3., 0.), {0}, {0}).tau[0], 10);
  EXPECT_EQ(run.sum(1, {0}, {0}).tau[0], 0);
}

TEST(Controller, TurnsSphericalJointsByTheShorterWay) {
  const Tree tree = TreeBuilder("ball")
                        .gravity({0, 0, 0})
                        .body("ball", {.mass = 1, .about_com = Sym3<double>::diagonal({1, 1, 1})})
                        .joint("socket", spherical())
                        .build();
  Forces forces;
  const double half = .2;
  forces.controllers.push_back(
      pd_controller(tree, 2, 0, {-std::cos(half), 0, 0, -std::sin(half)}));  // the same rotation
  ForceRun run(tree, forces);
  const auto tau = run.sum(0, {1, 0, 0, 0}, {0, 0, 0}).tau;
  EXPECT_NEAR(tau[0], 0, 1e-15);
  EXPECT_NEAR(tau[2], 2 * 2 * half, 1e-15);
}

TEST(Controller, LeavesFloatingBasesAlone) {
  const Tree tree = four_limbs();
  const Controller c = pd_controller(tree, 5, 1, neutral(tree));
  for (int k = 0; k < tree.nv; ++k) EXPECT_EQ(c.kp[k], k < 6 ? 0 : 5);
  EXPECT_THROW(computed_torque_controller(tree, 0, 1, hold(tree, neutral(tree))), Error);
  Forces forces;
  forces.controllers.push_back(c);
  forces.controllers[0].kp.pop_back();
  expect_says(message([&] { ForceWork(tree, forces); }), "controller 0: kp and kd");
  forces.controllers[0] = c;
  forces.controllers[0].until = forces.controllers[0].from;
  EXPECT_THROW(ForceWork(tree, forces), Error);
}

}  // namespace
}  // namespace axode::test::controller_test
