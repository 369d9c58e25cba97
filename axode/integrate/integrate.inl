// Of integrate.hpp.
#pragma once
#include <algorithm>
#include <cmath>
#include <utility>

#include "axode/integrate/root.hpp"
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
  StepLimit limit{};

  using Ending = IntegrateResult::Ending;
  static constexpr double never = std::numeric_limits<double>::infinity();

  void begin();
  IntegrateResult run();
  double next_stop(double t);
  bool give_samples(double until);
  bool is_told_to_stop();
  bool handle_step();
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
  bool fire(double t, const std::vector<int>& fired);
  IntegrateResult end(Ending ending);
};

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
  limit.most = plan.max_steps;
  limit.t_end = t_end;
  limit.begin(t);
  read_signs(t);
}

template <class S, class System, class Observer>
IntegrateResult Run<S, System, Observer>::end(Ending ending) {
  result.ending = ending;
  result.t = stepper.time();
  result.steps = limit.steps;
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

template <class S, class System, class Observer>
IntegrateResult Run<S, System, Observer>::run() {
  begin();
  if (!give_samples(stepper.time())) return end(result.ending);
  if constexpr (requires { observer.begun(stepper); }) observer.begun(stepper);
  while (stepper.time() < t_end) {
    if (is_told_to_stop()) return end(Ending::stopped);
    if (limit.reached(stepper.time())) return end(Ending::step_limit);
    const double switching = next_stop(stepper.time());
    const double before = std::nextafter(switching, -never);
    if (before > stepper.time()) {
      result.verdict = stepper.advance(system, std::min(t_end, before));
      if (result.verdict != StepVerdict::ok) return end(Ending::failed);
      if constexpr (requires { observer.step(std::as_const(stepper)); })
        observer.step(std::as_const(stepper));
      if (!handle_step()) return end(result.ending);
    }
    if (stepper.time() == before && switching <= t_end) {
      x.assign(stepper.state().begin(), stepper.state().end());
      stepper.start(system, switching, x);
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

/// The signs at a start.
template <class S, class System, class Observer>
void Run<S, System, Observer>::read_signs(double t) {
  values_at(t);
  for (std::size_t i = 0; i < signs.sign.size(); ++i)
    signs.sign[i] = signs.armed_from[i] > t ? 0 : sign_of(signs.value[i]);
}

template <class S, class System, class Observer>
bool Run<S, System, Observer>::crosses(int i, double value) const {
  const std::size_t k = i;
  const int now = sign_of(value), was = signs.sign[k], direction = plan.events[k].direction;
  return was != 0 && !std::isnan(value) && now != was && (direction == 0 || direction == -was);
}

template <class S, class System, class Observer>
double Run<S, System, Observer>::locate(int i, double from, double to) {
  const std::size_t k = i;
  const double low = std::max(from, signs.armed_from[k]);
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * std::abs(to);
  // The sign before is known; at `low` itself the value may be 0 within rounding.
  double value = value_at(i, low);
  if (sign_of(value) != signs.sign[k]) value = signs.sign[k] * std::numeric_limits<double>::min();
  return find_root([&](double t) { return value_at(i, t); }, low, to, value, signs.value[k],
                   std::max(0.01 * plan.events[k].tolerance, rounding));
}

/// The first event in (from, to], and which events happen then; infinity if there is none. `to` is
/// the end of the step.
template <class S, class System, class Observer>
double Run<S, System, Observer>::first_crossing(double from, double to, std::vector<int>& fired) {
  const int n = static_cast<int>(plan.events.size());
  const double start = stepper.previous_time(), length = to - start;
  double last = from;
  for (int check = 1; check <= plan.event_checks; ++check) {
    const double t = check == plan.event_checks ? to : start + length * check / plan.event_checks;
    if (t <= from) continue;
    values_at(t);
    double first = never;
    for (int i = 0; i < n; ++i) {
      const std::size_t k = i;
      signs.when[k] = crosses(i, signs.value[k]) ? locate(i, last, t) : never;
      first = std::min(first, signs.when[k]);
    }
    if (first < never) {
      for (int i = 0; i < n; ++i) {
        const std::size_t k = i;
        if (signs.when[k] <= first + plan.events[k].tolerance) fired.push_back(i);
      }
      return first;
    }
    for (std::size_t i = 0; i < signs.sign.size(); ++i)
      if (sign_of(signs.value[i]) != 0 && signs.armed_from[i] <= t)
        signs.sign[i] = sign_of(signs.value[i]);
    last = t;
  }
  return never;
}

template <class S, class System, class Observer>
EventPast& Run<S, System, Observer>::past_of(int i) {
  if constexpr (requires { observer.event_past(i); })
    return observer.event_past(i);
  else
    return signs.past[i];
}

/// Whether one of the events restarts the run without end: times between bounces fall geometrically,
/// so that infinitely many come before some time, closer than they can be told apart.
template <class S, class System, class Observer>
bool Run<S, System, Observer>::accumulate(double t, const std::vector<int>& fired) {
  constexpr double near = 1000, most = 2;
  for (const int i : fired) {
    EventPast& past = past_of(i);
    past.close = t - past.restarted < near * plan.events[i].tolerance ? past.close + 1 : 0;
    if (past.close < most) continue;
    result.event = i;
    result.ending = Ending::accumulated;
    return true;
  }
  return false;
}

/// Reports events to the observer; false ends the run. If the state changed the stepper begins again
/// at t.
template <class S, class System, class Observer>
bool Run<S, System, Observer>::fire(double t, const std::vector<int>& fired) {
  look_at(t);
  if (accumulate(t, fired)) {
    const std::vector<double> from = x;
    stepper.start(system, t, from);
    return false;
  }
  bool go_on = true;
  for (const int i : fired) {
    const std::size_t k = i;
    const std::vector<double> was = x;
    bool more = !plan.events[k].terminal;
    if constexpr (requires { observer.event(i, t, std::span<double>(x)); })
      more = observer.event(i, t, std::span<double>(x)) && more;
    if (!more && go_on) result.event = i;
    go_on = go_on && more;
    if (plan.events[k].restart || x != was) {
      restarted = true;
      past_of(i).restarted = t;
    }
    signs.sign[k] = -signs.sign[k];
    ++result.events;
  }
  if (!go_on) result.ending = Ending::event;
  restarted = restarted || !go_on;
  if (!restarted) return true;
  const std::vector<double> from = x;
  stepper.start(system, t, from);
  for (const int i : fired) {
    const std::size_t k = i;
    signs.armed_from[k] = t + 10 * plan.events[k].tolerance;
  }
  read_signs(t);
  return go_on;
}

template <class S, class System, class Observer>
bool Run<S, System, Observer>::handle_events() {
  restarted = false;
  if (plan.events.empty()) return true;
  double from = stepper.previous_time();
  const double to = stepper.time();
  // Those that restarted the run show their sign a little later.
  for (std::size_t i = 0; i < signs.sign.size(); ++i)
    if (signs.armed_from[i] > from) {
      signs.armed_from[i] = std::min(signs.armed_from[i], to);
      signs.sign[i] = sign_of(value_at(static_cast<int>(i), signs.armed_from[i]));
    }
  std::vector<int> fired;
  while (true) {
    fired.clear();
    const double t = first_crossing(from, to, fired);
    if (t == never) return true;
    if (!give_samples(t) || !fire(t, fired)) return false;
    if (restarted) return true;
    from = t;
  }
}

}  // namespace detail

template <class S, class System, class Observer>
  requires Stepper<S, System> IntegrateResult integrate(System& system, S& stepper, double t_end,
                                                        const IntegratePlan& plan,
                                                        Observer& observer) {
    check_plan(plan, stepper.time(), t_end);
    detail::Run<S, System, Observer> run{system, stepper, plan, observer, t_end, {},
                                         {},     {},      {},   {},       false, {}};
    return run.run();
  }

}  // namespace axode
