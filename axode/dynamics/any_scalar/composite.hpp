// Definitions of composite.hpp; instantiated by composite.cpp.
#pragma once
#include "axode/dynamics/detail/composite.hpp"
#include "axode/dynamics/inverse/newton_euler.hpp"
#include "axode/kinematics/any_scalar/motion.hpp"

namespace axode {

template <class S>
Composite<S>::Composite(const Tree& tree)
    : screws(tree.screws.size()),
      inertias(tree.links.size()),
      twists(tree.links.size()),
      accelerations(twists),
      momenta(twists),
      wrenches(twists),
      coriolis(tree.links.size()) {}

namespace detail {

template <class S>
constexpr InertiaParameters<S> add(const InertiaParameters<S>& a,
                                   const InertiaParameters<S>& b) noexcept {
  return {a.mass + b.mass, a.first_moment + b.first_moment, a.about_origin + b.about_origin};
}

/// The screws of joint i in world axes about the point.
template <class S>
void move_screws(const Link& link, const SE3<S>& T, const Poses<S>& poses,
                 Vec6<S>* screws) noexcept {
  // J_k = Ad_C X_k  [MuellerKin (28)]
  for (int k = link.v; k < link.v + link.nv; ++k) screws[k] = Ad(T, poses.screws[k]);
}

/// Sums over the bodies each carries, of numbers that stand for the bodies alone.
template <class T, class Add>
void sum_inwards(const Tree& tree, T* values, Add&& add) noexcept {
  for (int i = tree.size() - 1; i >= 0; --i) {
    const int parent = tree.links[i].parent;
    if (parent >= 0) values[parent] = add(values[parent], values[i]);
  }
}

/// Theta' - h_a~ and h_l of one body; I in world axes, P its momentum.
template <class S>
CoriolisSum<S> coriolis_of(const Inertia<S>& I, const Vec3<S>& w, const Vec6<S>& P) noexcept {
  const Vec3<S>&c = I.com, h = P.linear;
  // d/dt Theta_c = w~ Theta_c - Theta_c w~ = X + X^T with X = w~ Theta_c; the rest is that of
  // m (|c|^2 I - c c^T) with m c' = h. Together M' = -ad_V^T M - M ad_V  [MuellerDyn (37)].
  const Mat3<S> A = skew(w) * I.about_com.matrix() - outer(h, c);
  const S trace = S(2) * dot(c, h);
  return {A + transpose(A) + Mat3<S>::diagonal({trace, trace, trace}) - skew(P.angular), h};
}

}  // namespace detail

template <class S>
void composite_inertias(const Tree& tree, const Poses<S>& poses, Composite<S>& result) noexcept {
  if (tree.links.empty()) return;
  result.point = poses.T_WB[first_moving_body(tree)].p;
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const SE3<S> T = pose_about(result.point, poses.T_WB[i]);
    detail::move_screws(tree.links[i], T, poses, result.screws.data());
    // M^s = Ad_C^-T M^b Ad_C^-1  [MuellerDyn (34)]
    result.inertias[i] = parameters(transform(T, detail::cast<S>(tree.bodies[i].inertia)));
  }
  detail::sum_inwards(tree, result.inertias.data(), detail::add<S>);
}

template <class S>
void composite_momenta(const Tree& tree, const Poses<S>& poses, In<S> v,
                       Composite<S>& result) noexcept {
  if (tree.links.empty()) return;
  result.point = poses.T_WB[first_moving_body(tree)].p;
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const SE3<S> T = pose_about(result.point, poses.T_WB[i]);
    detail::move_screws(link, T, poses, result.screws.data());
    const Vec6<S> U = detail::relative_twist(link, result.screws.data(), v.data());
    Vec6<S>& V = result.twists[i];
    // V_i = V_p + J_i q'  [MuellerDyn (70)]; P_i = M^s_i V_i  [MuellerDyn (35)]
    V = link.parent < 0 ? U : result.twists[link.parent] + U;
    const Inertia<S> I = transform(T, detail::cast<S>(tree.bodies[i].inertia));
    result.inertias[i] = parameters(I);
    result.momenta[i] = detail::times(I, V);
  }
  detail::sum_inwards(tree, result.inertias.data(), detail::add<S>);
  detail::sum_inwards(tree, result.momenta.data(),
                      [](const Vec6<S>& a, const Vec6<S>& b) { return a + b; });
}

template <class S>
void composite_motion(const Tree& tree, const Poses<S>& poses, In<S> v, In<S> a,
                      Composite<S>& result, In<Wrench<Rep::body, S>> external,
                      const Effects& effects) noexcept {
  if (tree.links.empty()) return;
  result.point = poses.T_WB[first_moving_body(tree)].p;
  const Vec6<S> world{{S(0), S(0), S(0)}, world_acceleration<S>(tree, effects)};
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const std::size_t p = link.parent;
    const bool root = link.parent < 0;
    const SE3<S> T = pose_about(result.point, poses.T_WB[i]);
    detail::move_screws(link, T, poses, result.screws.data());
    const Vec6<S> U = detail::relative_twist(link, result.screws.data(), v.data());
    const Vec6<S> U_rate =
        Ad(T, detail::relative_acceleration(tree, static_cast<int>(i), poses, v.data(), a.data()));
    // V_i = V_p + J_i q', V'_i = V'_p + J_i q'' + [V_p, V_i], where [V_p, V_i] = [V_i, J_i q']
    // [MuellerDyn (70)]
    const Vec6<S> V = root ? U : result.twists[p] + U;
    const Vec6<S> A = (root ? world : result.accelerations[p]) + U_rate + ad(V, U);
    const Inertia<S> I = transform(T, detail::cast<S>(tree.bodies[i].inertia));
    const Vec6<S> P = detail::times(I, V);
    result.twists[i] = V;
    result.accelerations[i] = A;
    result.inertias[i] = parameters(I);
    result.momenta[i] = P;
    // M^s V' - ad_V^T M^s V - W^app  [MuellerDyn (71), corrected: docs/errata.md]
    result.wrenches[i] = detail::times(I, A) - ad_transpose(V, P);
    if (!external.empty()) result.wrenches[i] -= Ad_inverse_transpose(T, external[i].six());
    result.coriolis[i] = detail::coriolis_of(I, V.angular, P);
  }
  const auto plus = [](const Vec6<S>& x, const Vec6<S>& y) { return x + y; };
  detail::sum_inwards(tree, result.inertias.data(), detail::add<S>);
  detail::sum_inwards(tree, result.momenta.data(), plus);
  detail::sum_inwards(tree, result.wrenches.data(), plus);
  detail::sum_inwards(tree, result.coriolis.data(),
                      [](const CoriolisSum<S>& x, const CoriolisSum<S>& y) {
                        return CoriolisSum<S>{x.turning + y.turning, x.momentum + y.momentum};
                      });
}

}  // namespace axode
