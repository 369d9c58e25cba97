#include "axode/integrate/sample_clock.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace axode {

namespace {
constexpr double never = std::numeric_limits<double>::infinity();
}

double SampleClock::multiple(double of) const noexcept {
  if (!(interval > 0)) return never;
  const double t = origin + of * interval, rounding = 1e-9 * std::min(interval, t_end - origin);
  return std::abs(t - t_end) <= rounding ? t_end : t;
}

void SampleClock::begin(double t, bool after) noexcept {
  const auto past = [&](double at) { return at < t || (after && at == t); };
  if (interval > 0) {
    k = std::max(0.0, std::floor((t - origin) / interval) - 1);
    while (past(multiple(k))) k += 1;
  }
  item = 0;
  while (item < times.size() && past(times[item])) ++item;
}

double SampleClock::next() const noexcept {
  return std::min(multiple(k), item < times.size() ? times[item] : never);
}

void SampleClock::advance() noexcept {
  const double now = next();
  if (multiple(k) <= now) k += 1;
  while (item < times.size() && times[item] <= now) ++item;
}

}  // namespace axode
