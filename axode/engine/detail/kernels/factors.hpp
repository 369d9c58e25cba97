// Factors M = L^T D L of a matrix along paths (path_matrix.hpp), its inverse, and products with that, in
// tiles (tiles.hpp). L is taken tile by tile: the identity within one, D as wide as a tile.
#pragma once
#include "axode/engine/detail/kernels/kernels.hpp"
#include "axode/engine/detail/kernels/tile.hpp"

namespace axode::engine {

/// Eliminates the velocities of tile p from the rows before it on its path. Its own become those of L,
/// and at their end D^-1. False if its pivots may have lost digits.
template <class A>
[[gnu::always_inline]] inline bool eliminate(const Factors<typename A::Scalar>& F, int p) noexcept {
  using S = typename A::Scalar;
  constexpr int numbers = Tile<A>::numbers;
  const PathTile& tile = F.tiles[p];
  S *const row = F.rows + tile.first, *const end = row + tile.depth * numbers;
  const Pivot<A> pivot(end, F.pivots + p * A::block);
  for (S* x = row; x != end; x += numbers) {
    auto U = Tile<A>::read(x);
    pivot.eliminate(U);
    U.write(x);
  }
  S* x = end;
  for (int i = tile.parent; i >= 0; i = F.tiles[i].parent) {
    x -= numbers;
    alignas(32) S V[numbers];
    auto L = Tile<A>::read(x);
    pivot.divide(L);
    L.write(V);
    S* above = F.rows + F.tiles[i].first;
    for (const S* U = row; U <= x; U += numbers, above += numbers) {
      auto rest = Tile<A>::read(above);
      rest.subtract_transposed_product(V, U);
      rest.write(above);
    }
    pivot.substitute(L);
    L.write(x);  // rows above need only what is before
  }
  auto inverse = Tile<A>::identity();
  pivot.eliminate(inverse);
  pivot.divide(inverse);
  pivot.substitute(inverse);
  inverse.write(end);
  bool sure = true;
  for (const S& minor : pivot.minor) sure &= all_of(minor > S(1e-280)) & all_of(minor < S(1e280));
  return sure;
}

/// The factors of M. False if a pivot may be no more than rounding, or has lost digits.
template <class A>
bool factorize(const Rows<typename A::Scalar>& M, const Factors<typename A::Scalar>& F) noexcept {
  using S = typename A::Scalar;
  for (S* x = F.rows; x != F.pivots; x += A::block) A::write(typename A::Block(S(0)), x, A::block);
  for (const int* i = F.idle; i != F.idle_end; ++i) F.rows[*i] = S(1);
  const S* from = M.values;
  for (const int* i = F.entries; i != F.entries_end; ++i) F.rows[*i] = *from++;
  bool sure = true;
  for (int p = F.count - 1; p >= 0; --p) sure &= eliminate<A>(F, p);
  for (int k = 0; k < F.n; ++k) {
    const S scale = max(M.scale[k], M.values[M.first[k]]);
    sure &= all_of(F.pivots[F.slot[k]] > S(1e8 * epsilon<double>) * scale);
  }
  return sure;
}

/// Numbers in a row of tiles of a square matrix.
template <class A>
std::ptrdiff_t row_of_tiles(const Factors<typename A::Scalar>& F) noexcept {
  return static_cast<std::ptrdiff_t>(F.count) * Tile<A>::numbers;
}

/// Subtracts the product of the rows of L of tile p, but for the identity, and some columns of W.
template <class A, int width>
[[gnu::always_inline]] inline void subtract_path(const Factors<typename A::Scalar>& F, int p,
                                                 const typename A::Scalar* columns,
                                                 Tile<A> (&sum)[width]) noexcept {
  using B = typename A::Block;
  constexpr int T = A::block, numbers = Tile<A>::numbers;
  const PathTile& tile = F.tiles[p];
  const auto* L = F.rows + tile.first + tile.depth * numbers;
  const std::ptrdiff_t stride = row_of_tiles<A>(F);
  for (int i = tile.parent; i >= 0; i = F.tiles[i].parent) {
    L -= numbers;
    const auto* W = columns + i * stride;
    for (int k = 0; k < T; ++k)
      for (int c = 0; c < width; ++c) {
        const B x = A::read(W + c * numbers + k * T);
        for (int r = 0; r < T; ++r) sum[c].row[r] -= B(L[r * T + k]) * x;
      }
  }
}

/// W in tile p of rows and some columns before it, and mirrored.
template <class A, int width>
[[gnu::always_inline]] inline void inverse_tiles(const Factors<typename A::Scalar>& F, int p, int c,
                                                 typename A::Scalar* W) noexcept {
  constexpr int numbers = Tile<A>::numbers;
  const std::ptrdiff_t stride = row_of_tiles<A>(F);
  Tile<A> sum[width] = {};
  subtract_path<A, width>(F, p, W + c * numbers, sum);
#pragma GCC unroll 4
  for (int i = 0; i < width; ++i) {
    sum[i].write(W + p * stride + (c + i) * numbers);
    sum[i].transposed().write(W + (c + i) * stride + p * numbers);
  }
}

/// Copies rows of a matrix in tiles. Pieces are written as whole blocks, where there is room: what is
/// too much, the next piece overwrites. And so are rows of pieces.
template <class A, int height>
[[gnu::always_inline]] inline void copy_rows(const Factors<typename A::Scalar>& F,
                                             const typename A::Scalar* rows,
                                             typename A::Scalar* result) noexcept {
  constexpr int T = A::block;
  const std::ptrdiff_t n = F.n;
  for (const TilePiece *x = F.pieces, *end = F.pieces_end; x != end; ++x) {
    const auto* from = rows + x->place;
    auto* to = result + x->column;
    const auto width = static_cast<int>(n - x->column);
    if (width >= T) [[likely]] {
#pragma GCC unroll 4
      for (int r = 0; r < height; ++r) A::write(A::read(from + r * T), to + r * n, T);
    } else {
      for (int r = 0; r < height; ++r) A::write(A::read(from + r * T), to + r * n, width);
    }
  }
}

/// W = M^-1, n rows of n numbers, by L W = D^-1 L^-T, whose right-hand side is zero left of the
/// diagonal. `scratch` has room for W in tiles, and one tile more.
template <class A>
void invert(const Factors<typename A::Scalar>& F, typename A::Scalar* result,
            void* scratch) noexcept {
  constexpr int T = A::block, numbers = Tile<A>::numbers;
  auto* W = static_cast<typename A::Scalar*>(scratch);
  for (int p = 0; p < F.count; ++p) {
    int c = 0;
    for (; c + 2 <= p; c += 2) inverse_tiles<A, 2>(F, p, c, W);
    if (c < p) inverse_tiles<A, 1>(F, p, c, W);
    Tile<A> own[] = {Tile<A>::read(F.rows + F.tiles[p].first + F.tiles[p].depth * numbers)};
    subtract_path<A, 1>(F, p, W + p * numbers, own);
    own[0].symmetric().write(W + p * row_of_tiles<A>(F) + p * numbers);
  }
  for (const TilePiece* y = F.pieces; y != F.pieces_end; ++y) {
    const auto* rows = W + y->place / numbers * row_of_tiles<A>(F) + y->place % numbers * T;
    const int k = y->column, end = y + 1 != F.pieces_end ? y[1].column : F.n;
    auto* to = result + static_cast<std::ptrdiff_t>(k) * F.n;
    if (k + 1 < end && k + T <= F.n)
      copy_rows<A, T>(F, rows, to);
    else
      for (int r = 0; r < end - k; ++r) copy_rows<A, 1>(F, rows + r * T, to + r * F.n);
  }
}

/// Z = -Y X, a block of columns in some rows. Those of Y, which is symmetric, start with the first of
/// these rows; only the listed rows of X count.
template <class A, int height>
[[gnu::always_inline]] inline void negative_tile(std::ptrdiff_t n, const typename A::Scalar* Y,
                                                 const typename A::Scalar* X0,
                                                 const typename A::Scalar* X1, const int* rows,
                                                 const int* end, typename A::Scalar* Z0,
                                                 typename A::Scalar* Z1) noexcept {
  using B = typename A::Block;
  B sum[height][2] = {};
  for (; rows != end; ++rows) {
    const std::ptrdiff_t k = *rows;
    const B x0 = A::read(X0 + k), x1 = A::read(X1 + k);
    for (int r = 0; r < height; ++r) {
      const B y(Y[k + r]);
      sum[r][0] -= y * x0, sum[r][1] -= y * x1;
    }
  }
#pragma GCC unroll 6
  for (int r = 0; r < height; ++r) {
    A::write(sum[r][0], Z0 + r * n, A::block);
    A::write(sum[r][1], Z1 + r * n, A::block);
  }
}

/// Z = -Y X for two X with the sparsity of the tree; Y is symmetric.
template <class A>
void multiply_negative(const Factors<typename A::Scalar>& F, const typename A::Scalar* Y,
                       Two<const typename A::Scalar> X, Two<typename A::Scalar> Z) noexcept {
  using S = typename A::Scalar;
  const std::ptrdiff_t n = F.n, width = A::block;
  if (n < 4) {
    for (std::ptrdiff_t i = 0; i < n * n; ++i)
      for (int m = 0; m < 2; ++m) {
        S sum(0);
        for (std::ptrdiff_t k = 0; k < n; ++k) sum -= Y[i / n * n + k] * X[m][k * n + i % n];
        Z[m][i] = sum;
      }
    return;
  }
  for (std::ptrdiff_t first = 0, s = 0; first < n; first += width, ++s) {
    // Blocks and rows at the end overlap those before.
    const std::ptrdiff_t j = first < n - width ? first : n - width;
    std::ptrdiff_t i = 0;
    const auto tile = [&]<int height>(std::ptrdiff_t row) {
      const std::ptrdiff_t k = row < n - height ? row : n - height, z = k * n + j;
      negative_tile<A, height>(n, Y + k, X[0] + j, X[1] + j, F.touching + F.touching_first[s],
                               F.touching + F.touching_first[s + 1], Z[0] + z, Z[1] + z);
    };
    for (; n - i > 8 || n - i == 6; i += 6) tile.template operator()<6>(i);
    for (; i < n; i += 4) tile.template operator()<4>(i);
  }
}

}  // namespace axode::engine
