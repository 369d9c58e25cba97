#include "axode/mechanism/mechanism.hpp"

#include <cmath>

#include "axode/error.hpp"

namespace axode {

namespace {

constexpr std::string_view pair_names[] = {
    "weld",      "revolute", "prismatic",     "helical",        "cylindrical",         "spherical",
    "universal", "planar",   "point_on_line", "point_on_plane", "point_line_distance", "rod",
    "rolling",   "gear"};

template <class Items>
int index_of(const Items& items, std::string_view name, const char* kind) {
  for (std::size_t i = 0; i < items.size(); ++i)
    if (items[i].name == name) return static_cast<int>(i);
  std::string known;
  for (std::size_t i = 0; i < items.size() && i < 20; ++i) known += (i ? ", " : "") + items[i].name;
  throw Error("there is no " + std::string(kind) + " '" + std::string(name) + "'", {},
              "there are: " + (items.size() > 20 ? known + ", ..." : known));
}

/// The angle from a to b about u, of their parts normal to u.
double angle_about(const Vec3<double>& u, const Vec3<double>& a, const Vec3<double>& b) {
  return std::atan2(dot(u, cross(a, b)), dot(a, b) - dot(u, a) * dot(u, b));
}

double joint_coordinate(const MechanismJoint& j, int which, std::span<const SE3<double>> poses) {
  const SE3<double>&Ti = poses[static_cast<std::size_t>(j.body[0])],
        &Tj = poses[static_cast<std::size_t>(j.body[1])];
  const Vec3<double> d = Tj * j.point[1] - Ti * j.point[0], u = Ti.R * j.axis[0];
  const Vec3<double> zi = Ti.R * j.zero[0], zj = Tj.R * j.zero[1];
  switch (j.type) {
    case PairType::revolute:
      return angle_about(u, zi, zj);
    case PairType::helical:
      return which == 0 ? angle_about(u, zi, zj) : dot(u, d);
    case PairType::cylindrical:
      return which == 0 ? dot(u, d) : angle_about(u, zi, zj);
    case PairType::rolling:
      return which == 0 ? dot(u, d) : angle_about({0, 0, 1}, zi, zj);
    case PairType::universal: {
      const Vec3<double> w = Tj.R * j.axis[1];
      return which == 0 ? angle_about(u, zi, w) : angle_about(w, u, zj);
    }
    case PairType::planar:
      if (which == 2) return angle_about(u, zi, zj);
      return which == 0 ? dot(zi, d) : dot(cross(u, zi), d);
    default:
      return dot(u, d);  // prismatic, point on line
  }
}

}  // namespace

std::string_view name(PairType type) noexcept { return pair_names[static_cast<int>(type)]; }

TimeFunction constant_in_time(double value) {
  return [value](double) { return TimeValue{value, 0, 0}; };
}
TimeFunction polynomial_in_time(double value, double rate, double acceleration) {
  return [=](double t) {
    return TimeValue{value + t * (rate + t * acceleration / 2), rate + t * acceleration,
                     acceleration};
  };
}

int body_index(const Mechanism& mechanism, std::string_view name) {
  return index_of(mechanism.bodies, name, "body");
}
int joint_index(const Mechanism& mechanism, std::string_view name) {
  return index_of(mechanism.joints, name, "joint");
}
int coordinate_index(const Mechanism& mechanism, std::string_view name) {
  return index_of(mechanism.coordinates, name, "coordinate");
}

int coordinate_of(const Mechanism& mechanism, int joint, int which) {
  // Those of joints stand in order: a search by halves.
  int low = 0, high = static_cast<int>(mechanism.coordinates.size());
  while (low < high) {
    const int middle = (low + high) / 2;
    const MechanismCoordinate& c = mechanism.coordinates[static_cast<std::size_t>(middle)];
    const bool before = c.kind == MechanismCoordinate::Kind::joint &&
                        (c.joint < joint || (c.joint == joint && c.which < which));
    (before ? low : high) = before ? middle + 1 : middle;
  }
  if (low == static_cast<int>(mechanism.coordinates.size())) return -1;
  const MechanismCoordinate& c = mechanism.coordinates[static_cast<std::size_t>(low)];
  const bool found =
      c.kind == MechanismCoordinate::Kind::joint && c.joint == joint && c.which == which;
  return found ? low : -1;
}

int freedoms(const MechanismJoint& joint, bool is_planar) noexcept {
  switch (joint.type) {
    case PairType::weld:
      return 0;
    case PairType::revolute:
    case PairType::prismatic:
    case PairType::helical:
    case PairType::rolling:
    case PairType::gear:
      return 1;
    case PairType::cylindrical:
    case PairType::universal:
      return 2;
    case PairType::spherical:
    case PairType::planar:
      return 3;
    case PairType::point_on_line:
      return is_planar ? 2 : 4;
    case PairType::point_on_plane:
    case PairType::point_line_distance:
    case PairType::rod:
      break;
  }
  return is_planar ? 2 : 5;
}

double measure(const Mechanism& mechanism, int coordinate, std::span<const SE3<double>> poses) {
  const MechanismCoordinate& c = mechanism.coordinates[static_cast<std::size_t>(coordinate)];
  if (c.kind == MechanismCoordinate::Kind::joint)
    return joint_coordinate(mechanism.joints[static_cast<std::size_t>(c.joint)], c.which, poses);
  const SE3<double>&Ti = poses[static_cast<std::size_t>(c.body[0])],
        &Tj = poses[static_cast<std::size_t>(c.body[1])];
  const Vec3<double> d = Tj * c.point[1] - Ti * c.point[0];
  if (c.kind == MechanismCoordinate::Kind::distance) return norm(d);
  if (c.kind == MechanismCoordinate::Kind::component) return dot(c.axis, d);
  return angle_about({0, 0, 1}, Ti.R.matrix.x, Tj.R.matrix.x);
}

}  // namespace axode
