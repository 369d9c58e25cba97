/// An end for runs that would not come to one: a largest number of steps.
///
///   n > max_steps,   or   n (t_end - t) / p > max_steps^2,   p = (t - t_l) / (n - n_l): what a step of
///                                    the last ones has gained, those since the last look at the pace
///
/// n: steps made. The second ends a run early that is far from its end at its present pace, such as one
/// under a gravity of 1e15 m/s^2: of a million steps allowed, one that would need a thousand million after
/// the first thousand steps, a hundred million after the first ten thousand, two million after half of
/// them. Looks come each thousand steps at first, then when a quarter more were made: short steps for
/// a while, as at the start and at impacts, are few of those. All is counted in steps, so that results do
/// not depend on the machine.
/// Tests: tests/integrate/step_limit_test.cpp
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace axode {

/// What a run may need without being asked.
inline constexpr double many_steps = 1e7;

/// Those of them that a motion of bodies may take: steps of a microsecond on average, and some for runs
/// that are very short.
inline double share_of_steps(double many, double seconds) noexcept {
  constexpr double per_second = 1e6, few = 1e4;
  return std::min(many, std::max(few, per_second * seconds));
}

struct StepLimit {
  static constexpr long shortest_look = 1000;

  long max_steps = 0;  ///< 0: any number
  double t_end = 0;
  long steps = 0, looked_at = 0;  ///< looked_at: steps made at the last look, at looked_time
  double looked_time = 0;

  void begin(double t) noexcept {
    steps = looked_at = 0;
    looked_time = t;
  }
  /// Counts a step that begins at t; true if it must not be made.
  bool reached(double t) noexcept {
    if (max_steps > 0 && (steps >= max_steps || is_hopeless(t))) return true;
    ++steps;
    return false;
  }
  /// Steps in all at the pace since the last look; infinity if that is none.
  double expected(double t) const noexcept {
    const double advance = t - looked_time;
    if (!(advance > 0) || steps <= looked_at) return std::numeric_limits<double>::infinity();
    const auto made = static_cast<double>(steps - looked_at);
    return static_cast<double>(steps) + made * ((t_end - t) / advance);
  }

 private:
  bool is_hopeless(double t) noexcept {
    if (steps - looked_at < std::max(shortest_look, looked_at / 4)) return false;
    const auto made = static_cast<double>(steps), allowed = static_cast<double>(max_steps);
    if (made * (expected(t) - made) > allowed * allowed) return true;
    looked_at = steps;
    looked_time = t;
    return false;
  }
};

/// "1000 steps: the run needs more than max_steps allows, about 4e+09 at its present pace".
std::string limit_text(const StepLimit& limit, double t);

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
