// Inverse dynamics in mixed representation: angular parts in the axes of the body, linear parts in
// those of the world [MuellerDyn (56)-(57)].
#pragma once
#include "axode/dynamics/inverse_dynamics.hpp"
#include "axode/dynamics/newton_euler.hpp"
#include "axode/kinematics/motion.inl"

namespace axode::detail {

template <class S>
void inverse_dynamics_mixed(const Tree& tree, const Poses<S>& poses, const S* v, const S* a,
                            const Vec3<S>& world_acceleration, In<Wrench<Rep::body, S>> external,
                            InverseDynamics<Rep::mixed, S>& work, S* tau) noexcept {
  Twist<Rep::mixed, S>* V = work.motion.twists.data();
  Acceleration<Rep::mixed, S>* A = work.motion.accelerations.data();
  Wrench<Rep::mixed, S>* W = work.joint_wrenches.data();
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const SO3<S>& R = poses.T_WB[i].R;
    const Vec6<S> U = relative_twist(link, poses.screws.data(), v);
    const Vec6<S> U_rate = relative_acceleration(tree, static_cast<int>(i), poses, v, a);
    V[i] = {U.angular, R * U.linear};
    A[i] = {U_rate.angular, {}};
    if (link.parent < 0) {
      A[i].linear = world_acceleration;
    } else {
      const Twist<Rep::mixed, S>& V_P = V[link.parent];
      const Acceleration<Rep::mixed, S>& A_P = A[link.parent];
      const SO3<S>& R_P = poses.T_WB[static_cast<std::size_t>(link.parent)].R;
      const SE3<S>& T_PB = poses.T_PB[i];
      // r'_i = r'_P + R_P (w_P x p) + R_i u, differentiated.
      const Vec3<S> moved = cross(V_P.angular, T_PB.p), u_P = T_PB.R * U.linear;
      V[i].angular += inverse_times(T_PB.R, V_P.angular);
      V[i].linear += V_P.linear + R_P * moved;
      A[i].angular += inverse_times(T_PB.R, A_P.angular);
      A[i].linear = A_P.linear + R_P * (cross(A_P.angular, T_PB.p) + cross(V_P.angular, moved + u_P));
    }
    A[i].angular += cross(V[i].angular, U.angular);
    A[i].linear += R * (U_rate.linear + cross(V[i].angular, U.linear));
    W[i] = net_wrench_with_pose(poses.T_WB[i], cast<S>(tree.bodies[i].inertia), V[i], A[i]);
    if (!external.empty()) W[i] -= convert_with_pose<Rep::mixed>(poses.T_WB[i], external[i]);
  }
  for (std::size_t i = tree.links.size(); i-- > 0;) {
    const Link& link = tree.links[i];
    const SE3<S>& T_WB = poses.T_WB[i];
    const Vec3<S> f_B = inverse_times(T_WB.R, W[i].linear);
    const Vec6<S> W_B{W[i].angular, f_B};
    for (int k = link.v; k < link.v + link.nv; ++k)
      tau[k] = dot(poses.screws[static_cast<std::size_t>(k)], W_B);
    if (link.parent < 0) continue;
    const SE3<S>& T_PB = poses.T_PB[i];
    W[link.parent] += {T_PB.R * W[i].angular + cross(T_PB.p, T_PB.R * f_B), W[i].linear};
  }
}

}  // namespace axode::detail
