/// The twists of all bodies at once, V = J v, with the system Jacobian in factors, J = A X
/// [MuellerDyn (111)-(112)].
///
/// X = diag(S_i) holds the joint screws, A propagates twists outwards. A is block lower triangular,
/// its inverse has two blocks in a row; neither is ever formed, each product is one sweep, O(n). In
/// row i, j and p = parent(i) on the path to i:
///
///            A_ij                   X_i                 (A^-1 V)_i
///   body     Ad(C_ij)               S_i                 V_i - Ad(C_ip) V_p
///                                                                     [MuellerKin (21)-(25)]
///   hybrid   Ad(r_ij)               0S_i = Ad(R_i) S_i  V_i - Ad(r_ip) V_p
///                                                                     [MuellerKin (43)-(45)]
///   mixed    diag(R_i^T, I) Ad(r_ij)  0S_i              H_i V_i - Ad(r_ip) H_p V_p, H = diag(R, I)
///                                                [MuellerKin (53), corrected: docs/errata.md]
///   spatial  Ad(C_j)                S_i                 Ad(C_i)^-1 (V_i - V_p)
///                                          [MuellerKin (31)-(34), corrected: docs/errata.md]
///            Ad(r_j)                0S_i                Ad(r_i)^-1 (V_i - V_p)
///            Ad(C_j A_j^-1)         Y_i = Ad(A_i) S_i   Ad(A_i C_i^-1) (V_i - V_p)
///
/// Tests: tests/kinematics/system_jacobian_test.cpp
#pragma once
#include <vector>

#include "axode/kinematics/poses.hpp"
#include "axode/linalg/dense.hpp"
#include "axode/screw/twist.hpp"

namespace axode {

/// The factors of the spatial Jacobian: J = A^sb X^b = A^sh X^h = A^s Y. In zero_reference those of
/// joints of one screw are constant.
enum class SpatialFactors { body_screws, hybrid_screws, zero_reference };

/// The system Jacobian at the configuration the poses have when it is used. Refers to tree and
/// poses, which must outlive it.
template <Rep rep, class S = double>
struct SystemJacobian {
  SystemJacobian(const Tree& tree, const Poses<S>& poses,
                 SpatialFactors factors = SpatialFactors::body_screws);
  const Tree* tree;
  const Poses<S>* poses;
  SpatialFactors factors;               ///< Rep::spatial only
  std::vector<SE3<double>> zero_poses;  ///< A_i, by body; zero_reference only
};

// Stacked six-vectors: one for each body. None of these allocates.

/// x becomes A x: from twists of bodies in their parents, as X gives them, to twists.
template <Rep rep, class S>
void apply_A(const SystemJacobian<rep, S>& J, Out<Vec6<S>> x) noexcept;
/// x becomes A^-1 x.
template <Rep rep, class S>
void solve_A(const SystemJacobian<rep, S>& J, Out<Vec6<S>> x) noexcept;
/// y becomes A^T y: from wrenches on the bodies to those the joints transmit.
template <Rep rep, class S>
void apply_A_transpose(const SystemJacobian<rep, S>& J, Out<Vec6<S>> y) noexcept;
/// y becomes A^-T y.
template <Rep rep, class S>
void solve_A_transpose(const SystemJacobian<rep, S>& J, Out<Vec6<S>> y) noexcept;
/// Writes X v.
template <Rep rep, class S>
void apply_X(const SystemJacobian<rep, S>& J, In<S> v, Out<Vec6<S>> result) noexcept;
/// Writes X^T y: the forces of wrenches along the degrees of freedom [N m, N].
template <Rep rep, class S>
void apply_X_transpose(const SystemJacobian<rep, S>& J, In<Vec6<S>> y, Out<S> result) noexcept;

/// Writes the twists J v of all bodies.
template <Rep rep, class S>
void apply(const SystemJacobian<rep, S>& J, In<S> v, Out<Vec6<S>> twists) noexcept {
  apply_X(J, v, twists);
  apply_A(J, twists);
}
/// Writes the joint forces J^T W that do the work of the wrenches W on the bodies; W becomes A^T W.
template <Rep rep, class S>
void apply_transpose(const SystemJacobian<rep, S>& J, Out<Vec6<S>> wrenches,
                     Out<S> forces) noexcept {
  apply_A_transpose(J, wrenches);
  apply_X_transpose<rep, S>(J, wrenches, forces);
}

// The factors written out block by block, for reading and checking: 36 n^2 numbers.
template <Rep rep, class S>
DenseMatrix<S> dense_A(const SystemJacobian<rep, S>& J);
template <Rep rep, class S>
DenseMatrix<S> dense_A_inverse(const SystemJacobian<rep, S>& J);
template <Rep rep, class S>
DenseMatrix<S> dense_X(const SystemJacobian<rep, S>& J);

}  // namespace axode
