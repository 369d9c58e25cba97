#include "axode/linalg/rank.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <chrono>

#include "tests/mechanism/mechanisms.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::rank {
namespace {

using Matrix = Eigen::MatrixXd;

SparseRows sparse(const Matrix& A) {
  SparseRows J;
  J.begin(static_cast<int>(A.rows()), static_cast<int>(A.cols()));
  for (int i = 0; i < A.rows(); ++i)
    for (int j = 0; j < A.cols(); ++j)
      if (A(i, j) != 0) J.add(i, j, A(i, j));
  J.end();
  return J;
}
/// Of this rank: its first rows are independent, the others combinations of them.
Matrix of_rank(Random& random, int rows, int columns, int rank) {
  Matrix A = Matrix::Zero(rows, columns);
  for (int i = 0; i < rows; ++i) {
    if (i < rank)
      for (int j = 0; j < columns; ++j) A(i, j) = random.uniform(-1, 1);
    else
      for (int k = 0; k < rank; ++k) A.row(i) += random.uniform(-1, 1) * A.row(k);
  }
  return A;
}
std::span<const double> numbers(const Eigen::VectorXd& x) {
  return {x.data(), std::size_t(x.size())};
}

/// Equations that are met wherever bodies go have rows of rounding: they are no equations.
TEST(Rank, RowsOfRoundingAreNone) {
  Matrix A = Matrix::Zero(4, 4);
  A.topLeftCorner(2, 3) << 1, 2, 0, 0, 1, -1;
  A.row(2) << 1e-17, -3e-17, 0, 2e-17;
  A.row(3) << 0, 0, -1e-17, 1e-17;
  EXPECT_EQ(matrix_rank(sparse(A)).rank, 2);
  EXPECT_EQ(matrix_rank(sparse(A)).redundant, (std::vector<int>{2, 3}));
  EXPECT_EQ(null_space(sparse(A)).size(), 2U);
  LeastNorm solver;
  solver.factor(sparse(A));
  const std::vector<double> b{3, 1, 1e-17, 0};
  std::vector<double> x(4);
  solver.solve(b, x);
  const Eigen::VectorXd least =
      A.topRows(2).completeOrthogonalDecomposition().solve(Eigen::Vector2d(3, 1));
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(x[k], least[k], 1e-12);
}

TEST(Rank, IsThatOfTheConstruction) {
  Random random(1);
  for (int k = 0; k < 200; ++k) {
    const int rows = random.integer(1, 20), columns = random.integer(1, 20);
    const int rank = random.integer(1, std::min(rows, columns));
    const Matrix A = of_rank(random, rows, columns, rank);
    const RankResult r = matrix_rank(sparse(A));
    ASSERT_EQ(r.rank, rank) << rows << "x" << columns;
    EXPECT_EQ(r.nullity(), columns - rank);
    ASSERT_EQ(r.redundant.size(), static_cast<std::size_t>(rows - rank));
    for (int i = rank; i < rows; ++i) EXPECT_EQ(r.redundant[i - rank], i);
    const auto basis = null_space(sparse(A));
    ASSERT_EQ(basis.size(), static_cast<std::size_t>(columns - rank));
    for (const auto& x : basis) {
      const Eigen::Map<const Eigen::VectorXd> v(x.data(), columns);
      EXPECT_LT((A * v).norm(), 1e-12);
      EXPECT_NEAR(v.norm(), 1, 1e-12);
    }
  }
}

TEST(Rank, SolutionsAreThoseOfLeastNorm) {
  Random random(2);
  for (int k = 0; k < 200; ++k) {
    const int rows = random.integer(1, 15), columns = random.integer(1, 15);
    const int rank = random.integer(1, std::min(rows, columns));
    const Matrix A = of_rank(random, rows, columns, rank);
    const auto sigma = singular_values(sparse(A));
    if (sigma[rank - 1] < 1e-2 * sigma[0]) continue;
    const Eigen::VectorXd b = A * Eigen::VectorXd::Random(columns);
    Eigen::VectorXd x(columns);
    LeastNorm solver;
    solver.factor(sparse(A));
    const double left = solver.solve(numbers(b), {x.data(), std::size_t(x.size())});
    const Eigen::VectorXd expected = A.completeOrthogonalDecomposition().solve(b);
    EXPECT_LT(left, 1e-12 * (1 + b.norm()));
    EXPECT_LT((x - expected).norm(), 1e-10 * (1 + expected.norm())) << rows << "x" << columns;
    // Multipliers: times the norms of rows they are the least.
    const Eigen::VectorXd f = A.transpose() * Eigen::VectorXd::Random(rows);
    Eigen::VectorXd y(rows);
    solver.solve_transposed(numbers(f), {y.data(), std::size_t(y.size())});
    const Eigen::VectorXd norms = A.rowwise().norm();
    const Matrix scaled = norms.cwiseInverse().asDiagonal() * A;
    const Eigen::VectorXd least =
        norms.cwiseInverse().asDiagonal() *
        scaled.transpose().completeOrthogonalDecomposition().solve(f).eval();
    EXPECT_LT((y - least).norm(), 1e-8 * (1 + least.norm()));
  }
}

TEST(Rank, DependencesTellWhatRowsAreMadeOf) {
  Random random(3);
  for (int k = 0; k < 50; ++k) {
    const Matrix A = of_rank(random, 9, 12, 6);
    const RankResult r = matrix_rank(sparse(A));
    for (const RowDependence& d : row_dependences(sparse(A), r)) {
      Eigen::RowVectorXd row = -A.row(d.row);
      for (const auto& part : d.parts) {
        EXPECT_LT(part.row, d.row);
        row += part.factor * A.row(part.row);
      }
      EXPECT_LT(row.norm(), 1e-8);
    }
  }
}

TEST(Rank, AZeroMatrixHasNone) {
  SparseRows J;
  J.begin(2, 3);
  J.end();
  EXPECT_EQ(matrix_rank(J).rank, 0);
  EXPECT_EQ(null_space(J).size(), 3U);
}

}  // namespace
}  // namespace axode::test::rank
