/// Forward dynamics of a tree: the articulated-body algorithm, three sweeps, O(n).
///
///   a = (M(q) + armature)^-1 (tau - c(q, v) - g(q) + J^T W_external - damping - friction)
///                                                                               [MuellerDyn (1)]
///
/// without the matrix. Outwards the twists, with what accelerates at a = 0; inwards the wrench each
/// joint transmits as W_i = I_i A_i + p_i, the degrees of freedom of the joints beyond eliminated one by one
/// (articulated_inertia.hpp); outwards the accelerations A_i with
///
///   a_k = (tau_k - S_k^T p - U_k^T A) / D_k.
///
/// In body, spatial and hybrid representation [MuellerDyn (65)-(76) solved for a]; each has its own
/// file: any_scalar/forward_dynamics_body.hpp, ... The accelerations do not depend on it; the work and the
/// rounding do. Spatial quantities are formed about the origin of the first body that moves, not of
/// the world: numbers grow with the square of the distance. Friction of a joint at rest is taken as zero.
/// Units: rad/s^2 and m/s^2.
/// Tests: tests/dynamics/forward/forward_dynamics_test.cpp
#pragma once
#include <vector>

#include "axode/dynamics/effects.hpp"
#include "axode/dynamics/external_wrench.hpp"
#include "axode/dynamics/forward/detail/articulated_inertia.hpp"
#include "axode/dynamics/outcome.hpp"
#include "axode/kinematics/motion.hpp"

namespace axode {

/// One degree of freedom, when those beyond it are eliminated.
template <class S = double>
struct DofResponse {
  Vec6<S> U;  ///< I S: wrench of its acceleration
  S D,
      inverse_D;  ///< S^T I S + armature; the inverse is zero for a degree of freedom without inertia
  S noise;        ///< rounding errors of D by the inertia it moves: D below is nothing else
  S u;            ///< force left after its own bias
};

/// Largest numbers that went into an articulated inertia: digits of what is left after eliminations
/// are lost to rounding relative to them.
template <class S = double>
struct InertiaScale {
  S moment{}, mass{};
};

/// What a call leaves behind beside the accelerations. Make one per tree and thread, then reuse it.
template <Rep rep, class S = double>
struct ForwardDynamics {
  static_assert(rep != Rep::mixed, "use Rep::body, Rep::spatial or Rep::hybrid");
  explicit ForwardDynamics(const Tree& tree);
  /// Twists and accelerations. Gravity is in the latter, as that of a world accelerated by -g.
  Motion<rep, S> motion;
  /// By body: the wrench its joint transmits on it is inertias[i] A + bias[i]. In spatial form about
  /// `point`, as the accelerations then are in `rates`.
  std::vector<ArticulatedInertia<S>> inertias;
  std::vector<Vec6<S>> bias;
  std::vector<DofResponse<S>> dofs;     ///< by velocity
  std::vector<Vec6<S>> screws;          ///< by velocity, in the representation; body: not used
  std::vector<Vec6<S>> rates;           ///< by body: what accelerates at a = 0
  std::vector<InertiaScale<S>> scales;  ///< by body
  Vec3<S> point{};                      ///< spatial form: origin of the first body that moves
};

/// Writes the accelerations a that the joint forces tau cause at the configuration of the poses and
/// velocities v. `external` holds one wrench for each body, acting on it, or is empty. Couplings of
/// the tree are not seen: each joint moves on its own. a may be the memory of tau. The outcome names
/// the first body found, from the leaves, whose joint has a degree of freedom without inertia: its own and that of
/// all it carries vanish along it, to rounding, and it has no armature; in any lane of a pack. Such a
/// degree of freedom is taken as locked, its acceleration is zero. Does not allocate.
template <Rep rep, class S>
ForwardOutcome forward_dynamics(const Tree& tree, const Poses<S>& poses, In<S> v, In<S> tau,
                                ForwardDynamics<rep, S>& work, Out<S> a,
                                In<Wrench<Rep::body, S>> external = {},
                                const Effects& effects = {}) noexcept;

namespace reference {
/// The same in body representation with couplings kept, as v must (forward_dynamics_coupled.cpp); of
/// coupled joints the outcome names the leader's body. With couplings it allocates, and a and tau must
/// not overlap.
ForwardOutcome forward_dynamics(const Tree& tree, const Poses<double>& poses, In<double> v,
                                In<double> tau, ForwardDynamics<Rep::body>& work, Out<double> a,
                                In<Wrench<Rep::body, double>> external = {},
                                const Effects& effects = {});
/// The accelerations as a new object, by the recursion in body, spatial or hybrid representation, with
/// couplings always in body. axode::forward_dynamics (engine/calls.hpp) is faster. Couplings are kept: coupled joints accelerate as they are
/// coupled, their tau and the forces of the coupling, which do no work, being shared between them,
///
///   E^T (M a + c + g + ...) = E^T tau,   a = E a_independent   (expand_velocity in state.hpp).
///
/// Throws Error if numbers are missing or not finite, if q or v break couplings and on wrenches on
/// unknown frames, and SingularError if a degree of freedom has no inertia, naming the body and what to do.
std::vector<double> forward_dynamics(const Tree& tree, In<double> q, In<double> v, In<double> tau,
                                     Rep representation = Rep::body,
                                     const DynamicsOptions& options = {});
}  // namespace reference

}  // namespace axode
