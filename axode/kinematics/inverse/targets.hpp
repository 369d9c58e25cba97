/// Targets of frames: how far a frame is from where it shall be, and how that changes with motion.
///
/// A target asks of frame F, in a reference frame R that may itself move, one of
///
///   pose         T_RF = T           residual  X = log(T_RF^-1 T)            6 rows
///   position     p_RF = p           residual  p - p_RF                      3 rows
///   orientation  R_RF = R           residual  xi = log(R_RF^T R)            3 rows
///   direction    R_RF a || b        residual  log of b on the unit sphere about a, both in F:
///                                   the angle, in the direction of turning  2 rows
///
/// V being the twist of F relative to R in F, the residuals change exactly by
///
///   dX/dt = -dexp_X^-1 V,   dp/dt = -R_RF v,   dxi/dt = -dexp_xi^-1 w
///
/// (dexp_X^-1 is the inverse of the left Jacobian of X, that of the right one of -X), which makes
/// Newton's method on them converge quadratically. Rotations take the shorter way; at an angle of pi
/// the one SO(3)'s log chooses. Rows are multiplied by weights, which say how many metres count as
/// much as a radian. Angles in rad, lengths in m.
/// Tests: tests/kinematics/inverse/targets_test.cpp
#pragma once
#include <string>

#include "axode/kinematics/frames/frame_kinematics.hpp"

namespace axode {

enum class TargetKind { pose, position, orientation, direction };

/// What is asked of a frame. Frames are named as "tool", "world", or "tool[world]" for the origin of
/// one with the axes of another.
struct Target {
  std::string frame;
  std::string relative_to = world_name;
  TargetKind kind = TargetKind::pose;
  SE3<double> pose{};             ///< T_RF; position and orientation use their part of it
  Vec3<double> axis{0, 0, 1};     ///< direction: this one, fixed in the frame,
  Vec3<double> along{0, 0, 1};    ///< shall point along this one of the reference frame
  double rotation_weight = 1;     ///< [1/rad]
  double translation_weight = 1;  ///< [1/m]
};
Target pose_target(std::string frame, const SE3<double>& T_RF, std::string relative_to = "world");
Target position_target(std::string frame, const Vec3<double>& p_RF,
                       std::string relative_to = "world");
Target orientation_target(std::string frame, const SO3<double>& R_RF,
                          std::string relative_to = "world");
Target direction_target(std::string frame, const Vec3<double>& axis, const Vec3<double>& along,
                        std::string relative_to = "world");

/// A target checked and looked up.
struct PreparedTarget {
  TargetKind kind = TargetKind::pose;
  FrameRoles frames;           ///< of, relative_to, expressed_in = of
  SE3<double> pose{};          ///< T_RF
  Vec3<double> axis, along;    ///< unit vectors
  Vec3<double> first, second;  ///< with axis an orthonormal triad
  double rotation_weight = 1, translation_weight = 1;
  double reach = 0;  ///< [m] upper bound of |p_RF| for all coordinates within limits, or infinity
};
/// Throws Error on unknown frames, numbers that are not finite, a pose whose rotation is none, zero
/// directions, weights that are not positive, and a frame relative to itself.
PreparedTarget prepare(const Tree& tree, const Target& target);

/// The rows of its residual are [first_row, first_row + row_count) of six: rotation, translation.
constexpr int first_row(TargetKind kind) noexcept { return kind == TargetKind::position ? 3 : 0; }
constexpr int row_count(TargetKind kind) noexcept {
  return kind == TargetKind::pose ? 6 : kind == TargetKind::direction ? 2 : 3;
}

/// The weighted residual, and its derivative: d residual/dt = slope V. Rows of other kinds are zero.
struct TargetLinearization {
  Vec6<double> residual;
  Mat6<double> slope;
};
Vec6<double> target_residual(const Poses<double>& poses, const PreparedTarget& target) noexcept;
TargetLinearization linearize(const Poses<double>& poses, const PreparedTarget& target) noexcept;

/// How far the frame is from its target, without weights: angle and distance of the origins; zero
/// where the kind asks for nothing.
struct TargetError {
  double rotation = 0;     ///< [rad]
  double translation = 0;  ///< [m]
};
TargetError target_error(const Poses<double>& poses, const PreparedTarget& target) noexcept;

/// An upper bound of the distance |p_RF| [m] over all coordinates within the limits: the length of a
/// line from F to R over the axes between them, from each to the nearest point of the next, with the
/// travel of prismatic and helical joints. Infinite if a joint without limits translates, and for
/// joints of the first kind.
double reach(const Tree& tree, const Frame& of, const Frame& relative_to);

}  // namespace axode
