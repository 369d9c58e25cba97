// The inverse of a mass matrix along paths, by its factors M = L^T D L (path_matrix.hpp), and products
// with it, of as many matrices as a pack has lanes: every number is a whole register.
#pragma once
#include "axode/engine/detail/batch/batch_kernels.hpp"
#include "axode/lie/pack.hpp"

namespace axode::batch {

/// Replaces rows of M by those of its factors: 1/D(k), then L(k, j) along the path to the root. The
/// result has the lanes in which a pivot may be no more than rounding, of `scale` or M(k, k), which is
/// put there if it is more.
template <class P>
typename P::Mask factorize(const Paths& paths, P* values, P* scale) noexcept {
  typename P::Mask unsure{};
  for (int k = 0; k < paths.n; ++k) scale[k] = max(scale[k], values[paths.first[k]]);
  for (int k = paths.n - 1; k >= 0; --k) {
    P* row = values + paths.first[k];
    const auto length = static_cast<std::ptrdiff_t>(paths.first[k + 1] - paths.first[k]);
    unsure = unsure || !(row[0] > P(1e8 * epsilon<double>) * scale[k]);
    const P inverse = P(1) / row[0];
    row[0] = inverse;
    int i = paths.parent[k];
    for (std::ptrdiff_t d = 1; d < length; ++d, i = paths.parent[i]) {
      const P factor = row[d] * inverse;
      P* above = values + paths.first[i] - d;
      for (std::ptrdiff_t t = d; t < length; ++t) above[t] -= factor * row[t];
      row[d] = factor;
    }
  }
  return unsure;
}

/// W = M^-1, dense, row by row. From L W = D^-1 L^-T, whose entries (k, j) vanish for j < k:
///
///   W_kj = - sum L_ki W_ij,   W_kk = 1/D_k - sum L_ki W_ik     over i above k
///
/// and the rest by symmetry.
template <class P>
void invert(const Paths& paths, const P* values, P* W) noexcept {
  const std::ptrdiff_t n = paths.n;
  for (std::ptrdiff_t k = 0; k < n; ++k) {
    const P* L = values + paths.first[k] + 1;
    const auto put = [&](std::ptrdiff_t j, const P& x) { W[k * n + j] = W[j * n + k] = x; };
    std::ptrdiff_t j = 0;
    for (; j + 4 <= k; j += 4) {
      P a(0), b(0), c(0), d(0);
      const P* factor = L;
      for (int i = paths.parent[k]; i >= 0; i = paths.parent[i], ++factor) {
        const P* above = W + i * n + j;
        a -= *factor * above[0], b -= *factor * above[1];
        c -= *factor * above[2], d -= *factor * above[3];
      }
      put(j, a), put(j + 1, b), put(j + 2, c), put(j + 3, d);
    }
    for (; j < k; ++j) {
      P sum(0);
      const P* factor = L;
      for (int i = paths.parent[k]; i >= 0; i = paths.parent[i], ++factor)
        sum -= *factor * W[i * n + j];
      put(j, sum);
    }
    P diagonal = L[-1];
    for (int i = paths.parent[k]; i >= 0; i = paths.parent[i]) diagonal -= *L++ * W[k * n + i];
    W[k * n + k] = diagonal;
  }
}

/// Z = -W X in a tile of the rows of W and Z and the columns of X and Z, of the listed rows of X.
template <int rows, int columns, class P>
[[gnu::always_inline]] inline void negative_tile(std::ptrdiff_t n, const P* W, const P* X,
                                                 const int* list, const int* end, P* Z) noexcept {
  P z[rows][columns];
  for (auto& row : z)
    for (P& x : row) x = P(0);
  for (; list < end; ++list) {
    const std::ptrdiff_t k = *list;
    P x[columns];
    for (int c = 0; c < columns; ++c) x[c] = X[k * n + c];
    for (int r = 0; r < rows; ++r) {
      const P w = W[r * n + k];
      for (int c = 0; c < columns; ++c) z[r][c] -= w * x[c];
    }
  }
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) Z[r * n + c] = z[r][c];
}
/// Columns of a tile, which the lists of `touching` are for.
inline constexpr int strip_width = 4;
/// Some rows of W and Z, all columns of X and Z: the rows stay in the first level of cache.
template <int rows, class P>
void negative_rows(const Job& j, const P* W, const P* X, P* Z) noexcept {
  const std::ptrdiff_t n = j.nv;
  for (std::ptrdiff_t c = 0; c < n; c += strip_width) {
    const int *list = j.touching + j.touching_first[c / strip_width],
              *end = j.touching + j.touching_first[c / strip_width + 1];
    std::ptrdiff_t at = c;
    if (n - at >= 4) {
      negative_tile<rows, 4>(n, W, X + at, list, end, Z + at);
      continue;
    }
    if (n - at >= 2) negative_tile<rows, 2>(n, W, X + at, list, end, Z + at), at += 2;
    if (n - at >= 1) negative_tile<rows, 1>(n, W, X + at, list, end, Z + at);
  }
}
/// Z = -W X; X has the sparsity of the tree. Tiles of 6 x 4 are the largest that registers hold.
template <class P>
void multiply_negative(const Job& j, const P* W, const P* X, P* Z) noexcept {
  const std::ptrdiff_t n = j.nv;
  std::ptrdiff_t i = 0;
  for (; i + 6 <= n; i += 6) negative_rows<6>(j, W + i * n, X, Z + i * n);
  for (; i + 3 <= n; i += 3) negative_rows<3>(j, W + i * n, X, Z + i * n);
  for (; i < n; ++i) negative_rows<1>(j, W + i * n, X, Z + i * n);
}

}  // namespace axode::batch
