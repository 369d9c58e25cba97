// Joints: where they are on both bodies, and gears between bodies as carriers with revolutes.
#include <cmath>
#include <unordered_set>

#include "axode/core/error.hpp"
#include "axode/mechanism/description/builder.hpp"
#include "axode/model/checks.hpp"

namespace axode::detail {

namespace {

bool is_planar_pair(PairType type) {
  switch (type) {
    case PairType::weld:
    case PairType::revolute:
    case PairType::prismatic:
    case PairType::point_on_line:
    case PairType::point_line_distance:
    case PairType::rod:
    case PairType::rolling:
    case PairType::gear:
      return true;
    default:
      return false;
  }
}

void check_type(PairType type, bool is_planar, const std::string& where) {
  if (is_planar && !is_planar_pair(type))
    throw Error("a " + std::string(name(type)) + " joint moves in space, the mechanism in a plane",
                where, "use a planar joint, or make the mechanism spatial");
  if (!is_planar && type == PairType::rolling)
    throw Error("rolling in space is not holonomic and not offered", where,
                "use planar mechanisms for rolling, or couple coordinates");
}

/// The points on both bodies: as given, in the world, or of one body for both.
std::array<Vec3<double>, 2> joint_points(const Mechanism& mechanism, const PairGeometry& g,
                                         const MechanismJoint& joint, const std::string& where) {
  const SE3<double>&Ti = mechanism.bodies[joint.body[0]].pose,
        &Tj = mechanism.bodies[joint.body[1]].pose;
  if (g.at && (g.points[0].given || g.points[1].given))
    throw Error("its place is said twice, by points of the bodies and in the world", where,
                "give one of them");
  if (g.at) {
    const Vec3<double> world = spot_of(mechanism, 0, *g.at, "point", where);
    return {inverse_times(Ti, world), inverse_times(Tj, world)};
  }
  if (!g.points[0].given && !g.points[1].given && joint.type == PairType::weld)
    return {inverse_times(Ti, Tj.p), Vec3<double>{}};
  if (!g.points[0].given && !g.points[1].given)
    throw Error("it does not say where it is", where,
                "give its points on both bodies, or at: one point in the world, as the bodies "
                "stand in the reference configuration");
  std::array<Vec3<double>, 2> points{};
  for (std::size_t k = 0; k < 2; ++k)
    if (g.points[k].given)
      points[k] = spot_of(mechanism, joint.body[k], g.points[k], "point", where);
  if (!g.points[0].given) points[0] = inverse_times(Ti, Tj * points[1]);
  if (!g.points[1].given) points[1] = inverse_times(Tj, Ti * points[0]);
  return points;
}

MechanismJoint finished(const Mechanism& mechanism, Names& names,
                        const MechanismDescription::Joint& told, const std::string& where) {
  check_type(told.type, mechanism.is_planar, where);
  MechanismJoint joint;
  joint.name = told.name;
  joint.type = told.type;
  for (std::size_t k = 0; k < 2; ++k)
    joint.body[k] = body_named(mechanism, names, told.bodies[k], where);
  if (joint.body[0] == joint.body[1])
    throw Error("it joins body '" + printable(told.bodies[0]) + "' with itself", where,
                "name two bodies");
  joint.point = joint_points(mechanism, told.geometry, joint, where);
  build_axes(mechanism, told.geometry, joint, where);
  build_values(mechanism, told.geometry, joint, where);
  return joint;
}

/// Carrier, two revolutes on it, and the coupling of their angles [GarciaBayo (2.67), 2/6], instead
/// of the conditions of axes [GarciaBayo (2.68)-(2.75)], which hold crossed ones only.
void add_gear(Mechanism& mechanism, Names& names, const MechanismDescription::Joint& told,
              const std::string& where) {
  const MechanismJoint gear = finished(mechanism, names, told, where);
  MechanismBody carrier;
  carrier.name = told.name + ".carrier";
  const int body = static_cast<int>(mechanism.bodies.size());
  mechanism.bodies.push_back(carrier);
  constexpr std::array<const char*, 2> ends{".i", ".j"};
  for (std::size_t k = 0; k < 2; ++k) {
    const SE3<double>& T = mechanism.bodies[gear.body[k]].pose;
    MechanismJoint pivot;
    pivot.name = told.name + ends[k];
    pivot.body = {body, gear.body[k]};
    pivot.point = {T * gear.point[k], gear.point[k]};
    PairGeometry g;
    if (!mechanism.is_planar) g.axes = {Spot(T.R * gear.axis[k]), Spot(gear.axis[k])};
    build_axes(mechanism, g, pivot, where);
    mechanism.joints.push_back(pivot);
  }
  // psi_2 + n psi_1 = psi_20  [GarciaBayo (2.67)] follows when the coordinates have numbers.
}

}  // namespace

void build_joints(const MechanismDescription& description, Mechanism& mechanism, Names& names) {
  std::unordered_set<std::string> known, carriers;
  for (const MechanismBody& body : mechanism.bodies)
    if (body.name.ends_with(".carrier")) carriers.insert(body.name);
  const auto take = [&](const std::string& joint, const std::string& where) {
    check_name(joint, "joint", where);
    if (!known.insert(joint).second)
      throw Error("the name is taken", where, "give every joint its own name");
  };
  for (const auto& told : description.joints) {
    const std::string where = place_of(description, told.line, "joint", told.name);
    take(told.name, where);
    if (told.type == PairType::gear) {
      for (const char* part : {".i", ".j"}) take(told.name + part, where);
      if (carriers.contains(told.name + ".carrier"))
        throw Error(
            "body '" + printable(told.name + ".carrier") + "' has the name of the gear's carrier",
            where, "rename one of them");
      add_gear(mechanism, names, told, where);
    } else {
      mechanism.joints.push_back(finished(mechanism, names, told, where));
    }
  }
  for (const auto& told : description.transmissions)
    take(told.name, place_of(description, told.line, "joint", told.name));
  for (const auto& told : description.cables)
    take(told.name, place_of(description, told.line, "joint", told.name));
}

}  // namespace axode::detail
