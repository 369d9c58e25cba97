/// Adjoint and co-adjoint maps of SE(3) and the screw product (Lie bracket).
///
///   Ad_T X = (R xi, p x R xi + R eta)                 [MuellerKin (71)-(76); MuellerDyn (95)-(96)]
///   ad_X Y = [X, Y] = (xi1 x xi2, eta1 x xi2 + xi1 x eta2)               [MuellerDyn (113)-(119)]
///
/// (A_X_B and v x of [TraversaroSaccon (27)-(31), (36)-(43), (56)], A_X^B and v x* of
/// [TraversaroSaccon (59)-(66)], with the angular part first.)
/// Twists and screws move by Ad, wrenches and momenta by its transposed inverse, so that the power
/// W.V stays; Ad is also the screw transformation of [CibicikEgeland (1)-(6)]. All maps act on
/// six-vectors directly: no 6x6 matrix is formed; the matrices are here for those who want to see
/// them.
/// Tests: tests/lie/adjoint_test.cpp
#pragma once
#include "axode/lie/se3.hpp"
#include "axode/lie/vec6.hpp"

namespace axode {

/// Ad_T X: the twist X of frame B in frame A, T = T_AB.
template <class S>
constexpr Vec6<S> Ad(const SE3<S>& T, const Vec6<S>& X) noexcept {
  const Vec3<S> v = T.R * X.linear, w = T.R * X.angular;
  return {w, v + cross(T.p, w)};
}
/// Ad_T^-1 X: the twist X of frame A in frame B, T = T_AB.
template <class S>
constexpr Vec6<S> Ad_inverse(const SE3<S>& T, const Vec6<S>& X) noexcept {
  return {inverse_times(T.R, X.angular), inverse_times(T.R, X.linear - cross(T.p, X.angular))};
}
/// Ad_T^T W: the wrench W of frame A in frame B, T = T_AB.
template <class S>
constexpr Vec6<S> Ad_transpose(const SE3<S>& T, const Vec6<S>& W) noexcept {
  return {inverse_times(T.R, W.angular - cross(T.p, W.linear)), inverse_times(T.R, W.linear)};
}
/// Ad_T^-T W: the wrench W of frame B in frame A, T = T_AB.
template <class S>
constexpr Vec6<S> Ad_inverse_transpose(const SE3<S>& T, const Vec6<S>& W) noexcept {
  const Vec3<S> f = T.R * W.linear;
  return {T.R * W.angular + cross(T.p, f), f};
}
/// The matrix of Ad_T: [R 0; p~R R].
template <class S>
constexpr Mat6<S> Ad_matrix(const SE3<S>& T) noexcept {
  return {T.R.matrix, {}, skew(T.p) * T.R.matrix, T.R.matrix};
}

/// The screw product [X, Y].
template <class S>
constexpr Vec6<S> ad(const Vec6<S>& X, const Vec6<S>& Y) noexcept {
  return {cross(X.angular, Y.angular), cross(X.linear, Y.angular) + cross(X.angular, Y.linear)};
}
/// ad_X^T W: dot(ad_transpose(X, W), Y) = dot(W, ad(X, Y)).
template <class S>
constexpr Vec6<S> ad_transpose(const Vec6<S>& X, const Vec6<S>& W) noexcept {
  return {cross(W.angular, X.angular) + cross(W.linear, X.linear), cross(W.linear, X.angular)};
}
/// The matrix of ad_X: [xi~ 0; eta~ xi~].
template <class S>
constexpr Mat6<S> ad_matrix(const Vec6<S>& X) noexcept {
  return {skew(X.angular), {}, skew(X.linear), skew(X.angular)};
}

}  // namespace axode
