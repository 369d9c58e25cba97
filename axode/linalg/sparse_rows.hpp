/// Sparse rectangular matrices by rows, of constant pattern: Jacobians and mass matrices of equations.
/// Tests: tests/linalg/sparse_rows_test.cpp
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace axode {

/// begin, add all entries, end; again in the same order for other values. Entries of a row are sorted by columns,
/// those added twice are summed.
struct SparseRows {
  int rows = 0, columns = 0;
  std::vector<int> start, column;
  std::vector<double> value;

  void begin(int row_count, int column_count);
  void add(int row, int col, double x) {
    if (ready)
      value[slots[next++]] += x;
    else
      entries.push_back({row, col, x});
  }
  void end();
  void forget();  ///< the pattern: it will be made again
  int nonzeros() const noexcept { return static_cast<int>(column.size()); }
  /// result = A x; result += A^T y.
  void multiply(std::span<const double> x, std::span<double> result) const noexcept;
  void add_transposed(std::span<const double> y, std::span<double> result) const noexcept;

  struct Entry {
    int row, column;
    double value;
  };
  bool ready = false;
  std::size_t next = 0;
  std::vector<int> slots;
  std::vector<Entry> entries;
};

}  // namespace axode
