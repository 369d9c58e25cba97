#include "axode/lie/symmetric_eigen.hpp"

#include <algorithm>

#include "tests/support/dense.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::symmetric_eigen_test {
namespace {

template <std::size_t n>
void check_against_eigen(test::Random& random) {
  SquareArray<double, n> A{};
  Eigen::MatrixXd E(n, n);
  const bool clustered = random.integer(0, 3) == 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i; j < n; ++j) {
      const double noise = random.uniform(-1, 1) * (clustered ? 1e-9 : 1);
      A[i][j] = A[j][i] = noise + (clustered && i == j ? 1 : 0);
      E(Eigen::Index(i), Eigen::Index(j)) = E(Eigen::Index(j), Eigen::Index(i)) = A[i][j];
    }
  auto [values, vectors] = symmetric_eigen<double, n>(A);
  for (std::size_t k = 0; k < n; ++k) {
    double length = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double residual = -values[k] * vectors[i][k];
      for (std::size_t j = 0; j < n; ++j) residual += A[i][j] * vectors[j][k];
      EXPECT_NEAR(residual, 0, 1e-14);
      length += vectors[i][k] * vectors[i][k];
    }
    EXPECT_NEAR(length, 1, 4e-15);
  }
  std::sort(values.begin(), values.end());
  const Eigen::VectorXd reference = test::symmetric_eigenvalues(E);
  for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(values[k], reference(Eigen::Index(k)), 1e-14);
}

TEST(SymmetricEigen, AgreesWithEigen) {
  test::for_random_cases(20000, [](test::Random& random) {
    check_against_eigen<3>(random);
    check_against_eigen<4>(random);
  });
}

TEST(SymmetricEigen, ZeroAndDiagonalAndExtremeScales) {
  const auto zero = symmetric_eigen<double, 3>({});
  EXPECT_EQ(zero.values[0], 0);
  EXPECT_EQ(zero.vectors[1][1], 1);
  const auto tiny = symmetric_eigen<double, 3>({{{1e-200, 1e-200, 0}, {1e-200, 1e-200, 0}, {}}});
  EXPECT_NEAR(std::max(tiny.values[0], tiny.values[1]) / 2e-200, 1, 1e-15);
  const auto largest = symmetric_eigen<double, 2>({{{1e308, 1.2e308}, {1.2e308, 1e308}}});
  EXPECT_NEAR(std::min(largest.values[0], largest.values[1]) / -2e307, 1, 1e-14);
  const auto huge = symmetric_eigen<double, 3>({{{1e300, 1e300, 0}, {1e300, 1e300, 0}, {}}});
  EXPECT_NEAR(std::max(huge.values[0], huge.values[1]) / 2e300, 1, 1e-15);
}

}  // namespace
}  // namespace axode::test::symmetric_eigen_test
