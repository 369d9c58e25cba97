// Inverse dynamics in hybrid representation [MuellerDyn (75)-(76), corrected: docs/errata.md].
#pragma once
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/dynamics/inverse/newton_euler.hpp"
#include "axode/kinematics/any_scalar/motion.hpp"

namespace axode::detail {

/// Outwards: twists, accelerations and the wrenches that each body needs for itself.
template <class S>
void sweep_outwards(const Tree& tree, const Poses<S>& poses, const S* v, const S* a,
                    const Vec3<S>& world_acceleration, In<Wrench<Rep::body, S>> external,
                    InverseDynamics<Rep::hybrid, S>& work) noexcept {
  Twist<Rep::hybrid, S>* V = work.motion.twists.data();
  Acceleration<Rep::hybrid, S>* A = work.motion.accelerations.data();
  Wrench<Rep::hybrid, S>* W = work.joint_wrenches.data();
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const SE3<S>& T_WB = poses.T_WB[i];
    const auto to_world = [&](const Vec6<S>& x) -> Vec6<S> {
      return {T_WB.R * x.angular, T_WB.R * x.linear};
    };
    // V_i = Ad_r V_p + 0X_i q', V'_i = Ad_r V'_p + ad_r' V_p + ad_w 0X_i q' + 0X_i q'', r to the
    // parent's origin, 0X_i = Ad_R X_i  [MuellerDyn (75), corrected: docs/errata.md]
    const Vec6<S> U = to_world(relative_twist(link, poses.screws.data(), v));
    Vec6<S> V_i = U;
    Vec6<S> A_i = to_world(relative_acceleration(tree, static_cast<int>(i), poses, v, a));
    if (link.parent < 0) {
      A_i.linear += world_acceleration;
    } else {
      const Twist<Rep::hybrid, S>& V_P = V[link.parent];
      const Acceleration<Rep::hybrid, S>& A_P = A[link.parent];
      const Vec3<S> r = T_WB.p - poses.T_WB[link.parent].p;
      const Vec3<S> r_rate = U.linear + cross(V_P.angular, r);
      V_i = {V_P.angular + U.angular, V_P.linear + r_rate};
      A_i += {A_P.angular, A_P.linear + cross(A_P.angular, r) + cross(V_P.angular, r_rate)};
    }
    A_i += {cross(V_i.angular, U.angular), cross(V_i.angular, U.linear)};
    V[i] = {V_i.angular, V_i.linear};
    A[i] = {A_i.angular, A_i.linear};
    const Inertia<S> I = cast<S>(tree.bodies[i].inertia);
    // the body's own part of W_i: M^h V' + ad_w M^h (w, 0) - W^app
    // [MuellerDyn (76), corrected: docs/errata.md]
    W[i] = net_wrench_with_pose(T_WB, I, V[i], A[i]);
    if (!external.empty()) W[i] -= convert_with_pose<Rep::hybrid>(T_WB, external[i]);
  }
}

/// Inwards: each body passes its wrench on to its parent; along the screws it is the joint force.
template <class S>
void sweep_inwards(const Tree& tree, const Poses<S>& poses, InverseDynamics<Rep::hybrid, S>& work,
                   S* tau) noexcept {
  Wrench<Rep::hybrid, S>* W = work.joint_wrenches.data();
  for (std::size_t i = tree.links.size(); i-- > 0;) {
    const Link& link = tree.links[i];
    const SE3<S>& T_WB = poses.T_WB[i];
    // tau_i = 0X_i^T W_i, then Ad_r^T W_i becomes part of the parent's  [MuellerDyn (76)]
    const Vec6<S> W_i = W[i].six();
    const Vec6<S> W_B{inverse_times(T_WB.R, W_i.angular), inverse_times(T_WB.R, W_i.linear)};
    for (int k = link.v; k < link.v + link.nv; ++k) tau[k] = dot(poses.screws[k], W_B);
    if (link.parent < 0) continue;
    const Vec3<S> r = T_WB.p - poses.T_WB[link.parent].p;
    W[link.parent] += {W_i.angular + cross(r, W_i.linear), W_i.linear};
  }
}

}  // namespace axode::detail
