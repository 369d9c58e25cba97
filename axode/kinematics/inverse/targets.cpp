#include "axode/kinematics/inverse/targets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "axode/core/error.hpp"

namespace axode {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Any unit vector perpendicular to the unit vector a.
Vec3<double> perpendicular(const Vec3<double>& a) {
  const double x = std::abs(a.x), y = std::abs(a.y), z = std::abs(a.z);
  const Vec3<double> least{x <= y && x <= z ? 1. : 0., y < x && y <= z ? 1. : 0.,
                           z < x && z < y ? 1. : 0.};
  return normalized(cross(a, least));
}

void check_rotation(const SO3<double>& R, const std::string& where) {
  const Mat3<double> error = transpose_times(R.matrix, R.matrix) - Mat3<double>::identity();
  if (!(max_abs(error) < 1e-6) || !(determinant(R.matrix) > 0))
    throw Error("the rotation of its pose is not orthonormal", where,
                "make it by exp, rotation_from_roll_pitch_yaw or nearest_rotation");
}

Vec3<double> checked_direction(const Vec3<double>& a, const char* what, const std::string& where) {
  if (!is_finite(a) || max_abs(a) == 0)
    throw Error(std::string("its direction '") + what + "' is zero or not finite", where,
                "give a finite vector of any length but zero");
  return normalized(a);
}

double checked_weight(double weight, const char* what, const std::string& where) {
  if (!(weight > 0) || !std::isfinite(weight))
    throw Error(std::string("its weight of ") + what + " is not positive", where,
                "give a positive number, or choose a kind of target without that part");
  return weight;
}

// --- the direction on the unit sphere -------------------------------------------------------------

/// The direction b seen in F, and its polar coordinates about the axis a.
struct Aim {
  Vec3<double> b;  ///< in F
  double c, s;     ///< cosine and sine of the angle
  double angle;    ///< [rad]
  double t1, t2;   ///< unit vector in the plane of `first` and `second` towards b
};
Aim aim(const SO3<double>& R_RF, const PreparedTarget& target) noexcept {
  const Vec3<double> b = inverse_times(R_RF, target.along);
  const double x = dot(target.first, b), y = dot(target.second, b), c = dot(target.axis, b);
  const double s = std::hypot(x, y);
  const bool off_axis = s > 1e-15;  // else any direction is as good
  return {b, c, s, std::atan2(s, c), off_axis ? x / s : 1, off_axis ? y / s : 0};
}

/// Rows of the derivative of angle * (t1, t2) with respect to the angular velocity of F.
Mat3<double> aim_slope(const Aim& a, const PreparedTarget& target) noexcept {
  // db/dt = b x w: along a vector e it is (e x b) . w
  const Vec3<double> radial = a.t1 * target.first + a.t2 * target.second;
  const Vec3<double> sideways = a.t1 * target.second - a.t2 * target.first;
  const Vec3<double> angle_rate =
      std::abs(a.c) > .5 ? cross(radial, a.b) / a.c : -(1 / a.s) * cross(target.axis, a.b);
  // Opposite to the axis the direction of turning has no derivative; 100 keeps it finite.
  const double gain = a.s > 1e-15 ? std::min(a.angle / a.s, 100.) : a.c > 0 ? 1. : 100.;
  const Vec3<double> side_rate = gain * cross(sideways, a.b);
  return Mat3<double>::rows(a.t1 * angle_rate - a.t2 * side_rate,
                            a.t2 * angle_rate + a.t1 * side_rate, {});
}

// --- reach ----------------------------------------------------------------------------------------

double travel(const Dof& dof) { return std::max(std::abs(dof.lower), std::abs(dof.upper)); }

/// The line from frame to frame, followed at q = 0 over the joints between.
struct Line {
  Vec3<double> end;
  double length = 0;
  void to(const Vec3<double>& point) {
    length += norm(point - end);
    end = point;
  }
  void over(const Vec6<double>& Y, const Dof& dof) {
    if (max_abs(Y.angular) == 0) {
      length += travel(dof);
      return;
    }
    const Vec3<double>& e = Y.angular;
    const Vec3<double> point = cross(e, Y.linear);
    const double pitch = dot(e, Y.linear);
    to(point + dot(end - point, e) * e);
    if (std::abs(pitch) > 1e-12) length += std::abs(pitch) * travel(dof);
  }
  /// All screws of a joint, from the body to its parent, or the other way.
  void over_joint(const Tree& tree, int i, bool inwards) {
    const Link& link = tree.links[i];
    if (link.map == JointMap::fixed) return;
    const ZeroReference zero = zero_reference(tree, i);
    if (link.map == JointMap::quaternion)
      to(zero.A * tree.bodies[i].T_BJ.p);
    else if (link.map == JointMap::free || link.map == JointMap::exponential)
      length = infinite;
    else
      for (int k = 0; k < link.nv; ++k) {
        const int m = inwards ? link.nv - 1 - k : k;
        over(zero.Y.screws[m], tree.dofs[link.v + m]);
      }
  }
};

Vec3<double> origin_at_zero(const Tree& tree, const Frame& frame) {
  return frame.body < 0 ? frame.T_BF.p : zero_reference(tree, frame.body).A * frame.T_BF.p;
}

Target make(std::string frame, std::string relative_to, TargetKind kind) {
  Target target;
  target.frame = std::move(frame), target.relative_to = std::move(relative_to), target.kind = kind;
  return target;
}

}  // namespace

Target pose_target(std::string frame, const SE3<double>& T_RF, std::string relative_to) {
  Target target = make(std::move(frame), std::move(relative_to), TargetKind::pose);
  target.pose = T_RF;
  return target;
}
Target position_target(std::string frame, const Vec3<double>& p_RF, std::string relative_to) {
  Target target = make(std::move(frame), std::move(relative_to), TargetKind::position);
  target.pose.p = p_RF;
  return target;
}
Target orientation_target(std::string frame, const SO3<double>& R_RF, std::string relative_to) {
  Target target = make(std::move(frame), std::move(relative_to), TargetKind::orientation);
  target.pose.R = R_RF;
  return target;
}
Target direction_target(std::string frame, const Vec3<double>& axis, const Vec3<double>& along,
                        std::string relative_to) {
  Target target = make(std::move(frame), std::move(relative_to), TargetKind::direction);
  target.axis = axis, target.along = along;
  return target;
}

double reach(const Tree& tree, const Frame& of, const Frame& relative_to) {
  Line line{origin_at_zero(tree, of)};
  std::vector<int> outwards;  // joints from the common body to R
  int i = of.body, j = relative_to.body;
  while (i != j)
    if (i > j) {
      line.over_joint(tree, i, true);
      i = tree.links[i].parent;
    } else {
      outwards.push_back(j);
      j = tree.links[j].parent;
    }
  std::reverse(outwards.begin(), outwards.end());
  for (const int joint : outwards) line.over_joint(tree, joint, false);
  line.to(origin_at_zero(tree, relative_to));
  return line.length;
}

PreparedTarget prepare(const Tree& tree, const Target& target) {
  const std::string where = "target of frame '" + target.frame + "'";
  PreparedTarget p;
  p.kind = target.kind, p.pose = target.pose;
  p.frames.of = frame_from_text(tree, target.frame);
  p.frames.relative_to = frame_from_text(tree, target.relative_to);
  p.frames.expressed_in = p.frames.of;
  if (p.frames.of.origin.body == p.frames.relative_to.origin.body &&
      p.frames.of.axes.body == p.frames.relative_to.axes.body)
    throw Error("it and '" + target.relative_to + "' are on the same body", where,
                "name a frame that moves against the one it is relative to");
  if (!is_finite(target.pose.p) || !is_finite(target.pose.R.matrix))
    throw Error("its pose is not finite", where, "give finite numbers");
  if (max_abs(target.pose.p) > 1e100)
    throw Error("its position is farther away than 1e100 m", where, "give metres");
  check_rotation(target.pose.R, where);
  p.axis = checked_direction(target.axis, "axis", where);
  p.along = checked_direction(target.along, "along", where);
  p.first = perpendicular(p.axis), p.second = cross(p.axis, p.first);
  p.rotation_weight = checked_weight(target.rotation_weight, "rotation", where);
  p.translation_weight = checked_weight(target.translation_weight, "translation", where);
  p.reach = reach(tree, p.frames.of.origin, p.frames.relative_to.origin);
  return p;
}

Vec6<double> target_residual(const Poses<double>& poses, const PreparedTarget& target) noexcept {
  const SE3<double> T_RF = transform(poses, target.frames.of, target.frames.relative_to);
  Vec6<double> r;
  switch (target.kind) {
    case TargetKind::pose:
      r = log(inverse_times(T_RF, target.pose));
      break;
    case TargetKind::position:
      r.linear = target.pose.p - T_RF.p;
      break;
    case TargetKind::orientation:
      r.angular = log(inverse_times(T_RF.R, target.pose.R));
      break;
    case TargetKind::direction:
      const Aim a = aim(T_RF.R, target);
      r.angular = {a.angle * a.t1, a.angle * a.t2, 0};
  }
  return {target.rotation_weight * r.angular, target.translation_weight * r.linear};
}

TargetLinearization linearize(const Poses<double>& poses, const PreparedTarget& target) noexcept {
  const SE3<double> T_RF = transform(poses, target.frames.of, target.frames.relative_to);
  const double u = target.rotation_weight, w = target.translation_weight;
  TargetLinearization l;
  switch (target.kind) {
    case TargetKind::pose: {
      const Vec6<double> X = log(inverse_times(T_RF, target.pose));
      const Mat6<double> D = left_jacobian_inverse(X);
      l = {{u * X.angular, w * X.linear}, {-u * D.aa, -u * D.al, -w * D.la, -w * D.ll}};
      break;
    }
    case TargetKind::position:
      l.residual.linear = w * (target.pose.p - T_RF.p);
      l.slope.ll = -w * T_RF.R.matrix;
      break;
    case TargetKind::orientation: {
      const Vec3<double> xi = log(inverse_times(T_RF.R, target.pose.R));
      l.residual.angular = u * xi;
      l.slope.aa = -u * left_jacobian_inverse(xi);
      break;
    }
    case TargetKind::direction:
      const Aim a = aim(T_RF.R, target);
      l.residual.angular = u * Vec3<double>{a.angle * a.t1, a.angle * a.t2, 0};
      l.slope.aa = u * aim_slope(a, target);
  }
  return l;
}

TargetError target_error(const Poses<double>& poses, const PreparedTarget& target) noexcept {
  const SE3<double> T_RF = transform(poses, target.frames.of, target.frames.relative_to);
  const double distance_of_origins = norm(target.pose.p - T_RF.p);
  switch (target.kind) {
    case TargetKind::position:
      return {0, distance_of_origins};
    case TargetKind::orientation:
      return {distance(T_RF.R, target.pose.R), 0};
    case TargetKind::direction:
      return {aim(T_RF.R, target).angle, 0};
    default:
      return {distance(T_RF.R, target.pose.R), distance_of_origins};
  }
}

}  // namespace axode
