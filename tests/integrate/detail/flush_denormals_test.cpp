#include "axode/integrate/detail/flush_denormals.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace axode::test::flush_denormals {

TEST(FlushDenormals, OnlyWhileItLives) {
  volatile double smallest = std::numeric_limits<double>::min();
  volatile double half = 0.5;
  {
    const FlushDenormals flush;
#ifdef __SSE2__
    EXPECT_EQ(smallest * half, 0);
#endif
    EXPECT_EQ(smallest * 2, 2 * std::numeric_limits<double>::min());
  }
  EXPECT_GT(smallest * half, 0);
}

}  // namespace axode::test::flush_denormals
