#include "axode/dynamics/derivatives/oscillations.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tests/support/errors.hpp"

namespace axode::test::oscillations_of_linear_models {
namespace {

TEST(Oscillations, HaveFrequencyAndDamping) {
  // x'' + 2 zeta w x' + w^2 x = 0, twice, of w 3 and zeta 0.2, of w 1 and zeta -0.5; and a decay at 7.
  const DenseMatrix<double> A{
      5, 5, {0, 1, 0, 0, 0, -9, -1.2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, -1, 1, 0, 0, 0, 0, 0, -7}};
  const std::vector<Oscillation> found = oscillations(A);
  ASSERT_EQ(found.size(), 5U);
  constexpr std::array frequency{1., 1., 3., 3., 7.}, damping{-0.5, -0.5, 0.2, 0.2, 1.};
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(found[k].frequency, frequency[k], 1e-13);
    EXPECT_NEAR(found[k].damping_ratio, damping[k], 1e-13);
  }
  for (const std::size_t k : {std::size_t(0), std::size_t(2)}) {
    EXPECT_GT(found[k].eigenvalue.imag(), 0);
    EXPECT_EQ(found[k + 1].eigenvalue, std::conj(found[k].eigenvalue));
  }
  EXPECT_TRUE(oscillations({1, 1, {std::nan("")}}).empty());
  EXPECT_TRUE(oscillations({}).empty());
  expect_says(message([] { oscillations({1, 2, {1, 2}}); }), "n x n");
}

}  // namespace
}  // namespace axode::test::oscillations_of_linear_models
