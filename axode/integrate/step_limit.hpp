/// An end for runs that would not come to one: a largest number of steps.
///
///   steps > most,   or   window (t_end - t) / (t - t_w) > most max(2, 100 / k),   t_w: `window` steps ago,
///                                                                       k: windows so far
///
/// The second ends a run early that is far from its end at the pace of its last steps, such as one
/// by an explicit method under damping that allows steps of a nanosecond: the longer it has run, the less
/// far. Short steps for a while, as at impacts, do not.
/// Tests: tests/integrate/step_limit_test.cpp
#pragma once
#include <algorithm>
#include <cmath>

namespace axode {

/// Of trees and plain equations, whose steps take some microseconds; of mechanisms and flexible trees,
/// whose steps take ten times as long.
inline constexpr double many_steps = 1e7, many_long_steps = 1e6;

struct StepLimit {
  static constexpr long window = 100'000;
  static constexpr double hopeless = 100, hopeless_at_last = 2;  ///< times `most`

  long most = 0;  ///< 0: any number
  double t_end = 0;
  long steps = 0;
  double window_start = 0;

  void begin(double t) noexcept {
    steps = 0;
    window_start = t;
  }
  /// Counts a step that begins at t; true if it must not be made.
  bool reached(double t) noexcept {
    if (most > 0 && steps >= most) return true;
    if (most > 0 && steps > 0 && steps % window == 0) {
      const double advance = t - window_start;
      window_start = t;
      const double left = static_cast<double>(window) * (t_end - t);
      const long windows = steps / window;
      const double far = std::max(hopeless_at_last, hopeless / static_cast<double>(windows));
      if (left > far * static_cast<double>(most) * advance) return true;
    }
    ++steps;
    return false;
  }
};

/// The largest number of steps where none is given: `least`, and ten times those that a step or a
/// largest step given for the duration makes.
inline long default_max_steps(double duration, double step, double max_step,
                              double least) noexcept {
  constexpr double most = 1e18;
  double steps = least;
  for (const double length : {step, max_step})
    if (length > 0 && std::isfinite(length)) steps += 10 * duration / length;
  return static_cast<long>(std::min(steps, most));
}

}  // namespace axode
