#include "axode/engine/detail/tree/factor_memory.hpp"

namespace axode::engine {

FactorMemory::FactorMemory(const std::vector<int>& parent, int tile)
    : tiles(tiles_of(parent, tile)), touching(velocities_touching(parent, tile)) {
  const auto size = static_cast<std::size_t>(tile), places = tiles.tiles.size() * size;
  rows.reserve((tiles.numbers + places) * sizeof(double));
  inversion.reserve((places * places + size * size) * sizeof(double));
  for (int& k : touching.numbers) k *= static_cast<int>(parent.size());
}

Factors<double> FactorMemory::view() noexcept {
  const auto end = [](const auto& x) { return x.data() + x.size(); };
  auto* values = static_cast<double*>(rows.data());
  return {.rows = values,
          .pivots = values + tiles.numbers,
          .tiles = tiles.tiles.data(),
          .n = static_cast<int>(tiles.slot.size()),
          .count = static_cast<int>(tiles.tiles.size()),
          .slot = tiles.slot.data(),
          .entries = tiles.entries.data(),
          .entries_end = end(tiles.entries),
          .idle = tiles.idle.data(),
          .idle_end = end(tiles.idle),
          .pieces = tiles.pieces.data(),
          .pieces_end = end(tiles.pieces),
          .touching = touching.numbers.data(),
          .touching_first = touching.first.data()};
}

}  // namespace axode::engine
