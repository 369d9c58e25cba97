/// The arithmetic of trig.hpp, one template for S = double and S = Pack<double, n>. Internal.
///
/// sincos: x = n pi/2 + hi + lo, by a Cody-Waite reduction in four parts for |x| <= 2^20, else by
/// multiplication with the bits of 2/pi (reduce_large in trig.cpp); then minimax polynomials in
/// z = hi^2 on [-pi/4, pi/4] to which lo contributes to first order.
/// atan2: the quotient of the smaller and the larger of |x|, |y|, folded at pi/8 by
/// atan(r) = pi/4 + atan((r - 1) / (r + 1)), as t + t_lo with t_lo from the exact remainder of the
/// division; a minimax polynomial in t^2; the multiple of pi/4 added in two parts.
/// Only IEEE + - * /, comparisons and bit operations are used, so that the results do not depend on
/// the CPU; a unit that includes this must be compiled with -ffp-contract=off.
/// Constants: scripts/derive/trig_coefficients.py. Tests: tests/lie/trig_kernel_lanes_test.cpp
#pragma once
#include <cstddef>
#include <cstdint>

#include "axode/lie/trig.hpp"

namespace axode::detail {

/// x = quadrant pi/2 + hi - minus_lo. The low part is kept negative because then sin(-0) = -0.
struct LargeReduction {
  double hi, minus_lo;
  std::uint64_t quadrant;
};
/// For 2^20 <= |x|, infinities and NaN. One copy for all instruction sets, in trig.cpp.
LargeReduction reduce_large(double x) noexcept;

/// sin and cos of count numbers in packs of type P; defined in trig_lanes.cpp.
template <class P>
void sincos_array(const double* x, double* sin, double* cos, std::size_t count) noexcept;

inline constexpr double largest_fast = 0x1p20;
inline constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

/// The bits of a scalar as unsigned integers, one per lane.
template <class S>
struct WordsOf {
  using type = std::uint64_t;
};
template <int n>
struct WordsOf<Pack<double, n>> {
  using type [[gnu::vector_size(n * sizeof(double))]] = std::uint64_t;
};
template <class S>
using Words = typename WordsOf<S>::type;

[[gnu::always_inline]] inline std::uint64_t to_bits(double x) noexcept {
  return __builtin_bit_cast(std::uint64_t, x);
}
template <int n>
[[gnu::always_inline]] inline Words<Pack<double, n>> to_bits(const Pack<double, n>& x) noexcept {
  return (Words<Pack<double, n>>)x.v;  // NOLINT: this cast keeps the bits of a vector
}
template <class S>
[[gnu::always_inline]] inline S from_bits(const Words<S>& w) noexcept {
  if constexpr (std::is_same_v<S, double>)
    return __builtin_bit_cast(double, w);
  else
    return S((typename S::Vector)w);
}

template <class S>
[[gnu::always_inline]] inline S magnitude(const S& x) noexcept {
  return from_bits<S>(to_bits(x) & ~sign_bit);
}

template <class S>
struct Reduction {
  S hi, minus_lo;
  Words<S> quadrant;  ///< modulo 4; the higher bits mean nothing
};

/// The error of the rounded difference d = a - b: a - b = d + error, exactly if a is a multiple of
/// the last bit of b.
template <class S>
[[gnu::always_inline]] inline S difference_error(const S& a, const S& b, const S& d) noexcept {
  return (a - d) - b;
}

/// |x| <= 2^20. The products with the 33-bit parts of pi/2 are exact, and so is the first
/// difference: unless n = 0, all in it are multiples of 2^-53. hi + lo is good to 2^-70 hi even
/// where x is next to a multiple of pi/2.
template <class S>
[[gnu::always_inline]] inline Reduction<S> reduce_small(const S& x) noexcept {
  const S to_integer = S(0x1.8p52);  // puts the integer into the low bits of the sum
  const S shifted = x * S(0x1.45f306dc9c883p-1) + to_integer;
  const S n = shifted - to_integer;
  const S r = x - n * S(0x1.921fb544p+0);
  const S w2 = n * S(0x1.0b4611a6p-34), h2 = r - w2;
  const S w3 = n * S(0x1.3198a2ep-69), h3 = h2 - w3;
  const S error = difference_error(r, w2, h2) + difference_error(h2, w3, h3);
  return {h3, n * S(0x1.b839a252049c1p-104) - error, to_bits(shifted)};
}

/// The lanes that reduce_small cannot take, one by one.
template <class S>
[[gnu::noinline, gnu::cold]] Reduction<S> reduce_mixed(const S& x) noexcept {
  Reduction<S> r = reduce_small(blend(magnitude(x) <= S(largest_fast), x, S(0)));
  for (int i = 0; i < S::lanes; ++i) {
    if (__builtin_fabs(x[i]) <= largest_fast) continue;
    const LargeReduction lane = reduce_large(x[i]);
    r.hi.set(i, lane.hi);
    r.minus_lo.set(i, lane.minus_lo);
    r.quadrant[i] = lane.quadrant;
  }
  return r;
}

template <class S>
[[gnu::always_inline]] inline Reduction<S> reduce(const S& x) noexcept {
  const auto small = magnitude(x) <= S(largest_fast);
  if (any_of(!small)) [[unlikely]] {
    if constexpr (std::is_same_v<S, double>) {
      const LargeReduction r = reduce_large(x);
      return {r.hi, r.minus_lo, r.quadrant};
    } else {
      return reduce_mixed(x);
    }
  }
  return reduce_small(x);
}

template <class S>
[[gnu::always_inline]] inline SinCos<S> sincos_kernel(const S& x) noexcept {
  const Reduction<S> r = reduce(x);
  const S h = r.hi, z = h * h, z2 = z * z;

  // sin(h + lo) = h - h z S(z) + lo cos h
  // (the large constant term is added last, so that only one rounding of its size is made)
  const S s0 = S(0x1.5555555555548p-3), s1 = z * S(-0x1.111111110f730p-7);
  const S s2 = S(0x1.a01a019be9216p-13) + z * S(-0x1.71de35552b048p-19);
  const S s4 = S(0x1.ae5e4b836430dp-26) + z * S(-0x1.5d8b555b8fce7p-33);
  const S sin_tail = (h * z) * (s0 + (s1 + z2 * (s2 + z2 * s4)));
  const S half = S(0.5) * z, w = S(1) - half;
  const S sine = h - (sin_tail + r.minus_lo * w);

  // cos(h + lo) = 1 - z/2 + z^2 C(z) - lo sin h; (1 - w) - half is the rounding error of w
  const S c0 = S(0x1.555555555554bp-5) + z * S(-0x1.6c16c16c15015p-10);
  const S c2 = S(0x1.a01a019c8f24fp-16) + z * S(-0x1.27e4f7f190c94p-22);
  const S c4 = S(0x1.1ee9dbce758e0p-29) + z * S(-0x1.8fa6842a55bcfp-37);
  const S cos_tail = z2 * (c0 + z2 * (c2 + z2 * c4)) + r.minus_lo * (h - sin_tail);
  const S cosine = w + (((S(1) - w) - half) + cos_tail);

  // Odd quadrants exchange the two; the second bit of the quadrant (plus one) is the sign.
  const Words<S> s = to_bits(sine), c = to_bits(cosine), q = r.quadrant;
  const Words<S> exchange = (s ^ c) & (0 - (q & 1));
  return {from_bits<S>(s ^ exchange ^ ((q << 62) & sign_bit)),
          from_bits<S>(c ^ exchange ^ (((q + 1) << 62) & sign_bit))};
}

/// The part of t d that its rounded product p lacks.
template <class S>
[[gnu::always_inline]] inline S product_error(const S& t, const S& d, const S& p) noexcept {
  const std::uint64_t high_half = ~std::uint64_t{0} << 27;
  const S th = from_bits<S>(to_bits(t) & high_half), tl = t - th;
  const S dh = from_bits<S>(to_bits(d) & high_half), dl = d - dh;
  return (((th * dh - p) + th * dl) + tl * dh) + tl * dl;
}

/// t z A(z) with atan t = t - t z A(z), |t| <= tan(pi/8), z = t^2.
template <class S>
[[gnu::always_inline]] inline S atan_tail(const S& t, const S& z, const S& z2) noexcept {
  constexpr const double(&a)[11] = arctangent_coefficients;
  const S z4 = z2 * z2, a0 = S(a[0]), a1 = z * S(a[1]), a2 = S(a[2]) + z * S(a[3]),
          a4 = S(a[4]) + z * S(a[5]), a6 = S(a[6]) + z * S(a[7]), a8 = S(a[8]) + z * S(a[9]),
          a10 = S(a[10]);
  return (t * z) * (a0 + ((a1 + z2 * a2) + z4 * ((a4 + z2 * a6) + z4 * (a8 + z2 * a10))));
}

/// Makes a = |y| and b = |x| harmless, with the same quotient: infinities become 1 beside 0 or 1,
/// (0, 0) becomes (0, 1), and very large or small pairs are scaled by a power of two.
template <class S>
[[gnu::always_inline]] inline void tame(S& a, S& b) noexcept {
  const S infinity = S(std::numeric_limits<double>::infinity()), zero = S(0), one = S(1);
  const auto infinite = a == infinity || b == infinity;
  const S a_part = blend(a == infinity, one, zero), b_part = blend(b == infinity, one, zero);
  a = blend(infinite, a_part, a);
  b = blend(infinite, b_part, b);
  const S larger = blend(a > b, a, b);
  const S up = blend(larger < S(0x1p-500), S(0x1p600), one);
  const S scale = blend(larger > S(0x1p500), S(0x1p-600), up);
  a = a * scale;
  b = blend(larger == zero, one, b * scale);
}

template <class S>
[[gnu::always_inline]] inline S atan2_kernel(const S& y, const S& x) noexcept {
  const S zero = S(0), one = S(1), abs_y = magnitude(y), abs_x = magnitude(x);
  S a = abs_y, b = abs_x;
  const auto swap = a > b;
  S larger = blend(swap, a, b), smaller = blend(swap, b, a);
  const auto ordinary =
      larger > S(0x1p-500) && larger < S(0x1p500) && smaller > larger * S(0x1p-30);
  const bool special = any_of(!ordinary);
  if (special) [[unlikely]] {
    tame(a, b);
    larger = blend(swap, a, b);
    smaller = blend(swap, b, a);
  }

  // num / den, and what the rounding of both has cut off.
  const auto fold = smaller > larger * S(0x1.a827999fcef32p-2);
  const S difference = smaller - larger, sum = smaller + larger;
  const S num = blend(fold, difference, smaller), den = blend(fold, sum, larger);
  const S num_lo = blend(fold, smaller - (difference + larger), zero);
  const S den_lo = blend(fold, smaller - (sum - larger), zero);
  const S inverse = one / den, t = num * inverse, p = t * den;
  const S rest = ((num - p) - product_error(t, den, p)) + (num_lo - t * den_lo);
  const S z = t * t, z2 = z * z;
  const S t_lo = (rest * inverse) * ((one - z) + z2);  // times the derivative of atan

  // |angle| = k pi/4 + side (t + t_lo - tail), side = -1 in every second octant
  const Words<S> x_sign = to_bits(x) & sign_bit, y_sign = to_bits(y) & sign_bit;
  const S side = from_bits<S>(to_bits(blend(swap, -one, one)) ^ x_sign);
  const S toward = from_bits<S>(to_bits(S(2)) ^ x_sign);
  const S k = blend(swap, S(2), S(2) - toward) + blend(fold, side, zero);
  const S base = k * S(0x1.921fb54442d18p-1), turn = side * t, head = base + turn;
  const S low = side * (t_lo - atan_tail(t, z, z2)) + k * S(0x1.1a62633145c07p-55);
  S angle = head + (((base - head) + turn) + low);

  if (special) [[unlikely]] {
    const auto tiny = abs_y < abs_x * S(0x1p-30) && x > zero;  // atan(r) = r, even if subnormal
    angle = blend(tiny, blend(tiny, abs_y, zero) / blend(tiny, abs_x, one), angle);
    angle = blend(x != x || y != y, x + y, angle);
  }
  return from_bits<S>(to_bits(angle) ^ y_sign);
}

}  // namespace axode::detail
