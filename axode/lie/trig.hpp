/// Sine, cosine and arc tangent with the same bits on every CPU, for numbers, packs and arrays.
///
/// The functions of the C library differ in the last bit between CPUs and versions; these use only
/// IEEE additions, multiplications and divisions, one template for all types (trig_kernel.hpp).
/// Every lane of a Pack and every element of an array has the bits of the scalar function.
/// Accuracy: sincos below 0.85 ulp for every finite double (0.77 is the most a test has met), atan2
/// below 0.75 ulp (0.65). The rounding mode must be the default, to nearest.
/// Under `using namespace axode`, write axode::atan2 in full: C has one of that name.
/// Tests: tests/lie/trig_test.cpp, tests/lie/trig_kernel_lanes_test.cpp
#pragma once
#include <span>

#include "axode/lie/pack.hpp"

namespace axode {

namespace detail {
/// (t - atan t)/t^3 = a_0 + a_1 z + ... with z = t^2, |t| <= tan(pi/8); minimax.
/// Constants: scripts/derive/trig_coefficients.py
inline constexpr double arctangent_coefficients[] = {
    0x1.555555555553dp-2, -0x1.9999999995869p-3, 0x1.24924922ad515p-3, -0x1.c71c70e608597p-4,
    0x1.745cf8db99e67p-4, -0x1.3b11190f69f37p-4, 0x1.10ebb7d688638p-4, -0x1.df0f4736d2b29p-5,
    0x1.9cd2b6705e835p-5, -0x1.37d5b18cb8927p-5, 0x1.256ab4a22c144p-6};
}  // namespace detail

template <class S>
struct SinCos {
  S sin, cos;
};

/// Sine and cosine of x [rad]. NaN for infinities and NaN; sin(-0) is -0.
SinCos<double> sincos(double x) noexcept;
SinCos<float> sincos(float x) noexcept;

/// Angle of the point (x, y) from the x axis, in [-pi, pi]; zeros and infinities as in C99.
/// (A template, so that under `using namespace axode` a bare atan2 still means that of C.)
template <std::floating_point S>
S atan2(S y, S x) noexcept;

/// Lane by lane. Defined for the widths of the library: 2, and on x86-64 also 4 (in units compiled
/// for AVX2) and 8 (AVX-512).
template <int n>
SinCos<Pack<double, n>> sincos(const Pack<double, n>& x) noexcept;
template <int n>
Pack<double, n> atan2(const Pack<double, n>& y, const Pack<double, n>& x) noexcept;

/// Whole arrays, in the widest lanes this CPU has. The three have one length, else Error; `x` may
/// be the same array as `sin` or `cos`, but not a shifted part of it.
void sincos(std::span<const double> x, std::span<double> sin, std::span<double> cos);

template <int n>
inline SinCos<Pack<float, n>> sincos(const Pack<float, n>& x) noexcept {
  SinCos<Pack<float, n>> result;
  for (int i = 0; i < n; ++i) {
    const SinCos<float> lane = sincos(x[i]);
    result.sin.set(i, lane.sin);
    result.cos.set(i, lane.cos);
  }
  return result;
}

template <int n>
inline Pack<float, n> atan2(const Pack<float, n>& y, const Pack<float, n>& x) noexcept {
  Pack<float, n> result;
  for (int i = 0; i < n; ++i) result.set(i, atan2(y[i], x[i]));
  return result;
}

}  // namespace axode
