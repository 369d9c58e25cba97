#include "axode/linalg/eigenvalues.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "tests/support/errors.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::eigen_solvers {
namespace {

TEST(EigenSolvers, ChainOfMassesHasItsKnownFrequencies) {
  // n unit masses in a row on unit springs, held at both ends: w = 4 sin^2(k pi / 2(n+1))
  constexpr int n = 20;
  DenseMatrix<double> K = zero_matrix(n, n), M = zero_matrix(n, n);
  for (int i = 0; i < n; ++i) {
    K(i, i) = 2;
    M(i, i) = 3;
    if (i > 0) K(i, i - 1) = K(i - 1, i) = -1;
  }
  const SymmetricModes modes = symmetric_modes(K, M);
  ASSERT_TRUE(modes.solved);
  for (int k = 0; k < n; ++k) {
    const double s = std::sin(static_cast<double>(k + 1) * std::numbers::pi / 42);
    EXPECT_NEAR(modes.values[k], 4 * s * s / 3, 1e-14);
    double norm = 0;
    for (const double x : modes.vectors.row(k)) norm += 3 * x * x;
    EXPECT_NEAR(norm, 1, 1e-13);
  }
}

TEST(EigenSolvers, VectorsSolveRandomProblems) {
  for_random_cases(100, [](Random& random) {
    constexpr int n = 6;
    DenseMatrix<double> A = zero_matrix(n, n), C = A;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) A(i, j) = A(j, i) = random.uniform(-1, 1);
    for (double& c : C.values) c = random.uniform(-1, 1);
    DenseMatrix<double> B = C * transpose(C);
    for (int i = 0; i < n; ++i) B(i, i) += 0.5;
    const SymmetricModes modes = symmetric_modes(A, B), plain = symmetric_modes(A);
    const GeneralModes general = general_modes(C);
    ASSERT_TRUE(modes.solved && plain.solved && general.solved);
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < n; ++i) {
        double left = 0, right = 0, plain_rest = -plain.values[k] * plain.vectors(k, i);
        std::complex<double> rest = -general.values[k] * general.vectors(k, i);
        for (int j = 0; j < n; ++j) {
          left += A(i, j) * modes.vectors(k, j);
          right += B(i, j) * modes.vectors(k, j) * modes.values[k];
          plain_rest += A(i, j) * plain.vectors(k, j);
          rest += C(i, j) * general.vectors(k, j);
        }
        EXPECT_NEAR(left, right, 1e-12);
        EXPECT_NEAR(plain_rest, 0, 1e-14);
        EXPECT_LT(std::abs(rest), 1e-12);
      }
  });
}

TEST(EigenSolvers, DampedOscillator) {
  // q'' + 2 z w q' + w^2 q = 0
  const double w = 7, z = 0.1;
  const GeneralModes modes = general_modes({2, 2, {0, 1, -w * w, -2 * z * w}});
  ASSERT_TRUE(modes.solved);
  EXPECT_NEAR(modes.values[0].real(), -z * w, 1e-14);
  EXPECT_NEAR(modes.values[0].imag(), w * std::sqrt(1 - z * z), 1e-13);
  EXPECT_EQ(modes.values[1], std::conj(modes.values[0]));
}

TEST(EigenSolvers, SaysWhatHasNoAnswer) {
  EXPECT_FALSE(symmetric_modes({2, 2, {1, 0, 0, 1}}, {2, 2, {1, 2, 2, 1}}).solved) << "indefinite";
  EXPECT_FALSE(general_modes({1, 1, {std::numeric_limits<double>::quiet_NaN()}}).solved);
  EXPECT_TRUE(general_modes({}).solved);
  EXPECT_TRUE(symmetric_modes({}, {}).values.empty());
  expect_says(message([] { (void)general_modes({2, 2, {1, 2, 3}}); }), "n x n");
  expect_says(message([] { (void)symmetric_modes({1, 1, {1}}, {1, 2, {1, 2}}); }), "n x n");
}

}  // namespace
}  // namespace axode::test::eigen_solvers
