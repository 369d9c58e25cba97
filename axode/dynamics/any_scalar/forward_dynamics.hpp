// Definitions of forward_dynamics.hpp; instantiated by forward_dynamics.cpp.
#pragma once
#include "axode/dynamics/any_scalar/forward_dynamics_body.hpp"
#include "axode/dynamics/any_scalar/forward_dynamics_hybrid.hpp"
#include "axode/dynamics/any_scalar/forward_dynamics_spatial.hpp"

namespace axode {

template <Rep rep, class S>
ForwardDynamics<rep, S>::ForwardDynamics(const Tree& tree)
    : motion(tree),
      inertias(tree.links.size()),
      bias(tree.links.size()),
      dofs(tree.dofs.size()),
      screws(rep == Rep::body ? 0 : tree.dofs.size()),
      rates(tree.links.size()),
      scales(tree.links.size()) {}

template <Rep rep, class S>
ForwardOutcome forward_dynamics(const Tree& tree, const Poses<S>& poses, In<S> v, In<S> tau,
                                ForwardDynamics<rep, S>& work, Out<S> a,
                                In<Wrench<Rep::body, S>> external,
                                const Effects& effects) noexcept {
  for (std::size_t k = 0; k < tau.size(); ++k) {
    work.dofs[k].u = tau[k];
    a[k] = S(0);
  }
  add_losses<S>(tree, effects, v, a);
  for (std::size_t k = 0; k < tau.size(); ++k) work.dofs[k].u -= a[k];
  const detail::FreeJoints<S> joints{tree, effects.armature, work.dofs.data(), a.data()};
  // M(q) q'' = tau - losses - C(q, q') q' + gravity and external wrenches  [MuellerDyn (1)],
  // solved without M
  return detail::articulated_bodies(tree, poses, v.data(), world_acceleration<S>(tree, effects),
                                    external, joints, work);
}

}  // namespace axode
