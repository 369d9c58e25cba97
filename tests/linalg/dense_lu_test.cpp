#include "axode/linalg/dense_lu.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/random_cases.hpp"

namespace axode::test::dense_lu {

TEST(DenseLu, SolvesWhatWasMultipliedAlsoWithNewValuesAndInPlace) {
  Random random(1);
  for (const std::size_t n : {1, 2, 7, 33}) {
    DenseLu lu(static_cast<int>(n));
    for (int pass = 0; pass < 3; ++pass) {
      std::vector<double> A(n * n), x(n), b(n), result(n);
      for (double& e : A) e = random.uniform(-1, 1);
      for (std::size_t i = 0; i < n; ++i) A[i * n + (n - 1 - i)] += 3;  // large off the diagonal
      for (double& e : x) e = random.uniform(-1, 1);
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i) b[i] += A[j * n + i] * x[j];
      ASSERT_TRUE(lu.factor(A));
      lu.solve(b, result);
      lu.solve(b, b);
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_NEAR(result[i], x[i], 1e-12) << n;
        EXPECT_EQ(b[i], result[i]);
      }
    }
  }
}
TEST(DenseLu, TellsSingularFromRegularMatricesAndRefusesWhatIsNotFinite) {
  DenseLu lu(2);
  EXPECT_FALSE(lu.factor(std::vector<double>{1, 2, 2, 4}));
  EXPECT_TRUE(lu.factor(std::vector<double>{0, 2, 2, 0}));
  EXPECT_FALSE(lu.factor(std::vector<double>{1, 2, 2, std::numeric_limits<double>::quiet_NaN()}));
}

}  // namespace axode::test::dense_lu
