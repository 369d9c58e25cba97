/// The displacement that a joint of a mechanism allows, as screws: what makes it joint of a tree.
///
///   T_ij(q) = exp(X_1 q_1) ... exp(X_m q_m) B    screws X in the frame of body i  [MuellerKin (8)]
///
/// with the joint's own coordinates q: zero where zero vectors and points meet. Spherical joints
/// have no coordinates; their displacement is a rotation about the common point.
/// Tests: tests/mechanism/detail/joint_motion_test.cpp
#pragma once
#include <array>
#include <span>

#include "axode/mechanism/description/mechanism.hpp"

namespace axode {

struct PairMotion {
  SE3<double> B{};  ///< T_ij at q = 0; spherical: with equal attitudes
  std::array<Vec6<double>, 3> screws{};
  std::array<int, 3> which{};  ///< the joint's coordinate that belongs to each screw
  int size = 0;                ///< of both
};

/// Of a joint that can carry a body (carries_body, spanning_tree.hpp); of spherical ones size is 0.
PairMotion joint_motion(const MechanismJoint& joint, bool is_planar);
/// T_ij at these values of the joint's screws.
SE3<double> displacement(const PairMotion& motion, std::span<const double> values) noexcept;

}  // namespace axode
