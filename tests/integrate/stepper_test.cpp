#include "axode/integrate/stepper.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/core/error.hpp"

namespace axode::test::stepper {

using Numbers = std::vector<double>;

TEST(StepOptions, MisuseIsTold) {
  EXPECT_NO_THROW(check_options({}, true, "test"));
  EXPECT_THROW(check_options({}, false, "test"), Error);
  EXPECT_THROW(check_options({.rtol = -1}, true, "test"), Error);
  EXPECT_THROW(check_options({.rtol = 0, .atol = 0}, true, "test"), Error);
  EXPECT_THROW(check_options({.rtol = std::nan("")}, true, "test"), Error);
  EXPECT_THROW(check_options({.min_step = 2, .max_step = 1}, true, "test"), Error);
  EXPECT_THROW(check_options({.step = -1}, true, "test"), Error);
}

TEST(ErrorNorm, WeightsAreThoseOfTheTolerance) {
  const StepOptions options{.rtol = 1e-3, .atol = 1e-5};
  const LieGroup real = LieGroup().real(2);
  const double w0 = 1e-5 + 1e-3 * 4, w1 = 1e-5;
  EXPECT_NEAR(error_norm(real, options, Numbers{2, 0}, Numbers{-4, 0}, Numbers{w0, 2 * w1}),
              std::sqrt(2.5), 1e-14);
  const LieGroup pose = LieGroup().se3();
  const double turn = 1e-5 + 1e-3, way = 1e-5 + 1e-3 * 5;
  EXPECT_NEAR(error_norm(pose, options, Numbers{1, 0, 0, 0, 3, 4, 0}, Numbers{0, 1, 0, 0, 0, 0, 0},
                         Numbers{turn, 0, 0, 0, way, way}),
              std::sqrt(0.5), 1e-14);
}

TEST(ErrorNorm, NumbersThatStayZeroHaveNoErrorWithoutAtol) {
  const StepOptions options{.rtol = 1e-3, .atol = 0};
  const LieGroup real = LieGroup().real(2);
  EXPECT_NEAR(error_norm(real, options, Numbers{0, 4}, Numbers{0, 2}, Numbers{0, 4e-3}),
              std::sqrt(0.5), 1e-14);
  EXPECT_EQ(error_norm(real, options, Numbers{0, 4}, Numbers{0, 2}, Numbers{1e-9, 0}), INFINITY);
}

TEST(StepControl, GrowsAndShrinksWithinLimits) {
  StepControl control = StepControl::of_order(5);
  EXPECT_NEAR(control.exponent, 0.2, 1e-16);
  EXPECT_LT(control.reject(32), 0.5);
  EXPECT_GE(control.reject(1e30), 0.1);
  EXPECT_EQ(control.reject(std::nan("")), 0.25);
  EXPECT_EQ(control.accept(1e-30), 1.0);  // not right after a rejected step
  EXPECT_GT(control.accept(1e-30), 2.0);
  EXPECT_LE(control.accept(0), 10.0);
}

TEST(FirstStep, IsOfTheSizeOfTheProblem) {
  const LieGroup real = LieGroup().real(1);
  const StepOptions options{.rtol = 1e-6, .atol = 1e-9};
  for (const double scale : {1e-3, 1.0, 1e4}) {
    const Numbers x{1}, rate{-scale};
    const double probe = first_probe(real, options, x, rate);
    const Numbers later{-scale * (1 - scale * probe)};
    Numbers scratch(1);
    const double h = first_step(real, options, 5, x, rate, later, probe, scratch);
    EXPECT_GT(h * scale, 1e-4);
    EXPECT_LE(h * scale, 1 + 1e-12);
  }
  Numbers scratch(1);
  const double still =
      first_step(real, options, 5, Numbers{1}, Numbers{0}, Numbers{0}, 1e-6, scratch);
  EXPECT_GT(still, 0);
}

TEST(StepClock, TimesDoNotDriftAndTheStopIsMet) {
  StepClock clock{0, 0.1, 0};
  double t = 0;
  for (int i = 1; i <= 1000; ++i) {
    const StepClock::Plan plan = clock.plan(t, 1e9);
    EXPECT_EQ(plan.h, 0.1);
    clock.accept(plan);
    t = plan.t;
    EXPECT_EQ(t, i * 0.1);
  }
  const StepClock::Plan cut = clock.plan(t, t + 0.03);
  EXPECT_EQ(cut.t, t + 0.03);
  EXPECT_NEAR(cut.h, 0.03, 1e-13);
  clock.accept(cut);
  EXPECT_EQ(clock.plan(cut.t, 1e9).t, cut.t + 0.1);
  const StepClock::Plan rounded = StepClock{0, 0.1, 0}.plan(0, 0.1 + 1e-17);
  EXPECT_EQ(rounded.h, 0.1);
}

TEST(StepEnd, LeavesNoTinyRest) {
  EXPECT_EQ(step_end(0, 1, 0.5), 0.5);
  EXPECT_EQ(step_end(0, 1, 1 + 1e-12), 1 + 1e-12);
  EXPECT_EQ(step_end(0, 1, 1.5), 0.75);
  EXPECT_EQ(step_end(0, 1, 3), 1);
}

TEST(AllFinite, FindsNanAndInfinity) {
  EXPECT_TRUE(all_finite(Numbers{1, -2, 1e308}));
  EXPECT_FALSE(all_finite(Numbers{1, std::nan("")}));
  EXPECT_FALSE(all_finite(Numbers{1, -INFINITY, INFINITY}));
}

}  // namespace axode::test::stepper
