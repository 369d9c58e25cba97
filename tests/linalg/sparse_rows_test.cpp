#include "axode/linalg/sparse_rows.hpp"

#include <gtest/gtest.h>

#include "axode/linalg/dense.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::sparse_rows {
namespace {

using Numbers = std::vector<double>;

TEST(SparseRows, ProductsAreThoseOfTheDenseMatrixAlsoWithNewValues) {
  for_random_cases(50, [](Random& random) {
    const int rows = random.integer(0, 6), columns = random.integer(1, 6);
    std::vector<std::pair<int, int>> places;  // some twice, in any order
    for (int k = 0; k < 2 * rows; ++k)
      places.emplace_back(random.integer(0, rows - 1), random.integer(0, columns - 1));
    SparseRows A;
    for (int pass = 0; pass < 2; ++pass) {
      DenseMatrix<double> dense = zero_matrix(rows, columns);
      A.begin(rows, columns);
      for (const auto& [i, j] : places) {
        const double x = random.uniform(-1, 1);
        dense(i, j) += x;
        A.add(i, j, x);
      }
      A.end();
      Numbers x(columns), y(rows), Ax(rows), ATy(columns);
      for (double& a : x) a = random.uniform(-1, 1);
      for (double& a : y) a = random.uniform(-1, 1);
      A.multiply(x, Ax);
      A.add_transposed(y, ATy);
      const Numbers expected = dense * x, transposed_product = transpose(dense) * y;
      for (int i = 0; i < rows; ++i) EXPECT_NEAR(Ax[i], expected[i], 1e-14);
      for (int j = 0; j < columns; ++j) EXPECT_NEAR(ATy[j], transposed_product[j], 1e-14);
    }
    for (int i = 0; i < rows; ++i)
      for (int e = A.start[i] + 1; e < A.start[i + 1]; ++e) EXPECT_LT(A.column[e - 1], A.column[e]);
  });
}

TEST(SparseRows, ANewPatternNeedsToForget) {
  SparseRows A;
  A.begin(1, 2);
  A.add(0, 0, 1);
  A.end();
  A.forget();
  A.begin(1, 2);
  A.add(0, 1, 2);
  A.end();
  EXPECT_EQ(A.nonzeros(), 1);
  EXPECT_EQ(A.column, std::vector<int>{1});
}

}  // namespace
}  // namespace axode::test::sparse_rows
