// Articulated bodies in body representation [MuellerDyn (65)-(67) solved for the accelerations].
#pragma once
#include "axode/dynamics/any_scalar/forward_dynamics_joints.hpp"
#include "axode/dynamics/inverse/newton_euler.hpp"

namespace axode::detail {

/// Outwards: twists, accelerations at a = 0, inertias and bias wrenches of the bodies alone.
template <class S>
void articulated_motion(const Tree& tree, const Poses<S>& poses, const S* v,
                        In<Wrench<Rep::body, S>> external,
                        ForwardDynamics<Rep::body, S>& work) noexcept {
  Twist<Rep::body, S>* V = work.motion.twists.data();
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const Vec6<S> U = relative_twist(link, poses.screws.data(), v);
    // V_i = Ad_C V_p + X_i q', c_i = -q' ad_X V_i  [MuellerDyn (66) without q'']
    Vec6<S> V_i = U;
    if (link.parent >= 0) V_i += Ad_inverse(poses.T_PB[i], V[link.parent].six());
    V[i] = {V_i.angular, V_i.linear};
    work.rates[i] = ad(V_i, U);
    if (!has_constant_screws(link)) work.rates[i] += screw_rate_times_velocity(tree, i, poses, v);
    const Inertia<S> I = cast<S>(tree.bodies[i].inertia);
    work.inertias[i] = articulated(I);
    work.scales[i] = {S(0), S(0)};
    // p_i = -ad_V^T M V - W^app  [MuellerDyn (67) without V', corrected: docs/errata.md]
    work.bias[i] = -ad_transpose(V_i, times(I, V_i));
    if (!external.empty()) work.bias[i] -= external[i].six();
  }
}

template <class S, class Joints>
ForwardOutcome articulated_bodies(const Tree& tree, const Poses<S>& poses, const S* v,
                                  const Vec3<S>& world_acceleration,
                                  In<Wrench<Rep::body, S>> external, const Joints& joints,
                                  ForwardDynamics<Rep::body, S>& work) noexcept {
  const Vec6<S>* screws = poses.screws.data();
  Acceleration<Rep::body, S>* A = work.motion.accelerations.data();
  const auto carried = [&](std::size_t i, const Vec6<S>& A_P) {
    return Ad_inverse(poses.T_PB[i], A_P);
  };
  ForwardOutcome found;
  articulated_motion(tree, poses, v, external, work);
  for (std::size_t i = tree.links.size(); i-- > 0;) {
    ArticulatedInertia<S> I = work.inertias[i];
    Vec6<S> p = work.bias[i];
    // tau_i = X_i^T W_i, W_i = I V' + p, solved for q''  [MuellerDyn (67)], forward_dynamics.md
    const InertiaScale<S> scale =
        eliminate_joint(tree, i, screws, joints, carried, work, I, p, found);
    if (tree.links[i].parent < 0) continue;
    const std::size_t parent = tree.links[i].parent;
    const SE3<S>& T_PB = poses.T_PB[i];
    // I_p += Ad_C^T I Ad_C, p_p += Ad_C^T p
    work.inertias[parent] += transform(T_PB, I);
    work.bias[parent] += Ad_inverse_transpose(T_PB, p);
    work.scales[parent] = larger(work.scales[parent], shift(T_PB.p, scale));
  }
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const SE3<S>& T_PB = poses.T_PB[i];
    // V'_i = Ad_C V'_p + c_i + X_i q'', the world accelerated by -g  [MuellerDyn (66)]
    Vec6<S> A_i = work.rates[i];
    if (link.parent < 0)
      A_i.linear += inverse_times(T_PB.R, world_acceleration);
    else
      A_i += carried(i, A[link.parent].six());
    joints.outwards(link, screws, A_i);
    A[i] = {A_i.angular, A_i.linear};
  }
  return found;
}

}  // namespace axode::detail
