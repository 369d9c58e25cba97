/// Munthe-Kaas methods: Runge-Kutta methods of orders 1 to 5 in the algebra of a Lie group.
///
///   x(t) = plus(x0, Theta(t)),  Theta' = inverse_dexp(Theta, v(t, x)),  Theta(t0) = 0
///                                   [MuntheKaas; MuellerDyn (88)-(89) with docs/errata.md]
///
/// Each step solves the equation of Theta by a method of tableau.hpp. On real numbers it is that
/// method. Step control by its error estimate, or a fixed step. Dense output in Theta: of order 5
/// the method's own of order 4, else Hermite's cubic, of order 3. Cost beside the rates, order 5,
/// 14 real numbers: about 0.2 us per step; a rotation 60 ns per rate.
/// Tests: tests/integrate/steppers/munthe_kaas_test.cpp
#pragma once
#include <cmath>

#include "axode/core/finite.hpp"
#include "axode/integrate/stepper.hpp"
#include "axode/integrate/steppers/tableau.hpp"
#include "axode/integrate/system.hpp"

namespace axode {

struct MuntheKaas {
  static constexpr bool restarts_at_checkpoint = false;

  /// Order 1 to 5. With `adaptive` false every step has the length options.step.
  MuntheKaas(const LieGroup& of, int order, const StepOptions& options, bool adaptive = true);

  template <Flow System>
  void start(System& system, double start_time, std::span<const double> start_state);
  template <Flow System>
  StepVerdict advance(System& system, double t_stop);
  /// Another state at time(), or the same one of other equations; the length of the next step stays.
  void replace(std::span<const double> state) {
    x.assign(state.begin(), state.end());
    rate_known = false;
  }
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
  const Tableau* method;
  StepSize size;
  StepStatistics counts;
  bool real_group, rate_known = false;
  double t = 0, t_before = 0, h_before = 0;
  std::vector<double> x, x_before, trial;
  std::vector<double> theta, rate;      ///< of the stage at work; `rate`: at x between the steps
  std::vector<double> k;                ///< rates of Theta of all stages
  mutable std::vector<double> scratch;  ///< of the dense output, and of the error

 private:
  std::span<double> stage(int i) noexcept;
  template <class System>
  bool first_rate(System& system);
  template <class System>
  StepVerdict attempt(System& system, double end, double h, double& error);
  double estimate(double h) noexcept;
  void accept(double end, double h) noexcept;
  void restore(std::span<const double> numbers);
};

template <Flow System>
void MuntheKaas::start(System&, double start_time, std::span<const double> start_state) {
  t = t_before = start_time;
  h_before = 0;
  x.assign(start_state.begin(), start_state.end());
  size.restart(t);
  rate_known = false;
}

/// The rate at x, and the first step from there if it is to be chosen.
template <class System>
bool MuntheKaas::first_rate(System& system) {
  ++counts.rates;
  if (!system.rate(t, std::span<const double>(x), std::span<double>(rate))) return false;
  rate_known = true;
  if (!size.adaptive || size.h > 0) return true;
  const double probe = first_probe(group, size.options, x, rate);
  for (std::size_t i = 0; i < theta.size(); ++i) theta[i] = probe * rate[i];
  plus(group, x, theta, trial);
  ++counts.rates;
  const std::span<double> later = stage(1);
  size.h = system.rate(t + probe, std::span<const double>(trial), later)
               ? first_step(group, size.options, method->order, x, rate, later, probe, theta)
               : probe;
  return true;
}

template <class System>
StepVerdict MuntheKaas::attempt(System& system, double end, double h, double& error) {
  const int last = method->stages - 1;
  for (int i = 1; i <= last; ++i) {
    const std::size_t row = i;
    const double* weights = method->a[row].data();
    if (real_group) {
      combine(i, weights, h, k.data(), group.nv, x.data(), trial.data());
    } else {
      combine(i, weights, h, k.data(), group.nv, nullptr, theta.data());
      plus(group, x, theta, trial);
    }
    const std::span<double> out = i == last && !real_group ? std::span<double>(rate) : stage(i);
    ++counts.rates;
    const double at = method->c[row] == 1 ? end : t + method->c[row] * h;
    if (!system.rate(at, std::span<const double>(trial), out)) return StepVerdict::no_rate;
    if (!real_group) inverse_dexp(group, theta, out, stage(i));
  }
  if (size.adaptive) {
    error = estimate(h);
    if (!std::isfinite(error)) return StepVerdict::not_finite;
  }
  return all_finite(trial) && all_finite(stage(last)) ? StepVerdict::ok : StepVerdict::not_finite;
}

template <Flow System>
StepVerdict MuntheKaas::advance(System& system, double t_stop) {
  t_before = t;
  if (!(t_stop > t)) return StepVerdict::ok;
  if (!rate_known && !first_rate(system)) return StepVerdict::no_rate;
  if (!all_finite(rate)) return StepVerdict::not_finite;
  std::copy(rate.begin(), rate.end(), k.begin());
  double end = t, step = 0;
  const StepVerdict verdict = take_step(
      size, counts, t, t_stop, end,
      [&](double at, double h, double& error) { return attempt(system, at, step = h, error); });
  if (verdict == StepVerdict::ok)
    accept(end, step);
  else
    rate_known = false;  // `rate` may be that of a stage
  return verdict;
}

}  // namespace axode
