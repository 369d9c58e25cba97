/// `axode mechanism`: what is read off a state, and CSV.
#include <cmath>

#include "axode/io/text_file.hpp"
#include "axode/mechanism/body_wrenches.hpp"
#include "cli/mechanism.hpp"
#include "cli/quantity.hpp"

namespace axode::cli {

namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// The coordinate's value and rate when bodies move on for a time h with constant acceleration.
double rate_at(MechanismSystem& system, const MechanismState& state, int c, double h) {
  const auto n = system.mechanism().bodies.size();
  std::vector<double> q(state.q), d(state.v), v(state.v);
  for (std::size_t i = 0; i < d.size(); ++i) {
    d[i] = h * (state.v[i] + h / 2 * state.a[i]);
    v[i] += h * state.a[i];
  }
  plus(system.configuration(), state.q, d, q);
  std::vector<SE3<double>> poses(n);
  std::vector<Twist<Rep::hybrid>> twists(n);
  system.motion(q, v, poses, twists);
  return coordinate_rate(coordinate_wrench(system.mechanism(), c, poses), poses, twists);
}

/// Derivative of the rate by differences, extrapolated: error of order h^4.
double acceleration_of(MechanismSystem& system, const MechanismState& state, int c) {
  const auto difference = [&](double h) {
    return (rate_at(system, state, c, h) - rate_at(system, state, c, -h)) / (2 * h);
  };
  const double h = 1e-3;
  return (4 * difference(h / 2) - difference(h)) / 3;
}

}  // namespace

MechanismReading reading_of(MechanismSystem& system, const MechanismState& state) {
  const Mechanism& mechanism = system.mechanism();
  const auto n = mechanism.bodies.size();
  MechanismReading r;
  r.poses.resize(n);
  r.twists.resize(n);
  r.rates.resize(n);
  system.motion(state.q, state.v, r.poses, r.twists);
  if (!state.a.empty()) system.accelerations(state.q, state.v, state.a, r.rates);
  for (int c = 0; c < static_cast<int>(mechanism.coordinates.size()); ++c) {
    TimeValue value;
    value.value = measure(mechanism, c, r.poses);
    value.rate = coordinate_rate(coordinate_wrench(mechanism, c, r.poses), r.poses, r.twists);
    if (!state.a.empty()) value.acceleration = acceleration_of(system, state, c);
    r.coordinates.push_back(value);
  }
  return r;
}

std::vector<PointName> points_named(const Mechanism& mechanism,
                                    const std::vector<std::string>& names) {
  std::vector<PointName> points;
  for (const std::string& name : names) {
    bool found = false;
    for (std::size_t b = 0; b < mechanism.bodies.size() && !found; ++b)
      for (const NamedVector& point : mechanism.bodies[b].points)
        if (mechanism.bodies[b].name + "." + point.name == name) {
          points.push_back({name, static_cast<int>(b), point.at});
          found = true;
          break;
        }
    if (found) continue;
    std::string known;
    for (const PointName& point : all_points(mechanism))
      if (known.size() < 200) known += (known.empty() ? "" : ", ") + printable(point.name);
    throw UsageError(fmt::format("--points: there is no point '{}'; {}", printable(name),
                                 known.empty() ? "add points to the bodies of the file"
                                               : "there are: " + known));
  }
  return points;
}

std::vector<PointName> all_points(const Mechanism& mechanism) {
  std::vector<PointName> points;
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b)
    for (const NamedVector& point : mechanism.bodies[b].points)
      points.push_back(
          {mechanism.bodies[b].name + "." + point.name, static_cast<int>(b), point.at});
  return points;
}

CsvRows::CsvRows(std::vector<std::string> titles) {
  for (std::size_t i = 0; i < titles.size(); ++i)
    text_ += fmt::format("{}{}", i > 0 ? "," : "", csv_cell(titles[i]));
  text_ += '\n';
}
void CsvRows::row(std::span<const double> numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i)
    text_ += fmt::format("{}{}", i > 0 ? "," : "", shortest(numbers[i] == 0 ? 0 : numbers[i]));
  text_ += '\n';
}
void CsvRows::finish(const std::string& file, bool force, Output& output) const {
  if (file.empty())
    output.text(text_);
  else
    write_text_file(file, text_, force);
}

}  // namespace axode::cli
