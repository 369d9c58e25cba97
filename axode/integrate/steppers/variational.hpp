/// The symplectic variational integrator of the midpoint on Lie groups, order 2, fixed step.
///
/// The discrete Lagrangian h L(q_m, xi), q_m = plus(q0, h xi/2), q1 = plus(q0, h xi), and the
/// forces at the midpoint give with X = h xi, p_m = dL/dv and g = dL/dq + forces there
///
///   p_m + h/2 dexp_{-X/2}^T g = dexp_X^T (p0 + h Ad_{exp(-X/2)}^T g)         for xi,
///   p1 = Ad_{exp X}^T p0 + h Ad_{exp(X/2)}^T g
///
/// (right factors; for left ones X changes its sign in dexp and Ad) [MarsdenWest, 1.3 and 3.2, on
/// groups]. So without forces that turn the body the momentum in space is kept to rounding, and the
/// energy error stays bounded. Carried from step to step are q and p; v is M^-1 p. The equation is
/// solved to rounding by Broyden's method from the mass matrix; extra numbers grow by their rate at
/// the midpoint. Cost: about 6 iterations of momentum, lagrangian_rate and solve_mass.
/// Tests: tests/integrate/steppers/variational_test.cpp
#pragma once
#include "axode/core/finite.hpp"
#include "axode/integrate/steppers/detail/quasi_newton.hpp"
#include "axode/integrate/steppers/mechanical_step.hpp"

namespace axode {

struct Variational {
  static constexpr bool restarts_at_checkpoint = false;

  /// `group` and `configuration` are those of the system; options.step is the step.
  Variational(const LieGroup& group, const LieGroup& configuration, const StepOptions& options)
      : step(group, configuration, options, "Variational"), solver(configuration.nv) {
    middle.resize(step.x.size());
    for (auto* numbers : {&p, &p_trial, &xi, &xi_before, &X, &half, &g, &side, &residual})
      numbers->resize(step.nv);
  }

  template <Lagrangian System>
  void start(System& system, double t, std::span<const double> x);
  template <Lagrangian System>
  StepVerdict advance(System& system, double t_stop);
  double time() const noexcept { return step.t; }
  double previous_time() const noexcept { return step.t_before; }
  std::span<const double> state() const noexcept { return step.x; }
  /// p = dL/dv at state(), which is what the method carries.
  std::span<const double> momentum() const noexcept { return p; }
  void interpolate(double at, std::span<double> result) const noexcept {
    step.interpolate(at, result);
  }
  const StepStatistics& statistics() const noexcept { return step.counts; }
  void save(std::vector<double>& numbers) const;
  template <Lagrangian System>
  void load(System&, std::span<const double> numbers);

  MechanicalStep step;
  QuasiNewton solver;
  bool p_known = false;
  double xi_step = 0;          ///< length of the step of xi_before; 0: there was none
  std::vector<double> middle;  ///< state at the midpoint
  std::vector<double> p, p_trial, xi, xi_before;

 private:
  std::vector<double> X, half, g, side, residual;
  /// q_m, g and what else the equation needs at xi.
  template <class System>
  bool equation(System& system, double h, std::span<const double> at, std::span<double> r);
  template <class System>
  StepVerdict attempt(System& system, double h);
};

template <Lagrangian System>
void Variational::start(System& system, double t, std::span<const double> x) {
  step.start(t, x);
  xi_step = 0;
  p_known = system.momentum(step.q(), step.v(), std::span<double>(p));
}

template <class System>
bool Variational::equation(System& system, double h, std::span<const double> at,
                           std::span<double> r) {
  const LieGroup& group = step.configuration;
  const std::span<double> q_m(middle.data(), step.nq);
  for (std::size_t i = 0; i < step.nv; ++i) half[i] = 0.5 * (X[i] = h * at[i]);
  plus(group, step.q(), half, q_m);
  if (!system.lagrangian_rate(step.t + 0.5 * h, q_m, at, std::span<double>(g))) return false;
  if (!system.momentum(q_m, at, r)) return false;
  dexp_transpose(group, half, g, side);
  for (std::size_t i = 0; i < step.nv; ++i) r[i] += 0.5 * h * side[i];
  for (std::size_t i = 0; i < step.nv; ++i) half[i] = -half[i], X[i] = -X[i];
  coadjoint(group, half, g, side);
  for (std::size_t i = 0; i < step.nv; ++i) side[i] = p[i] + h * side[i];
  dexp_transpose(group, X, side, side);
  for (std::size_t i = 0; i < step.nv; ++i) r[i] -= side[i];
  return true;
}

template <class System>
StepVerdict Variational::attempt(System& system, double h) {
  using Verdict = QuasiNewton::Verdict;
  const double ahead = xi_step > 0 ? h / xi_step : 0;  // xi_before lies half a step back
  for (std::size_t i = 0; i < step.nv; ++i)
    xi[i] = step.v()[i] + ahead * (step.v()[i] - xi_before[i]);
  const Verdict verdict = solver.solve(
      xi, residual,
      [&](std::span<const double> at, std::span<double> r) { return equation(system, h, at, r); },
      [&](std::span<double> r) { return system.solve_mass(step.q(), r); }, step.counts.iterations);
  if (verdict == Verdict::no_value) return StepVerdict::no_rate;
  if (verdict == Verdict::not_finite) return StepVerdict::not_finite;
  if (verdict == Verdict::not_converged) return StepVerdict::not_converged;
  // g is that of the last iteration, as good as its equation is solved.
  for (std::size_t i = 0; i < step.nv; ++i) half[i] = 0.5 * (X[i] = h * xi[i]);
  coadjoint(step.configuration, X, p, p_trial);
  coadjoint(step.configuration, half, g, side);
  for (std::size_t i = 0; i < step.nv; ++i) p_trial[i] += h * side[i];
  plus(step.configuration, step.q(), X, step.trial_q());
  const std::span<double> v = step.trial_v();
  std::copy(p_trial.begin(), p_trial.end(), v.begin());
  ++step.counts.rates;
  if (!system.solve_mass(step.trial_q(), v)) return StepVerdict::no_rate;
  if (step.has_extra()) {
    std::copy(xi.begin(), xi.end(), middle.begin() + static_cast<std::ptrdiff_t>(step.nq));
    std::copy(step.x.begin() + static_cast<std::ptrdiff_t>(step.nq + step.nv), step.x.end(),
              middle.begin() + static_cast<std::ptrdiff_t>(step.nq + step.nv));
    if (!system.rate(step.t + 0.5 * h, std::span<const double>(middle),
                     std::span<double>(step.rate)))
      return StepVerdict::no_rate;
    step.add_extra(step.rate, h);
  }
  return all_finite(step.trial) ? StepVerdict::ok : StepVerdict::not_finite;
}

template <Lagrangian System>
StepVerdict Variational::advance(System& system, double t_stop) {
  step.t_before = step.t;
  if (!(t_stop > step.t)) return StepVerdict::ok;
  if (!p_known) return StepVerdict::no_rate;
  double end = step.t, length = 0;
  const StepVerdict verdict =
      take_step(step.size, step.counts, step.t, t_stop, end,
                [&](double, double h, double&) { return attempt(system, length = h); });
  if (verdict != StepVerdict::ok) return verdict;
  step.accept(end, length);
  std::swap(p, p_trial);
  std::swap(xi, xi_before);
  xi_step = length;
  return verdict;
}

inline void Variational::save(std::vector<double>& numbers) const {
  numbers.assign({p_known ? 1.0 : 0.0, xi_step});
  numbers.insert(numbers.end(), p.begin(), p.end());
  numbers.insert(numbers.end(), xi_before.begin(), xi_before.end());
  step.save(numbers);
}
template <Lagrangian System>
void Variational::load(System&, std::span<const double> numbers) {
  check_saved(numbers, 2 + 2 * step.nv + step.saved(), "Variational::load");
  p_known = numbers[0] != 0;
  xi_step = numbers[1];
  std::copy_n(numbers.begin() + 2, step.nv, p.begin());
  std::copy_n(numbers.begin() + 2 + static_cast<std::ptrdiff_t>(step.nv), step.nv,
              xi_before.begin());
  step.load(numbers.subspan(2 + 2 * step.nv));
}

}  // namespace axode
