// Coordinates and what acts on them: couplings, drivers, forces, starting values.
#include <cmath>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "axode/core/error.hpp"
#include "axode/mechanism/description/builder.hpp"
#include "axode/model/checks.hpp"

namespace axode::detail {

namespace {

using Kind = MechanismCoordinate::Kind;

std::span<const std::string_view> coordinate_names(PairType type) {
  static constexpr std::array<std::string_view, 2> angle_distance{"angle", "distance"};
  static constexpr std::array<std::string_view, 2> distance_angle{"distance", "angle"};
  static constexpr std::array<std::string_view, 2> angles{"angle", "angle2"};
  static constexpr std::array<std::string_view, 3> plane{"x", "y", "angle"};
  switch (type) {
    case PairType::revolute:
      return std::span(angle_distance).first(1);
    case PairType::helical:
      return angle_distance;
    case PairType::prismatic:
    case PairType::point_on_line:
      return std::span(distance_angle).first(1);
    case PairType::cylindrical:
    case PairType::rolling:
      return distance_angle;
    case PairType::universal:
      return angles;
    case PairType::planar:
      return plane;
    default:
      return {};
  }
}

/// A point by its body's name, for messages: where.
std::pair<int, Vec3<double>> point_on(const Mechanism& mechanism, Names& names, const SpotOn& on,
                                      const std::string& where) {
  const int body = body_named(mechanism, names, on.body, where);
  return {body, spot_of(mechanism, body, on.spot, "point", where)};
}

MechanismCoordinate measured(const Mechanism& mechanism, Names& names,
                             const MechanismDescription::Measured& told, const std::string& where) {
  MechanismCoordinate c;
  c.name = told.name;
  c.kind = told.kind;
  c.is_angle = told.kind == Kind::angle;
  for (std::size_t k = 0; k < 2; ++k)
    if (c.is_angle)
      c.body[k] = body_named(mechanism, names, told.between[k].body, where);
    else
      std::tie(c.body[k], c.point[k]) = point_on(mechanism, names, told.between[k], where);
  if (c.body[0] == c.body[1])
    throw Error("it measures body '" + printable(told.between[0].body) + "' against itself", where,
                "name two bodies");
  if (c.is_angle && !mechanism.is_planar)
    throw Error("an angle between bodies is measured in the plane only", where,
                "use the angle of a joint");
  if (told.kind == Kind::component) {
    if (!is_finite(told.axis) || !(norm(told.axis) > 0))
      throw Error("its axis has length zero or is not finite", where, "give a direction");
    if (mechanism.is_planar && told.axis.z != 0)
      throw Error("its axis leaves the plane z = 0", where, "give x and y");
    check_vector(told.axis, "its axis", where);
    c.axis = normalized(told.axis);
  }
  return c;
}

/// The distances of a cable, named after it, and their sum.
void add_cable(const MechanismDescription::Cable& told, Mechanism& mechanism, Names& names,
               const std::string& where) {
  if (told.over.size() < 2)
    throw Error("a cable needs two points at least", where, "give over: its points in order");
  MechanismCoupling coupling;
  coupling.name = told.name;
  double length = 0;
  for (std::size_t k = 0; k + 1 < told.over.size(); ++k) {
    MechanismDescription::Measured part;
    part.name = told.name + "." + std::to_string(k + 1);
    part.between = {told.over[k], told.over[k + 1]};
    MechanismCoordinate c;
    const auto [i, a] = point_on(mechanism, names, told.over[k], where);
    const auto [j, b] = point_on(mechanism, names, told.over[k + 1], where);
    const auto& bodies = mechanism.bodies;
    const double apart = norm(bodies[j].pose * b - bodies[i].pose * a);
    if (i == j) {  // keeps its length
      coupling.constant -= norm(b - a);
      length += norm(b - a);
      continue;
    }
    length += apart;
    coupling.parts.push_back({static_cast<int>(mechanism.coordinates.size()), 1});
    mechanism.coordinates.push_back(measured(mechanism, names, part, where));
  }
  if (coupling.parts.empty())
    throw Error("its points are all on one body", where, "lead it over several");
  length = told.length.value_or(length);
  if (!std::isfinite(length) || !(length > 0))
    throw Error("its length is " + number(length), where, "give a positive number of metres");
  check_length(length, "its length", where);
  coupling.constant += length;
  mechanism.couplings.push_back(std::move(coupling));
}

/// The coupling of a gear between bodies; without offset they mesh as the reference shows them.
void couple_gear(const MechanismDescription::Joint& told, Mechanism& mechanism, Names& names,
                 std::span<const SE3<double>> poses) {
  const int i = coordinate_named(mechanism, names, told.name + ".i.angle", told.name);
  const int j = coordinate_named(mechanism, names, told.name + ".j.angle", told.name);
  const double ratio = told.geometry.ratio.value_or(1);
  const double offset = told.geometry.offset.value_or(measure(mechanism, j, poses) +
                                                      ratio * measure(mechanism, i, poses));
  mechanism.couplings.push_back({told.name, {{j, 1}, {i, ratio}}, offset});
}

void couple_joints(const MechanismDescription::Transmission& told, Mechanism& mechanism,
                   Names& names, const std::string& where) {
  const char* what = told.rack ? "radius" : "ratio";
  if (!std::isfinite(told.ratio) || !std::isfinite(told.offset) || told.ratio == 0)
    throw Error(std::string("its ") + what + " or offset is zero or not finite", where,
                std::string("give a ") + what);
  for (const double x : {told.ratio, told.offset})
    check_length(x, std::string("its ") + what + " or offset", where);
  std::array<int, 2> parts{};
  for (std::size_t k = 0; k < 2; ++k) {
    const std::string suffix = told.rack && k == 1 ? ".distance" : ".angle";
    parts[k] = coordinate_named(mechanism, names, told.joints[k] + suffix, where);
  }
  if (parts[0] == parts[1])
    throw Error("it couples joint '" + printable(told.joints[0]) + "' with itself", where,
                "name two joints");
  mechanism.couplings.push_back({told.name, {{parts[1], 1}, {parts[0], told.ratio}}, told.offset});
}

void add_coupling(const MechanismDescription::Coupling& told, Mechanism& mechanism, Names& names,
                  const std::string& where) {
  MechanismCoupling coupling{told.name, {}, told.constant};
  std::unordered_set<int> seen;
  for (const auto& [coordinate, factor] : told.sum) {
    const int index = coordinate_named(mechanism, names, coordinate, where);
    if (!std::isfinite(factor) || factor == 0)
      throw Error("the factor of '" + printable(coordinate) + "' is zero or not finite", where,
                  "leave it out, or give a number");
    check_length(factor, "the factor of '" + printable(coordinate) + "'", where);
    if (!seen.insert(index).second)
      throw Error("coordinate '" + printable(coordinate) + "' is there twice", where,
                  "add its factors");
    coupling.parts.push_back({index, factor});
  }
  if (coupling.parts.empty())
    throw Error("it couples nothing", where, "give sum: coordinates with their factors");
  check_length(told.constant, "its constant", where);
  mechanism.couplings.push_back(std::move(coupling));
}

}  // namespace

namespace {
/// Of the joint of that name; 0 if it came of another one.
int line_of(const MechanismDescription& description, const std::string& joint) {
  for (const auto& told : description.joints)
    if (told.name == joint) return told.line;
  return 0;
}
}  // namespace

void build_coordinates(const MechanismDescription& description, Mechanism& mechanism,
                       Names& names) {
  std::unordered_set<std::string> known;
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    const MechanismJoint& joint = mechanism.joints[j];
    int which = 0;
    for (const std::string_view part : coordinate_names(joint.type)) {
      MechanismCoordinate c;
      c.name = joint.name + "." + std::string(part);
      c.joint = static_cast<int>(j);
      c.which = which++;
      c.is_angle = part.starts_with("angle");
      if (!known.insert(c.name).second)
        throw Error("two coordinates are named '" + printable(c.name) + "'",
                    place_of(description, line_of(description, joint.name), "joint", joint.name),
                    "rename one of the joints");
      mechanism.coordinates.push_back(std::move(c));
    }
  }
  for (const auto& told : description.coordinates) {
    const std::string where = place_of(description, told.line, "coordinate", told.name);
    check_name(told.name, "coordinate", where);
    if (!known.insert(told.name).second)
      throw Error("the name is taken", where, "give every coordinate its own name");
    mechanism.coordinates.push_back(measured(mechanism, names, told, where));
  }
}

void build_couplings(const MechanismDescription& description, Mechanism& mechanism, Names& names) {
  std::vector<SE3<double>> poses;
  for (const MechanismBody& body : mechanism.bodies) poses.push_back(body.pose);
  for (const auto& told : description.joints)
    if (told.type == PairType::gear) couple_gear(told, mechanism, names, poses);
  for (const auto& told : description.transmissions)
    couple_joints(told, mechanism, names, place_of(description, told.line, "joint", told.name));
  for (const auto& told : description.cables)
    add_cable(told, mechanism, names, place_of(description, told.line, "joint", told.name));
  std::unordered_set<std::string> known;
  for (const MechanismCoupling& coupling : mechanism.couplings) known.insert(coupling.name);
  for (const auto& told : description.couplings) {
    const std::string where = place_of(description, told.line, "coupling", told.name);
    check_name(told.name, "coupling", where);
    if (!known.insert(told.name).second)
      throw Error("the name is taken", where, "give every coupling its own name");
    add_coupling(told, mechanism, names, where);
  }
}

}  // namespace axode::detail
