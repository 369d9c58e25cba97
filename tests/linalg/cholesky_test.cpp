#include "axode/linalg/cholesky.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace axode::test::cholesky {

TEST(Cholesky, SolvesWhatItMultiplied) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int n = 1; n < 20; ++n) {
    const std::size_t size = n;
    std::vector<double> B(size * size), A(size * size), x(size), b(size);
    for (double& e : B) e = number(random);
    for (double& e : x) e = number(random);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) {
        for (std::size_t k = 0; k < size; ++k) A[i * size + j] += B[i * size + k] * B[j * size + k];
        if (i == j) A[i * size + j] += 1;
      }
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) b[i] += A[i * size + j] * x[j];
    ASSERT_EQ(axode::cholesky(A, n).failed_row, -1);
    cholesky_solve(A, n, b);
    for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(b[i], x[i], 1e-12) << n;
  }
}
TEST(Cholesky, TellsTheFirstRowThatIsNotPositive) {
  std::vector<double> A{4, 2, 0, 0, 1, 3, 0, 0, 8};  // upper half; leading minor 2 is 0
  EXPECT_EQ(axode::cholesky(A, 3).failed_row, 1);
  A = {-1, 0, 0, 1};
  EXPECT_EQ(axode::cholesky(A, 2).failed_row, 0);
  A = {1, std::numeric_limits<double>::quiet_NaN(), 0, 1};
  EXPECT_EQ(axode::cholesky(A, 2).failed_row, 1);
  A = {std::numeric_limits<double>::infinity()};
  EXPECT_EQ(axode::cholesky(A, 1).failed_row, 0);
}

TEST(Cholesky, PivotsBelowTheLeastCountAsIt) {
  std::vector<double> A{4, 2, 0, 1};  // of rank 1
  EXPECT_EQ(axode::cholesky(A, 2, 0.25).failed_row, -1);
  std::vector<double> x{4, 2.5};  // solved is [4 2; 2 1.25] x = (4, 2.5)
  cholesky_solve(A, 2, x);
  EXPECT_NEAR(4 * x[0] + 2 * x[1], 4, 1e-14);
  EXPECT_NEAR(2 * x[0] + 1.25 * x[1], 2.5, 1e-14);
}

}  // namespace axode::test::cholesky
