/// Dynamics of a tree in one call: checked arguments, results as new objects.
///
///   const std::vector<double> tau = inverse_dynamics(tree, q, v, a);
///
/// Each call makes an Engine (engine.hpp) and evaluates it: the results are the same to the last bit. In
/// loops keep an Engine of your own, which neither checks nor allocates; for many states a Batch. The
/// functions of the same names in `reference` (dynamics/) work by the recursions of the papers in a
/// chosen representation.
///
/// q, v, a and tau are all of the tree: rad, m, N m, N, SI. All functions throw Error on arguments of
/// the wrong length or not finite, naming the joint, and on wrenches on unknown frames or on the world.
/// Cost: that of making the engine, about that of ten evaluations, and that of the evaluation.
/// Tests: tests/engine/calls_test.cpp
#pragma once
#include "axode/dynamics/external_wrench.hpp"
#include "axode/engine/engine.hpp"

namespace axode {

/// The joint forces [N m, N] of the motion (q, v, a).
std::vector<double> inverse_dynamics(const Tree& tree, In<double> q, In<double> v, In<double> a,
                                     const DynamicsOptions& options = {});

/// The accelerations that the joint forces tau cause. Couplings are kept: coupled joints accelerate as
/// they are coupled, their tau and the forces of the coupling, which do no work, being shared between
/// them,
///
///   E^T (M a + c + g + ...) = E^T tau,   a = E a_independent   (expand_velocity in state.hpp).
///
/// Throws Error if q or v break couplings, and SingularError if a degree of freedom moves no inertia,
/// naming the body and what to do.
std::vector<double> forward_dynamics(const Tree& tree, In<double> q, In<double> v, In<double> tau,
                                     const DynamicsOptions& options = {});

/// The mass matrix, all entries, with armature unless left out; couplings are not seen.
DenseMatrix<double> mass_matrix(const Tree& tree, In<double> q, const Effects& effects = {});
/// Its inverse. Throws SingularError, naming the body, if the mass matrix is singular.
DenseMatrix<double> inverse_mass_matrix(const Tree& tree, In<double> q,
                                        const Effects& effects = {});

/// The joint forces of the motion (q, v, a) and their derivatives (EngineDerivatives).
EngineDerivatives inverse_dynamics_derivatives(const Tree& tree, In<double> q, In<double> v,
                                               In<double> a, const DynamicsOptions& options = {});
/// The accelerations that the joint forces tau cause and their derivatives (EngineForwardDerivatives),
/// couplings kept. Throws as forward_dynamics does.
EngineForwardDerivatives forward_dynamics_derivatives(const Tree& tree, In<double> q, In<double> v,
                                                      In<double> tau,
                                                      const DynamicsOptions& options = {});

}  // namespace axode
