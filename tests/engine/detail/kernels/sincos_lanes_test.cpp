// Compiled once per instruction set: sine and cosine in packs against 113-bit arithmetic.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "axode/engine/detail/kernels/sincos.hpp"
#include "axode/lie/pack.hpp"
#include "tests/support/lanes.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

#if !defined(__clang__) && __has_include(<quadmath.h>)
#include <quadmath.h>
#endif

namespace axode::test::sincos_lanes_test {
namespace {

constexpr int lanes = AXODE_LANES;
using P = Pack<double, lanes>;

#if !defined(__clang__) && __has_include(<quadmath.h>)
__extension__ using Quad = __float128;
Quad exact_sin(double x) { return sinq(x); }
Quad exact_cos(double x) { return cosq(x); }
#else
using Quad = long double;
Quad exact_sin(double x) { return std::sin(Quad(x)); }
Quad exact_cos(double x) { return std::cos(Quad(x)); }
#endif

/// Units of the last place of the exact value; errors below 1e-26 count as none.
double error_in_ulp(double found, Quad exact) {
  const auto rounded = static_cast<double>(exact);
  const auto error = std::abs(static_cast<double>(found - exact));
  if (std::isnan(error)) return INFINITY;
  if (error < 1e-26) return 0;
  const double next = std::nextafter(std::abs(rounded), INFINITY);
  return error / (next - std::abs(rounded));
}

/// Arguments of all sizes, next to multiples of pi/2 in every fourth case.
double argument(Random& random) {
  const double sign = random.integer(0, 1) == 0 ? 1 : -1;
  switch (random.integer(0, 3)) {
    case 0:
      return random.uniform(-10, 10);
    case 1:
      return sign * random.log_uniform(1e-12, 0x1p20);
    case 2: {
      double x = sign * random.integer(1, 1 << random.integer(1, 19)) * (pi<double> / 2);
      for (int k = random.integer(0, 3); k > 0; --k) x = std::nextafter(x, sign * INFINITY);
      return x;
    }
    default:
      return random.integer(0, 9) == 0 ? sign * random.log_uniform(1e6, 1e18)
                                       : random.uniform(-1, 1);
  }
}

template <class>
class EngineSinCosInLanes : public testing::Test {};
TYPED_TEST_SUITE(EngineSinCosInLanes, Width<lanes>, WidthName);

TYPED_TEST(EngineSinCosInLanes, IsExactToOneAndAHalfUnits) {
  double worst = 0;
  for_random_cases(40'000 / lanes, [&](Random& random) {
    P x;
    for (int k = 0; k < lanes; ++k) x.set(k, argument(random));
    const SinCos<P> r = engine::sincos(x);
    for (int k = 0; k < lanes; ++k) {
      const double error = std::max(error_in_ulp(r.sin[k], exact_sin(x[k])),
                                    error_in_ulp(r.cos[k], exact_cos(x[k])));
      if (!(error < 1.5)) ADD_FAILURE() << error << " ulp at " << x[k];
      worst = std::max(worst, error);
    }
  });
  record("worst_error_in_ulp", worst);
}

TYPED_TEST(EngineSinCosInLanes, SpecialValues) {
  const SinCos<P> zero = engine::sincos(P(0.));
  EXPECT_EQ(zero.sin[0], 0);
  EXPECT_EQ(zero.cos[0], 1);
  const SinCos<P> tiny = engine::sincos(P(5e-324));
  EXPECT_EQ(tiny.sin[0], 5e-324);
  EXPECT_EQ(tiny.cos[0], 1);
  for (const double bad : {NAN, INFINITY, -INFINITY}) {
    P x(.5);
    x.set(lanes - 1, bad);
    const SinCos<P> r = engine::sincos(x);
    EXPECT_TRUE(std::isnan(r.sin[lanes - 1])) << bad;
    EXPECT_TRUE(std::isnan(r.cos[lanes - 1])) << bad;
    EXPECT_NEAR(r.sin[0], std::sin(.5), 2e-16);
    EXPECT_NEAR(r.cos[0], std::cos(.5), 2e-16);
  }
}

}  // namespace
}  // namespace axode::test::sincos_lanes_test
