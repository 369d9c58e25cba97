/// Three numbers in one vector register of four, for evaluating one state.
///
/// What Vec3<S> is for many states side by side, Wide3 is for one: x, y, z and a zero. Sums and
/// products take one instruction; a cross product, two of each and the rotations of its operands
/// among the lanes, which can be had once for several products (`Turned`). The parameter is the
/// instruction set, so that functions compiled for one are never taken for another.
/// Tests: tests/engine/detail/kernels/wide3_lanes_test.cpp
#pragma once
#include "axode/lie/pack.hpp"

namespace axode {

template <class P>
struct Wide3 {
  using Vector [[gnu::vector_size(4 * sizeof(double))]] = double;
  Vector v;

  Wide3() = default;
  Wide3(const Vector& lanes) noexcept : v(lanes) {}
  // Written out, so that structs of them are copied register by register.
  Wide3(const Wide3& b) noexcept : v(b.v) {}
  Wide3& operator=(const Wide3& b) noexcept { return v = b.v, *this; }

  static Wide3 load(const double* from) noexcept {
    Wide3 a;
    __builtin_memcpy(&a.v, from, sizeof a.v);
    return a;
  }
  void store(double* to) const noexcept { __builtin_memcpy(to, &v, sizeof v); }

  friend Wide3 operator+(const Wide3& a, const Wide3& b) noexcept { return {a.v + b.v}; }
  friend Wide3 operator-(const Wide3& a, const Wide3& b) noexcept { return {a.v - b.v}; }
  friend Wide3 operator-(const Wide3& a) noexcept { return {-a.v}; }
  friend Wide3 operator*(const Wide3& a, double s) noexcept { return {a.v * s}; }
  friend Wide3 operator*(double s, const Wide3& a) noexcept { return {a.v * s}; }
  Wide3& operator+=(const Wide3& b) noexcept { return v += b.v, *this; }
  Wide3& operator-=(const Wide3& b) noexcept { return v -= b.v, *this; }
};

namespace detail {
template <class P>
inline Wide3<P> yzx(const Wide3<P>& a) noexcept {
  return {__builtin_shufflevector(a.v, a.v, 1, 2, 0, 3)};
}
template <class P>
inline Wide3<P> zxy(const Wide3<P>& a) noexcept {
  return {__builtin_shufflevector(a.v, a.v, 2, 0, 1, 3)};
}
template <int k, class P>
inline Wide3<P> spread(const Wide3<P>& a) noexcept {
  return {__builtin_shufflevector(a.v, a.v, k, k, k, k)};
}
template <class P>
inline Wide3<P> times(const Wide3<P>& a, const Wide3<P>& b) noexcept {
  return {a.v * b.v};
}
}  // namespace detail

/// a x b, by turning the difference once instead of each operand twice.
template <class P>
inline Wide3<P> cross(const Wide3<P>& a, const Wide3<P>& b) noexcept {
  using namespace detail;
  return yzx(times(a, yzx(b)) - times(yzx(a), b));
}
template <class P>
inline double dot(const Wide3<P>& a, const Wide3<P>& b) noexcept {
  const auto p = a.v * b.v;
  return p[0] + p[1] + p[2];
}

}  // namespace axode
