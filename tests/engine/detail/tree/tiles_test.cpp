#include "axode/engine/detail/tree/tiles.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "axode/core/error.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::engine::tiles_test {
namespace {

std::vector<int> random_parents(test::Random& random, int n) {
  std::vector<int> parent(n);
  for (int k = 0; k < n; ++k)
    parent[k] = random.integer(0, 2) > 0 ? k - 1 : random.integer(-1, k - 1);
  return parent;
}

/// All that stands on the path of a velocity is in tiles on the path of its tile, before it.
TEST(Tiles, HoldPaths) {
  test::for_random_cases(300, [](test::Random& random) {
    const int n = random.integer(0, 40), size = random.integer(0, 1) == 0 ? 1 : 4;
    const std::vector<int> parent = random_parents(random, n);
    const Tiles t = tiles_of(parent, size);
    std::size_t numbers = 0;
    for (std::size_t i = 0; i < t.tiles.size(); ++i) {
      const PathTile& tile = t.tiles[i];
      EXPECT_LT(tile.parent, static_cast<int>(i));
      EXPECT_EQ(tile.depth, tile.parent < 0 ? 0 : t.tiles[tile.parent].depth + 1);
      EXPECT_EQ(tile.first, static_cast<std::ptrdiff_t>(numbers));
      numbers += (tile.depth + 1) * size * size;
    }
    EXPECT_EQ(t.numbers, numbers);
    EXPECT_EQ(std::set<int>(t.slot.begin(), t.slot.end()).size(), parent.size());
    for (int k = 0; k < n; ++k)
      for (int i = k; i >= 0; i = parent[i]) {
        int tile = t.slot[k] / size;
        while (tile > t.slot[i] / size) tile = t.tiles[tile].parent;
        ASSERT_EQ(tile, t.slot[i] / size);
        ASSERT_LE(t.slot[i], t.slot[k]);
      }
  });
}

TEST(Tiles, KnowWhereNumbersStand) {
  test::for_random_cases(300, [](test::Random& random) {
    const int n = random.integer(0, 40), size = random.integer(0, 1) == 0 ? 1 : 4;
    const std::vector<int> parent = random_parents(random, n);
    const Tiles t = tiles_of(parent, size);
    std::set<int> taken(t.idle.begin(), t.idle.end());
    std::size_t e = 0;
    for (int k = 0; k < n; ++k)
      for (int i = k; i >= 0; i = parent[i], ++e) {
        const PathTile &row = t.tiles[t.slot[k] / size], &column = t.tiles[t.slot[i] / size];
        const int place = t.slot[k] % size * size + t.slot[i] % size;
        ASSERT_EQ(t.entries[e], static_cast<int>(row.first) + column.depth * size * size + place);
        taken.insert(t.entries[e]);
      }
    EXPECT_EQ(e, t.entries.size());
    EXPECT_EQ(taken.size(), t.entries.size() + t.idle.size());
    // Each place has a diagonal number.
    EXPECT_EQ(parent.size() + t.idle.size(), t.tiles.size() * size);
    for (const PathTile& tile : t.tiles)
      for (int r = 0; r < size; ++r)
        EXPECT_TRUE(taken.contains(static_cast<int>(tile.first) + tile.depth * size * size +
                                   r * (size + 1)));
  });
}

TEST(Tiles, PiecesAreAllColumns) {
  test::for_random_cases(300, [](test::Random& random) {
    const int n = random.integer(0, 40), size = random.integer(0, 1) == 0 ? 1 : 4;
    const Tiles t = tiles_of(random_parents(random, n), size);
    for (std::size_t p = 0; p < t.pieces.size(); ++p) {
      const TilePiece piece = t.pieces[p];
      const int end = p + 1 < t.pieces.size() ? t.pieces[p + 1].column : n;
      ASSERT_LT(piece.column, end);
      ASSERT_LE(piece.place % (size * size) + end - piece.column, size);
      for (int k = piece.column; k < end; ++k)
        EXPECT_EQ(t.slot[k], piece.place / (size * size) * size + piece.place % (size * size) + k -
                                 piece.column);
    }
    EXPECT_EQ(t.pieces.empty(), n == 0);
    EXPECT_EQ(n == 0 ? 0 : t.pieces[0].column, 0);
  });
}

/// Base and limbs: what a limb leaves of a tile, another takes if it is short.
TEST(Tiles, AreFull) {
  const auto count = [](const std::vector<int>& limbs, int base) {
    std::vector<int> parent(base);
    std::iota(parent.begin(), parent.end(), -1);
    std::vector<int> by_depth = parent, last(limbs.size(), base - 1);
    for (const int limb : limbs)
      for (int k = 0; k < limb; ++k)
        parent.push_back(k == 0 ? base - 1 : static_cast<int>(parent.size()) - 1);
    for (int k = 0; by_depth.size() < parent.size(); ++k)
      for (std::size_t i = 0; i < limbs.size(); ++i)
        if (k < limbs[i]) {
          by_depth.push_back(last[i]);
          last[i] = static_cast<int>(by_depth.size()) - 1;
        }
    const std::size_t tiles = tiles_of(parent, 4).tiles.size();
    EXPECT_EQ(tiles_of(by_depth, 4).tiles.size(), tiles);  // whatever the numbering
    return tiles;
  };
  EXPECT_EQ(count({}, 0), 0U);
  EXPECT_EQ(count({}, 6), 2U);
  EXPECT_EQ(count({}, 1001), 251U);
  EXPECT_EQ(count({3, 3, 3, 3}, 6), 5U);
  EXPECT_EQ(count({6, 6, 8, 8}, 6), 9U);
  EXPECT_EQ(count(std::vector<int>(99, 1), 1), 25U);
  EXPECT_EQ(count(std::vector<int>(20, 2), 4), 11U);
  EXPECT_EQ(count({3, 2, 1, 2}, 4), 4U);  // no limb is torn apart for the rest of a tile
}

TEST(Tiles, TooManyNumbersAreRefused) {
  std::vector<int> chain(70'000);
  std::iota(chain.begin(), chain.end(), -1);
  EXPECT_THROW(tiles_of(chain, 4), LimitError);
}

}  // namespace
}  // namespace axode::engine::tiles_test
