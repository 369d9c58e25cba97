/// What the integrators of fixed step on mechanical systems share: the state x = (q, v, extra), its
/// parts, the clock, dense output, saving.
///
/// Dense output: Hermite's cubic in q, linear in v and the extra numbers, which is of order 2.
/// Tests: tests/integrate/steppers/mechanical_step_test.cpp
#pragma once
#include <span>
#include <vector>

#include "axode/integrate/stepper.hpp"
#include "axode/integrate/system.hpp"

namespace axode {

struct MechanicalStep {
  /// `group` is that of the whole state, `of` that of q; options.step is the step.
  MechanicalStep(const LieGroup& group, const LieGroup& of, const StepOptions& options,
                 const char* where);

  void start(double start_time, std::span<const double> start_state) noexcept;
  /// Makes `trial` the state at time `end`.
  void accept(double end, double h) noexcept;
  void interpolate(double at, std::span<double> result) const noexcept;
  /// Appends the numbers of the state and the clock; load returns those after them.
  std::size_t saved() const noexcept { return 1 + StepSize::saved + x.size(); }
  void save(std::vector<double>& numbers) const;
  std::span<const double> load(std::span<const double> numbers) noexcept;

  std::span<const double> q() const noexcept { return {x.data(), nq}; }
  std::span<const double> v() const noexcept { return {x.data() + nq, nv}; }
  std::span<double> trial_q() noexcept { return {trial.data(), nq}; }
  std::span<double> trial_v() noexcept { return {trial.data() + nq, nv}; }
  bool has_extra() const noexcept { return x.size() > nq + nv; }
  /// The extra numbers of `trial`: those of x plus h times those `of` the rate.
  void add_extra(std::span<const double> of, double h) noexcept;

  LieGroup configuration;
  std::size_t nq, nv;
  StepSize size;
  StepStatistics counts;
  double t = 0, t_before = 0, h_before = 0;
  std::vector<double> x, x_before, trial;
  std::vector<double> rate;  ///< of the whole state
  mutable std::vector<double> scratch;
};

}  // namespace axode
