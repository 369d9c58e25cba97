/// The mass matrix of a tree by composite bodies, O(sum of depths), and with its factors the
/// accelerations and the inverse.
///
///   M(k, j) = J_k^T M_i J_j,   k a velocity of joint i, j on its path, M_i the inertia of body i and
///                              all it carries                          [MuellerDyn (81), summed]
///
/// in world axes (composite.hpp). Units: kg m^2, kg m, kg.
/// Tests: tests/dynamics/matrices/mass_matrix_test.cpp
#pragma once
#include "axode/dynamics/detail/composite.hpp"
#include "axode/dynamics/matrices/path_matrix.hpp"

namespace axode {

/// Writes the mass matrix, armatures in its diagonal unless left out. `composite` holds the
/// inertias (composite_inertias). Does not allocate.
template <class S>
void mass_matrix(const Tree& tree, const Composite<S>& composite, PathMatrix<S>& M,
                 const Effects& effects = {}) noexcept;

/// By composite inertias straight from coordinates, checked, as new objects. The functions of the same
/// names in engine/calls.hpp are faster.
namespace reference {
/// All entries of the mass matrix.
DenseMatrix<double> mass_matrix(const Tree& tree, In<double> q, const Effects& effects = {});
/// Its inverse. Throws SingularError, naming the body, if the matrix is singular.
DenseMatrix<double> inverse_mass_matrix(const Tree& tree, In<double> q,
                                        const Effects& effects = {});
}  // namespace reference

}  // namespace axode
