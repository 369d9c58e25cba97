// Inverse dynamics in spatial representation [MuellerDyn (70)-(71)].
#pragma once
#include "axode/dynamics/inverse_dynamics.hpp"
#include "axode/dynamics/newton_euler.hpp"
#include "axode/kinematics/motion.inl"

namespace axode::detail {

template <class S>
void inverse_dynamics_spatial(const Tree& tree, const Poses<S>& poses, const S* v, const S* a,
                              const Vec3<S>& world_acceleration, In<Wrench<Rep::body, S>> external,
                              InverseDynamics<Rep::spatial, S>& work, S* tau) noexcept {
  Twist<Rep::spatial, S>* V = work.motion.twists.data();
  Acceleration<Rep::spatial, S>* A = work.motion.accelerations.data();
  Wrench<Rep::spatial, S>* W = work.joint_wrenches.data();
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const SE3<S>& T_WB = poses.T_WB[i];
    const Vec6<S> U = Ad(T_WB, relative_twist(link, poses.screws.data(), v));
    const Vec6<S> U_rate = Ad(T_WB, relative_acceleration(tree, static_cast<int>(i), poses, v, a));
    const bool root = link.parent < 0;
    const Vec6<S> V_i = root ? U : V[link.parent].six() + U;
    const Vec6<S> A_P =
        root ? Vec6<S>{{S(0), S(0), S(0)}, world_acceleration} : A[link.parent].six();
    const Vec6<S> A_i = A_P + U_rate + ad(V_i, U);
    V[i] = {V_i.angular, V_i.linear};
    A[i] = {A_i.angular, A_i.linear};
    W[i] = net_wrench_with_pose(T_WB, cast<S>(tree.bodies[i].inertia), V[i], A[i]);
    if (!external.empty()) W[i] -= convert_with_pose<Rep::spatial>(T_WB, external[i]);
  }
  for (std::size_t i = tree.links.size(); i-- > 0;) {
    const Link& link = tree.links[i];
    const Vec6<S> W_B = Ad_transpose(poses.T_WB[i], W[i].six());  // J^T W = S^T Ad^T W
    for (int k = link.v; k < link.v + link.nv; ++k)
      tau[k] = dot(poses.screws[static_cast<std::size_t>(k)], W_B);
    if (link.parent >= 0) W[link.parent] += W[i];
  }
}

}  // namespace axode::detail
