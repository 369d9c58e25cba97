/// Derivatives of the Coriolis matrix by coordinates, in closed form, for each choice of it.
///
///   C_jk = J_j^T (M_i J'_k + N_i J_k),   i the outermost joint of j and k            (coriolis.hpp)
///
/// A change along velocity m of joint h turns all that h carries about its screw J_m and changes its
/// twists by P_m (inverse_derivatives.hpp). Beside being turned,
///
///   J_k    changes by s_mk = Ad(C) d_m S_k within joint h
///   J'_k   changes by [P_m, J_k], within joint h also by [V_h, s_mk] + Ad(C) d_m S'_k
///   N_i    changes by N of the inertia M_i and the twist P_m: N is linear in the twist
///
/// and what is above h is not turned. Velocities are held; along the tangent at quaternions, as in
/// inverse_derivatives.hpp. O(sum of depths) for one direction, O(n depth^2) for all.
/// Units: those of C per unit of q.
/// Tests: tests/dynamics/derivatives/coriolis_derivatives_test.cpp
#pragma once
#include <array>
#include <vector>

#include "axode/dynamics/derivatives/dense_tensor.hpp"
#include "axode/dynamics/detail/joint_second_partials.hpp"
#include "axode/dynamics/matrices/coriolis.hpp"

namespace axode {

/// What the derivatives are made of, at one state. Make one per tree and thread, then reuse it.
template <class S = double>
struct CoriolisDerivatives {
  explicit CoriolisDerivatives(const Tree& tree);
  Coriolis<S> coriolis;  ///< the matrix itself
  CoriolisChoice choice = CoriolisChoice::christoffel;
  std::vector<Vec6<S>> twist_by_q;  ///< by velocity: P_m
  /// By velocity m: beside being turned, what the J_k and J'_k of its own joint change by.
  std::vector<std::array<Vec6<S>, 6>> own_screws, own_rates;
  std::vector<int> body, parent;  ///< by velocity: its body, the velocity before it on the path
  JointPartials<S> joint;         ///< scratch, as the following
  JointSecondPartials<S> joint_second;
  std::vector<S> zero;
};

/// Prepares for the derivatives at the poses and velocities v. None of these allocates.
template <class S>
void prepare_coriolis_derivatives(const Tree& tree, const Poses<S>& poses, In<S> v,
                                  CoriolisDerivatives<S>& result,
                                  CoriolisChoice choice = CoriolisChoice::christoffel) noexcept;
/// Writes dC/dq_m, all entries; the result must have nv rows and columns.
template <class S>
void coriolis_derivative(const Tree& tree, const CoriolisDerivatives<S>& at, int m,
                         DenseMatrix<S>& result) noexcept;
/// Writes all of them, dC_jk/dq_m at (j, k, m). The tensor must have been made with size nv and hold
/// nothing else: entries that are zero for all states are not written.
template <class S>
void coriolis_derivatives(const Tree& tree, const CoriolisDerivatives<S>& at,
                          DenseTensor<S>& result) noexcept;

/// The same straight from coordinates and velocities, checked. Throws LimitError above 1000
/// velocities.
DenseTensor<double> coriolis_derivatives(const Tree& tree, In<double> q, In<double> v,
                                         CoriolisChoice choice = CoriolisChoice::christoffel);

}  // namespace axode
