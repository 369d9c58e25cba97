#include "axode/linalg/largest.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace axode::test::largest_test {
namespace {

using detail::largest;

TEST(Largest, IsTheLargestMagnitudeAndItsIndex) {
  int where = -1;
  EXPECT_EQ(largest(std::vector<double>{1, -3, 2}, where), 3);
  EXPECT_EQ(where, 1);
  EXPECT_EQ(largest(std::vector<double>{1, -3, 2}), 3);
}

TEST(Largest, WeighsByTheScale) {
  int where = -1;
  EXPECT_EQ(largest(std::vector<double>{1, -3, 2}, std::vector<double>{1, 100, 0.5}, where), 4);
  EXPECT_EQ(where, 2);
}

TEST(Largest, OfNothingAndOfZerosIsZeroAndLeavesTheIndex) {
  int where = 7;
  EXPECT_EQ(largest({}, where), 0);
  EXPECT_EQ(largest(std::vector<double>{0, -0.0}, where), 0);
  EXPECT_EQ(where, 7);
}

TEST(Largest, IsInfiniteWhereANumberIsNotFinite) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                   inf = std::numeric_limits<double>::infinity();
  for (const double x : {nan, inf, -inf}) {
    int where = -1;
    EXPECT_EQ(largest(std::vector<double>{1e300, x, 2}, where), inf);
    EXPECT_EQ(where, 1);
  }
}

}  // namespace
}  // namespace axode::test::largest_test
