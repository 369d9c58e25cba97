// Definitions of motion.hpp; instantiated by motion.cpp.
#pragma once
#include <array>

#include "axode/kinematics/motion.hpp"
#include "axode/model/joint_map.hpp"

namespace axode {

template <Rep rep, class S>
Motion<rep, S>::Motion(const Tree& tree)
    : twists(tree.links.size()), accelerations(tree.links.size()) {}

namespace detail {

/// The twist of a body in its parent, in its own frame: U = S v.
template <class S>
Vec6<S> relative_twist(const Link& link, const Vec6<S>* screws, const S* v) noexcept {
  if (link.nv == 0) return {{S(0), S(0), S(0)}, {S(0), S(0), S(0)}};
  Vec6<S> U = screws[link.v] * v[link.v];
  for (int k = 1; k < link.nv; ++k) U += screws[link.v + k] * v[link.v + k];
  return U;
}

/// dU/dt = S a + (dS/dt) v.
template <class S>
Vec6<S> relative_acceleration(const Tree& tree, int i, const Poses<S>& poses, const S* v,
                              const S* a) noexcept {
  const Link& link = tree.links[i];
  Vec6<S> rate = relative_twist(link, poses.screws.data(), a);
  if (has_constant_screws(link)) return rate;
  std::array<Vec6<S>, 12> screws;
  for (int k = 0; k < link.nv; ++k) screws[k] = poses.screws[link.v + k];
  const std::array<const S*, 1> velocity{v};
  joint_screw_derivatives<S>(tree, i, poses.q.data(), velocity, 1, screws.data());
  for (int k = 0; k < link.nv; ++k) rate += screws[link.nv + k] * v[link.v + k];
  return rate;
}

/// One body: its twist from that of its parent, which is null for the world.
template <Rep rep, class S>
inline Twist<rep, S> next_twist(const Poses<S>& poses, std::size_t i, int parent, const Vec6<S>& U,
                                const Twist<rep, S>* V_parent) noexcept {
  const SE3<S>& T_WB = poses.T_WB[i];
  if constexpr (rep == Rep::body) {  // [MuellerKin (14)]
    if (!V_parent) return {U.angular, U.linear};
    const Vec6<S> V = Ad_inverse(poses.T_PB[i], V_parent->six()) + U;
    return {V.angular, V.linear};
  } else if constexpr (rep == Rep::spatial) {  // [MuellerKin (30)]
    const Vec6<S> JU = Ad(T_WB, U);
    if (!V_parent) return {JU.angular, JU.linear};
    return {V_parent->angular + JU.angular, V_parent->linear + JU.linear};
  } else {
    const Vec3<S> along = T_WB.R * U.linear;
    const bool hybrid = rep == Rep::hybrid;  // [MuellerKin (42)], else (52) corrected
    const Vec3<S> turn = hybrid ? T_WB.R * U.angular : U.angular;
    if (!V_parent) return {turn, along};
    const SE3<S>& T_WP = poses.T_WB[parent];
    const Vec3<S> w_world = hybrid ? V_parent->angular : T_WP.R * V_parent->angular;
    const Vec3<S> w_own =
        hybrid ? V_parent->angular : inverse_times(poses.T_PB[i].R, V_parent->angular);
    return {w_own + turn, V_parent->linear + cross(T_WP.p - T_WB.p, w_world) + along};
  }
}

/// One body: its acceleration, from its twist V, the relative twist U and its derivative.
template <Rep rep, class S>
inline Acceleration<rep, S> next_acceleration(const Poses<S>& poses, std::size_t i, int parent,
                                              const Vec6<S>& U, const Vec6<S>& U_rate,
                                              const Twist<rep, S>& V, const Twist<rep, S>* V_parent,
                                              const Acceleration<rep, S>* A_parent) noexcept {
  const SE3<S>& T_WB = poses.T_WB[i];
  if constexpr (rep == Rep::body) {  // [MuellerDyn (65c)]
    Vec6<S> A = U_rate + ad(V.six(), U);
    if (A_parent) A += Ad_inverse(poses.T_PB[i], A_parent->six());
    return {A.angular, A.linear};
  } else if constexpr (rep == Rep::spatial) {  // [MuellerDyn (69)]
    const Vec6<S> A = Ad(T_WB, U_rate) + ad(V.six(), Ad(T_WB, U));
    if (!A_parent) return {A.angular, A.linear};
    return {A_parent->angular + A.angular, A_parent->linear + A.linear};
  } else {
    constexpr bool hybrid = rep == Rep::hybrid;  // [MuellerDyn (72)], else its mixed counterpart
    const Vec3<S> w = hybrid ? V.angular : T_WB.R * V.angular;
    Acceleration<rep, S> A{{}, T_WB.R * U_rate.linear + cross(w, T_WB.R * U.linear)};
    if constexpr (hybrid)
      A.angular = T_WB.R * U_rate.angular + cross(w, T_WB.R * U.angular);
    else
      A.angular = U_rate.angular + cross(V.angular, U.angular);
    if (!A_parent) return A;
    const SE3<S>& T_WP = poses.T_WB[parent];
    const Vec3<S> w_parent = hybrid ? V_parent->angular : T_WP.R * V_parent->angular;
    const Vec3<S> wdot_parent = hybrid ? A_parent->angular : T_WP.R * A_parent->angular;
    A.angular += hybrid ? A_parent->angular : inverse_times(poses.T_PB[i].R, A_parent->angular);
    A.linear += A_parent->linear + cross(T_WP.p - T_WB.p, wdot_parent) +
                cross(V_parent->linear - V.linear, w_parent);
    return A;
  }
}

}  // namespace detail

template <Rep rep, class S>
void twists(const Tree& tree, const Poses<S>& poses, In<S> v, Motion<rep, S>& result) noexcept {
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const Vec6<S> U = detail::relative_twist(link, poses.screws.data(), v.data());
    const Twist<rep, S>* V_parent = link.parent < 0 ? nullptr : &result.twists[link.parent];
    result.twists[i] = detail::next_twist<rep>(poses, i, link.parent, U, V_parent);
  }
}

template <Rep rep, class S>
void accelerations(const Tree& tree, const Poses<S>& poses, In<S> v, In<S> a,
                   Motion<rep, S>& result) noexcept {
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const Vec6<S> U = detail::relative_twist(link, poses.screws.data(), v.data());
    const Vec6<S> U_rate =
        detail::relative_acceleration(tree, static_cast<int>(i), poses, v.data(), a.data());
    const std::size_t p = link.parent;
    const Twist<rep, S>* V_parent = link.parent < 0 ? nullptr : &result.twists[p];
    const Acceleration<rep, S>* A_parent = link.parent < 0 ? nullptr : &result.accelerations[p];
    const Twist<rep, S> V = detail::next_twist<rep>(poses, i, link.parent, U, V_parent);
    result.twists[i] = V;
    result.accelerations[i] =
        detail::next_acceleration<rep>(poses, i, link.parent, U, U_rate, V, V_parent, A_parent);
  }
}

}  // namespace axode
