/// Unit quaternions (Euler parameters): w + v_x i + v_y j + v_z k = cos(theta/2) + e sin(theta/2).
///
/// They are the coordinates of spherical and free joints and the road from a rotation matrix to its
/// logarithm: well conditioned at every angle. q and -q are the same rotation.
/// Tests: tests/lie/quaternion_test.cpp
#pragma once
#include "axode/lie/series.hpp"
#include "axode/lie/vec3.hpp"

namespace axode {

template <class S = double>
struct Quaternion {
  S w = S(1);
  Vec3<S> v{};

  static constexpr Quaternion identity() noexcept { return {}; }
  friend constexpr Quaternion operator*(const Quaternion& a, const Quaternion& b) noexcept {
    return {a.w * b.w - dot(a.v, b.v), a.w * b.v + b.w * a.v + cross(a.v, b.v)};
  }
  friend constexpr Quaternion operator-(const Quaternion& a) noexcept { return {-a.w, -a.v}; }
  friend constexpr bool operator==(const Quaternion&, const Quaternion&) = default;
};

template <class S>
constexpr S squared_norm(const Quaternion<S>& q) noexcept {
  return q.w * q.w + squared_norm(q.v);
}
/// The inverse of a unit quaternion.
template <class S>
constexpr Quaternion<S> conjugate(const Quaternion<S>& q) noexcept {
  return {q.w, -q.v};
}
namespace detail {
/// Of a quaternion whose squares neither over- nor underflow.
template <class S>
inline Quaternion<S> normalized_plain(const Quaternion<S>& q) noexcept {
  const S scale = S(1) / sqrt(squared_norm(q));
  return {q.w * scale, q.v * scale};
}
}  // namespace detail
/// The unit quaternion along q, also of tiny and huge ones; NaN for zero.
template <class S>
inline Quaternion<S> normalized(const Quaternion<S>& q) noexcept {
  const S largest = max(abs(q.w), max_abs(q.v));
  return detail::normalized_plain(Quaternion<S>{q.w / largest, q.v / largest});
}
template <LaneMask Mask, class S>
constexpr Quaternion<S> select(const Mask& mask, const Quaternion<S>& a,
                               const Quaternion<S>& b) noexcept {
  return {select(mask, a.w, b.w), select(mask, a.v, b.v)};
}

namespace detail {
template <class Mask, class S>
constexpr Quaternion<S> blend(const Mask& mask, const Quaternion<S>& a,
                              const Quaternion<S>& b) noexcept {
  return {blend(mask, a.w, b.w),
          {blend(mask, a.v.x, b.v.x), blend(mask, a.v.y, b.v.y), blend(mask, a.v.z, b.v.z)}};
}
}  // namespace detail

/// The rotation matrix of a unit quaternion.
template <class S>
constexpr Mat3<S> rotation_matrix(const Quaternion<S>& q) noexcept {
  return skew_polynomial(q.w + q.w, S(2), q.v);
}

namespace detail {
/// A positive multiple, of length 2 to 4, of the quaternion of a rotation matrix.
/// Each column of 4 q q^T can be read off the matrix; the one with the largest diagonal entry is
/// used, so that no angle is ill conditioned.
template <bool largest, class S>
inline Quaternion<S> quaternion_multiple(const Mat3<S>& R) noexcept {
  const S xx = R.x.x, yy = R.y.y, zz = R.z.z;
  const Vec3<S> skew_part{R.y.z - R.z.y, R.z.x - R.x.z, R.x.y - R.y.x};
  const S xy = R.x.y + R.y.x, xz = R.x.z + R.z.x, yz = R.y.z + R.z.y;
  const S ww4 = S(1) + xx + yy + zz;
  const Quaternion<S> by_w{ww4, skew_part};
  if constexpr (std::is_same_v<decltype(ww4 >= ww4), bool>)
    if (!largest && ww4 >= S(1)) return by_w;  // w >= 1/2, as large as the largest may be

  const S xx4 = S(1) + xx - yy - zz;
  const S yy4 = S(1) - xx + yy - zz;
  const S zz4 = S(1) - xx - yy + zz;

  const Quaternion<S> by_x{skew_part.x, {xx4, xy, xz}};
  const Quaternion<S> by_y{skew_part.y, {xy, yy4, yz}};
  const Quaternion<S> by_z{skew_part.z, {xz, yz, zz4}};
  const Quaternion<S> wx = blend(ww4 >= xx4, by_w, by_x);
  const Quaternion<S> yz_better = blend(yy4 >= zz4, by_y, by_z);
  return blend(max(ww4, xx4) >= max(yy4, zz4), wx, yz_better);
}
}  // namespace detail

/// The unit quaternion of a rotation matrix. The largest of the four components is positive.
template <class S>
inline Quaternion<S> quaternion(const Mat3<S>& R) noexcept {
  return detail::normalized_plain(detail::quaternion_multiple<true>(R));
}

/// The unit quaternion of the rotation by |xi| rad about the axis xi.
template <class S>
constexpr Quaternion<S> quaternion_exp(const Vec3<S>& xi) noexcept {
  const Stumpff<S> c = half_angle_stumpff(squared_norm(xi));
  return {c.c0, S(Real<S>(0.5)) * c.c1 * xi};
}

namespace detail {
/// For a quaternion of any length: its rotation vector is factor v; and the coefficient
/// (1 - (theta/2) cot(theta/2)) / theta^2 of dexp^-1 there.
template <class S>
struct LogFactor {
  S factor, cotangent;
};
/// By an eighth of the angle, whose tangent t = |v|/b needs no arc tangent of large arguments:
///   theta = 8 atan t,  (theta/2) cot(theta/2) = (atan t/t) (1 - 6 t^2 + t^4) / (1 - t^2).
/// With atan t = t - t^3 B(t^2) all is a function of |v|^2: no cancellation, no branch at zero.
template <class S>
inline LogFactor<S> log_factor(const Quaternion<S>& q) noexcept {
  using R = Real<S>;
  const Vec3<S>& v = q.v;
  const S v2 = squared_norm(v), w2 = q.w * q.w;
  const S a = abs(q.w) + sqrt(w2 + v2), b = a + sqrt(a * a + v2);
  const S inverse = S(1) / b + (b - b);  // NaN for infinite input
  const S z = v2 * (inverse * inverse);
  const S B = arctangent_series(z), A = S(1) - z * B;
  LogFactor<S> r{blend(q.w < S(0), S(-8), S(8)) * (inverse * A),
                 S(R(1) / 64) * (S(5) - z + B * (S(1) + z * (z - S(6)))) / (A * A * (S(1) - z))};
  const auto half_turn = w2 <= S(16 * epsilon<S> * epsilon<S>) * v2;
  if (any_of(half_turn)) [[unlikely]] {
    const S largest = select(abs(v.x) >= abs(v.y) && abs(v.x) >= abs(v.z), v.x,
                             select(abs(v.y) >= abs(v.z), v.y, v.z));
    const S angle = select(largest < S(0), S(-pi<S>), S(pi<S>));
    r.factor = select(half_turn, angle / sqrt(v2), r.factor);
  }
  return r;
}
}  // namespace detail

/// The rotation vector of a unit quaternion, angle in [0, pi] rad within rounding. Of q and -q the one with w > 0
/// is meant. Where w is zero within 4 round-offs, the angle is pi and the component of v of largest
/// magnitude is made positive.
template <class S>
inline Vec3<S> log(const Quaternion<S>& q) noexcept {
  return detail::log_factor(q).factor * q.v;
}

}  // namespace axode
