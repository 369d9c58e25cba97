// Control along a run: states that were evaluated, intervals that hold their force.
#include "axode/simulate/forces/control.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "axode/core/error.hpp"

namespace axode {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();

/// t_k = start + k interval within the run; a last interval of rounding is left out.
std::vector<double> interval_starts(double interval, double start, double duration) {
  constexpr double rounding = 1e-12, most = 1e7;
  if (!(interval > 0) || !std::isfinite(interval))
    throw Error("the interval is not a length of time", "control",
                "give seconds above 0, or 0 for a control that is not sampled");
  const double latest = std::max(std::abs(start), std::abs(start + duration));
  if (!(latest + interval > latest))
    throw Error("the interval is lost in the rounding of the time", "control",
                "start nearer to 0, or give a longer interval");
  const double count = duration / interval;
  if (!(count <= most))
    throw LimitError("more than 1e7 intervals are requested", "control", "give a longer interval");
  std::vector<double> times{start};
  for (double k = 1; k < count * (1 - rounding); ++k) times.push_back(start + k * interval);
  return times;
}
}  // namespace

Control pd_control(const Mechanism& mechanism, std::vector<int> coordinates,
                   std::vector<double> targets, double kp, double kd) {
  const auto is_gain = [](double x) { return std::isfinite(x) && x >= 0; };
  if (!is_gain(kp) || !is_gain(kd))
    throw Error("a gain is negative or not finite", mechanism.name, "give kp and kd of 0 or more");
  if (targets.size() != coordinates.size())
    throw Error("there is not one target for each coordinate", mechanism.name,
                "give as many targets as coordinates");
  Control result;
  result.force = [targets = std::move(targets), kp, kd](double, std::span<const double> x,
                                                        std::span<const double> rate,
                                                        std::span<double> force) {
    for (std::size_t k = 0; k < force.size(); ++k)
      force[k] = kp * (targets[k] - x[k]) - kd * rate[k];
  };
  result.coordinates = std::move(coordinates);
  return result;
}

ControlForce::ControlForce(const Control& control, int size, double start, double duration)
    : force_(control.force), size_(size) {
  if (control.interval != 0) times_ = interval_starts(control.interval, start, duration);
}

std::span<const double> ControlForce::at(double t, std::span<const double> q,
                                         std::span<const double> v) {
  if (is_sampled()) return held_at(t);
  for (const Entry& e : entries_)
    if (e.known && e.t == t && std::ranges::equal(e.q, q) && std::ranges::equal(e.v, v))
      return e.force;
  Entry& e = entries_[oldest_];
  oldest_ = (oldest_ + 1) % entries_.size();
  e.t = t;
  e.q.assign(q.begin(), q.end());
  e.v.assign(v.begin(), v.end());
  e.force.assign(size_, 0.0);
  force_(t, q, v, e.force);
  e.known = true;
  return e.force;
}

std::size_t ControlForce::interval_of(double t) const noexcept {
  const auto after = std::ranges::upper_bound(times_, t);
  return after == times_.begin() ? 0 : static_cast<std::size_t>(after - times_.begin()) - 1;
}

std::span<const double> ControlForce::held_at(double t) {
  const double begin = times_[interval_of(t)];
  for (const Entry& e : entries_)
    if (e.known && e.t == begin) return e.force;
  Entry& e = entries_[oldest_];  // samples may still need the interval before
  oldest_ = (oldest_ + 1) % entries_.size();
  e = {begin, {}, {}, std::vector<double>(size_, 0.0), true};
  force_(begin, seen_q_, seen_v_, e.force);
  return e.force;
}

void ControlForce::see(std::span<const double> q, std::span<const double> v) {
  seen_q_.assign(q.begin(), q.end());
  seen_v_.assign(v.begin(), v.end());
}

bool ControlForce::is_awaited(double t) const noexcept {
  return is_sampled() && t == std::nextafter(next_switch(t), -infinity);
}

double ControlForce::next_switch(double t) const noexcept {
  const auto after = std::ranges::upper_bound(times_, t);
  if (after == times_.end()) return infinity;
  return *after;
}

std::vector<double> ControlForce::saved(double t) const {
  std::vector<double> numbers;
  if (!is_sampled()) return numbers;
  const double begin = times_[interval_of(t)];
  const auto* const held =
      std::ranges::find_if(entries_, [&](const Entry& e) { return e.known && e.t == begin; });
  const std::vector<double> none(size_, std::numeric_limits<double>::quiet_NaN());
  const std::vector<double>& force = held == entries_.end() ? none : held->force;
  numbers.push_back(held == entries_.end() ? 0 : 1);
  numbers.insert(numbers.end(), force.begin(), force.end());
  numbers.insert(numbers.end(), seen_q_.begin(), seen_q_.end());
  numbers.insert(numbers.end(), seen_v_.begin(), seen_v_.end());
  return numbers;
}

void ControlForce::load(double t, std::span<const double> numbers) {
  if (!is_sampled() && numbers.empty()) return;
  const std::size_t nq = seen_q_.size(), nv = seen_v_.size();
  if (!is_sampled() || numbers.size() != 1 + size_ + nq + nv)
    throw Error("the checkpoint is that of another control", "simulate",
                "resume with the control and options of the first run");
  const auto take = [&](std::size_t from, std::size_t n) {
    const auto part = numbers.subspan(from, n);
    return std::vector<double>(part.begin(), part.end());
  };
  seen_q_ = take(1 + size_, nq);
  seen_v_ = take(1 + size_ + nq, nv);
  if (numbers[0] == 1) entries_[0] = {times_[interval_of(t)], {}, {}, take(1, size_), true};
  oldest_ = 1;
}

}  // namespace axode
