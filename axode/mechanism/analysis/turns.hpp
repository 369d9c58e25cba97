/// Counts full turns: angles of a mechanism are read off within a turn, those of a motion go on.
///
///   x1 = x0 + h/2 (x0' + x1') + h^2/12 (x0'' - x1'') + O(h^5)
///
/// tells from rates and accelerations which turn an angle is in. O(coordinates).
/// Tests: tests/mechanism/analysis/turns_test.cpp
#pragma once
#include <span>
#include <vector>

#include "axode/mechanism/description/mechanism.hpp"

namespace axode {

/// Angles moved by whole turns to be nearest to starting values, and to what drivers say at time t.
void take_told_turns(const Mechanism& mechanism, double t, std::span<TimeValue> coordinates);

class TurnCounter {
 public:
  /// Begins with these, turns and all; `sure`: those before were.
  void begin(double t, std::vector<TimeValue> coordinates, bool sure = true);
  /// The coordinates at the time t, later than the last, with angles going on; the first where
  /// starting values and drivers have them.
  std::span<const TimeValue> next(const Mechanism& mechanism, double t,
                                  std::vector<TimeValue> coordinates);
  std::span<const TimeValue> last() const noexcept { return last_; }
  double last_time() const noexcept { return t_; }
  /// Whether angles turn by little up to there, a radian at most, so that counting cannot err.
  bool is_near(const Mechanism& mechanism, double t, std::span<const TimeValue> coordinates) const;
  /// Whether all angles were within half a radian of where they were expected.
  bool sure() const noexcept { return sure_; }

 private:
  double t_ = 0;
  std::vector<TimeValue> last_;
  bool sure_ = true;
};

}  // namespace axode
