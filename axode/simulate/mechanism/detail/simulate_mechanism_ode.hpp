// The loop of the methods that integrate ordinary equations; simulate_mechanism_*.cpp instantiate
// it.
#pragma once
#include "axode/integrate/steppers/munthe_kaas.hpp"
#include "axode/simulate/mechanism/detail/simulate_mechanism_run.hpp"

namespace axode::detail {

/// A flow has, beside group() and rate():
///   void read(t, x, q, v)         the state of the mechanism in x; work is the last number of x;
///                                 all of x is in the units of the run
///   bool correct(t, q, v)         after a step: projections and choices; true if anything changed
///   void write(q, v, x)           x anew from q, v; not the work
template <class MechanismFlow>
void run_flow(MechanismRun& run, MechanismFlow& flow) {
  const MechanismSimulateOptions& o = run.options;
  const StepOptions step{o.rtol, o.atol, o.step, 0, o.max_step};
  MuntheKaas stepper(flow.group(), 5, step, o.step == 0);
  std::vector<double> x(flow.group().nx, 0.0);
  flow.write(run.q, run.v, x);
  stepper.start(flow, o.start, x);
  double t = o.start;
  while (t < run.t_end() && !run.should_end(t)) {
    const StepVerdict verdict = stepper.advance(flow, run.t_end());
    if (verdict != StepVerdict::ok) {
      run.fail(verdict, t);
      break;
    }
    t = stepper.time();
    const bool all = run.give_samples(t, [&](double at) {
      stepper.interpolate(at, x);
      flow.read(at, x, run.q, run.v);
      return x.back() * run.units.energy;
    });
    if (!all) break;
    flow.read(t, stepper.state(), run.q, run.v);
    bool lost = false;
    if (flow.correct(t, run.q, run.v, lost)) {
      flow.write(run.q, run.v, stepper.x);
      stepper.rate_known = false;
    }
    if (lost) {
      run.fail(MechanismRunResult::Ending::not_converged, t,
               "the equations were lost at t = " + std::to_string(t) + " s: " + run.dynamics.why());
      break;
    }
  }
  run.result.statistics = stepper.statistics();
  run.result.statistics.factorizations = run.dynamics.factorizations();
  flow.read(t, stepper.state(), run.q, run.v);
  run.end(t, stepper.state().back() * run.units.energy);
}

}  // namespace axode::detail
