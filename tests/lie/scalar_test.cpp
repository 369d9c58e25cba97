#include "axode/lie/scalar.hpp"

#include <gtest/gtest.h>

#include "axode/lie/dual.hpp"
#include "axode/lie/pack.hpp"

namespace axode::test::scalar_test {
namespace {

static_assert(std::is_same_v<Real<double>, double>);
static_assert(std::is_same_v<Real<Dual<Dual<float>>>, float>);
static_assert(std::is_same_v<Real<Dual<Pack<double, 2>>>, double>);
static_assert(epsilon<Dual<double>> == 0x1p-52);

TEST(Scalar, SelectTakesTheSideOfTheMask) {
  EXPECT_EQ(select(true, 1.0, 2.0), 1.0);
  EXPECT_EQ(select(false, 1.0, 2.0), 2.0);
}

TEST(Scalar, ChooseEvaluatesOnlyWhatIsNeeded) {
  int calls_f = 0, calls_g = 0;
  const auto f = [&] { return ++calls_f, 1.0; };
  const auto g = [&] { return ++calls_g, 2.0; };
  EXPECT_EQ(choose(true, f, g), 1.0);
  EXPECT_EQ(calls_g, 0);
  EXPECT_EQ(choose(false, f, g), 2.0);
  EXPECT_EQ(calls_f, 1);
  EXPECT_EQ(calls_g, 1);
}

TEST(Scalar, ChooseBlendsLanesThatDisagree) {
  using P = Pack<double, 2>;
  P x;
  x.set(0, 1.0);
  x.set(1, 3.0);
  int calls = 0;
  const auto small = [&] { return ++calls, P(10.0); };
  const auto large = [&] { return ++calls, P(20.0); };
  const P mixed = choose(x < P(2.0), small, large);
  EXPECT_EQ(mixed[0], 10.0);
  EXPECT_EQ(mixed[1], 20.0);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(choose(x < P(0.0), small, large)[0], 20.0);
  EXPECT_EQ(calls, 3);
}

TEST(Scalar, SmallFunctions) {
  static_assert(abs(-2.5) == 2.5 && abs(2.5) == 2.5);
  static_assert(max(1.0, 2.0) == 2.0 && min(1.0, 2.0) == 1.0);
  EXPECT_FALSE(std::signbit(abs(-0.0)));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(max(nan, 1.0)) && std::isnan(max(1.0, nan)));
  EXPECT_TRUE(std::isnan(min(nan, 1.0)) && std::isnan(min(1.0, nan)));
  static_assert(!is_finite(std::numeric_limits<double>::infinity()) && is_finite(1.0));
  EXPECT_TRUE(is_finite(1e308));
  EXPECT_TRUE(is_finite(5e-324));
  EXPECT_FALSE(is_finite(std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(is_finite(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_EQ(sqrt(9.0f), 3.0f);
}

}  // namespace
}  // namespace axode::test::scalar_test
