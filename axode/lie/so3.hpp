/// The rotation group SO(3): composition, exp, log, their derivatives, interpolation
/// [TraversaroSaccon (1)-(2)].
///
///   exp xi = I + c_1 xi~ + c_2 xi~^2                                      [MuellerKin (64)-(66)]
///   dexp_xi = I + c_2 xi~ + c_3 xi~^2     (left Jacobian: d/dt exp xi = (dexp_xi xi')~ exp xi)
///   dexp_xi^-1 = I - xi~/2 + (1 - (theta/2) cot(theta/2))/theta^2 xi~^2
///
/// with the Stumpff functions c_k(theta^2) of series.hpp, theta = |xi| in rad. NaN or infinity in
/// gives NaN out, and so do angles whose square overflows (above 1e154, in float 1e19); nothing here
/// throws. Conversions to angles and quaternions: rotation.hpp.
/// Tests: tests/lie/so3_test.cpp
#pragma once
#include "axode/lie/quaternion.hpp"
#include "axode/lie/series.hpp"
#include "axode/lie/vec3.hpp"

namespace axode {

/// A rotation R_AB: takes coordinates in frame B to coordinates in frame A. Its columns are the
/// axes of B seen in A. The matrix is trusted to be a rotation; rotation_from_matrix checks one.
template <class S = double>
struct SO3 {
  Mat3<S> matrix = Mat3<S>::identity();

  static constexpr SO3 identity() noexcept { return {}; }
  friend constexpr SO3 operator*(const SO3& a, const SO3& b) noexcept {
    return {a.matrix * b.matrix};
  }
  /// The vector v of frame B in the axes of A.
  friend constexpr Vec3<S> operator*(const SO3& R_AB, const Vec3<S>& v) noexcept {
    return R_AB.matrix * v;
  }
  friend constexpr bool operator==(const SO3&, const SO3&) = default;
};

template <class S>
constexpr SO3<S> inverse(const SO3<S>& R) noexcept {
  return {transpose(R.matrix)};
}
/// inverse(R) * v without forming the inverse.
template <class S>
constexpr Vec3<S> inverse_times(const SO3<S>& R, const Vec3<S>& v) noexcept {
  return transpose_times(R.matrix, v);
}
template <class S>
constexpr SO3<S> inverse_times(const SO3<S>& a, const SO3<S>& b) noexcept {
  return {transpose_times(a.matrix, b.matrix)};
}

/// The rotation by |xi| rad about the axis xi.
template <class S>
constexpr SO3<S> exp(const Vec3<S>& xi) noexcept {
  const S u = squared_norm(xi);
  const Stumpff<S> c = half_angle_stumpff(u);
  return {skew_polynomial(c.c0 * c.c1, S(Real<S>(0.5)) * c.c1 * c.c1, xi)};
}

/// The rotation vector of R: unit axis times angle in [0, pi] rad. At pi, where both signs of the
/// axis are right, the component of largest magnitude is positive. This holds within 2e-15 of pi,
/// where the rounding of the matrix hides the sign; the angle is then pi.
template <class S>
inline Vec3<S> log(const SO3<S>& R) noexcept {
  return log(detail::quaternion_multiple<false>(R.matrix));
}

/// Left Jacobian of exp, dexp_xi: exp(xi + d) = exp(dexp_xi d) exp(xi) to first order in d.
template <class S>
constexpr Mat3<S> left_jacobian(const Vec3<S>& xi) noexcept {
  const Stumpff<S> c = stumpff(squared_norm(xi));
  return skew_polynomial(c.c2, c.c3, xi);
}
/// Right Jacobian of exp, dexp_{-xi}: exp(xi + d) = exp(xi) exp(dexp_{-xi} d) to first order in d.
template <class S>
constexpr Mat3<S> right_jacobian(const Vec3<S>& xi) noexcept {
  return left_jacobian(-xi);
}
/// Inverse of left_jacobian, for |xi| < 2 pi.
template <class S>
constexpr Mat3<S> left_jacobian_inverse(const Vec3<S>& xi) noexcept {
  return skew_polynomial(S(Real<S>(-0.5)), cotangent_series(squared_norm(xi)).value, xi);
}
/// Inverse of right_jacobian, for |xi| < 2 pi.
template <class S>
constexpr Mat3<S> right_jacobian_inverse(const Vec3<S>& xi) noexcept {
  return left_jacobian_inverse(-xi);
}

/// The rotation a fraction t of the way from a to b, turning about one axis.
template <class S>
inline SO3<S> interpolate(const SO3<S>& a, const SO3<S>& b,
                          const std::type_identity_t<S>& t) noexcept {
  return a * exp(t * log(inverse_times(a, b)));
}
/// The angle in [0, pi] rad of the rotation that takes a to b.
template <class S>
inline S distance(const SO3<S>& a, const SO3<S>& b) noexcept {
  return norm(log(inverse_times(a, b)));
}

// Compiled once, in so3.cpp.
extern template SO3<double> exp(const Vec3<double>&) noexcept;
extern template Vec3<double> log(const SO3<double>&) noexcept;
extern template Mat3<double> left_jacobian(const Vec3<double>&) noexcept;
extern template Mat3<double> left_jacobian_inverse(const Vec3<double>&) noexcept;
extern template SO3<float> exp(const Vec3<float>&) noexcept;
extern template Vec3<float> log(const SO3<float>&) noexcept;
extern template Mat3<float> left_jacobian(const Vec3<float>&) noexcept;
extern template Mat3<float> left_jacobian_inverse(const Vec3<float>&) noexcept;

}  // namespace axode
