#include <algorithm>

#include "axode/simulate/mechanism/detail/simulate_mechanism_ode.hpp"

namespace axode::detail {
namespace {

/// x = (q, v, work), with accelerations of the index-1 equations.
struct IndexOneFlow {
  MechanismRun& run;
  bool projects;
  LieGroup whole;
  std::size_t nx, nv;
  std::vector<double> lambda, q_, v_;

  IndexOneFlow(MechanismRun& of, bool projecting)
      : run(of),
        projects(projecting),
        whole(LieGroup(of.system.configuration()).real(of.system.configuration().nv + 1)),
        nx(of.system.configuration().nx),
        nv(of.system.configuration().nv),
        lambda(of.lambda.size()),
        q_(nx),
        v_(nv) {}
  const LieGroup& group() const noexcept { return whole; }
  bool rate(double t, std::span<const double> x, std::span<double> r) {
    run.from_units(x, q_, v_);
    std::ranges::copy(x.subspan(nx, nv), r.begin());
    const std::span<double> a = r.subspan(nv, nv);
    if (!run.dynamics.accelerate(t, q_, v_, a, lambda)) return false;
    for (std::size_t k = 0; k < nv; ++k) a[k] /= run.units.v[k];
    r[2 * nv] = run.dynamics.power(t, q_, v_, lambda) / run.units.energy;
    return true;
  }
  void read(double, std::span<const double> x, std::span<double> q, std::span<double> v) const {
    run.from_units(x, q, v);
  }
  void write(std::span<const double> q, std::span<const double> v, std::span<double> x) const {
    run.to_units(q, v, x);
  }
  bool correct(double t, std::span<double> q, std::span<double> v, bool& lost) {
    if (projects) lost = !run.dynamics.project(t, q, v);
    if (!run.system.refresh(q, v)) return projects;
    run.dynamics.forget();
    ++run.result.restarts;
    // Errors of one form may be large in another.
    lost = lost || !run.dynamics.project(t, q, v);
    return true;
  }
};
}  // namespace

void run_index_one(MechanismRun& run) {
  const MechanismSimulateOptions& o = run.options;
  const bool lagrangian = o.method == MechanismMethod::augmented_lagrangian;
  if (o.method == MechanismMethod::baumgarte) {
    run.dynamics.alpha = o.baumgarte_alpha;
    run.dynamics.beta = o.baumgarte_beta;
  } else if (lagrangian) {
    run.dynamics.alpha = o.omega * o.mu;
    run.dynamics.beta = o.omega;
    run.dynamics.solver.penalty = o.penalty;
    run.dynamics.solver.max_iterations = o.max_iterations;
    run.dynamics.solver.tolerance = o.iteration_tolerance;
  }
  run.project_samples = o.method != MechanismMethod::baumgarte && (!lagrangian || o.project);
  IndexOneFlow flow(run, run.project_samples);
  run_flow(run, flow);
}

}  // namespace axode::detail
