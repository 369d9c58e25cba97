// Definitions of inverse_dynamics.hpp; instantiated by inverse_dynamics.cpp.
#pragma once
#include "axode/dynamics/any_scalar/inverse_dynamics_body.hpp"
#include "axode/dynamics/any_scalar/inverse_dynamics_hybrid.hpp"
#include "axode/dynamics/any_scalar/inverse_dynamics_mixed.hpp"
#include "axode/dynamics/any_scalar/inverse_dynamics_spatial.hpp"

namespace axode {

template <Rep rep, class S>
InverseDynamics<rep, S>::InverseDynamics(const Tree& tree)
    : motion(tree), joint_wrenches(tree.links.size()) {}

template <Rep rep, class S>
void inverse_dynamics(const Tree& tree, const Poses<S>& poses, In<S> v, In<S> a,
                      InverseDynamics<rep, S>& work, Out<S> tau, In<Wrench<Rep::body, S>> external,
                      const Effects& effects) noexcept {
  // tau = M(q) q'' + C(q, q') q' less gravity and external wrenches, without M or C: two sweeps
  // [MuellerDyn (1)], by (66)-(67), (70)-(71), (75)-(76) or (56)-(57); then losses and armature
  detail::sweep_outwards(tree, poses, v.data(), a.data(), world_acceleration<S>(tree, effects),
                         external, work);
  detail::sweep_inwards(tree, poses, work, tau.data());
  add_losses<S>(tree, effects, v, tau);
  add_armature<S>(tree, effects, a, tau);
}

}  // namespace axode
