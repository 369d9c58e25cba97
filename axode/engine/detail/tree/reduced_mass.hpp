/// The mass matrix of the independent velocities of a tree with coupled joints, E^T M E with v = E y
/// (expansion.hpp), along paths of its own.
///
/// A leader takes the place where its group meets (coupled_groups.hpp). Eliminated from the leaves to
/// the root in that order, M fills in nothing but along the paths of the elimination tree, which cover
/// those of all joints of a group only up to where it meets. So factors, inverse and products take the
/// same algorithms as those of M.
/// Tests: tests/engine/detail/tree/reduced_mass_test.cpp
#pragma once
#include <vector>

#include "axode/dynamics/matrices/path_matrix.hpp"
#include "axode/engine/detail/tree/coupled_groups.hpp"
#include "axode/engine/detail/tree/factor_memory.hpp"

namespace axode::engine {

/// Number `to` of the reduced matrix gets `factor` times a number of M.
struct ReducedEntry {
  int to = 0;
  double factor = 1;
};

struct ReducedPattern {
  ReducedPattern() = default;
  /// M along the paths of the tree. Throws LimitError for more than 2^31 entries.
  ReducedPattern(const Tree& tree, const EngineTree& engine, const CoupledGroups& groups,
                 const PathMatrix<double>& M);
  int size() const noexcept { return static_cast<int>(velocity.size()); }

  std::vector<int> column;            ///< by velocity: its number among the independent ones
  std::vector<double> ratio;          ///< by velocity
  std::vector<int> velocity;          ///< by independent velocity: that of the tree
  std::vector<int> parent;            ///< by independent velocity, as in PathMatrix
  std::vector<std::size_t> first;     ///< the same
  std::vector<ReducedEntry> entries;  ///< by number of M
};

/// The matrix of one state, and its inverse.
struct ReducedMass {
  ReducedMass() = default;
  /// In tiles of `tile` velocities.
  ReducedMass(ReducedPattern of, int tile);
  /// Writes E^T M E to `matrix`, with its scale.
  void reduce(const PathMatrix<double>& M) noexcept;
  /// Writes E `inverse` E^T.
  void expand_inverse(DenseMatrix<double>& result) const noexcept;

  ReducedPattern pattern;
  PathMatrix<double> matrix;
  FactorMemory factors;
  DenseMatrix<double> inverse;
};

}  // namespace axode::engine
