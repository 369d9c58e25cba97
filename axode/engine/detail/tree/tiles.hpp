/// The velocities of a tree in tiles, so that matrices along paths (path_matrix.hpp) are worked on by
/// whole registers: a tile has up to `size` places, and all velocities before its own on a path are in
/// it, in its parent, or in tiles before that. Rows of a tile are stored together along the path of
/// tiles, size x size numbers for each, zero where two velocities are not on one path; places that
/// no velocity has count as degrees of freedom of inertia one that move nothing else.
///
/// Made once per tree, depth first: long limbs fill tiles but for their last, short ones beside each
/// other share them.
/// Tests: tests/engine/detail/tree/tiles_test.cpp
#pragma once
#include <cstddef>
#include <vector>

namespace axode::engine {

struct PathTile {
  int parent = -1;           ///< -1 at a root
  int depth = 0;             ///< tiles before it on its path
  std::ptrdiff_t first = 0;  ///< where its rows start; block t is (size^2 t) further on
};

/// Consecutive velocities from `column` on are consecutive places from `place` on, in one tile.
struct TilePiece {
  int place = 0;  ///< size^2 tile + the place in it
  int column = 0;
};

struct Tiles {
  std::vector<PathTile> tiles;    ///< parents first
  std::vector<int> slot;          ///< by velocity: size * tile + the place in it
  std::vector<int> entries;       ///< by number of a PathMatrix: where it stands in the rows
  std::vector<int> idle;          ///< diagonal numbers of the places without a velocity
  std::vector<TilePiece> pieces;  ///< all velocities, by column
  std::size_t numbers = 0;        ///< in all rows
};
/// `parent` by velocity as in PathMatrix. Throws LimitError if rows hold more than 2^31 numbers.
Tiles tiles_of(const std::vector<int>& parent, int size);

}  // namespace axode::engine
