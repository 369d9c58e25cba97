#include "axode/linalg/cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace axode {

CholeskyOutcome cholesky(std::span<double> a, int size, double least) noexcept {
  const std::size_t n = size;
  for (std::size_t k = 0; k < n; ++k) {
    double* const pivot_row = a.data() + k * n;
    const double pivot = std::max(pivot_row[k], least);
    if (!(pivot > 0) || !std::isfinite(pivot)) return {static_cast<int>(k)};
    const double inverse = 1 / std::sqrt(pivot);
    pivot_row[k] = inverse;
    for (std::size_t j = k + 1; j < n; ++j) pivot_row[j] *= inverse;
    for (std::size_t i = k + 1; i < n; ++i) {
      double* const row = a.data() + i * n;
      const double factor = pivot_row[i];
      for (std::size_t j = i; j < n; ++j) row[j] -= factor * pivot_row[j];
    }
  }
  return {};
}

void cholesky_solve(std::span<const double> factor, int size, std::span<double> x) noexcept {
  const std::size_t n = size;
  for (std::size_t k = 0; k < n; ++k) {
    const double* const row = factor.data() + k * n;
    x[k] *= row[k];
    for (std::size_t j = k + 1; j < n; ++j) x[j] -= row[j] * x[k];
  }
  for (std::size_t k = n; k-- > 0;) {
    const double* const row = factor.data() + k * n;
    double sum = x[k];
    for (std::size_t j = k + 1; j < n; ++j) sum -= row[j] * x[j];
    x[k] = sum * row[k];
  }
}

}  // namespace axode
