/// Partial derivatives of any order of the Jacobian columns with respect to joint coordinates, in
/// closed form. With the sorted coordinates b_1 <= ... <= b_nu, numbered from the ground outwards:
///
///   body     [..[[J_j, J_b1], J_b2] .., J_bnu]    zero unless b_1 > j      [MuellerDyn (5), (12), (14)]
///   spatial  [J_b1, [J_b2, .. [J_bnu, J_j]]]      zero unless b_nu < j     [MuellerDyn (15), (20), (23)]
///   hybrid   angular  w_b1 x (w_b2 x .. (w_bnu x w_j))     zero unless b_nu < j
///            linear   w_a1 x (w_a2 x .. (w_anu x v_anu+1)),  a the sorted b and j together: the
///                     derivative of a position, the same in whatever order it is taken
///                                                     [MuellerDyn (25), corrected: docs/errata.md]
///   mixed    angular rows as body, linear rows as hybrid
///
/// J = (w, v) are the columns of the same body and representation. Columns and coordinates are named
/// by the number of their velocity. They may belong to any joints on the path to the body:
/// a joint of the second kind is a chain of its screws. Only in joints of the first kind, and in
/// quaternion and free joints, which differentiate along the motion of one velocity, column and
/// coordinates must not meet within one joint: their screws move by another rule. Cost
/// O(nu^2 depth).
/// Tests: tests/kinematics/screw_derivatives_test.cpp
#pragma once
#include <span>

#include "axode/kinematics/poses.hpp"
#include "axode/screw/twist.hpp"

namespace axode {

/// The derivative of column `column` of the Jacobian of a body with respect to all the coordinates,
/// one of which may stand there several times; without any, the column itself. Zero if one of them
/// is not on the path to the body. Throws Error on numbers out of range, and if two of column and
/// coordinates belong to one joint of the first kind (whose screws do not commute), quaternion or
/// free joint. Does not allocate.
template <Rep rep, class S>
Vec6<S> screw_partial_derivative(const Tree& tree, const Poses<S>& poses, int body, int column,
                                 std::span<const int> coordinates);
/// The same of all nv columns of the Jacobian of the body.
template <Rep rep, class S>
void jacobian_partial_derivative(const Tree& tree, const Poses<S>& poses, int body,
                                 std::span<const int> coordinates, Out<Vec6<S>> columns);

}  // namespace axode
