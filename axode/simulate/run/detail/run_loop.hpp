// The loop of a simulation, for any stepper, system and kind of model; simulate_*.cpp instantiate it.
#pragma once
#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <optional>

#include "axode/core/error.hpp"
#include "axode/integrate/integrate.hpp"
#include "axode/integrate/step_limit.hpp"
#include "axode/simulate/run/simulate.hpp"

namespace axode::detail {

/// What every run is given, whatever its model.
struct RunTask {
  const SimulateOptions& options;
  const RunObserver& observer;
  const Checkpoint* resume;
  Method method;
  double fixed_step;                ///< of methods that have one, if none is given [s]
  ControlForce* control = nullptr;  ///< none: that of the model

  double end() const noexcept { return options.start + options.duration; }
  bool every_step() const noexcept {
    return options.sample_interval == 0 && options.sample_times.empty();
  }
};

/// Throws Error or LimitError on options out of range.
void check_options(const SimulateOptions& options);
StepOptions step_options(const RunTask& task);
IntegratePlan integrate_plan(const RunTask& task);
/// Whether a sample is due at a time.
bool is_sampled(const RunTask& task, const IntegratePlan& plan, double t);
/// "%.6g".
std::string six_digits(double x);
/// The event that ended a run, or restarted it again and again without end.
void explain_event(const RunTask& task, int event, bool without_end, RunResult& result);

/// What a run keeps besides the stepper, part of checkpoints.
struct Tally {
  double energy_0 = std::numeric_limits<double>::quiet_NaN();
  double drift = 0, scale = 0;
  double work = 0;  ///< where it is no part of the state
  double samples = 0;
  StepStatistics before{};  ///< of the runs this one continues
  StepLimit limit{};
  std::vector<EventPast> events{};  ///< by event
};
/// Appends the numbers of a checkpoint that come before those of the model and of the stepper.
void save(const RunTask& task, double t, const Tally& tally, const StepStatistics& counts,
          std::vector<double>& numbers);
/// Takes them from the front. Throws Error if they are not those of this run.
Tally tally_from(const RunTask& task, std::span<const double>& numbers);

/// The control that a run is given, if it is; `size` forces.
std::optional<ControlForce> control_of(const SimulateOptions& options, int size);

/// Numbers of a checkpoint, in the order in which they were saved. Throws Error if there are too few.
class SavedNumbers {
 public:
  explicit SavedNumbers(std::span<const double>& numbers) : numbers_(&numbers) {}
  double take();
  /// A list that was saved with its length.
  std::vector<double> take_list();
  /// The same, of a known length.
  void take_into(std::span<double> list);

 private:
  std::span<const double>* numbers_;
};
void save_list(std::span<const double> list, std::vector<double>& numbers);

/// Work where the state does not hold it: Simpson's rule over each step.
struct StepWork {
  double from = 0, length = 0, before = 0;
  double powers[3] = {};  ///< at start, middle and end of the last step

  double whole() const noexcept { return length / 6 * (powers[0] + 4 * powers[1] + powers[2]); }
  /// From the start of the step to a time in it, on the parabola through the powers; `total` at its end.
  double until(double t, double total) const noexcept {
    if (length <= 0) return total;
    const double s = std::clamp((t - from) / length, 0., 1.);
    const double b = -3 * powers[0] + 4 * powers[1] - powers[2],
                 c = 2 * (powers[0] - 2 * powers[1] + powers[2]);
    return before + length * s * (powers[0] + s * (b / 2 + s * c / 3));
  }
};

/// Follows a run: samples with their energies, events, checkpoints. `Model` is a kind of model as runs see
/// it: one state at a time, which look() sets.
///   void look(t, span x)             the state of the integrator
///   q(), v()                         its numbers, as samples and events have them
///   double fill(t, Sample&)          all but the time and the work; returns the energy that work changes
///   double energy(t)                 that energy alone
///   bool has_work, double work(x)    whether the state of the integrator holds the work, and it; else
///   bool does_work(), double power(t)    whether any is done, and its rate [W]
///   bool samples_the_end             also where no sample is due, and where the run is stopped
///   void put(t, q, v, span x)        after an action: the state of the integrator becomes that of these;
///                                    throws Error on what they cannot be
///   double next_discontinuity(t)     the first after t, or infinity
///   see_controlled(f)                calls f(q, v) with what a control of the model sees
///   void stepped(t, span x)          after each step
///   void follow(t, read)             up to t, which is in the step; read(t) looks at a state of it
///   Correction correct(t, span x)    after a step and all that is in it
///   void save(numbers), load(SavedNumbers&)   what continuing needs besides state and stepper
///   long factorizations()            besides those of the stepper
///   void explain(StepVerdict, result), explain_limit(StepLimit, result)
///   void finish(result)              closing figures of its kind
template <class Stepper, class Model>
struct Watcher {
  const RunTask& task;
  Model& model;
  const Stepper& stepper;
  Tally tally{};
  double last_sample = -std::numeric_limits<double>::infinity();
  StepWork step_work{};
  std::vector<double> x_mid{}, q{}, v{};

  void sample(double t, std::span<const double> x) {
    follow(t);
    model.look(t, x);
    Sample s;
    s.t = t;
    const double energy = model.fill(t, s);
    if constexpr (Model::has_work)
      s.work = model.work(x);
    else
      s.work = step_work.until(t, tally.work);
    tally.drift = std::max(tally.drift, std::abs(energy - tally.energy_0 - s.work));
    tally.scale = std::max(tally.scale, s.kinetic);
    ++tally.samples;
    last_sample = t;
    if (task.observer.sample) task.observer.sample(s);
  }
  void follow(double t) {
    if constexpr (requires { model.follow(t, [](double) {}); })
      model.follow(t, [&](double at) {
        x_mid.resize(stepper.state().size());
        if (at == stepper.time())
          std::copy(stepper.state().begin(), stepper.state().end(), x_mid.begin());
        else
          stepper.interpolate(at, x_mid);
        model.look(at, x_mid);
      });
  }

  double power_at(double t, std::span<const double> x) {
    model.look(t, x);
    return model.power(t);
  }
  void add_work() {
    step_work.from = stepper.previous_time();
    step_work.length = stepper.time() - step_work.from;
    const double middle = step_work.from + step_work.length / 2;
    x_mid.resize(stepper.state().size());
    stepper.interpolate(step_work.from, x_mid);
    step_work.powers[0] = power_at(step_work.from, x_mid);  // after what switched there
    stepper.interpolate(middle, x_mid);
    step_work.powers[1] = power_at(middle, x_mid);
    step_work.powers[2] = power_at(stepper.time(), stepper.state());
    step_work.before = tally.work;
    tally.work += step_work.whole();
  }

  void step(const Stepper&) {
    model.stepped(stepper.time(), stepper.state());
    if constexpr (!Model::has_work)
      if (model.does_work()) add_work();
  }
  void accepted(const Stepper&) {
    follow(stepper.time());
    if (task.every_step()) sample(stepper.time(), stepper.state());
    show_control(stepper.time(), stepper.state());
    if (task.observer.progress) task.observer.progress(stepper.time(), statistics());
  }
  Correction correct(double t, std::span<double> x) {
    const Correction correction = model.correct(t, x);
    if (correction != Correction::unchanged) show_control(t, x);
    return correction;
  }
  /// The state from which a sampled control finds the force of the interval that begins next.
  void show_control(double t, std::span<const double> x) {
    if (!task.control || !task.control->is_awaited(t)) return;
    model.look(t, x);
    model.see_controlled([&](auto&& seen_q, auto&& seen_v) { task.control->see(seen_q, seen_v); });
  }
  /// In all, with the runs before this one.
  StepStatistics statistics() const {
    StepStatistics all = tally.before + stepper.statistics();
    all.factorizations += model.factorizations();
    return all;
  }
  double next_discontinuity(double t) {
    const double of_model = model.next_discontinuity(t);
    return task.control ? std::min(of_model, task.control->next_switch(t)) : of_model;
  }

  double event_value(int i, double t, std::span<const double> x) {
    model.look(t, x);
    return task.options.events[i].value(t, model.q(), model.v());
  }
  bool event(int i, double t, std::span<double> x) {
    const SimulationEvent& e = task.options.events[i];
    follow(t);
    if constexpr (!Model::has_work)
      if (e.action || e.terminal) {  // the rest of the step is no more
        tally.work = step_work.until(t, tally.work);
        step_work.length = 0;
      }
    if (task.observer.event) task.observer.event({t, i});
    if (e.action) {
      model.look(t, x);
      q = model.q();
      v = model.v();
      const double before = model.energy(t);
      e.action(t, q, v);
      model.put(t, q, v, x);
      model.look(t, x);
      tally.energy_0 += model.energy(t) - before;  // what the event does is no drift
      show_control(t, x);
    }
    return !e.terminal;
  }
  EventPast& event_past(int i) { return tally.events[i]; }
  StepLimit& step_limit() { return tally.limit; }
  /// A run that is cut before its first checkpoint can be resumed, too.
  void begun(Stepper& of) {
    if (!task.resume && task.options.checkpoint_interval > 0) checkpoint(of);
  }
  void checkpoint(Stepper& of) {
    if (!task.observer.checkpoint) return;
    Checkpoint saved{of.time(), {}};
    save(task, saved.t, tally, statistics(), saved.numbers);
    model.save(saved.numbers);
    std::vector<double> numbers;
    of.save(numbers);
    saved.numbers.insert(saved.numbers.end(), numbers.begin(), numbers.end());
    task.observer.checkpoint(saved);
  }
};

/// How it ended, apart from the figures.
template <class Stepper, class Model>
void explain_ending(const RunTask& task, const IntegrateResult& outcome, const Stepper& stepper,
                    Watcher<Stepper, Model>& watcher, Model& model, RunResult& result) {
  using End = IntegrateResult::Ending;
  const bool stopped = outcome.ending == End::stopped;
  if (stopped) result.ending = Ending::stopped;
  const bool has_end = Model::samples_the_end || (!stopped && outcome.ending != End::finished);
  if (has_end && watcher.last_sample < outcome.t) watcher.sample(outcome.t, outcome.x);
  if (stopped || outcome.ending == End::finished) return;
  model.look(outcome.t, stepper.state());
  if (outcome.ending == End::failed)
    model.explain(outcome.verdict, result);
  else if (outcome.ending == End::step_limit)
    model.explain_limit(watcher.tally.limit, result);
  else
    explain_event(task, outcome.event, outcome.ending == End::accumulated, result);
}

/// `make_stepper` is called where the model is what it is at the start, or at the checkpoint; `initial`
/// returns the state of the integrator at the start.
template <class System, class Model, class MakeStepper, class Initial>
RunResult run_loop(const RunTask& task, System& system, Model& model, MakeStepper&& make_stepper,
                   Initial&& initial) {
  const std::clock_t started = std::clock();
  std::span<const double> numbers;
  std::optional<Tally> tally;
  if (task.resume) {
    numbers = task.resume->numbers;
    tally = tally_from(task, numbers);
    SavedNumbers saved(numbers);
    model.load(saved);
  }
  auto stepper = make_stepper();
  Watcher<decltype(stepper), Model> watcher{task, model, stepper};
  watcher.tally.events.resize(task.options.events.size());
  IntegratePlan plan = integrate_plan(task);
  if (tally) {
    watcher.tally = std::move(*tally);
    stepper.load(system, numbers);
    StepStatistics& before = watcher.tally.before;
    before = before - stepper.statistics();  // some steppers save their own
    plan.resumed = true;
    if (is_sampled(task, plan, stepper.time())) watcher.last_sample = stepper.time();
  } else {
    stepper.start(system, task.options.start, initial());
    model.look(task.options.start, stepper.state());
    watcher.tally.energy_0 = model.energy(task.options.start);
    if (task.every_step()) watcher.sample(task.options.start, stepper.state());
  }
  const IntegrateResult outcome = integrate(system, stepper, task.end(), plan, watcher);

  RunResult result;
  result.t = outcome.t;
  result.method = task.method;
  explain_ending(task, outcome, stepper, watcher, model, result);
  model.look(outcome.t, outcome.x);
  result.last = {{model.q().begin(), model.q().end()}, {model.v().begin(), model.v().end()}};
  result.statistics = watcher.statistics();
  result.samples = static_cast<long>(watcher.tally.samples);
  result.energy_drift = watcher.tally.drift;
  result.energy_scale = watcher.tally.scale;
  model.finish(result);
  result.cpu_seconds = static_cast<double>(std::clock() - started) / CLOCKS_PER_SEC;
  return result;
}

}  // namespace axode::detail
