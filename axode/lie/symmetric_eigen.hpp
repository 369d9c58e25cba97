/// Eigenvalues and eigenvectors of small symmetric matrices by Jacobi rotations.
///
/// Accurate to round-off also for clustered eigenvalues, which closed formulas are not. For set-up
/// and checks (principal moments of inertia, nearest rotation), not for evaluation loops.
/// Tests: tests/lie/symmetric_eigen_test.cpp
#pragma once
#include <array>
#include <cmath>

#include "axode/lie/scalar.hpp"

namespace axode {

template <class S, std::size_t n>
using SquareArray = std::array<std::array<S, n>, n>;

template <class S, std::size_t n>
struct SymmetricEigen {
  std::array<S, n> values;    ///< in no particular order
  SquareArray<S, n> vectors;  ///< vectors[i][k]: component i of the unit eigenvector k
};

/// Of a finite symmetric matrix, given by rows; the part below the diagonal is taken as equal to
/// the one above.
template <class S, std::size_t n>
SymmetricEigen<S, n> symmetric_eigen(SquareArray<S, n> A) noexcept {
  SquareArray<S, n> V{};
  S scale = S(0);  // so that sums do not overflow
  for (std::size_t i = 0; i < n; ++i) {
    V[i][i] = S(1);
    for (std::size_t j = i; j < n; ++j) scale = max(scale, abs(A[i][j]));
  }
  if (scale == S(0)) return {{}, V};
  for (auto& row : A)
    for (S& a : row) a /= scale;
  const auto rotate = [](S& a, S& b, S c, S s) {
    const S turned = c * a - s * b;
    b = s * a + c * b;
    a = turned;
  };
  constexpr int max_sweeps = 30;  // convergence is quadratic: 6 to 8 are usual
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    S off = S(0), on = S(0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) (i == j ? on : off) += std::abs(A[i][j]);
    if (off <= epsilon<S> * epsilon<S> * on) break;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) {
        if (A[p][q] == S(0)) continue;
        const S theta = (A[q][q] - A[p][p]) / (S(2) * A[p][q]);
        const S t = std::copysign(S(1), theta) / (std::abs(theta) + std::hypot(theta, S(1)));
        const S c = S(1) / std::hypot(t, S(1)), s = t * c;
        for (std::size_t k = 0; k < n; ++k) rotate(A[k][p], A[k][q], c, s);
        for (std::size_t k = 0; k < n; ++k) rotate(A[p][k], A[q][k], c, s);
        for (std::size_t k = 0; k < n; ++k) rotate(V[k][p], V[k][q], c, s);
      }
  }
  SymmetricEigen<S, n> result{{}, V};
  for (std::size_t i = 0; i < n; ++i) result.values[i] = scale * A[i][i];
  return result;
}

}  // namespace axode
