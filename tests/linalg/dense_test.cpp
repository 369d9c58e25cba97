#include "axode/linalg/dense.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace axode::test::dense_matrix {
namespace {

using Matrix = DenseMatrix<double>;

TEST(DenseMatrix, OperationsByHand) {
  const Matrix A{2, 3, {1, 2, 0, -1, 0, 4}}, B{3, 2, {1, 2, 3, 4, 5, 6}};
  EXPECT_EQ(A(1, 2), 4);
  EXPECT_EQ(A.row(1)[0], -1);
  EXPECT_EQ((A * B).values, (std::vector<double>{7, 10, 19, 22}));
  EXPECT_EQ(transpose(A).values, (std::vector<double>{1, -1, 2, 0, 0, 4}));
  EXPECT_EQ((A + transpose(B)).values, (std::vector<double>{2, 5, 5, 1, 4, 10}));
  EXPECT_EQ((A - transpose(B)).values, (std::vector<double>{0, -1, -5, -3, -4, -2}));
  const std::vector<double> x{1, -1, 2};
  EXPECT_EQ(A * x, (std::vector<double>{-1, 7}));
  EXPECT_EQ(zero_matrix(2, 3).values, std::vector<double>(6, 0.0));
}

TEST(DenseMatrix, EmptyMatricesMultiply) {
  const Matrix C = zero_matrix(2, 0) * zero_matrix(0, 3);
  EXPECT_EQ(C.rows, 2);
  EXPECT_EQ(C.columns, 3);
  EXPECT_EQ(C.values, std::vector<double>(6, 0.0));
  EXPECT_EQ(transpose(zero_matrix(0, 3)).rows, 3);
}

TEST(DenseMatrix, NormsOfNumbers) {
  const std::vector<double> a{3, -4}, none;
  EXPECT_EQ(norm(a), 5);
  EXPECT_EQ(max_abs(a), 4);
  EXPECT_EQ(dot(a, a), 25);
  EXPECT_EQ(norm(none), 0);
  EXPECT_EQ(max_abs(none), 0);
}

}  // namespace
}  // namespace axode::test::dense_matrix
