/// Inverse dynamics of a tree: the recursive Newton-Euler algorithm, two sweeps, O(n).
///
///   tau = M(q) a + c(q, v) + g(q) - J^T W_external + armature, damping, friction
///                                                                               [MuellerDyn (1)]
///
/// Outwards the motion of the bodies, inwards the wrenches W_i that joint i transmits on body i:
///
///   body     W_i = sum Ad(C_ci)^T W_c + M V' - ad_V^T M V - W_ext       [MuellerDyn (66)-(67)]
///   spatial  W_i = sum W_c + M^s V' - ad_V^T M^s V - W_ext              [MuellerDyn (70)-(71)]
///   hybrid   W_i = sum Ad(r_ci)^T W_c + M^h V' + ad_w M^h (w, 0) - W_ext [MuellerDyn (75)-(76)]
///   mixed    torques in the axes of the body, forces in those of the world    [(56)-(57)]
///
/// over the children c, signs and loops corrected (docs/errata.md); tau_i = S_i^T W_i in the same
/// representation. The joint forces do not depend on the representation; the work done does
/// (operation_counts.hpp). Each has its own file, to be read beside the theory:
/// any_scalar/inverse_dynamics_body.hpp, ... Spatial moments refer to the origin of the world: keep bodies
/// near it. Units: N m and N.
/// Tests: tests/dynamics/inverse/inverse_dynamics_test.cpp
#pragma once
#include <vector>

#include "axode/dynamics/effects.hpp"
#include "axode/dynamics/external_wrench.hpp"
#include "axode/kinematics/motion.hpp"

namespace axode {

/// What a call leaves behind beside the joint forces. Make one per tree and thread, then reuse it.
template <Rep rep, class S = double>
struct InverseDynamics {
  explicit InverseDynamics(const Tree& tree);
  /// Twists and accelerations. Gravity is in the latter, as that of a world accelerated by -g.
  Motion<rep, S> motion;
  /// By body: the wrench the joint transmits on the body, from its parent, at the body's origin (in
  /// spatial form at the world's). External wrenches act beside it.
  std::vector<Wrench<rep, S>> joint_wrenches;
};

/// Writes the joint forces tau of the motion (v, a) at the configuration of the poses. `external`
/// holds one wrench for each body, acting on it, or is empty (external_wrench.hpp makes them from
/// wrenches in any frame). tau must not be the memory of v or a. Does not allocate.
template <Rep rep, class S>
void inverse_dynamics(const Tree& tree, const Poses<S>& poses, In<S> v, In<S> a,
                      InverseDynamics<rep, S>& work, Out<S> tau,
                      In<Wrench<Rep::body, S>> external = {}, const Effects& effects = {}) noexcept;

// --- in one call ----------------------------------------------------------------------------------

namespace reference {
/// The joint forces [N m, N] of the motion (q, v, a) by the recursion in a representation; body needs
/// the fewest operations. axode::inverse_dynamics (engine/calls.hpp) is faster. Throws Error on
/// arguments of the wrong length or not finite, and on wrenches on unknown frames or on the world.
std::vector<double> inverse_dynamics(const Tree& tree, In<double> q, In<double> v, In<double> a,
                                     Rep representation = Rep::body,
                                     const DynamicsOptions& options = {});
}  // namespace reference

}  // namespace axode
