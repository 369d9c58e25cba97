#include "axode/mechanism/turns.hpp"

#include <cmath>

namespace axode {

std::span<const TimeValue> TurnCounter::next(const Mechanism& mechanism, double t,
                                             std::vector<TimeValue> coordinates) {
  constexpr double turn = 2 * pi<double>;
  const double h = t - t_;
  for (std::size_t c = 0; c < last_.size(); ++c) {
    if (!mechanism.coordinates[c].is_angle) continue;
    const TimeValue& old = last_[c];
    TimeValue& now = coordinates[c];
    const double expected = old.value + h / 2 * (old.rate + now.rate) +
                            h * h / 12 * (old.acceleration - now.acceleration);
    now.value += turn * std::round((expected - now.value) / turn);
    if (!(std::abs(expected - now.value) < 0.5)) sure_ = false;
  }
  last_ = std::move(coordinates);
  t_ = t;
  return last_;
}

}  // namespace axode
