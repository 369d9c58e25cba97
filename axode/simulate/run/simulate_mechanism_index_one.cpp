// Mechanisms by the equations of index 1: Baumgarte, projection, augmented Lagrangian.
#include <algorithm>

#include "axode/integrate/steppers/munthe_kaas.hpp"
#include "axode/simulate/run/detail/mechanism_run.hpp"

namespace axode::detail {
namespace {

/// x = (q, v, work) in units, with accelerations of the index-1 equations.
struct IndexOne : MechanismModel {
  static constexpr bool has_work = true;
  LieGroup whole;
  std::size_t nx, nv;
  std::vector<double> trial_q, trial_v, multiplier;  ///< of a stage

  IndexOne(const RunTask& of, MechanismSystem& with)
      : MechanismModel(of, with),
        whole(LieGroup(with.configuration()).real(with.configuration().nv + 1)),
        nx(with.configuration().nx),
        nv(with.configuration().nv),
        trial_q(nx),
        trial_v(nv),
        multiplier(lambda.size()) {}
  const LieGroup& group() const noexcept { return whole; }
  bool rate(double t, std::span<const double> x, std::span<double> r) {
    if (nv == 0) {  // all welded to the world
      r[0] = 0;
      return true;
    }
    from_units(x, trial_q, trial_v);
    std::ranges::copy(x.subspan(nx, nv), r.begin());
    const std::span<double> rates_of_v = r.subspan(nv, nv);
    if (!dynamics.accelerate(t, trial_q, trial_v, rates_of_v, multiplier)) return false;
    for (std::size_t k = 0; k < nv; ++k) rates_of_v[k] /= units.v[k];
    r[2 * nv] = dynamics.power(t, trial_q, trial_v, multiplier) / units.energy;
    return true;
  }
  void look(double, std::span<const double> x) { from_units(x, q_, v_); }
  double work(std::span<const double> x) const { return x.back() * units.energy; }
  void put(double t, std::span<const double> q, std::span<const double> v, std::span<double> x) {
    meet_equations(t, q, v);
    to_units(q_, v_, x);
  }
  Correction correct(double t, std::span<double> x) {
    look(t, x);
    if (project_samples && !dynamics.project(t, q_, v_)) return lose();
    const bool refreshed = refresh();
    // Errors of one form may be large in another.
    if (refreshed && !dynamics.project(t, q_, v_)) return lose();
    if (!refreshed && !project_samples) return Correction::unchanged;
    to_units(q_, v_, x);
    return refreshed ? Correction::equations : Correction::state;
  }
  Correction lose() {
    why_not = dynamics.why();
    return Correction::lost;
  }
};
}  // namespace

RunResult run_index_one(const RunTask& task, MechanismSystem& system,
                        const State<double>& initial) {
  const MechanismRunOptions& o = task.options.mechanism;
  const bool lagrangian = task.method == Method::augmented_lagrangian;
  RunResult refused;
  IndexOne model(task, system);
  // The start is found by plain equations, whatever the method makes of them.
  if (!task.resume && !model.begin(initial, refused)) return refused;
  if (task.method == Method::baumgarte) {
    model.dynamics.alpha = o.baumgarte_alpha;
    model.dynamics.beta = o.baumgarte_beta;
  } else if (lagrangian) {
    model.dynamics.alpha = o.omega * o.mu;
    model.dynamics.beta = o.omega;
    model.dynamics.solver.penalty = o.penalty;
    model.dynamics.solver.max_iterations = o.max_iterations;
    model.dynamics.solver.tolerance = o.iteration_tolerance;
  }
  model.project_samples = task.method != Method::baumgarte && (!lagrangian || o.project);
  const StepOptions step = step_options(task);
  return run_loop(
      task, model, model, [&] { return MuntheKaas(model.group(), 5, step, step.step == 0); },
      [&] {
        std::vector<double> x(model.group().nx, 0.0);
        model.to_units(model.q(), model.v(), x);
        return x;
      });
}

}  // namespace axode::detail
