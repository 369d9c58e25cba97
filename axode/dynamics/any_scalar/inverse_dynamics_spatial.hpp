// Inverse dynamics in spatial representation [MuellerDyn (70)-(71), corrected: docs/errata.md].
#pragma once
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/dynamics/inverse/newton_euler.hpp"
#include "axode/kinematics/any_scalar/motion.hpp"

namespace axode::detail {

/// Outwards: twists, accelerations and the wrenches that each body needs for itself.
template <class S>
void sweep_outwards(const Tree& tree, const Poses<S>& poses, const S* v, const S* a,
                    const Vec3<S>& world_acceleration, In<Wrench<Rep::body, S>> external,
                    InverseDynamics<Rep::spatial, S>& work) noexcept {
  Twist<Rep::spatial, S>* V = work.motion.twists.data();
  Acceleration<Rep::spatial, S>* A = work.motion.accelerations.data();
  Wrench<Rep::spatial, S>* W = work.joint_wrenches.data();
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const SE3<S>& T_WB = poses.T_WB[i];
    // J_i = Ad_C X_i, V_i = V_p + J_i q', V'_i = V'_p + J_i q'' + [V_p, V_i]  [MuellerDyn (70)]
    const Vec6<S> U = Ad(T_WB, relative_twist(link, poses.screws.data(), v));
    Vec6<S> V_i = U;
    Vec6<S> A_i = Ad(T_WB, relative_acceleration(tree, static_cast<int>(i), poses, v, a));
    if (link.parent < 0) {
      A_i.linear += world_acceleration;
    } else {
      V_i += V[link.parent].six();
      A_i += A[link.parent].six() + ad(V_i, U);
    }
    V[i] = {V_i.angular, V_i.linear};
    A[i] = {A_i.angular, A_i.linear};
    const Inertia<S> I = cast<S>(tree.bodies[i].inertia);
    // the body's own part of W_i: M^s V' - ad_V^T M^s V - W^app, M^s = Ad_C^-T M^b Ad_C^-1
    // [MuellerDyn (71), corrected: docs/errata.md]
    W[i] = net_wrench_with_pose(T_WB, I, V[i], A[i]);
    if (!external.empty()) W[i] -= convert_with_pose<Rep::spatial>(T_WB, external[i]);
  }
}

/// Inwards: each body passes its wrench on to its parent; along the screws it is the joint force.
template <class S>
void sweep_inwards(const Tree& tree, const Poses<S>& poses, InverseDynamics<Rep::spatial, S>& work,
                   S* tau) noexcept {
  Wrench<Rep::spatial, S>* W = work.joint_wrenches.data();
  for (std::size_t i = tree.links.size(); i-- > 0;) {
    const Link& link = tree.links[i];
    // tau_i = J_i^T W_i = X_i^T Ad_C^T W_i; wrenches add up as they are  [MuellerDyn (71)]
    const Vec6<S> W_B = Ad_transpose(poses.T_WB[i], W[i].six());
    for (int k = link.v; k < link.v + link.nv; ++k) tau[k] = dot(poses.screws[k], W_B);
    if (link.parent >= 0) W[link.parent] += W[i];
  }
}

}  // namespace axode::detail
