/// The times of a run at which something is due: origin + k interval, or a list, or both.
/// Tests: tests/integrate/sample_clock_test.cpp
#pragma once
#include <span>

namespace axode {

struct SampleClock {
  double origin = 0, interval = 0, t_end = 0;
  std::span<const double> times;  ///< rising

  double k = 0;          ///< next multiple of the interval
  std::size_t item = 0;  ///< next of the list

  /// Makes the first time due the first one at t, or with `after` the first one after t.
  void begin(double t, bool after) noexcept;
  /// The next time due, infinity if there is none. Multiples of the interval that miss t_end by
  /// rounding are t_end.
  double next() const noexcept;
  void advance() noexcept;

 private:
  double multiple(double of) const noexcept;
};

}  // namespace axode
