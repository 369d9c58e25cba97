#include "axode/mechanism/analysis/turns.hpp"

#include <algorithm>
#include <cmath>

namespace axode {
namespace {

constexpr double max_off = 0.5;  ///< [rad] of where an angle is expected

double expected_value(const TimeValue& old, const TimeValue& now, double h) {
  return old.value + h / 2 * (old.rate + now.rate) +
         h * h / 12 * (old.acceleration - now.acceleration);
}

}  // namespace

void take_told_turns(const Mechanism& mechanism, double t, std::span<TimeValue> coordinates) {
  const auto go_on = [&](std::size_t c, double wished) {
    if (mechanism.coordinates[c].is_angle && std::isfinite(wished))
      coordinates[c].value = nearest_turn(coordinates[c].value, wished);
  };
  for (std::size_t c = 0; c < std::min(coordinates.size(), mechanism.initial.size()); ++c)
    go_on(c, mechanism.initial[c]);
  for (const MechanismDriver& driver : mechanism.drivers)
    go_on(driver.coordinate, driver.motion(t).value);
}

void TurnCounter::begin(double t, std::vector<TimeValue> coordinates, bool sure) {
  t_ = t;
  last_ = std::move(coordinates);
  sure_ = sure;
}

bool TurnCounter::is_near(const Mechanism& mechanism, double t,
                          std::span<const TimeValue> coordinates) const {
  constexpr double turn = 2 * pi<double>, radian = 1;
  const double h = t - t_;
  for (std::size_t c = 0; c < last_.size(); ++c) {
    if (!mechanism.coordinates[c].is_angle) continue;
    const TimeValue &old = last_[c], &now = coordinates[c];
    const double off = std::remainder(expected_value(old, now, h) - now.value, turn);
    if (h * std::max(std::abs(old.rate), std::abs(now.rate)) > radian || std::abs(off) > max_off)
      return false;
  }
  return true;  // also where numbers are not finite: there are no turns
}

std::span<const TimeValue> TurnCounter::next(const Mechanism& mechanism, double t,
                                             std::vector<TimeValue> coordinates) {
  constexpr double turn = 2 * pi<double>;
  const double h = t - t_;
  if (last_.empty()) take_told_turns(mechanism, t, coordinates);
  for (std::size_t c = 0; c < last_.size(); ++c) {
    if (!mechanism.coordinates[c].is_angle) continue;
    const TimeValue& old = last_[c];
    TimeValue& now = coordinates[c];
    const double expected = expected_value(old, now, h);
    now.value += turn * std::round((expected - now.value) / turn);
    if (!(std::abs(expected - now.value) < max_off)) sure_ = false;
  }
  last_ = std::move(coordinates);
  t_ = t;
  return last_;
}

}  // namespace axode
