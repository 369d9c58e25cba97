/// Forward dynamics of trees with coupled joints (gears, mimic joints), the reference of the engine's.
///
///   E^T (M a + c + g + ...) = E^T tau,   a = E y
///
/// Coupled joints move as a = E y with the accelerations y of their leaders; the others move freely
/// beside them. By prescribed dynamics with E y given, the forces that the coupled joints then need,
/// taken together, E^T tau, are linear in y:
///
///   A y + r_0 = E^T tau_given,
///
/// A the mass matrix of the leaders alone, the free joints eliminated. One O(n) call for each column.
/// The whole mass matrix may well be singular: a massless gear wheel gets its inertia by its coupling.
/// Units: rad/s^2 and m/s^2.
/// Tests: tests/dynamics/forward/forward_dynamics_coupled_test.cpp
#pragma once
#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/dynamics/outcome.hpp"

namespace axode {

/// Writes the accelerations a that the joint forces tau cause if couplings are kept; v must keep them.
/// A joint with a degree of freedom without inertia, of coupled joints the leader, is taken as locked and
/// its body named by the outcome. Without couplings this is forward_dynamics; with them it allocates, and a and tau
/// must not overlap.
ForwardOutcome coupled_forward_dynamics(const Tree& tree, const Poses<double>& poses, In<double> v,
                                        In<double> tau, ForwardDynamics<Rep::body>& work,
                                        Out<double> a, In<Wrench<Rep::body, double>> external = {},
                                        const Effects& effects = {});

}  // namespace axode
