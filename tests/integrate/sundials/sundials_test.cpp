#include "axode/integrate/sundials/sundials.hpp"

#include <cmath>

#include "axode/core/error.hpp"
#include "axode/lie/so3.hpp"

namespace axode::test::sundials {
namespace {

constexpr std::array methods{SundialsMethod::bdf, SundialsMethod::adams, SundialsMethod::dirk};

/// y' = -stiffness (y - cos t) - sin t: y = cos t from y(0) = 1; beside it a body that turns with the
/// angular velocity (0, 0, y).
struct StiffTurning {
  double stiffness;
  LieGroup space = LieGroup{}.real(1).so3();
  const LieGroup& group() const { return space; }
  bool rate(double t, std::span<const double> x, std::span<double> r) {
    r[0] = -stiffness * (x[0] - std::cos(t)) - std::sin(t);
    r[1] = r[2] = 0;
    r[3] = x[0];
    return fails_at > t;
  }
  bool jacobian(double, std::span<const double>, std::span<double> A) {
    std::fill(A.begin(), A.end(), 0.);
    A[0] = -stiffness;
    A[12] = 1;
    return true;
  }
  double fails_at = 1e9;
};

const std::vector<double> initial{1, 1, 0, 0, 0};

TEST(Sundials, FollowsAStiffMotionAndTurnsWithIt) {
  for (const SundialsMethod method : methods) {
    StiffTurning system{method == SundialsMethod::adams ? 10. : 1e6};
    Sundials stepper(system.space, method, {.rtol = 1e-9, .atol = 1e-11});
    stepper.start(system, 0, initial);
    std::vector<double> between(5);
    while (stepper.time() < 3) {
      ASSERT_EQ(stepper.advance(system, 3), StepVerdict::ok);
      const double t = .5 * (stepper.previous_time() + stepper.time());
      stepper.interpolate(t, between);
      EXPECT_NEAR(between[0], std::cos(t), 1e-6);
      EXPECT_NEAR(between[1], std::cos(std::sin(t) / 2), 1e-6);
    }
    EXPECT_EQ(stepper.time(), 3);
    const auto x = stepper.state();
    EXPECT_NEAR(x[0], std::cos(3), 1e-8);
    EXPECT_NEAR(x[1], std::cos(std::sin(3) / 2), 1e-7);  // angle: integral of cos t
    EXPECT_NEAR(x[4], std::sin(std::sin(3) / 2), 1e-7);
    EXPECT_NEAR(x[1] * x[1] + x[4] * x[4], 1, 1e-15);
    EXPECT_GT(stepper.statistics().steps, 10);
    EXPECT_LT(stepper.statistics().steps, 3000);  // stability of an explicit method takes 1e6
    EXPECT_GT(stepper.statistics().jacobians, 0);
  }
}

TEST(Sundials, AStartAnewGivesTheSameBitsAsLoading) {
  for (const SundialsMethod method : methods) {
    StiffTurning system{50};
    Sundials first(system.space, method, {});
    first.start(system, 0, initial);
    for (int i = 0; i < 20; ++i) ASSERT_EQ(first.advance(system, 9), StepVerdict::ok);
    std::vector<double> numbers;
    first.save(numbers);
    Sundials second(system.space, method, {});
    second.load(system, numbers);
    first.start(system, first.time(), std::vector(first.state().begin(), first.state().end()));
    for (int i = 0; i < 20; ++i) {
      ASSERT_EQ(first.advance(system, 9), StepVerdict::ok);
      ASSERT_EQ(second.advance(system, 9), StepVerdict::ok);
      ASSERT_EQ(first.time(), second.time());
      for (std::size_t k = 0; k < 5; ++k) ASSERT_EQ(first.state()[k], second.state()[k]);
    }
    EXPECT_EQ(first.statistics().steps, second.statistics().steps);
    EXPECT_THROW(second.load(system, std::span(numbers).first(3)), Error);
  }
}

TEST(Sundials, StopsWhereThereIsNoRate) {
  for (const SundialsMethod method : methods) {
    StiffTurning system{10};
    system.fails_at = 1;
    Sundials stepper(system.space, method, {});
    stepper.start(system, 0, initial);
    StepVerdict verdict = StepVerdict::ok;
    for (int i = 0; i < 100'000 && verdict == StepVerdict::ok; ++i)
      verdict = stepper.advance(system, 3);
    EXPECT_NE(verdict, StepVerdict::ok);
    EXPECT_LT(stepper.time(), 1.001);
    EXPECT_TRUE(std::isfinite(stepper.state()[0]));
  }
  EXPECT_THROW(Sundials(LieGroup{}.real(1), SundialsMethod::bdf, {.rtol = 0}), Error);
}

}  // namespace
}  // namespace axode::test::sundials
