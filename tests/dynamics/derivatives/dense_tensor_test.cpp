#include "axode/dynamics/derivatives/dense_tensor.hpp"

#include <gtest/gtest.h>

#include "tests/support/errors.hpp"

namespace axode::test::dense_tensor_test {
namespace {

TEST(DenseTensor, LastIndexRunsFastest) {
  DenseTensor<double> t(3);
  EXPECT_EQ(t.values, std::vector<double>(27, 0.));
  for (std::size_t e = 0; e < 27; ++e) t.values[e] = static_cast<double>(e);
  EXPECT_EQ(t(0, 0, 1), 1);
  EXPECT_EQ(t(0, 1, 0), 3);
  EXPECT_EQ(t(2, 1, 1), 22);
  t(1, 2, 0) = -1;
  EXPECT_EQ(t.values[15], -1);
}

TEST(DenseTensor, TooManyEntriesAreRefusedBeforeMemoryIs) {
  expect_says(message([] { DenseTensor<double>(1001); }), "1001^3");
  EXPECT_TRUE(DenseTensor<double>(0).values.empty());
}

}  // namespace
}  // namespace axode::test::dense_tensor_test
