/// Analytic derivatives of inverse dynamics by coordinates, velocities and accelerations, O(n depth).
///
/// In world axes (composite.hpp) a change along velocity coordinate k of joint i, on parent p, turns
/// all that joint i carries about its screw J_k, and beside that changes motions and wrenches by
///
///   P_k = [V_p, J_k] + D_k                                   of all twists it carries
///   R_k = [A_p, J_k] + [V_p, P_k] + [V_i, D_k] + E_k         of accelerations, beside [P_k, V]
///
/// (D_k, E_k: of U and U' of the joint itself, if its screws move, joint_partials.hpp). What is
/// turned as a whole keeps its joint forces, so with the sums M, B, W of composite.hpp
///
///   d tau_j / dq_k = J_j . (M_j R_k + B_j P_k)                      j below k, M_j, B_j of j
///   d tau_j / dq_k = J_j . (M_i R_k + B_i P_k - ad_{J_k}^T W_i)     j above k
///
/// and the same for velocities with P_k = J_k, R_k = [V_p + V_i, J_k] + dU'/dv_k, nothing turned. Two
/// six-vectors for each velocity and dot products along paths: no body is visited twice. These are
/// the sensitivities of [MuellerDyn sec. 6.2] summed in closed form.
///
/// On joints with quaternions the derivative is along the tangent: column k is the derivative of
/// tau(plus(q, e_k t), v, a) at t = 0 with the numbers v and a held, so that there are nv columns.
/// External wrenches are held in the body frame. Friction is taken as constant.
/// Tests: tests/dynamics/derivatives/inverse_derivatives_test.cpp
#pragma once
#include <vector>

#include "axode/dynamics/detail/joint_partials.hpp"
#include "axode/dynamics/matrices/mass_matrix.hpp"

namespace axode {

/// The joint forces and their derivatives, in N m and N per rad, m, rad/s, ... Make it once per tree and
/// thread, then reuse it: entries that are zero for all states (velocities not on one path) are set
/// when it is made, and never again.
template <class S = double>
struct InverseDynamicsDerivatives {
  /// Takes 16 nv^2 bytes and more. Throws LimitError above nv = 46,340.
  explicit InverseDynamicsDerivatives(const Tree& tree);
  std::vector<S> tau;         ///< the joint forces themselves
  DenseMatrix<S> by_q, by_v;  ///< d tau_j / dq_k, d tau_j / dv_k in row j
  PathMatrix<S> by_a;         ///< the mass matrix
};

/// What a call leaves behind beside them. Make one per tree and thread, then reuse it.
template <class S = double>
struct InverseDerivativesWork {
  explicit InverseDerivativesWork(const Tree& tree);
  Composite<S> composite;  ///< sums over the tree at this state
  /// By velocity: how a change of q_k, of v_k, changes twists and accelerations of all it carries
  /// (for v_k that of the twists is its screw).
  std::vector<Vec6<S>> twist_by_q, acceleration_by_q, acceleration_by_v;
  JointPartials<S> joint;
};

namespace detail {
/// nv^2. Throws LimitError where DenseMatrix could not count them.
std::size_t dense_entries(const Tree& tree);
}  // namespace detail

/// Writes the derivatives at (q of the poses, v, a). Does not allocate.
template <class S>
void inverse_dynamics_derivatives(const Tree& tree, const Poses<S>& poses, In<S> v, In<S> a,
                                  InverseDerivativesWork<S>& work,
                                  InverseDynamicsDerivatives<S>& result,
                                  In<Wrench<Rep::body, S>> external = {},
                                  const Effects& effects = {}) noexcept;
namespace reference {
/// The same as a new object, checked. axode::inverse_dynamics_derivatives (engine/calls.hpp) is faster.
InverseDynamicsDerivatives<double> inverse_dynamics_derivatives(
    const Tree& tree, In<double> q, In<double> v, In<double> a,
    In<Wrench<Rep::body, double>> external = {}, const Effects& effects = {});
}  // namespace reference

}  // namespace axode
