/// What the templates of Axode ask of a scalar, and the two ways they branch on one.
///
/// A scalar is float, double, Dual<S> or Pack<S, n>. Comparing two scalars gives a mask: `bool`, or
/// one truth value per lane of a Pack. Code that must work for all of them never says `if (a < b)`
/// but `select(a < b, x, y)` for cheap alternatives and `choose(a < b, f, g)` for costly ones.
/// Tests: tests/lie/scalar_test.cpp
#pragma once
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace axode {

/// The ordinary floating-point number a scalar is made of: double for Dual<double> and
/// Pack<double, 4>. Specialised beside each scalar type.
template <class S>
struct RealOf {
  using type = S;
};
template <class S>
using Real = typename RealOf<S>::type;

/// Unit round-off step of the scalar's real type, e.g. 2^-52.
template <class S>
inline constexpr Real<S> epsilon = std::numeric_limits<Real<S>>::epsilon();

template <class S>
inline constexpr Real<S> pi = static_cast<Real<S>>(3.14159265358979323846264338327950288L);

/// A mask with one truth value per lane. Structs of scalars overload `select` for it, member by
/// member; for bool one overload serves everything.
template <class Mask>
concept LaneMask = !std::same_as<Mask, bool>;

/// x where the mask holds, else y.
template <class T>
constexpr T select(bool mask, const T& x, const T& y) noexcept {
  return mask ? x : y;
}

namespace detail {
/// select() for unpredictable masks: without the branch a compiler may make of it for a double.
template <class Mask, class S>
constexpr S blend(const Mask& mask, const S& x, const S& y) noexcept {
  return select(mask, x, y);
}
constexpr double blend(bool mask, double x, double y) noexcept {
  const std::uint64_t m = 0 - static_cast<std::uint64_t>(mask);
  return __builtin_bit_cast(double, (__builtin_bit_cast(std::uint64_t, x) & m) |
                                        (__builtin_bit_cast(std::uint64_t, y) & ~m));
}
}  // namespace detail

constexpr bool all_of(bool mask) noexcept { return mask; }
constexpr bool any_of(bool mask) noexcept { return mask; }

/// f() where the mask holds, else g(); each is called only if some lane needs it.
template <class Mask, class F, class G>
constexpr auto choose(const Mask& mask, F&& f, G&& g) noexcept {
  if (all_of(mask)) return f();
  if (!any_of(mask)) return g();
  return select(mask, f(), g());
}

template <std::floating_point S>
inline S sqrt(S x) noexcept {
  return std::sqrt(x);
}
template <std::floating_point S>
constexpr S abs(S x) noexcept {
  if constexpr (sizeof(S) == sizeof(float))  // the builtins are constexpr and one instruction
    return __builtin_fabsf(x);
  else
    return __builtin_fabs(x);
}
template <std::floating_point S>
constexpr bool is_finite(S x) noexcept {
  constexpr S most = std::numeric_limits<S>::max();  // std::isfinite is not constexpr in C++20
  return x >= -most && x <= most;
}

/// The larger and the smaller of two scalars, lane by lane; NaN if either is.
template <class S>
constexpr S max(const S& x, const S& y) noexcept {
  return select(x < y || !(y == y), y, x);
}
template <class S>
constexpr S min(const S& x, const S& y) noexcept {
  return select(y < x || !(y == y), y, x);
}

}  // namespace axode
