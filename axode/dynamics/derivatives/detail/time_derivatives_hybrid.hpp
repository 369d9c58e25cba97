// Time derivatives of the inverse dynamics in hybrid representation
// [MuellerDyn (72), (31)-(32), (75)-(76), sec. 6.3, corrected: docs/errata.md].
#pragma once
#include "axode/dynamics/derivatives/detail/time_derivatives_joint.hpp"
#include "axode/dynamics/inverse/newton_euler.hpp"

namespace axode::detail {

/// Both parts turned: ad_(w, 0) Z.
template <class S>
Vec6<S> turned(const Vec3<S>& w, const Vec6<S>& Z) noexcept {
  return {cross(w, Z.angular), cross(w, Z.linear)};
}
template <class S>
Vec6<S> to_world(const SO3<S>& R, const Vec6<S>& Z) noexcept {
  return {R * Z.angular, R * Z.linear};
}
template <class S>
Vec6<S> to_body(const SO3<S>& R, const Vec6<S>& Z) noexcept {
  return {inverse_times(R, Z.angular), inverse_times(R, Z.linear)};
}

/// Derivatives of w = w_p + R u and r' = r'_p + w_p x r + R l for U = (u, l), with R' = w~ R and r
/// the arm from the parent's origin. By y_mk the m-th derivative of R U^(k) is meant.
template <class S>
void twists_from_parent(const SO3<S>& R, const Vec3<S>& r,
                        const typename InverseDynamicsRates<Rep::hybrid, S>::Twists& parent,
                        const typename InverseDynamicsRates<Rep::hybrid, S>::Twists& U, int order,
                        typename InverseDynamicsRates<Rep::hybrid, S>::Twists& V) noexcept {
  const auto& P = parent;
  const Vec6<S> y00 = to_world(R, U.value), y01 = to_world(R, U.first);
  const Vec6<S> y02 = to_world(R, U.second);
  V.value = P.value + y00;
  V.value.linear += cross(P.value.angular, r);
  const Vec3<S> w = V.value.angular, r1 = V.value.linear - P.value.linear;

  // V'  [MuellerDyn (72)] and V''  [MuellerDyn (31)-(32)] as rates of these sums; V''' likewise
  const Vec6<S> y10 = y01 + turned(w, y00), y11 = y02 + turned(w, y01);
  V.first = P.first + y10;
  V.first.linear += cross(P.first.angular, r) + cross(P.value.angular, r1);
  const Vec3<S> w1 = V.first.angular, r2 = V.first.linear - P.first.linear;

  const Vec6<S> y20 = y11 + turned(w, y10) + turned(w1, y00);
  V.second = P.second + y20;
  V.second.linear +=
      cross(P.second.angular, r) + S(2) * cross(P.first.angular, r1) + cross(P.value.angular, r2);
  if (order < 2) return;
  const Vec3<S> w2 = V.second.angular, r3 = V.second.linear - P.second.linear;

  const Vec6<S> y12 = to_world(R, U.third) + turned(w, y02);
  const Vec6<S> y21 = y12 + turned(w, y11) + turned(w1, y01);
  V.third = P.third + y21 + turned(w, y20) + S(2) * turned(w1, y10) + turned(w2, y00);
  V.third.linear += cross(P.third.angular, r) + cross(P.value.angular, r3) +
                    S(3) * (cross(P.second.angular, r1) + cross(P.first.angular, r2));
}

/// Torque about the centre of mass (R H)', H = Theta o with o = R^T w, and its derivatives. By n_k
/// the components of (R H)^(k) in body axes are meant: n_k+1 = n_k' + o x n_k.
template <class S>
void net_torques(const SO3<S>& R, const Sym3<S>& theta,
                 const typename InverseDynamicsRates<Rep::hybrid, S>::Twists& V, int order,
                 typename InverseDynamicsRates<Rep::hybrid, S>::Wrenches& F) noexcept {
  const auto back = [&](const Vec6<S>& Z) { return inverse_times(R, Z.angular); };
  const Vec3<S> o = back(V.value), o1 = back(V.first), z2 = back(V.second);
  const Vec3<S> o2 = z2 - cross(o, o1);
  const Vec3<S> H = theta * o, H1 = theta * o1, H2 = theta * o2;
  const Vec3<S> n1 = H1 + cross(o, H);
  const Vec3<S> n1_rate = H2 + cross(o1, H) + cross(o, H1);
  const Vec3<S> n2 = n1_rate + cross(o, n1);
  F.value.angular = R * n1;
  F.first.angular = R * n2;
  if (order < 2) return;
  const Vec3<S> o3 = back(V.third) - cross(o, z2) - cross(o, o2);
  const Vec3<S> n1_rate2 = theta * o3 + cross(o2, H) + S(2) * cross(o1, H1) + cross(o, H2);
  const Vec3<S> n2_rate = n1_rate2 + cross(o1, n1) + cross(o, n1_rate);
  F.second.angular = R * (n2_rate + cross(o, n2));
}

/// The net wrench at the body's origin and its derivatives, d the arm from there to the centre.
template <class S>
void net_wrenches(const SO3<S>& R, const Inertia<S>& I,
                  const typename InverseDynamicsRates<Rep::hybrid, S>::Twists& V, int order,
                  typename InverseDynamicsRates<Rep::hybrid, S>::Wrenches& F) noexcept {
  net_torques<S>(R, I.about_com, V, order, F);
  const Vec3<S>&w = V.value.angular, &w1 = V.first.angular, &w2 = V.second.angular;
  const Vec3<S> d = R * I.com, d1 = cross(w, d), d2 = cross(w1, d) + cross(w, d1);
  const Vec3<S> d3 = cross(w2, d) + S(2) * cross(w1, d1) + cross(w, d2);
  // f = m (r'' + d''), t = (R H)' + d x f  [MuellerDyn (54)-(55)] and their rates
  F.value.linear = (V.first.linear + d2) * I.mass;
  F.first.linear = (V.second.linear + d3) * I.mass;
  F.value.angular += cross(d, F.value.linear);
  F.first.angular += cross(d1, F.value.linear) + cross(d, F.first.linear);
  if (order < 2) return;
  const Vec3<S> d4 =
      cross(V.third.angular, d) + cross(w, d3) + S(3) * (cross(w2, d1) + cross(w1, d2));
  F.second.linear = (V.third.linear + d4) * I.mass;
  F.second.angular +=
      cross(d2, F.value.linear) + S(2) * cross(d1, F.first.linear) + cross(d, F.second.linear);
}

/// Subtracts the wrenches given in body axes, which turn with the body.
template <class S>
void subtract_external(const SO3<S>& R, const ExternalWrenchRates<S>& external, std::size_t i,
                       const typename InverseDynamicsRates<Rep::hybrid, S>::Twists& V, int order,
                       typename InverseDynamicsRates<Rep::hybrid, S>::Wrenches& W) noexcept {
  const Vec3<S> zero{S(0), S(0), S(0)};
  const auto given = [&](std::span<const Wrench<Rep::body, S>> all) -> Vec6<S> {
    if (all.empty()) return {zero, zero};
    return to_world(R, all[i].six());
  };
  const Vec3<S>& w = V.value.angular;
  const Vec6<S> e = given(external.wrenches), y01 = given(external.first);
  const Vec6<S> e1 = y01 + turned(w, e);
  W.value -= e;
  W.first -= e1;
  if (order > 1)
    W.second -=
        given(external.second) + turned(w, y01) + turned(w, e1) + turned(V.first.angular, e);
}

/// The wrench in body axes with the derivatives of its components there.
template <class S>
typename InverseDynamicsRates<Rep::hybrid, S>::Wrenches in_body_axes(
    const SO3<S>& R, const typename InverseDynamicsRates<Rep::hybrid, S>::Twists& V,
    const typename InverseDynamicsRates<Rep::hybrid, S>::Wrenches& W, int order) noexcept {
  typename InverseDynamicsRates<Rep::hybrid, S>::Wrenches B;
  const Vec3<S> o = inverse_times(R, V.value.angular), o1 = inverse_times(R, V.first.angular);
  const Vec6<S> x01 = to_body(R, W.first);
  B.value = to_body(R, W.value);
  B.first = x01 - turned(o, B.value);
  if (order > 1)
    B.second = to_body(R, W.second) - turned(o, x01) - turned(o1, B.value) - turned(o, B.first);
  return B;
}

/// Adds the wrenches, moved by the arm r, to those of the parent.
template <class S>
void add_to_parent(const Vec3<S>& r, const typename InverseDynamicsRates<Rep::hybrid, S>::Twists& V,
                   const typename InverseDynamicsRates<Rep::hybrid, S>::Twists& V_parent,
                   const typename InverseDynamicsRates<Rep::hybrid, S>::Wrenches& W, int order,
                   typename InverseDynamicsRates<Rep::hybrid, S>::Wrenches& parent) noexcept {
  const Vec3<S> r1 = V.value.linear - V_parent.value.linear;
  const Vec3<S>&f = W.value.linear, &f1 = W.first.linear, &f2 = W.second.linear;
  parent.value += W.value;
  parent.value.angular += cross(r, f);
  parent.first += W.first;
  parent.first.angular += cross(r1, f) + cross(r, f1);
  if (order < 2) return;
  const Vec3<S> r2 = V.first.linear - V_parent.first.linear;
  parent.second += W.second;
  parent.second.angular += cross(r2, f) + S(2) * cross(r1, f1) + cross(r, f2);
}

template <class S>
void inverse_dynamics_rates_hybrid(const Tree& tree, const Poses<S>& poses,
                                   const JointMotion<S>& motion, const Vec3<S>& world_acceleration,
                                   const ExternalWrenchRates<S>& external, int order,
                                   InverseDynamicsRates<Rep::hybrid, S>& work,
                                   const JointForcesOut<S>& forces) noexcept {
  const Vec3<S> zero{S(0), S(0), S(0)};
  const Vec6<S> rest{zero, zero};
  const typename InverseDynamicsRates<Rep::hybrid, S>::Twists world{
      rest, {zero, world_acceleration}, rest, rest};
  const auto arm = [&](std::size_t i, int p) {
    return p < 0 ? zero : poses.T_WB[i].p - poses.T_WB[p].p;
  };
  const bool wrenches =
      !external.wrenches.empty() || !external.first.empty() || !external.second.empty();
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const int p = tree.links[i].parent;
    const SO3<S>& R = poses.T_WB[i].R;
    relative_twists(tree, static_cast<int>(i), poses, motion, order, work);
    twists_from_parent<S>(R, arm(i, p), p < 0 ? world : work.twists[p], work.relative[i], order,
                          work.twists[i]);
    auto& W = work.joint_wrenches[i];
    net_wrenches<S>(R, cast<S>(tree.bodies[i].inertia), work.twists[i], order, W);
    if (wrenches) subtract_external<S>(R, external, i, work.twists[i], order, W);
  }
  for (std::size_t i = tree.links.size(); i-- > 0;) {
    const Link& link = tree.links[i];
    const auto& W = work.joint_wrenches[i];
    joint_force_rates(link, poses, in_body_axes<S>(poses.T_WB[i].R, work.twists[i], W, order),
                      order, work, forces);
    if (link.parent < 0) continue;
    const std::size_t p = link.parent;
    add_to_parent<S>(arm(i, link.parent), work.twists[i], work.twists[p], W, order,
                     work.joint_wrenches[p]);
  }
}

}  // namespace axode::detail
