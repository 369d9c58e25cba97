// Definitions of sensitivity.hpp; instantiated by sensitivity.cpp.
#pragma once
#include "axode/dynamics/inverse/newton_euler.hpp"
#include "axode/dynamics/parameters/sensitivity.hpp"
#include "axode/kinematics/any_scalar/motion.hpp"

namespace axode {

template <class S>
GeometricSensitivity<S>::GeometricSensitivity(const Tree& tree)
    : displacements(tree.links.size()),
      twists(tree.links.size()),
      accelerations(tree.links.size()),
      joint_wrenches(tree.links.size()) {
  const std::size_t n = tree.links.size();
  scratch.order.resize(n);
  scratch.position.resize(n);
  scratch.count.assign(n, 1);
  for (std::size_t i = n; i-- > 0;)
    if (const int p = tree.links[i].parent; p >= 0) scratch.count[p] += scratch.count[i];
  std::vector<int> next(n + 1, 0);  // the place of the next child, by parent + 1
  for (std::size_t i = 0; i < n; ++i) {
    int& place = next[tree.links[i].parent + 1];
    scratch.position[i] = place;
    scratch.order[place] = static_cast<int>(i);
    next[i + 1] = place + 1;
    place += scratch.count[i];
  }
}

namespace detail {

/// The bodies that a body carries, itself first, parents before children.
template <class S>
std::span<const int> carried_by(const GeometricSensitivity<S>& s, int body) noexcept {
  const std::size_t b = body;
  return std::span(s.scratch.order).subspan(s.scratch.position[b], s.scratch.count[b]);
}

/// Zeros where the last call wrote something else.
template <class S>
void start_variation(const Tree& tree, int body, GeometricSensitivity<S>& s) noexcept {
  const Vec3<S> zero{S(0), S(0), S(0)};
  if (s.scratch.body >= 0) {
    for (const int b : carried_by(s, s.scratch.body)) {
      const std::size_t i = b;
      s.displacements[i] = {zero, zero};
      s.twists[i] = {zero, zero};
      s.accelerations[i] = {zero, zero};
    }
    for (const int b : carried_by(s, s.scratch.body)) s.joint_wrenches[b] = {zero, zero};
    for (int b = s.scratch.body; b >= 0; b = tree.links[b].parent)
      s.joint_wrenches[b] = {zero, zero};
  }
  s.scratch.body = body;
}

/// U' = Ad(D^-1) U with D = B^-1 T_PB.
template <class S>
Vec6<S> moved_direction(const Tree& tree, const Poses<S>& poses,
                        const GeometricVariation& variation) noexcept {
  const std::size_t k = variation.body;
  const SE3<S> D = inverse_times(cast<S>(tree.links[k].B), poses.T_PB[k]);
  return Ad_inverse(D, cast<S>(variation.U));
}

template <class S>
void vary_poses(const Tree& tree, const Poses<S>& poses, const GeometricVariation& variation,
                GeometricSensitivity<S>& s) noexcept {
  for (const int b : carried_by(s, variation.body)) {
    const std::size_t i = b;
    s.displacements[i] = b == variation.body
                             ? moved_direction(tree, poses, variation)
                             : Ad_inverse(poses.T_PB[i], s.displacements[tree.links[i].parent]);
  }
}

template <class S>
void vary_motion(const Tree& tree, const Poses<S>& poses, const S* v,
                 const Motion<Rep::body, S>& motion, const Vec3<S>& world_acceleration,
                 const GeometricVariation& variation, GeometricSensitivity<S>& s) noexcept {
  const Vec3<S> zero{S(0), S(0), S(0)};
  for (const int b : carried_by(s, variation.body)) {
    const std::size_t i = b;
    const Link& link = tree.links[i];
    const std::size_t p = link.parent;
    Vec6<S> V, A;
    if (b == variation.body) {
      const bool root = link.parent < 0;
      const Vec6<S> V_p = root ? Vec6<S>{zero, zero} : motion.twists[p].six();
      const Vec6<S> A_p = root ? Vec6<S>{zero, world_acceleration} : motion.accelerations[p].six();
      // dV = T dV_p - [i = k] ad(U') T V_p, the same of V', then ad(dV) S v  [MuellerDyn sec. 6.2]
      V = -ad(s.displacements[i], Ad_inverse(poses.T_PB[i], V_p));
      A = -ad(s.displacements[i], Ad_inverse(poses.T_PB[i], A_p));
    } else {
      V = Ad_inverse(poses.T_PB[i], s.twists[p].six());
      A = Ad_inverse(poses.T_PB[i], s.accelerations[p].six());
    }
    A += ad(V, relative_twist(link, poses.screws.data(), v));
    s.twists[i] = {V.angular, V.linear};
    s.accelerations[i] = {A.angular, A.linear};
  }
}

/// dF of a body.
template <class S>
Wrench<Rep::body, S> vary_net_wrench(const Inertia<S>& I, const Vec6<S>& V, const Vec6<S>& dV,
                                     const Vec6<S>& dA) noexcept {
  // dF = M dV' - ad_dV^T M V - ad_V^T M dV
  const Vec6<S> F = times(I, dA) - ad_transpose(dV, times(I, V)) - ad_transpose(V, times(I, dV));
  return {F.angular, F.linear};
}

/// Joint forces of a body from its dW, and what its parent gets of it.
template <class S>
void vary_joint(const Link& link, const Poses<S>& poses, const Vec6<S>& dW, Out<S> dtau) noexcept {
  for (int k = link.v; k < link.v + link.nv; ++k) dtau[k] = dot(poses.screws[k], dW);
}

}  // namespace detail

template <class S>
void pose_sensitivity(const Tree& tree, const Poses<S>& poses, const GeometricVariation& variation,
                      GeometricSensitivity<S>& result) noexcept {
  detail::start_variation(tree, variation.body, result);
  detail::vary_poses(tree, poses, variation, result);
}

template <class S>
void motion_sensitivity(const Tree& tree, const Poses<S>& poses, In<S> v,
                        const Motion<Rep::body, S>& motion, const GeometricVariation& variation,
                        GeometricSensitivity<S>& result) noexcept {
  detail::start_variation(tree, variation.body, result);
  detail::vary_poses(tree, poses, variation, result);
  detail::vary_motion(tree, poses, v.data(), motion, {S(0), S(0), S(0)}, variation, result);
}

template <class S>
void force_sensitivity(const Tree& tree, const Poses<S>& poses, In<S> v,
                       const InverseDynamics<Rep::body, S>& at, const GeometricVariation& variation,
                       GeometricSensitivity<S>& result, Out<S> dtau,
                       const Effects& effects) noexcept {
  using namespace detail;
  start_variation(tree, variation.body, result);
  vary_poses(tree, poses, variation, result);
  vary_motion(tree, poses, v.data(), at.motion, world_acceleration<S>(tree, effects), variation,
              result);
  for (S& x : dtau) x = S(0);

  auto& dW = result.joint_wrenches;
  const std::span<const int> bodies = carried_by(result, variation.body);
  for (const int b : bodies) {
    const std::size_t i = b;
    dW[i] = vary_net_wrench(cast<S>(tree.bodies[i].inertia), at.motion.twists[i].six(),
                            result.twists[i].six(), result.accelerations[i].six());
  }
  // Inwards: the bodies carried from the last to the first, then the path to the world.
  int b = bodies.back();
  for (std::size_t left = bodies.size(); b >= 0;) {
    const std::size_t i = b;
    const int p = tree.links[i].parent;
    Vec6<S> passed = dW[i].six();
    vary_joint(tree.links[i], poses, passed, dtau);
    if (b == variation.body)
      passed -= ad_transpose(result.displacements[i], at.joint_wrenches[i].six());
    if (p >= 0) {
      passed = Ad_inverse_transpose(poses.T_PB[i], passed);
      dW[p] += {passed.angular, passed.linear};
    }
    b = left > 1 ? bodies[--left - 1] : p;
  }
}

}  // namespace axode
