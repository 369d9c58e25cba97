#include "axode/flexible/cholesky.hpp"

#include <cmath>
#include <cstddef>

namespace axode {
namespace {

/// Two sums side by side: a single one waits for each addition.
double product(const double* a, const double* b, std::size_t n) noexcept {
  double even = 0, odd = 0;
  std::size_t k = 0;
  for (; k + 1 < n; k += 2) {
    even += a[k] * b[k];
    odd += a[k + 1] * b[k + 1];
  }
  return k < n ? even + a[k] * b[k] + odd : even + odd;
}

}  // namespace

int cholesky(std::span<double> a, int size) noexcept {
  const auto n = static_cast<std::size_t>(size);
  for (std::size_t i = 0; i < n; ++i) {
    double* const row = a.data() + i * n;
    for (std::size_t j = 0; j < i; ++j) {
      const double* const above = a.data() + j * n;
      row[j] = (row[j] - product(row, above, j)) * above[j];  // diagonals hold inverses
    }
    const double pivot = row[i] - product(row, row, i);
    if (!(pivot > 0) || !std::isfinite(pivot)) return static_cast<int>(i);
    row[i] = 1 / std::sqrt(pivot);
  }
  return -1;
}

void cholesky_solve(std::span<const double> factor, int size, std::span<double> x) noexcept {
  const auto n = static_cast<std::size_t>(size);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = (x[i] - product(factor.data() + i * n, x.data(), i)) * factor[i * n + i];
  for (std::size_t i = n; i-- > 0;) {
    x[i] *= factor[i * n + i];
    const double* const row = factor.data() + i * n;
    for (std::size_t j = 0; j < i; ++j) x[j] -= row[j] * x[i];
  }
}

}  // namespace axode
