/// What all one-step integrators share: verdicts, options, statistics, error norm, step control.
///
/// A stepper is a value: start it, advance it step by step, ask for states within the last step.
///   error norm   sqrt(sum (e_i/w_i)^2 / n),  w_i = atol + rtol max(|x0|, |x1|), rotations with 1
///   step size    h_new = h 0.9 err^(-1/k + 0.75 b) err_before^b, b = 0.2/k   (PI control)
///                                                                        [HairerOde II.4, IV.2]
/// Tests: tests/integrate/stepper_test.cpp
#pragma once
#include <algorithm>
#include <concepts>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "axode/integrate/lie_group.hpp"
#include "axode/linalg/dense.hpp"

namespace axode {

enum class StepVerdict {
  ok,
  not_finite,      ///< NaN or infinity, even in the smallest step
  step_underflow,  ///< the tolerance is not met by the smallest step
  not_converged,   ///< the equations of an implicit step were not solved
  no_rate,         ///< the system has no rate here, even in the smallest step
};

struct StepOptions {
  double rtol = 1e-6, atol = 1e-9;
  double step = 0;  ///< the fixed step, or the first one; 0: chosen
  double min_step = 0;
  double max_step = 0;  ///< 0: any

  double longest() const noexcept {
    return max_step > 0 ? max_step : std::numeric_limits<double>::infinity();
  }
};

struct StepStatistics {
  long steps = 0, rejected = 0, rates = 0, jacobians = 0, factorizations = 0, iterations = 0;

  friend constexpr StepStatistics operator+(const StepStatistics& a, const StepStatistics& b) {
    return {a.steps + b.steps,
            a.rejected + b.rejected,
            a.rates + b.rates,
            a.jacobians + b.jacobians,
            a.factorizations + b.factorizations,
            a.iterations + b.iterations};
  }
  friend constexpr StepStatistics operator-(const StepStatistics& a, const StepStatistics& b) {
    return {a.steps - b.steps,
            a.rejected - b.rejected,
            a.rates - b.rates,
            a.jacobians - b.jacobians,
            a.factorizations - b.factorizations,
            a.iterations - b.iterations};
  }
};

/// start() begins, also anew after a discontinuity. advance() makes one step that is accepted and
/// does not pass t_stop; if it would come there within rounding it lands on it exactly. On failure
/// time() and state() stay those of the last good step. interpolate() is the dense output of the
/// last step, previous_time() <= t <= time(). Continuing after load() gives the bits of continuing
/// after save(); dense output is there again after the next step.
template <class S, class System>
concept Stepper = requires(S& s, System& system, double t, std::span<const double> x,
                           std::span<double> result, std::vector<double>& numbers) {
  { s.start(system, t, x) } -> std::same_as<void>;
  { s.advance(system, t) } -> std::same_as<StepVerdict>;
  { std::as_const(s).time() } -> std::same_as<double>;
  { std::as_const(s).previous_time() } -> std::same_as<double>;
  { std::as_const(s).state() } -> std::same_as<std::span<const double>>;
  { std::as_const(s).interpolate(t, result) } -> std::same_as<void>;
  { std::as_const(s).statistics() } -> std::same_as<const StepStatistics&>;
  { std::as_const(s).save(numbers) } -> std::same_as<void>;
  { s.load(system, x) } -> std::same_as<void>;
  { S::restarts_at_checkpoint } -> std::convertible_to<bool>;
};

/// Throws Error if a tolerance or step is negative or NaN, or a fixed step is asked for and not
/// given. `where` names the method.
void check_options(const StepOptions& options, bool adaptive, const char* where);

/// The error of a step in units of the tolerance: at most 1 is good. `error` is in the algebra.
double error_norm(const LieGroup& group, const StepOptions& options, std::span<const double> x0,
                  std::span<const double> x1, std::span<const double> error) noexcept;

/// A first step for a method of order `order`, rather too short [HairerOde II.4]: first_probe is
/// the length of an Euler step to make, rate_at_probe the rate after it; nv numbers of scratch.
double first_probe(const LieGroup& group, const StepOptions& options, std::span<const double> x,
                   std::span<const double> rate) noexcept;
double first_step(const LieGroup& group, const StepOptions& options, int order,
                  std::span<const double> x, std::span<const double> rate,
                  std::span<const double> rate_at_probe, double probe,
                  std::span<double> scratch) noexcept;

/// PI control of the step size for an error estimate of size h^k.
struct StepControl {
  double exponent = 0.2, memory = 0;  ///< 1/k and b
  double before = 1e-4;               ///< error of the last accepted step
  bool rejected = false;              ///< the step before was rejected: do not grow

  static StepControl of_order(int k) noexcept;
  /// By what to multiply the step after an error that is accepted (<= 1) or not.
  double accept(double error) noexcept;
  double reject(double error) noexcept;
};

/// The grid of a fixed step: times t0 + n h, which do not drift.
struct StepClock {
  double t0 = 0, step = 0, n = 0;

  struct Plan {
    double t, h;  ///< end and length of the next step
    bool on_grid;
  };
  /// The next step from time t, cut at t_stop.
  Plan plan(double t, double t_stop) const noexcept;
  void accept(const Plan& plan) noexcept;
};

/// The end of a step h from t: t_stop exactly if that is passed or missed by rounding, and half the
/// rest before it rather than a tiny one later.
double step_end(double t, double h, double t_stop) noexcept;

/// All that decides how long a step is; `h` is the step to try next.
struct StepSize {
  StepOptions options;
  bool adaptive = true;
  double h = 0;
  StepControl control;
  StepClock clock;

  void restart(double t) noexcept;
  /// After a step from t to `end` that failed: the next try, or false if the smallest one was
  /// tried.
  bool shrink(double t, double end, double error) noexcept;
  static constexpr std::size_t saved = 5;  ///< how many numbers it saves
  /// Appends to the numbers.
  void save(std::vector<double>& numbers) const;
  /// The numbers after those read.
  std::span<const double> load(std::span<const double> numbers) noexcept;
};

/// Makes one step from t: calls attempt(end, h, error), which gives a verdict and the error in
/// units of the tolerance, until it is ok and the error is at most 1. Sets `end` to where the step
/// came.
template <class Attempt>
StepVerdict take_step(StepSize& size, StepStatistics& statistics, double t, double t_stop,
                      double& end, Attempt&& attempt) {
  double error = 0;
  if (!size.adaptive) {
    const StepClock::Plan plan = size.clock.plan(t, t_stop);
    const StepVerdict verdict = attempt(end = plan.t, plan.h, error);
    if (verdict != StepVerdict::ok) return verdict;
    size.clock.accept(plan);
    ++statistics.steps;
    return verdict;
  }
  // Shorter steps than some roundings of t would not get on.
  const double least = 8 * std::numeric_limits<double>::epsilon() * std::abs(t);
  while (true) {
    end = step_end(t, std::max(size.h, least), t_stop);
    const double h = end - t;
    StepVerdict verdict = attempt(end, h, error);
    if (verdict == StepVerdict::ok && error <= 1) {
      const double next = h * size.control.accept(error);
      // A step cut at t_stop says little about the next one, unless that must be shorter.
      size.h = h < size.h ? (next < h ? next : std::max(next, size.h)) : next;
      size.h = std::clamp(size.h, size.options.min_step, size.options.longest());
      ++statistics.steps;
      return verdict;
    }
    ++statistics.rejected;
    if (verdict != StepVerdict::ok) error = std::numeric_limits<double>::infinity();
    if (!size.shrink(t, end, error))
      return verdict == StepVerdict::ok ? StepVerdict::step_underflow : verdict;
  }
}

/// Throws Error unless there are as many numbers as save() wrote.
void check_saved(std::span<const double> numbers, std::size_t count, const char* where);

}  // namespace axode
