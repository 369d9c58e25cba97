#include "axode/linalg/dense_solve.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/core/finite.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::dense_solvers {
namespace {

DenseMatrix<double> random_matrix(Random& random, int rows, int columns) {
  DenseMatrix<double> A = zero_matrix(rows, columns);
  for (double& a : A.values) a = random.uniform(-1, 1);
  return A;
}

TEST(DenseSolvers, SolvesRandomEquations) {
  for_random_cases(300, [](Random& random) {
    const int n = random.integer(0, 12);
    const DenseMatrix<double> A = random_matrix(random, n, n);
    std::vector<double> b(n);
    for (double& x : b) x = random.uniform(-1, 1);
    const std::vector<double> x = solve_linear(A, b), Ax = A * x;
    for (int i = 0; i < n; ++i) EXPECT_NEAR(Ax[i], b[i], 1e-14 * (1 + norm(x)));
  });
}

TEST(DenseSolvers, PivotsAndSingularMatrices) {
  const std::vector<double> b{1, 2};
  EXPECT_EQ(solve_linear({2, 2, {0, 1, 1, 0}}, b), (std::vector<double>{2, 1}));
  EXPECT_FALSE(all_finite(solve_linear({2, 2, {1, 1, 1, 1}}, b)));
  EXPECT_FALSE(all_finite(solve_linear(zero_matrix(2, 2), b)));
}

/// R^T R = P^T A^T A P, the pivots fall and their number is the rank.
TEST(DenseSolvers, PivotedQrKeepsProductsOfColumns) {
  for_random_cases(200, [](Random& random) {
    const int m = random.integer(1, 14), n = random.integer(1, 14), rank = random.integer(0, 14);
    const DenseMatrix<double> A = random_matrix(random, m, rank) * random_matrix(random, rank, n);
    const auto [R, column] = pivoted_qr(A);
    ASSERT_EQ(R.rows, std::min(m, n));
    const DenseMatrix<double> AA = transpose(A) * A, RR = transpose(R) * R;
    const double size = 1e-14 * (1 + max_abs(AA.values));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) EXPECT_NEAR(RR(i, j), AA(column[i], column[j]), size);
    for (int k = 0; k < R.rows; ++k) {
      const double before = k > 0 ? std::abs(R(k - 1, k - 1)) : INFINITY;
      EXPECT_LE(std::abs(R(k, k)), k < rank ? before * (1 + 1e-12) : 1e-13);
      for (int j = 0; j < k; ++j) EXPECT_EQ(R(k, j), 0);
    }
  });
}

/// Norms that are followed through the steps lose all digits on this matrix [DrmacBujanovic2008].
TEST(DenseSolvers, PivotedQrOfKahansMatrix) {
  constexpr int n = 60;
  const double c = 0.285, s = std::sqrt(1 - c * c);
  DenseMatrix<double> A = zero_matrix(n, n);
  for (int i = 0; i < n; ++i) {
    A(i, i) = std::pow(s, i);
    for (int j = i + 1; j < n; ++j) A(i, j) = -c * std::pow(s, i);
  }
  const PivotedQr qr = pivoted_qr(A);
  for (int k = 1; k < n; ++k)
    EXPECT_LE(std::abs(qr.R(k, k)), std::abs(qr.R(k - 1, k - 1)) * (1 + 1e-10));
}

}  // namespace
}  // namespace axode::test::dense_solvers
