/// Derivatives of forward dynamics of trees with coupled joints (gears, mimic joints), the reference of
/// the engine's. With v = E y of the independent velocities y (expansion.hpp)
///
///   a = W (tau - c(q, v) - ...),   W = E (E^T M E)^-1 E^T,
///
/// and since W M a = a for accelerations that keep the couplings, as without these,
///
///   da/dq = -W dtau/dq,   da/dv = -W dtau/dv,   da/dtau = W
///
/// from the derivatives of inverse dynamics at a. Columns are by each velocity on its own; times E they
/// are those by the independent ones. E^T M E may be regular where M is not.
/// Cost O(n^3). Units: those of a per unit of q, of v, of tau.
/// Tests: tests/dynamics/derivatives/forward_derivatives_coupled_test.cpp
#pragma once
#include "axode/dynamics/derivatives/forward_derivatives.hpp"

namespace axode {

/// Writes the accelerations and their derivatives at (q of the poses, v, tau), which must keep the
/// couplings. result.singular_velocity is that of a leader, if one has no inertia. Allocates.
void coupled_forward_derivatives(const Tree& tree, const Poses<double>& poses, In<double> v,
                                 In<double> tau, ForwardDynamicsDerivatives<double>& result,
                                 In<Wrench<Rep::body, double>> external = {},
                                 const Effects& effects = {});

}  // namespace axode
