#include "axode/engine/detail/tree/factor_memory.hpp"

#include <gtest/gtest.h>

#include "tests/support/random_cases.hpp"

namespace axode::engine::factor_memory_test {
namespace {

/// What the kernels see is what was made for the tree, and copies have memory of their own.
TEST(FactorMemory, ShowsItsLists) {
  test::for_random_cases(50, [](test::Random& random) {
    const int n = random.integer(1, 30), tile = random.integer(0, 1) == 0 ? 1 : 4;
    std::vector<int> parent(n);
    for (int k = 0; k < n; ++k) parent[k] = random.integer(-1, k - 1);
    FactorMemory memory(parent, tile);
    const Factors<double> view = memory.view();
    const Tiles tiles = tiles_of(parent, tile);
    EXPECT_EQ(view.n, n);
    EXPECT_EQ(view.count, std::ssize(tiles.tiles));
    EXPECT_EQ(view.pivots - view.rows, static_cast<std::ptrdiff_t>(tiles.numbers));
    EXPECT_EQ(std::vector<int>(view.entries, view.entries_end), tiles.entries);
    EXPECT_EQ(std::vector<int>(view.idle, view.idle_end), tiles.idle);
    EXPECT_EQ(std::vector<int>(view.slot, view.slot + n), tiles.slot);
    EXPECT_EQ(view.pieces_end - view.pieces, std::ssize(tiles.pieces));
    const Lists lists = velocities_touching(parent, tile);
    for (std::size_t k = 0; k < lists.numbers.size(); ++k)
      EXPECT_EQ(view.touching[k], lists.numbers[k] * n);
    FactorMemory copy = memory;
    EXPECT_NE(copy.view().rows, view.rows);
    EXPECT_NE(copy.view().entries, view.entries);
  });
}

TEST(FactorMemory, OfNothing) {
  FactorMemory none;
  EXPECT_EQ(none.view().n, 0);
  EXPECT_EQ(none.view().count, 0);
}

}  // namespace
}  // namespace axode::engine::factor_memory_test
