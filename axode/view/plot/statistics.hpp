/// Least, largest and root mean square of a number over the samples of a run.
/// Tests: tests/view/plot/statistics_test.cpp
#pragma once
#include <cstddef>
#include <span>

namespace axode {

/// One number over all samples; those that are not finite are counted, not taken. NaN where none is.
struct SampleStatistics {
  double min = 0, max = 0, rms = 0, last = 0;
  double min_time = 0, max_time = 0;  ///< of the first sample that has it [s]
  std::size_t not_finite = 0;
};
/// Of as many times and values. The sum of squares is scaled, so that it is finite where the values are.
SampleStatistics statistics_of(std::span<const double> times, std::span<const double> values);

}  // namespace axode
