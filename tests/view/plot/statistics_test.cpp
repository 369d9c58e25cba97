#include "axode/view/plot/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace axode::test::statistics_test {
namespace {

TEST(SampleStatistics, OfAFewNumbers) {
  const std::vector<double> t{0, 1, 2, 3}, x{3, -4, 3, -4};
  const SampleStatistics s = statistics_of(t, x);
  EXPECT_EQ(s.min, -4);
  EXPECT_EQ(s.min_time, 1);
  EXPECT_EQ(s.max, 3);
  EXPECT_EQ(s.max_time, 0);
  EXPECT_EQ(s.last, -4);
  EXPECT_DOUBLE_EQ(s.rms, std::sqrt(12.5));
  EXPECT_EQ(s.not_finite, 0U);
}

TEST(SampleStatistics, LeavesOutWhatIsNotFinite) {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> t{0, 1, 2, 3}, x{nan, 2, infinity, nan};
  const SampleStatistics s = statistics_of(t, x);
  EXPECT_EQ(s.min, 2);
  EXPECT_EQ(s.max, 2);
  EXPECT_EQ(s.last, 2);
  EXPECT_DOUBLE_EQ(s.rms, 2);
  EXPECT_EQ(s.not_finite, 3U);
  const SampleStatistics none = statistics_of(std::vector<double>{0}, std::vector<double>{nan});
  EXPECT_TRUE(std::isnan(none.min) && std::isnan(none.max) && std::isnan(none.rms));
}

TEST(SampleStatistics, SquaresOfLargeAndSmallNumbersStayFinite) {
  for (const double size : {1e-300, 1e300}) {
    const std::vector<double> t{0, 1}, x{3 * size, 4 * size};
    EXPECT_NEAR(statistics_of(t, x).rms / size, std::sqrt(12.5), 1e-14) << size;
  }
}

}  // namespace
}  // namespace axode::test::statistics_test
