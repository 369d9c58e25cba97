/// Six-vectors that know what they are: twist, acceleration, wrench, momentum, in a representation.
///
/// A body B moves in the world W with pose T_WB = (R, r). Its velocity has four usual forms, all
/// angular part first [MuellerKin (80), Table 4; MuellerDyn (97)]:
///
///   Rep      angular part          linear part                 also called
///   body     omega in axes of B    R^T r'                      left-invariant; LOCAL elsewhere
///   spatial  omega in axes of W    r' + r x omega              right-invariant; WORLD elsewhere
///   hybrid   omega in axes of W    r'                          "mixed" in [TraversaroSaccon];
///                                                              LOCAL_WORLD_ALIGNED elsewhere
///   mixed    omega in axes of B    r'                          no counterpart there
///
/// Wrenches (torque, force) and momenta (angular, linear) are dual: torque and force refer to the
/// same axes and point, so that pairing(W, V) is the power in every representation. (*Spatial* here
/// is not Featherstone's word for any six-vector.) Quantities of different kind or representation
/// do not mix: it does not compile. Conversions are in convert.hpp.
/// Units: rad/s and m/s, N m and N, kg m^2/s and kg m/s.
/// Tests: tests/screw/twist_test.cpp, tests/compile_fail/
#pragma once
#include <array>

#include "axode/lie/vec6.hpp"

namespace axode {

enum class Rep { body, spatial, hybrid, mixed };
enum class Quantity { twist, acceleration, wrench, momentum };

/// The common shape; use it by the four names below.
template <Quantity quantity, Rep rep, class S = double>
struct SixVector {
  Vec3<S> angular, linear;

  /// The bare numbers, for those who know what they do.
  constexpr Vec6<S> six() const noexcept { return {angular, linear}; }

  constexpr SixVector& operator+=(const SixVector& b) noexcept { return *this = *this + b; }
  constexpr SixVector& operator-=(const SixVector& b) noexcept { return *this = *this - b; }
  constexpr SixVector& operator*=(const S& s) noexcept { return *this = *this * s; }
  friend constexpr SixVector operator+(const SixVector& a, const SixVector& b) noexcept {
    return {a.angular + b.angular, a.linear + b.linear};
  }
  friend constexpr SixVector operator-(const SixVector& a, const SixVector& b) noexcept {
    return {a.angular - b.angular, a.linear - b.linear};
  }
  friend constexpr SixVector operator-(const SixVector& a) noexcept {
    return {-a.angular, -a.linear};
  }
  friend constexpr SixVector operator*(const SixVector& a, const S& s) noexcept {
    return {a.angular * s, a.linear * s};
  }
  friend constexpr SixVector operator*(const S& s, const SixVector& a) noexcept { return a * s; }
  friend constexpr SixVector operator/(const SixVector& a, const S& s) noexcept {
    return {a.angular / s, a.linear / s};
  }
  friend constexpr bool operator==(const SixVector&, const SixVector&) = default;
};

/// Velocity of a body [rad/s, m/s].
template <Rep rep, class S = double>
using Twist = SixVector<Quantity::twist, rep, S>;
/// Time derivative of the components of a twist in the same representation [rad/s^2, m/s^2].
template <Rep rep, class S = double>
using Acceleration = SixVector<Quantity::acceleration, rep, S>;
/// Torque and force [N m, N].
template <Rep rep, class S = double>
using Wrench = SixVector<Quantity::wrench, rep, S>;
/// Angular and linear momentum [kg m^2/s, kg m/s].
template <Rep rep, class S = double>
using Momentum = SixVector<Quantity::momentum, rep, S>;

/// Power [W] of a wrench on a twist.
template <Rep rep, class S>
constexpr S pairing(const Wrench<rep, S>& W, const Twist<rep, S>& V) noexcept {
  return dot(W.six(), V.six());
}
/// Twice the kinetic energy [J] of a body with this momentum and twist.
template <Rep rep, class S>
constexpr S pairing(const Momentum<rep, S>& P, const Twist<rep, S>& V) noexcept {
  return dot(P.six(), V.six());
}

/// The six numbers linear part first, (v, omega) or (force, torque), as [TraversaroSaccon] and
/// other tools order them.
template <Quantity quantity, Rep rep, class S>
constexpr std::array<S, 6> linear_first(const SixVector<quantity, rep, S>& a) noexcept {
  return {a.linear.x, a.linear.y, a.linear.z, a.angular.x, a.angular.y, a.angular.z};
}
/// From six numbers linear part first: from_linear_first<Twist<Rep::body>>(numbers).
template <class Typed, class S>
constexpr Typed from_linear_first(const std::array<S, 6>& a) noexcept {
  return {{a[3], a[4], a[5]}, {a[0], a[1], a[2]}};
}

}  // namespace axode
