/// The commutator-free Lie group method of order 4: products of exponentials, no dexp.
///
///   x_2 = x0 (h/2 k1),  x_3 = x0 (h/2 k2),  x_4 = x_2 (h k3 - h/2 k1)
///   x1 = x0 (h/12 (3 k1 + 2 k2 + 2 k3 - k4)) (h/12 (-k1 + 2 k2 + 2 k3 + 3 k4))
///                                                          [CelledoniMarthinsenOwren]
/// where x (d) is plus(x, d). On real numbers it is the classical Runge-Kutta method. The error
/// estimate is h (k4 - k5)/10 with k5 at x1, which is the first rate of the next step: 4 rates and 5
/// exponentials a step. It is blind where rates depend little on x, as at the turning points of a
/// pendulum; take a fixed step, or mk4, for such motions. Dense output: Hermite's cubic in the
/// algebra, order 3.
/// Tests: tests/integrate/steppers/commutator_free_test.cpp
#pragma once
#include <array>
#include <cmath>

#include "axode/core/finite.hpp"
#include "axode/integrate/stepper.hpp"
#include "axode/integrate/system.hpp"

namespace axode {

struct CommutatorFree {
  static constexpr bool restarts_at_checkpoint = false;

  /// With `adaptive` false every step has the length options.step.
  CommutatorFree(LieGroup of, const StepOptions& options, bool adaptive = true);

  template <Flow System>
  void start(System& system, double start_time, std::span<const double> start_state);
  template <Flow System>
  StepVerdict advance(System& system, double t_stop);
  double time() const noexcept { return t; }
  double previous_time() const noexcept { return t_before; }
  std::span<const double> state() const noexcept { return x; }
  /// Not from several threads at once: the memory is shared.
  void interpolate(double at, std::span<double> result) const noexcept;
  const StepStatistics& statistics() const noexcept { return counts; }
  void save(std::vector<double>& numbers) const;
  template <Flow System>
  void load(System&, std::span<const double> numbers) {
    restore(numbers);
  }

  // What follows is the state of the integration.
  LieGroup group;
  StepSize size;
  StepStatistics counts;
  bool rate_known = false;
  double t = 0, t_before = 0, h_before = 0;
  std::vector<double> x, x_before, trial, middle;
  std::array<std::vector<double>, 5> k;  ///< k[4]: at x between the steps
  mutable std::vector<double> scratch;   ///< of the dense output and of increments

 private:
  template <class System>
  bool rate(System& system, double at, const std::vector<double>& state, std::size_t i);
  template <class System>
  bool first_rate(System& system);
  template <class System>
  StepVerdict attempt(System& system, double end, double h, double& error);
  /// result = from moved by h times the sum of w_i k_i.
  void move(const std::vector<double>& from, const std::array<double, 4>& w, double h,
            std::vector<double>& result) noexcept;
  double estimate(double h) noexcept;
  void restore(std::span<const double> numbers);
};

template <Flow System>
void CommutatorFree::start(System&, double start_time, std::span<const double> start_state) {
  t = t_before = start_time;
  x.assign(start_state.begin(), start_state.end());
  size.restart(t);
  rate_known = false;
}

template <class System>
bool CommutatorFree::rate(System& system, double at, const std::vector<double>& state,
                          std::size_t i) {
  ++counts.rates;
  return system.rate(at, std::span<const double>(state), std::span<double>(k[i]));
}

template <class System>
bool CommutatorFree::first_rate(System& system) {
  if (!rate(system, t, x, 4)) return false;
  rate_known = true;
  if (!size.adaptive || size.h > 0) return true;
  const double probe = first_probe(group, size.options, x, k[4]);
  k[0] = k[4];
  move(x, {1, 0, 0, 0}, probe, trial);
  size.h = rate(system, t + probe, trial, 1)
               ? first_step(group, size.options, 4, x, k[4], k[1], probe, k[2])
               : probe;
  return true;
}

template <class System>
StepVerdict CommutatorFree::attempt(System& system, double end, double h, double& error) {
  move(x, {0.5, 0, 0, 0}, h, middle);
  if (!rate(system, t + 0.5 * h, middle, 1)) return StepVerdict::no_rate;
  move(x, {0, 0.5, 0, 0}, h, trial);
  if (!rate(system, t + 0.5 * h, trial, 2)) return StepVerdict::no_rate;
  move(middle, {-0.5, 0, 1, 0}, h, trial);
  if (!rate(system, end, trial, 3)) return StepVerdict::no_rate;
  move(x, {3. / 12, 2. / 12, 2. / 12, -1. / 12}, h, middle);
  move(middle, {-1. / 12, 2. / 12, 2. / 12, 3. / 12}, h, trial);
  if (!rate(system, end, trial, 4)) return StepVerdict::no_rate;
  if (size.adaptive) error = estimate(h);
  const bool finite = std::isfinite(error) && all_finite(trial) && all_finite(k[4]);
  return finite ? StepVerdict::ok : StepVerdict::not_finite;
}

template <Flow System>
StepVerdict CommutatorFree::advance(System& system, double t_stop) {
  t_before = t;
  if (!(t_stop > t)) return StepVerdict::ok;
  if (!rate_known && !first_rate(system)) return StepVerdict::no_rate;
  if (!all_finite(k[4])) return StepVerdict::not_finite;
  k[0] = k[4];
  double end = t, step = 0;
  const StepVerdict verdict = take_step(
      size, counts, t, t_stop, end,
      [&](double at, double h, double& error) { return attempt(system, at, step = h, error); });
  rate_known = verdict == StepVerdict::ok;
  if (!rate_known) return verdict;
  std::swap(x_before, x);
  std::swap(x, trial);
  t = end;
  h_before = step;
  return verdict;
}

}  // namespace axode
