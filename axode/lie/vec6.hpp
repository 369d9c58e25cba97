/// Six-vectors and 6x6 matrices, angular part first: (omega, v), (torque, force).
///
/// `Vec6` is the untyped element of se(3) and its dual that the group functions work on; the typed
/// twists and wrenches of screw/twist.hpp hold one. `Mat6` is four 3x3 blocks, for results that are
/// looked at as a matrix (Ad, ad, dexp, inertia); nothing in an evaluation loop multiplies with it.
/// Tests: tests/lie/vec6_test.cpp
#pragma once
#include "axode/lie/vec3.hpp"

namespace axode {

template <class S = double>
struct Vec6 {
  Vec3<S> angular, linear;

  constexpr const S& operator[](int i) const noexcept { return i < 3 ? angular[i] : linear[i - 3]; }
  constexpr S& operator[](int i) noexcept { return i < 3 ? angular[i] : linear[i - 3]; }

  constexpr Vec6& operator+=(const Vec6& b) noexcept { return *this = *this + b; }
  constexpr Vec6& operator-=(const Vec6& b) noexcept { return *this = *this - b; }
  friend constexpr Vec6 operator+(const Vec6& a, const Vec6& b) noexcept {
    return {a.angular + b.angular, a.linear + b.linear};
  }
  friend constexpr Vec6 operator-(const Vec6& a, const Vec6& b) noexcept {
    return {a.angular - b.angular, a.linear - b.linear};
  }
  friend constexpr Vec6 operator-(const Vec6& a) noexcept { return {-a.angular, -a.linear}; }
  friend constexpr Vec6 operator*(const Vec6& a, const S& s) noexcept {
    return {a.angular * s, a.linear * s};
  }
  friend constexpr Vec6 operator*(const S& s, const Vec6& a) noexcept { return a * s; }
  friend constexpr Vec6 operator/(const Vec6& a, const S& s) noexcept {
    return {a.angular / s, a.linear / s};
  }
  friend constexpr bool operator==(const Vec6&, const Vec6&) = default;
};

/// Sum of the six products: the power of a wrench on a twist of the same representation.
template <class S>
constexpr S dot(const Vec6<S>& a, const Vec6<S>& b) noexcept {
  return dot(a.angular, b.angular) + dot(a.linear, b.linear);
}
template <class S>
constexpr S max_abs(const Vec6<S>& a) noexcept {
  return max(max_abs(a.angular), max_abs(a.linear));
}
template <LaneMask Mask, class S>
constexpr Vec6<S> select(const Mask& mask, const Vec6<S>& a, const Vec6<S>& b) noexcept {
  return {select(mask, a.angular, b.angular), select(mask, a.linear, b.linear)};
}
template <class S>
constexpr auto is_finite(const Vec6<S>& a) noexcept {
  return is_finite(a.angular) && is_finite(a.linear);
}

/// A 6x6 matrix of four blocks. The first letter names the row, the second the column: `la` is the
/// block that takes an angular part to a linear part.
template <class S = double>
struct Mat6 {
  Mat3<S> aa, al, la, ll;

  static constexpr Mat6 identity() noexcept {
    return {Mat3<S>::identity(), {}, {}, Mat3<S>::identity()};
  }
  constexpr const S& operator()(int i, int j) const noexcept {
    const Mat3<S>& block = i < 3 ? (j < 3 ? aa : al) : (j < 3 ? la : ll);
    return block(i % 3, j % 3);
  }
  constexpr S& operator()(int i, int j) noexcept {
    Mat3<S>& block = i < 3 ? (j < 3 ? aa : al) : (j < 3 ? la : ll);
    return block(i % 3, j % 3);
  }

  friend constexpr Mat6 operator+(const Mat6& a, const Mat6& b) noexcept {
    return {a.aa + b.aa, a.al + b.al, a.la + b.la, a.ll + b.ll};
  }
  friend constexpr Mat6 operator-(const Mat6& a, const Mat6& b) noexcept {
    return {a.aa - b.aa, a.al - b.al, a.la - b.la, a.ll - b.ll};
  }
  friend constexpr Mat6 operator-(const Mat6& a) noexcept { return {-a.aa, -a.al, -a.la, -a.ll}; }
  friend constexpr Mat6 operator*(const S& s, const Mat6& a) noexcept { return a * s; }
  friend constexpr Mat6 operator*(const Mat6& a, const S& s) noexcept {
    return {a.aa * s, a.al * s, a.la * s, a.ll * s};
  }
  friend constexpr Vec6<S> operator*(const Mat6& a, const Vec6<S>& b) noexcept {
    return {a.aa * b.angular + a.al * b.linear, a.la * b.angular + a.ll * b.linear};
  }
  friend constexpr Mat6 operator*(const Mat6& a, const Mat6& b) noexcept {
    return {a.aa * b.aa + a.al * b.la, a.aa * b.al + a.al * b.ll, a.la * b.aa + a.ll * b.la,
            a.la * b.al + a.ll * b.ll};
  }
  friend constexpr bool operator==(const Mat6&, const Mat6&) = default;
};

template <class S>
constexpr Mat6<S> transpose(const Mat6<S>& a) noexcept {
  return {transpose(a.aa), transpose(a.la), transpose(a.al), transpose(a.ll)};
}
template <class S>
constexpr S max_abs(const Mat6<S>& a) noexcept {
  return max(max(max_abs(a.aa), max_abs(a.al)), max(max_abs(a.la), max_abs(a.ll)));
}

}  // namespace axode
