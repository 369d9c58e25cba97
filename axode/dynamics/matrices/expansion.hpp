/// Coupled joints as a linear map: all velocities from the independent ones, v = E y.
///
/// Each row of E has one entry, so that products with it cost one pass over the numbers:
///
///   E^T f      forces on the independent velocities that do the same work
///   E^T M E    their mass matrix, which has not the sparsity of the tree
///
/// Independent velocities are those of joints that follow no other, in the order of the tree.
/// Tests: tests/dynamics/matrices/expansion_test.cpp
#pragma once
#include <vector>

#include "axode/dynamics/matrices/path_matrix.hpp"
#include "axode/model/state.hpp"

namespace axode {

struct Expansion {
  explicit Expansion(const Tree& tree);
  int size() const noexcept { return static_cast<int>(velocity.size()); }
  bool coupled() const noexcept { return velocity.size() != column.size(); }

  std::vector<int> column;    ///< by velocity: the independent one it is a multiple of
  std::vector<double> ratio;  ///< by velocity
  std::vector<int> velocity;  ///< by independent velocity: its own number
};

/// Writes E y. None of these allocates, but for the one that returns a matrix.
void expand(const Expansion& E, In<double> y, Out<double> v) noexcept;
/// Writes E^T f.
void reduce(const Expansion& E, In<double> f, Out<double> y) noexcept;
/// E^T X E.
DenseMatrix<double> reduce(const Expansion& E, const DenseMatrix<double>& X);
/// Writes E^T M E, with the sizes of the numbers that its diagonal is the sum of, to a full_matrix.
void reduce(const Expansion& E, const PathMatrix<double>& M, PathMatrix<double>& result) noexcept;

}  // namespace axode
