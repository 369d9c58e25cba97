// Articulated bodies in hybrid representation [MuellerDyn (72)-(76) solved for the accelerations,
// corrected: docs/errata.md]: world axes, about the origin of each body. No rotation between
// neighbours, and velocities of the origins enter nowhere but as differences.
#pragma once
#include "axode/dynamics/any_scalar/forward_dynamics_joints.hpp"
#include "axode/dynamics/inverse/newton_euler.hpp"

namespace axode::detail {

/// The twist of body i and its acceleration at a = 0, less what that of the parent contributes.
template <class S>
inline void hybrid_twist_and_rate(const Tree& tree, const Poses<S>& poses, const S* v,
                                  std::size_t i, ForwardDynamics<Rep::hybrid, S>& work) noexcept {
  const Link& link = tree.links[i];
  const SO3<S>& R = poses.T_WB[i].R;
  for (int k = link.v; k < link.v + link.nv; ++k) {
    const Vec6<S>& screw = poses.screws.data()[k];
    work.screws.data()[k] = {R * screw.angular, R * screw.linear};
  }
  const Vec6<S> U = relative_twist(link, work.screws.data(), v);
  Twist<Rep::hybrid, S>& V = work.motion.twists[i];
  Vec6<S>& rate = work.rates[i];
  V = {U.angular, U.linear};
  rate = {{S(0), S(0), S(0)}, {S(0), S(0), S(0)}};
  if (link.parent >= 0) {
    const std::size_t parent = link.parent;
    const Vec3<S>& w = work.motion.twists[parent].angular;
    // V_i = Ad_r V_p + 0X_i q'; of its rate all but the terms in V'_p and q''
    // [MuellerDyn (75), corrected: docs/errata.md]
    const Vec3<S> apart = cross(w, poses.T_WB[i].p - poses.T_WB[parent].p) + U.linear;  // r'_i-r'_p
    V = {w + U.angular, work.motion.twists[parent].linear + apart};
    rate.linear = cross(w, apart);
  }
  rate.angular += cross(V.angular, U.angular);
  rate.linear += cross(V.angular, U.linear);
  if (has_constant_screws(link)) return;
  const Vec6<S> own = screw_rate_times_velocity(tree, i, poses, v);
  rate += Vec6<S>{R * own.angular, R * own.linear};
}

/// Outwards: screws, twists, accelerations at a = 0, inertias and bias wrenches of the bodies alone.
template <class S>
void articulated_motion(const Tree& tree, const Poses<S>& poses, const S* v,
                        In<Wrench<Rep::body, S>> external,
                        ForwardDynamics<Rep::hybrid, S>& work) noexcept {
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    hybrid_twist_and_rate(tree, poses, v, i, work);
    const SE3<S>& T_WB = poses.T_WB[i];
    const Inertia<S> I = transform(SE3<S>{T_WB.R, {}}, cast<S>(tree.bodies[i].inertia));
    work.inertias[i] = articulated(I);
    work.scales[i] = {S(0), S(0)};
    const Vec3<S>& w = work.motion.twists[i].angular;
    // ad_w M^h (w, 0) - W^app  [MuellerDyn (76) without V', corrected: docs/errata.md]
    const Vec3<S> f = cross(w, cross(w, I.com)) * I.mass;
    work.bias[i] = {cross(w, I.about_com * w) + cross(I.com, f), f};
    if (!external.empty()) work.bias[i] -= convert_with_pose<Rep::hybrid>(T_WB, external[i]).six();
  }
}

template <class S, class Joints>
ForwardOutcome articulated_bodies(const Tree& tree, const Poses<S>& poses, const S* v,
                                  const Vec3<S>& world_acceleration,
                                  In<Wrench<Rep::body, S>> external, const Joints& joints,
                                  ForwardDynamics<Rep::hybrid, S>& work) noexcept {
  const Vec6<S>* screws = work.screws.data();
  Acceleration<Rep::hybrid, S>* A = work.motion.accelerations.data();
  const auto carried = [&](std::size_t i, const Vec6<S>& A_P) {
    const Vec3<S> r = poses.T_WB[i].p - poses.T_WB.data()[tree.links[i].parent].p;
    return Vec6<S>{A_P.angular, A_P.linear + cross(A_P.angular, r)};
  };
  ForwardOutcome found;
  articulated_motion(tree, poses, v, external, work);
  for (std::size_t i = tree.links.size(); i-- > 0;) {
    ArticulatedInertia<S> I = work.inertias[i];
    Vec6<S> p = work.bias[i];
    // tau_i = 0X_i^T W_i, W_i = I V' + p, solved for q''  [MuellerDyn (76)], forward_dynamics.md
    const InertiaScale<S> scale =
        eliminate_joint(tree, i, screws, joints, carried, work, I, p, found);
    if (tree.links[i].parent < 0) continue;
    const std::size_t parent = tree.links[i].parent;
    const Vec3<S> r = poses.T_WB[i].p - poses.T_WB[parent].p;
    // from one point to the other: I_p += Ad_r^T I Ad_r, p_p += Ad_r^T p
    work.inertias[parent] += shift(r, I);
    work.bias[parent] += {p.angular + cross(r, p.linear), p.linear};
    work.scales[parent] = larger(work.scales[parent], shift(r, scale));
  }
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    // V'_i = Ad_r V'_p + (the part without q'') + 0X_i q''  [MuellerDyn (75)]
    Vec6<S> A_i = work.rates[i];
    if (link.parent < 0)
      A_i.linear += world_acceleration;
    else
      A_i += carried(i, A[link.parent].six());
    joints.outwards(link, screws, A_i);
    A[i] = {A_i.angular, A_i.linear};
  }
  return found;
}

}  // namespace axode::detail
