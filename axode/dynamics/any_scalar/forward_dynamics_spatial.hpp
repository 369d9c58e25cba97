// Articulated bodies in spatial representation [MuellerDyn (69)-(71) solved for the accelerations],
// about the origin of the first body that moves, at that instant: a point as fixed in space as the
// world's origin, but near. Nothing moves between frames: inertias and wrenches of the children add up.
#pragma once
#include "axode/dynamics/any_scalar/forward_dynamics_joints.hpp"
#include "axode/dynamics/detail/composite.hpp"
#include "axode/dynamics/inverse/newton_euler.hpp"

namespace axode::detail {

/// Outwards: screws, twists, accelerations at a = 0, inertias and bias wrenches of the bodies alone.
template <class S>
void articulated_motion(const Tree& tree, const Poses<S>& poses, const S* v,
                        In<Wrench<Rep::body, S>> external,
                        ForwardDynamics<Rep::spatial, S>& work) noexcept {
  Twist<Rep::spatial, S>* V = work.motion.twists.data();
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const SE3<S> T{poses.T_WB[i].R, poses.T_WB[i].p - work.point};
    for (int k = link.v; k < link.v + link.nv; ++k)
      work.screws.data()[k] = Ad(T, poses.screws.data()[k]);
    // V_i = V_p + J_i q', c_i = [V_p, V_i] = ad_V J_i q'  [MuellerDyn (70) without q'']
    const Vec6<S> U = relative_twist(link, work.screws.data(), v);
    const Vec6<S> V_i = link.parent < 0 ? U : V[link.parent].six() + U;
    V[i] = {V_i.angular, V_i.linear};
    work.rates[i] = ad(V_i, U);
    if (!has_constant_screws(link))
      work.rates[i] += Ad(T, screw_rate_times_velocity(tree, i, poses, v));
    const Inertia<S> I = transform(T, cast<S>(tree.bodies[i].inertia));
    work.inertias[i] = articulated(I);
    work.scales[i] = {S(0), S(0)};
    // p_i = -ad_V^T M^s V - W^app  [MuellerDyn (71) without V', corrected: docs/errata.md]
    work.bias[i] = -ad_transpose(V_i, times(I, V_i));
    if (!external.empty()) work.bias[i] -= Ad_inverse_transpose(T, external[i].six());
  }
}

template <class S, class Joints>
ForwardOutcome articulated_bodies(const Tree& tree, const Poses<S>& poses, const S* v,
                                  const Vec3<S>& world_acceleration,
                                  In<Wrench<Rep::body, S>> external, const Joints& joints,
                                  ForwardDynamics<Rep::spatial, S>& work) noexcept {
  ForwardOutcome found;
  if (tree.links.empty()) return found;
  const Vec6<S>* screws = work.screws.data();
  work.point = poses.T_WB[first_moving_body(tree)].p;
  const auto carried = [](std::size_t, const Vec6<S>& A_P) { return A_P; };
  articulated_motion(tree, poses, v, external, work);
  for (std::size_t i = tree.links.size(); i-- > 0;) {
    ArticulatedInertia<S> I = work.inertias[i];
    Vec6<S> p = work.bias[i];
    // tau_i = J_i^T W_i, W_i = I V' + p, solved for q''  [MuellerDyn (71)], forward_dynamics.md
    const InertiaScale<S> scale =
        eliminate_joint(tree, i, screws, joints, carried, work, I, p, found);
    if (tree.links[i].parent < 0) continue;
    const std::size_t parent = tree.links[i].parent;
    // all about one point: inertias and wrenches add up as they are
    work.inertias[parent] += I;
    work.bias[parent] += p;
    work.scales[parent] = larger(work.scales[parent], scale);
  }
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    // V'_i = V'_p + c_i + J_i q''  [MuellerDyn (70)]
    Vec6<S>& A = work.rates[i];  // becomes the whole acceleration
    if (link.parent < 0)
      A.linear += world_acceleration;
    else
      A += work.rates[link.parent];
    joints.outwards(link, screws, A);
    Twist<Rep::spatial, S>& V = work.motion.twists[i];  // both now about the world's origin
    V.linear += cross(work.point, V.angular);
    work.motion.accelerations[i] = {A.angular, A.linear + cross(work.point, A.angular)};
  }
  return found;
}

}  // namespace axode::detail
