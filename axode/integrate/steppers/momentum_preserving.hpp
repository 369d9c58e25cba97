/// An integrator that keeps the balance of the momenta in space, order 2, fixed step.
///
///   v_m = (v0 + v1)/2,  q_m = plus(q0, h/2 v_m),  q1 = plus(q0, h v_m),
///   J(q_m)^T (Pi(q1, v1) - Pi_0 - h W(t0 + h/2, q_m, v_m)) = 0            for v1
///
/// the balance of spatial momenta [MuellerDyn (36), (79)] over one step. The total momentum of what
/// moves freely is carried from step to step as numbers of its own (with the rounding of its sum),
/// so that rounding does not add up. Solved to rounding by Broyden's method from the mass matrix;
/// extra numbers grow by their rate at the midpoint. Cost: about 6 iterations of momentum_balance
/// and solve_mass.
/// Tests: tests/integrate/steppers/momentum_preserving_test.cpp
#pragma once
#include "axode/core/finite.hpp"
#include "axode/integrate/steppers/detail/quasi_newton.hpp"
#include "axode/integrate/steppers/mechanical_step.hpp"

namespace axode {

/// sum += term, with what rounding took away in `lost`: the sum is sum + lost.
inline void compensated_add(double& sum, double& lost, double term) noexcept {
  const double wanted = lost + term, result = sum + wanted;
  const double came = result - sum;
  lost = (sum - (result - came)) + (wanted - came);
  sum = result;
}

struct MomentumPreserving {
  static constexpr bool restarts_at_checkpoint = false;

  /// `group` and `configuration` are those of the system, `carried_size` its carried_size();
  /// options.step is the step.
  MomentumPreserving(const LieGroup& group, const LieGroup& configuration, int carried_size,
                     const StepOptions& options)
      : step(group, configuration, options, "MomentumPreserving"),
        solver(configuration.nv),
        carried(carried_size),
        next_carried(carried),
        before(step.nv) {
    middle.resize(step.x.size());
    for (auto* numbers : {&v1, &increment, &residual}) numbers->resize(step.nv);
  }

  template <MomentumBalanced System>
  void start(System& system, double t, std::span<const double> x);
  template <MomentumBalanced System>
  StepVerdict advance(System& system, double t_stop);
  double time() const noexcept { return step.t; }
  double previous_time() const noexcept { return step.t_before; }
  std::span<const double> state() const noexcept { return step.x; }
  void interpolate(double at, std::span<double> result) const noexcept {
    step.interpolate(at, result);
  }
  const StepStatistics& statistics() const noexcept { return step.counts; }
  void save(std::vector<double>& numbers) const;
  template <MomentumBalanced System>
  void load(System&, std::span<const double> numbers);

  MechanicalStep step;
  QuasiNewton solver;
  bool known = false;                         ///< start_balance had a value
  std::vector<double> carried, next_carried;  ///< numbers of the system
  std::vector<double> before;                 ///< change of v in the last step, per time

 private:
  std::vector<double> middle, v1, increment, residual;
  template <class System>
  bool equation(System& system, double h, std::span<const double> at, std::span<double> r);
  template <class System>
  StepVerdict attempt(System& system, double h);
};

template <MomentumBalanced System>
void MomentumPreserving::start(System& system, double t, std::span<const double> x) {
  step.start(t, x);
  known = system.start_balance(t, step.q(), step.v(), std::span<double>(carried)) &&
          all_finite(carried);
  std::fill(before.begin(), before.end(), 0.0);
}

template <class System>
bool MomentumPreserving::equation(System& system, double h, std::span<const double> at,
                                  std::span<double> r) {
  const std::span<double> q_m(middle.data(), step.nq), v_m(middle.data() + step.nq, step.nv);
  for (std::size_t i = 0; i < step.nv; ++i) {
    v_m[i] = 0.5 * (step.v()[i] + at[i]);
    increment[i] = 0.5 * h * v_m[i];
  }
  plus(step.configuration, step.q(), increment, q_m);
  for (std::size_t i = 0; i < step.nv; ++i) increment[i] = h * v_m[i];
  plus(step.configuration, step.q(), increment, step.trial_q());
  return system.momentum_balance(
      step.t, h, step.q(), step.v(), std::span<const double>(q_m), std::span<const double>(v_m),
      std::span<const double>(step.trial_q()), at, std::span<const double>(carried), r,
      std::span<double>(next_carried));
}

template <class System>
StepVerdict MomentumPreserving::attempt(System& system, double h) {
  using Verdict = QuasiNewton::Verdict;
  for (std::size_t i = 0; i < step.nv; ++i) v1[i] = step.v()[i] + h * before[i];
  const Verdict verdict = solver.solve(
      v1, residual,
      [&](std::span<const double> at, std::span<double> r) { return equation(system, h, at, r); },
      [&](std::span<double> r) { return system.solve_mass(step.q(), r); }, step.counts.iterations);
  if (verdict == Verdict::no_value) return StepVerdict::no_rate;
  if (verdict == Verdict::not_finite) return StepVerdict::not_finite;
  if (verdict == Verdict::not_converged) return StepVerdict::not_converged;
  // Once more at the solution, which also fills q1, the midpoint and next_carried.
  ++step.counts.rates;
  if (!equation(system, h, v1, residual)) return StepVerdict::no_rate;
  std::copy(v1.begin(), v1.end(), step.trial_v().begin());
  if (step.has_extra()) {
    std::copy(step.x.begin() + static_cast<std::ptrdiff_t>(step.nq + step.nv), step.x.end(),
              middle.begin() + static_cast<std::ptrdiff_t>(step.nq + step.nv));
    if (!system.rate(step.t + 0.5 * h, std::span<const double>(middle),
                     std::span<double>(step.rate)))
      return StepVerdict::no_rate;
    step.add_extra(step.rate, h);
  }
  return all_finite(step.trial) && all_finite(next_carried) ? StepVerdict::ok
                                                            : StepVerdict::not_finite;
}

template <MomentumBalanced System>
StepVerdict MomentumPreserving::advance(System& system, double t_stop) {
  step.t_before = step.t;
  if (!(t_stop > step.t)) return StepVerdict::ok;
  if (!known) return StepVerdict::no_rate;
  double end = step.t, length = 0;
  const StepVerdict verdict =
      take_step(step.size, step.counts, step.t, t_stop, end,
                [&](double, double h, double&) { return attempt(system, length = h); });
  if (verdict != StepVerdict::ok) return verdict;
  for (std::size_t i = 0; i < step.nv; ++i) before[i] = (v1[i] - step.v()[i]) / length;
  step.accept(end, length);
  std::swap(carried, next_carried);
  return verdict;
}

inline void MomentumPreserving::save(std::vector<double>& numbers) const {
  numbers.assign({known ? 1.0 : 0.0});
  numbers.insert(numbers.end(), carried.begin(), carried.end());
  numbers.insert(numbers.end(), before.begin(), before.end());
  step.save(numbers);
}
template <MomentumBalanced System>
void MomentumPreserving::load(System&, std::span<const double> numbers) {
  check_saved(numbers, 1 + carried.size() + step.nv + step.saved(), "MomentumPreserving::load");
  known = numbers[0] != 0;
  std::copy_n(numbers.begin() + 1, carried.size(), carried.begin());
  std::copy_n(numbers.begin() + 1 + static_cast<std::ptrdiff_t>(carried.size()), step.nv,
              before.begin());
  step.load(numbers.subspan(1 + carried.size() + step.nv));
}

}  // namespace axode
