#include "axode/flexible/beam/detail/legendre.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/errors.hpp"

namespace axode::test::legendre {
namespace {

TEST(Legendre, RulesAreExactForPolynomials) {
  for (const int points : {1, 2, 5, 16, 64, 200}) {
    const GaussRule rule = gauss_rule(points);
    ASSERT_EQ(rule.x.size(), static_cast<std::size_t>(points));
    for (int power = 0; power<2 * points; power += points> 16 ? 13 : 1) {
      double sum = 0;
      for (std::size_t i = 0; i < rule.x.size(); ++i)
        sum += rule.weight[i] * std::pow(rule.x[i], power);
      EXPECT_NEAR(sum, 1.0 / (power + 1), 1e-14) << points << " points, power " << power;
    }
  }
}

TEST(Legendre, RuleOfThreePoints) {
  const GaussRule rule = gauss_rule(3);
  EXPECT_NEAR(rule.x[0], (1 - std::sqrt(0.6)) / 2, 1e-15);
  EXPECT_NEAR(rule.x[1], 0.5, 1e-15);
  EXPECT_NEAR(rule.weight[0], 5.0 / 18, 1e-15);
  EXPECT_NEAR(rule.weight[1], 8.0 / 18, 1e-15);
}

TEST(Legendre, CompositeRule) {
  const GaussRule rule = composite_rule(4, 3);
  double sum = 0;
  for (std::size_t i = 0; i < rule.x.size(); ++i) sum += rule.weight[i] * std::exp(rule.x[i]);
  EXPECT_NEAR(sum, std::exp(1) - 1, 1e-9);
  EXPECT_LT(rule.x[2], 0.25);
  EXPECT_GT(rule.x[3], 0.25);
}

TEST(Legendre, TableIsItsOwnDerivative) {
  constexpr int count = 12;
  constexpr double h = 1e-3;
  for (const double s : {0.1, 0.37, 0.5, 0.93}) {
    const auto table = legendre_table(count, s);
    const auto at = [&](double d) { return legendre_table(count, s + d).rows; };
    const auto a = at(-2 * h), b = at(-h), c = at(h), d = at(2 * h);
    for (std::size_t row = 0; row + 1 < 5; ++row)
      for (std::size_t n = 0; n < count; ++n) {
        const double slope = (a[row][n] - 8 * b[row][n] + 8 * c[row][n] - d[row][n]) / (12 * h);
        EXPECT_NEAR(table.rows[row + 1][n], slope, 1e-5 * std::max(1.0, std::abs(slope)))
            << row << ' ' << n << ' ' << s;
      }
  }
}

TEST(Legendre, TableAtTheRootAndOfPowers) {
  const auto root = legendre_table(10, 0).rows;
  for (std::size_t n = 0; n < 10; ++n) {
    EXPECT_NEAR(root[0][n], 0, 1e-16);
    EXPECT_NEAR(root[1][n], 0, 1e-16);
    EXPECT_EQ(root[2][n], n % 2 == 0 ? 1 : -1);
  }
  const double s = 0.3;
  const auto row = legendre_table(3, s).rows;  // 1, 2s - 1, 6s^2 - 6s + 1
  EXPECT_NEAR(row[0][1], s * s * s / 3 - s * s / 2, 1e-16);
  EXPECT_NEAR(row[0][2], s * s * s * s / 2 - s * s * s + s * s / 2, 1e-16);
  EXPECT_NEAR(row[1][2], 2 * s * s * s - 3 * s * s + s, 1e-16);
  EXPECT_NEAR(row[4][2], 12, 1e-14);
  EXPECT_TRUE(legendre_table(0, s).rows[2].empty());
}

TEST(Legendre, Refusals) {
  expect_says(message([] { gauss_rule(0); }), "one or more");
}

}  // namespace
}  // namespace axode::test::legendre
