/// Poses and twists as the 4x4 matrices of textbooks: [R p; 0 1] and [xi~ eta; 0 0]
/// [MuellerKin (60)-(61), (68), (78); MuellerDyn (90); TraversaroSaccon (7)-(8)].
///
/// Only for the border: the library computes with SE3 and Vec6. Matrices are arrays of rows.
/// Tests: tests/lie/homogeneous_test.cpp
#pragma once
#include <array>

#include "axode/lie/se3.hpp"

namespace axode {

template <class S = double>
using Mat4 = std::array<std::array<S, 4>, 4>;

/// [R p; 0 1].
template <class S>
constexpr Mat4<S> matrix(const SE3<S>& T) noexcept {
  Mat4<S> M{};
  for (int i = 0; i < 3; ++i) {
    auto& row = M[i];
    for (int j = 0; j < 3; ++j) row[j] = T.R.matrix(i, j);
    row[3] = T.p[i];
  }
  M[3] = {S(0), S(0), S(0), S(1)};
  return M;
}

/// The pose of [R p; 0 1], its numbers unchanged. Throws Error if the last row is not 0 0 0 1
/// exactly, an entry is not finite, or R is not a rotation within `tolerance`.
template <std::floating_point S>
SE3<S> pose_from_matrix(const Mat4<S>& M, std::type_identity_t<S> tolerance = S(1e6) * epsilon<S>);

/// The element [xi~ eta; 0 0] of se(3).
template <class S>
constexpr Mat4<S> hat(const Vec6<S>& X) noexcept {
  const auto& [xi, eta] = X;
  return {{{S(0), -xi.z, xi.y, eta.x},
           {xi.z, S(0), -xi.x, eta.y},
           {-xi.y, xi.x, S(0), eta.z},
           {S(0), S(0), S(0), S(0)}}};
}
/// The six-vector of an element of se(3): inverse of hat. Only the entries below the diagonal and
/// the last column are read.
template <class S>
constexpr Vec6<S> vee(const Mat4<S>& M) noexcept {
  return {{M[2][1], M[0][2], M[1][0]}, {M[0][3], M[1][3], M[2][3]}};
}

}  // namespace axode
