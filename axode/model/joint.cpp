#include "axode/model/joint.hpp"

#include <array>
#include <cmath>
#include <string>

#include "axode/core/error.hpp"
#include "axode/lie/adjoint.hpp"
#include "axode/lie/rotation.hpp"

namespace axode {

namespace {

constexpr std::array<std::string_view, 14> type_names{
    "fixed",          "revolute",    "prismatic", "helical",       "cylindrical",
    "spherical",      "planar",      "universal", "translation_2", "translation_3",
    "helical_planar", "schoenflies", "free",      "screws"};

void check_finite(const Vec3<double>& point, const char* where) {
  if (!is_finite(point))
    throw Error("the point is not finite", where, "give three finite numbers in metres");
}

/// A unit vector; Error names the joint.
Vec3<double> unit(const Vec3<double>& axis, const char* where) {
  if (!is_finite(axis)) throw Error("the axis is not finite", where, "give three finite numbers");
  if (max_abs(axis) == 0)
    throw Error("the axis is zero", where, "give a direction of any length but zero");
  return normalized(axis);
}

Joint of_screws(JointType type, Coordinates coordinates,
                std::initializer_list<Vec6<double>> screws) {
  Joint joint{type, coordinates, {}, Rep::body};
  for (const Vec6<double>& X : screws) joint.screws.screws[joint.screws.size++] = X;
  return joint;
}

Vec6<double> rotation_screw(const Vec3<double>& axis, const Vec3<double>& point) {
  return {axis, cross(point, axis)};
}

/// The frame with third axis z and first axis along x as far as it is perpendicular to z.
SE3<double> frame_of_axes(const Vec3<double>& x, const Vec3<double>& z, const Vec3<double>& point,
                          const char* where) {
  check_finite(point, where);
  const Vec3<double> e3 = unit(z, where), along = unit(x, where);
  const Vec3<double> e2 = cross(e3, along);
  if (norm(e2) < 1e-9)
    throw Error("its axes x and z are parallel", where, "give two different directions");
  const Vec3<double> y = normalized(e2);
  return {{Mat3<double>{cross(y, e3), y, e3}}, point};
}

void refuse_quaternion(Coordinates coordinates, const char* where) {
  if (coordinates == Coordinates::quaternion)
    throw Error("a quaternion is not a coordinate of this joint", where,
                "choose coordinates of the first or second kind");
}

void check_axes(const SO3<double>& R, const char* where) {
  if (!(orthogonality_error(R.matrix) < 1e-9) || determinant(R.matrix) < 0)
    throw Error("its axes are not perpendicular unit vectors", where,
                "give a rotation, for example by rotation_from_matrix");
}

Joint with_screws(JointType type, Coordinates coordinates, const ScrewSystem<double>& screws) {
  return {type, coordinates, screws, Rep::body};
}

}  // namespace

std::string_view name(JointType type) noexcept { return type_names[std::size_t(type)]; }

std::string_view name(Coordinates coordinates) noexcept {
  constexpr std::array<std::string_view, 3> names{"second_kind", "first_kind", "quaternion"};
  return names[std::size_t(coordinates)];
}

Joint fixed() { return {}; }

Joint revolute(const AxisAndPoint& g) {
  check_finite(g.point, "revolute joint");
  return of_screws(JointType::revolute, Coordinates::second_kind,
                   {rotation_screw(unit(g.axis, "revolute joint"), g.point)});
}

Joint prismatic(const Axis& g) {
  return of_screws(JointType::prismatic, Coordinates::second_kind,
                   {{{}, unit(g.axis, "prismatic joint")}});
}

Joint helical(const HelixAxis& g) {
  const char* where = "helical joint";
  check_finite(g.point, where);
  if (!is_finite(g.pitch))
    throw Error("the pitch is not finite", where,
                "give metres per radian, or use a prismatic joint");
  const Vec3<double> e = unit(g.axis, where);
  Vec6<double> X = rotation_screw(e, g.point);
  X.linear += g.pitch * e;
  return of_screws(JointType::helical, Coordinates::second_kind, {X});
}

Joint one_screw(const Screw<double>& screw) {
  if (std::isinf(screw.pitch)) return prismatic({screw.axis});
  if (screw.pitch == 0) return revolute({screw.axis, screw.point});
  return helical({screw.axis, screw.point, screw.pitch});
}

Joint cylindrical(const AxisAndPoint& g) {
  check_finite(g.point, "cylindrical joint");
  const Vec3<double> e = unit(g.axis, "cylindrical joint");
  return of_screws(JointType::cylindrical, Coordinates::second_kind,
                   {{{}, e}, rotation_screw(e, g.point)});
}

Joint spherical(const Centre& g) {
  check_finite(g.point, "spherical joint");
  check_axes(g.axes, "spherical joint");
  Joint joint =
      with_screws(JointType::spherical, g.coordinates,
                  subgroup_screws(MotionSubgroup::spherical, SE3<double>{g.axes, g.point}));
  return joint;
}

Joint planar(const AxesAndPoint& g) {
  refuse_quaternion(g.coordinates, "planar joint");
  return with_screws(
      JointType::planar, g.coordinates,
      subgroup_screws(MotionSubgroup::planar, frame_of_axes(g.x, g.z, g.point, "planar joint")));
}

Joint universal(const TwoAxes& g) {
  const char* where = "universal joint";
  check_finite(g.point, where);
  const Vec3<double> first = unit(g.first, where), second = unit(g.second, where);
  if (norm(cross(first, second)) < 1e-9)
    throw Error("its two axes are parallel", where,
                "give two different directions, or use a revolute joint");
  return of_screws(JointType::universal, Coordinates::second_kind,
                   {rotation_screw(first, g.point), rotation_screw(second, g.point)});
}

Joint free_joint(const FreeFrame& g) {
  const char* where = "free joint";
  check_finite(g.at.p, where);
  check_axes(g.at.R, where);
  if (g.velocity == Rep::mixed)
    throw Error("its velocity cannot be in mixed form", where, "choose body, spatial or hybrid");
  if (g.coordinates != Coordinates::quaternion && g.velocity != Rep::body)
    throw Error("spatial and hybrid velocities go with quaternion coordinates only", where,
                "choose quaternion coordinates, or leave the velocity form out");
  const Mat3<double>& R = g.at.R.matrix;
  Joint joint = of_screws(JointType::free, g.coordinates,
                          {rotation_screw(R.x, g.at.p),
                           rotation_screw(R.y, g.at.p),
                           rotation_screw(R.z, g.at.p),
                           {{}, R.x},
                           {{}, R.y},
                           {{}, R.z}});
  joint.velocity = g.velocity;
  return joint;
}

Joint subgroup_joint(MotionSubgroup group, const SE3<double>& at, double pitch,
                     Coordinates coordinates) {
  if (group == MotionSubgroup::full) return free_joint({Rep::body, at, coordinates});
  refuse_quaternion(coordinates, "subgroup joint");
  check_finite(at.p, "subgroup joint");
  check_axes(at.R, "subgroup joint");
  constexpr std::array<JointType, 12> types{
      JointType::fixed,          JointType::prismatic,     JointType::revolute,
      JointType::helical,        JointType::translation_2, JointType::cylindrical,
      JointType::translation_3,  JointType::spherical,     JointType::planar,
      JointType::helical_planar, JointType::schoenflies,   JointType::free};
  return with_screws(types[std::size_t(group)], coordinates, subgroup_screws(group, at, pitch));
}

Joint screws_joint(std::span<const Vec6<double>> screws, Coordinates coordinates) {
  const char* where = "joint of screws";
  refuse_quaternion(coordinates, where);
  if (screws.empty() || screws.size() > 6)
    throw Error("it has " + std::to_string(screws.size()) + " screws", where, "give one to six");
  Joint joint = with_screws(JointType::screws, coordinates, {});
  for (const Vec6<double>& X : screws) {
    if (!is_finite(X)) throw Error("a screw is not finite", where, "give six finite numbers");
    const bool translation = max_abs(X.angular) == 0;
    const double length = norm(translation ? X.linear : X.angular);
    if (!(std::abs(length - 1) < 1e-9))
      throw Error("the axis of screw " + std::to_string(joint.screws.size + 1) + " has length " +
                      std::to_string(length),
                  where, "give unit screws (e, p x e + h e) or (0, e)");
    // Within a few roundings it is left as it is, so that files reproduce it.
    const bool exact = std::abs(length - 1) < 4 * epsilon<double>;
    joint.screws.screws[joint.screws.size++] = exact ? X : X / length;
  }
  return joint;
}

}  // namespace axode
