// Linear systems with many right-hand sides, from the factors of a path matrix.
#pragma once
#include "axode/dynamics/path_matrix.hpp"

namespace axode::detail {

/// target += factor source, of rows.
template <class S>
void add_row(DenseMatrix<S>& X, int target, const S& factor, int source) noexcept {
  const std::size_t n = X.columns;
  S* to = X.values.data() + std::size_t(target) * n;
  const S* from = X.values.data() + std::size_t(source) * n;
  for (std::size_t j = 0; j < n; ++j) to[j] += factor * from[j];
}

/// X becomes M^-1 X, all columns at once: whole rows are added, so that memory is read in order.
template <class S>
void solve_columns(const PathMatrix<S>& L, DenseMatrix<S>& X) noexcept {
  for (int k = L.size() - 1; k >= 0; --k) {
    const S* row = L.row(k);
    for (int i = L.parent[k]; i >= 0;
         i = L.parent[i])
      add_row(X, i, -*++row, k);
  }
  for (int k = 0; k < L.size(); ++k) {
    const S* row = L.row(k);
    const S inverse = S(1) / row[0];
    for (int j = 0; j < X.columns; ++j) X(k, j) *= inverse;
    for (int i = L.parent[k]; i >= 0;
         i = L.parent[i])
      add_row(X, k, -*++row, i);
  }
}

}  // namespace axode::detail
