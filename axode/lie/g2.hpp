/// The group G2 of dual displacements: a dual rotation X of G1 and a dual position v
/// [CibicikEgeland (14)-(21), (42)-(51), (59)-(66), (138)-(145)].
///
///   Y = [X v; 0 1],   (X1, v1)(X2, v2) = (X1 X2, v1 + X1 v2)
///   exp (W; v0) = (exp W, Psi(W) v0)       [(141), corrected: docs/errata.md]
///
/// Psi, the left Jacobian of G1, is that of SE(3) at the same six numbers. `SE3<Dual<S>>` is the
/// same group in more numbers; to_dual / from_dual pass between the two. Elements of the algebra
/// are dual twists (w_r, w_d, v_r, v_d).
/// Tests: tests/lie/g2_test.cpp
#pragma once
#include <array>

#include "axode/lie/adjoint.hpp"
#include "axode/lie/g1.hpp"

namespace axode {

template <class S = double>
struct G2 {
  G1<S> X;
  DualVector<S> v;

  static constexpr G2 identity() noexcept { return {}; }
  friend constexpr G2 operator*(const G2& a, const G2& b) noexcept {
    return {a.X * b.X, a.v + a.X * b.v};
  }
  friend constexpr bool operator==(const G2&, const G2&) = default;
};

template <class S>
constexpr G2<S> inverse(const G2<S>& Y) noexcept {
  const G1<S> X = inverse(Y.X);
  return {X, -(X * Y.v)};
}

namespace detail {
template <class S>
constexpr DualVector<S> times(const Mat6<S>& a, const DualVector<S>& v) noexcept {
  const Vec6<S> w = a * Vec6<S>{real_part(v), dual_part(v)};
  return make_dual(w.angular, w.linear);
}
}  // namespace detail

/// (141): (W; v0) -> (exp W, Psi(W) v0).
template <class S>
constexpr G2<S> exp_g2(const DualTwist<S>& t) noexcept {
  const Vec6<S> W{real_part(t.angular), dual_part(t.angular)};
  return {exp_g1(t.angular), detail::times(left_jacobian(W), t.linear)};
}
/// (145): the inverse of exp_g2, with |phi| in [0, pi] rad.
template <class S>
inline DualTwist<S> log(const G2<S>& Y) noexcept {
  const DualVector<S> w = log(Y.X);
  const Vec6<S> W{real_part(w), dual_part(w)};
  return {w, detail::times(left_jacobian_inverse(W), Y.v)};
}

template <class S>
constexpr SE3<Dual<S>> to_dual(const G2<S>& Y) noexcept {
  return {to_dual(Y.X), Y.v};
}
template <class S>
constexpr G2<S> from_dual(const SE3<Dual<S>>& T) noexcept {
  return {from_dual(T.R), T.p};
}

/// Ad_Y t (19): (X w, v x (X w) + X u) for t = (w, u), products of dual vectors.
template <class S>
constexpr DualTwist<S> Ad(const G2<S>& Y, const DualTwist<S>& t) noexcept {
  const DualVector<S> w = Y.X * t.angular;
  return {w, cross(Y.v, w) + Y.X * t.linear};
}

/// The 7x7 matrix of Y, row by row.
template <class S>
constexpr std::array<std::array<S, 7>, 7> matrix(const G2<S>& Y) noexcept {
  std::array<std::array<S, 7>, 7> a{};
  const Mat6<S> X = matrix(Y.X);
  const Vec6<S> v{real_part(Y.v), dual_part(Y.v)};
  for (int i = 0; i < 6; ++i) {
    auto& row = a[i];
    for (int j = 0; j < 6; ++j) row[j] = X(i, j);
    row[6] = v[i];
  }
  a[6][6] = S(1);
  return a;
}

namespace detail {
template <class S>
constexpr std::array<std::array<S, 12>, 12> lower_triangular(const Mat6<S>& diagonal,
                                                             const Mat6<S>& below) noexcept {
  std::array<std::array<S, 12>, 12> a{};
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      const std::size_t r = i, c = j;
      a[r][c] = a[r + 6][c + 6] = diagonal(i, j);
      a[r + 6][c] = below(i, j);
    }
  return a;
}
}  // namespace detail

/// The 12x12 matrix [X 0; v^ X, X] of Ad_Y (19), row by row.
template <class S>
constexpr std::array<std::array<S, 12>, 12> Ad_matrix(const G2<S>& Y) noexcept {
  const Mat6<S> X = matrix(Y.X);
  return detail::lower_triangular(X, hat(Y.v) * X);
}
/// The 12x12 matrix [w^ 0; v^ w^] of ad_t, t = (w, v). As a map use ad(t, .) of adjoint.hpp.
template <class S>
constexpr std::array<std::array<S, 12>, 12> ad_matrix(const DualTwist<S>& t) noexcept {
  return detail::lower_triangular(hat(t.angular), hat(t.linear));
}

}  // namespace axode
