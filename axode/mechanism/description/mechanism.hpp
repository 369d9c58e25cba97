/// A mechanism: bodies, joints of any kind between any two of them, couplings, drivers and forces.
///
/// What the user knows, in no particular coordinates: the formulations (relative, reference point,
/// natural, each with mixed coordinates added) are made from it by make_equations (formulate.hpp).
/// All geometry is local to the bodies. Body frames stand in the world at the reference
/// configuration as `pose` says: by default there, so that points may simply be given in the world;
/// a reference configuration need not be assembled: it is where searching starts. Planar mechanisms
/// move in the plane z = 0, their axes are along z. Units: m, rad, kg, N, s.
/// Tests: tests/mechanism/description/mechanism_test.cpp
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "axode/lie/se3.hpp"
#include "axode/screw/inertia.hpp"

namespace axode {

/// A point or a direction of a body, in its frame.
struct NamedVector {
  std::string name;
  Vec3<double> at{};
};

struct MechanismBody {
  std::string name;
  Inertia<double> inertia{};          ///< in the body frame; planar: mass, com, about_com.zz
  std::vector<NamedVector> points{};  ///< that the user may speak of
  std::vector<NamedVector> vectors{};
  SE3<double> pose{};  ///< in the world at the reference configuration
  /// A slender rod between its joints: in natural coordinates an element of two points, whose spin
  /// is no coordinate. Other coordinates know the spin; where joints and forces hold the rod by its
  /// line only, it changes nothing, nor does an inertia about the line.
  bool rod = false;
};

enum class PairType : std::uint8_t {
  weld,
  revolute,             ///< coordinate "angle"
  prismatic,            ///< "distance"
  helical,              ///< "angle" and "distance" = offset + pitch angle
  cylindrical,          ///< "distance" and "angle"
  spherical,            ///< none
  universal,            ///< "angle" about the axis on body i, "angle2" about that on body j
  planar,               ///< "x", "y", "angle": point j in the plane of body i
  point_on_line,        ///< "distance" of point j along the axis of body i
  point_on_plane,       ///< none: point j stays at `value` above the plane of body i
  point_line_distance,  ///< none: point j stays `value` off the axis of body i (planar: on its
                        ///< left)
  rod,                  ///< massless link of fixed length `value` between two points
  rolling,              ///< planar: wheel j of radius `value` on the line of body i, without slip;
                        ///< "distance" of its centre along the line, "angle"
  gear,                 ///< two axes at their distance and angle, angle j = offset - ratio angle i
};
/// The name in files, such as "point_on_line".
std::string_view name(PairType type) noexcept;

/// A joint between bodies i and j (j moves in i). Which members count depends on the type.
struct MechanismJoint {
  std::string name;
  PairType type = PairType::revolute;
  std::array<int, 2> body{};            ///< i, j; 0 is the world
  std::array<Vec3<double>, 2> point{};  ///< each in its body's frame [m]
  /// Unit vectors, each in its body's frame. Universal: the two crossing axes, one on each body.
  /// Planes: the normals. Rolling: on i the direction of the line; the wheel is on its left.
  std::array<Vec3<double>, 2> axis{Vec3<double>{0, 0, 1}, Vec3<double>{0, 0, 1}};
  /// Unit vectors normal to the axes: the angle is that from zero[0] to zero[1] about the axis; and
  /// a prismatic joint keeps it. The builder chooses them such that frames of equal attitude have
  /// angle zero where the axes allow it, otherwise the reference configuration has.
  std::array<Vec3<double>, 2> zero{Vec3<double>{1, 0, 0}, Vec3<double>{1, 0, 0}};
  double value = 0;   ///< length, radius, height, distance [m]; universal: 0
  double pitch = 0;   ///< helical: advance per radian [m/rad]
  double ratio = 1;   ///< gear: teeth of i by teeth of j, > 0 meshing outside
  double offset = 0;  ///< helical: distance at angle 0 [m]; gear: angle j at angle i = 0 [rad];
                      ///< rolling: distance + value angle, which rolling keeps [m]
  double angle = 0;   ///< prismatic: the angle it keeps [rad]
};

/// A number that the configuration has: of a joint, or measured between points. May be driven,
/// coupled, loaded and added to any formulation as mixed coordinate.
struct MechanismCoordinate {
  enum class Kind : std::uint8_t {
    joint,      ///< a coordinate of a joint
    distance,   ///< between two points, >= 0
    component,  ///< of the difference of two points, along an axis fixed in the world
    angle,      ///< planar: of body j against body i
  };
  std::string name;  ///< of joints "joint.angle", "joint.distance", ...
  Kind kind = Kind::joint;
  int joint = -1, which = 0;  ///< `which`: number within the joint, in the order of PairType
  std::array<int, 2> body{};
  std::array<Vec3<double>, 2> point{};
  Vec3<double> axis{1, 0, 0};
  bool is_angle = false;  ///< [rad], else [m]
};

/// sum factor_k coordinate_k = constant: gears on a carrier, rack and pinion, cables over pulleys.
struct MechanismCoupling {
  struct Part {
    int coordinate = 0;
    double factor = 1;
  };
  std::string name;
  std::vector<Part> parts;
  double constant = 0;
};

/// A function of time with its first two derivatives.
struct TimeValue {
  double value = 0, rate = 0, acceleration = 0;
};
using TimeFunction = std::function<TimeValue(double t)>;
TimeFunction constant_in_time(double value);
/// value + rate t + acceleration t^2/2.
TimeFunction polynomial_in_time(double value, double rate, double acceleration = 0);

/// coordinate = motion(t). The force it needs is a result.
struct MechanismDriver {
  std::string name;
  int coordinate = 0;
  TimeFunction motion;
  std::string text{};  ///< the motion as a file says it, if it came from one
};

/// -stiffness (x - rest) - damping x' + force(t) on a coordinate [N m, N]; a torque of a joint acts
/// on j, its opposite on i.
struct CoordinateForce {
  std::string name{};
  int coordinate = 0;
  double stiffness = 0, rest = 0, damping = 0;
  std::function<double(double t)> force{};  ///< none if empty
  std::string text{};                       ///< the force as a file says it
};
/// Spring and damper between two points, > 0 pushes apart: -stiffness (l - length) - damping l'.
struct PointSpring {
  std::string name{};
  std::array<int, 2> body{};
  std::array<Vec3<double>, 2> point{};
  double stiffness = 0, length = 0, damping = 0;
  std::function<double(double t)> force{};
  std::string text{};  ///< the force as a file says it
};
/// A constant or time-dependent force at a point of a body and a torque on it, in world axes.
struct BodyLoad {
  std::string name{};
  int body = 0;
  Vec3<double> point{};
  Vec3<double> force{}, torque{};
  std::function<Vec6<double>(double t)> varying{};  ///< torque, force; added; none if empty
  std::string text{};                               ///< what varies, as a file says it
};

struct Mechanism {
  std::string name;
  bool is_planar = false;
  Vec3<double> gravity{0, 0, 0};      ///< [m/s^2]; builder and files: 9.81 along -y, -z
  std::vector<MechanismBody> bodies;  ///< 0 is the world
  std::vector<MechanismJoint> joints;
  std::vector<MechanismCoordinate> coordinates;  ///< of all joints in order, then measured ones
  std::vector<MechanismCoupling> couplings;
  std::vector<MechanismDriver> drivers;
  std::vector<CoordinateForce> coordinate_forces;
  std::vector<PointSpring> springs;
  std::vector<BodyLoad> loads;
  /// Starting values of coordinates, NaN where not told: by coordinate.
  std::vector<double> initial, initial_rate;
};

/// Number of the body, joint or coordinate of that name. Throws Error naming what exists.
int body_index(const Mechanism& mechanism, std::string_view name);
int joint_index(const Mechanism& mechanism, std::string_view name);
int coordinate_index(const Mechanism& mechanism, std::string_view name);
/// The coordinate `which` of a joint, -1 if it has none.
int coordinate_of(const Mechanism& mechanism, int joint, int which = 0);
/// Degrees of freedom a joint leaves between its bodies, in the plane or in space.
int dofs(const MechanismJoint& joint, bool is_planar) noexcept;
/// A coordinate as the poses of all bodies have it; angles in (-pi, pi].
double measure(const Mechanism& mechanism, int coordinate, std::span<const SE3<double>> poses);
/// The same with the turns that are known otherwise: of helical and rolling joints by their distance,
/// of others those nearest to the starting value, where one was told.
double measure_with_turns(const Mechanism& mechanism, int coordinate,
                          std::span<const SE3<double>> poses);
/// An angle moved by whole turns to be nearest to another.
double nearest_turn(double value, double wished) noexcept;
/// The same with its rate and acceleration, of moving bodies: twists in world axes about their
/// origins, and the rates of these.
TimeValue measure(const Mechanism& mechanism, int coordinate, std::span<const SE3<double>> poses,
                  std::span<const Twist<Rep::hybrid>> twists, std::span<const Vec6<double>> rates);

}  // namespace axode
