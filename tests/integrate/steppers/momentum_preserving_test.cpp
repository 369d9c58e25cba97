#include "axode/integrate/steppers/momentum_preserving.hpp"

#include <gtest/gtest.h>

#include "tests/integrate/stepper_checks.hpp"
#include "tests/support/near.hpp"
#include "tests/support/sanitized.hpp"

namespace axode::test::momentum {

const int many = is_sanitized() ? 10000 : 1000000;

template <class System>
auto fixed(const System& system) {
  return [&system](double h) {
    return MomentumPreserving(system.group(), system.configuration(), system.carried_size(),
                              {.step = h});
  };
}

TEST(MomentumPreserving, OrderIsTwo) {
  HeavyTop top = HeavyTop::of_terze();
  const Reals start = HeavyTop::start_of_terze();
  EXPECT_NEAR(
      measured_order(top, start, long_solution(top, start, 0.1, 50000), 0.1, 200, fixed(top)), 2,
      0.1);
  for (const auto form : {RigidBody::Form::body, RigidBody::Form::spatial}) {
    RigidBody body{.form = form};
    const Reals x = body.start({{0.5, 2, 1.1}, {1, -0.5, 0.3}});
    EXPECT_NEAR(measured_order(body, x, long_solution(body, x, 2, 20000), 2, 80, fixed(body)), 2,
                0.1);
  }
}

TEST(MomentumPreserving, SpecialCasesOfStepper) {
  HeavyTop top = HeavyTop::free();
  check_stepper(fixed(top)(0.01));
}

// A free body that tumbles about its centre of mass, which stays: the momentum about the origin.
TEST(MomentumPreserving, KeepsTheMomentumOverAMillionSteps) {
  RigidBody body;
  const Vec3<double> w{0.5, 2, 1.1};
  const Reals x = body.start({w, -cross(w, body.com) + Vec3<double>{1e-6, 2e-6, -1e-6}});
  MomentumPreserving stepper = fixed(body)(0.005);
  stepper.start(body, 0, x);
  const Vec6<double> before = body.spatial_momentum(stepper.state());
  double worst = 0;
  for (int i = 0; i < many; ++i) {
    ASSERT_EQ(stepper.advance(body, 1e9), StepVerdict::ok);
    if (i % 1000 == 999)
      worst = std::max(worst, max_abs(body.spatial_momentum(stepper.state()) - before));
  }
  EXPECT_LT(worst, 1e-13 * max_abs(before));
  record("momentum_drift", worst / max_abs(before));
}

TEST(CompensatedAdd, KeepsWhatRoundingTakes) {
  double sum = 1, lost = 0;
  for (int i = 0; i < 1000000; ++i) compensated_add(sum, lost, 1e-17);
  EXPECT_NEAR(sum, 1 + 1e-11, 1e-15);
}

}  // namespace axode::test::momentum
