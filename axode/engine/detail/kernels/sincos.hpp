/// Sine and cosine for the algorithms of the engine: shorter chains of operations than lie/trig.hpp,
/// where a fused multiplication and addition is at hand.
///
/// x - n pi/2 in two parts, each by one fused operation, loses no digits by cancellation, so that
/// nothing has to be carried along; then the minimax polynomials of lie/trig_kernel.hpp. Errors are
/// below 1.5 ulp, or 1e-26 where a zero is that near; other bits than lie/trig.hpp on some arguments.
/// Without fused operations, and beyond 2^20, it is that of lie/trig.hpp.
/// Tests: tests/engine/detail/kernels/sincos_lanes_test.cpp
#pragma once
#include "axode/lie/trig_kernel.hpp"

namespace axode::engine {

/// a b + c with one rounding, lane by lane.
template <class P>
[[gnu::always_inline]] inline P fused(const P& a, const P& b, const P& c) noexcept {
#if defined(__FMA__) && !defined(__clang__)
  if constexpr (P::lanes == 4) return {__builtin_ia32_vfmaddpd256(a.v, b.v, c.v)};
#if defined(__AVX512F__)
  constexpr int rounding = 4;  // as set
  if constexpr (P::lanes == 8)
    return {__builtin_ia32_vfmaddpd512_mask(a.v, b.v, c.v, -1, rounding)};
#endif
#endif
  P r;
  for (int i = 0; i < P::lanes; ++i) r.v[i] = __builtin_fma(a.v[i], b.v[i], c.v[i]);
  return r;
}

/// Of |x| <= 2^20.
template <class P>
[[gnu::always_inline]] inline SinCos<P> sincos_small(const P& x) noexcept {
#if defined(__FMA__)
  using namespace axode::detail;
  const P to_integer(0x1.8p52);  // puts the integer into the low bits of the sum
  const P shifted = x * P(0x1.45f306dc9c883p-1) + to_integer, n = shifted - to_integer;
  const P h = fused(n, P(-0x1.1a62633145c07p-54), fused(n, P(-0x1.921fb54442d18p+0), x));

  const P z = h * h, z2 = z * z;
  const P s0 = z * P(-0x1.111111110f730p-7) + P(0x1.5555555555548p-3);
  const P s2 = z * P(-0x1.71de35552b048p-19) + P(0x1.a01a019be9216p-13);
  const P s4 = z * P(-0x1.5d8b555b8fce7p-33) + P(0x1.ae5e4b836430dp-26);
  const P sine = -(h * z) * (z2 * (z2 * s4 + s2) + s0) + h;
  const P c0 = z * P(-0x1.6c16c16c15015p-10) + P(0x1.555555555554bp-5);
  const P c2 = z * P(-0x1.27e4f7f190c94p-22) + P(0x1.a01a019c8f24fp-16);
  const P c4 = z * P(-0x1.8fa6842a55bcfp-37) + P(0x1.1ee9dbce758e0p-29);
  const P half = P(0.5) * z, w = P(1) - half;  // (1 - w) - half is the rounding error of w
  const P cosine = w + (z2 * (z2 * (z2 * c4 + c2) + c0) + ((P(1) - w) - half));

  // Odd quadrants exchange the two; the second bit of the quadrant (plus one) is the sign.
  const Words<P> s = to_bits(sine), c = to_bits(cosine), q = to_bits(shifted);
  const Words<P> exchange = (s ^ c) & (0 - (q & 1));
  return {from_bits<P>(s ^ exchange ^ ((q << 62) & sign_bit)),
          from_bits<P>(c ^ exchange ^ (((q + 1) << 62) & sign_bit))};
#else
  return axode::detail::sincos_kernel(x);
#endif
}

template <class P>
[[gnu::always_inline]] inline SinCos<P> sincos(const P& x) noexcept {
  using namespace axode::detail;
  if (any_of(!(magnitude(x) <= P(largest_fast)))) [[unlikely]]
    return sincos_kernel(x);
  return sincos_small(x);
}

}  // namespace axode::engine
