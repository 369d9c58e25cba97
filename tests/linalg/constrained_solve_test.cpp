#include "axode/linalg/constrained_solve.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace axode::test::constrained_solve {

using Numbers = std::vector<double>;

SparseRows matrix(const std::vector<Numbers>& rows, int columns) {
  SparseRows result;
  result.begin(static_cast<int>(rows.size()), columns);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows[i].size(); ++j)
      if (rows[i][j] != 0) result.add(static_cast<int>(i), static_cast<int>(j), rows[i][j]);
  result.end();
  return result;
}
SparseRows diagonal(const Numbers& d) {
  SparseRows result;
  result.begin(static_cast<int>(d.size()), static_cast<int>(d.size()));
  for (std::size_t i = 0; i < d.size(); ++i)
    result.add(static_cast<int>(i), static_cast<int>(i), d[i]);
  result.end();
  return result;
}

TEST(ConstrainedSolve, RedundantRowsShareTheForce) {
  // Masses 1 and 3 tied to each other twice, once with twice the weight.
  const SparseRows W = diagonal({1, 3}), J = matrix({{1, -1}, {2, -2}}, 2);
  ConstrainedSolve solve;
  ASSERT_TRUE(solve.factor(W, J));
  Numbers a(2), lambda(2);
  const auto outcome = solve.solve(Numbers{8, 0}, Numbers{.5, 1}, a, lambda);
  EXPECT_LT(outcome.force + outcome.constraint, 1e-14);
  // a0 - a1 = 1/2, a0 + 3 a1 = 8; the force on the second, 3 a1, is -(J^T lambda)_1.
  EXPECT_NEAR(a[0], 19. / 8, 1e-13);
  EXPECT_NEAR(a[1], 15. / 8, 1e-13);
  least_norm(J, lambda);
  EXPECT_NEAR(lambda[0], 45. / 8 / 5, 1e-9);
  EXPECT_NEAR(lambda[1], 2 * 45. / 8 / 5, 1e-9);
}

TEST(ConstrainedSolve, CoordinatesWithoutMassFollowTheEquations) {
  const SparseRows W = diagonal({2, 0}), J = matrix({{3, -1}}, 2);
  ConstrainedSolve solve;
  ASSERT_TRUE(solve.factor(W, J));
  Numbers a(2), lambda(1);
  const auto outcome = solve.solve(Numbers{4, 5}, Numbers{1}, a, lambda);
  EXPECT_LT(outcome.force + outcome.constraint, 1e-13);
  EXPECT_NEAR(lambda[0], -5, 1e-12);
  EXPECT_NEAR(a[0], (4 + 15) / 2., 1e-12);
  EXPECT_NEAR(a[1], 3 * a[0] - 1, 1e-12);
}

TEST(ConstrainedSolve, TellsWhatCannotBe) {
  Numbers a(2), lambda(2);
  ConstrainedSolve solve;
  const SparseRows W = diagonal({1, 1}), twice = matrix({{1, 0}, {1, 0}}, 2);
  ASSERT_TRUE(solve.factor(W, twice));
  EXPECT_GT(solve.solve(Numbers{0, 0}, Numbers{1, 2}, a, lambda).constraint, .1);
  // A force on a coordinate that has neither mass nor equation.
  ConstrainedSolve other;
  const SparseRows light = diagonal({1, 0}), one = matrix({{1, 0}}, 2);
  Numbers multiplier(1);
  if (other.factor(light, one)) {
    const auto outcome = other.solve(Numbers{0, 1}, Numbers{0}, a, multiplier);
    EXPECT_TRUE(!outcome.finite || outcome.force > 1e-3 || std::abs(a[1]) > 1e9);
  }
}

TEST(ConstrainedSolve, NullSpacesAndIndependentComponents) {
  // x0 = 2 x1, x2 = x3, and the sum of both.
  const SparseRows A = matrix({{1, -2, 0, 0}, {0, 0, 1, -1}, {1, -2, 1, -1}}, 4);
  const NullBasis basis = null_basis(A);
  ASSERT_EQ(basis.count, 2);
  for (int k = 0; k < 2; ++k) {
    const double* v = basis.vectors.data() + 4 * k;
    EXPECT_NEAR(v[0], 2 * v[1], 1e-12);
    EXPECT_NEAR(v[2], v[3], 1e-12);
  }
  const std::vector<int> free = independent_components(basis);
  ASSERT_EQ(free.size(), 2u);
  EXPECT_EQ(free[0], 0);  // the larger of x0 and x1
  EXPECT_GE(free[1], 2);
  EXPECT_EQ(null_basis(transposed(A)).count, 1);
  EXPECT_EQ(null_basis(matrix({{1, 0}, {0, 1e-3}}, 2)).count, 0);
}

}  // namespace axode::test::constrained_solve
