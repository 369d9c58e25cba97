/// The algorithms of the engine, compiled for each instruction set, as tables of functions.
/// Tests: tests/engine/detail/kernels/kernels_test.cpp
#pragma once
#include "axode/core/instruction_set.hpp"
#include "axode/engine/detail/tree/call.hpp"
#include "axode/engine/detail/tree/tiles.hpp"

namespace axode::engine {

/// Where derivatives go: d tau / d(q, v) dense, row by row; M along paths.
template <class S>
struct DerivativeRows {
  S* tau = nullptr;   ///< or none
  S* by_q = nullptr;  ///< or none
  S* by_v = nullptr;
  Rows<S> by_a{};  ///< values, or none
};

/// Factors of a matrix along paths, in tiles, and the lists of those (tiles.hpp).
template <class S>
struct Factors {
  S* rows = nullptr;    ///< of all tiles
  S* pivots = nullptr;  ///< by place; where the rows end
  const PathTile* tiles = nullptr;
  int n = 0, count = 0;  ///< velocities, tiles
  const int* slot = nullptr;
  const int *entries = nullptr, *entries_end = nullptr;
  const int *idle = nullptr, *idle_end = nullptr;
  const TilePiece *pieces = nullptr, *pieces_end = nullptr;
  /// By strip of columns as wide as a tile: where in n x n numbers the rows start of velocities on one
  /// path with one of them, list by list.
  const int *touching = nullptr, *touching_first = nullptr;
};

/// Two matrices, evaluated together.
template <class S>
using Two = S* const (&)[2];

/// For one state. The scratch of the call has the bytes scratch_bytes() tells.
struct Kernels {
  int lanes;
  std::size_t (*scratch_bytes)(int n, int nv, int path) noexcept;
  void (*angles)(const Call<double>&, double* cosine, double* sine) noexcept;
  void (*poses)(const Call<double>&, const EngineSteps&, double* T_PB, double* T_WB,
                double* screws) noexcept;
  void (*path_poses)(const Call<double>&, const EngineSteps&, const int* bodies, int count,
                     double* T_WB) noexcept;
  void (*inverse_dynamics)(const Call<double>&, double* tau) noexcept;
  bool (*forward_dynamics)(const Call<double>&, double* a) noexcept;
  bool (*coupled_forward_dynamics)(const Call<double>&, double* a) noexcept;
  void (*mass_matrix)(const Call<double>&, const Rows<double>&) noexcept;
  void (*derivatives)(const Call<double>&, const DerivativeRows<double>&) noexcept;
  bool (*factorize)(const Rows<double>&, const Factors<double>&) noexcept;
  void (*invert)(const Factors<double>&, double* X, void* scratch) noexcept;
  void (*multiply_negative)(const Factors<double>&, const double* Y, Two<const double> X,
                            Two<double> Z) noexcept;
  int tile;  ///< places in a tile
};

/// Those for this CPU.
const Kernels& kernels() noexcept;

namespace detail {
template <int lanes>
const Kernels& kernels_for() noexcept;
}

}  // namespace axode::engine
