/// Trigonometry of packs. Compiled once per instruction set, with AXODE_LANES = 2 (baseline), 4
/// (AVX2) or 8 (AVX-512), and always with -ffp-contract=off.
///
/// Nothing here may be emitted for plain types: the linker keeps one copy of a weak symbol, and
/// might keep the one that only the widest CPUs can run.
/// Tests: tests/lie/trig_kernel_lanes_test.cpp
#include "axode/lie/trig_kernel.hpp"

namespace axode {

template <int n>
SinCos<Pack<double, n>> sincos(const Pack<double, n>& x) noexcept {
  return detail::sincos_kernel(x);
}

template <int n>
Pack<double, n> atan2(const Pack<double, n>& y, const Pack<double, n>& x) noexcept {
  return detail::atan2_kernel(y, x);
}

namespace detail {

template <class P>
void sincos_array(const double* x, double* sin, double* cos, std::size_t count) noexcept {
  const std::size_t whole = count - count % P::lanes;
  for (std::size_t i = 0; i < whole; i += P::lanes) {
    const SinCos<P> r = sincos_kernel(P::load(x + i));
    r.sin.store(sin + i);
    r.cos.store(cos + i);
  }
  if (whole == count) return;
  P rest;  // zeros behind the last numbers
  for (std::size_t i = whole; i < count; ++i) rest.set(static_cast<int>(i - whole), x[i]);
  const SinCos<P> r = sincos_kernel(rest);
  for (std::size_t i = whole; i < count; ++i) {
    sin[i] = r.sin[static_cast<int>(i - whole)];
    cos[i] = r.cos[static_cast<int>(i - whole)];
  }
}

template void sincos_array<Pack<double, AXODE_LANES>>(const double*, double*, double*,
                                                      std::size_t) noexcept;

}  // namespace detail

template SinCos<Pack<double, AXODE_LANES>> sincos(const Pack<double, AXODE_LANES>&) noexcept;
template Pack<double, AXODE_LANES> atan2(const Pack<double, AXODE_LANES>&,
                                         const Pack<double, AXODE_LANES>&) noexcept;

}  // namespace axode
