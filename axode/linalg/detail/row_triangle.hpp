/// Sparse matrices rotated into a triangle row by row: rank and null space of large ones.
///
///   Q J P = R                                                                [GeorgeHeath1980]
///
/// Columns are ordered by least degree of J^T J, rows by their first column. Entries below the
/// tolerance count as zero [Heath1982]. Cost: O(n) for chains of loops, where fill is bounded.
/// Tests: tests/linalg/detail/row_triangle_test.cpp
#pragma once
#include <vector>

#include "axode/linalg/rank.hpp"

namespace axode {

struct RowTriangle {
  struct Entry {
    int column = 0;  ///< place in `order`
    double value = 0;
  };
  std::vector<int> order;                ///< columns of J in the order of elimination
  std::vector<std::vector<Entry>> rows;  ///< by place; empty: the column is free
  std::vector<int> redundant;            ///< rows of J that came out as zero, sorted
  double smallest_kept = 1, largest_dropped = 0;
};
RowTriangle row_triangle(const SparseRows& J, double tolerance);
/// A vector of unit length per free column.
std::vector<std::vector<double>> triangle_null_space(const RowTriangle& triangle, int columns);
/// Of rows with such dependences those that depend on earlier ones.
std::vector<int> last_of_dependent(const std::vector<RowDependence>& dependences, double tolerance);
/// Order of columns with little fill in J^T J.
std::vector<int> least_degree_order(const SparseRows& J);

}  // namespace axode
