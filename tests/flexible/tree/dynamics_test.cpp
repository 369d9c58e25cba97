#include "axode/flexible/tree/dynamics.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/core/error.hpp"
#include "tests/flexible/branched_tree.hpp"
#include "tests/flexible/reference_chains.hpp"
#include "tests/support/allocations.hpp"

namespace axode::test::flexible_dynamics {

TEST(FlexibleDynamics, AccelerationsAreTheReferenceOnes) {
  for (const std::string name : {"pendulum1", "planar2", "arm4"}) {
    const FlexibleTree tree = reference_chain(name);
    const std::size_t n = tree.size;
    const nlohmann::json states = read_json("flexible/vectors_" + name + ".json")["states"];
    ASSERT_GT(states.size(), 2U);
    for (const auto& state : states)
      for (const FlexibleModel model : {FlexibleModel::linear, FlexibleModel::nonlinear}) {
        FlexibleDynamics dynamics(tree, {.model = model});
        std::vector<double> tau = flat(state["T"]), rates(n);
        tau.resize(n);
        ASSERT_TRUE(dynamics.acceleration(flat(state["q"]), flat(state["u"]), tau, rates));
        const auto& key = model == FlexibleModel::linear ? "lin_xyz" : "nonlin_xyz";
        const std::vector<double> expected = flat(state[key]["udot"]);
        double size = 0;
        for (const double a : expected) size = std::max(size, std::abs(a));
        for (std::size_t i = 0; i < n; ++i)
          EXPECT_NEAR(rates[i], expected[i], 1e-9 * size) << name << key << i;
      }
  }
}
TEST(FlexibleDynamics, EnergiesAreTheReferenceOnes) {
  const FlexibleTree tree = reference_chain("arm4");
  FlexibleDynamics dynamics(tree, {.model = FlexibleModel::nonlinear});
  const nlohmann::json states = read_json("flexible/vectors_arm4.json")["states"];
  for (const auto& state : states) {
    const auto e = dynamics.energies(flat(state["q"]), flat(state["u"]));
    const double expected = state["nonlin_xyz"]["energy"];
    EXPECT_NEAR(e.kinetic + e.gravity + e.elastic, expected, 1e-11 * std::abs(expected) + 1e-9);
  }
}
/// Prescribed accelerations with the forces found for them are free accelerations under these forces.
TEST(FlexibleDynamics, PrescribedJointsNeedTheForcesThatFollow) {
  const FlexibleTree tree = branched_tree(SectionRotation::zyx, true);
  const std::size_t n = tree.size;
  std::vector<double> q(n, .01), v(n, .02), tau(n), rates(n), free(n);
  const std::vector<int> told{0, 2};
  rates[0] = .7;
  rates[2] = -.4;
  FlexibleDynamics dynamics(tree, {.model = FlexibleModel::nonlinear});
  ASSERT_TRUE(dynamics.acceleration_with(told, q, v, tau, rates));
  EXPECT_DOUBLE_EQ(rates[0], .7);
  ASSERT_TRUE(dynamics.acceleration(q, v, tau, free));
  for (std::size_t i = 0; i < n; ++i)
    EXPECT_NEAR(free[i], rates[i], 1e-7 * (1 + std::abs(rates[i])));
}
/// With all elastic coordinates kept exact, the linear model is the exact one.
TEST(FlexibleDynamics, CoordinatesCanBeKeptExact) {
  const FlexibleTree tree = reference_chain("arm4");
  const auto state = read_json("flexible/vectors_arm4.json")["states"][3];
  const std::vector<double> q = flat(state["q"]), v = flat(state["u"]);
  FlexibleDynamicsOptions all;
  for (int k = 4; k < 16; ++k) all.exact_coordinates.push_back(k);
  FlexibleDynamics kept(tree, all), exact(tree, {.model = FlexibleModel::nonlinear}), linear(tree),
      half(tree, {.exact_coordinates = {4, 5, 6, 7, 8, 9}});
  double off_linear = 0, off_half = 0;
  for (FlexibleDynamics* d : {&kept, &exact, &linear, &half}) d->evaluate(q, v);
  for (std::size_t i = 0; i < 256; ++i) {
    EXPECT_NEAR(kept.mass()[i], exact.mass()[i], 1e-11 * exact.mass()[0]);
    off_linear = std::max(off_linear, std::abs(linear.mass()[i] - exact.mass()[i]));
    off_half = std::max(off_half, std::abs(half.mass()[i] - exact.mass()[i]));
  }
  EXPECT_GT(off_half, 0);
  EXPECT_LT(off_half, off_linear);
  EXPECT_THROW(FlexibleDynamics(tree, {.exact_coordinates = {3}}), Error);
  EXPECT_THROW(FlexibleDynamics(tree, {.exact_coordinates = {16}}), Error);
}
/// Large deflections take the truncated square below zero; the exact matrix stays positive.
TEST(FlexibleDynamics, TellsWhereTheMassMatrixIsNotPositive) {
  const FlexibleTree tree = reference_chain("arm4");
  std::vector<double> q(16, .1), v(16), tau(16), rates(16);
  for (std::size_t i = 4; i < 16; ++i) q[i] = i % 2 == 0 ? 1.5 : -1.5;
  FlexibleDynamics linear(tree);
  EXPECT_FALSE(linear.acceleration(q, v, tau, rates));
  const MassLoss loss = linear.loss();
  EXPECT_LT(loss.smallest_eigenvalue, 0);
  EXPECT_GE(loss.coordinate, 0);
  EXPECT_GE(loss.link, 0);
  FlexibleDynamics back(tree, {.fall_back = true}),
      exact(tree, {.model = FlexibleModel::nonlinear});
  std::vector<double> expected(16);
  ASSERT_TRUE(back.acceleration(q, v, tau, rates));
  ASSERT_TRUE(exact.acceleration(q, v, tau, expected));
  EXPECT_EQ(back.fallbacks(), 1);
  EXPECT_EQ(rates, expected);
}
TEST(FlexibleDynamics, DoesNotAllocate) {
  const FlexibleTree tree = branched_tree(SectionRotation::zyx, true);
  const std::size_t n = tree.size;
  const std::vector<double> q(n, .01), v(n, .02), tau(n);
  std::vector<double> rates(n);
  for (const FlexibleModel model : {FlexibleModel::linear, FlexibleModel::nonlinear}) {
    FlexibleDynamics dynamics(tree, {.model = model});
    EXPECT_EQ(count_allocations([&] { dynamics.acceleration(q, v, tau, rates); }), 0);
  }
}

}  // namespace axode::test::flexible_dynamics
