/// Jacobians of bodies and frames on them, V = J v, and their time derivatives, in the four
/// representations, each by its own formula. Column j of body i, on the path to i:
///
///   body     J_ij = Ad(C_ij) S_j                                         [MuellerKin (15)-(18)]
///   spatial  J_j  = Ad(C_j) S_j           the same for all bodies         [MuellerKin (28)-(29)]
///   hybrid   J_ij = Ad(r_ij) 0S_j         r_ij = r_j - r_i                [MuellerKin (37)-(40)]
///   mixed    J_ij = [R_i^T 0; r~_ij I] 0S_j                               [MuellerKin (48)-(50)]
///
/// with S_j the joint screws in the body frame, 0S_j the same in world axes; zero off the path. At
/// the centre of mass the first is the projection matrix of [CibicikEgeland (7)]. The
/// derivatives, plus dS_j/dt moved in the same way where the screws of a joint move in its body:
///
///   body     J'_ij = [J_ij, V_i - Ad(C_ij) V_j]                                 [MuellerDyn (8)]
///   spatial  J'_j  = [V_j, J_j]                                                [MuellerDyn (16)]
///   hybrid   J'_ij = (ad(r'_ij) + Ad(r_ij) ad(w_j)) 0S_j                       [MuellerDyn (27)]
///   mixed    J'_ij = diag(R_i^T, I) (hybrid J'_ij - (w_i x 0e_j, 0))
///                                               [MuellerDyn (33), corrected: docs/errata.md]
///
/// Columns convert as twists do [MuellerKin (56)-(59); MuellerDyn (101)-(107)]. For a frame F on
/// the body these are those of the twist of F. O(nv) each: the columns off the path are set to zero,
/// the others cost O(depth). Joint velocities are in rad/s and m/s.
/// Tests: tests/kinematics/jacobian_test.cpp
#pragma once
#include "axode/kinematics/motion.hpp"
#include "axode/kinematics/poses.hpp"
#include "axode/model/frames.hpp"

namespace axode {

/// Writes the nv columns of the Jacobian of a frame on a body; all zero for a frame on the world.
/// Does not allocate.
template <Rep rep, class S>
void jacobian(const Tree& tree, const Poses<S>& poses, const Frame& frame,
              Out<Twist<rep, S>> columns) noexcept;
/// The same of the body's own frame.
template <Rep rep, class S>
inline void jacobian(const Tree& tree, const Poses<S>& poses, int body,
                     Out<Twist<rep, S>> columns) noexcept {
  jacobian<rep>(tree, poses, Frame{body, {}}, columns);
}

/// Writes the nv columns of dJ/dt along the velocity v; `motion` holds the twists at v. Does not
/// allocate.
template <Rep rep, class S>
void jacobian_rate(const Tree& tree, const Poses<S>& poses, const Motion<rep, S>& motion, In<S> v,
                   const Frame& frame, Out<Acceleration<rep, S>> columns) noexcept;
template <Rep rep, class S>
inline void jacobian_rate(const Tree& tree, const Poses<S>& poses, const Motion<rep, S>& motion,
                          In<S> v, int body, Out<Acceleration<rep, S>> columns) noexcept {
  jacobian_rate(tree, poses, motion, v, Frame{body, {}}, columns);
}
/// dJ/dt v: the acceleration of the frame at dv/dt = 0, without the columns, O(depth).
template <Rep rep, class S>
Acceleration<rep, S> jacobian_rate_times_velocity(const Tree& tree, const Poses<S>& poses,
                                                  const Motion<rep, S>& motion, In<S> v,
                                                  const Frame& frame) noexcept;

/// The spatial columns J_j of all joints at once, O(n): the Jacobian of body i has those on the path
/// to i. Does not allocate.
template <class S>
void spatial_columns(const Tree& tree, const Poses<S>& poses,
                     Out<Twist<Rep::spatial, S>> columns) noexcept;
/// Their time derivatives.
template <class S>
void spatial_column_rates(const Tree& tree, const Poses<S>& poses,
                          const Motion<Rep::spatial, S>& motion, In<S> v,
                          Out<Acceleration<Rep::spatial, S>> columns) noexcept;

}  // namespace axode
