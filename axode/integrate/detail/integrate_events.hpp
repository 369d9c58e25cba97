// Of integrate.hpp: events are seen, located, handled, and end runs where they accumulate.
#pragma once
#include "axode/integrate/detail/integrate.hpp"

namespace axode::detail {

/// An event is seen again so many tolerances after it restarted the run.
inline constexpr double armed_after = 10;

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

/// When an event that has restarted the run is seen again, if that is after t.
template <class S, class System, class Observer>
double Run<S, System, Observer>::armed_again(int i, double t) {
  const double armed = past_of(i).restarted + armed_after * plan.events[i].tolerance;
  return armed > t ? armed : -never;
}

/// Whether one of the events restarts the run without end: the times between bounces fall geometrically, so
/// that infinitely many come before t + interval r / (1 - r), r the ratio of two intervals, closer than they
/// can be told apart. Intervals that stay the same, as those of a clock, are no accumulation.
template <class S, class System, class Observer>
bool Run<S, System, Observer>::accumulate(double t, const std::vector<int>& fired) {
  constexpr double shrinking = .995, alike = 4, near = 20;
  for (const int i : fired) {
    EventPast& past = past_of(i);
    const double interval = t - past.restarted;
    const double ratio = past.interval < never ? interval / past.interval : never;
    const bool falls = ratio < shrinking && past.ratio < shrinking && ratio < alike * past.ratio &&
                       past.ratio < alike * ratio;
    past.ratio = ratio;
    past.interval = interval;
    const double left = interval * std::min(1., ratio / (1 - ratio));
    if (!falls || left > near * plan.events[i].tolerance) continue;
    result.event = i;
    result.ending = Ending::accumulated;
    return true;
  }
  return false;
}

/// dg_i/dt at t, from before.
template <class S, class System, class Observer>
double Run<S, System, Observer>::slope_before(int i, double t) {
  const double from = std::max(stepper.previous_time(), t - armed_after * plan.events[i].tolerance);
  return from < t ? (value_at(i, t) - value_at(i, from)) / (t - from) : 0;
}

/// Whether g_i stays at zero after event i has restarted the run: at t, where it is armed again, it is not back,
/// and has hardly left zero. It would go on beyond, as a ball through the floor that no longer throws it back:
/// errors of the solution exceed the last bounces, or there is none.
template <class S, class System, class Observer>
bool Run<S, System, Observer>::rests(int i, double t) {
  EventPast& past = past_of(i);
  const double since = t - past.restarted;
  if (since > 2 * armed_after * plan.events[i].tolerance) return false;  // another restarted it
  const double hardly = past.returned != 0 ? 1e-2 : 1e-6;
  const bool is_back = signs.sign[i] == -past.beyond;
  past.returned = is_back ? 1 : 0;
  if (is_back || std::abs(value_at(i, t)) > hardly * past.slope * (t - past.restarted))
    return false;
  result.event = i;
  result.ending = Ending::accumulated;
  return true;
}

/// Reports events to the observer; false ends the run. If the state changed the stepper begins again
/// at t.
template <class S, class System, class Observer>
bool Run<S, System, Observer>::fire(double t, const std::vector<int>& fired) {
  for (const int i : fired) {
    EventPast& past = past_of(i);
    past.slope = std::max(std::abs(slope_before(i, t)), past.returned != 0 ? past.slope : 0);
  }
  look_at(t);
  reached = t;
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
    signs.armed_from[k] = t + armed_after * plan.events[k].tolerance;
    past_of(i).beyond = signs.sign[k];
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
  // Those that restarted the run show their sign a little later, at the end of a step.
  for (std::size_t i = 0; i < signs.sign.size(); ++i)
    if (signs.armed_from[i] > from && signs.armed_from[i] <= to) {
      signs.sign[i] = sign_of(value_at(static_cast<int>(i), signs.armed_from[i]));
      if (rests(static_cast<int>(i), signs.armed_from[i])) return false;
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

}  // namespace axode::detail
