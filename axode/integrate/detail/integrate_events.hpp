// Of integrate.hpp: events are seen, located, handled, and end runs where they accumulate.
#pragma once
#include "axode/integrate/detail/integrate.hpp"

namespace axode::detail {

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
/// so that infinitely many come before some time, closer than they can be told apart. Short intervals
/// that stay the same, as those of a clock, are no accumulation.
template <class S, class System, class Observer>
bool Run<S, System, Observer>::accumulate(double t, const std::vector<int>& fired) {
  constexpr double near = 1000, most = 2, shorter = .995, fallen = .25;
  for (const int i : fired) {
    EventPast& past = past_of(i);
    const double interval = t - past.restarted, bound = near * plan.events[i].tolerance;
    const bool shrinks = interval < bound && interval < shorter * past.interval;
    if (!shrinks) past.close = 0;
    if (shrinks && ++past.close == 1) past.row = std::min(past.interval, bound);
    past.interval = interval;
    if (past.close < most || interval > fallen * past.row) continue;
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

}  // namespace axode::detail
