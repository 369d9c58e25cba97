// Axes, zero directions and numbers of joints: what is not said follows from the reference.
#include <cmath>

#include "axode/core/error.hpp"
#include "axode/mechanism/description/builder.hpp"
#include "axode/model/checks.hpp"

namespace axode::detail {

namespace {

constexpr Vec3<double> axis_x{1, 0, 0}, axis_z{0, 0, 1};

const SE3<double>& pose(const Mechanism& mechanism, const MechanismJoint& joint, std::size_t k) {
  return mechanism.bodies[joint.body[k]].pose;
}

/// Which axes a type has: none, of body i alone, or of both.
int axes_of(PairType type) {
  switch (type) {
    case PairType::spherical:
    case PairType::rod:
      return 0;
    case PairType::point_on_line:
    case PairType::point_on_plane:
    case PairType::point_line_distance:
    case PairType::rolling:
      return 1;
    default:
      return 2;
  }
}
/// In the plane: along it, or normal to it.
bool lies_in_plane(PairType type) {
  return type == PairType::prismatic || type == PairType::point_on_line ||
         type == PairType::point_line_distance || type == PairType::rolling;
}

Vec3<double> unit(const Vec3<double>& a, const char* what, const std::string& where) {
  const double length = norm(a);
  if (!is_finite(a) || !(length > 0))
    throw Error(std::string(what) + " has length zero or is not finite", where,
                "give the direction it points to");
  return std::abs(length - 1) < 1e-15 ? a : a / length;
}
/// A unit vector normal to a: from the first of x, y, z that is least along it.
Vec3<double> some_normal(const Vec3<double>& a) {
  int least = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(a[k]) < std::abs(a[least])) least = k;
  Vec3<double> e{};
  e[least] = 1;
  return normalized(e - a * dot(a, e));
}
/// The part of b normal to the unit vector a, as unit vector; some normal if there is none.
Vec3<double> normal_part(const Vec3<double>& a, const Vec3<double>& b) {
  const Vec3<double> part = b - a * dot(a, b);
  return norm(part) > 1e-6 ? normalized(part) : some_normal(a);
}

void check_plane(const MechanismJoint& joint, std::size_t k, const std::string& where) {
  const bool along = lies_in_plane(joint.type);
  const Vec3<double>& a = joint.axis[k];
  if (along ? std::abs(a.z) > 1e-9 : std::abs(a.z - 1) > 1e-9)
    throw Error(
        along ? "its axis leaves the plane z = 0" : "its axis is not z, that of planar mechanisms",
        where,
        along ? "give x and y of the direction"
              : "leave the axis out; to count an angle the other way, exchange the bodies");
}

void fill_axes(const Mechanism& mechanism, const PairGeometry& g, MechanismJoint& joint,
               const std::string& where) {
  const int needed = axes_of(joint.type);
  const bool by_default = (mechanism.is_planar && !lies_in_plane(joint.type)) || needed == 0 ||
                          joint.type == PairType::weld;
  if (g.axis && (g.axes[0].given || g.axes[1].given))
    throw Error("its axis is said twice, on the bodies and in the world", where, "give one");
  if (g.axis && joint.type == PairType::universal)
    throw Error("a universal joint has two axes, one on each body", where,
                "give axes: that on the first body and that on the second");
  std::optional<Vec3<double>> world = g.axis;
  if (!g.axes[0].given && !world && by_default) world = axis_z;
  if (!g.axes[0].given && !world)
    throw Error("a " + std::string(name(joint.type)) + " joint needs an axis", where,
                "give axes: its direction on both bodies, or axis: that in the world");
  for (std::size_t k = 0; k < 2; ++k) {
    const SE3<double>& T = pose(mechanism, joint, k);
    if (!g.axes[k].given && !world && needed == 2 && joint.type == PairType::universal)
      throw Error("its second axis is not said", where, "give axes on both bodies");
    if (!g.axes[k].given && !world) world = pose(mechanism, joint, 0).R * joint.axis[0];
    const Vec3<double> local = g.axes[k].given
                                   ? spot_of(mechanism, joint.body[k], g.axes[k], "vector", where)
                                   : inverse_times(T.R, unit(*world, "its axis", where));
    joint.axis[k] = unit(local, "its axis", where);
    if (mechanism.is_planar && needed > 0) check_plane(joint, k, where);
  }
}

void check_universal(const Mechanism& mechanism, const MechanismJoint& joint,
                     const std::string& where) {
  const double c =
      dot(pose(mechanism, joint, 0).R * joint.axis[0], pose(mechanism, joint, 1).R * joint.axis[1]);
  // The reference may be a sketch; but what is this far off was meant otherwise.
  if (!(std::abs(c) < 0.5))
    throw Error("its axes stand at " + number(std::acos(c) * 180 / 3.141592653589793) +
                    " degrees in the reference configuration, not at 90",
                where, "give two perpendicular axes, each in the frame of its body");
}

/// The directions that angles are counted from, by the rule of MechanismJoint::zero.
std::array<Vec3<double>, 2> zero_directions(const Mechanism& mechanism,
                                            const MechanismJoint& joint) {
  const auto& [a, b] = joint.axis;
  const SO3<double>&Ri = pose(mechanism, joint, 0).R, &Rj = pose(mechanism, joint, 1).R;
  const bool weld = joint.type == PairType::weld;
  if (mechanism.is_planar) return {axis_x, weld ? inverse_times(Rj, Ri * axis_x) : axis_x};
  if (joint.type == PairType::universal) {
    if (std::abs(dot(a, b)) < 1e-9) return {normal_part(a, b), normal_part(b, a)};
    return {normal_part(a, inverse_times(Ri, Rj * b)), normal_part(b, inverse_times(Rj, Ri * a))};
  }
  const Vec3<double> z = some_normal(a);
  if (!weld && max_abs(a - b) < 1e-9) return {z, normal_part(b, z)};
  return {z, normal_part(b, inverse_times(Rj, Ri * z))};
}

void fill_zero(const Mechanism& mechanism, const PairGeometry& g, MechanismJoint& joint,
               const std::string& where) {
  joint.zero = zero_directions(mechanism, joint);
  for (std::size_t k = 0; k < 2; ++k) {
    if (!g.zero[k].given) continue;
    const Vec3<double> e = unit(spot_of(mechanism, joint.body[k], g.zero[k], "vector", where),
                                "its zero direction", where);
    const bool planar = mechanism.is_planar;
    const Vec3<double>& a = planar ? axis_z : joint.axis[k];
    const Vec3<double> part = e - a * dot(a, e);
    if (!(norm(part) > 1e-3))
      throw Error("its zero direction is along the axis", where, "give one normal to it");
    joint.zero[k] = std::abs(dot(a, e)) < 1e-15 ? e : normalized(part);
  }
}

double reference_angle(const Mechanism& mechanism, const MechanismJoint& joint) {
  const SO3<double>&Ri = pose(mechanism, joint, 0).R, &Rj = pose(mechanism, joint, 1).R;
  const Vec3<double> u = mechanism.is_planar ? axis_z : Ri * joint.axis[0];
  const Vec3<double> zi = Ri * joint.zero[0], zj = Rj * joint.zero[1];
  const double angle = std::atan2(dot(u, cross(zi, zj)), dot(zi, zj) - dot(u, zi) * dot(u, zj));
  return std::abs(angle) < 1e-12 ? 0 : angle;
}

/// A prismatic joint in the plane keeps the axes parallel; that says the angle, unless it is given.
void build_planar_prismatic(const PairGeometry& g, MechanismJoint& joint,
                            const std::string& where) {
  const auto turn = [](const Vec3<double>& from, const Vec3<double>& to) {
    return std::atan2(from.x * to.y - from.y * to.x, from.x * to.x + from.y * to.y);
  };
  // The angles of the axes and of the zero directions, counted on each body.
  const double by_axes = turn(joint.zero[0], joint.axis[0]) - turn(joint.zero[1], joint.axis[1]);
  joint.angle = g.angle.value_or(std::remainder(by_axes, 2 * 3.141592653589793));
  if (!g.angle) return;
  if (g.axes[0].given && g.axes[1].given &&
      std::abs(std::remainder(by_axes - *g.angle, 2 * 3.141592653589793)) > 1e-3)
    throw Error("its axes on both bodies are parallel at the angle " + number(by_axes) +
                    " and not at " + number(*g.angle),
                where, "remove the angle, or correct an axis: each is in the frame of its body");
  const SO3<double> R = exp(Vec3<double>{0, 0, turn(joint.zero[0], joint.axis[0]) - *g.angle});
  // What was written with all digits is left as it is.
  const Vec3<double> exact = R * joint.zero[1];
  if (max_abs(exact - joint.axis[1]) > 1e-14) joint.axis[1] = exact;
}

double positive(const std::optional<double>& given, double otherwise, const char* what,
                const std::string& where) {
  const double value = given.value_or(otherwise);
  if (!std::isfinite(value) || !(value > 0))
    throw Error(std::string(what) + (given ? " is " + number(value) : " is not said"), where,
                "give a positive number of metres");
  return value;
}

}  // namespace

void build_axes(const Mechanism& mechanism, const PairGeometry& geometry, MechanismJoint& joint,
                const std::string& where) {
  fill_axes(mechanism, geometry, joint, where);
  if (joint.type == PairType::universal) check_universal(mechanism, joint, where);
  fill_zero(mechanism, geometry, joint, where);
}

void build_values(const Mechanism& mechanism, const PairGeometry& geometry, MechanismJoint& joint,
                  const std::string& where) {
  for (const auto& number :
       {geometry.value, geometry.pitch, geometry.ratio, geometry.offset, geometry.angle})
    if (number) check_length(*number, "one of its numbers", where);
  joint.value = geometry.value.value_or(0);
  joint.pitch = geometry.pitch.value_or(0);
  joint.ratio = geometry.ratio.value_or(1);
  joint.offset = geometry.offset.value_or(0);
  const double apart =
      norm(pose(mechanism, joint, 1) * joint.point[1] - pose(mechanism, joint, 0) * joint.point[0]);
  if (joint.type == PairType::rod)
    joint.value = positive(geometry.value, apart, "its length", where);
  if (joint.type == PairType::rolling)
    joint.value = positive(geometry.value, 0, "its radius", where);
  if (joint.type == PairType::point_line_distance)
    joint.value = positive(geometry.value, 0, "its distance", where);
  if (joint.type == PairType::gear && !(std::abs(joint.ratio) > 0))
    throw Error("its ratio is zero", where, "give teeth of the first by teeth of the second");
  if (joint.type == PairType::helical && !geometry.pitch)
    throw Error("its pitch is not said", where, "give the advance per radian [m/rad]");
  if (joint.type != PairType::prismatic) return;
  if (mechanism.is_planar)
    build_planar_prismatic(geometry, joint, where);
  else
    joint.angle = geometry.angle.value_or(reference_angle(mechanism, joint));
}

}  // namespace axode::detail
