#include "axode/mechanism/description/mechanism.hpp"

#include <cmath>

#include "axode/core/error.hpp"
#include "axode/lie/dual.hpp"

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
template <class S>
S angle_about(const Vec3<S>& u, const Vec3<S>& a, const Vec3<S>& b) {
  using std::atan2;
  return atan2(dot(u, cross(a, b)), dot(a, b) - dot(u, a) * dot(u, b));
}

template <class S>
Vec3<S> as(const Vec3<double>& a) {
  return {S(a.x), S(a.y), S(a.z)};
}

template <class S>
S joint_coordinate(const MechanismJoint& j, int which, const SE3<S>& Ti, const SE3<S>& Tj) {
  const Vec3<S> d = Tj * as<S>(j.point[1]) - Ti * as<S>(j.point[0]), u = Ti.R * as<S>(j.axis[0]);
  const Vec3<S> zi = Ti.R * as<S>(j.zero[0]), zj = Tj.R * as<S>(j.zero[1]);
  switch (j.type) {
    case PairType::revolute:
      return angle_about(u, zi, zj);
    case PairType::helical:
      return which == 0 ? angle_about(u, zi, zj) : dot(u, d);
    case PairType::cylindrical:
      return which == 0 ? dot(u, d) : angle_about(u, zi, zj);
    case PairType::rolling:
      return which == 0 ? dot(u, d) : angle_about(as<S>({0, 0, 1}), zi, zj);
    case PairType::universal: {
      const Vec3<S> w = Tj.R * as<S>(j.axis[1]);
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
    const MechanismCoordinate& c = mechanism.coordinates[middle];
    const bool before = c.kind == MechanismCoordinate::Kind::joint &&
                        (c.joint < joint || (c.joint == joint && c.which < which));
    (before ? low : high) = before ? middle + 1 : middle;
  }
  if (low == static_cast<int>(mechanism.coordinates.size())) return -1;
  const MechanismCoordinate& c = mechanism.coordinates[low];
  const bool found =
      c.kind == MechanismCoordinate::Kind::joint && c.joint == joint && c.which == which;
  return found ? low : -1;
}

int dofs(const MechanismJoint& joint, bool is_planar) noexcept {
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

namespace {

template <class S>
S measure_at(const Mechanism& mechanism, const MechanismCoordinate& c, const SE3<S>& Ti,
             const SE3<S>& Tj) {
  if (c.kind == MechanismCoordinate::Kind::joint)
    return joint_coordinate(mechanism.joints[c.joint], c.which, Ti, Tj);
  const Vec3<S> d = Tj * as<S>(c.point[1]) - Ti * as<S>(c.point[0]);
  if (c.kind == MechanismCoordinate::Kind::distance) return norm(d);
  if (c.kind == MechanismCoordinate::Kind::component) return dot(as<S>(c.axis), d);
  return angle_about(as<S>({0, 0, 1}), Ti.R.matrix.x, Tj.R.matrix.x);
}
std::array<std::size_t, 2> bodies_of(const Mechanism& mechanism, const MechanismCoordinate& c) {
  const auto& body =
      c.kind == MechanismCoordinate::Kind::joint ? mechanism.joints[c.joint].body : c.body;
  return {std::size_t(body[0]), std::size_t(body[1])};
}

/// A number with two derivatives by time: both units of the nested dual numbers are that of time.
using Jet = Dual<Dual<double>>;
Vec3<Jet> jet(const Vec3<double>& a, const Vec3<double>& rate, const Vec3<double>& second) {
  const auto one = [](double f, double d, double dd) { return Jet{{f, d}, {d, dd}}; };
  return {one(a.x, rate.x, second.x), one(a.y, rate.y, second.y), one(a.z, rate.z, second.z)};
}
SE3<Jet> jet(const SE3<double>& T, const Twist<Rep::hybrid>& twist, const Vec6<double>& rate) {
  const Vec3<double>&w = twist.angular, &alpha = rate.angular;
  const auto column = [&](const Vec3<double>& e) {
    return jet(e, cross(w, e), cross(alpha, e) + cross(w, cross(w, e)));
  };
  const Mat3<double>& R = T.R.matrix;
  return {SO3<Jet>{Mat3<Jet>{column(R.x), column(R.y), column(R.z)}},
          jet(T.p, twist.linear, rate.linear)};
}

}  // namespace

double measure(const Mechanism& mechanism, int coordinate, std::span<const SE3<double>> poses) {
  const MechanismCoordinate& c = mechanism.coordinates[coordinate];
  const auto [i, j] = bodies_of(mechanism, c);
  return measure_at(mechanism, c, poses[i], poses[j]);
}

TimeValue measure(const Mechanism& mechanism, int coordinate, std::span<const SE3<double>> poses,
                  std::span<const Twist<Rep::hybrid>> twists, std::span<const Vec6<double>> rates) {
  const MechanismCoordinate& c = mechanism.coordinates[coordinate];
  const auto [i, j] = bodies_of(mechanism, c);
  const Jet x = measure_at(mechanism, c, jet(poses[i], twists[i], rates[i]),
                           jet(poses[j], twists[j], rates[j]));
  return {x.real.real, x.real.dual, x.dual.dual};
}

double nearest_turn(double value, double wished) noexcept {
  constexpr double turn = 6.283185307179586;
  return value + turn * std::round((wished - value) / turn);
}

double measure_with_turns(const Mechanism& mechanism, int coordinate,
                          std::span<const SE3<double>> poses) {
  const std::size_t c = coordinate;
  const MechanismCoordinate& what = mechanism.coordinates[c];
  const double value = measure(mechanism, coordinate, poses);
  if (!what.is_angle) return value;
  if (what.kind == MechanismCoordinate::Kind::joint) {
    const MechanismJoint& j = mechanism.joints[what.joint];
    const SE3<double>&Ti = poses[j.body[0]], &Tj = poses[j.body[1]];
    const double distance = dot(Ti.R * j.axis[0], Tj * j.point[1] - Ti * j.point[0]);
    if (j.type == PairType::helical && j.pitch != 0)
      return nearest_turn(value, (distance - j.offset) / j.pitch);
    if (j.type == PairType::rolling && j.value != 0)
      return nearest_turn(value, (j.offset - distance) / j.value);
  }
  const bool told = c < mechanism.initial.size() && !std::isnan(mechanism.initial[c]);
  return told ? nearest_turn(value, mechanism.initial[c]) : value;
}

}  // namespace axode
