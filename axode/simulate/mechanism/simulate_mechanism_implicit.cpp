#include <algorithm>
#include <optional>

#include "axode/core/error.hpp"
#include "axode/integrate/steppers/generalized_alpha.hpp"
#include "axode/integrate/sundials/ida.hpp"
#include "axode/mechanism/dynamics/independent_rows.hpp"
#include "axode/simulate/mechanism/detail/simulate_mechanism_run.hpp"

namespace axode::detail {
namespace {

/// Work by Simpson's rule over each step: it is no part of the state here.
struct StepWork {
  MechanismRun& run;
  double total = 0, before = 0, from = 0, length = 0;
  double powers[3] = {};

  double power(double t) {
    return run.dynamics.accelerate(t, run.q, run.v, run.a, run.lambda)
               ? run.dynamics.power(t, run.q, run.v, run.lambda)
               : 0;
  }
  double until(double t) const {
    if (length <= 0) return total;
    const double s = std::clamp((t - from) / length, 0., 1.);
    const double b = -3 * powers[0] + 4 * powers[1] - powers[2],
                 c = 2 * (powers[0] - 2 * powers[1] + powers[2]);
    return before + length * s * (powers[0] + s * (b / 2 + s * c / 3));
  }
  template <class Read>
  void step(double t0, double t1, Read&& read) {
    if (!run.dynamics.does_work()) return;
    from = t0;
    length = t1 - t0;
    for (int k = 0; k < 3; ++k) {
      const double t = k == 2 ? t1 : t0 + length * k / 2;
      read(t);
      powers[k] = power(t);
    }
    before = total;
    total += length / 6 * (powers[0] + 4 * powers[1] + powers[2]);
  }
};

template <class Stepper>
void run_stepper(MechanismRun& run, Stepper& stepper) {
  std::vector<double> x(run.q.size() + run.v.size());
  std::optional<IndependentRows> rows;
  const auto start = [&](double t) {
    rows.emplace(run.system, independent_rows(run.system, t, run.q, run.units), run.units);
    run.to_units(run.q, run.v, x);
    stepper.start(*rows, t, x);
  };
  const auto read = [&](double t) {
    if (t == stepper.time())
      std::ranges::copy(stepper.state(), x.begin());
    else
      stepper.interpolate(t, x);
    run.from_units(x, run.q, run.v);
  };
  StepWork work{run};
  double t = run.options.start;
  try {
    start(t);
    run.result.left_out = left_out_rows(*rows);
    while (t < run.t_end() && !run.should_end(t)) {
      const StepVerdict verdict = stepper.advance(*rows, run.t_end());
      if (verdict != StepVerdict::ok) {
        run.fail(verdict, t);
        break;
      }
      work.step(t, stepper.time(), read);
      t = stepper.time();
      const bool all = run.give_samples(t, [&](double time) {
        read(time);
        return work.until(time);
      });
      read(t);
      if (!all) break;
      if (!run.system.refresh(run.q, run.v)) continue;
      run.dynamics.forget();
      ++run.result.restarts;
      start(t);
    }
  } catch (const Error& error) {
    run.fail(MechanismRunResult::Ending::singular, t, error.what());
  }
  run.result.statistics = stepper.statistics();
  run.end(t, work.total);
}
}  // namespace

void run_implicit(MechanismRun& run) {
  const MechanismSimulateOptions& o = run.options;
  const StepOptions step{o.rtol, o.atol, o.step, 0, o.max_step};
  if (o.method == MechanismMethod::ida) {
    Ida stepper(step);
    return run_stepper(run, stepper);
  }
  GeneralizedAlpha stepper({.step = step,
                            .spectral_radius = o.spectral_radius,
                            .fixed_step = o.step > 0,
                            .direct = o.method == MechanismMethod::generalized_alpha});
  run_stepper(run, stepper);
}

}  // namespace axode::detail
