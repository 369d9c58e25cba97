// Bodies and names: what every later stage relies on.
#include <cmath>
#include <unordered_set>

#include "axode/core/error.hpp"
#include "axode/mechanism/description/builder.hpp"
#include "axode/model/checks.hpp"

namespace axode::detail {

namespace {

/// Off the plane beyond what rounding makes [m, or of unit vectors].
bool leaves_plane(const Vec3<double>& a) { return !(std::abs(a.z) <= 1e-9 * (1 + max_abs(a))); }

void check_named(const std::vector<NamedVector>& list, bool is_planar, bool points,
                 const std::string& where) {
  std::unordered_set<std::string_view> known;
  for (const NamedVector& item : list) {
    const std::string at =
        where + ", " + (points ? "point '" : "vector '") + printable(item.name) + "'";
    check_name(item.name, points ? "point" : "vector", at);
    if (!known.insert(item.name).second)
      throw Error("the name is taken", at, "give every point and vector of a body its own name");
    points ? check_place(item.at, "it", at) : check_vector(item.at, "it", at);
    if (is_planar && points && leaves_plane(item.at))
      throw Error("it is off the plane z = 0", at, "give x and y only, or a spatial mechanism");
    if (!points && !(norm(item.at) > 0))
      throw Error("a direction of length zero", at, "give the direction it points to");
  }
}

void check_planar_body(const MechanismBody& body, const std::string& where) {
  const Inertia<double>& I = body.inertia;
  if (!std::isfinite(I.mass) || !is_finite(I.com) || !std::isfinite(I.about_com.zz))
    throw Error("its inertia is not finite", where, "give finite numbers");
  check_place(I.com, "its centre of mass", where);
  for (const double x : {I.mass, I.about_com.zz}) check_number(x, "its inertia", where);
  if (I.mass < 0) throw Error("its mass is negative", where, "give zero or a positive mass");
  if (I.about_com.zz < 0)
    throw Error("its rotational inertia is negative", where, "give zero or a positive number");
  if (leaves_plane(I.com))
    throw Error("its centre of mass is off the plane z = 0", where, "give x and y only");
  if (std::abs(body.pose.p.z) > 1e-9 * (1 + max_abs(body.pose.p)) ||
      std::abs(body.pose.R.matrix.z.z - 1) > 1e-9)
    throw Error("its pose leaves the plane z = 0", where,
                "give a position of two numbers and an angle");
}

MechanismBody checked_body(const MechanismBody& given, bool is_planar, const std::string& where) {
  MechanismBody body = given;
  check_named(body.points, is_planar, true, where);
  check_named(body.vectors, is_planar, false, where);
  body.pose = checked(body.pose, where);
  if (is_planar) {
    check_planar_body(body, where);
  } else {
    BodyDescription as_told;
    as_told.name = body.name;
    as_told.inertia = body.inertia;
    as_told.inertia_given = true;
    std::vector<Warning> warnings;
    if (body.inertia != Inertia<double>{}) check_inertia(as_told, where, warnings);
  }
  return body;
}

void place_world(const MechanismDescription& description, Mechanism& mechanism) {
  MechanismBody world;
  world.name = world_name;
  for (const auto& told : description.bodies)
    if (told.body.name == world_name) {
      const std::string where = place_of(description, told.line, "body", told.body.name);
      if (told.body.pose != SE3<double>{})
        throw Error("the world has no pose", where, "remove the pose");
      world = checked_body(told.body, description.is_planar, where);
      world.inertia = {};
      world.rod = false;
      break;
    }
  mechanism.bodies.push_back(std::move(world));
}

/// Its number, -1 if there is none; what was added to the list is read in first.
template <class List>
int found(const List& list, std::unordered_map<std::string, int>& known, int& read,
          const std::string& name) {
  for (; read < static_cast<int>(list.size()); ++read) known.try_emplace(list[read].name, read);
  const auto entry = known.find(name);
  return entry == known.end() ? -1 : entry->second;
}

}  // namespace

std::string place_of(const MechanismDescription& description, int line, const char* kind,
                     const std::string& name) {
  std::string place = description.source;
  if (!place.empty() && line > 0) place += ":" + std::to_string(line);
  return (place.empty() ? "" : place + ": ") + kind + " '" + printable(name) + "'";
}

Vec3<double> spot_of(const Mechanism& mechanism, int body, const Spot& spot, const char* kind,
                     const std::string& where) {
  const MechanismBody& on = mechanism.bodies[body];
  const bool is_point = kind == std::string_view("point");
  if (!spot.name.empty()) {
    const auto& list = is_point ? on.points : on.vectors;
    std::string names;
    for (const NamedVector& item : list) {
      if (item.name == spot.name) return item.at;
      if (names.size() < 200) names += (names.empty() ? "" : ", ") + printable(item.name);
    }
    throw Error(
        "body '" + printable(on.name) + "' has no " + kind + " '" + printable(spot.name) + "'",
        where, names.empty() ? "add it to the body" : "it has " + names);
  }
  if (!spot.given)
    throw Error(std::string("a ") + kind + " is not said", where,
                "name one of the body, or give its components");
  const std::string what = std::string("a ") + kind;
  is_point ? check_place(spot.at, what, where) : check_vector(spot.at, what, where);
  if (mechanism.is_planar && is_point && leaves_plane(spot.at))
    throw Error("a point is off the plane z = 0", where,
                "give x and y only, or make the mechanism spatial");
  return spot.at;
}

int body_named(const Mechanism& mechanism, Names& names, const std::string& name,
               const std::string& where) {
  const int known = found(mechanism.bodies, names.bodies, names.bodies_read, name);
  if (known >= 0) return known;
  try {
    return body_index(mechanism, name);  // for its message
  } catch (const Error& e) {
    throw Error(e.problem(), where, name == "ground" ? "the fixed body is 'world'" : e.remedy());
  }
}
int coordinate_named(const Mechanism& mechanism, Names& names, const std::string& name,
                     const std::string& where) {
  const int known = found(mechanism.coordinates, names.coordinates, names.coordinates_read, name);
  if (known >= 0) return known;
  try {
    return coordinate_index(mechanism, name);
  } catch (const Error& e) {
    throw Error(e.problem(), where, e.remedy());
  }
}

void build_bodies(const MechanismDescription& description, Mechanism& mechanism) {
  place_world(description, mechanism);
  std::unordered_set<std::string_view> known;
  for (const auto& told : description.bodies) {
    const std::string where = place_of(description, told.line, "body", told.body.name);
    if (told.body.name != world_name) check_name(told.body.name, "body", where);
    if (!known.insert(told.body.name).second)
      throw Error("the name is taken", where, "give every body its own name");
    if (told.body.name == world_name) continue;
    mechanism.bodies.push_back(checked_body(told.body, description.is_planar, where));
  }
}

}  // namespace axode::detail
