/// The semi-implicit (symplectic) Euler method of mechanical systems, order 1, fixed step.
///
///   v1 = v0 + h a(t0, q0, v0),  q1 = plus(q0, h v1)
///
/// One acceleration a step. Extra numbers grow by h times their rate at the start of the step.
/// Tests: tests/integrate/steppers/semi_implicit_euler_test.cpp
#pragma once
#include "axode/core/finite.hpp"
#include "axode/integrate/steppers/mechanical_step.hpp"

namespace axode {

struct SemiImplicitEuler {
  static constexpr bool restarts_at_checkpoint = false;

  /// `group` and `configuration` are those of the system; options.step is the step.
  SemiImplicitEuler(const LieGroup& group, const LieGroup& configuration,
                    const StepOptions& options)
      : step(group, configuration, options, "SemiImplicitEuler"), increment(step.nv) {}

  template <Mechanical System>
  void start(System&, double t, std::span<const double> x) {
    step.start(t, x);
  }
  template <Mechanical System>
  StepVerdict advance(System& system, double t_stop);
  double time() const noexcept { return step.t; }
  double previous_time() const noexcept { return step.t_before; }
  std::span<const double> state() const noexcept { return step.x; }
  void interpolate(double at, std::span<double> result) const noexcept {
    step.interpolate(at, result);
  }
  const StepStatistics& statistics() const noexcept { return step.counts; }
  void save(std::vector<double>& numbers) const {
    numbers.clear();
    step.save(numbers);
  }
  template <Mechanical System>
  void load(System&, std::span<const double> numbers) {
    check_saved(numbers, step.saved(), "SemiImplicitEuler::load");
    step.load(numbers);
  }

  MechanicalStep step;
  std::vector<double> increment;
};

template <Mechanical System>
StepVerdict SemiImplicitEuler::advance(System& system, double t_stop) {
  step.t_before = step.t;
  if (!(t_stop > step.t)) return StepVerdict::ok;
  double end = step.t, length = 0;
  const auto attempt = [&](double, double h, double&) {
    length = h;
    ++step.counts.rates;
    const std::span<double> rate = step.rate;
    // The rate of the whole state has the acceleration in it, after the velocity.
    const bool known = step.has_extra() ? system.rate(step.t, std::span<const double>(step.x), rate)
                                        : system.acceleration(step.t, step.q(), step.v(),
                                                              rate.subspan(step.nv, step.nv));
    if (!known) return StepVerdict::no_rate;
    const std::span<double> v = step.trial_v();
    for (std::size_t i = 0; i < step.nv; ++i) {
      v[i] = step.v()[i] + h * rate[step.nv + i];
      increment[i] = h * v[i];
    }
    plus(step.configuration, step.q(), increment, step.trial_q());
    step.add_extra(rate, h);
    return all_finite(step.trial) ? StepVerdict::ok : StepVerdict::not_finite;
  };
  const StepVerdict verdict = take_step(step.size, step.counts, step.t, t_stop, end, attempt);
  if (verdict == StepVerdict::ok) step.accept(end, length);
  return verdict;
}

}  // namespace axode
