#include "axode/engine/detail/tree/tiles.hpp"

#include "axode/core/error.hpp"

namespace axode::engine {

namespace {

/// By velocity: how many it carries, with itself.
std::vector<int> carried_by(const std::vector<int>& parent) {
  std::vector<int> carried(parent.size(), 1);
  for (std::size_t k = parent.size(); k-- > 0;)
    if (parent[k] >= 0) carried[parent[k]] += carried[k];
  return carried;
}

/// An order in which each is followed by all it carries.
std::vector<int> depth_first(const std::vector<int>& parent, const std::vector<int>& carried) {
  std::vector<int> order(parent.size()), next(parent.size());
  int next_root = 0;
  for (std::size_t k = 0; k < parent.size(); ++k) {
    int& position = parent[k] < 0 ? next_root : next[parent[k]];
    order[position] = static_cast<int>(k);
    next[k] = position + 1;
    position += carried[k];
  }
  return order;
}

/// Each velocity goes to the tile of the one before it on its path, or to the latest other that this
/// carries if all that it carries itself fits in; else it starts a new tile.
void fill(const std::vector<int>& parent, int size, Tiles& t) {
  const std::vector<int> carried = carried_by(parent);
  std::vector<int> room, latest{-1};  // by tile; by tile and one more for the world, which is -1
  t.slot.assign(parent.size(), 0);
  for (const int k : depth_first(parent, carried)) {
    const int p = parent[k], above = p < 0 ? -1 : t.slot[p] / size;
    int tile = above;
    if (above < 0 || room[above] == 0) tile = latest[above + 1];
    if (tile < 0 || room[tile] < (tile == above ? 1 : carried[k])) {
      tile = latest[above + 1] = static_cast<int>(t.tiles.size());
      t.tiles.push_back({above, above < 0 ? 0 : t.tiles[above].depth + 1, 0});
      room.push_back(size), latest.push_back(-1);
    }
    t.slot[k] = size * (tile + 1) - room[tile]--;
  }
}

/// Where rows start, and the places left free.
void place_rows(int size, Tiles& t) {
  std::vector<bool> used(t.tiles.size() * size, false);
  for (const int s : t.slot) used[s] = true;
  std::size_t slot = 0;
  for (PathTile& tile : t.tiles) {
    const std::size_t block = std::size_t(size) * size,
                      diagonal = t.numbers + block * std::size_t(tile.depth);
    tile.first = static_cast<std::ptrdiff_t>(t.numbers);
    t.numbers = diagonal + block;
    if (t.numbers > std::size_t{1} << 31)
      throw LimitError("the rows of its factors hold more than 2^31 numbers", "mass matrix",
                       "use inverse_dynamics and forward_dynamics, which need no matrix");
    for (std::size_t r = 0; r < std::size_t(size); ++r, ++slot)
      if (!used[slot]) t.idle.push_back(static_cast<int>(diagonal + r * std::size_t(size + 1)));
  }
}

}  // namespace

Tiles tiles_of(const std::vector<int>& parent, int size) {
  Tiles t;
  fill(parent, size, t);
  place_rows(size, t);
  const auto n = static_cast<int>(parent.size());
  const auto tile = [&](int k) -> const PathTile& { return t.tiles[t.slot[k] / size]; };
  for (int k = 0; k < n; ++k) {
    const int slot = t.slot[k], row = static_cast<int>(tile(k).first) + slot % size * size;
    for (int i = k; i >= 0; i = parent[i])
      t.entries.push_back(row + tile(i).depth * size * size + t.slot[i] % size);
    const bool follows = k > 0 && slot % size > 0 && t.slot[k - 1] == slot - 1;
    if (!follows) t.pieces.push_back({slot / size * size * size + slot % size, k});
  }
  return t;
}

}  // namespace axode::engine
