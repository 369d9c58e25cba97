// Inverse dynamics in hybrid representation [MuellerDyn (75)-(76), corrected: docs/errata.md].
#pragma once
#include "axode/dynamics/inverse_dynamics.hpp"
#include "axode/dynamics/newton_euler.hpp"
#include "axode/kinematics/motion.inl"

namespace axode::detail {

template <class S>
void inverse_dynamics_hybrid(const Tree& tree, const Poses<S>& poses, const S* v, const S* a,
                             const Vec3<S>& world_acceleration, In<Wrench<Rep::body, S>> external,
                             InverseDynamics<Rep::hybrid, S>& work, S* tau) noexcept {
  Twist<Rep::hybrid, S>* V = work.motion.twists.data();
  Acceleration<Rep::hybrid, S>* A = work.motion.accelerations.data();
  Wrench<Rep::hybrid, S>* W = work.joint_wrenches.data();
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const SE3<S>& T_WB = poses.T_WB[i];
    const Vec6<S> U_B = relative_twist(link, poses.screws.data(), v);
    const Vec6<S> U_rate = relative_acceleration(tree, static_cast<int>(i), poses, v, a);
    const Vec3<S> turn = T_WB.R * U_B.angular, along = T_WB.R * U_B.linear;
    V[i] = {turn, along};
    A[i] = {T_WB.R * U_rate.angular, T_WB.R * U_rate.linear};
    if (link.parent < 0) {
      A[i].linear += world_acceleration;
    } else {
      const Twist<Rep::hybrid, S>& V_P = V[link.parent];
      const Acceleration<Rep::hybrid, S>& A_P = A[link.parent];
      const Vec3<S> r = T_WB.p - poses.T_WB[static_cast<std::size_t>(link.parent)].p;
      V[i].angular += V_P.angular;
      V[i].linear += V_P.linear + cross(V_P.angular, r);
      A[i].angular += A_P.angular;
      A[i].linear += A_P.linear + cross(A_P.angular, r) +
                     cross(V_P.angular, V[i].linear - V_P.linear);
    }
    A[i].angular += cross(V[i].angular, turn);
    A[i].linear += cross(V[i].angular, along);
    W[i] = net_wrench_with_pose(T_WB, cast<S>(tree.bodies[i].inertia), V[i], A[i]);
    if (!external.empty()) W[i] -= convert_with_pose<Rep::hybrid>(T_WB, external[i]);
  }
  for (std::size_t i = tree.links.size(); i-- > 0;) {
    const Link& link = tree.links[i];
    const SE3<S>& T_WB = poses.T_WB[i];
    const Vec6<S> W_B{inverse_times(T_WB.R, W[i].angular), inverse_times(T_WB.R, W[i].linear)};
    for (int k = link.v; k < link.v + link.nv; ++k)
      tau[k] = dot(poses.screws[static_cast<std::size_t>(k)], W_B);
    if (link.parent < 0) continue;
    const Vec3<S> r = T_WB.p - poses.T_WB[static_cast<std::size_t>(link.parent)].p;
    W[link.parent] += {W[i].angular + cross(r, W[i].linear), W[i].linear};
  }
}

}  // namespace axode::detail
