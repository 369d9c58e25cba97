#include "axode/integrate/sundials/ida.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/core/error.hpp"
#include "axode/model/builder.hpp"
#include "axode/simulate/systems/absolute_system.hpp"
#include "tests/integrate/planar_loop.hpp"
#include "tests/integrate/rotating_wire.hpp"
#include "tests/support/models/joint_space_reference.hpp"
#include "tests/support/models/random_tree.hpp"

namespace axode::test::ida {

using Numbers = std::vector<double>;
static_assert(Stepper<Ida, TwoPoints>);

TEST(Ida, KeepsEnergyAndConstraintsToItsTolerance) {
  for (const double tolerance : {1e-5, 1e-8, 1e-11}) {
    TwoPoints system;
    Ida method({.rtol = tolerance, .atol = tolerance});
    const Numbers start = two_points(1, .5, 0, 0);
    method.start(system, 0, start);
    while (method.time() < 2) ASSERT_EQ(method.advance(system, 2), StepVerdict::ok);
    EXPECT_EQ(method.time(), 2);
    const auto x = method.state();
    EXPECT_NEAR(two_points_energy(x), two_points_energy(start), 5e3 * tolerance);
    EXPECT_NEAR(x[0] * x[0] + x[1] * x[1], 1, 10 * tolerance);
    EXPECT_NEAR(x[0] * x[4] + x[1] * x[5], 0, 10 * tolerance);
  }
}

/// Joints of all kinds, with quaternions in all velocities, against joint coordinates.
TEST(Ida, MovesTreesAsInJointCoordinates) {
  Random random(7);
  for (int n = 0; n < 6; ++n) {
    const Tree tree = random_tree(random, 4);
    const State<double> start{random_coordinates(random, tree), random_velocities(random, tree)};
    const State<double> end = joint_space_motion(tree, start, .3, 600);
    AbsoluteSystem system(tree);
    Ida method({.rtol = 1e-11, .atol = 1e-12});
    method.start(system, 0, system.state(start.q, start.v));
    while (method.time() < .3) ASSERT_EQ(method.advance(system, .3), StepVerdict::ok);
    Numbers d(tree.nv);
    difference<double>(tree, system.tree_q(method.state()), end.q, d);
    const auto v = system.tree_v(system.velocity(method.state()));
    double size = 1;
    for (const double e : end.v) size = std::max(size, std::abs(e));
    for (std::size_t k = 0; k < d.size(); ++k) {
      EXPECT_NEAR(d[k], 0, 2e-8 * size);
      EXPECT_NEAR(v[k], end.v[k], 2e-8 * size * size);
    }
  }
}

TEST(Ida, InterpolatesAndStartsAnewFromSavedNumbers) {
  TwoPoints system;
  Ida method({.rtol = 1e-10, .atol = 1e-10});
  method.start(system, 0, two_points(1, .5, 0, 0));
  while (method.time() < .5) ASSERT_EQ(method.advance(system, 2), StepVerdict::ok);
  Numbers x(8), numbers;
  method.interpolate(method.time(), x);
  for (std::size_t k = 0; k < 8; ++k) EXPECT_NEAR(x[k], method.state()[k], 1e-13);
  method.interpolate((method.time() + method.previous_time()) / 2, x);
  EXPECT_NEAR(x[0] * x[0] + x[1] * x[1], 1, 1e-8);
  method.save(numbers);
  Ida again({.rtol = 1e-10, .atol = 1e-10});
  again.load(system, numbers);
  method.load(system, numbers);
  for (int n = 0; n < 20; ++n) {
    ASSERT_EQ(method.advance(system, 2), StepVerdict::ok);
    ASSERT_EQ(again.advance(system, 2), StepVerdict::ok);
  }
  EXPECT_EQ(Numbers(method.state().begin(), method.state().end()),
            Numbers(again.state().begin(), again.state().end()));
}

TEST(Ida, TellsWhatFails) {
  TwoPoints system;
  Ida method;
  EXPECT_THROW(method.start(system, 0, Numbers(3)), Error);
  EXPECT_THROW(method.start(system, 0, Numbers(8)), Error);
  method.start(system, 0, two_points(1, .5, 0, 0));
  ASSERT_EQ(method.advance(system, 1), StepVerdict::ok);
  const double t = method.time();
  system.fails = true;
  EXPECT_EQ(method.advance(system, 1), StepVerdict::no_rate);
  EXPECT_EQ(method.time(), t);
}

TEST(Ida, ConstraintsMayMove) {
  RotatingWire system;
  Ida method({.rtol = 1e-11, .atol = 1e-12});
  const double t0 = .3, end = 1.3;
  method.start(system, t0, system.state(t0, .5, -.2));
  while (method.time() < end) ASSERT_EQ(method.advance(system, end), StepVerdict::ok);
  const Numbers exact = system.exact(t0, .5, -.2, end);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(method.state()[k], exact[k], 1e-7);
}

}  // namespace axode::test::ida
