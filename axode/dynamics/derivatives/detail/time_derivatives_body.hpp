// Time derivatives of the inverse dynamics in body representation [MuellerDyn (65)-(67), sec. 6.3].
#pragma once
#include "axode/dynamics/derivatives/detail/time_derivatives_joint.hpp"
#include "axode/dynamics/inverse/newton_euler.hpp"

namespace axode::detail {

/// Derivatives of V = T V_p + U with T = Ad(C_ip), T' = -ad_U T. By x_mk the m-th derivative of
/// T V_p^(k) is meant.
template <class S>
void twists_from_parent(const SE3<S>& T_PB,
                        const typename InverseDynamicsRates<Rep::body, S>::Twists& parent,
                        const typename InverseDynamicsRates<Rep::body, S>::Twists& U, int order,
                        typename InverseDynamicsRates<Rep::body, S>::Twists& V) noexcept {
  const Vec6<S> x00 = Ad_inverse(T_PB, parent.value), x01 = Ad_inverse(T_PB, parent.first);
  const Vec6<S> x02 = Ad_inverse(T_PB, parent.second);
  // x_m+1,k = x_m,k+1 - ad_U x_mk and its derivatives; V' is that of [MuellerDyn (66)]
  const Vec6<S> x10 = x01 - ad(U.value, x00), x11 = x02 - ad(U.value, x01);
  const Vec6<S> x20 = x11 - ad(U.value, x10) - ad(U.first, x00);
  V.value = x00 + U.value;
  V.first = x10 + U.first;
  V.second = x20 + U.second;
  if (order < 2) return;
  const Vec6<S> x12 = Ad_inverse(T_PB, parent.third) - ad(U.value, x02);
  const Vec6<S> x21 = x12 - ad(U.value, x11) - ad(U.first, x01);
  V.third = x21 - ad(U.value, x20) - S(2) * ad(U.first, x10) - ad(U.second, x00) + U.third;
}

/// F = M V' - ad_V^T M V and its derivatives.
template <class S>
void net_wrenches(const Inertia<S>& I, const typename InverseDynamicsRates<Rep::body, S>::Twists& V,
                  int order, typename InverseDynamicsRates<Rep::body, S>::Wrenches& F) noexcept {
  const Vec6<S> P = times(I, V.value), P1 = times(I, V.first), P2 = times(I, V.second);
  // F' = M V'' - ad_V'^T M V - ad_V^T M V', one more of it for F''  [MuellerDyn (67), sec. 6.3]
  F.value = P1 - ad_transpose(V.value, P);
  F.first = P2 - ad_transpose(V.first, P) - ad_transpose(V.value, P1);
  if (order < 2) return;
  F.second = times(I, V.third) - ad_transpose(V.second, P) - S(2) * ad_transpose(V.first, P1) -
             ad_transpose(V.value, P2);
}

/// Adds (T^T W)^(k) to the wrenches of the parent; y_mk as above.
template <class S>
void add_to_parent(const SE3<S>& T_PB, const typename InverseDynamicsRates<Rep::body, S>::Twists& U,
                   const typename InverseDynamicsRates<Rep::body, S>::Wrenches& W, int order,
                   typename InverseDynamicsRates<Rep::body, S>::Wrenches& parent) noexcept {
  // (T^T W)' = T^T (W' - ad_U^T W), T' = -ad_U T
  const Vec6<S> y10 = W.first - ad_transpose(U.value, W.value);
  parent.value += Ad_inverse_transpose(T_PB, W.value);
  parent.first += Ad_inverse_transpose(T_PB, y10);
  if (order < 2) return;
  const Vec6<S> y11 = W.second - ad_transpose(U.value, W.first);
  const Vec6<S> y20 = y11 - ad_transpose(U.value, y10) - ad_transpose(U.first, W.value);
  parent.second += Ad_inverse_transpose(T_PB, y20);
}

template <class S>
void inverse_dynamics_rates_body(const Tree& tree, const Poses<S>& poses,
                                 const JointMotion<S>& motion, const Vec3<S>& world_acceleration,
                                 const ExternalWrenchRates<S>& external, int order,
                                 InverseDynamicsRates<Rep::body, S>& work,
                                 const JointForcesOut<S>& forces) noexcept {
  const Vec3<S> zero{S(0), S(0), S(0)};
  const Vec6<S> rest{zero, zero};
  const typename InverseDynamicsRates<Rep::body, S>::Twists world{
      rest, {zero, world_acceleration}, rest, rest};
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const int p = tree.links[i].parent;
    relative_twists(tree, static_cast<int>(i), poses, motion, order, work);
    twists_from_parent<S>(poses.T_PB[i], p < 0 ? world : work.twists[p], work.relative[i], order,
                          work.twists[i]);
    auto& W = work.joint_wrenches[i];
    net_wrenches<S>(cast<S>(tree.bodies[i].inertia), work.twists[i], order, W);
    if (!external.wrenches.empty()) W.value -= external.wrenches[i].six();
    if (!external.first.empty()) W.first -= external.first[i].six();
    if (!external.second.empty() && order > 1) W.second -= external.second[i].six();
  }
  for (std::size_t i = tree.links.size(); i-- > 0;) {
    const Link& link = tree.links[i];
    joint_force_rates(link, poses, work.joint_wrenches[i], order, work, forces);
    if (link.parent >= 0)
      add_to_parent<S>(poses.T_PB[i], work.relative[i], work.joint_wrenches[i], order,
                       work.joint_wrenches[link.parent]);
  }
}

}  // namespace axode::detail
