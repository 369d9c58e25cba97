#include "axode/linalg/eigenvalues.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "tests/support/errors.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::eigen_solvers {
namespace {

TEST(EigenSolvers, ChainOfMassesHasItsKnownFrequencies) {
  // n unit masses in a row on unit springs, held at both ends: w = 4 sin^2(k pi / 2(n+1))
  constexpr std::size_t n = 20;
  std::vector<double> K(n * n, 0.0), M(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    K[i * n + i] = 2;
    M[i * n + i] = 3;
    if (i > 0) K[i * n + i - 1] = K[(i - 1) * n + i] = -1;
  }
  const SymmetricModes modes = symmetric_modes(K, M, static_cast<int>(n));
  ASSERT_TRUE(modes.solved);
  for (std::size_t k = 0; k < n; ++k) {
    const double s = std::sin(static_cast<double>(k + 1) * std::numbers::pi / 42);
    EXPECT_NEAR(modes.values[k], 4 * s * s / 3, 1e-14);
    double norm = 0;
    for (std::size_t i = 0; i < n; ++i) norm += 3 * std::pow(modes.vectors[k * n + i], 2);
    EXPECT_NEAR(norm, 1, 1e-13);
  }
}

TEST(EigenSolvers, OscillationsHaveFrequencyAndDamping) {
  // x'' + 2 zeta w x' + w^2 x = 0, twice, of w 3 and zeta 0.2, of w 1 and zeta -0.5; and a decay at 7.
  const std::vector<double> A{0, 1, 0, 0, 0,  -9, -1.2, 0, 0, 0, 0, 0, 0,
                              1, 0, 0, 0, -1, 1,  0,    0, 0, 0, 0, -7};
  const std::vector<Oscillation> found = oscillations(A, 5);
  ASSERT_EQ(found.size(), 5U);
  constexpr std::array frequency{1., 1., 3., 3., 7.}, damping{-0.5, -0.5, 0.2, 0.2, 1.};
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(found[k].frequency, frequency[k], 1e-13);
    EXPECT_NEAR(found[k].damping_ratio, damping[k], 1e-13);
  }
  for (const std::size_t k : {std::size_t(0), std::size_t(2)}) {
    EXPECT_GT(found[k].eigenvalue.imag(), 0);
    EXPECT_EQ(found[k + 1].eigenvalue, std::conj(found[k].eigenvalue));
  }
  EXPECT_TRUE(oscillations({std::nan("")}, 1).empty());
  EXPECT_TRUE(oscillations({}, 0).empty());
}

TEST(EigenSolvers, VectorsSolveRandomProblems) {
  for_random_cases(100, [](Random& random) {
    constexpr std::size_t n = 6;
    std::vector<double> A(n * n), B(n * n, 0.0), C(n * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) A[i * n + j] = A[j * n + i] = random.uniform(-1, 1);
    for (double& c : C) c = random.uniform(-1, 1);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        B[i * n + j] = i == j ? 0.5 : 0;
        for (std::size_t k = 0; k < n; ++k) B[i * n + j] += C[i * n + k] * C[j * n + k];
      }
    const SymmetricModes modes = symmetric_modes(A, B, n), plain = symmetric_modes(A, n);
    const GeneralModes general = general_modes(C, n);
    ASSERT_TRUE(modes.solved && plain.solved && general.solved);
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < n; ++i) {
        double left = 0, right = 0, plain_rest = -plain.values[k] * plain.vectors[k * n + i];
        std::complex<double> rest = -general.values[k] * general.vectors[k * n + i];
        for (std::size_t j = 0; j < n; ++j) {
          left += A[i * n + j] * modes.vectors[k * n + j];
          right += B[i * n + j] * modes.vectors[k * n + j] * modes.values[k];
          plain_rest += A[i * n + j] * plain.vectors[k * n + j];
          rest += C[i * n + j] * general.vectors[k * n + j];
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
  const GeneralModes modes = general_modes({0, 1, -w * w, -2 * z * w}, 2);
  ASSERT_TRUE(modes.solved);
  EXPECT_NEAR(modes.values[0].real(), -z * w, 1e-14);
  EXPECT_NEAR(modes.values[0].imag(), w * std::sqrt(1 - z * z), 1e-13);
  EXPECT_EQ(modes.values[1], std::conj(modes.values[0]));
}

TEST(EigenSolvers, SaysWhatHasNoAnswer) {
  EXPECT_FALSE(symmetric_modes({1, 0, 0, 1}, {1, 2, 2, 1}, 2).solved) << "indefinite";
  EXPECT_FALSE(general_modes({std::numeric_limits<double>::quiet_NaN()}, 1).solved);
  EXPECT_TRUE(general_modes({}, 0).solved);
  EXPECT_TRUE(symmetric_modes({}, {}, 0).values.empty());
  expect_says(message([] { general_modes({1, 2, 3}, 2); }), "n x n");
  expect_says(message([] { symmetric_modes({1}, {1, 2}, 1); }), "n x n");
}

}  // namespace
}  // namespace axode::test::eigen_solvers
