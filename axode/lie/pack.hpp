/// A scalar that is several: the lanes of one SIMD register, so that a template written for one
/// system evaluates n of them at once.
///
/// n is what the instruction set has, never more: 2 doubles on the x86-64 baseline, 4 with AVX2,
/// 8 with AVX-512 (a wider type is lowered to many instructions and is far slower than scalars).
/// A program that must choose at run time compiles the same source once per width, in files named
/// *_lanes.cpp, and calls through instruction_set.hpp. The type is the compiler's own vector
/// extension: it compiles 10x faster than <experimental/simd> and gives the same instructions.
/// Do not pass packs by value across translation units: the ABI depends on the compiler's flags. And
/// keep units for wide lanes to packs: docs/screw_core.md says why.
/// Tests: tests/lie/pack_lanes_test.cpp
#pragma once
#include <cstdint>
#include <type_traits>

#include "axode/lie/scalar.hpp"

namespace axode {

namespace detail {
template <int bytes>
struct LaneInteger;
template <>
struct LaneInteger<4> {
  using type = std::int32_t;
};
template <>
struct LaneInteger<8> {
  using type = std::int64_t;
};
using Bits64 [[gnu::vector_size(64)]] = long long;
using Bits32 [[gnu::vector_size(32)]] = long long;
using Doubles16 [[gnu::vector_size(16)]] = double;
}  // namespace detail

/// One truth value per lane: all bits set or none.
template <class S, int n>
struct PackMask {
  using Lane = typename detail::LaneInteger<sizeof(S)>::type;
  using Vector [[gnu::vector_size(n * sizeof(S))]] = Lane;
  Vector v;

  // Written as for bool, so that templates read alike; both sides are always evaluated.
  friend constexpr PackMask operator&&(const PackMask& a, const PackMask& b) noexcept {
    return {a.v & b.v};
  }
  friend constexpr PackMask operator||(const PackMask& a, const PackMask& b) noexcept {
    return {a.v | b.v};
  }
  friend constexpr PackMask operator!(const PackMask& a) noexcept { return {~a.v}; }
};

template <class S, int n>
struct Pack {
  static_assert(std::is_floating_point_v<S> && n > 1 && (n & (n - 1)) == 0,
                "a Pack has 2, 4, 8 or 16 float or double lanes");
  using Vector [[gnu::vector_size(n * sizeof(S))]] = S;
  using Mask = PackMask<S, n>;
  static constexpr int lanes = n;
  Vector v;

  constexpr Pack() noexcept : v{} {}
  constexpr Pack(const Vector& lanes_of) noexcept : v(lanes_of) {}
  // Written out, so that structs of packs are copied register by register: g++ copies large trivial
  // ones with string instructions.
  constexpr Pack(const Pack& b) noexcept : v(b.v) {}
  constexpr Pack& operator=(const Pack& b) noexcept { return v = b.v, *this; }
  /// The same value in every lane.
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr Pack(T x) noexcept : v(static_cast<S>(x) - Vector{}) {}  // 0 + x would not be free: -0

  constexpr S operator[](int lane) const noexcept { return v[lane]; }
  void set(int lane, S x) noexcept { v[lane] = x; }

  /// Reads n consecutive numbers from memory, aligned or not.
  static Pack load(const S* from) noexcept {
    Pack p;
    __builtin_memcpy(&p.v, from, sizeof p.v);
    return p;
  }
  /// Writes n consecutive numbers to memory, aligned or not.
  void store(S* to) const noexcept { __builtin_memcpy(to, &v, sizeof v); }

  constexpr Pack& operator+=(const Pack& b) noexcept { return v += b.v, *this; }
  constexpr Pack& operator-=(const Pack& b) noexcept { return v -= b.v, *this; }
  constexpr Pack& operator*=(const Pack& b) noexcept { return v *= b.v, *this; }
  constexpr Pack& operator/=(const Pack& b) noexcept { return v /= b.v, *this; }
  friend constexpr Pack operator+(const Pack& a, const Pack& b) noexcept { return {a.v + b.v}; }
  friend constexpr Pack operator-(const Pack& a, const Pack& b) noexcept { return {a.v - b.v}; }
  friend constexpr Pack operator*(const Pack& a, const Pack& b) noexcept { return {a.v * b.v}; }
  friend constexpr Pack operator/(const Pack& a, const Pack& b) noexcept { return {a.v / b.v}; }
  friend constexpr Pack operator-(const Pack& a) noexcept { return {-a.v}; }
  friend constexpr Mask operator<(const Pack& a, const Pack& b) noexcept { return {a.v < b.v}; }
  friend constexpr Mask operator<=(const Pack& a, const Pack& b) noexcept { return {a.v <= b.v}; }
  friend constexpr Mask operator>(const Pack& a, const Pack& b) noexcept { return {a.v > b.v}; }
  friend constexpr Mask operator>=(const Pack& a, const Pack& b) noexcept { return {a.v >= b.v}; }
  friend constexpr Mask operator==(const Pack& a, const Pack& b) noexcept { return {a.v == b.v}; }
  friend constexpr Mask operator!=(const Pack& a, const Pack& b) noexcept { return {a.v != b.v}; }
};

template <class S, int n>
struct RealOf<Pack<S, n>> {
  using type = S;
};

template <class S, int n>
constexpr Pack<S, n> select(const PackMask<S, n>& mask, const Pack<S, n>& x,
                            const Pack<S, n>& y) noexcept {
  return {mask.v ? x.v : y.v};
}

template <class S, int n>
constexpr bool any_of(const PackMask<S, n>& mask) noexcept {
#if defined(__GNUC__) && !defined(__clang__) && defined(__SSE2__)
  if (!std::is_constant_evaluated()) {  // g++ makes many instructions of the loop, these are few
    using namespace detail;
#if defined(__AVX512F__)
    if constexpr (sizeof mask.v == 64)
      return __builtin_ia32_ptestmq512((Bits64)mask.v, (Bits64)mask.v, 0xff) != 0;
#endif
#if defined(__AVX__)
    if constexpr (sizeof mask.v == 32)
      return !__builtin_ia32_ptestz256((Bits32)mask.v, (Bits32)mask.v);
#endif
    if constexpr (sizeof mask.v == 16) return __builtin_ia32_movmskpd((Doubles16)mask.v) != 0;
  }
#endif
  typename PackMask<S, n>::Lane bits = 0;
  for (int i = 0; i < n; ++i) bits |= mask.v[i];
  return bits != 0;
}
template <class S, int n>
constexpr bool all_of(const PackMask<S, n>& mask) noexcept {
  return !any_of(!mask);
}

/// Lane by lane. The loop compiles to one instruction.
template <class S, int n>
inline Pack<S, n> sqrt(const Pack<S, n>& x) noexcept {
  Pack<S, n> y;
  for (int i = 0; i < n; ++i) {
    if constexpr (sizeof(S) == 4)
      y.v[i] = __builtin_sqrtf(x.v[i]);
    else
      y.v[i] = __builtin_sqrt(x.v[i]);
  }
  return y;
}

/// Lane by lane: clears the sign bits.
template <class S, int n>
inline Pack<S, n> abs(const Pack<S, n>& x) noexcept {
  using Bits = typename PackMask<S, n>::Vector;
  using Lane = typename PackMask<S, n>::Lane;
  using Vector = typename Pack<S, n>::Vector;
  return {(Vector)((Bits)x.v & (Bits{} + std::numeric_limits<Lane>::max()))};
}

template <class S, int n>
inline PackMask<S, n> is_finite(const Pack<S, n>& x) noexcept {
  return abs(x) <= Pack<S, n>(std::numeric_limits<S>::max());
}

}  // namespace axode
