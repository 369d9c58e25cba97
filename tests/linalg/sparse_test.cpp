#include "axode/linalg/sparse.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/random_cases.hpp"

namespace axode::test::sparse {

/// A random matrix with large diagonal, or with zeros there, as that of constraints.
void assemble(Random& random, int n, bool zeros, SparseAssembly& m, double sign = 1) {
  Random pattern(5);
  m.begin(n);
  for (int k = 0; k < n; ++k) {
    m.add(k, k, zeros && k >= n / 2 ? 0 : sign * random.uniform(2, 4));
    m.add(k, (k + n / 2) % n, random.uniform(3, 4));
    for (int e = 0; e < 3; ++e)
      m.add(pattern.integer(0, n - 1), pattern.integer(0, n - 1), random.uniform(-.3, .3));
  }
  m.end();
}

double solve_error(const SparseMatrix& A, SparseLu& lu, Random& random) {
  std::vector<double> x(A.size), b = x;
  for (double& e : x) e = random.uniform(-1, 1);
  multiply(A, x, b);
  lu.solve(b);
  double worst = 0;
  for (std::size_t k = 0; k < x.size(); ++k) worst = std::max(worst, std::abs(b[k] - x[k]));
  return worst;
}

TEST(Sparse, SolvesAlsoAfterNewValues) {
  Random random(1);
  for (const bool zeros : {false, true}) {
    SparseAssembly m;
    SparseLu lu;
    for (int pass = 0; pass < 10; ++pass) {
      assemble(random, 40, zeros, m);
      ASSERT_TRUE(lu.factor(m.matrix));
      EXPECT_LT(solve_error(m.matrix, lu, random), 1e-12);
      EXPECT_GT(lu.factor_nonzeros(), m.matrix.nonzeros());
    }
  }
}

TEST(Sparse, SeeksNewPivotsWhenTheOldOnesAreBad) {
  SparseLu lu;
  for (const double small : {1.0, 1e-14, 0.0}) {
    SparseAssembly m;
    m.begin(2);
    m.add(0, 0, small);
    m.add(0, 1, 1);
    m.add(1, 0, 1);
    m.add(1, 1, 2);
    m.end();
    ASSERT_TRUE(lu.factor(m.matrix));
    std::vector<double> b{1 + small, 3};
    lu.solve(b);
    EXPECT_NEAR(b[0], 1, 1e-14);
    EXPECT_NEAR(b[1], 1, 1e-14);
  }
}

TEST(Sparse, SaysWhenSingularOrNotFinite) {
  SparseLu lu;
  SparseAssembly m;
  for (const double corner : {1.0, 2.0, std::numeric_limits<double>::quiet_NaN(), 2.0, 1.0}) {
    m.begin(2);
    m.add(0, 0, 1);
    m.add(0, 1, 1);
    m.add(1, 0, 1);
    m.add(1, 1, corner);
    m.end();
    EXPECT_EQ(lu.factor(m.matrix), corner == 2);
    if (corner == 1) {
      EXPECT_TRUE(lu.pivot_values().empty());  // those of before are gone
    }
  }
}

TEST(Sparse, TheSameBitsFromThePivotsOfBefore) {
  Random random(2);
  SparseAssembly m;
  SparseLu lu;
  for (int pass = 0; pass < 3; ++pass) {
    assemble(random, 30, true, m);
    ASSERT_TRUE(lu.factor(m.matrix));
  }
  SparseLu other;
  SparseMatrix then = m.matrix;
  then.value.assign(lu.pivot_values().begin(), lu.pivot_values().end());
  ASSERT_TRUE(other.factor(then));
  ASSERT_TRUE(other.factor(m.matrix));
  std::vector<double> a(30, 1.0), b = a;
  lu.solve(a);
  other.solve(b);
  EXPECT_EQ(a, b);
}

}  // namespace axode::test::sparse
