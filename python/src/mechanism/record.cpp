#include "src/mechanism/record.hpp"

#include <nanobind/stl/string.h>

#include "axode/lie/rotation.hpp"

namespace axode::python::mechanisms {

std::vector<PointName> points_argument(const Mechanism& m, nb::handle names) {
  std::vector<std::string> requested;
  if (!names.is_none())
    for (const nb::handle item : nb::borrow(names))
      requested.push_back(nb::cast<std::string>(nb::str(item)));
  return points_named(m, requested);
}

namespace {

RunColumn without_units(const char* name, const std::vector<std::string>& labels) {
  return {name, labels, std::vector<std::string>(labels.size())};
}

RunColumn of_coordinates(const char* name, const Mechanism& m, const char* angle,
                         const char* length) {
  RunColumn column{name, {}, {}};
  for (const MechanismCoordinate& c : m.coordinates) {
    column.labels.push_back(c.name);
    column.units.emplace_back(c.is_angle ? angle : length);
  }
  return column;
}

/// "body.part" of all bodies; the first parts have one unit, the others the second.
RunColumn of_bodies(const char* name, const Mechanism& m, std::span<const char* const> parts,
                    std::size_t first, const char* unit, const char* other) {
  RunColumn column{name, {}, {}};
  for (const MechanismBody& body : m.bodies)
    for (std::size_t k = 0; k < parts.size(); ++k) {
      column.labels.push_back(body.name + "." + parts[k]);
      column.units.emplace_back(k < first ? unit : other);
    }
  return column;
}

void add_bodies(std::span<const SE3<double>> poses, std::span<const Twist<Rep::hybrid>> twists,
                RunColumn& of_poses, RunColumn& of_twists) {
  for (std::size_t b = 0; b < poses.size(); ++b) {
    const Quaternion<double> e = to_quaternion(poses[b].R);
    const Vec3<double>& p = poses[b].p;
    const double pose[] = {e.w, e.v.x, e.v.y, e.v.z, p.x, p.y, p.z};
    of_poses.add(pose);
    double six[6];
    write_six(twists[b].six(), six);
    of_twists.add(six);
  }
}

}  // namespace

SystemColumns::SystemColumns(const MechanismEquations& eq, const std::vector<PointName>& points,
                             bool bodies)
    : points_(!points.empty()), bodies_(bodies) {
  const Mechanism& m = eq.mechanism;
  std::vector<std::string> equations, places;
  for (const Equation& e : eq.equations) equations.push_back(e.name);
  for (const PointName& point : points)
    for (const char* axis : {".x", ".y", ".z"}) places.push_back(point.name + axis);
  columns.columns = {without_units("q", eq.coordinate_names),
                     without_units("v", eq.velocity_names),
                     without_units("a", eq.velocity_names),
                     of_coordinates("tau", m, "N m", "N"),
                     {"kinetic", {}, {"J"}},
                     {"potential", {}, {"J"}},
                     {"stored", {}, {"J"}},
                     {"work", {}, {"J"}},
                     without_units("lambda_", equations),
                     of_coordinates("coordinates", m, "rad", "m"),
                     of_coordinates("coordinate_rates", m, "rad/s", "m/s")};
  if (points_)
    columns.columns.push_back({"points", places, std::vector<std::string>(places.size(), "m")});
  if (!bodies) return;
  constexpr const char* pose[] = {"qw", "qx", "qy", "qz", "x", "y", "z"};
  constexpr const char* twist[] = {"wx", "wy", "wz", "vx", "vy", "vz"};
  columns.columns.push_back(of_bodies("body_poses", m, pose, 4, "", "m"));
  columns.columns.push_back(of_bodies("body_twists", m, twist, 3, "rad/s", "m/s"));
}

void SystemColumns::keep(const Sample& s, MechanismSampler& sampler, RunColumns& to) const {
  python::keep(s, to);
  std::size_t next = 8;  // behind those of all kinds
  to.columns[next++].add(s.lambda);
  for (const TimeValue& x : s.coordinates) {
    to.columns[next].add({&x.value, 1});
    to.columns[next + 1].add({&x.rate, 1});
  }
  next += 2;
  if (points_) {
    for (const Vec3<double>& p : sampler.positions(s)) {
      const double place[] = {p.x, p.y, p.z};
      to.columns[next].add(place);
    }
    ++next;
  }
  if (!bodies_) return;
  const auto twists = sampler.twists(s);
  add_bodies(sampler.poses(s), twists, to.columns[next], to.columns[next + 1]);
}

}  // namespace axode::python::mechanisms
