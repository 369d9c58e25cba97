// Inverse dynamics in body representation [MuellerDyn (66)-(67), corrected: docs/errata.md].
#pragma once
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/dynamics/inverse/newton_euler.hpp"
#include "axode/kinematics/any_scalar/motion.hpp"

namespace axode::detail {

/// Outwards: twists, accelerations and the wrenches that each body needs for itself.
template <class S>
void sweep_outwards(const Tree& tree, const Poses<S>& poses, const S* v, const S* a,
                    const Vec3<S>& world_acceleration, In<Wrench<Rep::body, S>> external,
                    InverseDynamics<Rep::body, S>& work) noexcept {
  Twist<Rep::body, S>* V = work.motion.twists.data();
  Acceleration<Rep::body, S>* A = work.motion.accelerations.data();
  Wrench<Rep::body, S>* W = work.joint_wrenches.data();
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const SE3<S>& T_PB = poses.T_PB[i];
    const Vec6<S> U = relative_twist(link, poses.screws.data(), v);
    const Vec6<S> U_rate = relative_acceleration(tree, static_cast<int>(i), poses, v, a);
    if (link.parent < 0) {
      V[i] = {U.angular, U.linear};
      A[i] = {U_rate.angular, U_rate.linear + inverse_times(T_PB.R, world_acceleration)};
    } else {
      // V_i = Ad_C V_p + X_i q', V'_i = Ad_C V'_p - q' ad_X V_i + X_i q'', C = T_PB^-1
      // [MuellerDyn (66)]
      const Vec6<S> V_i = Ad_inverse(T_PB, V[link.parent].six()) + U;
      const Vec6<S> A_i = Ad_inverse(T_PB, A[link.parent].six()) + U_rate + ad(V_i, U);
      V[i] = {V_i.angular, V_i.linear};
      A[i] = {A_i.angular, A_i.linear};
    }
    const Inertia<S> I = cast<S>(tree.bodies[i].inertia);
    // the body's own part of W_i: M V' - ad_V^T M V - W^app
    // [MuellerDyn (67), corrected: docs/errata.md]
    W[i] = net_wrench(I, V[i], A[i]);
    if (!external.empty()) W[i] -= external[i];
  }
}

/// Inwards: each body passes its wrench on to its parent; along the screws it is the joint force.
template <class S>
void sweep_inwards(const Tree& tree, const Poses<S>& poses, InverseDynamics<Rep::body, S>& work,
                   S* tau) noexcept {
  Wrench<Rep::body, S>* W = work.joint_wrenches.data();
  for (std::size_t i = tree.links.size(); i-- > 0;) {
    const Link& link = tree.links[i];
    // tau_i = X_i^T W_i, then Ad_C^T W_i becomes part of the parent's  [MuellerDyn (67)]
    const Vec6<S> W_B = W[i].six();
    for (int k = link.v; k < link.v + link.nv; ++k) tau[k] = dot(poses.screws[k], W_B);
    if (link.parent < 0) continue;
    const Vec6<S> W_P = Ad_inverse_transpose(poses.T_PB[i], W_B);
    W[link.parent] += {W_P.angular, W_P.linear};
  }
}

}  // namespace axode::detail
