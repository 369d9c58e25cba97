// The loop of a flexible simulation for any stepper; simulate_flexible.cpp instantiates it.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <type_traits>

#include "axode/integrate/integrate.hpp"
#include "axode/integrate/step_limit.hpp"
#include "axode/simulate/run/simulate_flexible.hpp"
#include "axode/simulate/systems/deflection_watch.hpp"

namespace axode::detail {

/// What every method is given.
struct FlexibleTask {
  const FlexibleTree& tree;
  const FlexibleForces& forces;
  std::vector<double> q, v;
  const FlexibleSimulateOptions& options;
  const std::function<void(const FlexibleSample&)>& observer;
  Method method;
};

/// Samples with their energies, and deflections after each step. `has_work`: the state ends with
/// the work; else it is summed by Simpson's rule over each step.
template <class Stepper, bool has_work>
struct FlexibleWatcher {
  const FlexibleTask& task;
  FlexibleSystem& system;    ///< to look at states
  FlexibleSystem& stepping;  ///< of the stepper
  DeflectionWatch deflections;
  double energy_0 = 0, drift = 0, scale = 0;
  long samples = 0;
  StepLimit limit{};  ///< goes on where the equations change
  double fell_back = std::numeric_limits<double>::quiet_NaN();  ///< end of the first step that did
  double last_time = 0, work_before = 0, work_sum = 0, step_length = 0;
  std::array<double, 3> powers{};  ///< at start, middle and end of the last step
  std::vector<double> x_mid{}, nothing{};
  std::atomic<bool> interrupt = false;  ///< by the user, or to change the equations
  bool change = false;

  /// Where the linear mass matrix has lost most of its definiteness the linear equations are left
  /// before they go astray, and taken again when it is back.
  void choose_equations() {
    constexpr double leave = 0.1, back = 0.3;
    const FlexibleDynamicsOptions& o = task.options.dynamics;
    if (!o.fall_back || o.model == FlexibleModel::nonlinear) return;
    const double left = system.definiteness().left;
    change = stepping.takes_exact() ? left > back : left < leave;
  }
  void change_equations() {
    change = interrupt = false;
    stepping.take_exact(!stepping.takes_exact());
    system.take_exact(stepping.takes_exact());
  }
  void look(double t, std::span<const double> x) {
    const std::size_t n = task.q.size();
    system.place(t, x.first(n), x.subspan(n, n));
  }
  double power_at(double t, std::span<const double> x) {
    look(t, x);
    return system.evaluate(t) ? system.power() : 0;
  }
  double work_between(double t) const {
    if (step_length <= 0) return work_sum;
    const double s = std::clamp((t - last_time) / step_length, 0., 1.);
    const double b = -3 * powers[0] + 4 * powers[1] - powers[2],
                 c = 2 * (powers[0] - 2 * powers[1] + powers[2]);
    return work_before + step_length * s * (powers[0] + s * (b / 2 + s * c / 3));
  }
  void step(const Stepper& stepper) {
    if (is_told_to_stop()) interrupt = true;
    deflections.look(stepper.time(), stepper.state());
    look(stepper.time(), stepper.state());
    choose_equations();
    if (std::isnan(fell_back) && stepping.fallbacks() > 0) fell_back = stepper.time();
    if constexpr (!has_work) {
      last_time = stepper.previous_time();
      step_length = stepper.time() - last_time;
      x_mid.resize(stepper.state().size());
      stepper.interpolate(last_time, x_mid);
      powers[0] = power_at(last_time, x_mid);
      stepper.interpolate(last_time + step_length / 2, x_mid);
      powers[1] = power_at(last_time + step_length / 2, x_mid);
      powers[2] = power_at(stepper.time(), stepper.state());
      work_before = work_sum;
      work_sum += step_length / 6 * (powers[0] + 4 * powers[1] + powers[2]);
    }
  }
  bool is_told_to_stop() const {
    return task.options.stop && task.options.stop->load(std::memory_order_relaxed);
  }
  void sample(double t, std::span<const double> x) {
    if (is_told_to_stop()) interrupt = true;  // one step may have many samples
    look(t, x);
    const FlexibleDynamics::Energies energy = system.energies();
    const bool known = system.evaluate(t);
    FlexibleSample s;
    s.t = t;
    s.q = system.q();
    s.v = system.v();
    s.rates = system.rates();
    s.tau = system.tau();
    if (!known) {
      nothing.assign(task.q.size(), std::numeric_limits<double>::quiet_NaN());
      s.rates = nothing;
    }
    s.kinetic = energy.kinetic;
    s.gravity = energy.gravity;
    s.elastic = energy.elastic;
    if constexpr (has_work)
      s.work = x.back();
    else
      s.work = work_between(t);
    const double total = s.kinetic + s.gravity + s.elastic;
    if (samples++ == 0) energy_0 = total - s.work;
    drift = std::max(drift, std::abs(total - energy_0 - s.work));
    scale = std::max(scale, s.kinetic);
    if (task.observer) task.observer(s);
  }
  void accepted(const Stepper& stepper) {
    if (task.options.sample_interval == 0 && task.options.sample_times.empty())
      sample(stepper.time(), stepper.state());
    if (change) interrupt = true;  // only now: an interruption ends the samples of a step
  }
  StepLimit& step_limit() { return limit; }
  double next_discontinuity(double t) { return axode::next_discontinuity(task.forces, t); }
};

/// How a failed step is told.
void explain_failure(const FlexibleTask& task, StepVerdict verdict, FlexibleSystem& system,
                     FlexibleRunResult& result);
/// A run that needs too many steps.
void explain_limit(const FlexibleTask& task, const StepLimit& limit, FlexibleRunResult& result);

template <bool has_work, class Stepper>
FlexibleRunResult run_flexible(const FlexibleTask& task, FlexibleSystem& system,
                               Stepper&& stepper) {
  using Plain = std::remove_cvref_t<Stepper>;
  const FlexibleSimulateOptions& o = task.options;
  // Samples are looked at by another system: the stepper's keeps what it has evaluated.
  FlexibleSystem looking(task.tree, task.forces, o.dynamics);
  looking.place(o.start, task.q, task.v);
  std::vector<double> x = looking.q();
  x.insert(x.end(), looking.v().begin(), looking.v().end());
  if (has_work) x.push_back(0);
  FlexibleWatcher<Plain, has_work> watcher{task, looking, system,
                                           DeflectionWatch(task.tree, o.small_deflection)};
  if (o.stop && o.stop->load()) watcher.interrupt = true;
  IntegratePlan plan;
  plan.origin = o.start;
  if (o.sample_times.empty()) plan.sample_interval = o.sample_interval;
  plan.sample_times = o.sample_times;
  plan.stop = &watcher.interrupt;
  plan.max_steps = o.max_steps > 0 ? o.max_steps
                                   : default_max_steps(o.duration, o.step, o.max_step,
                                                       share_of_steps(many_long_steps, o.duration));

  FlexibleRunResult result;
  result.method = task.method;
  result.t = o.start;
  result.q = looking.q();
  result.v = looking.v();
  watcher.deflections.look(o.start, x);
  std::vector<double> rates(task.q.size());
  if (!system.acceleration(o.start, result.q, result.v, rates)) {
    explain_failure(task, StepVerdict::no_rate, system, result);
    return result;
  }
  stepper.start(system, o.start, x);
  watcher.accepted(stepper);
  const double end = o.start + o.duration;
  IntegrateResult outcome = integrate(system, stepper, end, plan, watcher);
  while (outcome.ending == IntegrateResult::Ending::stopped && watcher.change &&
         !watcher.is_told_to_stop()) {
    watcher.change_equations();
    x.assign(stepper.state().begin(), stepper.state().end());
    stepper.start(system, stepper.time(), x);
    plan.resumed = true;
    outcome = integrate(system, stepper, end, plan, watcher);
  }
  result.t = outcome.t;
  result.statistics = stepper.statistics();
  watcher.look(outcome.t, outcome.x);
  result.q = looking.q();
  result.v = looking.v();
  if (outcome.ending == IntegrateResult::Ending::failed)
    explain_failure(task, outcome.verdict, system, result);
  else if (outcome.ending == IntegrateResult::Ending::stopped)
    result.ending = Ending::stopped;
  else if (outcome.ending == IntegrateResult::Ending::step_limit)
    explain_limit(task, watcher.limit, result);
  result.samples = watcher.samples;
  result.energy_drift = watcher.drift;
  result.energy_scale = watcher.scale;
  result.warnings = watcher.deflections.warnings();
  result.fallbacks = system.fallbacks();
  if (result.fallbacks > 0)
    result.warnings.push_back(fmt::format(
        "{} evaluations, the first about t = {:.6g} s, took the exact equations as the linear mass "
        "matrix was not, or hardly, positive definite",
        result.fallbacks, std::isnan(watcher.fell_back) ? result.t : watcher.fell_back));
  return result;
}

}  // namespace axode::detail
