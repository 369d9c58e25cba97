#include "axode/lie/householder.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/random_cases.hpp"

namespace axode::test::householder {
namespace {

TEST(Householder, ReflectorTurnsAVectorToTheFirstAxis) {
  for_random_cases(1000, [](Random& random) {
    const int n = random.integer(1, 9);
    std::vector<double> x(n);
    for (double& a : x) a = random.log_uniform(1e-8, 1e8) * random.uniform(-1, 1);
    std::vector<double> u = x;
    const double beta = detail::reflector(u.data(), n);
    const double size = std::sqrt(detail::dot(x.data(), x.data(), n));
    EXPECT_NEAR(std::abs(beta), size, 1e-15 * n * size);
    EXPECT_NEAR(detail::dot(u.data(), u.data(), n), n > 1 ? 2 : 0, 1e-14);
    detail::reflect(u.data(), x.data(), n);
    EXPECT_NEAR(x[0], beta, 1e-14 * size);
    for (int i = 1; i < n; ++i) EXPECT_NEAR(x[i], 0, 1e-14 * size);
  });
}

TEST(Householder, WhatLiesOnTheAxisStaysExact) {
  std::vector<double> x{-3, 0, 0}, zero(3, 0.0);
  EXPECT_EQ(detail::reflector(x.data(), 3), -3);
  EXPECT_EQ(x, zero);
  EXPECT_EQ(detail::reflector(x.data(), 3), 0);
  EXPECT_EQ(x, zero);
}

TEST(Householder, DotAndAddOfAllLengths) {
  for (int n = 0; n < 12; ++n) {
    std::vector<double> a(n), b(n);
    double sum = 0;
    for (int i = 0; i < n; ++i) {
      a[i] = i + 1;
      b[i] = 2 - i;
      sum += a[i] * b[i];
    }
    EXPECT_EQ(detail::dot(a.data(), b.data(), n), sum);
    detail::add(a.data(), 3, b.data(), n);
    for (int i = 0; i < n; ++i) EXPECT_EQ(a[i], i + 1 + 3 * (2 - i));
  }
}

}  // namespace
}  // namespace axode::test::householder
