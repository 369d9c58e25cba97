// Definitions of path_matrix.hpp; instantiated by path_matrix.cpp and, for packs, by
// mass_matrix_lanes.cpp.
#pragma once
#include "axode/dynamics/path_matrix.hpp"

namespace axode {

template <class S>
PathMatrix<S>::PathMatrix(const Tree& tree) {
  detail::path_pattern(tree, parent, first);
  values = std::vector<S>(first.back(), S(0));
  diagonal = std::vector<S>(parent.size(), S(0));
}

template <class S>
int factorize(PathMatrix<S>& M) noexcept {
  const S rounding(Real<S>(16) * epsilon<S>);
  for (int k = 0; k < M.size(); ++k) M.diagonal[static_cast<std::size_t>(k)] = *M.row(k);
  int failed = -1;
  for (int k = M.size() - 1; k >= 0; --k) {
    S* row = M.row(k);
    const int length = M.row_length(k);
    const S least = rounding * M.diagonal[static_cast<std::size_t>(k)];
    if (failed < 0 && any_of(!(row[0] > max(least, S(0))))) failed = k;
    const S inverse = S(1) / row[0];
    // M(i, j) -= M(k, i) M(k, j) / D(k) for i, j on the path.
    for (int d = 1, i = M.parent[static_cast<std::size_t>(k)]; d < length;
         ++d, i = M.parent[static_cast<std::size_t>(i)]) {
      const S factor = row[d] * inverse;
      S* target = M.row(i);
      for (int t = d; t < length; ++t) target[t - d] -= factor * row[t];
      row[d] = factor;  // rows above need only what follows
    }
  }
  return failed;
}

template <class S>
void solve_transpose(const PathMatrix<S>& factors, Out<S> x) noexcept {
  for (int k = factors.size() - 1; k >= 0; --k) {
    const S* row = factors.row(k);
    const S x_k = x[static_cast<std::size_t>(k)];
    for (int i = factors.parent[static_cast<std::size_t>(k)]; i >= 0;
         i = factors.parent[static_cast<std::size_t>(i)])
      x[static_cast<std::size_t>(i)] -= *++row * x_k;
  }
}

template <class S>
void solve(const PathMatrix<S>& factors, Out<S> x) noexcept {
  solve_transpose<S>(factors, x);
  for (int k = 0; k < factors.size(); ++k) {
    const S* row = factors.row(k);
    S sum = x[static_cast<std::size_t>(k)] / row[0];
    for (int i = factors.parent[static_cast<std::size_t>(k)]; i >= 0;
         i = factors.parent[static_cast<std::size_t>(i)])
      sum -= *++row * x[static_cast<std::size_t>(i)];
    x[static_cast<std::size_t>(k)] = sum;
  }
}

template <class S>
void multiply(const PathMatrix<S>& M, In<S> x, Out<S> result) noexcept {
  for (int k = 0; k < M.size(); ++k) {
    const S* row = M.row(k);
    const S x_k = x[static_cast<std::size_t>(k)];
    S sum = row[0] * x_k;
    for (int i = M.parent[static_cast<std::size_t>(k)]; i >= 0;
         i = M.parent[static_cast<std::size_t>(i)]) {
      ++row;
      sum += *row * x[static_cast<std::size_t>(i)];
      result[static_cast<std::size_t>(i)] += *row * x_k;
    }
    result[static_cast<std::size_t>(k)] = sum;
  }
}

template <class S>
DenseMatrix<S> dense(const PathMatrix<S>& M) {
  const int n = M.size();
  DenseMatrix<S> result{n, n, std::vector<S>(static_cast<std::size_t>(n) * M.parent.size(), S(0))};
  for (int k = 0; k < n; ++k) {
    const S* entry = M.row(k);
    for (int i = k; i >= 0; i = M.parent[static_cast<std::size_t>(i)], ++entry)
      result(k, i) = result(i, k) = *entry;
  }
  return result;
}

template <class S>
void inverse(const PathMatrix<S>& factors, DenseMatrix<S>& result) noexcept {
  const auto n = static_cast<std::size_t>(factors.size());
  for (std::size_t k = 0; k < n; ++k) {  // symmetric: column k in row k
    const std::span<S> row(result.values.data() + k * n, n);
    for (S& x : row) x = S(0);
    row[k] = S(1);
    solve<S>(factors, row);
  }
}

}  // namespace axode
