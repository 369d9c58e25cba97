#include "axode/linalg/detail/row_triangle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace axode::test::row_triangle {
namespace {

/// Blocks of a chain, each with one row that repeats what three others say.
SparseRows chain(int blocks) {
  SparseRows J;
  J.begin(4 * blocks, 4 * blocks + 2);
  for (int b = 0; b < blocks; ++b) {
    double sum[10] = {};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 6; ++j) {
        const double x = std::sin(1.0 + i * 2.7 + j * 1.3 + 0.1 * b) + (i == j ? 2 : 0);
        J.add(4 * b + i, 4 * b + j, x);
        sum[j] += (i + 1) * x;
      }
    for (int j = 0; j < 6; ++j) J.add(4 * b + 3, 4 * b + j, sum[j]);
  }
  J.end();
  return J;
}

TEST(RowTriangle, FindsTheRedundantRowsOfLargeMatrices) {
  const SparseRows J = chain(150);
  const RankResult r = matrix_rank(J);
  EXPECT_EQ(r.rank, 450);
  ASSERT_EQ(r.redundant.size(), 150U);
  for (int b = 0; b < 150; ++b) EXPECT_EQ(r.redundant[b], 4 * b + 3);
  EXPECT_GT(r.smallest_kept, 1e-3);
  EXPECT_LT(r.largest_dropped, 1e-8);
}

TEST(RowTriangle, NullSpaceIsThere) {
  const SparseRows J = chain(100);
  const auto basis = null_space(J);
  ASSERT_EQ(basis.size(), 102U);
  std::vector<double> left(J.rows);
  for (const auto& x : basis) {
    J.multiply(x, left);
    for (const double r : left) EXPECT_NEAR(r, 0, 1e-9);
  }
}

TEST(RowTriangle, CostGrowsLinearly) {
  const auto time = [](int blocks) {
    const SparseRows J = chain(blocks);
    const auto start = std::chrono::steady_clock::now();
    const RowTriangle t = axode::row_triangle(J, 1e-8);
    EXPECT_EQ(t.redundant.size(), static_cast<std::size_t>(blocks));
    std::size_t fill = 0;
    for (const auto& row : t.rows) fill += row.size();
    EXPECT_LT(fill, static_cast<std::size_t>(60 * blocks));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  time(1000);
  EXPECT_LT(time(20000), 60 * time(1000) + 0.05);
}

TEST(RowTriangle, OrderIsAPermutation) {
  auto order = least_degree_order(chain(20));
  std::ranges::sort(order);
  ASSERT_EQ(order.size(), 82U);
  for (int k = 0; k < 82; ++k) EXPECT_EQ(order[k], k);
}

TEST(RowTriangle, LastRowsOfDependencesAreChosen) {
  // Rows 0 = 2 row 1, and 2 = row 0 + row 3.
  const std::vector<RowDependence> d{{0, {{1, 2.0}}}, {2, {{0, 1.0}, {3, 1.0}}}};
  EXPECT_EQ(last_of_dependent(d, 1e-9), (std::vector<int>{1, 3}));
}

}  // namespace
}  // namespace axode::test::row_triangle
