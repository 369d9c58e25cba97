/// Christoffel symbols of a tree: the Coriolis forces are c_i = sum_jk Gamma_ijk v_j v_k.
///
///   Gamma_ijk = 1/2 d^2 c_i / dv_j dv_k = Gamma_ikj
///             = 1/2 (J_k^T M ad(J_i) J_j + J_j^T M ad(J_i) J_k + J_i^T M E_jk)
///                                                 [MuellerDyn (86), corrected: docs/errata.md]
///
/// for velocities i, j, k on a common path, else zero; M is the inertia of all that the outermost
/// of the three carries, J are the screws, in world axes. E_jk = [J_s, J_r], s nearer the root than
/// r; for two velocities of one joint, whose screws move with its coordinates,
/// E_jk = Ad(C) (dS_j/dq_k + dS_k/dq_j). Where velocities are rates of coordinates these are the
/// symbols of the metric M: Gamma_ijk = 1/2 (dM_ik/dq_j + dM_ij/dq_k - dM_jk/dq_i), and
/// dM_ij/dq_k = Gamma_ijk + Gamma_jik. O(1) for one symbol whose joints are known to be on a path,
/// O(n depth^2) for all that are not zero.
///
/// A second algorithm sums over the bodies, with Binet's tensor theta and the twists (w, v) of the
/// centres of mass: Gamma_ijk = sum w_s^T theta (w_r x w_i) + m v_i . (w_s x v_r)
///                                                 [MuellerDyn (87), corrected: docs/errata.md]
/// Tests: tests/dynamics/matrices/christoffel_test.cpp
#pragma once
#include <vector>

#include "axode/dynamics/detail/composite.hpp"

namespace axode {

/// What the symbols are made of, at one configuration. Make one per tree and thread, then reuse it.
template <class S = double>
struct Christoffel {
  explicit Christoffel(const Tree& tree);
  Composite<S> composite;         ///< screws and inertias
  std::vector<int> body, parent;  ///< by velocity: its body, the velocity before it on the path
  std::vector<Vec6<S>> within;  ///< E_jk of the velocities j, k of one joint: 6 j + k - (its first)
  std::vector<S> unit;          ///< scratch, by velocity: zero
};

/// Prepares for the symbols at the poses, O(n). None of these allocates.
template <class S>
void prepare_christoffel(const Tree& tree, const Poses<S>& poses, Christoffel<S>& result) noexcept;
/// One symbol, O(depth) to see whether it is zero.
template <class S>
S christoffel_symbol(const Tree& tree, const Christoffel<S>& at, int i, int j, int k) noexcept;
/// Writes all nv^3 symbols, Gamma_ijk at (i nv + j) nv + k: for nv = 100 that is 8 MB.
template <class S>
void christoffel_symbols(const Tree& tree, const Christoffel<S>& at, Out<S> symbols) noexcept;
/// The same by the second algorithm, O(n depth^3).
template <class S>
void christoffel_symbols_by_bodies(const Tree& tree, const Poses<S>& poses,
                                   const Christoffel<S>& at, Out<S> symbols) noexcept;

/// All symbols straight from coordinates, checked. Throws LimitError above 1000 velocities (8 GB).
std::vector<double> christoffel_symbols(const Tree& tree, In<double> q);

}  // namespace axode
