/// Analytic derivatives of forward dynamics by coordinates, velocities and joint forces.
///
///   da/dq = -M^-1 dtau/dq,   da/dv = -M^-1 dtau/dv,   da/dtau = M^-1
///
/// from those of inverse dynamics at the accelerations a that tau causes (inverse_derivatives.hpp) and the
/// factors of the mass matrix along paths (path_matrix.hpp), O(n sum of depths): M^-1 has no zeros
/// within one tree. What is held constant, and what a derivative along a quaternion means, is said
/// in inverse_derivatives.hpp. Couplings of the tree are not seen, each joint moves on its own, but in
/// `reference` and in linearize.hpp.
/// Units: those of a per unit of q, of v, of tau.
/// Tests: tests/dynamics/derivatives/forward_derivatives_test.cpp
#pragma once
#include <vector>

#include "axode/dynamics/derivatives/inverse_derivatives.hpp"

namespace axode {

/// The accelerations and their derivatives. Make it once per tree and thread, then reuse it.
template <class S = double>
struct ForwardDynamicsDerivatives {
  explicit ForwardDynamicsDerivatives(const Tree& tree);
  std::vector<S> a;  ///< the accelerations themselves
  /// da_j/dq_k, da_j/dv_k, da_j/dtau_k in row j; by_tau is the inverse mass matrix, where couplings are
  /// kept E (E^T M E)^-1 E^T, v = E y. Columns are by each velocity on its own, times E they are those by
  /// the independent ones.
  DenseMatrix<S> by_q, by_v, by_tau;
  InverseDynamicsDerivatives<S> inverse;  ///< derivatives of the joint forces at a
};

/// What a call leaves behind beside them. Make one per tree and thread, then reuse it.
template <class S = double>
struct ForwardDerivativesWork {
  explicit ForwardDerivativesWork(const Tree& tree);
  InverseDerivativesWork<S> inverse;
  PathMatrix<S> factors;  ///< of the mass matrix
  std::vector<S> zero;
};

/// Writes the derivatives at (q of the poses, v, tau); of no use where the mass matrix is found
/// singular. Does not allocate.
template <class S>
MassOutcome forward_dynamics_derivatives(const Tree& tree, const Poses<S>& poses, In<S> v,
                                         In<S> tau, ForwardDerivativesWork<S>& work,
                                         ForwardDynamicsDerivatives<S>& result,
                                         In<Wrench<Rep::body, S>> external = {},
                                         const Effects& effects = {}) noexcept;
namespace reference {
/// The same with couplings kept (forward_derivatives_coupled.cpp), as q and v must; the outcome
/// names a velocity of the leader. With couplings it allocates.
MassOutcome forward_dynamics_derivatives(const Tree& tree, const Poses<double>& poses, In<double> v,
                                         In<double> tau, ForwardDerivativesWork<double>& work,
                                         ForwardDynamicsDerivatives<double>& result,
                                         In<Wrench<Rep::body, double>> external = {},
                                         const Effects& effects = {});
/// The same as a new object, checked. axode::forward_dynamics_derivatives (engine/calls.hpp) is faster.
/// Throws SingularError if the mass matrix is singular, naming a body, and Error if q or v break
/// couplings.
ForwardDynamicsDerivatives<double> forward_dynamics_derivatives(
    const Tree& tree, In<double> q, In<double> v, In<double> tau,
    In<Wrench<Rep::body, double>> external = {}, const Effects& effects = {});
}  // namespace reference

}  // namespace axode
