#include "axode/view/plot/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace axode {

SampleStatistics statistics_of(std::span<const double> times, std::span<const double> values) {
  SampleStatistics s;
  double sum = 0, scale = 0;
  std::size_t taken = 0;
  for (const double x : values)
    if (std::isfinite(x)) scale = std::max(scale, std::abs(x));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = values[i];
    if (!std::isfinite(x)) {
      ++s.not_finite;
      continue;
    }
    if (taken == 0 || x < s.min) s.min = x, s.min_time = times[i];
    if (taken == 0 || x > s.max) s.max = x, s.max_time = times[i];
    if (scale > 0) sum += (x / scale) * (x / scale);  // squares of large numbers are infinite
    s.last = x;
    ++taken;
  }
  if (taken == 0)
    s.min = s.max = s.rms = s.last = std::numeric_limits<double>::quiet_NaN();
  else
    s.rms = scale * std::sqrt(sum / static_cast<double>(taken));
  return s;
}

}  // namespace axode
