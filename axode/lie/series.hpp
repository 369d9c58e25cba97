/// The coefficient functions of exp, log and their derivatives, free of cancellation at all angles.
///
/// All of them are combinations of the Stumpff functions, entire functions of u = theta^2,
///
///   c_k(u) = 1/k! - u/(k+2)! + u^2/(k+4)! - ...
///   c_0 = cos theta, c_1 = sin theta/theta, c_2 = (1 - cos theta)/theta^2,
///   c_3 = (theta - sin theta)/theta^3, c_4 = (1/2 - c_2)/u, c_5 = (1/6 - c_3)/u,
///
/// with derivative c_k' = (k c_{k+2} - c_{k+1})/2. The textbook quotients lose all digits as theta
/// falls. Here c_4 and c_5 are summed at u/4, where for theta <= pi ten terms give full precision
/// with neither square root nor sine; the others follow by c_k = 1/k! - u c_{k+2} and by doubling
/// the angle, both sums of terms of one sign. As functions of u they differentiate at theta = 0
/// too. Above pi the quotients are harmless and are used.
/// Tests: tests/lie/series_test.cpp, a sweep against 34-digit arithmetic
#pragma once
#include <array>

#include "axode/lie/scalar.hpp"
#include "axode/lie/trig.hpp"

namespace axode {

template <class S>
struct Stumpff {
  S c0, c1, c2, c3, c4, c5;
};
template <LaneMask Mask, class S>
constexpr Stumpff<S> select(const Mask& mask, const Stumpff<S>& a, const Stumpff<S>& b) noexcept {
  return {select(mask, a.c0, b.c0), select(mask, a.c1, b.c1), select(mask, a.c2, b.c2),
          select(mask, a.c3, b.c3), select(mask, a.c4, b.c4), select(mask, a.c5, b.c5)};
}

namespace detail {

/// 1/n! in the scalar's real type.
template <class R>
constexpr R reciprocal_factorial(int n) noexcept {
  long double f = 1;
  for (int i = 2; i <= n; ++i) f *= static_cast<long double>(i);
  return static_cast<R>(1 / f);
}

/// 1/k!, 1/(k+2)!, ..., 1/(k+18)!
template <class R>
consteval std::array<R, 10> reciprocal_factorials(int k) noexcept {
  std::array<R, 10> all{};
  for (int j = 0; j < 10; ++j) all[j] = reciprocal_factorial<R>(2 * j + k);
  return all;
}

/// Ten terms of c_k(v) for 0 <= v <= 2.5, even and odd powers apart to shorten the dependency.
template <int k, class S>
constexpr S stumpff_series(const S& v) noexcept {
  using R = Real<S>;
  constexpr std::array<R, 10> c = reciprocal_factorials<R>(k);  // not left to the optimiser
  const S w = v * v;
  const S even = S(c[0]) + w * (S(c[2]) + w * (S(c[4]) + w * (S(c[6]) + w * S(c[8]))));
  const S odd = S(c[1]) + w * (S(c[3]) + w * (S(c[5]) + w * (S(c[7]) + w * S(c[9]))));
  return even - v * odd;
}

}  // namespace detail

/// The Stumpff functions at u/4, that is of half the angle theta = sqrt(u) >= 0.
template <class S>
constexpr Stumpff<S> half_angle_stumpff(const S& u) noexcept {
  using R = Real<S>;
  constexpr R half = R(0.5), sixth = detail::reciprocal_factorial<R>(3);
  const S v = u * S(R(0.25));
  const auto series = [&]() -> Stumpff<S> {
    const S c4 = detail::stumpff_series<4>(v);
    const S c5 = detail::stumpff_series<5>(v);
    const S c2 = S(half) - v * c4;
    const S c3 = S(sixth) - v * c5;
    return {S(1) - v * c2, S(1) - v * c3, c2, c3, c4, c5};
  };
  const auto quotients = [&]() -> Stumpff<S> {
    const S angle = sqrt(v);
    const SinCos<S> quarter = sincos(angle * S(half));  // (1 - cos x) = 2 sin^2(x/2)
    const S two_sin = quarter.sin + quarter.sin;
    const S c1 = two_sin * quarter.cos / angle;
    const S c2 = two_sin * quarter.sin / v;
    const S c3 = (S(1) - c1) / v;
    return {S(1) - two_sin * quarter.sin, c1, c2, c3, (S(half) - c2) / v, (S(sixth) - c3) / v};
  };
  return choose(u <= S(10), series, quotients);
}

/// The Stumpff functions of four times the argument, from those at v.
template <class S>
constexpr Stumpff<S> double_angle(const Stumpff<S>& at, const S& v) noexcept {
  using R = Real<S>;
  const S c2 = S(R(0.5)) * at.c1 * at.c1;
  return {S(1) - S(R(4)) * v * c2,
          at.c0 * at.c1,
          c2,
          S(R(0.25)) * (at.c3 + at.c1 * at.c2),
          S(R(0.125)) * at.c3 * (S(1) + at.c1),
          S(R(0.0625)) * (at.c5 + at.c4 + at.c2 * at.c3)};
}

/// The Stumpff functions at u = theta^2 >= 0.
template <class S>
constexpr Stumpff<S> stumpff(const S& u) noexcept {
  return double_angle(half_angle_stumpff(u), u * S(Real<S>(0.25)));
}

/// (t - atan t)/t^3 as a function of z = t^2 for |t| <= tan(pi/8). The kernel of atan2 has its own
/// copy of this sum, because that one must not be contracted to FMA.
template <class S>
constexpr S arctangent_series(const S& z) noexcept {
  constexpr auto a = [](int i) {
    return S(static_cast<Real<S>>(detail::arctangent_coefficients[i]));
  };
  const S z2 = z * z, z4 = z2 * z2;
  const S low = a(0) + z * a(1) + z2 * (a(2) + z * a(3));
  const S middle = a(4) + z * a(5) + z2 * (a(6) + z * a(7));
  return low + z4 * (middle + z4 * (a(8) + z * a(9) + z2 * a(10)));
}

/// Derivatives with respect to u of c_2 and c_3, for the second-order terms of dexp.
template <class S>
struct StumpffSlope {
  S c2, c3;
};
template <class S>
constexpr StumpffSlope<S> slope(const Stumpff<S>& c) noexcept {
  const S half(Real<S>(0.5));
  return {c.c4 - half * c.c3, half * (S(3) * c.c5 - c.c4)};
}

/// (1 - (theta/2) cot(theta/2)) / theta^2, the coefficient of dexp^-1, and its derivative with
/// respect to u = theta^2. Singular at theta = 2 pi, as dexp^-1 is.
template <class S>
struct CotangentSeries {
  S value, slope;
};
template <class S>
constexpr CotangentSeries<S> cotangent_series(const S& u) noexcept {
  using R = Real<S>;
  // With c_k at u/4: 1 - (theta/2) cot(theta/2) = (c_1 - c_0)/c_1 = (u/4) (c_2 - c_3)/c_1.
  const Stumpff<S> c = half_angle_stumpff(u);
  const StumpffSlope<S> d = slope(c);
  const S ratio = (c.c2 - c.c3) / c.c1;
  return {S(R(0.25)) * ratio, S(R(0.0625)) * ((d.c2 - d.c3) / c.c1 + S(R(0.5)) * ratio * ratio)};
}

}  // namespace axode
