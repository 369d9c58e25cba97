/// The group G1 of dual rotations: a rotation A followed by an infinitesimal one, eps theta
/// [CibicikEgeland (8)-(13), (30)-(41), (128)-(137)].
///
///   X = [A 0; theta~ A  A],   (A1, t1)(A2, t2) = (A1 A2, t1 + A1 t2)
///
/// X is the rotation matrix A + eps theta~ A over the dual numbers: `SO3<Dual<S>>` is the same
/// group in 18 numbers instead of 12, and to_dual / from_dual pass between the two.
/// The algebra's element (phi; w) is the dual vector phi + eps w.
/// Tests: tests/lie/g1_test.cpp
#pragma once
#include "axode/lie/dual.hpp"
#include "axode/lie/se3.hpp"

namespace axode {

template <class S = double>
struct G1 {
  SO3<S> A;
  Vec3<S> theta;

  static constexpr G1 identity() noexcept { return {}; }
  friend constexpr G1 operator*(const G1& a, const G1& b) noexcept {
    return {a.A * b.A, a.theta + a.A * b.theta};
  }
  /// The dual vector v turned by X: A r + eps (A d + theta x A r).
  friend constexpr DualVector<S> operator*(const G1& X, const DualVector<S>& v) noexcept {
    const Vec3<S> r = X.A * real_part(v);
    return make_dual(r, X.A * dual_part(v) + cross(X.theta, r));
  }
  friend constexpr bool operator==(const G1&, const G1&) = default;
};

template <class S>
constexpr G1<S> inverse(const G1<S>& X) noexcept {
  return {inverse(X.A), -inverse_times(X.A, X.theta)};
}
/// The 6x6 matrix of X, which is its own adjoint, Ad_X = X (12). Acts on (real; dual).
template <class S>
constexpr Mat6<S> matrix(const G1<S>& X) noexcept {
  return {X.A.matrix, {}, skew(X.theta) * X.A.matrix, X.A.matrix};
}
/// The 6x6 matrix [w_r~ 0; w_d~ w_r~] of an element of the algebra; also its ad (13).
template <class S>
constexpr Mat6<S> hat(const DualVector<S>& w) noexcept {
  return {skew(real_part(w)), {}, skew(dual_part(w)), skew(real_part(w))};
}

/// (136): (phi; w) -> (exp phi, J(phi) w).
template <class S>
constexpr G1<S> exp_g1(const DualVector<S>& w) noexcept {
  const SE3<S> T = exp(Vec6<S>{real_part(w), dual_part(w)});
  return {T.R, T.p};
}
/// (137): the inverse of exp_g1, with |phi| in [0, pi] rad.
template <class S>
inline DualVector<S> log(const G1<S>& X) noexcept {
  const Vec6<S> w = log(SE3<S>{X.A, X.theta});
  return make_dual(w.angular, w.linear);
}

template <class S>
constexpr SO3<Dual<S>> to_dual(const G1<S>& X) noexcept {
  const Mat3<S> d = skew(X.theta) * X.A.matrix;
  return {
      {make_dual(X.A.matrix.x, d.x), make_dual(X.A.matrix.y, d.y), make_dual(X.A.matrix.z, d.z)}};
}
template <class S>
constexpr G1<S> from_dual(const SO3<Dual<S>>& R) noexcept {
  const Mat3<S> A = real_part(R.matrix);
  return {{A}, unskew(dual_part(R.matrix) * transpose(A))};
}

}  // namespace axode
