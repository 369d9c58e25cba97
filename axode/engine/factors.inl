// Factors M = L^T D L of a matrix along paths, and what is solved with them (path_matrix.hpp), on
// whole rows of right-hand sides at a time.
#pragma once
#include "axode/engine/arithmetic.hpp"
#include "axode/engine/kernels.hpp"

namespace axode::engine {

/// The factors of M, given by its rows, in rows of their own: those of a path from the root on, each
/// starting a block, so that rows of one path stand side by side. Row k is L(k, j) along the path, then
/// 1/D(k). False if a pivot may be no more than rounding.
template <class A>
bool factorize(const Rows<typename A::Scalar>& M, const Factors<typename A::Scalar>& F) noexcept {
  using S = typename A::Scalar;
  using B = typename A::Block;
  for (int k = 0; k < F.n; ++k) {
    const S* from = M.values + M.first[k];
    S* to = F.values + F.first[k] + F.depth[k];
    for (std::ptrdiff_t t = 0; t <= F.depth[k]; ++t) to[-t] = from[t];
  }
  bool sure = true;
  for (int k = F.n - 1; k >= 0; --k) {
    S* row = F.values + F.first[k];
    std::ptrdiff_t d = F.depth[k];
    sure = sure && all_of(row[d] > S(1e8 * epsilon<double>) * M.scale[k]);
    const S inverse = S(1) / row[d];
    row[d] = inverse;
    for (int i = F.parent[k]; i >= 0; i = F.parent[i]) {
      const S factor = row[--d] * inverse;
      const B f(factor);
      S* above = F.values + F.first[i];
      for (std::ptrdiff_t t = 0; t <= d; t += A::block)
        A::write(A::read(above + t) - f * A::read(row + t), above + t, A::block);
      row[d] = factor;  // rows above need only what is before
    }
  }
  return sure;
}

/// Columns solved for at a time.
template <class A>
inline constexpr int strip = A::block > 1 ? 2 * A::block : 4;

/// Numbers in a row of the scratch of invert: whole blocks.
template <class A>
constexpr std::ptrdiff_t padded(std::ptrdiff_t n) noexcept {
  return (n + A::block - 1) / A::block * A::block;
}

/// W = M^-1 = X^T D^-1 X with X = L^-T, n rows of n numbers. Row k of X has entries at k and at what it
/// carries only; it is done when those are, and is then taken from the rows above it. `scratch` has
/// n + 3 padded rows.
template <class A>
void invert(const Factors<typename A::Scalar>& F, typename A::Scalar* W, void* scratch) noexcept {
  using S = typename A::Scalar;
  using B = typename A::Block;
  const std::ptrdiff_t n = F.n, stride = padded<A>(n);
  auto* X = static_cast<S*>(scratch);
  S* coefficients = X + n * stride;
  auto** rows = reinterpret_cast<const S**>(coefficients + stride);
  auto* ends = reinterpret_cast<int*>(rows + stride);
  for (std::ptrdiff_t k = 0; k < n; ++k) {
    const std::ptrdiff_t own = k - k % A::block;
    A::write(A::unit(static_cast<int>(k - own)), X + k * stride + own, A::block);
    for (std::ptrdiff_t j = own + A::block; j < n; j += A::block)
      A::write(B(S(0)), X + k * stride + j, A::block);
  }
  for (std::ptrdiff_t k = n - 1; k >= 0; --k) {
    const S* L = F.values + F.first[k] + F.depth[k];
    const S* own = X + k * stride;
    const std::ptrdiff_t begin = k - k % A::block, last = F.last[k];
    for (int i = F.parent[k]; i >= 0; i = F.parent[i]) {
      const B factor(*--L);
      S* above = X + i * stride;
      for (std::ptrdiff_t j = begin; j <= last; j += A::block)
        A::write(A::read(above + j) - factor * A::read(own + j), above + j, A::block);
    }
  }
  for (std::ptrdiff_t k = 0; k < n; ++k) {
    // The path upwards: coefficients, and rows.
    int count = 0, skipped = 0;
    for (auto i = static_cast<int>(k); i >= 0; i = F.parent[i], ++count) {
      coefficients[count] = X[i * stride + k] * F.values[F.first[i] + F.depth[i]];
      rows[count] = X + i * stride;
      ends[count] = F.last[i];
    }
    for (std::ptrdiff_t j = k - k % A::block; j < n; j += A::block) {
      while (skipped < count && ends[skipped] < j) ++skipped;  // zero from here on
      B sum(S(0));
      for (int i = skipped; i < count; ++i) sum += B(coefficients[i]) * A::read(rows[i] + j);
      A::write(sum, W + k * n + j, static_cast<int>(n - j));
    }
  }
  for (std::ptrdiff_t k = 1; k < n; ++k)  // the other half is the same
    for (std::ptrdiff_t j = 0; j < k; ++j) W[k * n + j] = W[j * n + k];
}

/// Z = -Y X in a tile of four rows and two blocks of columns. Only the listed rows of X count.
template <class A>
[[gnu::always_inline]] inline void negative_tile(std::ptrdiff_t n,
                                                 const typename A::Scalar* const (&Y)[4],
                                                 const typename A::Scalar* left,
                                                 const typename A::Scalar* right, const int* rows,
                                                 int count, typename A::Scalar* const (&Z)[4],
                                                 std::ptrdiff_t apart) noexcept {
  using S = typename A::Scalar;
  using B = typename A::Block;
  B a0(S(0)), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
  for (int r = 0; r < count; ++r) {
    const std::ptrdiff_t k = rows[r];
    const B a = A::read(left + k * n), b = A::read(right + k * n);
    const B y0(Y[0][k]), y1(Y[1][k]), y2(Y[2][k]), y3(Y[3][k]);
    a0 -= y0 * a, a1 -= y1 * a, a2 -= y2 * a, a3 -= y3 * a;
    b0 -= y0 * b, b1 -= y1 * b, b2 -= y2 * b, b3 -= y3 * b;
  }
  A::write(a3, Z[3], A::block), A::write(b3, Z[3] + apart, A::block);
  A::write(a2, Z[2], A::block), A::write(b2, Z[2] + apart, A::block);
  A::write(a1, Z[1], A::block), A::write(b1, Z[1] + apart, A::block);
  A::write(a0, Z[0], A::block), A::write(b0, Z[0] + apart, A::block);
}

/// Z = -Y X, square; X has the sparsity of the tree.
template <class A>
void multiply_negative(const Factors<typename A::Scalar>& F, const typename A::Scalar* Y,
                       const typename A::Scalar* X, typename A::Scalar* Z) noexcept {
  using S = typename A::Scalar;
  constexpr int width = strip<A>;
  const auto n = static_cast<std::ptrdiff_t>(F.n);
  if (n < A::block) {
    for (std::ptrdiff_t i = 0; i < n; ++i)
      for (std::ptrdiff_t j = 0; j < n; ++j) {
        S sum(0);
        for (std::ptrdiff_t k = 0; k < n; ++k) sum -= Y[i * n + k] * X[k * n + j];
        Z[i * n + j] = sum;
      }
    return;
  }
  for (std::ptrdiff_t s = 0; s * width < n; ++s) {
    const int *rows = F.touching + F.touching_first[s],
              count = F.touching_first[s + 1] - F.touching_first[s];
    // Blocks at the end overlap those before.
    for (std::ptrdiff_t half = 0; half < width; half += 2 * A::block) {
      const std::ptrdiff_t end = n - A::block, first = s * width + half;
      const std::ptrdiff_t left = first < end ? first : end;
      const std::ptrdiff_t right = first + A::block < end ? first + A::block : end;
      for (std::ptrdiff_t i = 0; i < n; i += 4) {
        const S* y[4];
        S* z[4];
        for (std::ptrdiff_t r = 0; r < 4; ++r) {
          const std::ptrdiff_t row = (i + r < n ? i + r : i) * n;
          y[r] = Y + row, z[r] = Z + row + left;
        }
        negative_tile<A>(n, y, X + left, X + right, rows, count, z, right - left);
      }
    }
  }
}

}  // namespace axode::engine
