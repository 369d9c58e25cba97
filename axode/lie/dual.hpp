/// Dual numbers a + eps b with eps^2 = 0 [CibicikEgeland II-A].
///
/// One type serves two purposes: carried through any function of the library, `dual` is the exact
/// derivative of the result along the direction put into the arguments (forward differentiation);
/// and in flexible links `real` is the rigid part and `dual` the part of first order in the elastic
/// motion. Comparisons look at the real part only, so a branch is taken as without derivatives.
/// Dual<Dual<S>> gives second derivatives.
/// Tests: tests/lie/dual_test.cpp
#pragma once
#include "axode/lie/scalar.hpp"
#include "axode/lie/trig.hpp"
#include "axode/lie/vec3.hpp"
#include "axode/lie/vec6.hpp"

namespace axode {

template <class S>
struct Dual {
  S real{}, dual{};

  constexpr Dual() noexcept = default;
  constexpr Dual(const S& a, const S& b) noexcept : real(a), dual(b) {}
  constexpr Dual(const S& a) noexcept : real(a), dual(Real<S>(0)) {}
  /// A constant: anything that converts to S, such as a literal.
  template <class T>
    requires(std::is_arithmetic_v<T> && !std::is_same_v<T, S>)
  constexpr Dual(T a) noexcept : real(static_cast<Real<S>>(a)), dual(Real<S>(0)) {}

  constexpr Dual& operator+=(const Dual& b) noexcept { return *this = *this + b; }
  constexpr Dual& operator-=(const Dual& b) noexcept { return *this = *this - b; }
  constexpr Dual& operator*=(const Dual& b) noexcept { return *this = *this * b; }
  constexpr Dual& operator/=(const Dual& b) noexcept { return *this = *this / b; }
  friend constexpr Dual operator+(const Dual& a, const Dual& b) noexcept {
    return {a.real + b.real, a.dual + b.dual};
  }
  friend constexpr Dual operator-(const Dual& a, const Dual& b) noexcept {
    return {a.real - b.real, a.dual - b.dual};
  }
  friend constexpr Dual operator-(const Dual& a) noexcept { return {-a.real, -a.dual}; }
  friend constexpr Dual operator*(const Dual& a, const Dual& b) noexcept {
    return {a.real * b.real, a.real * b.dual + a.dual * b.real};
  }
  friend constexpr Dual operator/(const Dual& a, const Dual& b) noexcept {
    const S quotient = a.real / b.real;
    return {quotient, (a.dual - quotient * b.dual) / b.real};
  }
  friend constexpr auto operator<(const Dual& a, const Dual& b) noexcept { return a.real < b.real; }
  friend constexpr auto operator<=(const Dual& a, const Dual& b) noexcept {
    return a.real <= b.real;
  }
  friend constexpr auto operator>(const Dual& a, const Dual& b) noexcept { return a.real > b.real; }
  friend constexpr auto operator>=(const Dual& a, const Dual& b) noexcept {
    return a.real >= b.real;
  }
  friend constexpr auto operator==(const Dual& a, const Dual& b) noexcept {
    return a.real == b.real;
  }
};

template <class S>
struct RealOf<Dual<S>> {
  using type = Real<S>;
};

template <LaneMask Mask, class S>
constexpr Dual<S> select(const Mask& mask, const Dual<S>& a, const Dual<S>& b) noexcept {
  return {select(mask, a.real, b.real), select(mask, a.dual, b.dual)};
}

/// Not differentiable at 0: the dual part is then infinite or NaN, as the derivative is.
template <class S>
inline Dual<S> sqrt(const Dual<S>& a) noexcept {
  const S root = sqrt(a.real);
  return {root, a.dual / (root + root)};
}
template <class S>
inline SinCos<Dual<S>> sincos(const Dual<S>& a) noexcept {
  const SinCos<S> f = sincos(a.real);
  return {{f.sin, f.cos * a.dual}, {f.cos, -(f.sin * a.dual)}};
}
template <class S>
inline Dual<S> atan2(const Dual<S>& y, const Dual<S>& x) noexcept {
  const S r2 = x.real * x.real + y.real * y.real;
  return {atan2(y.real, x.real), (x.real * y.dual - y.real * x.dual) / r2};
}
/// At 0 the right-hand derivative.
template <class S>
constexpr Dual<S> abs(const Dual<S>& a) noexcept {
  return select(a.real < S(Real<S>(0)), -a, a);
}
template <class S>
constexpr auto is_finite(const Dual<S>& a) noexcept {
  return is_finite(a.real) && is_finite(a.dual);
}

/// A vector of dual numbers, (r; d) in [CibicikEgeland (2)].
template <class S>
using DualVector = Vec3<Dual<S>>;
/// A twist of dual numbers, (omega_r, omega_d, v_r, v_d) in [CibicikEgeland (56)].
template <class S>
using DualTwist = Vec6<Dual<S>>;

template <class S>
constexpr DualVector<S> make_dual(const Vec3<S>& real, const Vec3<S>& dual) noexcept {
  return {{real.x, dual.x}, {real.y, dual.y}, {real.z, dual.z}};
}
template <class S>
constexpr DualTwist<S> make_dual(const Vec6<S>& real, const Vec6<S>& dual) noexcept {
  return {make_dual(real.angular, dual.angular), make_dual(real.linear, dual.linear)};
}
template <class S>
constexpr Vec3<S> real_part(const Vec3<Dual<S>>& a) noexcept {
  return {a.x.real, a.y.real, a.z.real};
}
template <class S>
constexpr Vec3<S> dual_part(const Vec3<Dual<S>>& a) noexcept {
  return {a.x.dual, a.y.dual, a.z.dual};
}
template <class S>
constexpr Vec6<S> real_part(const Vec6<Dual<S>>& a) noexcept {
  return {real_part(a.angular), real_part(a.linear)};
}
template <class S>
constexpr Vec6<S> dual_part(const Vec6<Dual<S>>& a) noexcept {
  return {dual_part(a.angular), dual_part(a.linear)};
}
template <class S>
constexpr Mat3<S> real_part(const Mat3<Dual<S>>& a) noexcept {
  return {real_part(a.x), real_part(a.y), real_part(a.z)};
}
template <class S>
constexpr Mat3<S> dual_part(const Mat3<Dual<S>>& a) noexcept {
  return {dual_part(a.x), dual_part(a.y), dual_part(a.z)};
}

}  // namespace axode
