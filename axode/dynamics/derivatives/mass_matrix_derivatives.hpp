/// Derivatives of the mass matrix and of its inverse by coordinates, in closed form.
///
/// A change along velocity m of joint h turns all that h carries about its screw J_m, and changes the
/// screws of joint h itself by s_ma = Ad(C) d_m S_a where they move. Of M_ab = J_a^T M_i J_b, b a
/// velocity of joint i, a on its path, and M_i the inertia of all that i carries (mass_matrix.hpp),
///
///   h above the joint of a     0: J_a, M_i and J_b are turned as one
///   a of joint h               s_ma^T M_i J_b          (and J_a^T M_i s_mb, if b is, too)
///   h below it, not below i    -[J_m, J_a]^T M_i J_b   (and J_a^T M_i s_mb, if b is of joint h)
///   h below i                  -J_a^T (ad_{J_m}^T M_h + M_h ad_{J_m}) J_b
///
/// in world axes [MuellerDyn (81) and (15) summed over the bodies]. The derivative is along the
/// tangent at quaternions, as in inverse_derivatives.hpp; armatures are constant. Also
///
///   dM^-1/dq_m = -M^-1 dM/dq_m M^-1.
///
/// O(sum of depths) for one direction, O(n depth^2) for all. Units: those of M per unit of q.
/// Tests: tests/dynamics/derivatives/mass_matrix_derivatives_test.cpp
#pragma once
#include <array>
#include <vector>

#include "axode/dynamics/derivatives/dense_tensor.hpp"
#include "axode/dynamics/detail/joint_partials.hpp"
#include "axode/dynamics/matrices/mass_matrix.hpp"

namespace axode {

/// What the derivatives are made of, at one configuration. Make one per tree and thread, then reuse
/// it.
template <class S = double>
struct MassMatrixDerivatives {
  explicit MassMatrixDerivatives(const Tree& tree);
  Composite<S> composite;                          ///< screws and inertias
  std::vector<std::array<Vec6<S>, 6>> own_screws;  ///< by velocity m: s_ma of the a of its joint
  std::vector<int> body, parent;  ///< by velocity: its body, the velocity before it on the path
  JointPartials<S> joint;         ///< scratch, as the following
  std::vector<S> zero;
};

/// Prepares for the derivatives at the poses, O(n). None of these allocates.
template <class S>
void prepare_mass_matrix_derivatives(const Tree& tree, const Poses<S>& poses,
                                     MassMatrixDerivatives<S>& result) noexcept;
/// Writes dM/dq_m, the derivative along velocity m.
template <class S>
void mass_matrix_derivative(const Tree& tree, const MassMatrixDerivatives<S>& at, int m,
                            PathMatrix<S>& result) noexcept;
/// Writes all of them, dM_ij/dq_m at (i, j, m). The tensor must have been made with size nv and hold
/// nothing else: entries that are zero for all configurations are not written.
template <class S>
void mass_matrix_derivatives(const Tree& tree, const MassMatrixDerivatives<S>& at,
                             DenseTensor<S>& result) noexcept;
/// Writes dM^-1/dq_m, all entries, from the factors of M and from dM/dq_m. O(n sum of depths).
template <class S>
void inverse_mass_matrix_derivative(const PathMatrix<S>& factors, const PathMatrix<S>& derivative,
                                    DenseMatrix<S>& result) noexcept;

// Straight from coordinates, checked, as new objects: dM_ij/dq_m, dM^-1_ij/dq_m at (i, j, m). They
// throw LimitError above 1000 velocities; the latter also Error, naming a body, if M is singular.
DenseTensor<double> mass_matrix_derivatives(const Tree& tree, In<double> q);
DenseTensor<double> inverse_mass_matrix_derivatives(const Tree& tree, In<double> q,
                                                    const Effects& effects = {});

}  // namespace axode
