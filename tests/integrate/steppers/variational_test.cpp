#include "axode/integrate/steppers/variational.hpp"

#include <gtest/gtest.h>

#include "tests/integrate/stepper_checks.hpp"
#include "tests/support/near.hpp"
#include "tests/support/sanitized.hpp"

namespace axode::test::variational {

const int many = is_sanitized() ? 10000 : 1000000;

template <class System>
auto fixed(const System& system) {
  return [&system](double h) {
    return Variational(system.group(), system.configuration(), {.step = h});
  };
}

TEST(Variational, OrderIsTwo) {
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

TEST(Variational, SpecialCasesOfStepper) {
  HeavyTop top = HeavyTop::free();
  check_stepper(fixed(top)(0.01));
}

// The momentum in space of a free body is kept to rounding in body and in spatial form.
TEST(Variational, KeepsTheMomentumOfAFreeBody) {
  for (const auto form : {RigidBody::Form::body, RigidBody::Form::spatial}) {
    RigidBody body{.form = form};
    const Reals x = body.start({{0.5, 2, 1.1}, {0, 0, 0}});
    Variational stepper = fixed(body)(0.05);
    stepper.start(body, 0, x);
    const Vec6<double> before = body.spatial_momentum(stepper.state());
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(stepper.advance(body, 1e9), StepVerdict::ok);
    const double size = max_abs(before);
    expect_near(body.spatial_momentum(stepper.state()), before, 1e-11 * size);
  }
}

/// Slope per step and range of the energy error of a run, both over the energy.
struct Drift {
  double slope, range;
};
template <class System, class Energy>
Drift energy_drift(System& system, In1 start, double h, int steps, Energy&& energy) {
  Variational stepper = fixed(system)(h);
  stepper.start(system, 0, start);
  const double first = energy(stepper.state());
  double n = 0, sum_i = 0, sum_e = 0, sum_ii = 0, sum_ie = 0, range = 0;
  for (int i = 0; i < steps; ++i) {
    if (stepper.advance(system, 1e12) != StepVerdict::ok) {
      ADD_FAILURE() << "step " << i;
      break;
    }
    const double e = (energy(stepper.state()) - first) / first, s = static_cast<double>(i) / steps;
    n += 1, sum_i += s, sum_e += e, sum_ii += s * s, sum_ie += s * e;
    range = std::max(range, std::abs(e));
  }
  return {(n * sum_ie - sum_i * sum_e) / (n * sum_ii - sum_i * sum_i), range};
}

// Over a million steps the energy error is bounded and has no trend: the fitted line rises over the
// whole run by far less than the error's range. On regular motions, of a symmetric heavy top and of
// a free body; on chaotic ones the mean itself wanders.
TEST(Variational, EnergyErrorIsBounded) {
  HeavyTop top{{2.0, 2.0, 3.2}, {0, 0, 0.4}, {0, 0, -9.81}};
  const auto energy = [](const HeavyTop& of) { return [&of](In1 x) { return of.energy(x); }; };
  const Drift drift = energy_drift(top, Reals{0.8, 0.6, 0, 0, 1, 2, 5, 0}, 0.01, many, energy(top));
  EXPECT_LT(drift.range, 5e-3);
  const double trend = 2e-3 * 1e6 / many;  // of an oscillation cut somewhere
  EXPECT_LT(std::abs(drift.slope), trend * drift.range);
  record("energy_range", drift.range);
  record("energy_trend", drift.slope);
  HeavyTop free = HeavyTop::free();
  const Drift still = energy_drift(free, start_of_free(), 0.02, many / 10, energy(free));
  EXPECT_LT(still.range, 5e-3);
  EXPECT_LT(std::abs(still.slope), trend * still.range);
}

// The work of the torque, summed at midpoints, meets the change of kinetic energy to order 2.
TEST(Variational, WorkFollowsTheEnergy) {
  HeavyTop top = HeavyTop::of_terze();
  double error[2];
  for (int k = 0; k < 2; ++k) {
    Variational stepper = fixed(top)(k == 0 ? 2e-3 : 1e-3);
    stepper.start(top, 0, HeavyTop::start_of_terze());
    ASSERT_EQ(run_to(stepper, top, 0.2), StepVerdict::ok);
    const Vec3<double> w = vec_at(stepper.state(), 4), w0{0, 150, -4.61538};
    const double gained = 0.5 * dot(w, times(top.J, w)) - 0.5 * dot(w0, times(top.J, w0));
    error[k] = std::abs(gained - stepper.state()[7]);
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.3);
}

}  // namespace axode::test::variational
