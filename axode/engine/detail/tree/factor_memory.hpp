/// Lists and memory that factors of a matrix along paths, its inverse and products with it need.
/// Tests: tests/engine/detail/tree/factor_memory_test.cpp
#pragma once
#include "axode/engine/detail/kernels/kernels.hpp"
#include "axode/engine/detail/tree/scratch.hpp"
#include "axode/engine/detail/tree/strips.hpp"

namespace axode::engine {

struct FactorMemory {
  FactorMemory() = default;
  /// `parent` by velocity as in PathMatrix, in tiles of `tile` velocities. Throws LimitError if rows of
  /// tiles hold more than 2^31 numbers.
  FactorMemory(const std::vector<int>& parent, int tile);
  /// As the kernels see it.
  Factors<double> view() noexcept;

  Tiles tiles;
  Lists touching;     ///< by strip of columns as wide as a tile: where rows of n x n numbers start
  Scratch rows;       ///< of the factors, and the pivots
  Scratch inversion;  ///< what invert works in
};

}  // namespace axode::engine
