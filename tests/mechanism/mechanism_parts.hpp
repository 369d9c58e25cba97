/// Parts that tests put mechanisms together from, as plain structs, and the formulations of these.
#pragma once
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "axode/mechanism/equations/formulate.hpp"
#include "axode/mechanism/equations/system.hpp"

namespace axode::test::mechanisms {

using Point = std::array<double, 2>;

inline Vec3<double> in_plane(const Point& p) { return {p[0], p[1], 0}; }
inline SE3<double> planar_place(const Point& p, double angle) {
  return {exp(Vec3<double>{0, 0, angle}), in_plane(p)};
}
inline Inertia<double> planar_inertia(double mass, const Point& com, double about_com) {
  return {mass, in_plane(com), Sym3<double>::diagonal({about_com, about_com, about_com})};
}

inline Mechanism empty_mechanism(std::string name, bool is_planar) {
  Mechanism m;
  m.name = std::move(name);
  m.is_planar = is_planar;
  m.bodies.push_back({.name = "world"});
  return m;
}
inline int add_body(Mechanism& m, std::string name, const SE3<double>& pose,
                    const Inertia<double>& inertia = {1, {}, Sym3<double>::diagonal({1, 1, 1})}) {
  m.bodies.push_back({.name = std::move(name), .inertia = inertia, .pose = pose});
  return static_cast<int>(m.bodies.size()) - 1;
}
/// The joint with its coordinates; measured ones must come later.
inline int add_joint(Mechanism& m, const MechanismJoint& joint) {
  const int index = static_cast<int>(m.joints.size());
  m.joints.push_back(joint);
  std::vector<std::pair<const char*, bool>> coordinates;  // is it an angle
  switch (joint.type) {
    case PairType::revolute:
      coordinates = {{"angle", true}};
      break;
    case PairType::prismatic:
    case PairType::point_on_line:
      coordinates = {{"distance", false}};
      break;
    case PairType::helical:
      coordinates = {{"angle", true}, {"distance", false}};
      break;
    case PairType::rolling:
    case PairType::cylindrical:
      coordinates = {{"distance", false}, {"angle", true}};
      break;
    case PairType::universal:
      coordinates = {{"angle", true}, {"angle2", true}};
      break;
    case PairType::planar:
      coordinates = {{"x", false}, {"y", false}, {"angle", true}};
      break;
    default:
      break;
  }
  for (std::size_t k = 0; k < coordinates.size(); ++k)
    m.coordinates.push_back({.name = joint.name + "." + coordinates[k].first,
                             .joint = index,
                             .which = static_cast<int>(k),
                             .body = joint.body,
                             .point = joint.point,
                             .is_angle = coordinates[k].second});
  m.initial.resize(m.coordinates.size(), std::numeric_limits<double>::quiet_NaN());
  m.initial_rate.resize(m.coordinates.size(), std::numeric_limits<double>::quiet_NaN());
  return index;
}
inline int add_pin(Mechanism& m, std::string name, std::array<int, 2> bodies, const Point& on_i,
                   const Point& on_j) {
  return add_joint(
      m, {.name = std::move(name), .body = bodies, .point = {in_plane(on_i), in_plane(on_j)}});
}
inline void add_driver(Mechanism& m, const std::string& coordinate, TimeFunction motion) {
  m.drivers.push_back({coordinate, coordinate_index(m, coordinate), std::move(motion)});
}

inline Vec3<double> some_normal(const Vec3<double>& u) {
  return normalized(cross(u, std::abs(u.x) < .7 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0}));
}
inline MechanismJoint axis_joint(std::string name, PairType type, std::array<int, 2> bodies,
                                 const Vec3<double>& on_i, const Vec3<double>& on_j,
                                 const Vec3<double>& axis_i, const Vec3<double>& axis_j) {
  return {.name = std::move(name),
          .type = type,
          .body = bodies,
          .point = {on_i, on_j},
          .axis = {axis_i, axis_j},
          .zero = {some_normal(axis_i), some_normal(axis_j)}};
}

/// The formulations that exist for a mechanism.
inline std::vector<FormulationOptions> formulations(bool is_planar) {
  std::vector<FormulationOptions> all{{.family = CoordinateFamily::reference_point},
                                      {.family = CoordinateFamily::natural},
                                      {.family = CoordinateFamily::relative}};
  if (!is_planar) {
    all.push_back(
        {.family = CoordinateFamily::reference_point, .attitude = AttitudeForm::quasi_velocities});
    all.push_back(
        {.family = CoordinateFamily::reference_point, .attitude = AttitudeForm::euler_angles});
  }
  return all;
}
inline std::string label(const FormulationOptions& o) {
  return std::string(name(o.family)) + std::to_string(static_cast<int>(o.attitude));
}
inline std::vector<SE3<double>> reference_poses(const Mechanism& m) {
  std::vector<SE3<double>> poses;
  for (const MechanismBody& body : m.bodies) poses.push_back(body.pose);
  return poses;
}
inline std::vector<SE3<double>> poses_of(MechanismSystem& system, std::span<const double> q) {
  std::vector<SE3<double>> poses(system.mechanism().bodies.size());
  system.poses(q, poses);
  return poses;
}

}  // namespace axode::test::mechanisms
