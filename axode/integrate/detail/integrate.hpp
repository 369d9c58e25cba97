// Of integrate.hpp.
#pragma once
#include <algorithm>
#include <cmath>
#include <utility>

#include "axode/integrate/detail/root.hpp"
#include "axode/integrate/integrate.hpp"
#include "axode/integrate/sample_clock.hpp"
#include "axode/integrate/step_limit.hpp"

namespace axode {

namespace detail {

/// Signs of the event functions along a run.
struct EventSigns {
  std::vector<int> sign;           ///< last one that was not 0; 0: none yet
  std::vector<double> armed_from;  ///< an event that restarted the run is not seen before
  std::vector<double> value, when;
  std::vector<EventPast> past;
};
inline int sign_of(double a) noexcept { return a > 0 ? 1 : a < 0 ? -1 : 0; }

template <class S, class System, class Observer>
struct Run {
  System& system;
  S& stepper;
  const IntegratePlan& plan;
  Observer& observer;
  double t_end;
  SampleClock samples, checkpoints;
  std::vector<double> x;
  EventSigns signs;
  IntegrateResult result;
  bool restarted = false;  ///< by an event of the last step
  StepLimit own_limit{};
  double reached = 0;  ///< up to which samples and events were given

  using Ending = IntegrateResult::Ending;
  static constexpr double never = std::numeric_limits<double>::infinity();

  StepLimit& limit();
  void begin();
  IntegrateResult run();
  double next_stop(double t);
  double next_armed(double t) const;
  double armed_again(int i, double t);
  bool give_samples(double until);
  bool is_told_to_stop();
  bool handle_step();
  bool correct();
  bool handle_events();
  void look_at(double t);
  double value_of(int i, double t);
  double value_at(int i, double t);
  void values_at(double t);
  void read_signs(double t);
  bool crosses(int i, double value) const;
  double locate(int i, double from, double to);
  double first_crossing(double from, double to, std::vector<int>& fired);
  EventPast& past_of(int i);
  bool accumulate(double t, const std::vector<int>& fired);
  double slope_before(int i, double t);
  bool rests(int i, double t);
  bool fire(double t, const std::vector<int>& fired);
  IntegrateResult end(Ending ending);
};

/// The one of the observer goes on where the run before came to.
template <class S, class System, class Observer>
StepLimit& Run<S, System, Observer>::limit() {
  if constexpr (requires { observer.step_limit(); })
    return observer.step_limit();
  else
    return own_limit;
}

template <class S, class System, class Observer>
void Run<S, System, Observer>::begin() {
  const double t = stepper.time();
  samples = {plan.origin, plan.sample_interval, t_end, plan.sample_times};
  samples.begin(t, plan.resumed);
  checkpoints = {plan.origin, plan.checkpoint_interval, never, {}};
  checkpoints.begin(t, true);
  x.assign(stepper.state().begin(), stepper.state().end());
  const std::size_t n = plan.events.size();
  signs = {std::vector<int>(n), std::vector<double>(n, -never), std::vector<double>(n),
           std::vector<double>(n), std::vector<EventPast>(n)};
  for (std::size_t i = 0; i < n; ++i) signs.armed_from[i] = armed_again(static_cast<int>(i), t);
  limit().max_steps = plan.max_steps;
  limit().t_end = t_end;
  if (!plan.resumed || limit().steps == 0) limit().begin(t);
  reached = t;
  read_signs(t);
}

template <class S, class System, class Observer>
IntegrateResult Run<S, System, Observer>::end(Ending ending) {
  result.ending = ending;
  result.t = ending == Ending::stopped ? reached : stepper.time();
  result.steps = limit().steps;
  look_at(result.t);
  result.x = x;
  return result;
}
template <class S, class System, class Observer>
bool Run<S, System, Observer>::is_told_to_stop() {
  if (!plan.stop || !plan.stop->load(std::memory_order_relaxed)) return false;
  result.ending = Ending::stopped;
  return true;
}

/// Where the stepper must stop next: before the discontinuity that comes first.
template <class S, class System, class Observer>
double Run<S, System, Observer>::next_stop(double t) {
  const auto& times = plan.discontinuities;
  const auto later = std::upper_bound(times.begin(), times.end(), t);
  double switching = later == times.end() ? never : *later;
  if constexpr (requires { observer.next_discontinuity(t); })
    switching = std::min(switching, static_cast<double>(observer.next_discontinuity(t)));
  return switching;
}

/// A step after a restart ends where its event is armed again: the sign there is that of the solution, not
/// that of a long step's interpolation.
template <class S, class System, class Observer>
double Run<S, System, Observer>::next_armed(double t) const {
  double first = never;
  for (const double armed : signs.armed_from)
    if (armed > t) first = std::min(first, armed);
  return first;
}

template <class S, class System, class Observer>
IntegrateResult Run<S, System, Observer>::run() {
  begin();
  if (!give_samples(stepper.time())) return end(result.ending);
  if constexpr (requires { observer.begun(stepper); }) observer.begun(stepper);
  while (stepper.time() < t_end) {
    reached = stepper.time();
    if (is_told_to_stop()) return end(Ending::stopped);
    if (limit().reached(stepper.time())) return end(Ending::step_limit);
    const double switching = next_stop(stepper.time());
    const double before = std::nextafter(switching, -never);
    if (before > stepper.time()) {
      const double until = std::min({t_end, before, next_armed(stepper.time())});
      result.verdict = stepper.advance(system, until);
      if (result.verdict != StepVerdict::ok) return end(Ending::failed);
      if constexpr (requires { observer.step(std::as_const(stepper)); })
        observer.step(std::as_const(stepper));
      if (!handle_step()) return end(result.ending);
    }
    if (stepper.time() == before && switching <= t_end) {
      x.assign(stepper.state().begin(), stepper.state().end());
      stepper.start(system, switching, x);
      reached = switching;
      if (!give_samples(switching)) return end(result.ending);
    }
  }
  return end(Ending::finished);
}

/// The samples of the last step up to a time in it; false if the run is stopped meanwhile: one step
/// may have millions of them.
template <class S, class System, class Observer>
bool Run<S, System, Observer>::give_samples(double until) {
  for (; samples.next() <= until; samples.advance()) {
    if (is_told_to_stop()) return false;
    if constexpr (requires { observer.sample(until, std::span<const double>(x)); }) {
      look_at(samples.next());
      observer.sample(samples.next(), std::span<const double>(x));
    }
    reached = std::max(reached, samples.next());
  }
  return true;
}

/// Samples, events and the checkpoint after a step; false if an event or the user ends the run.
template <class S, class System, class Observer>
bool Run<S, System, Observer>::handle_step() {
  const double end_time = stepper.time();
  if (!handle_events()) return false;
  if (!restarted && !give_samples(end_time)) return false;
  if constexpr (requires { observer.accepted(std::as_const(stepper)); })
    observer.accepted(std::as_const(stepper));
  if (restarted) return true;
  if (!correct()) return false;
  if (checkpoints.next() > end_time) return true;
  checkpoints.begin(end_time, true);
  if constexpr (requires { observer.checkpoint(stepper); }) {
    observer.checkpoint(stepper);
    if constexpr (S::restarts_at_checkpoint) {
      x.assign(stepper.state().begin(), stepper.state().end());
      stepper.start(system, end_time, x);
    }
  }
  return true;
}

/// What the observer makes of the state after a step; false if it is lost.
template <class S, class System, class Observer>
bool Run<S, System, Observer>::correct() {
  if constexpr (requires { observer.correct(reached, std::span<double>(x)); }) {
    const double t = stepper.time();
    look_at(t);
    const Correction correction = observer.correct(t, std::span<double>(x));
    if (correction == Correction::unchanged) return true;
    if (correction == Correction::lost) {
      result.verdict = StepVerdict::not_converged;
      result.ending = Ending::failed;
      return false;
    }
    if constexpr (requires { stepper.replace(std::span<const double>(x)); }) {
      stepper.replace(x);
    } else {
      const std::vector<double> from = x;
      stepper.start(system, t, from);
    }
    if (correction == Correction::equations) read_signs(t);
  }
  return true;
}

/// Makes x the state at t.
template <class S, class System, class Observer>
void Run<S, System, Observer>::look_at(double t) {
  if (t == stepper.time())
    std::copy(stepper.state().begin(), stepper.state().end(), x.begin());
  else
    stepper.interpolate(t, x);
}
template <class S, class System, class Observer>
double Run<S, System, Observer>::value_of(int i, double t) {
  if constexpr (requires { observer.event_value(i, t, std::span<const double>(x)); })
    return observer.event_value(i, t, std::span<const double>(x));
  else
    return 0;
}
template <class S, class System, class Observer>
double Run<S, System, Observer>::value_at(int i, double t) {
  look_at(t);
  return value_of(i, t);
}
template <class S, class System, class Observer>
void Run<S, System, Observer>::values_at(double t) {
  look_at(t);
  for (std::size_t i = 0; i < signs.value.size(); ++i)
    signs.value[i] = value_of(static_cast<int>(i), t);
}

}  // namespace detail

template <class System, Stepper<System> S, class Observer>
IntegrateResult integrate(System& system, S& stepper, double t_end, const IntegratePlan& plan,
                          Observer& observer) {
  check_plan(plan, stepper.time(), t_end);
  detail::Run<S, System, Observer> run{system, stepper, plan, observer, t_end, {},
                                       {},     {},      {},   {},       false, {}};
  return run.run();
}

}  // namespace axode
#include "axode/integrate/detail/integrate_events.hpp"
