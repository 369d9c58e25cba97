/// Motion of trees in absolute coordinates against joint coordinates; what it costs.
#include <gtest/gtest.h>

#include <cmath>

#include "axode/integrate/steppers/generalized_alpha.hpp"
#include "axode/integrate/sundials/ida.hpp"
#include "axode/model/builder.hpp"
#include "axode/simulate/systems/absolute_system.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/models/coupled_tree.hpp"
#include "tests/support/models/joint_space_reference.hpp"
#include "tests/support/models/random_tree.hpp"

namespace axode::test::absolute_motion {

using Numbers = std::vector<double>;

State<double> coupled_state(Random& random, const Tree& tree) {
  State<double> s{random_coordinates(random, tree), random_velocities(random, tree)};
  const auto link = [&](int body) { return tree.links[body]; };
  for (const Coupling& c : tree.couplings) {
    s.q[link(c.follower).q] = c.ratio * s.q[link(c.leader).q] + c.offset;
    s.v[link(c.follower).v] = c.ratio * s.v[link(c.leader).v];
  }
  return s;
}

TEST(AbsoluteMotion, CoupledJointsAccelerateAsInJointCoordinates) {
  Random random(11);
  for (int n = 0; n < 30; ++n) {
    const Tree tree = random_coupled_tree(random, 7);
    const State<double> s = coupled_state(random, tree);
    AbsoluteSystem system(tree);
    Numbers a(system.configuration().nv);
    Numbers lambda(system.constraints());
    ASSERT_TRUE(system.acceleration(0, system.state(s.q, s.v), a, lambda));
    const Numbers expected = reference::forward_dynamics(
        tree, s.q, s.v, Numbers(s.v.size(), 0.0), Rep::body, {.effects = {.friction = false}});
    double size = 1;
    for (const double e : expected) size = std::max(size, std::abs(e));
    for (std::size_t k = 0; k < expected.size(); ++k)
      EXPECT_NEAR(system.tree_v(a)[k], expected[k], 1e-9 * size);
  }
}

/// Errors of generalized-alpha fall with the square of the step, to joint coordinates as limit.
TEST(AbsoluteMotion, TreesMoveAsInJointCoordinates) {
  Random random(12);
  for (int n = 0; n < 8; ++n) {
    const Tree tree = n % 2 == 0 ? random_tree(random, 4) : random_coupled_tree(random, 4);
    const State<double> start = coupled_state(random, tree);
    const State<double> end = joint_space_motion(tree, start, .2, 400);
    double errors[2];
    for (const int finer : {0, 1}) {
      AbsoluteSystem system(tree);
      GeneralizedAlpha method({.step = {.step = finer == 1 ? 5e-4 : 1e-3}, .fixed_step = true});
      method.start(system, 0, system.state(start.q, start.v));
      while (method.time() < .2) ASSERT_EQ(method.advance(system, .2), StepVerdict::ok);
      Numbers d(tree.nv);
      difference<double>(tree, system.tree_q(method.state()), end.q, d);
      errors[finer] = 0;
      for (const double e : d) errors[finer] = std::max(errors[finer], std::abs(e));
    }
    EXPECT_LT(errors[1], 1e-3);
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, .15) << errors[0] << ' ' << errors[1];
  }
}

Tree chain(int bodies) {
  TreeBuilder b;
  for (int i = 0; i < bodies; ++i) {
    b.body("b" + std::to_string(i), {1, {.05, 0, 0}, {.001, .002, .002, 0, 0, 0}});
    if (i > 0) b.on("b" + std::to_string(i - 1));
    const Vec3<double> axis = i % 3 == 0 ? Vec3<double>{0, 1, 0} : Vec3<double>{0, 0, 1};
    b.joint("j" + std::to_string(i), revolute({.axis = axis, .point = {.1 * i, 0, 0}}));
  }
  return b.build();
}

TEST(AbsoluteMotion, FactorsOfAChainGrowWithItsLength) {
  int nonzeros[2] = {};
  for (const int many : {0, 1}) {
    const Tree tree = chain(many == 1 ? 1000 : 500);
    AbsoluteSystem system(tree);
    const Numbers zero(tree.nv, 0.1);
    const Numbers state = system.state(zero, zero);
    SparseAssembly m;
    SparseLu lu;
    const Numbers a(system.configuration().nv);
    const Numbers lambda(system.constraints(), 1.0);
    view(system).tangent(
        {0, std::span(state).first(system.configuration().nx), system.velocity(state), a, lambda},
        {.mass = 1, .damping = 1e-2, .stiffness = 1e-4}, m);
    ASSERT_TRUE(lu.factor(m.matrix));
    nonzeros[many] = lu.factor_nonzeros();
  }
  EXPECT_LT(nonzeros[1], 2.1 * nonzeros[0]);
  EXPECT_LT(nonzeros[1], 1000 * 400);
}

TEST(AbsoluteMotion, StepsDoNotAllocate) {
  const Tree tree = chain(10);
  AbsoluteSystem system(tree);
  GeneralizedAlpha method({.step = {.rtol = 1e-5, .atol = 1e-5}});
  const Numbers zero(tree.nv, 0.1);
  method.start(system, 0, system.state(zero, zero));
  for (int n = 0; n < 5; ++n) ASSERT_EQ(method.advance(system, 1), StepVerdict::ok);
  EXPECT_EQ(count_allocations([&] {
              for (int n = 0; n < 50; ++n) method.advance(system, 1);
            }),
            0);
}

/// A joint spring whose period is 6e-5 s, in steps of 1e-2 s: only with its slope.
TEST(AbsoluteMotion, StiffSpringsTakeLargeStepsWithTheirSlopes) {
  const Tree tree = chain(3);
  const double k = 1e8;
  const auto forces = [k](double, auto q, auto, auto, auto, auto tau, auto) {
    tau[1] -= k * q[1];
    return true;
  };
  const ForceSlopes slopes{{{1, 1}},
                           [k](double, auto, auto, auto stiffness, auto) { stiffness[0] += k; }};
  AbsoluteSystem system(tree, {}, forces, slopes);
  GeneralizedAlpha method({.step = {.step = 1e-2}, .fixed_step = true});
  method.start(system, 0, system.state(Numbers{.1, 0, .3}, Numbers{0, 0, 0}));
  while (method.time() < .5) ASSERT_EQ(method.advance(system, .5), StepVerdict::ok);
  EXPECT_LT(std::abs(system.tree_q(method.state())[1]), 1e-7);

  AbsoluteSystem without(tree, {}, forces);
  method.start(without, 0, without.state(Numbers{.1, 0, .3}, Numbers{0, 0, 0}));
  EXPECT_EQ(method.advance(without, .5), StepVerdict::not_converged);
}

}  // namespace axode::test::absolute_motion
