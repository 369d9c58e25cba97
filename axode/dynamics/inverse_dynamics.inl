// Definitions of inverse_dynamics.hpp; instantiated by inverse_dynamics.cpp and, for packs, by
// inverse_dynamics_lanes.cpp.
#pragma once
#include "axode/dynamics/inverse_dynamics_body.inl"
#include "axode/dynamics/inverse_dynamics_hybrid.inl"
#include "axode/dynamics/inverse_dynamics_mixed.inl"
#include "axode/dynamics/inverse_dynamics_spatial.inl"

namespace axode {

template <Rep rep, class S>
InverseDynamics<rep, S>::InverseDynamics(const Tree& tree)
    : motion(tree), joint_wrenches(tree.links.size()) {}

template <Rep rep, class S>
void inverse_dynamics(const Tree& tree, const Poses<S>& poses, In<S> v, In<S> a,
                      InverseDynamics<rep, S>& work, Out<S> tau, In<Wrench<Rep::body, S>> external,
                      const Effects& effects) noexcept {
  const Vec3<S> from_gravity = world_acceleration<S>(tree, effects);
  const S *vp = v.data(), *ap = a.data();
  if constexpr (rep == Rep::body)
    detail::inverse_dynamics_body(tree, poses, vp, ap, from_gravity, external, work, tau.data());
  else if constexpr (rep == Rep::spatial)
    detail::inverse_dynamics_spatial(tree, poses, vp, ap, from_gravity, external, work, tau.data());
  else if constexpr (rep == Rep::hybrid)
    detail::inverse_dynamics_hybrid(tree, poses, vp, ap, from_gravity, external, work, tau.data());
  else
    detail::inverse_dynamics_mixed(tree, poses, vp, ap, from_gravity, external, work, tau.data());
  add_losses<S>(tree, effects, v, tau);
  add_armature<S>(tree, effects, a, tau);
}

}  // namespace axode
