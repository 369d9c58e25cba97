/// Dynamics of a tree of which some degrees of freedom move as prescribed and the others under given forces:
/// the articulated-body algorithm with both kinds of degrees of freedom, O(n).
///
///   M a + c + g - J^T W_external + armature, damping, friction = tau
///
/// solved for what is not given: of each degree of freedom either the force or the acceleration is. A degree of freedom
/// of given force is eliminated as in forward dynamics; one of given acceleration adds its inertia
/// force to the bias, p + U a_k, and stays in the inertia,
///
///   tau_k = S_k^T p + U_k^T A + D_k a_k.
///
/// All forces given: forward dynamics; all accelerations: inverse dynamics. A joint of several
/// degrees of freedom may have some of each. In body representation. Units: N m, N; rad/s^2, m/s^2.
/// (Featherstone calls this problem hybrid dynamics; the hybrid representation is something else.)
/// Tests: tests/dynamics/forward/prescribed_dynamics_test.cpp
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "axode/dynamics/forward/forward_dynamics.hpp"

namespace axode {

/// What is given of a degree of freedom.
enum class Given : std::uint8_t { force, acceleration };

/// Completes a and tau, each nv numbers: on entry a holds the given accelerations and tau the given
/// forces, on return both hold all. The other numbers are not read. `external` holds one wrench for
/// each body, acting on it, or is empty. The outcome is as in forward dynamics; only degrees of freedom
/// of given force count. Couplings of the tree are not seen. Does not allocate.
template <class S>
ForwardOutcome prescribed_dynamics(const Tree& tree, const Poses<S>& poses, In<S> v,
                                   In<Given> given, ForwardDynamics<Rep::body, S>& work, Out<S> a,
                                   Out<S> tau, In<Wrench<Rep::body, S>> external = {},
                                   const Effects& effects = {}) noexcept;

/// By velocity: `acceleration` for all degrees of freedom of the named joints, `force` for the others. Throws
/// Error on an unknown name.
std::vector<Given> given_accelerations(const Tree& tree, std::span<const std::string_view> joints);

}  // namespace axode
