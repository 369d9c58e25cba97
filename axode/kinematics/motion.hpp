/// Twists and accelerations of all bodies, in each representation by its own recursion, O(n).
///
///   body     V_i = Ad(C_ip) V_p + S_i v_i                                      [MuellerKin (14)]
///   spatial  V_i = V_p + J_i v_i,  J_i = Ad(C_i) S_i                            [MuellerKin (30)]
///   hybrid   V_i = Ad(r_ip) V_p + 0S_i v_i                                      [MuellerKin (42)]
///   mixed    V_i = [R_ip 0; r~_ip R_p I] V_p + diag(I, R_i) S_i v_i
///                                                [MuellerKin (52), corrected: docs/errata.md]
///
/// [MuellerDyn (68), (108)-(110)], and their time derivatives [MuellerDyn (65), (69), (72), sec. 2].
/// Accelerations are plain derivatives of the components; no gravity is in them. S_i are the joint
/// screws in the body frame, with their own derivatives where they move. Jerks and beyond:
/// higher_order.hpp.
/// Tests: tests/kinematics/motion_test.cpp
#pragma once
#include <vector>

#include "axode/kinematics/poses.hpp"
#include "axode/screw/twist.hpp"

namespace axode {

/// The motion of all bodies in one representation. Make it once, then reuse it.
template <Rep rep, class S = double>
struct Motion {
  explicit Motion(const Tree& tree);
  std::vector<Twist<rep, S>> twists;                ///< by body
  std::vector<Acceleration<rep, S>> accelerations;  ///< by body
};

/// Twists of all bodies at joint velocities v. Writes result.twists. Does not allocate.
template <Rep rep, class S>
void twists(const Tree& tree, const Poses<S>& poses, In<S> v, Motion<rep, S>& result) noexcept;
/// Twists and accelerations at joint velocities v and their derivatives a. Does not allocate.
template <Rep rep, class S>
void accelerations(const Tree& tree, const Poses<S>& poses, In<S> v, In<S> a,
                   Motion<rep, S>& result) noexcept;

}  // namespace axode
