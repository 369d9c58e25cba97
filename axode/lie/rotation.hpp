/// Rotations in every usual parametrisation, and matrices checked or mended into rotations.
///
/// Quaternion / Euler parameters, axis and angle, roll-pitch-yaw, Euler angles of all twelve
/// orders. Angles in rad. Euler angles are intrinsic (about the axes as already turned): order
/// "zyx" means R = Rz(a) Ry(b) Rx(c); the extrinsic order "xyz" is the intrinsic "zyx" read
/// backwards. The inverse maps go through the quaternion and are accurate near gimbal lock.
/// Tests: tests/lie/rotation_test.cpp
#pragma once
#include <array>
#include <string_view>

#include "axode/lie/quaternion.hpp"
#include "axode/lie/so3.hpp"

namespace axode {

/// The rotation by `angle` about coordinate axis 0, 1 or 2 (x, y, z).
template <class S = double>
constexpr SO3<S> rotation_about(int axis, const std::type_identity_t<S>& angle) noexcept {
  Vec3<S> xi{S(0), S(0), S(0)};
  xi[axis] = angle;
  return exp(xi);
}

/// From a quaternion of any length but zero.
template <class S>
inline SO3<S> rotation_from_quaternion(const Quaternion<S>& q) noexcept {
  return {rotation_matrix(normalized(q))};
}
/// The unit quaternion of R; its largest component is positive.
template <class S>
inline Quaternion<S> to_quaternion(const SO3<S>& R) noexcept {
  return quaternion(R.matrix);
}

/// Euler parameters (e0, e1, e2, e3) = (cos, axis sin) of half the angle, e0 >= 0.
template <class S>
inline std::array<S, 4> to_euler_parameters(const SO3<S>& R) noexcept {
  const Quaternion<S> q = quaternion(R.matrix);
  const Quaternion<S> p = select(q.w < S(0), -q, q);
  return {p.w, p.v.x, p.v.y, p.v.z};
}
/// From four Euler parameters, normalised first.
template <class S>
inline SO3<S> rotation_from_euler_parameters(const std::array<S, 4>& e) noexcept {
  return rotation_from_quaternion(Quaternion<S>{e[0], {e[1], e[2], e[3]}});
}

/// A unit axis and an angle in [0, pi]; for the identity the axis is (0, 0, 1) and the angle 0.
template <class S = double>
struct AxisAngle {
  Vec3<S> axis;
  S angle;
};
template <class S>
inline AxisAngle<S> to_axis_angle(const SO3<S>& R) noexcept {
  const Vec3<S> xi = log(R);
  const S angle = norm(xi);
  const auto turned = angle > S(0);
  return {select(turned, xi / select(turned, angle, S(1)), Vec3<S>{S(0), S(0), S(1)} + xi), angle};
}
/// The rotation by `angle` about `axis`, which may have any length but zero.
template <class S>
inline SO3<S> rotation_from_axis_angle(const Vec3<S>& axis,
                                       const std::type_identity_t<S>& angle) noexcept {
  return exp(normalized(axis) * angle);
}

/// R = Rz(yaw) Ry(pitch) Rx(roll), as in URDF.
template <class S = double>
inline SO3<S> rotation_from_roll_pitch_yaw(const std::type_identity_t<S>& roll,
                                           const std::type_identity_t<S>& pitch,
                                           const std::type_identity_t<S>& yaw) noexcept {
  return rotation_about<S>(2, yaw) * rotation_about<S>(1, pitch) * rotation_about<S>(0, roll);
}

/// The sequence of axes of Euler angles, each 0, 1 or 2; neighbours differ.
struct EulerOrder {
  int first, second, third;
};
/// Reads "zyx", "zxz" and the other ten. Throws Error on anything else.
EulerOrder euler_order(std::string_view axes);

/// R = R_first(a) R_second(b) R_third(c).
template <class S>
inline SO3<S> rotation_from_euler_angles(const EulerOrder& order, const Vec3<S>& angles) noexcept {
  return rotation_about<S>(order.first, angles.x) * rotation_about<S>(order.second, angles.y) *
         rotation_about<S>(order.third, angles.z);
}

/// Euler angles and whether they are in gimbal lock, where only the sum or difference of the outer
/// angles is determined and the third is set to 0.
template <class S>
struct EulerAngles {
  Vec3<S> angles;
  decltype(S() < S()) singular;
};

namespace detail {
/// The same angle in (-pi, pi].
template <class S>
inline S wrapped(const S& angle) noexcept {
  const S half_turn(pi<S>), turn(2 * pi<S>);
  return select(angle > half_turn, angle - turn, select(angle <= -half_turn, angle + turn, angle));
}
}  // namespace detail

/// Outer angles in (-pi, pi]; the middle one in [0, pi] if first and third axis are the same,
/// else in [-pi/2, pi/2].
template <class S>
inline EulerAngles<S> to_euler_angles(const SO3<S>& R, const EulerOrder& order) noexcept {
  const bool proper = order.first == order.third;
  const int i = order.first, j = order.second, l = 3 - i - j;
  const Real<S> sign = (j - i + 3) % 3 == 1 ? Real<S>(1) : Real<S>(-1);  // e_i x e_j = sign e_l

  // With distinct axes R R_j(pi/2) = R_i(a) R_j(b + pi/2) R_i(-sign c), of the form i-j-i, for
  // which w, q_i = cos(b/2) {cos, sin}((a+c)/2) and q_j, sign q_l = sin(b/2) {cos, sin}((a-c)/2).
  Quaternion<S> q = quaternion(R.matrix);
  if (!proper) {
    Quaternion<S> quarter_turn{S(sqrt(Real<S>(0.5))), {S(0), S(0), S(0)}};
    quarter_turn.v[j] = quarter_turn.w;
    q = q * quarter_turn;
  }
  const S w = q.w, qi = q.v[i], qj = q.v[j], ql = S(sign) * q.v[l];
  const S cosine = sqrt(w * w + qi * qi), sine = sqrt(qj * qj + ql * ql);
  const S half_sum = atan2(qi, w), half_difference = atan2(ql, qj);
  const auto no_sine = sine < S(4 * epsilon<S>), no_cosine = cosine < S(4 * epsilon<S>);

  const S first =
      select(no_sine, half_sum + half_sum,
             select(no_cosine, half_difference + half_difference, half_sum + half_difference));
  const S third = select(no_sine || no_cosine, S(0), half_sum - half_difference);
  // Of distinct axes sign sin b is an entry of R: small angles keep their digits.
  const S middle =
      proper ? S(2) * atan2(sine, cosine) : atan2(S(sign) * R.matrix(i, l), S(2) * sine * cosine);
  return {{detail::wrapped(first), middle, detail::wrapped(proper ? third : S(-sign) * third)},
          no_sine || no_cosine};
}
/// (roll, pitch, yaw) with R = Rz(yaw) Ry(pitch) Rx(roll); at pitch = +-pi/2 roll is set to 0.
template <class S>
inline Vec3<S> to_roll_pitch_yaw(const SO3<S>& R) noexcept {
  const Vec3<S> zyx = to_euler_angles(R, {2, 1, 0}).angles;
  return {zyx.z, zyx.y, zyx.x};
}

/// Largest entry of |M^T M - I|: how far the columns are from orthonormal.
template <class S>
constexpr S orthogonality_error(const Mat3<S>& M) noexcept {
  return max_abs(transpose_times(M, M) - Mat3<S>::identity());
}

/// The matrix as a rotation, unchanged, if it is one within `tolerance` (orthogonality_error, and
/// determinant +1). Otherwise throws Error that says by how much it is not; see nearest_rotation.
template <std::floating_point S>
SO3<S> rotation_from_matrix(const Mat3<S>& M,
                            std::type_identity_t<S> tolerance = S(1e6) * epsilon<S>);

/// The rotation nearest to a matrix in the Frobenius norm.
template <class S = double>
struct NearestRotation {
  SO3<S> rotation;
  S distance;   ///< Frobenius norm of the change
  bool unique;  ///< false for matrices as near to a second rotation, such as zero or a reflection
};
/// Works for every finite matrix, also singular or left-handed ones. Throws Error on NaN or
/// infinity.
template <std::floating_point S>
NearestRotation<S> nearest_rotation(const Mat3<S>& M);

}  // namespace axode
