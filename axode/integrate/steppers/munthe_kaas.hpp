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

}  // namespace axode
#include "axode/integrate/steppers/detail/munthe_kaas.inl"
