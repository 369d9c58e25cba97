/// Dynamics of a tree in one call: checked arguments, results as new objects.
///
///   const std::vector<double> tau = inverse_dynamics(tree, q, v, a);
///
/// Each call makes an Engine (engine.hpp) and evaluates it: the results are the same to the last bit. In
/// loops keep an Engine of your own, which neither checks nor allocates; for many states a Batch. The
/// functions of the same names in `reference` (dynamics/) work by the recursions of the papers in a
/// chosen representation. Kinematics in one call: kinematics_calls.hpp.
///
/// q, v, a and tau are all of the tree: rad, m, N m, N, SI. All functions throw Error on arguments of
/// the wrong length or not finite, naming the joint, and on wrenches on unknown frames or on the world.
/// Cost: that of making the engine, about that of ten evaluations, and that of the evaluation.
/// Tests: tests/engine/calls_test.cpp
#pragma once
#include "axode/dynamics/external_wrench.hpp"
#include "axode/engine/energy.hpp"
#include "axode/engine/engine.hpp"

namespace axode {

/// The joint forces [N m, N] of the motion (q, v, a).
std::vector<double> inverse_dynamics(const Tree& tree, In<double> q, In<double> v, In<double> a,
                                     const DynamicsOptions& options = {});

/// Joint forces, and what the joints bear beside them.
struct JointForces {
  std::vector<double> tau;
  /// By body: the wrench the joint transmits on the body, from its parent, in the body frame.
  std::vector<Wrench<Rep::body>> joint_wrenches;
  Rep representation = Rep::body;  ///< in which they were computed
};
/// By the recursion in the representation, on which neither result depends but by rounding.
JointForces joint_forces(const Tree& tree, In<double> q, In<double> v, In<double> a,
                         Rep representation = Rep::body, const DynamicsOptions& options = {});

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

struct PrescribedDynamics {
  std::vector<double> a, tau;  ///< of all degrees of freedom
};
/// The accelerations and forces of all degrees of freedom, where of each velocity one is given
/// (prescribed_dynamics.hpp). Throws SingularError if a degree of freedom of given force has no inertia,
/// naming the body, and Error if q, v or a break couplings, and if only a force is given for a coupled
/// joint: prescribe them all. Their forces are those of drives at each joint.
PrescribedDynamics prescribed_dynamics(const Tree& tree, In<double> q, In<double> v,
                                       In<Given> given, In<double> a, In<double> tau,
                                       const DynamicsOptions& options = {});

/// The mass matrix, all entries, with armature unless left out; couplings are not seen.
DenseMatrix<double> mass_matrix(const Tree& tree, In<double> q, const Effects& effects = {});
/// Its inverse. Throws SingularError, naming the body, if the mass matrix is singular.
DenseMatrix<double> inverse_mass_matrix(const Tree& tree, In<double> q,
                                        const Effects& effects = {});

/// A Coriolis matrix (coriolis.hpp), all entries.
DenseMatrix<double> coriolis_matrix(const Tree& tree, In<double> q, In<double> v,
                                    CoriolisChoice choice = CoriolisChoice::christoffel);

/// The joint forces of the motion (q, v, a) and their derivatives.
InverseDynamicsDerivatives<double> inverse_dynamics_derivatives(
    const Tree& tree, In<double> q, In<double> v, In<double> a,
    const DynamicsOptions& options = {});
/// The accelerations that the joint forces tau cause and their derivatives, couplings kept. Throws as forward_dynamics does.
ForwardDynamicsDerivatives<double> forward_dynamics_derivatives(
    const Tree& tree, In<double> q, In<double> v, In<double> tau,
    const DynamicsOptions& options = {});

// Energies, momenta and forces that have a potential, as of engine/energy.hpp.

Energy energy(const Tree& tree, In<double> q, In<double> v);
double potential_energy(const Tree& tree, In<double> q, const Springs& springs = {});
Power<> power(const Tree& tree, In<double> q, In<double> v, In<double> tau,
              const DynamicsOptions& options = {});
std::vector<double> gravity_forces(const Tree& tree, In<double> q);
std::vector<double> spring_forces(const Tree& tree, In<double> q, const Springs& springs);
Momentum<Rep::spatial> spatial_momentum(const Tree& tree, In<double> q, In<double> v);
Momentum<Rep::hybrid> centroidal_momentum(const Tree& tree, In<double> q, In<double> v);
std::vector<Momentum<Rep::hybrid>> centroidal_momentum_matrix(const Tree& tree, In<double> q);
AverageVelocity<> average_velocity(const Tree& tree, In<double> q, In<double> v);
Inertia<double> locked_inertia(const Tree& tree, In<double> q);

}  // namespace axode
