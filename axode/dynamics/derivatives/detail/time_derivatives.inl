// Definitions of time_derivatives.hpp; instantiated by time_derivatives.cpp.
#pragma once
#include "axode/dynamics/derivatives/time_derivatives_body.inl"
#include "axode/dynamics/derivatives/time_derivatives_hybrid.inl"

namespace axode {

template <Rep rep, class S>
InverseDynamicsRates<rep, S>::InverseDynamicsRates(const Tree& tree)
    : twists(tree.links.size()),
      joint_wrenches(tree.links.size()),
      relative(tree.links.size()),
      screws(4 * tree.screws.size()) {}

namespace detail {
/// Armature, damping and friction with their derivatives; friction is constant.
template <class S>
void add_loss_rates(const Tree& tree, const Effects& effects, const JointMotion<S>& motion,
                    int order, const JointForcesOut<S>& forces) noexcept {
  const Effects without_friction{effects.gravity, effects.armature, effects.damping, false};
  add_losses<S>(tree, effects, motion.v, forces.tau);
  add_armature<S>(tree, effects, motion.a, forces.tau);
  add_losses<S>(tree, without_friction, motion.a, forces.first);
  add_armature<S>(tree, effects, motion.jerk, forces.first);
  if (order < 2) return;
  add_losses<S>(tree, without_friction, motion.jerk, forces.second);
  add_armature<S>(tree, effects, motion.snap, forces.second);
}
}  // namespace detail

template <Rep rep, class S>
void inverse_dynamics_rates(const Tree& tree, const Poses<S>& poses,
                            const std::type_identity_t<JointMotion<S>>& motion,
                            InverseDynamicsRates<rep, S>& work,
                            const std::type_identity_t<JointForcesOut<S>>& forces,
                            const std::type_identity_t<ExternalWrenchRates<S>>& external,
                            const Effects& effects) noexcept {
  const int order = motion.snap.empty() ? 1 : 2;
  const Vec3<S> from_gravity = world_acceleration<S>(tree, effects);
  if constexpr (rep == Rep::body)
    detail::inverse_dynamics_rates_body<S>(tree, poses, motion, from_gravity, external, order, work,
                                           forces);
  else
    detail::inverse_dynamics_rates_hybrid<S>(tree, poses, motion, from_gravity, external, order,
                                             work, forces);
  detail::add_loss_rates<S>(tree, effects, motion, order, forces);
}

}  // namespace axode
