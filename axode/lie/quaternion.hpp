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
template <class S>
inline Quaternion<S> normalized(const Quaternion<S>& q) noexcept {
  const S scale = S(1) / sqrt(squared_norm(q));
  return {q.w * scale, q.v * scale};
}
template <LaneMask Mask, class S>
constexpr Quaternion<S> select(const Mask& mask, const Quaternion<S>& a,
                               const Quaternion<S>& b) noexcept {
  return {select(mask, a.w, b.w), select(mask, a.v, b.v)};
}

/// The rotation matrix of a unit quaternion.
template <class S>
constexpr Mat3<S> rotation_matrix(const Quaternion<S>& q) noexcept {
  const Vec3<S> d = q.v + q.v, s = q.w * d;
  const S xx = d.x * q.v.x, yy = d.y * q.v.y, zz = d.z * q.v.z;
  const S xy = d.x * q.v.y, xz = d.x * q.v.z, yz = d.y * q.v.z;
  return {{S(1) - (yy + zz), xy + s.z, xz - s.y},
          {xy - s.z, S(1) - (xx + zz), yz + s.x},
          {xz + s.y, yz - s.x, S(1) - (xx + yy)}};
}

/// The unit quaternion of a rotation matrix. The largest of the four components is positive.
/// Each column of 4 q q^T can be read off the matrix; the one with the largest diagonal entry is
/// used, so that no angle is ill conditioned.
template <class S>
inline Quaternion<S> quaternion(const Mat3<S>& R) noexcept {
  const S xx = R.x.x, yy = R.y.y, zz = R.z.z;
  const Vec3<S> skew_part{R.y.z - R.z.y, R.z.x - R.x.z, R.x.y - R.y.x};
  const S xy = R.x.y + R.y.x, xz = R.x.z + R.z.x, yz = R.y.z + R.z.y;
  const S ww4 = S(1) + xx + yy + zz;
  const S xx4 = S(1) + xx - yy - zz;
  const S yy4 = S(1) - xx + yy - zz;
  const S zz4 = S(1) - xx - yy + zz;

  const Quaternion<S> by_w{ww4, skew_part};
  const Quaternion<S> by_x{skew_part.x, {xx4, xy, xz}};
  const Quaternion<S> by_y{skew_part.y, {xy, yy4, yz}};
  const Quaternion<S> by_z{skew_part.z, {xz, yz, zz4}};
  const Quaternion<S> wx = select(ww4 >= xx4, by_w, by_x);
  const Quaternion<S> yz_better = select(yy4 >= zz4, by_y, by_z);
  return normalized(select(max(ww4, xx4) >= max(yy4, zz4), wx, yz_better));
}

/// The unit quaternion of the rotation by |xi| rad about the axis xi.
template <class S>
constexpr Quaternion<S> quaternion_exp(const Vec3<S>& xi) noexcept {
  const Stumpff<S> c = half_angle_stumpff(squared_norm(xi));
  return {c.c0, S(Real<S>(0.5)) * c.c1 * xi};
}

namespace detail {
/// 2 atan(|v|/w)/|v| for |v|^2 < 1e-3, by the first six terms of the arctangent series.
template <class S>
constexpr S small_log_factor(const S& v2, const S& w) noexcept {
  using R = Real<S>;
  constexpr auto term = [](int k) { return S(R(2) / static_cast<R>(2 * k + 1)); };
  const S t = v2 / (w * w);
  return (term(0) - t * (term(1) - t * (term(2) - t * (term(3) - t * (term(4) - t * term(5)))))) /
         w;
}
}  // namespace detail

/// The rotation vector of a unit quaternion, angle in [0, pi] rad. Of q and -q the one with w > 0
/// is meant. Where w is zero within 4 round-offs, the angle is pi and the component of v of largest
/// magnitude is made positive.
template <class S>
inline Vec3<S> log(const Quaternion<S>& q) noexcept {
  const S tiny(4 * epsilon<S>);
  const Vec3<S>& v = q.v;
  const S largest = select(abs(v.x) >= abs(v.y) && abs(v.x) >= abs(v.z), v.x,
                           select(abs(v.y) >= abs(v.z), v.y, v.z));
  const auto half_turn = abs(q.w) <= tiny;
  const auto flip = (half_turn && largest < S(0)) || (!half_turn && q.w < S(0));
  const S w = select(half_turn, max(select(flip, -q.w, q.w), S(0)), abs(q.w));

  // theta/|v| with |v| = sin(theta/2). For small |v| by w and |v|^2 alone, which differentiates at 0.
  const S v2 = squared_norm(v);
  const S factor = choose(
      v2 < S(Real<S>(1e-3)), [&] { return detail::small_log_factor(v2, w); },
      [&] {
        const S sine = sqrt(v2);
        const S angle = atan2(sine, w);
        return (angle + angle) / sine;
      });
  return select(flip, -factor, factor) * v;
}

}  // namespace axode
