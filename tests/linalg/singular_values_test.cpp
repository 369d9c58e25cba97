#include "axode/linalg/singular_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "tests/support/random_cases.hpp"

namespace axode::test::singular_values_of {
namespace {

using Matrix = DenseMatrix<double>;

Matrix random_matrix(Random& random, int rows, int columns) {
  Matrix A = zero_matrix(rows, columns);
  for (double& a : A.values) a = random.uniform(-1, 1);
  return A;
}
/// Gram-Schmidt done twice on random rows.
Matrix orthogonal(Random& random, int n) {
  Matrix Q = random_matrix(random, n, n);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 2 * i; ++k) {
      const double along = dot(Q.row(i), Q.row(k % i));
      for (int j = 0; j < n; ++j) Q(i, j) -= along * Q(k % i, j);
    }
    const double size = norm(Q.row(i));
    for (double& x : Q.row(i)) x /= size;
  }
  return Q;
}
/// U diag(sigma) V^T with random U and V.
Matrix with_values(Random& random, int rows, int columns, const std::vector<double>& sigma) {
  Matrix S = zero_matrix(rows, columns);
  for (int k = 0; k < std::min(rows, columns); ++k) S(k, k) = sigma[k];
  return orthogonal(random, rows) * (S * orthogonal(random, columns));
}
void expect_orthonormal_rows(const Matrix& Q) {
  const Matrix QQ = Q * transpose(Q);
  for (int i = 0; i < Q.rows; ++i)
    for (int j = 0; j < Q.rows; ++j) EXPECT_NEAR(QQ(i, j), i == j ? 1 : 0, 2e-14);
}
/// A V = U diag(sigma) and U, V orthonormal, to a few roundings of the largest value.
void expect_decomposes(const Matrix& A) {
  const int n = std::min(A.rows, A.columns);
  const auto [sigma, U, V] = singular_decomposition(A, Vectors::full, Vectors::full);
  ASSERT_EQ(std::ssize(sigma), n);
  ASSERT_EQ(U.rows, A.rows);
  ASSERT_EQ(V.rows, A.columns);
  EXPECT_TRUE(std::ranges::is_sorted(sigma, std::greater{}));
  expect_orthonormal_rows(U);
  expect_orthonormal_rows(V);
  const Matrix B = U * (A * transpose(V));
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.columns; ++j)
      EXPECT_NEAR(B(i, j), i == j ? sigma[i] : 0, 1e-14 * sigma[0]) << i << " " << j;
  const auto thin = singular_decomposition(A, Vectors::thin, Vectors::none);
  const std::vector<double> values = singular_values(A);
  EXPECT_EQ(thin.left.rows, n);
  EXPECT_EQ(thin.right.rows, 0);
  for (int k = 0; k < n; ++k) {
    EXPECT_NEAR(thin.values[k], sigma[k], 1e-15 * sigma[0]);
    EXPECT_NEAR(values[k], sigma[k], 1e-15 * sigma[0]);
  }
}

TEST(SingularValues, RandomMatricesOfAllShapes) {
  for_random_cases(200, [](Random& random) {
    expect_decomposes(random_matrix(random, random.integer(1, 20), random.integer(1, 20)));
  });
}

TEST(SingularValues, RowsAndColumns) {
  const Matrix row{1, 3, {2, -1, 2}}, column{3, 1, {0, -3, 4}}, number{1, 1, {-7}};
  for (const Matrix& A : {row, column, number}) expect_decomposes(A);
  EXPECT_NEAR(singular_values(row)[0], 3, 1e-15);
  EXPECT_NEAR(singular_values(column)[0], 5, 1e-15);
  EXPECT_EQ(singular_values(number)[0], 7);
}

/// Graded, repeated, deficient and clustered values are found to rounding of the largest.
TEST(SingularValues, AreThoseOfTheConstruction) {
  constexpr int n = 16;
  std::vector<std::vector<double>> cases(6, std::vector<double>(n));
  for (int k = 0; k < n; ++k) {
    cases[0][k] = std::pow(10., -k);
    cases[1][k] = 1;
    cases[2][k] = k < 5 ? 3 - .5 * k : 0;
    cases[3][k] = k < 8 ? 1 + 1e-12 * (8 - k) : 1e-9;
    cases[4][k] = std::pow(2., -4 * k);
    cases[5][k] = k == 0 ? 1 : 1e-15;
  }
  for_random_cases(30, [&](Random& random) {
    for (const std::vector<double>& sigma : cases)
      for (const int more : {0, 7}) {
        const Matrix A = with_values(random, n + more, n, sigma);
        for (const Matrix& M : {A, transpose(A)}) {
          const std::vector<double> found = singular_values(M);
          for (int k = 0; k < n; ++k) EXPECT_NEAR(found[k], sigma[k], 2e-14 * sigma[0]);
          expect_decomposes(M);
        }
      }
  });
}

/// Entries, not only values, of all sizes, rising and falling: where QR steps may stall.
TEST(SingularValues, GradedRowsAndColumns) {
  for_random_cases(50, [](Random& random) {
    constexpr int n = 20;
    for (const double row : {1., .1, 10., 1e-3, 1e3})
      for (const double column : {1., .1, 10.}) {
        Matrix A = random_matrix(random, n, n);
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j) A(i, j) *= std::pow(row, i) * std::pow(column, j);
        expect_decomposes(A);
      }
  });
}

TEST(SingularValues, ZerosInsideBidiagonalMatrices) {
  for_random_cases(300, [](Random& random) {
    const int n = random.integer(2, 9);
    Matrix A = zero_matrix(n, n);
    for (int i = 0; i < n; ++i) {
      A(i, i) = random.integer(0, 2);
      if (i > 0) A(i - 1, i) = random.integer(0, 2);
    }
    expect_decomposes(A);
    expect_decomposes(transpose(A));
  });
}

TEST(SingularValues, DiagonalAndZeroMatricesAreExact) {
  Matrix A = zero_matrix(3, 4);
  EXPECT_EQ(singular_values(A), std::vector<double>(3, 0.0));
  EXPECT_EQ(singular_decomposition(A, Vectors::full, Vectors::full).right.rows, 4);
  A(0, 0) = 1e-20;
  A(1, 1) = -2;
  A(2, 2) = 1;
  EXPECT_EQ(singular_values(A), (std::vector<double>{2, 1, 1e-20}));
  EXPECT_TRUE(singular_values(zero_matrix(0, 3)).empty());
  EXPECT_TRUE(singular_values(zero_matrix(3, 0)).empty());
  EXPECT_EQ(singular_decomposition(zero_matrix(0, 3), Vectors::full, Vectors::full).right.rows, 3);
}

TEST(SingularValues, OfAnySizeOfNumbers) {
  for_random_cases(100, [](Random& random) {
    Matrix A = random_matrix(random, 5, 7);
    const std::vector<double> sigma = singular_values(A);
    for (const double factor : {1e-290, 1e-160, 1e160, 1e300}) {
      Matrix scaled = A;
      for (double& a : scaled.values) a *= factor;
      const std::vector<double> found = singular_values(scaled);
      for (int k = 0; k < 5; ++k) EXPECT_NEAR(found[k] / factor, sigma[k], 1e-14);
    }
  });
}

TEST(SingularValues, LargeMatrixOfKnownValues) {
  // second differences: eigenvalues 4 sin^2(k pi / 2(n+1))
  constexpr int n = 300;
  Matrix A = zero_matrix(n, n);
  for (int i = 0; i < n; ++i) {
    A(i, i) = 2;
    if (i > 0) A(i, i - 1) = A(i - 1, i) = -1;
  }
  const std::vector<double> sigma = singular_values(A);
  for (int k = 0; k < n; ++k)
    EXPECT_NEAR(sigma[n - 1 - k],
                4 * std::pow(std::sin((k + 1) * std::numbers::pi / 2 / (n + 1)), 2), 1e-12);
}

TEST(SingularValues, NotFiniteIsReported) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    const Matrix A{2, 2, {1, 2, bad, 3}};
    const auto svd = singular_decomposition(A, Vectors::full, Vectors::full);
    EXPECT_TRUE(std::isnan(svd.values[0]) && std::isnan(svd.values[1]));
    EXPECT_EQ(svd.right.values, (std::vector<double>{1, 0, 0, 1}));
  }
}

TEST(SingularValues, LeastSquaresIsShortestAndBest) {
  for_random_cases(200, [](Random& random) {
    const int m = random.integer(1, 9), n = random.integer(1, 9), rank = random.integer(0, 9);
    const Matrix A = random_matrix(random, m, rank) * random_matrix(random, rank, n);
    std::vector<double> b(m);
    for (double& x : b) x = random.uniform(-1, 1);
    const std::vector<double> x = least_squares(A, b, 1e-12);
    std::vector<double> left = A * x;
    for (int i = 0; i < m; ++i) left[i] -= b[i];
    // What is left is normal to the columns; x has no part in the null space.
    EXPECT_LT(max_abs(transpose(A) * left), 1e-12 * (1 + norm(x)));
    const auto [sigma, U, V] = singular_decomposition(A, Vectors::none, Vectors::full);
    for (int k = std::min({m, n, rank}); k < n; ++k)
      EXPECT_NEAR(dot(V.row(k), x), 0, 1e-11 * (1 + norm(x)));
  });
}

TEST(SingularValues, ExtremesWithoutAllocation) {
  for_random_cases(50, [](Random& random) {
    const int count = random.integer(1, 6), length = random.integer(count, 8);
    DenseMatrix<double> A = zero_matrix(count, length);
    for (double& a : A.values) a = random.uniform(-1, 1);
    const std::vector<double> all = singular_values(A);
    const ExtremeSingularValues found = extreme_singular_values(A.values.data(), count, length);
    EXPECT_NEAR(found.largest, all.front(), 1e-13 * all.front());
    EXPECT_NEAR(found.smallest, all.back(), 1e-13 * all.front());
  });
}

}  // namespace
}  // namespace axode::test::singular_values_of
