// Definitions of path_matrix.hpp; instantiated by path_matrix.cpp.
#pragma once
#include "axode/dynamics/matrices/path_matrix.hpp"

namespace axode {

template <class S>
PathMatrix<S>::PathMatrix(const Tree& tree) {
  detail::path_pattern(tree, parent, first);
  values = std::vector<S>(first.back(), S(0));
  scale = diagonal = response = std::vector<S>(parent.size(), S(0));
}

namespace detail {

/// sum n_j^2 scale_j over the motion n that velocity k causes. Rows beyond k hold factors, diagonal
/// the scales.
template <class S>
[[gnu::noinline]] S response_scale(PathMatrix<S>& M, int k) noexcept {
  S* n = M.response.data();
  S sum = M.diagonal[k];
  n[k] = S(1);
  for (int j = k + 1; j < M.size(); ++j) {
    const S* row = M.row(j);
    S n_j(0);  // stays zero if k is not on the path
    for (int i = M.parent[j]; i >= k; i = M.parent[i]) n_j -= *++row * n[i];
    n[j] = n_j;
    sum += n_j * n_j * M.diagonal[j];
  }
  return sum;
}

/// Whether the pivot of velocity k is more than rounding, in all lanes.
template <class S>
inline bool is_regular(PathMatrix<S>& M, int k) noexcept {
  const S rounding(Real<S>(16) * epsilon<S>), beyond_doubt(Real<S>(1e8) * epsilon<S>);
  const S& D = *M.row(k);
  const S& scale = M.diagonal[k];  // not negative
  if (all_of(D > beyond_doubt * scale)) [[likely]]
    return true;
  if (!all_of(D > rounding * scale)) return false;
  return all_of(D > beyond_doubt * scale || D > rounding * response_scale(M, k));
}

}  // namespace detail

template <class S>
MassOutcome factorize(PathMatrix<S>& M) noexcept {
  for (int k = 0; k < M.size(); ++k) {
    const std::size_t i = k;
    M.diagonal[i] = max(M.scale[i], *M.row(k));
  }
  int failed = -1;
  for (int k = M.size() - 1; k >= 0; --k) {
    S* row = M.row(k);
    const int length = M.row_length(k);
    if (failed < 0 && !detail::is_regular(M, k)) failed = k;
    const S inverse = S(1) / row[0];
    // M(i, j) -= M(k, i) M(k, j) / D(k) for i, j on the path.
    for (int d = 1, i = M.parent[k]; d < length; ++d, i = M.parent[i]) {
      const S factor = row[d] * inverse;
      S* target = M.row(i);
      for (int t = d; t < length; ++t) target[t - d] -= factor * row[t];
      row[d] = factor;  // rows above need only what follows
    }
  }
  return {failed};
}

template <class S>
void solve_transpose(const PathMatrix<S>& factors, Out<S> x) noexcept {
  for (int k = factors.size() - 1; k >= 0; --k) {
    const S* row = factors.row(k);
    const S x_k = x[k];
    for (int i = factors.parent[k]; i >= 0; i = factors.parent[i]) x[i] -= *++row * x_k;
  }
}

template <class S>
void solve(const PathMatrix<S>& factors, Out<S> x) noexcept {
  solve_transpose<S>(factors, x);
  for (int k = 0; k < factors.size(); ++k) {
    const S* row = factors.row(k);
    S sum = x[k] / row[0];
    for (int i = factors.parent[k]; i >= 0; i = factors.parent[i]) sum -= *++row * x[i];
    x[k] = sum;
  }
}

namespace detail {

/// target += factor source, of rows.
template <class S>
void add_row(DenseMatrix<S>& X, int target, const S& factor, int source) noexcept {
  const std::size_t n = X.columns;
  S* to = X.values.data() + std::size_t(target) * n;
  const S* from = X.values.data() + std::size_t(source) * n;
  for (std::size_t j = 0; j < n; ++j) to[j] += factor * from[j];
}

}  // namespace detail

template <class S>
void solve_columns(const PathMatrix<S>& factors, DenseMatrix<S>& X) noexcept {
  // Whole rows are added, so that memory is read in order.
  for (int k = factors.size() - 1; k >= 0; --k) {
    const S* row = factors.row(k);
    for (int i = factors.parent[k]; i >= 0; i = factors.parent[i])
      detail::add_row(X, i, -*++row, k);
  }
  for (int k = 0; k < factors.size(); ++k) {
    const S* row = factors.row(k);
    const S inverse = S(1) / row[0];
    for (int j = 0; j < X.columns; ++j) X(k, j) *= inverse;
    for (int i = factors.parent[k]; i >= 0; i = factors.parent[i])
      detail::add_row(X, k, -*++row, i);
  }
}

template <class S>
void multiply(const PathMatrix<S>& M, In<S> x, Out<S> result) noexcept {
  for (int k = 0; k < M.size(); ++k) {
    const S* row = M.row(k);
    const S& x_k = x[k];
    S sum = row[0] * x_k;
    for (int i = M.parent[k]; i >= 0; i = M.parent[i]) {
      ++row;
      sum += *row * x[i];
      result[i] += *row * x_k;
    }
    result[k] = sum;
  }
}

template <class S>
DenseMatrix<S> dense(const PathMatrix<S>& M) {
  const int n = M.size();
  DenseMatrix<S> result{n, n, std::vector<S>(std::size_t(n) * M.parent.size(), S(0))};
  for (int k = 0; k < n; ++k) {
    const S* entry = M.row(k);
    for (int i = k; i >= 0; i = M.parent[i], ++entry) result(k, i) = result(i, k) = *entry;
  }
  return result;
}

template <class S>
void inverse(const PathMatrix<S>& factors, DenseMatrix<S>& result) noexcept {
  const std::size_t n = factors.size();
  for (std::size_t k = 0; k < n; ++k) {  // symmetric: column k in row k
    const std::span<S> row(result.values.data() + k * n, n);
    for (S& x : row) x = S(0);
    row[k] = S(1);
    solve<S>(factors, row);
  }
}

}  // namespace axode
