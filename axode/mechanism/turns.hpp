/// Counts full turns: angles of a mechanism are read off within a turn, those of a motion go on.
///
///   x1 = x0 + h/2 (x0' + x1') + h^2/12 (x0'' - x1'') + O(h^5)
///
/// tells from rates and accelerations which turn an angle is in. O(coordinates).
/// Tests: tests/mechanism/turns_test.cpp
#pragma once
#include <span>
#include <vector>

#include "axode/mechanism/mechanism.hpp"

namespace axode {

class TurnCounter {
 public:
  /// The coordinates at the time t, later than the last, with angles going on.
  std::span<const TimeValue> next(const Mechanism& mechanism, double t,
                                  std::vector<TimeValue> coordinates);
  std::span<const TimeValue> last() const noexcept { return last_; }
  /// Whether all angles were within half a radian of where they were expected.
  bool sure() const noexcept { return sure_; }

 private:
  double t_ = 0;
  std::vector<TimeValue> last_;
  bool sure_ = true;
};

}  // namespace axode
