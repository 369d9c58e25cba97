#include "axode/integrate/step_limit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "axode/integrate/integrate.hpp"
#include "axode/integrate/steppers/munthe_kaas.hpp"
#include "tests/integrate/test_systems.hpp"

namespace axode::test::step_limit {

using Ending = IntegrateResult::Ending;

struct Nothing {};

/// x' = -k x: explicit methods take steps of about 3 / k.
struct Decay {
  double k = 1;
  LieGroup line = LieGroup().real(1);
  const LieGroup& group() const { return line; }
  bool rate(double, In1 x, Out1 r) { return r[0] = -k * x[0], true; }
};

TEST(StepLimit, CountsSteps) {
  StepLimit limit{.max_steps = 3, .t_end = 1};
  limit.begin(0);
  for (int k = 0; k < 3; ++k) EXPECT_FALSE(limit.reached(.1 * k));
  EXPECT_TRUE(limit.reached(.3));
  StepLimit none{.t_end = 1};
  none.begin(0);
  for (int k = 0; k < 10; ++k) EXPECT_FALSE(none.reached(0));
}

/// Steps until a run from 0 to 1 ends, whose k-th step begins at time(k).
template <class Time>
StepLimit ended(long most, Time&& time) {
  StepLimit limit{.max_steps = most, .t_end = 1};
  limit.begin(0);
  while (time(limit.steps) < 1 && !limit.reached(time(limit.steps))) continue;
  return limit;
}

// It is found soon after sqrt(steps made x steps left) has come to what is allowed.
TEST(StepLimit, EndsARunTheEarlierTheMoreItNeeds) {
  for (const long most : {10'000L, 1'000'000L, 10'000'000L})
    for (const double times : {3., 10., 300., 1e4, 1e12}) {
      const double needs = times * static_cast<double>(most);
      const auto time = [&](long k) { return static_cast<double>(k) / needs; };
      const StepLimit limit = ended(most, time);
      const double last = time(limit.steps), soon = 1.1 * static_cast<double>(most) / times;
      EXPECT_LT(last, 1);
      EXPECT_LE(static_cast<double>(limit.steps), std::max(1.25 * soon, soon + 1000)) << needs;
      EXPECT_GE(static_cast<double>(limit.steps) * needs, static_cast<double>(most * most))
          << needs;
      EXPECT_NEAR(limit.expected(last), needs, 1e-6 * needs);
    }
  // One whose time stands still.
  EXPECT_EQ(ended(1'000'000, [](long) { return 0.; }).steps, StepLimit::shortest_look);
}

TEST(StepLimit, LetsRunsFinishThatCan) {
  const long most = 1'000'000;
  for (const long needs : {500L, 1000L, 123'456L, 999'999L}) {
    const auto evenly = [&](long k) { return static_cast<double>(k) / static_cast<double>(needs); };
    EXPECT_EQ(ended(most, evenly).steps, needs);
  }
  // Steps that begin with 1e-15 and grow by 2 % each.
  const auto growing = [](long k) {
    return 1e-15 * std::expm1(.02 * static_cast<double>(k)) / .02;
  };
  EXPECT_GE(growing(ended(most, growing).steps), 1);
  // Impacts: now and then five hundred steps of 1e-12.
  const auto impacts = [](long k) {
    const long round = k / 600, in = k % 600;
    return 1e-2 * static_cast<double>(round) +
           (in < 500 ? 1e-12 * static_cast<double>(in) : 1e-4 * static_cast<double>(in - 500));
  };
  EXPECT_GE(impacts(ended(most, impacts).steps), 1);
}

TEST(StepLimit, LooksAtLongerStretchesOfLongerRuns) {
  // After 100,000 steps 10,000 slow ones are no reason to end.
  const auto slowed = [](long k) {
    const double even =
        2e-6 * static_cast<double>(k < 100'000 ? k : std::max(100'000L, k - 10'000));
    return even + 1e-15 * static_cast<double>(k);
  };
  EXPECT_GE(slowed(ended(1'000'000, slowed).steps), 1);
}

TEST(StepLimit, CountsOnWhereARunIsContinued) {
  for (const double needs : {9e9, 3e7, 3e6}) {
    const auto time = [&](long k) { return static_cast<double>(k) / needs; };
    const long all = ended(1'000'000, time).steps;
    StepLimit first{.max_steps = 1'000'000, .t_end = 1};
    first.begin(0);
    while (first.steps < all / 3) ASSERT_FALSE(first.reached(time(first.steps)));
    StepLimit rest{.max_steps = 1'000'000,
                   .t_end = 1,
                   .steps = first.steps,
                   .looked_at = first.looked_at,
                   .looked_time = first.looked_time};
    while (!rest.reached(time(rest.steps))) continue;
    EXPECT_EQ(rest.steps, all);
  }
}

TEST(StepLimit, TellsTheStepsThatItExpects) {
  StepLimit limit{.max_steps = 3, .t_end = 1};
  limit.begin(0);
  EXPECT_EQ(limit_text(limit, 0), "0 steps: the run needs more than max_steps allows");
  while (!limit.reached(.01 * static_cast<double>(limit.steps))) continue;
  EXPECT_EQ(limit_text(limit, .03),
            "3 steps: the run needs more than max_steps allows, about 1e+02 at its present pace");
}

TEST(StepLimit, ShortRunsHaveTheirShare) {
  EXPECT_EQ(share_of_steps(many_steps, 10), many_steps);
  EXPECT_EQ(share_of_steps(many_steps, 1e9), many_steps);
  EXPECT_EQ(share_of_steps(many_steps, 1), 1e6);
  EXPECT_EQ(share_of_steps(many_steps, .05), 5e4);
  EXPECT_EQ(share_of_steps(many_steps, 1e-9), 1e4);
  EXPECT_EQ(share_of_steps(many_steps, 0), 1e4);
}

TEST(StepLimit, EndsRunsThatNeedMore) {
  for (const long most : {1L, 100L}) {
    Decay decay{1e6};
    MuntheKaas stepper(decay.group(), 5, {});
    stepper.start(decay, 0, Reals{1});
    Nothing nothing;
    const IntegrateResult result =
        axode::integrate(decay, stepper, 1, {.max_steps = most}, nothing);
    EXPECT_EQ(result.ending, Ending::step_limit);
    EXPECT_EQ(result.steps, most);
    EXPECT_EQ(result.t, stepper.time());
    EXPECT_LT(result.t, 1);
  }
}

// Each of the switches is a step of its own, even where one comes a rounding after the other.
TEST(StepLimit, CountsSwitches) {
  struct Switching {
    double next_discontinuity(double t) { return std::nextafter(t, 2.); }
  } observer;
  Decay decay;
  MuntheKaas stepper(decay.group(), 5, {});
  stepper.start(decay, 0.5, Reals{1});
  const IntegrateResult result = axode::integrate(decay, stepper, 1, {.max_steps = 1000}, observer);
  EXPECT_EQ(result.ending, Ending::step_limit);
  EXPECT_EQ(result.steps, 1000);
}

TEST(StepLimit, LeavesRoomForStepsThatAreAskedFor) {
  EXPECT_EQ(default_max_steps(10, 0, 0, many_steps), 10'000'000);
  EXPECT_EQ(default_max_steps(10, 0, INFINITY, many_steps), 10'000'000);
  EXPECT_GT(default_max_steps(1000, 1e-6, 0, many_steps), 1'000'000'000);
  EXPECT_GT(default_max_steps(1000, 0, 1e-6, many_steps), 1'000'000'000);
  EXPECT_GT(default_max_steps(1e300, 1e-300, 1e-300, many_steps), 1'000'000'000);
}

}  // namespace axode::test::step_limit
