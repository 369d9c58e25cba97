#include "axode/dynamics/matrices/path_matrix.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "axode/core/error.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/models/moving_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::path_matrix_test {
namespace {

Joint turning() { return revolute({.axis = {0, 0, 1}}); }

/// Whether j stands on the path from k to the root, by the bodies.
bool on_path(const Tree& tree, int j, int k) {
  const auto body_of = [&](int velocity) {
    int i = 0;
    while (velocity >= tree.links[i].v + tree.links[i].nv) ++i;
    return i;
  };
  int b = body_of(k);
  const int sought = body_of(j);
  if (b == sought) return j <= k;
  while (b > sought) b = tree.links[b].parent;
  return b == sought;
}

/// Positive definite: L^T L with random L along the paths, its diagonal away from zero.
PathMatrix<double> random_matrix(Random& random, const Tree& tree) {
  PathMatrix<double> L(tree), M(tree);
  for (int k = 0; k < L.size(); ++k)
    for (int d = 0; d < L.row_length(k); ++d)
      L.row(k)[d] = d == 0 ? random.uniform(.5, 2) : random.uniform(-1, 1) / L.row_length(k);
  const DenseMatrix<double> dense_L = [&] {
    DenseMatrix<double> all{L.size(), L.size(), {}};
    all.values.resize(L.parent.size() * L.parent.size());
    for (int k = 0; k < L.size(); ++k)
      for (int d = 0, i = k; i >= 0; i = L.parent[i], ++d) all(k, i) = L.row(k)[d];
    return all;
  }();
  for (int k = 0; k < M.size(); ++k)
    for (int d = 0, i = k; i >= 0; i = M.parent[i], ++d)
      for (int r = 0; r < M.size(); ++r) M.row(k)[d] += dense_L(r, k) * dense_L(r, i);
  return M;
}

TEST(PathMatrix, PathsPassOverFixedJoints) {
  const Tree tree = TreeBuilder{}
                        .body("a")
                        .joint("a", universal())
                        .body("b")
                        .on("a")
                        .joint("b", fixed())
                        .body("c")
                        .on("b")
                        .joint("c", turning())
                        .body("d")
                        .on("a")
                        .joint("d", turning())
                        .body("e")
                        .joint("e", turning())
                        .build();
  EXPECT_EQ(parent_velocities(tree), (std::vector<int>{-1, 0, 1, 1, -1}));
  const PathMatrix<double> M(tree);
  const std::vector<int> lengths{1, 2, 3, 3, 1};
  for (int k = 0; k < M.size(); ++k) EXPECT_EQ(M.row_length(k), lengths[k]);
  EXPECT_EQ(M.values, std::vector<double>(10));
}

TEST(PathMatrix, DenseIsSymmetricAndZeroOffThePaths) {
  for_random_cases(50, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 12));
    PathMatrix<double> M(tree);
    std::iota(M.values.begin(), M.values.end(), 1.0);
    const DenseMatrix<double> all = dense(M);
    EXPECT_EQ(all.values, transposed(all).values);
    for (int k = 0; k < tree.nv; ++k)
      for (int j = 0; j < k; ++j) EXPECT_EQ(all(k, j) != 0, on_path(tree, j, k)) << k << ' ' << j;
  });
}

TEST(PathMatrix, FactorsMultiplyToTheMatrix) {
  double worst = 0;
  for_random_cases(100, [&](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 15));
    const PathMatrix<double> M = random_matrix(random, tree);
    PathMatrix<double> factors = M;
    ASSERT_EQ(factorize(factors).singular_velocity, -1);
    const DenseMatrix<double> all = dense(M);
    DenseMatrix<double> product{tree.nv, tree.nv, std::vector<double>(all.values.size())};
    for (int k = 0; k < tree.nv; ++k) {
      // D(k) times the outer product of row k of L.
      std::vector<double> L(tree.nv);
      const double* row = factors.row(k);
      L[k] = 1;
      for (int i = factors.parent[k]; i >= 0; i = factors.parent[i]) L[i] = *++row;
      for (int i = 0; i < tree.nv; ++i)
        for (int j = 0; j < tree.nv; ++j) product(i, j) += factors.row(k)[0] * L[i] * L[j];
    }
    const double error = relative_difference(product.values, all.values);
    EXPECT_LT(error, 1e-14);
    worst = std::max(worst, error);
  });
  record("worst_relative_error_of_factors", worst);
}

TEST(PathMatrix, SolvesMultipliesInverts) {
  double worst = 0;
  for_random_cases(100, [&](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 15));
    const PathMatrix<double> M = random_matrix(random, tree);
    const DenseMatrix<double> all = dense(M);
    PathMatrix<double> factors = M;
    ASSERT_EQ(factorize(factors).singular_velocity, -1);
    const std::vector<double> b = random_velocities(random, tree);
    std::vector<double> x = b, product(b.size(), NAN), half = b;
    solve<double>(factors, x);
    multiply<double>(M, x, product);
    EXPECT_LT(relative_difference(product, times(all, x)), 1e-14);
    const double error = relative_difference(product, b);
    EXPECT_LT(error, 1e-12);
    worst = std::max(worst, error);
    // b^T M^-1 b from the first half of the solution
    solve_transpose<double>(factors, half);
    double sum = 0, expected = 0;
    for (int k = 0; k < tree.nv; ++k) {
      const std::size_t i = k;
      sum += half[i] * half[i] / *factors.row(k);
      expected += b[i] * x[i];
    }
    EXPECT_NEAR(sum, expected, 1e-12 * (1 + std::abs(expected)));
    DenseMatrix<double> inverted{tree.nv, tree.nv, std::vector<double>(all.values.size(), NAN)};
    inverse(factors, inverted);
    EXPECT_LT(relative_difference(times(inverted, b), x), 1e-12);
    EXPECT_LT(relative_difference(inverted.values, transposed(inverted).values), 1e-12);
  });
  record("worst_relative_residual", worst);
}

/// One matrix to see: velocities 1 and 2 hang on 0.
PathMatrix<double> fork(double m00, double m11, double m22) {
  static const Tree tree = TreeBuilder{}
                               .body("a")
                               .joint("a", turning())
                               .body("b")
                               .on("a")
                               .joint("b", turning())
                               .body("c")
                               .on("a")
                               .joint("c", turning())
                               .build();
  PathMatrix<double> M(tree);
  M.values = {m00, m11, 1, m22, 1};
  return M;
}

TEST(PathMatrix, NamesTheVelocityWhereItIsNotPositiveDefinite) {
  PathMatrix<double> M = fork(3, 1, 1);
  EXPECT_EQ(factorize(M).singular_velocity, -1);
  M = fork(1.9, 1, 1);  // 1.9 - 1 - 1 < 0
  EXPECT_EQ(factorize(M).singular_velocity, 0);
  M = fork(3, 0, 1);  // what follows is not a number, but the cause is 1
  EXPECT_EQ(factorize(M).singular_velocity, 1);
  M = fork(3, -1, 1);
  EXPECT_EQ(factorize(M).singular_velocity, 1);
  M = fork(3, 1, NAN);
  EXPECT_EQ(factorize(M).singular_velocity, 2);
}

TEST(PathMatrix, JudgesPivotsByTheRoundingOfTheDiagonal) {
  // In exact numbers 1/x + 1/y - 1/x - 1/y = 0, in rounded ones a little above or below.
  Random random(3);
  for (int trial = 0; trial < 1000; ++trial) {
    const double x = random.log_uniform(1e-3, 1e3), y = random.log_uniform(1e-3, 1e3);
    PathMatrix<double> M = fork(1 / x + 1 / y, x, y);
    EXPECT_EQ(factorize(M).singular_velocity, 0) << x << ' ' << y;
    M = fork((1 / x + 1 / y) * (1 + 1e-13), x, y);  // small, but certain
    EXPECT_EQ(factorize(M).singular_velocity, -1) << x << ' ' << y;
    // The scale does not matter.
    M = fork(1e-30 * (1 / x + 1 / y), 1e30 * x, 1e30 * y);
    EXPECT_EQ(factorize(M).singular_velocity, 0) << x << ' ' << y;
  }
}

/// What M(k, k) is the sum of may be larger than it.
TEST(PathMatrix, JudgesPivotsByTheScaleGiven) {
  PathMatrix<double> M = fork(3, 1, 1);
  M.scale = {1, 1e15, 1e15};
  EXPECT_EQ(factorize(M).singular_velocity, 2);
  M = fork(3, 1, 1);
  M.scale = {1e12, 1e12, 1e12};
  EXPECT_EQ(factorize(M).singular_velocity, -1);
}

/// Two degrees of freedom of size 1 beyond that barely resist: velocity 0 moves them by `reach`, and their
/// rounding errors come to its pivot with the square of it.
TEST(PathMatrix, JudgesPivotsByTheMotionsBeyond) {
  for (const double reach : {1., 10., 1e3}) {
    const auto with_pivot = [&](double pivot) {
      PathMatrix<double> M = fork(0, 1e-3, 1e-3);
      M.scale = {1, 1, 1};
      M.values[2] = M.values[4] = -1e-3 * reach;
      M.values[0] = 2e-3 * reach * reach + pivot;
      return factorize(M).singular_velocity;
    };
    const double noise = 16 * epsilon<double> * (1 + 2 * reach * reach);
    EXPECT_EQ(with_pivot(.5 * noise), 0) << reach;
    EXPECT_EQ(with_pivot(3 * noise), -1) << reach;
  }
}

TEST(PathMatrix, FullMatrix) {
  Random random(11);
  const int n = 7;
  PathMatrix<double> M = full_matrix(n);
  ASSERT_EQ(M.values.size(), 28u);
  for (int k = 0; k < n; ++k)
    for (int j = 0; j <= k; ++j) M.row(k)[k - j] = k == j ? 8 : random.uniform(-1, 1);
  const DenseMatrix<double> all = dense(M);
  const std::vector<double> b{1, -2, 3, .5, 0, 4, -1};
  std::vector<double> x = b;
  ASSERT_EQ(factorize(M).singular_velocity, -1);
  solve<double>(M, x);
  EXPECT_LT(relative_difference(times(all, x), b), 1e-14);
  EXPECT_EQ(full_matrix(0).size(), 0);
}

TEST(PathMatrix, DualNumbersDifferentiateTheSolution) {
  Random random(5);
  const Tree tree = random_tree(random, 8);
  const PathMatrix<double> M = random_matrix(random, tree), change = random_matrix(random, tree);
  const std::vector<double> b = random_velocities(random, tree);
  PathMatrix<double> factors = M;
  PathMatrix<Dual<double>> moving(tree);
  for (std::size_t k = 0; k < M.values.size(); ++k)
    moving.values[k] = {M.values[k], change.values[k]};
  ASSERT_EQ(factorize(factors).singular_velocity, -1);
  ASSERT_EQ(factorize(moving).singular_velocity, -1);
  std::vector<double> x = b;
  solve<double>(factors, x);
  std::vector<Dual<double>> y = dual(b, std::vector<double>(b.size()));
  solve<Dual<double>>(moving, y);
  // (M + e N)^-1 b = x - e M^-1 N x
  std::vector<double> expected(b.size());
  multiply<double>(change, x, expected);
  solve<double>(factors, expected);
  for (double& e : expected) e = -e;
  EXPECT_LT(relative_difference(dual_parts(y), expected), 1e-12);
}

TEST(PathMatrix, SolvesAllColumnsAtOnceAsOneByOne) {
  Random random(6);
  for (int trial = 0; trial < 20; ++trial) {
    const Tree tree = random_tree(random, random.integer(1, 12));
    PathMatrix<double> factors = random_matrix(random, tree);
    ASSERT_EQ(factorize(factors).singular_velocity, -1);
    const int columns = random.integer(1, 9);
    DenseMatrix<double> X = zero_matrix(tree.nv, columns);
    for (double& x : X.values) x = random.uniform(-1, 1);
    const DenseMatrix<double> right = X;
    solve_columns(factors, X);
    for (int j = 0; j < columns; ++j) {
      std::vector<double> x;
      for (int i = 0; i < tree.nv; ++i) x.push_back(right(i, j));
      solve<double>(factors, x);
      for (int i = 0; i < tree.nv; ++i) EXPECT_NEAR(X(i, j), x[i], 1e-10 * (1 + std::abs(x[i])));
    }
  }
}

TEST(PathMatrix, RefusesPathsThatAreTooLong) {
  Tree tree;  // a chain of 66,000 degrees of freedom: as much of it as is looked at
  tree.name = "chain";
  tree.nv = 66'000;
  tree.links.resize(66'000);
  for (int i = 0; i < tree.nv; ++i) {
    tree.links[i].parent = i - 1;
    tree.links[i].v = i;
    tree.links[i].nv = 1;
  }
  const std::string text = message([&] { const PathMatrix<double> M(tree); });
  expect_says(text, "chain");
  expect_says(text, "66000");
  EXPECT_THROW(PathMatrix<double>{tree}, LimitError);
}

TEST(PathMatrix, AllocatesNothingOnceMade) {
  Random random(7);
  const Tree tree = random_tree(random, 20);
  PathMatrix<double> M = random_matrix(random, tree);
  std::vector<double> x = random_velocities(random, tree), y(x.size());
  DenseMatrix<double> result{tree.nv, tree.nv, std::vector<double>(x.size() * x.size())};
  EXPECT_EQ(count_allocations([&] {
              multiply<double>(M, x, y);
              EXPECT_TRUE(factorize(M).ok());
              solve<double>(M, x);
              solve_transpose<double>(M, x);
              inverse(M, result);
            }),
            0);
}

}  // namespace
}  // namespace axode::test::path_matrix_test
