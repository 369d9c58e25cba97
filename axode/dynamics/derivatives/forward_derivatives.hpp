/// Analytic derivatives of forward dynamics by coordinates, velocities and joint forces.
///
///   da/dq = -M^-1 dtau/dq,   da/dv = -M^-1 dtau/dv,   da/dtau = M^-1
///
/// from those of inverse dynamics at the accelerations a that tau causes (inverse_derivatives.hpp) and the
/// factors of the mass matrix along paths (path_matrix.hpp), O(n sum of depths): M^-1 has no zeros
/// within one tree. What is held constant, and what a derivative along a quaternion means, is said
/// in inverse_derivatives.hpp. Couplings of the tree are not seen, each joint moves on its own, but where said;
/// forward_derivatives_coupled.hpp and linearize.hpp see them.
/// Units: those of a per unit of q, of v, of tau.
/// Tests: tests/dynamics/derivatives/forward_derivatives_test.cpp
#pragma once
#include <vector>

#include "axode/dynamics/derivatives/inverse_derivatives.hpp"

namespace axode {

/// Results with their scratch. Make it once per tree and thread, then reuse it.
template <class S = double>
struct ForwardDynamicsDerivatives {
  explicit ForwardDynamicsDerivatives(const Tree& tree);
  std::vector<S> a;                   ///< the accelerations themselves
  DenseMatrix<S> by_q, by_v, by_tau;  ///< da_j/dq_k, da_j/dv_k, da_j/dtau_k in row j
  /// The velocity at which the mass matrix is found singular, -1 if it is not. All numbers are of no
  /// use in that case.
  int singular_velocity = -1;

  InverseDynamicsDerivatives<S> inverse;  ///< derivatives of the joint forces at a
  PathMatrix<S> factors;                  ///< of the mass matrix
  std::vector<S> zero;                    ///< scratch
};

/// Writes the derivatives at (q of the poses, v, tau). Does not allocate.
template <class S>
void forward_dynamics_derivatives(const Tree& tree, const Poses<S>& poses, In<S> v, In<S> tau,
                                  ForwardDynamicsDerivatives<S>& result,
                                  In<Wrench<Rep::body, S>> external = {},
                                  const Effects& effects = {}) noexcept;
namespace reference {
/// The same as a new object, checked, couplings kept as in forward_derivatives_coupled.hpp.
/// axode::forward_dynamics_derivatives (engine/calls.hpp) is faster. Throws SingularError if the mass matrix is singular, naming a body, and Error if q or v break couplings.
ForwardDynamicsDerivatives<double> forward_dynamics_derivatives(
    const Tree& tree, In<double> q, In<double> v, In<double> tau,
    In<Wrench<Rep::body, double>> external = {}, const Effects& effects = {});
}  // namespace reference

}  // namespace axode
