/// Reference values in 34-digit arithmetic, by plain power series: independent of the library.
#pragma once
#include <array>
#include <cstddef>

namespace axode::test {

__extension__ using Quad = __float128;

template <std::size_t n>
using QuadMatrix = std::array<std::array<Quad, n>, n>;

template <std::size_t n>
QuadMatrix<n> operator*(const QuadMatrix<n>& a, const QuadMatrix<n>& b) {
  QuadMatrix<n> c{};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) c[i][j] += a[i][k] * b[k][j];
  return c;
}

/// sum_k A^k / (k + shift)!: the exponential for shift 0, dexp of ad matrices for shift 1.
template <std::size_t n>
QuadMatrix<n> exponential_series(const QuadMatrix<n>& A, int shift) {
  QuadMatrix<n> sum{}, power{};
  for (std::size_t i = 0; i < n; ++i) sum[i][i] = power[i][i] = 1;  // 0! = 1! = 1
  Quad factor = 1;
  for (int k = 1; k < 90; ++k) {
    power = power * A;
    factor /= k + shift;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) sum[i][j] += factor * power[i][j];
  }
  return sum;
}

/// Stumpff function c_k(u) by its power series; 34 digits less the growth of the terms.
inline Quad stumpff_series(int k, Quad u) {
  Quad term = 1;
  for (int i = 2; i <= k; ++i) term /= i;
  Quad sum = 0;
  for (int j = 1; j < 60; ++j) {
    sum += term;
    term *= -u / (Quad(2 * j + k) * Quad(2 * j + k - 1));
  }
  return sum;
}

}  // namespace axode::test
