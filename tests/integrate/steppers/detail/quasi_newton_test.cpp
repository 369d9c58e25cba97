#include "axode/integrate/steppers/detail/quasi_newton.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/allocations.hpp"

namespace axode::test::quasi_newton {

using Verdict = QuasiNewton::Verdict;

// x + A x = b with |A| < 1, from the unit matrix: the plain iteration would need about 50 steps.
TEST(QuasiNewton, LinearEquationsInFewSteps) {
  const double A[3][3] = {{0.3, -0.4, 0.1}, {0.2, 0.5, -0.3}, {-0.1, 0.2, 0.4}};
  const std::vector<double> exact{1, -2, 3};
  const auto residual = [&](std::span<const double> x, std::span<double> r) {
    for (std::size_t i = 0; i < 3; ++i) {
      r[i] = x[i] - exact[i];
      for (std::size_t j = 0; j < 3; ++j) r[i] += A[i][j] * (x[j] - exact[j]);
    }
    return true;
  };
  QuasiNewton solver(3);
  std::vector<double> x(3), r(3);
  long iterations = 0;
  Verdict verdict{};
  const long allocations = count_allocations([&] {
    verdict = solver.solve(
        x, r, residual, [](std::span<double>) { return true; }, iterations);
  });
  EXPECT_EQ(verdict, Verdict::ok);
  EXPECT_EQ(allocations, 0);
  EXPECT_LT(iterations, 12);  // Broyden's method ends in 2 n steps
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(x[i], exact[i], 1e-15);
}

TEST(QuasiNewton, NonlinearEquationToRounding) {
  QuasiNewton solver(1);
  std::vector<double> x{1}, r(1);
  long iterations = 0;
  const auto residual = [](std::span<const double> y, std::span<double> f) {
    f[0] = y[0] * y[0] * y[0] - 2;
    return true;
  };
  const auto third = [](std::span<double> f) { return f[0] /= 3, true; };
  EXPECT_EQ(solver.solve(x, r, residual, third, iterations), Verdict::ok);
  EXPECT_NEAR(x[0], std::cbrt(2), 3e-16);
  EXPECT_LT(iterations, 12);
}

TEST(QuasiNewton, FailuresAreTold) {
  QuasiNewton solver(1);
  std::vector<double> x{1}, r(1);
  long iterations = 0;
  const auto unit = [](std::span<double>) { return true; };
  const auto solve = [&](double (*f)(double)) {
    x[0] = 1;
    const auto residual = [&](std::span<const double> y, std::span<double> g) {
      g[0] = f(y[0]);
      return true;
    };
    return solver.solve(x, r, residual, unit, iterations);
  };
  EXPECT_EQ(solve([](double) { return std::nan(""); }), Verdict::not_finite);
  EXPECT_EQ(solve([](double y) { return 1 + y * y; }), Verdict::not_converged);
  const auto nothing = [](std::span<const double>, std::span<double>) { return false; };
  EXPECT_EQ(solver.solve(x, r, nothing, unit, iterations), Verdict::no_value);
}

}  // namespace axode::test::quasi_newton
