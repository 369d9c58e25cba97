// Tiles of four columns of numbers (two in packs of two), turned by shuffles.
#pragma once
#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include <cstddef>

#include "axode/lie/pack.hpp"

namespace axode::batch {

/// Columns of a tile.
template <int n>
inline constexpr int tile_columns = n < 4 ? n : 4;
/// Numbers that read_rows takes for a row, and packs that both functions want room for.
template <int n>
constexpr std::ptrdiff_t whole_tiles(std::ptrdiff_t size) noexcept {
  return (size + tile_columns<n> - 1) / tile_columns<n> * tile_columns<n>;
}

namespace detail {

template <int n>
using Vector = typename Pack<double, n>::Vector;

template <int n>
[[gnu::always_inline]] inline Vector<n> load(const double* from) noexcept {
  return Pack<double, n>::load(from).v;
}
template <int n>
[[gnu::always_inline]] inline void store(const Vector<n>& x, double* to) noexcept {
  __builtin_memcpy(to, &x, sizeof x);
}

/// Exchanges number j of x[k] with number k of x[j], in packs of eight within each half.
[[gnu::always_inline]] inline void transpose(Vector<2> (&x)[2]) noexcept {
  const Vector<2> a = x[0], b = x[1];
  x[0] = __builtin_shufflevector(a, b, 0, 2);
  x[1] = __builtin_shufflevector(a, b, 1, 3);
}
[[gnu::always_inline]] inline void transpose(Vector<4> (&x)[4]) noexcept {
  const Vector<4> a = __builtin_shufflevector(x[0], x[1], 0, 4, 2, 6),
                  b = __builtin_shufflevector(x[0], x[1], 1, 5, 3, 7),
                  c = __builtin_shufflevector(x[2], x[3], 0, 4, 2, 6),
                  d = __builtin_shufflevector(x[2], x[3], 1, 5, 3, 7);
  x[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  x[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  x[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  x[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}
[[gnu::always_inline]] inline void transpose(Vector<8> (&x)[4]) noexcept {
  const Vector<8> a = __builtin_shufflevector(x[0], x[1], 0, 8, 2, 10, 4, 12, 6, 14),
                  b = __builtin_shufflevector(x[0], x[1], 1, 9, 3, 11, 5, 13, 7, 15),
                  c = __builtin_shufflevector(x[2], x[3], 0, 8, 2, 10, 4, 12, 6, 14),
                  d = __builtin_shufflevector(x[2], x[3], 1, 9, 3, 11, 5, 13, 7, 15);
  x[0] = __builtin_shufflevector(a, c, 0, 1, 8, 9, 4, 5, 12, 13);
  x[1] = __builtin_shufflevector(b, d, 0, 1, 8, 9, 4, 5, 12, 13);
  x[2] = __builtin_shufflevector(a, c, 2, 3, 10, 11, 6, 7, 14, 15);
  x[3] = __builtin_shufflevector(b, d, 2, 3, 10, 11, 6, 7, 14, 15);
}

/// Row k of a tile, in packs of eight with row k + 4 behind it.
template <int n>
[[gnu::always_inline]] inline Vector<n> load_row(const double* from, std::ptrdiff_t size) noexcept {
  if constexpr (n < 8) return load<n>(from);
#if defined(__AVX512F__)
  else  // a shuffle would take the one unit for them
    return _mm512_maskz_insertf64x4(0xff, _mm512_castpd256_pd512(load<4>(from)),
                                    load<4>(from + 4 * size), 1);
#else
  else
    return __builtin_shufflevector(load<4>(from), load<4>(from + 4 * size), 0, 1, 2, 3, 4, 5, 6, 7);
#endif
}

/// The first `count` numbers of a row of a tile.
template <int n>
[[gnu::always_inline]] inline void store_numbers(const Vector<n>& x, std::ptrdiff_t count,
                                                 double* to) noexcept {
  if (count >= n) return store<n>(x, to);
  if constexpr (n == 4) {
    if (count >= 2) {
      store<2>(__builtin_shufflevector(x, x, 0, 1), to);
      if (count == 3) to[2] = x[2];
      return;
    }
  }
  to[0] = x[0];
}
/// Row k of a tile if it is one of `rows`, in packs of eight also row k + 4.
template <int n>
[[gnu::always_inline]] inline void store_row(const Vector<n>& x, std::ptrdiff_t count,
                                             std::ptrdiff_t size, std::ptrdiff_t rows, int k,
                                             double* to) noexcept {
  if constexpr (n < 8) {
    if (k < rows) store_numbers<n>(x, count, to);
  } else {
    if (k < rows) store_numbers<4>(__builtin_shufflevector(x, x, 0, 1, 2, 3), count, to);
    if (k + 4 < rows)
      store_numbers<4>(__builtin_shufflevector(x, x, 4, 5, 6, 7), count, to + 4 * size);
  }
}
/// Numbers ahead of which lines of the cache are fetched that will be written. Stores wait for them
/// one after the other, in as many streams as there are rows, which would take twice as long.
inline constexpr int ahead = 12;
template <int n>
[[gnu::always_inline]] inline void expect_writes(const double* to, std::ptrdiff_t size) noexcept {
  for (int k = 0; k < n; ++k) __builtin_prefetch(to + k * size, 1);
}
template <int n>
[[gnu::always_inline]] inline void write_tile(const Pack<double, n>* from, std::ptrdiff_t count,
                                              std::ptrdiff_t size, std::ptrdiff_t rows,
                                              double* to) noexcept {
  constexpr int columns = tile_columns<n>;
  Vector<n> x[columns];
  for (int k = 0; k < columns; ++k) x[k] = from[k].v;
  transpose(x);
  for (int k = 0; k < columns; ++k) store_row<n>(x[k], count, size, rows, k, to + k * size);
}

}  // namespace detail

}  // namespace axode::batch
