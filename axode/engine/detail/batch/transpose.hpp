/// Numbers of several states, one state after the other in memory, to and from packs that hold one
/// number of all of them.
///
/// Tiles of four columns (two in packs of two) are turned by shuffles; of eight rows, two are put into
/// one register while they are read. Rows need not have a multiple of four numbers: read_rows may read
/// up to three more behind the last one, write_rows writes what belongs to the rows and no more.
/// Tests: tests/engine/detail/batch/transpose_lanes_test.cpp
#pragma once
#include "axode/engine/detail/batch/tiles.hpp"

namespace axode::batch {

/// Reads n rows of `size` numbers: to[j] holds number j of all.
template <int n>
[[gnu::always_inline]] inline void read_rows(const double* from, std::ptrdiff_t size,
                                             Pack<double, n>* to) noexcept {
  constexpr int columns = tile_columns<n>;
  for (std::ptrdiff_t j = 0; j < size; j += columns) {
    detail::Vector<n> x[columns];
    for (int k = 0; k < columns; ++k) x[k] = detail::load_row<n>(from + k * size + j, size);
    detail::transpose(x);
    for (int k = 0; k < columns; ++k) to[j + k].v = x[k];
  }
}

/// Writes the first `rows` rows of `size` numbers, 1 to n of them.
template <int n>
[[gnu::always_inline]] inline void write_rows(const Pack<double, n>* from, std::ptrdiff_t size,
                                              std::ptrdiff_t rows, double* to) noexcept {
  constexpr int columns = tile_columns<n>;
  std::ptrdiff_t j = 0;
  if (rows == n) {
    for (; j + columns <= size; j += columns) {
      if (j % 8 == 0) detail::expect_writes<n>(to + j + detail::ahead, size);
      detail::write_tile<n>(from + j, columns, size, n, to + j);
    }
    if (columns > 2 && j + 2 == size) return detail::write_tile<n>(from + j, 2, size, n, to + j);
  }
  for (; j < size; j += columns) detail::write_tile<n>(from + j, size - j, size, rows, to + j);
}

/// Writes the first `count` numbers of a pack, 1 to n.
template <int n>
[[gnu::always_inline]] inline void store_first(const Pack<double, n>& x, double* to,
                                               std::ptrdiff_t count) noexcept {
  for (int k = 0; k < n; ++k)
    if (k < count) to[k] = x.v[k];
}

}  // namespace axode::batch
