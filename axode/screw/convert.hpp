/// Conversions between the four representations
/// [MuellerKin Table 3, (47), (54)-(55), (58), (82); MuellerDyn (98)-(100)].
///
/// They need the pose T_WB = (R, r) of the body at that instant, accelerations its twist as well;
/// their names say so. With rdot the velocity of the body's origin in world axes,
///
///   body v = R^T rdot,   spatial v = rdot + r x omega,   hybrid and mixed v = rdot,
///
/// and the time derivatives of these lines for accelerations. Moments of wrenches and momenta refer
/// to the body's origin, in spatial form to the world's: t_s = t_h + r x f. All are valid at every
/// configuration (the joint-screw half of the printed table holds at q = 0 only: docs/errata.md).
/// Tests: tests/screw/convert_test.cpp
#pragma once
#include "axode/lie/se3.hpp"
#include "axode/screw/twist.hpp"

namespace axode {

namespace detail {

constexpr bool angular_in_body_axes(Rep rep) { return rep == Rep::body || rep == Rep::mixed; }
constexpr bool linear_in_body_axes(Rep rep) { return rep == Rep::body; }

/// A vector between body and world axes, where they differ.
template <class S>
constexpr Vec3<S> change_axes(bool from_body, bool to_body, const SO3<S>& R,
                              const Vec3<S>& a) noexcept {
  if (from_body == to_body) return a;
  return from_body ? R * a : inverse_times(R, a);
}

/// Wrench and momentum: force first, then the moment about the other point.
template <Rep to, Quantity quantity, Rep from, class S>
constexpr SixVector<quantity, to, S> convert_dual(const SE3<S>& T,
                                                  const SixVector<quantity, from, S>& a) noexcept {
  const Vec3<S> f = change_axes(linear_in_body_axes(from), linear_in_body_axes(to), T.R, a.linear);
  if constexpr (from == Rep::spatial) {
    const Vec3<S> f_W = a.linear;
    const Vec3<S> t_W = a.angular - cross(T.p, f_W);
    return {change_axes(false, angular_in_body_axes(to), T.R, t_W), f};
  } else {
    const Vec3<S> t =
        change_axes(angular_in_body_axes(from), angular_in_body_axes(to), T.R, a.angular);
    if constexpr (to == Rep::spatial) return {t + cross(T.p, f), f};
    return {t, f};
  }
}

}  // namespace detail

/// The twist in another representation: convert_with_pose<Rep::body>(T_WB, V_spatial).
template <Rep to, Rep from, class S>
constexpr Twist<to, S> convert_with_pose(const SE3<S>& T_WB, const Twist<from, S>& V) noexcept {
  using namespace detail;
  if constexpr (from == to) return V;
  const Vec3<S> w =
      change_axes(angular_in_body_axes(from), angular_in_body_axes(to), T_WB.R, V.angular);
  if constexpr (from == Rep::spatial) {
    const Vec3<S> rdot = V.linear + cross(V.angular, T_WB.p);
    return {w, change_axes(false, linear_in_body_axes(to), T_WB.R, rdot)};
  } else {
    const Vec3<S> v =
        change_axes(linear_in_body_axes(from), linear_in_body_axes(to), T_WB.R, V.linear);
    if constexpr (to == Rep::spatial) return {w, v + cross(T_WB.p, w)};
    return {w, v};
  }
}

/// The wrench on the body in another representation.
template <Rep to, Rep from, class S>
constexpr Wrench<to, S> convert_with_pose(const SE3<S>& T_WB, const Wrench<from, S>& W) noexcept {
  if constexpr (from == to) return W;
  return detail::convert_dual<to>(T_WB, W);
}
/// The momentum of the body in another representation.
template <Rep to, Rep from, class S>
constexpr Momentum<to, S> convert_with_pose(const SE3<S>& T_WB,
                                            const Momentum<from, S>& P) noexcept {
  if constexpr (from == to) return P;
  return detail::convert_dual<to>(T_WB, P);
}

/// The acceleration (derivative of the components of the twist V, given in the same representation)
/// in another representation.
template <Rep to, Rep from, class S>
constexpr Acceleration<to, S> convert_with_pose_and_twist(const SE3<S>& T_WB,
                                                          const Twist<from, S>& V,
                                                          const Acceleration<from, S>& A) noexcept {
  using namespace detail;
  if constexpr (from == to) return A;
  const Vec3<S> wdot =
      change_axes(angular_in_body_axes(from), angular_in_body_axes(to), T_WB.R, A.angular);
  // Through the second derivative of the origin's position, in world axes.
  Vec3<S> rddot = A.linear;
  if constexpr (from == Rep::body) rddot = T_WB.R * (A.linear + cross(V.angular, V.linear));
  if constexpr (from == Rep::spatial) {
    const Vec3<S> rdot = V.linear + cross(V.angular, T_WB.p);
    rddot = A.linear + cross(A.angular, T_WB.p) + cross(V.angular, rdot);
  }
  if constexpr (to == Rep::body) {
    const Twist<Rep::body, S> V_body = convert_with_pose<Rep::body>(T_WB, V);
    return {wdot, inverse_times(T_WB.R, rddot) - cross(V_body.angular, V_body.linear)};
  } else if constexpr (to == Rep::spatial) {
    const Twist<Rep::hybrid, S> V_hybrid = convert_with_pose<Rep::hybrid>(T_WB, V);
    return {wdot, rddot + cross(T_WB.p, wdot) + cross(V_hybrid.linear, V_hybrid.angular)};
  } else {
    return {wdot, rddot};
  }
}

}  // namespace axode
