#include "axode/lie/dense_solvers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "axode/lie/householder.hpp"

namespace axode {

std::vector<double> solve_linear(DenseMatrix<double> A, std::span<const double> b) {
  const int n = A.rows;
  std::vector<double> x(b.begin(), b.end());
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(A(i, k)) > std::abs(A(pivot, k))) pivot = i;
    if (pivot != k) {
      std::swap_ranges(&A(k, 0), &A(k, 0) + n, &A(pivot, 0));
      std::swap(x[k], x[pivot]);
    }
    for (int i = k + 1; i < n; ++i) {
      const double factor = A(i, k) / A(k, k);
      for (int j = k + 1; j < n; ++j) A(i, j) -= factor * A(k, j);
      x[i] -= factor * x[k];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = k + 1; j < n; ++j) x[k] -= A(k, j) * x[j];
    x[k] /= A(k, k);
  }
  return x;
}

PivotedQr pivoted_qr(const DenseMatrix<double>& A) {
  const int m = A.rows, n = A.columns;
  DenseMatrix<double> W = transpose(A);  // row j: column j of A
  PivotedQr result{zero_matrix(std::min(m, n), n), std::vector<int>(n)};
  std::iota(result.column.begin(), result.column.end(), 0);
  // Norms of what is left of the columns: followed through the steps, and when last computed.
  std::vector<double> norms(n), computed(n);
  for (int j = 0; j < n && m > 0; ++j)
    norms[j] = computed[j] = std::sqrt(detail::dot(&W(j, 0), &W(j, 0), m));
  for (int k = 0; k < result.R.rows; ++k) {
    const auto pivot =
        static_cast<int>(std::max_element(norms.begin() + k, norms.end()) - norms.begin());
    if (pivot != k) {
      std::swap_ranges(&W(k, 0), &W(k, 0) + m, &W(pivot, 0));
      std::swap(norms[k], norms[pivot]);
      std::swap(computed[k], computed[pivot]);
      std::swap(result.column[k], result.column[pivot]);
    }
    double* const u = &W(k, k);
    const double beta = detail::reflector(u, m - k);
    for (int j = k + 1; j < n; ++j) {
      detail::reflect(u, &W(j, k), m - k);
      if (norms[j] == 0) continue;
      const double part = std::abs(W(j, k)) / norms[j];
      const double left = std::max((1 + part) * (1 - part), 0.0), ratio = norms[j] / computed[j];
      norms[j] *= std::sqrt(left);
      // Too many digits are lost: from scratch.
      if (left * ratio * ratio <= std::sqrt(std::numeric_limits<double>::epsilon()))
        norms[j] = computed[j] =
            k + 1 < m ? std::sqrt(detail::dot(&W(j, k + 1), &W(j, k + 1), m - k - 1)) : 0;
    }
    W(k, k) = beta;
  }
  for (int i = 0; i < result.R.rows; ++i)
    for (int j = i; j < n; ++j) result.R(i, j) = W(j, i);
  return result;
}

}  // namespace axode
