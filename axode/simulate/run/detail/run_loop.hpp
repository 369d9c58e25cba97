// The loop of a simulation for any stepper and system; simulate_*.cpp instantiate it.
#pragma once
#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include "axode/core/error.hpp"
#include "axode/dynamics/energy.hpp"
#include "axode/dynamics/errors.hpp"
#include "axode/dynamics/potential.hpp"
#include "axode/integrate/integrate.hpp"
#include "axode/integrate/step_limit.hpp"
#include "axode/simulate/run/simulate.hpp"
#include "axode/simulate/systems/tree_system.hpp"

namespace axode::detail {

/// What every method is given.
struct RunTask {
  const Tree& tree;
  const Forces& forces;
  const State<double>& initial;
  const SimulateOptions& options;
  const RunObserver& observer;
  const Checkpoint* resume;
  Method method;
};

StepOptions step_options(const RunTask& task);
IntegratePlan integrate_plan(const RunTask& task);
/// How a failed step is told: the joint that accelerates most at the last good state.
void explain_failure(const RunTask& task, StepVerdict verdict, TreeSystem& at, RunResult& result);

/// The event that ended a run, or restarted it again and again without end.
void explain_event(const RunTask& task, int event, bool without_end, RunResult& result);
/// A run that needs too many steps.
void explain_limit(const RunTask& task, TreeSystem& at, const StepLimit& limit, RunResult& result);

RunResult run_explicit(const RunTask& task);
RunResult run_geometric(const RunTask& task);
RunResult run_sundials(const RunTask& task);
RunResult run_absolute(const RunTask& task);

/// What a run keeps beside the stepper, part of checkpoints.
struct Tally {
  double energy_0 = std::numeric_limits<double>::quiet_NaN();
  double drift = 0, scale = 0;
  double work = 0;  ///< where it is no part of the state
  double samples = 0;
  StepStatistics before{};  ///< of the runs this one continues
  StepLimit limit{};
  std::vector<EventPast> events{};  ///< by event
};

/// Follows a run: samples with their energies, events, checkpoints. `Map` tells what a state of the
/// integrator means for the tree:
///   void look(TreeSystem&, span x)            sets all coordinates and velocities
///   bool has_work, double work(span x)        whether the state holds the work, and it
///   void put(TreeSystem&, q, v, span x)       changes the state to these
template <class Stepper, class Map>
struct Watcher {
  const RunTask& task;
  TreeSystem& tree_system;
  Map& map;
  Tally tally{};
  double last_sample = -std::numeric_limits<double>::infinity();
  static constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> numbers{}, x_mid{}, nothing{};
  std::vector<double> q{}, v{};

  double mechanical_energy(Sample& s) {
    s.kinetic = kinetic_energy(task.tree, tree_system.motion_now()) +
                armature_energy<double>(task.tree, tree_system.all_v());
    s.potential = potential_energy(task.tree, tree_system.poses_now());
    return s.kinetic + s.potential;
  }
  void sample(double t, std::span<const double> x) {
    map.look(tree_system, x);
    const bool known = tree_system.evaluate(t);
    if (!known) nothing.assign(tree_system.all_a().size(), no_number);
    Sample s{.t = t,
             .q = tree_system.all_q(),
             .v = tree_system.all_v(),
             .a = known ? tree_system.all_a() : nothing,
             .tau = tree_system.joint_forces()};
    const double energy = mechanical_energy(s);
    s.stored = tree_system.stored_energy_now(t);
    s.work = map.has_work ? map.work(x) : work_between(t);
    tally.drift = std::max(tally.drift, std::abs(energy - tally.energy_0 - s.work));
    tally.scale = std::max(tally.scale, s.kinetic);
    ++tally.samples;
    last_sample = t;
    if (task.observer.sample) task.observer.sample(s);
  }

  // Where the state does not hold the work: Simpson's rule over each step.
  double last_time = 0, work_before = 0, step_length = 0;
  double powers[3] = {};  ///< at start, middle and end of the last step
  double power_at(double t, std::span<const double> x) {
    map.look(tree_system, x);
    return tree_system.evaluate(t) ? tree_system.power() : 0;
  }
  double work_between(double t) const {
    if (step_length <= 0) return tally.work;
    const double s = std::clamp((t - last_time) / step_length, 0., 1.);
    const double b = -3 * powers[0] + 4 * powers[1] - powers[2],
                 c = 2 * (powers[0] - 2 * powers[1] + powers[2]);
    return work_before + step_length * s * (powers[0] + s * (b / 2 + s * c / 3));
  }
  void add_work(const Stepper& stepper) {
    last_time = stepper.previous_time();
    step_length = stepper.time() - last_time;
    x_mid.resize(stepper.state().size());
    stepper.interpolate(last_time, x_mid);
    powers[0] = power_at(last_time, x_mid);  // after what switched there
    stepper.interpolate(last_time + step_length / 2, x_mid);
    powers[1] = power_at(last_time + step_length / 2, x_mid);
    powers[2] = power_at(stepper.time(), stepper.state());
    work_before = tally.work;
    tally.work += step_length / 6 * (powers[0] + 4 * powers[1] + powers[2]);
  }

  void step(const Stepper& stepper) {
    if (!map.has_work) add_work(stepper);
  }
  void accepted(const Stepper& stepper) {
    if (every_step()) sample(stepper.time(), stepper.state());
    if (task.observer.progress) task.observer.progress(stepper.time(), statistics(stepper));
  }
  /// In all, with the runs before this one.
  StepStatistics statistics(const Stepper& stepper) const {
    return tally.before + stepper.statistics();
  }
  bool every_step() const {
    return task.options.sample_interval == 0 && task.options.sample_times.empty();
  }
  double next_discontinuity(double t) { return axode::next_discontinuity(task.forces, t); }

  double event_value(int i, double t, std::span<const double> x) {
    map.look(tree_system, x);
    return task.options.events[i].value(t, tree_system.all_q(), tree_system.all_v());
  }
  bool event(int i, double t, std::span<double> x) {
    const SimulationEvent& e = task.options.events[i];
    if (!map.has_work && (e.action || e.terminal)) {  // the rest of the step is no more
      tally.work = work_between(t);
      step_length = 0;
    }
    if (task.observer.event) task.observer.event({t, i});
    if (e.action) {
      map.look(tree_system, x);
      q = tree_system.all_q();
      v = tree_system.all_v();
      const double before = total_energy();
      e.action(t, q, v);
      check_configuration(task.tree, q, "q after an event");
      check_velocity(task.tree, v, "v after an event");
      check_couplings(task.tree, q, v, "after an event");
      map.put(tree_system, q, v, x);
      map.look(tree_system, x);
      tally.energy_0 += total_energy() - before;  // what the event does is no drift
    }
    return !e.terminal;
  }
  EventPast& event_past(int i) { return tally.events[i]; }
  StepLimit& step_limit() { return tally.limit; }
  double total_energy() {
    Sample s;
    return mechanical_energy(s);
  }
  /// A run that is cut before its first checkpoint can be resumed, too.
  void begun(Stepper& stepper) {
    if (!task.resume && task.options.checkpoint_interval > 0) checkpoint(stepper);
  }
  void checkpoint(Stepper& stepper) {
    if (!task.observer.checkpoint) return;
    stepper.save(numbers);
    const StepStatistics counts = statistics(stepper);
    Checkpoint saved{
        stepper.time(),
        {static_cast<double>(task.method), tally.energy_0, tally.drift, tally.scale, tally.work,
         tally.samples, static_cast<double>(counts.steps), static_cast<double>(counts.rejected),
         static_cast<double>(counts.rates), static_cast<double>(counts.jacobians),
         static_cast<double>(counts.factorizations), static_cast<double>(counts.iterations),
         static_cast<double>(tally.limit.steps), static_cast<double>(tally.limit.looked_at),
         tally.limit.looked_time, static_cast<double>(tally.events.size())}};
    for (const EventPast& past : tally.events)
      saved.numbers.insert(saved.numbers.end(),
                           {past.restarted, past.close, past.interval, past.row});
    saved.numbers.insert(saved.numbers.end(), numbers.begin(), numbers.end());
    task.observer.checkpoint(saved);
  }
  /// The numbers of the stepper in a checkpoint, the rest taken over.
  std::span<const double> restore(const Checkpoint& saved) {
    constexpr std::size_t fixed = 16, first_count = 6, per_event = 4;
    const std::vector<double>& n = saved.numbers;
    if (n.size() < fixed || n[0] != static_cast<double>(task.method))
      throw Error("the checkpoint is that of another method", "simulate",
                  "resume with the options of the first run");
    for (std::size_t i = first_count; i < fixed; ++i)
      if (!(std::abs(n[i]) < 1e15))
        throw Error("a count of the checkpoint is out of range", "simulate", "take an earlier one");
    const auto count = [&](std::size_t i) { return static_cast<long>(n[i]); };
    tally = {n[1], n[2], n[3],
             n[4], n[5], {count(6), count(7), count(8), count(9), count(10), count(11)},
             {},   {}};
    tally.limit = {.steps = count(12), .looked_at = count(13), .looked_time = n[14]};
    const long events = count(fixed - 1);
    if (events < 0 || std::size_t(events) > (n.size() - fixed) / per_event ||
        tally.limit.looked_at < 0 || tally.limit.steps < tally.limit.looked_at)
      throw Error("a count of the checkpoint is out of range", "simulate", "take an earlier one");
    for (long k = 0; k < events; ++k) {
      const double* past = &n[fixed + per_event * std::size_t(k)];
      tally.events.push_back({past[0], past[1], past[2], past[3]});
    }
    if (tally.events.size() != task.options.events.size())  // a run may go on with other events
      tally.events.assign(task.options.events.size(), {});
    return std::span(n).subspan(fixed + per_event * std::size_t(events));
  }
};

template <class System, class Stepper, class Map>
RunResult run_loop(const RunTask& task, System& system, Stepper& stepper, TreeSystem& tree_system,
                   Map& map) {
  const std::clock_t started = std::clock();
  Watcher<Stepper, Map> watcher{task, tree_system, map};
  watcher.tally.events.resize(task.options.events.size());
  IntegratePlan plan = integrate_plan(task);
  if (task.resume) {
    stepper.load(system, watcher.restore(*task.resume));
    StepStatistics& before = watcher.tally.before;
    before = before - stepper.statistics();  // some steppers save their own
    plan.resumed = true;
  } else {
    stepper.start(system, task.options.start, map.initial(tree_system, task.initial));
    map.look(tree_system, stepper.state());
    watcher.tally.energy_0 = watcher.total_energy();
    if (watcher.every_step()) watcher.sample(task.options.start, stepper.state());
  }
  const double end = task.options.start + task.options.duration;
  const IntegrateResult outcome = integrate(system, stepper, end, plan, watcher);

  RunResult result;
  result.t = outcome.t;
  result.statistics = watcher.statistics(stepper);
  if (outcome.ending == IntegrateResult::Ending::failed) {
    if (watcher.last_sample < outcome.t) watcher.sample(outcome.t, stepper.state());
    map.look(tree_system, stepper.state());
    explain_failure(task, outcome.verdict, tree_system, result);
  } else if (outcome.ending == IntegrateResult::Ending::stopped) {
    result.ending = Ending::stopped;
  } else if (outcome.ending == IntegrateResult::Ending::step_limit) {
    if (watcher.last_sample < outcome.t) watcher.sample(outcome.t, stepper.state());
    map.look(tree_system, stepper.state());
    explain_limit(task, tree_system, watcher.tally.limit, result);
  } else if (outcome.ending != IntegrateResult::Ending::finished) {
    if (watcher.last_sample < outcome.t) watcher.sample(outcome.t, stepper.state());
    explain_event(task, outcome.event, outcome.ending == IntegrateResult::Ending::accumulated,
                  result);
  }
  map.look(tree_system, outcome.x);
  result.last = {tree_system.all_q(), tree_system.all_v()};
  result.samples = static_cast<long>(watcher.tally.samples);
  result.energy_drift = watcher.tally.drift;
  result.energy_scale = watcher.tally.scale;
  result.cpu_seconds = static_cast<double>(std::clock() - started) / CLOCKS_PER_SEC;
  return result;
}

/// States (q, v, work) of a TreeSystem.
struct RelativeMap {
  std::size_t nq, nv;
  static constexpr bool has_work = true;  ///< or none is done

  explicit RelativeMap(const TreeSystem& system)
      : nq(system.configuration().nx), nv(system.configuration().nv) {}
  void look(TreeSystem& system, std::span<const double> x) const {
    system.expand_state(x.first(nq), x.subspan(nq, nv));
  }
  double work(std::span<const double> x) const { return x.size() > nq + nv ? x[nq + nv] : 0; }
  static std::vector<double> initial(const TreeSystem& system, const State<double>& state) {
    return system.reduce_state(state);
  }
  void put(TreeSystem& system, const std::vector<double>& q, const std::vector<double>& v,
           std::span<double> x) const {
    const std::vector<double> state = system.reduce_state({q, v});
    std::copy_n(state.begin(), nq + nv, x.begin());
  }
};

template <class Stepper>
RunResult run_relative(const RunTask& task, TreeSystem& system, Stepper&& stepper) {
  // Samples are looked at by another system: the stepper's keeps what it has evaluated.
  TreeSystem looking(task.tree, task.forces);
  RelativeMap map(system);
  return run_loop(task, system, stepper, looking, map);
}

}  // namespace axode::detail
