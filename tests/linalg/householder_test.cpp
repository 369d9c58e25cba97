#include "axode/linalg/householder.hpp"

#include <gtest/gtest.h>

#include <array>

#include "tests/support/random_cases.hpp"

namespace axode::test::householder {
namespace {

TEST(Householder, ReflectsAColumnToItsHeadAndKeepsLengths) {
  for_random_cases(100, [](Random& random) {
    constexpr int n = 7;
    const int first = random.integer(0, n - 1);
    std::array<double, n> x{}, y{};
    for (int i = 0; i < n; ++i) x[i] = random.uniform(-1, 1), y[i] = random.uniform(-1, 1);
    std::array<double, n> u = x, reflected = x, other = y;
    double head = 0;
    const double factor = make_reflection(u.data(), first, n, head);
    reflect(u.data(), factor, first, n, reflected.data());
    reflect(u.data(), factor, first, n, other.data());
    EXPECT_NEAR(head * head, squares(x.data(), first, n), 1e-14);
    for (int i = 0; i < n; ++i) {
      const double expected = i > first ? 0 : i == first ? head : x[i];
      EXPECT_NEAR(reflected[i], expected, 1e-14);
    }
    EXPECT_NEAR(squares(other.data(), 0, n), squares(y.data(), 0, n), 1e-13);
    reflect(u.data(), factor, first, n, other.data());
    for (int i = 0; i < n; ++i) EXPECT_NEAR(other[i], y[i], 1e-14) << "twice: nothing";
  });
}

TEST(Householder, LeavesZeroAlone) {
  std::array<double, 3> x{1, 0, 0};
  double head = 7;
  EXPECT_EQ(make_reflection(x.data(), 1, 3, head), 0);
  EXPECT_EQ(head, 0);
}

}  // namespace
}  // namespace axode::test::householder
