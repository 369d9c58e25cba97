#include "axode/mechanism/description/builder.hpp"

#include <cmath>

#include "axode/core/error.hpp"
#include "axode/model/checks.hpp"

namespace axode {

SE3<double> planar_pose(double x, double y, double angle) {
  return {exp(Vec3<double>{0, 0, angle}), {x, y, 0}};
}

Mechanism build(const MechanismDescription& description) {
  Mechanism mechanism;
  mechanism.name = description.name;
  mechanism.is_planar = description.is_planar;
  constexpr double default_gravity = 9.81;
  mechanism.gravity =
      description.gravity.value_or(description.is_planar ? Vec3<double>{0, -default_gravity, 0}
                                                         : Vec3<double>{0, 0, -default_gravity});
  std::string where = description.source;
  if (!where.empty() && description.gravity_line > 0)
    where += ":" + std::to_string(description.gravity_line);
  detail::check_vector(mechanism.gravity, "gravity", where);
  if (description.is_planar && mechanism.gravity.z != 0)
    throw Error("gravity leaves the plane z = 0", where,
                "give two numbers, x and y, or make the mechanism spatial");
  detail::build_bodies(description, mechanism);
  detail::Names names;
  detail::build_joints(description, mechanism, names);
  detail::build_coordinates(description, mechanism, names);
  detail::build_couplings(description, mechanism, names);
  detail::build_forces(description, mechanism, names);
  return mechanism;
}

MechanismBuilder::MechanismBuilder(std::string name, Space space) {
  description_.name = std::move(name);
  description_.is_planar = space == Space::planar;
}
MechanismBuilder& MechanismBuilder::gravity(const Vec3<double>& g) {
  description_.gravity = g;
  return *this;
}
MechanismBuilder& MechanismBuilder::body(std::string name, const Inertia<double>& inertia) {
  MechanismDescription::Body added;
  added.body.name = std::move(name);
  added.body.inertia = inertia;
  description_.bodies.push_back(std::move(added));
  return *this;
}
MechanismBody& MechanismBuilder::current_body(const char* what) {
  if (description_.bodies.empty())
    throw Error(std::string(what) + " belongs to a body, and there is none yet", "MechanismBuilder",
                "call body() before");
  return description_.bodies.back().body;
}
MechanismBuilder& MechanismBuilder::point(std::string name, const Vec3<double>& local) {
  current_body("point").points.push_back({std::move(name), local});
  return *this;
}
MechanismBuilder& MechanismBuilder::vector(std::string name, const Vec3<double>& local) {
  current_body("vector").vectors.push_back({std::move(name), local});
  return *this;
}
MechanismBuilder& MechanismBuilder::pose(const SE3<double>& T_WB) {
  current_body("pose").pose = T_WB;
  return *this;
}
MechanismBuilder& MechanismBuilder::rod(bool is_rod) {
  current_body("rod").rod = is_rod;
  return *this;
}
MechanismBuilder& MechanismBuilder::joint(std::string name, PairType type, std::string body_i,
                                          std::string body_j, const PairGeometry& geometry) {
  description_.joints.push_back(
      {std::move(name), type, {std::move(body_i), std::move(body_j)}, geometry, 0});
  return *this;
}
MechanismBuilder& MechanismBuilder::gear(std::string name, std::string joint_i, std::string joint_j,
                                         double ratio, double offset) {
  description_.transmissions.push_back(
      {std::move(name), false, {std::move(joint_i), std::move(joint_j)}, ratio, offset, 0});
  return *this;
}
MechanismBuilder& MechanismBuilder::rack_pinion(std::string name, std::string pinion,
                                                std::string rack, double radius, double offset) {
  description_.transmissions.push_back(
      {std::move(name), true, {std::move(pinion), std::move(rack)}, radius, offset, 0});
  return *this;
}
MechanismBuilder& MechanismBuilder::cable(std::string name, std::vector<SpotOn> over,
                                          std::optional<double> length) {
  description_.cables.push_back({std::move(name), std::move(over), length, 0});
  return *this;
}
MechanismBuilder& MechanismBuilder::distance(std::string name, SpotOn from, SpotOn to) {
  description_.coordinates.push_back({std::move(name),
                                      MechanismCoordinate::Kind::distance,
                                      {std::move(from), std::move(to)},
                                      {1, 0, 0},
                                      0});
  return *this;
}
MechanismBuilder& MechanismBuilder::component(std::string name, SpotOn from, SpotOn to,
                                              const Vec3<double>& axis) {
  description_.coordinates.push_back({std::move(name),
                                      MechanismCoordinate::Kind::component,
                                      {std::move(from), std::move(to)},
                                      axis,
                                      0});
  return *this;
}
MechanismBuilder& MechanismBuilder::angle(std::string name, std::string body_i,
                                          std::string body_j) {
  description_.coordinates.push_back(
      {std::move(name),
       MechanismCoordinate::Kind::angle,
       {SpotOn{std::move(body_i), {}}, SpotOn{std::move(body_j), {}}},
       {1, 0, 0},
       0});
  return *this;
}
MechanismBuilder& MechanismBuilder::couple(std::string name,
                                           std::vector<std::pair<std::string, double>> sum,
                                           double constant) {
  description_.couplings.push_back({std::move(name), std::move(sum), constant, 0});
  return *this;
}
MechanismBuilder& MechanismBuilder::drive(std::string coordinate, TimeFunction motion) {
  std::string name = coordinate;
  description_.drivers.push_back(
      {std::move(name), std::move(coordinate), std::move(motion), {}, 0});
  return *this;
}
MechanismBuilder& MechanismBuilder::force(std::string coordinate, CoordinateForce force) {
  description_.coordinate_forces.push_back({std::move(force), std::move(coordinate), 0});
  return *this;
}
MechanismBuilder& MechanismBuilder::spring(SpotOn from, SpotOn to, PointSpring spring) {
  description_.springs.push_back({std::move(spring), {std::move(from), std::move(to)}, 0});
  return *this;
}
MechanismBuilder& MechanismBuilder::load(SpotOn on, BodyLoad load) {
  description_.loads.push_back({std::move(load), std::move(on), 0});
  return *this;
}
MechanismBuilder& MechanismBuilder::start(std::string coordinate, double value,
                                          std::optional<double> rate) {
  description_.initial.push_back({coordinate, value, false, 0});
  if (rate) description_.initial.push_back({std::move(coordinate), *rate, true, 0});
  return *this;
}

}  // namespace axode
