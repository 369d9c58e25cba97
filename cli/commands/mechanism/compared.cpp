#include "cli/commands/mechanism/compared.hpp"

#include <cmath>

#include "axode/mechanism/dynamics/rank.hpp"

namespace axode::cli {

namespace {

Vec3<double> velocity_of(const PointName& point, const MechanismReading& r) {
  const Vec3<double> arm = r.poses[point.body].R * point.local;
  return r.twists[point.body].linear + cross(r.twists[point.body].angular, arm);
}
Vec3<double> acceleration_of(const PointName& point, const MechanismReading& r) {
  const Vec3<double> arm = r.poses[point.body].R * point.local;
  const Vec3<double> w = r.twists[point.body].angular;
  const Vec6<double>& rate = r.rates[point.body];
  return rate.linear + cross(rate.angular, arm) + cross(w, cross(w, arm));
}

}  // namespace

Traces traces_of(const Mechanism& m, std::span<const SE3<double>> poses) {
  Traces traces;
  std::vector<PointName> more = all_points(m);
  for (const MechanismJoint& joint : m.joints)
    for (std::size_t k = 0; k < 2; ++k) more.push_back({joint.name, joint.body[k], joint.point[k]});
  const Vec3<double> middle = poses[0] * (more.empty() ? Vec3<double>{} : more.front().local);
  for (const PointName& point : more)
    traces.size = std::max(traces.size, max_abs(poses[point.body] * point.local - middle));
  if (!(traces.size > 0)) traces.size = 1;
  for (std::size_t b = 1; b < m.bodies.size(); ++b)
    for (const Vec3<double>& at :
         {Vec3<double>{}, Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}, Vec3<double>{0, 0, 1}})
      traces.points.push_back({m.bodies[b].name, static_cast<int>(b), traces.size * at});
  traces.points.insert(traces.points.end(), more.begin(), more.end());
  return traces;
}

std::vector<bool> free_traces(MechanismSystem& system, const MechanismState& state,
                              const Traces& traces) {
  const Mechanism& m = system.mechanism();
  std::vector<bool> free(traces.points.size() + m.coordinates.size());
  SparseRows J;
  system.jacobian(state.t, state.q, J);
  for (const std::vector<double>& motion : null_space(J)) {
    const MechanismReading r = reading_of(system, {state.t, state.q, motion, {}, {}});
    std::vector<double> speeds;
    for (const PointName& point : traces.points) speeds.push_back(norm(velocity_of(point, r)));
    for (std::size_t c = 0; c < m.coordinates.size(); ++c)
      speeds.push_back((m.coordinates[c].is_angle ? traces.size : 1) *
                       std::abs(r.coordinates[c].rate));
    const double most = *std::max_element(speeds.begin(), speeds.end());
    for (std::size_t k = 0; k < free.size(); ++k)
      if (speeds[k] > 1e-6 * most) free[k] = true;
  }
  return free;
}

void set_differences(const Mechanism& m, const Traces& traces, const std::vector<bool>& free,
                     const MechanismReading& first, Compared& c) {
  const std::size_t n = traces.points.size();
  double fastest = 1e-9 * traces.size, strongest = 0;
  for (std::size_t k = 0; k < n; ++k) {
    if (free[k]) continue;
    const PointName& point = traces.points[k];
    const Vec3<double> v = velocity_of(point, first), a = acceleration_of(point, first);
    fastest = std::max(fastest, norm(v));
    strongest = std::max(strongest, norm(a));
    const auto b = std::size_t(point.body);
    c.position = std::max(c.position,
                          max_abs(first.poses[b] * point.local - c.reading.poses[b] * point.local));
    c.velocity = std::max(c.velocity, max_abs(v - velocity_of(point, c.reading)));
    c.acceleration = std::max(c.acceleration, max_abs(a - acceleration_of(point, c.reading)));
  }
  for (std::size_t k = 0; k < m.coordinates.size(); ++k) {
    if (free[n + k]) continue;
    const double unit = m.coordinates[k].is_angle ? traces.size : 1;
    const TimeValue &x = first.coordinates[k], &y = c.reading.coordinates[k];
    const double apart = m.coordinates[k].is_angle
                             ? std::remainder(x.value - y.value, 2 * pi<double>)
                             : x.value - y.value;
    c.position = std::max(c.position, unit * std::abs(apart));
    c.velocity = std::max(c.velocity, unit * std::abs(x.rate - y.rate));
    c.acceleration = std::max(c.acceleration, unit * std::abs(x.acceleration - y.acceleration));
  }
  // At a dead point velocities are small by cancelling: accelerations tell how fast it could be.
  fastest = std::max(fastest, std::sqrt(strongest * traces.size));
  c.position /= traces.size;
  c.velocity /= fastest;
  c.acceleration /= std::max(strongest, fastest * fastest / traces.size);
}

std::vector<std::string> free_bodies(const Mechanism& m, const std::vector<bool>& free) {
  std::vector<std::string> names;
  for (std::size_t b = 1; b < m.bodies.size(); ++b)
    if (const auto at = free.begin() + static_cast<std::ptrdiff_t>(4 * (b - 1));
        std::find(at, at + 4, true) != at + 4)
      names.push_back(m.bodies[b].name);
  return names;
}

}  // namespace axode::cli
