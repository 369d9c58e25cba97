/// The equations of motion in closed form, with the factors J = A X of the system Jacobian in body
/// representation (system_jacobian.hpp): what one writes on a blackboard, each product one sweep,
/// O(n).
///
///   tau = J^T (M V' - b^T M V - W)         Euler-Jourdain, Kane           [MuellerDyn (77)-(78)]
///   M(q) = X^T A^T M A X                                                 [MuellerDyn (80)-(82)]
///   C(q, v) = -(a J + (b - a) X)^T A^T M J + J^T M J'                         [MuellerDyn (83)]
///           = J^T (M J' - b^T M J)                                            [MuellerDyn (84)]
///   J' = A (X' + a X - a J)                                               [MuellerDyn (8)-(10)]
///
/// On the right M = diag(M_i) are the inertias, a = diag(ad(S_i v_i)), b = diag(ad(V_i)). In print
/// a X and X' are missing: a X = 0 for joints of one screw, X' = 0 for constant screws. (83) and
/// (84) are the same matrix; with it M' - 2 C is not skew-symmetric (docs/errata.md): coriolis.hpp
/// has one for which it is, and mass_matrix.hpp the same M by fewer operations.
/// Units: N m and N.
/// Tests: tests/dynamics/matrices/closed_form_test.cpp
#pragma once
#include <vector>

#include "axode/dynamics/effects.hpp"
#include "axode/kinematics/system_jacobian.hpp"

namespace axode {

/// Scratch: stacked six-vectors. Make one per tree and thread, then reuse it.
template <class S = double>
struct ClosedForm {
  explicit ClosedForm(const Tree& tree);
  std::vector<Vec6<S>> twists, products, rates, wrenches;  ///< by body
  std::vector<Vec6<S>> screw_rates;                        ///< by velocity: X'
  std::vector<S> forces;                                   ///< by velocity
};

/// Which of the two ways the product takes.
enum class CoriolisForm { equation_83, equation_84 };

/// Writes the joint forces of the motion (v, a) by projection of all Newton-Euler equations on the
/// degrees of freedom (78): what they lack to be fulfilled. `external` is by body, or empty; gravity is in W.
/// None of these allocates.
template <class S>
void inverse_dynamics_by_projection(const SystemJacobian<Rep::body, S>& J, In<S> v, In<S> a,
                                    ClosedForm<S>& work, Out<S> tau,
                                    In<Wrench<Rep::body, S>> external = {},
                                    const Effects& effects = {}) noexcept;
/// Writes M(q) x (81), armatures included unless left out.
template <class S>
void multiply_mass_matrix(const SystemJacobian<Rep::body, S>& J, In<S> x, ClosedForm<S>& work,
                          Out<S> result, const Effects& effects = {}) noexcept;
/// Writes C(q, v) x by (83) or (84).
template <class S>
void multiply_coriolis_matrix(const SystemJacobian<Rep::body, S>& J, In<S> v, In<S> x,
                              ClosedForm<S>& work, Out<S> result,
                              CoriolisForm form = CoriolisForm::equation_84) noexcept;

/// All these matrices written out, for reading and checking: 36 n^2 numbers each, O(n^3).
struct ClosedFormMatrices {
  DenseMatrix<double> A, X, X_rate, a, b, inertia;  ///< the factors
  DenseMatrix<double> J, J_rate;                    ///< 6 n x nv
  DenseMatrix<double> M, C_83, C_84;                ///< nv x nv, without armatures
};
/// Straight from coordinates and velocities, checked.
ClosedFormMatrices closed_form_matrices(const Tree& tree, In<double> q, In<double> v);

}  // namespace axode
