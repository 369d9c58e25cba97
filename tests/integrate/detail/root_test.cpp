#include "axode/integrate/detail/root.hpp"

#include <gtest/gtest.h>

namespace axode::test::root {

template <class F>
double root(F f, double a, double b, double tolerance, int& calls) {
  calls = 0;
  return find_root([&](double x) { return ++calls, f(x); }, a, b, f(a), f(b), tolerance);
}

TEST(FindRoot, SmoothFunctionsTakeFewCalls) {
  int calls = 0;
  EXPECT_NEAR(root([](double x) { return std::cos(x) - x; }, 0, 1, 1e-13, calls),
              0.73908513321516064, 1e-13);
  EXPECT_LT(calls, 12);
  EXPECT_NEAR(root([](double x) { return 2 - x * x; }, 0, 2, 1e-13, calls), std::sqrt(2), 1e-13);
  EXPECT_LT(calls, 14);
}

TEST(FindRoot, ResultLiesOnTheFarSide) {
  int calls = 0;
  for (const double at : {0.1, 1. / 3, 0.77}) {
    const auto f = [&](double x) { return (x - at) * (1 + x * x); };
    EXPECT_GE(f(root(f, 0, 1, 1e-10, calls)), 0);
    const auto g = [&](double x) { return -f(x); };
    EXPECT_LE(g(root(g, 0, 1, 1e-10, calls)), 0);
  }
}

TEST(FindRoot, JumpsAndFlatFunctionsAreBisected) {
  int calls = 0;
  const double jump = root([](double x) { return x < 0.3 ? -1.0 : 1.0; }, 0, 1, 1e-12, calls);
  EXPECT_GE(jump, 0.3);
  EXPECT_NEAR(jump, 0.3, 1e-12);
  EXPECT_LT(calls, 60);
  EXPECT_NEAR(root([](double x) { return std::pow(x - 0.4, 9); }, 0, 1, 1e-9, calls), 0.4, 1e-9);
  EXPECT_LT(calls, 120);
  EXPECT_EQ(root([](double x) { return x - 1; }, 0, 1, 1e-12, calls), 1);  // at the end itself
}

TEST(FindRoot, NoToleranceEndsAtNeighbours) {
  int calls = 0;
  const double x = root([](double a) { return a * a * a - 2; }, 1, 2, 0, calls);
  EXPECT_GE(x * x * x, 2);
  EXPECT_NEAR(x, std::cbrt(2), 1e-15);
}

}  // namespace axode::test::root
