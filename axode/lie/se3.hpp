/// The group SE(3) of rigid displacements: composition, exp, log, their derivatives, interpolation
/// [TraversaroSaccon (3)-(4)].
///
///   (R1, p1) (R2, p2) = (R1 R2, p1 + R1 p2)                                [MuellerKin (62)-(63)]
///   exp (xi, eta) = (exp xi, dexp_xi eta)                            [MuellerKin (69)-(70), (77)]
///   dexp_(xi,eta) = [ J(xi) 0; DJ(xi)[eta] J(xi) ]      (left Jacobian, right-trivialised)
///
/// The lower left block is the derivative of the SO(3) Jacobian J along eta, because se(3) is so(3)
/// over the dual numbers xi + eps eta. Six-vectors are angular first: xi in rad, eta in m. NaN or
/// infinity in gives NaN out; nothing here throws. Adjoint maps are in adjoint.hpp.
/// Tests: tests/lie/se3_test.cpp
#pragma once
#include "axode/lie/so3.hpp"
#include "axode/lie/vec6.hpp"

namespace axode {

/// A pose T_AB: rotation R_AB and position p_AB [m] of the origin of frame B in A.
/// T_AC = T_AB * T_BC.
template <class S = double>
struct SE3 {
  SO3<S> R;
  Vec3<S> p;

  static constexpr SE3 identity() noexcept { return {}; }
  friend constexpr SE3 operator*(const SE3& a, const SE3& b) noexcept {
    return {a.R * b.R, a.R * b.p + a.p};
  }
  /// The coordinates in A of the point that has coordinates x in B. (Directions: T.R * x.)
  friend constexpr Vec3<S> operator*(const SE3& T_AB, const Vec3<S>& x) noexcept {
    return T_AB.R * x + T_AB.p;
  }
  friend constexpr bool operator==(const SE3&, const SE3&) = default;
};

/// The pose of a frame with the same axes and its origin at p.
template <class S>
constexpr SE3<S> translation(const Vec3<S>& p) noexcept {
  return {{}, p};
}
template <class S>
constexpr SE3<S> inverse(const SE3<S>& T) noexcept {
  return {inverse(T.R), -inverse_times(T.R, T.p)};
}
/// inverse(T) * x of a point x, without forming the inverse.
template <class S>
constexpr Vec3<S> inverse_times(const SE3<S>& T, const Vec3<S>& x) noexcept {
  return inverse_times(T.R, x - T.p);
}
template <class S>
constexpr SE3<S> inverse_times(const SE3<S>& a, const SE3<S>& b) noexcept {
  return {inverse_times(a.R, b.R), inverse_times(a.R, b.p - a.p)};
}

/// The displacement reached after unit time with the constant twist X.
template <class S>
constexpr SE3<S> exp(const Vec6<S>& X) noexcept {
  const Vec3<S>& xi = X.angular;
  const Stumpff<S> c = stumpff(squared_norm(xi));
  // (exp xi~, dexp_xi eta): finite and infinite pitch by one formula, without a screw axis
  // [MuellerKin (69)-(70), corrected: docs/errata.md]
  const Vec3<S> turned = cross(xi, X.linear);
  return {{skew_polynomial(c.c1, c.c2, xi)}, X.linear + c.c2 * turned + c.c3 * cross(xi, turned)};
}

/// The twist X with exp X = T and rotation angle in [0, pi] rad; sign at pi as for SO(3).
template <class S>
inline Vec6<S> log(const SE3<S>& T) noexcept {
  const Quaternion<S> q = detail::quaternion_multiple<false>(T.R.matrix);
  const detail::LogFactor<S> at = detail::log_factor(q);
  const Vec3<S> xi = at.factor * q.v;
  const Vec3<S> turned = cross(xi, T.p);
  return {xi, T.p - S(Real<S>(0.5)) * turned + at.cotangent * cross(xi, turned)};
}

namespace detail {
/// Derivative along eta of p(|xi|^2) xi~ + q(|xi|^2) xi~^2, given p, q and their slopes dp, dq.
template <class S>
constexpr Mat3<S> skew_polynomial_derivative(const S& p, const S& q, const S& dp, const S& dq,
                                             const Vec3<S>& xi, const Vec3<S>& eta) noexcept {
  const S rate = S(2) * dot(xi, eta);  // of |xi|^2
  const Vec3<S> s = p * eta + (rate * dp) * xi;
  // xi~ eta~ + eta~ xi~ = xi eta^T + eta xi^T - 2 (xi . eta) I, and xi~^2 = xi xi^T - |xi|^2 I
  const Vec3<S> d = q * eta + (S(Real<S>(0.5)) * rate * dq) * xi;
  const Mat3<S> symmetric = outer(xi, d) + outer(d, xi);
  const S diagonal = rate * (q + dq * squared_norm(xi));
  return skew(s) + symmetric - Mat3<S>::diagonal({diagonal, diagonal, diagonal});
}
}  // namespace detail

/// Left Jacobian of exp, dexp_X: exp(X + d) = exp(dexp_X d) exp(X) to first order in d.
template <class S>
constexpr Mat6<S> left_jacobian(const Vec6<S>& X) noexcept {
  const Stumpff<S> c = stumpff(squared_norm(X.angular));
  const StumpffSlope<S> d = slope(c);
  const Mat3<S> J = skew_polynomial(c.c2, c.c3, X.angular);
  return {
      J, {}, detail::skew_polynomial_derivative(c.c2, c.c3, d.c2, d.c3, X.angular, X.linear), J};
}
/// Right Jacobian of exp, dexp_{-X}: exp(X + d) = exp(X) exp(dexp_{-X} d) to first order in d.
template <class S>
constexpr Mat6<S> right_jacobian(const Vec6<S>& X) noexcept {
  return left_jacobian(-X);
}
/// Inverse of left_jacobian, for rotation angles below 2 pi.
template <class S>
constexpr Mat6<S> left_jacobian_inverse(const Vec6<S>& X) noexcept {
  const S minus_half(Real<S>(-0.5));
  const CotangentSeries<S> g = cotangent_series(squared_norm(X.angular));
  const Mat3<S> J = skew_polynomial(minus_half, g.value, X.angular);
  return {
      J,
      {},
      detail::skew_polynomial_derivative(minus_half, g.value, S(0), g.slope, X.angular, X.linear),
      J};
}
/// Inverse of right_jacobian, for rotation angles below 2 pi.
template <class S>
constexpr Mat6<S> right_jacobian_inverse(const Vec6<S>& X) noexcept {
  return left_jacobian_inverse(-X);
}

/// The pose a fraction t of the way from a to b along the one screw motion that joins them.
template <class S>
inline SE3<S> interpolate(const SE3<S>& a, const SE3<S>& b,
                          const std::type_identity_t<S>& t) noexcept {
  return a * exp(t * log(inverse_times(a, b)));
}
/// Size [m] of the screw motion from a to b: the norm of its logarithm, one radian counted as
/// `length` metres (rotation and translation have no common unit, so the user must choose one).
/// The same for all choices of the frame in which a and b are given.
template <class S>
inline S distance(const SE3<S>& a, const SE3<S>& b,
                  const std::type_identity_t<S>& length) noexcept {
  const Vec6<S> X = log(inverse_times(a, b));
  return norm(Vec3<S>{length * norm(X.angular), norm(X.linear), S(0)});
}

// Compiled once, in se3.cpp.
extern template SE3<double> exp(const Vec6<double>&) noexcept;
extern template Vec6<double> log(const SE3<double>&) noexcept;
extern template Mat6<double> left_jacobian(const Vec6<double>&) noexcept;
extern template Mat6<double> left_jacobian_inverse(const Vec6<double>&) noexcept;
extern template SE3<float> exp(const Vec6<float>&) noexcept;
extern template Vec6<float> log(const SE3<float>&) noexcept;
extern template Mat6<float> left_jacobian(const Vec6<float>&) noexcept;
extern template Mat6<float> left_jacobian_inverse(const Vec6<float>&) noexcept;

}  // namespace axode
