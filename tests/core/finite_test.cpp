#include "axode/core/finite.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace axode::test::finite {

TEST(Finite, FindsWhatIsNotFiniteWhereverItStands) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const std::size_t n : {1, 2, 15, 16, 17, 31, 32, 100}) {
    std::vector<double> numbers(n, 1.5);
    EXPECT_TRUE(all_finite(numbers)) << n;
    for (std::size_t k = 0; k < n; ++k)
      for (const double bad : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
        numbers[k] = bad;
        EXPECT_FALSE(all_finite(numbers)) << n << " " << k << " " << bad;
        numbers[k] = 1.5;
      }
  }
  EXPECT_TRUE(all_finite({}));
}
TEST(Finite, SumsThatOverflowOrCancelDoNotDeceive) {
  constexpr double huge = std::numeric_limits<double>::max();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(all_finite(std::vector<double>(40, huge)));
  EXPECT_TRUE(all_finite(std::vector<double>{huge, huge, -huge, -huge}));
  EXPECT_FALSE(all_finite(std::vector<double>{infinity, -infinity}));
  EXPECT_FALSE(all_finite(std::vector<double>{huge, huge, -infinity}));
}

}  // namespace axode::test::finite
