#include "axode/integrate/steppers/commutator_free.hpp"

#include <gtest/gtest.h>

#include "axode/integrate/steppers/munthe_kaas.hpp"
#include "tests/integrate/stepper_checks.hpp"

namespace axode::test::commutator_free {

template <class System>
auto fixed(const System& system) {
  return [&system](double h) { return CommutatorFree(system.group(), {.step = h}, false); };
}

TEST(CommutatorFree, OrderIsFour) {
  HeavyTop top = HeavyTop::of_terze(), free = HeavyTop::free();
  const Reals start = HeavyTop::start_of_terze();
  EXPECT_NEAR(
      measured_order(top, start, long_solution(top, start, 0.1, 50000), 0.1, 200, fixed(top)), 4,
      0.1);
  EXPECT_NEAR(measured_order(free, start_of_free(), long_solution(free, start_of_free(), 2, 20000),
                             2, 80, fixed(free)),
              4, 0.1);
  for (const auto form :
       {RigidBody::Form::body, RigidBody::Form::spatial, RigidBody::Form::product}) {
    RigidBody body{.form = form};
    const Reals x = body.start({{0.5, 2, 1.1}, {1, -0.5, 0.3}});
    EXPECT_NEAR(measured_order(body, x, long_solution(body, x, 2, 20000), 2, 80, fixed(body)), 4,
                0.1);
  }
}

TEST(CommutatorFree, SpecialCasesOfStepper) {
  const LieGroup group = HeavyTop::free().group();
  check_stepper(CommutatorFree(group, {.step = 0.01}, false));
  check_stepper(CommutatorFree(group, {.rtol = 1e-5, .atol = 1e-7}));
}

// Without rotations it is the classical Runge-Kutta method.
TEST(CommutatorFree, IsClassicalOnRealNumbers) {
  Decay decay;
  CommutatorFree a(decay.group(), {.step = 0.1}, false);
  a.start(decay, 0, Reals{1});
  run_to(a, decay, 1);
  const double h = 0.1, factor = 1 - h + h * h / 2 - h * h * h / 6 + h * h * h * h / 24;
  EXPECT_NEAR(a.state()[0], std::pow(factor, 10), 1e-15);
  EXPECT_EQ(a.statistics().rates, 41);
}

TEST(CommutatorFree, OrderOfDenseOutput) {
  HeavyTop top = HeavyTop::free();
  const auto exact = [&](double h) { return MuntheKaas(top.group(), 5, {.step = h}, false); };
  const double coarse = dense_error(top, start_of_free(), 2, 20, fixed(top), exact);
  const double fine = dense_error(top, start_of_free(), 2, 40, fixed(top), exact);
  EXPECT_GT(std::log2(coarse / fine), 2.9);
}

TEST(CommutatorFree, ErrorFollowsTheTolerance) {
  HeavyTop top = HeavyTop::of_terze();
  const Reals start = HeavyTop::start_of_terze(), exact = long_solution(top, start, 0.2, 50000);
  double before = 0;
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    CommutatorFree stepper(top.group(), {.rtol = tolerance, .atol = tolerance});
    stepper.start(top, 0, start);
    ASSERT_EQ(run_to(stepper, top, 0.2), StepVerdict::ok);
    const double error = distance(top.configuration(), stepper.state(), exact) / 150;
    EXPECT_LT(error, 300 * tolerance);
    if (before > 0) {
      EXPECT_LT(error, before / 20);
    }
    before = error;
  }
}

}  // namespace axode::test::commutator_free
