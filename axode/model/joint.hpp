/// Joints: what relative motion they allow, as screws, and in which coordinates.
///
/// A joint of m degrees of freedom has screws Z_1..Z_m. Its displacement is, in coordinates of the
///
///   second kind   D(q) = exp(Z_1 q_1) ... exp(Z_m q_m)                       [MuellerKin Remark 4]
///   first kind    D(q) = exp(Z_1 q_1 + ... + Z_m q_m)
///
/// or, for spherical and free joints, a unit quaternion: no singularity. The functions below make
/// joints; axes and points are given in the frame of the geometry form chosen (geometry.hpp): the
/// world at the zero configuration if nothing else is said. Lengths in m, angles in rad.
/// Tests: tests/model/joint_test.cpp
#pragma once
#include <limits>
#include <span>
#include <string_view>

#include "axode/screw/screw.hpp"
#include "axode/screw/subgroup.hpp"
#include "axode/screw/twist.hpp"

namespace axode {

enum class JointType {
  fixed,
  revolute,
  prismatic,
  helical,      ///< finite pitch
  cylindrical,  ///< translation along and rotation about one axis
  spherical,
  planar,          ///< two translations in a plane and the rotation about its normal
  universal,       ///< two rotations about intersecting axes; no subgroup
  translation_2,   ///< R^2, a macro joint of two prismatic ones
  translation_3,   ///< R^3, a macro joint of three prismatic ones
  helical_planar,  ///< H_p |x R^2, a macro joint of two prismatic ones and a screw normal to them
  schoenflies,     ///< SE(2) x R, a macro joint: three translations and a rotation
  free,            ///< six degrees of freedom
  screws           ///< any one to six screws the user gives
};
/// The name in files, such as "helical_planar".
std::string_view name(JointType type) noexcept;

enum class Coordinates { second_kind, first_kind, quaternion };
/// The name in files: "second_kind", "first_kind", "quaternion".
std::string_view name(Coordinates coordinates) noexcept;

/// The motion a joint allows.
struct Joint {
  JointType type = JointType::fixed;
  Coordinates coordinates = Coordinates::second_kind;
  ScrewSystem<double> screws{};  ///< in the frame of the geometry form
  /// Free joint only: the form of its velocity coordinates, for the joint frame on the body moving
  /// in that on the parent: body, spatial or hybrid.
  Rep velocity = Rep::body;

  constexpr int dof() const noexcept { return screws.size; }
};

// All of the following throw Error on numbers that are not finite and on zero axes; axes need not
// be unit vectors.

struct AxisAndPoint {
  Vec3<double> axis{0, 0, 1};
  Vec3<double> point{};
};
struct Axis {
  Vec3<double> axis{0, 0, 1};
};
struct HelixAxis {
  Vec3<double> axis{0, 0, 1};
  Vec3<double> point{};
  double pitch = 0;  ///< advance per radian [m/rad]
};
/// Where a joint of several axes is: x, z = the directions of its first and third axis, which are
/// made perpendicular by moving x; y completes them.
struct AxesAndPoint {
  Vec3<double> x{1, 0, 0}, z{0, 0, 1};
  Vec3<double> point{};
  Coordinates coordinates = Coordinates::second_kind;
};
struct Centre {
  Vec3<double> point{};
  Coordinates coordinates = Coordinates::quaternion;
  SO3<double> axes{};  ///< columns: the axes the coordinates refer to
};
struct TwoAxes {
  Vec3<double> first{1, 0, 0}, second{0, 1, 0};
  Vec3<double> point{};
};
struct FreeFrame {
  Rep velocity = Rep::body;  ///< body, spatial or hybrid
  SE3<double> at{};          ///< frame the coordinates refer to, on parent and body
  Coordinates coordinates = Coordinates::quaternion;
};

Joint fixed();
/// q: angle [rad].
Joint revolute(const AxisAndPoint& g);
/// q: displacement [m].
Joint prismatic(const Axis& g);
/// q: angle [rad]. Throws Error on an infinite pitch: that is a prismatic joint.
Joint helical(const HelixAxis& g);
/// One screw of any pitch: revolute, helical or prismatic.
Joint one_screw(const Screw<double>& screw);
/// q: displacement [m], angle [rad]; first and second kind coincide.
Joint cylindrical(const AxisAndPoint& g);
/// q: quaternion (w, x, y, z), velocity the angular velocity in the body's joint axes; or three
/// angles about x, y, z of the first or second kind.
Joint spherical(const Centre& g = {});
/// q: displacements along x and y [m], angle about z [rad].
Joint planar(const AxesAndPoint& g = {});
/// q: angle about the first axis (fixed in the parent), then about the second (in the body).
Joint universal(const TwoAxes& g = {});
/// q: quaternion (w, x, y, z) and position [m] of the joint frame, seven numbers; six velocity
/// coordinates, angular first. First and second kind: six screw coordinates, rotations first.
Joint free_joint(const FreeFrame& g = {});
/// The motion subgroups that no lower pair generates, or any other, as macro joint in the screws of
/// subgroup_screws: translations first [MuellerKin Table 2, corrected: docs/errata.md].
Joint subgroup_joint(MotionSubgroup group, const SE3<double>& at = {}, double pitch = 0,
                     Coordinates coordinates = Coordinates::second_kind);
/// Up to six screws in unit coordinates (e, p x e + h e) or (0, e). Throws Error if one is not.
Joint screws_joint(std::span<const Vec6<double>> screws,
                   Coordinates coordinates = Coordinates::second_kind);

/// What belongs to one degree of freedom of a joint, beside its screw. Units: rad or m, N m or N.
struct Dof {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  double max_velocity = std::numeric_limits<double>::infinity();
  double max_effort = std::numeric_limits<double>::infinity();
  double damping = 0;   ///< viscous [N m s/rad, N s/m]
  double friction = 0;  ///< Coulomb [N m, N]
  double armature = 0;  ///< reflected inertia of the drive [kg m^2, kg]
  friend constexpr bool operator==(const Dof&, const Dof&) = default;
};

}  // namespace axode
