// Inverse dynamics in mixed representation: angular parts in the axes of the body, linear parts in
// those of the world [MuellerDyn (56)-(57)].
#pragma once
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/dynamics/inverse/newton_euler.hpp"
#include "axode/kinematics/any_scalar/motion.hpp"

namespace axode::detail {

/// Outwards: twists, accelerations and the wrenches that each body needs for itself.
template <class S>
void sweep_outwards(const Tree& tree, const Poses<S>& poses, const S* v, const S* a,
                    const Vec3<S>& world_acceleration, In<Wrench<Rep::body, S>> external,
                    InverseDynamics<Rep::mixed, S>& work) noexcept {
  Twist<Rep::mixed, S>* V = work.motion.twists.data();
  Acceleration<Rep::mixed, S>* A = work.motion.accelerations.data();
  Wrench<Rep::mixed, S>* W = work.joint_wrenches.data();
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const SE3<S>& T_WB = poses.T_WB[i];
    const Vec6<S> U = relative_twist(link, poses.screws.data(), v);
    const Vec6<S> U_rate = relative_acceleration(tree, static_cast<int>(i), poses, v, a);
    Vec6<S> V_i{U.angular, T_WB.R * U.linear}, A_i{U_rate.angular, world_acceleration};
    Vec3<S> turning = V_i.angular;  // w_P + w_i, in the axes of the body
    if (link.parent >= 0) {
      const Twist<Rep::mixed, S>& V_P = V[link.parent];
      const Acceleration<Rep::mixed, S>& A_P = A[link.parent];
      const SO3<S>& R_P = poses.T_WB[link.parent].R;
      const SE3<S>& T_PB = poses.T_PB[i];
      const Vec3<S> w_P = inverse_times(T_PB.R, V_P.angular);
      const Vec3<S> moved = cross(V_P.angular, T_PB.p);
      // r'_i = r'_P + R_P (w_P x p) + R_i u, differentiated.
      V_i.angular += w_P;
      V_i.linear += V_P.linear + R_P * moved;
      A_i.angular += inverse_times(T_PB.R, A_P.angular) + cross(V_i.angular, U.angular);
      A_i.linear = A_P.linear + R_P * (cross(A_P.angular, T_PB.p) + cross(V_P.angular, moved));
      turning = V_i.angular + w_P;
    }
    A_i.linear += T_WB.R * (U_rate.linear + cross(turning, U.linear));
    V[i] = {V_i.angular, V_i.linear};
    A[i] = {A_i.angular, A_i.linear};
    const Inertia<S> I = cast<S>(tree.bodies[i].inertia);
    // torque in the axes of the body, force in those of the world  [MuellerDyn (56)-(57)]
    W[i] = net_wrench_with_pose(T_WB, I, V[i], A[i]);
    if (!external.empty()) W[i] -= convert_with_pose<Rep::mixed>(T_WB, external[i]);
  }
}

/// Inwards: each body passes its wrench on to its parent; along the screws it is the joint force.
template <class S>
void sweep_inwards(const Tree& tree, const Poses<S>& poses, InverseDynamics<Rep::mixed, S>& work,
                   S* tau) noexcept {
  Wrench<Rep::mixed, S>* W = work.joint_wrenches.data();
  for (std::size_t i = tree.links.size(); i-- > 0;) {
    const Link& link = tree.links[i];
    // tau_i = (e_i; R_i eta_i)^T W_i, X_i = (e_i; eta_i) (docs/theory/newton_euler.md)
    const Vec3<S> f_B = inverse_times(poses.T_WB[i].R, W[i].linear);
    const Vec6<S> W_B{W[i].angular, f_B};
    for (int k = link.v; k < link.v + link.nv; ++k) tau[k] = dot(poses.screws[k], W_B);
    if (link.parent < 0) continue;
    const SE3<S>& T_PB = poses.T_PB[i];
    W[link.parent] += {T_PB.R * W[i].angular + cross(T_PB.p, T_PB.R * f_B), W[i].linear};
  }
}

}  // namespace axode::detail
