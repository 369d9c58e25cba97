/// Analytic second derivatives of inverse dynamics by coordinates, velocities and accelerations.
///
/// They continue inverse_derivatives.hpp. A change x has a turn T, a change P of twists, R of accelerations:
///
///   along q_k: (J_k, P_k, R_k)    along v_k: (0, J_k, R^v_k)
///
/// and d_x tau_j = J_j . (M_j R + B_j P) below its joint i, J_j . (M_i R + B_i P - ad_T^T W_i) above.
/// Now let y be a change of joint h, above joint i. It turns all that h carries; beside that
///
///   P_x  changes by   [P_y, T_x]                    B_i  by   B of the inertia M_i and twist P_y
///   R_x  changes by   [R_y, T_x] + 2 [P_y, P_x]     W_i  by   M_i R_y + B_i P_y
///
/// and what is above h is not turned. Within one joint there are other terms, of its own screws
/// (joint_second_partials.hpp). With these
///
///   j of joint g, at i or below   d_y d_x tau_j = J_j . (M_g dR + B_g dP + dB P_x)
///   j above i                     d_y d_x tau_j = J_j . (M_i dR + B_i dP + dB P_x - ad_T^T dW)
///                                                 - [T_y, J_j] . (M_i R_x + B_i P_x - ad_T^T W_i)
///
/// the last line for j above h alone: dot products along paths, O(n depth^2). Different joints
/// commute. Along velocities of one quaternion or free joint they do not: by_qq is d/dq_m of the
/// function d tau_j/dq_k, and in body velocities by_qq(j, k, m) - by_qq(j, m, k) is the derivative
/// along their product [e_m, e_k], in spatial velocities minus that, in hybrid ones minus its angular
/// part alone.
/// Tests: tests/dynamics/derivatives/second_derivatives_test.cpp
#pragma once
#include <array>
#include <vector>

#include "axode/dynamics/derivatives/dense_tensor.hpp"
#include "axode/dynamics/derivatives/inverse_derivatives.hpp"
#include "axode/dynamics/derivatives/mass_matrix_derivatives.hpp"
#include "axode/dynamics/detail/joint_second_partials.hpp"

namespace axode {

/// Results with their scratch. Make it once per tree and thread, then reuse it: entries that are zero
/// for all states are set when it is made, and never again. Four tensors of nv^3 numbers: 32 MB at
/// nv = 100; throws LimitError above nv = 1000.
template <class S = double>
struct InverseDynamicsSecondDerivatives {
  explicit InverseDynamicsSecondDerivatives(const Tree& tree);
  DenseTensor<S> by_qq;  ///< (j, k, m): derivative along q_m of d tau_j / dq_k
  DenseTensor<S> by_qv;  ///< (j, k, m): d^2 tau_j / dq_k dv_m
  DenseTensor<S> by_vv;  ///< (j, k, m): d^2 tau_j / dv_k dv_m, twice the Christoffel symbols
  DenseTensor<S> by_aq;  ///< (j, k, m): d^2 tau_j / da_k dq_m, the derivative of the mass matrix
  InverseDynamicsDerivatives<S> first;  ///< joint forces and their first derivatives
  InverseDerivativesWork<S> first_work;

  /// Changes of P and R of one velocity by another of the same joint, by velocity.
  struct OwnPairs {
    std::vector<std::array<Vec6<S>, 6>> twist, acceleration;
  };
  struct Scratch {
    OwnPairs qq, qv, vv;
    /// Changes of P (angular part) and R of each velocity by those of its joint and those above.
    std::vector<Vec3<S>> twist;
    std::vector<Vec6<S>> acceleration;
    std::vector<std::size_t> row;           ///< by velocity: where its numbers start
    std::vector<Vec6<S>> wrench, zero;      ///< by velocity: M R + B P
    std::vector<CoriolisSum<S>> coriolis;   ///< by velocity: B of the twist P
    std::vector<Vec3<S>> coriolis_along_j;  ///< by velocity: its transpose times J_j
    JointSecondPartials<S> joint;
  } scratch;
  MassMatrixDerivatives<S> mass;
};

/// Writes the derivatives at (q of the poses, v, a). Does not allocate.
template <class S>
void inverse_dynamics_second_derivatives(const Tree& tree, const Poses<S>& poses, In<S> v, In<S> a,
                                         InverseDynamicsSecondDerivatives<S>& result,
                                         In<Wrench<Rep::body, S>> external = {},
                                         const Effects& effects = {}) noexcept;
/// The same as a new object, checked.
InverseDynamicsSecondDerivatives<double> inverse_dynamics_second_derivatives(
    const Tree& tree, In<double> q, In<double> v, In<double> a,
    In<Wrench<Rep::body, double>> external = {}, const Effects& effects = {});

}  // namespace axode
