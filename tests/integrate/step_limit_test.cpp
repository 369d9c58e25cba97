#include "axode/integrate/step_limit.hpp"

#include <gtest/gtest.h>

#include "axode/integrate/integrate.hpp"
#include "axode/integrate/munthe_kaas.hpp"
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
  StepLimit limit{.most = 3, .t_end = 1};
  limit.begin(0);
  for (int k = 0; k < 3; ++k) EXPECT_FALSE(limit.reached(.1 * k));
  EXPECT_TRUE(limit.reached(.3));
  StepLimit none{.t_end = 1};
  none.begin(0);
  for (int k = 0; k < 10; ++k) EXPECT_FALSE(none.reached(0));
}

TEST(StepLimit, EndsARunEarlyThatIsFarTooSlow) {
  StepLimit limit{.most = 1'000'000, .t_end = 1};
  limit.begin(0);
  long steps = 0;
  while (!limit.reached(1e-12 * static_cast<double>(steps))) ++steps;
  EXPECT_EQ(steps, StepLimit::window);
  // The longer it has been slow, the sooner: seven times too slow, after a seventh of a hundred windows.
  limit = {.most = 10'000'000, .t_end = 1};
  limit.begin(0);
  for (steps = 0; !limit.reached(static_cast<double>(steps) / 70e6);) ++steps;
  EXPECT_EQ(steps, 15 * StepLimit::window);
  // A slow start passes.
  limit = {.most = 1'000'000, .t_end = 1};
  limit.begin(0);
  for (long k = 0; k < StepLimit::window; ++k)
    ASSERT_FALSE(limit.reached(k < 50'000 ? 1e-12 : 1e-6 * static_cast<double>(k))) << k;
  EXPECT_FALSE(limit.reached(.1));
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
  EXPECT_EQ(default_max_steps(10, 0, INFINITY, many_long_steps), 1'000'000);
  EXPECT_GT(default_max_steps(1000, 1e-6, 0, many_steps), 1'000'000'000);
  EXPECT_GT(default_max_steps(1000, 0, 1e-6, many_steps), 1'000'000'000);
  EXPECT_GT(default_max_steps(1e300, 1e-300, 1e-300, many_steps), 1'000'000'000);
}

}  // namespace axode::test::step_limit
