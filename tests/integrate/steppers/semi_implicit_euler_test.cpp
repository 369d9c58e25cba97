#include "axode/integrate/steppers/semi_implicit_euler.hpp"

#include <gtest/gtest.h>

#include "tests/integrate/stepper_checks.hpp"

namespace axode::test::semi_implicit_euler {

template <class System>
auto fixed(const System& system) {
  return [&system](double h) {
    return SemiImplicitEuler(system.group(), system.configuration(), {.step = h});
  };
}

TEST(SemiImplicitEuler, OrderIsOne) {
  HeavyTop top = HeavyTop::of_terze();
  const Reals start = HeavyTop::start_of_terze();
  const Reals exact = long_solution(top, start, 0.1, 50000);
  EXPECT_NEAR(measured_order(top, start, exact, 0.1, 1600, fixed(top)), 1, 0.1);
  RigidBody body;
  const Reals x = body.start({{0.5, 2, 1.1}, {1, -0.5, 0.3}});
  EXPECT_NEAR(measured_order(body, x, long_solution(body, x, 2, 20000), 2, 320, fixed(body)), 1,
              0.1);
}

TEST(SemiImplicitEuler, SpecialCasesOfStepper) {
  HeavyTop top = HeavyTop::free();
  check_stepper(fixed(top)(0.01));
}

/// x'' = -x on the line.
struct Spring {
  LieGroup line = LieGroup().real(1), all = LieGroup().real(2);
  const LieGroup& group() const { return all; }
  const LieGroup& configuration() const { return line; }
  bool acceleration(double, In1 q, In1, Out1 a) { return a[0] = -q[0], true; }
  bool rate(double, In1 x, Out1 r) { return r[0] = x[1], r[1] = -x[0], true; }
};

// q^2 + v^2 - h q v is kept exactly, so the energy never drifts.
TEST(SemiImplicitEuler, KeepsTheEnergyOfASpring) {
  Spring spring;
  SemiImplicitEuler stepper = fixed(spring)(0.1);
  stepper.start(spring, 0, Reals{1, 0});
  for (int i = 0; i < 100000; ++i) stepper.advance(spring, 1e9);
  const double q = stepper.state()[0], v = stepper.state()[1];
  EXPECT_NEAR(q * q + v * v - 0.1 * q * v, 1, 1e-12);
  EXPECT_EQ(stepper.statistics().rates, 100000);
}

}  // namespace axode::test::semi_implicit_euler
