#include "axode/engine/detail/tree/strips.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/random_cases.hpp"

namespace axode::engine::strips_test {
namespace {

/// Whether one of the velocities is on the path of the other.
bool on_one_path(const std::vector<int>& parent, int i, int j) {
  if (i < j) std::swap(i, j);
  while (i > j) i = parent[i];
  return i == j;
}

TEST(Strips, ListWhatIsOnOnePathWithTheirColumns) {
  test::for_random_cases(300, [](test::Random& random) {
    const int n = random.integer(0, 40), width = random.integer(0, 1) == 0 ? 4 : 8;
    std::vector<int> parent(n);
    for (int k = 0; k < n; ++k)
      parent[k] = random.integer(0, 2) == 0 ? k - 1 : random.integer(-1, k - 1);
    const Lists lists = velocities_touching(parent, width);
    const int strips = (n + width - 1) / width;
    ASSERT_EQ(lists.first.size(), static_cast<std::size_t>(strips + 1));
    EXPECT_EQ(lists.first.front(), 0);
    EXPECT_EQ(lists.first.back(), static_cast<int>(lists.numbers.size()));
    for (int s = 0; s < strips; ++s) {
      // The last strip is as wide as others, but for lack of columns.
      const int end = std::min((s + 1) * width, n);
      const int begin = std::min(s * width, std::max(0, n - width));
      std::vector<int> expected;
      for (int k = 0; k < n; ++k) {
        bool touches = false;
        for (int j = begin; j < end; ++j) touches = touches || on_one_path(parent, k, j);
        if (touches) expected.push_back(k);
      }
      const auto at = [&](int i) { return lists.numbers.begin() + lists.first[i]; };
      EXPECT_EQ(std::vector<int>(at(s), at(s + 1)), expected);
    }
  });
}

}  // namespace
}  // namespace axode::engine::strips_test
