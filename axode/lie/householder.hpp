/// Householder reflections 1 - u u^T on columns of numbers, the tool of QR and of singular values.
///
///   (1 - u u^T) x = beta e_0    with |u|^2 = 2    [GolubVanLoan2013, 5.1.3]
///
/// Tests: tests/lie/householder_test.cpp
#pragma once
#include <algorithm>
#include <cmath>

namespace axode::detail {

/// a . b in four sums that do not wait for each other.
inline double dot(const double* a, const double* b, int n) noexcept {
  double sum[4] = {};
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; ++k) sum[k] += a[i + k] * b[i + k];
  for (; i < n; ++i) sum[0] += a[i] * b[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}
/// a += factor b.
inline void add(double* __restrict a, double factor, const double* __restrict b, int n) noexcept {
  for (int i = 0; i < n; ++i) a[i] += factor * b[i];
}

/// Replaces x by u and returns beta; u = 0 if x is a multiple of e_0.
inline double reflector(double* x, int n) noexcept {
  const double rest = n > 1 ? dot(x + 1, x + 1, n - 1) : 0, first = x[0];
  if (rest == 0) {
    std::fill_n(x, n, 0.0);
    return first;
  }
  const double norm = std::sqrt(first * first + rest);
  const double factor = 1 / std::sqrt(norm * (norm + std::abs(first)));
  x[0] += std::copysign(norm, first);
  for (int i = 0; i < n; ++i) x[i] *= factor;
  return -std::copysign(norm, first);
}
/// x := (1 - u u^T) x.
inline void reflect(const double* __restrict u, double* __restrict x, int n) noexcept {
  add(x, -dot(u, x, n), u, n);
}

}  // namespace axode::detail
