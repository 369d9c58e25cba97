#include "axode/lie/series.hpp"

#include <gtest/gtest.h>

#include "axode/lie/dual.hpp"
#include "tests/support/near.hpp"
#include "tests/support/quad.hpp"

namespace axode::test::series_test {
namespace {

using test::Quad;

/// Calls check(theta) on a logarithmic grid from 1e-12 to `end` and at the ends of the ranges.
template <class Check>
void sweep_angles(double end, Check&& check) {
  constexpr int steps = 20000;
  for (int i = 0; i <= steps; ++i) check(1e-12 * std::pow(end / 1e-12, double(i) / steps));
  for (double u : {10.0, std::nextafter(10.0, 0.0), std::nextafter(10.0, 11.0)})
    check(std::sqrt(u));
  check(0.0);
  check(pi<double>);
}

double relative_error(double value, Quad reference) {
  return static_cast<double>((Quad(value) - reference) / reference);
}

TEST(Series, StumpffToRoundOffFromZeroToPi) {
  double worst[6] = {};
  sweep_angles(pi<double>, [&](double theta) {
    const double u = theta * theta;
    const Stumpff<double> c = stumpff(u);
    const double values[] = {c.c0, c.c1, c.c2, c.c3, c.c4, c.c5};
    for (int k = 0; k < 6; ++k) {
      const Quad reference = test::stumpff_series(k, u);
      // c_0 and c_1 have zeros in the range: absolute error there, of order 1 elsewhere.
      const double error = k < 2 ? static_cast<double>(Quad(values[k]) - reference)
                                 : relative_error(values[k], reference);
      worst[k] = std::max(worst[k], std::abs(error));
    }
  });
  for (int k = 0; k < 6; ++k) {
    test::record("worst_" + std::string(k < 2 ? "" : "relative_") + "error_c" + std::to_string(k),
                 worst[k]);
    EXPECT_LT(worst[k], 4 * epsilon<double>) << "c" << k;
  }
}

TEST(Series, StumpffBeyondPi) {
  for (double theta = pi<double>; theta < 12; theta += 1e-3) {
    const double u = theta * theta;
    const Stumpff<double> c = stumpff(u);
    const double values[] = {c.c0, c.c1, c.c2, c.c3, c.c4, c.c5};
    for (int k = 0; k < 6; ++k)
      EXPECT_NEAR(static_cast<double>(Quad(values[k]) - test::stumpff_series(k, u)), 0, 2e-15)
          << "c" << k << " at " << theta;
  }
}

TEST(Series, HalfAngleIsTheSameFunctionAtAQuarterOfTheArgument) {
  sweep_angles(9, [&](double theta) {
    const double u = theta * theta;
    const Stumpff<double> c = half_angle_stumpff(u);
    const double values[] = {c.c0, c.c1, c.c2, c.c3, c.c4, c.c5};
    for (int k = 0; k < 6; ++k)
      ASSERT_NEAR(static_cast<double>(Quad(values[k]) - test::stumpff_series(k, Quad(u) / 4)), 0,
                  2 * epsilon<double>)
          << "c" << k << " at " << theta;
  });
}

TEST(Series, SlopesAgreeWithSeriesOfTheDerivative) {
  sweep_angles(pi<double>, [&](double theta) {
    const double u = theta * theta;
    const StumpffSlope<double> d = slope(stumpff(u));
    const auto reference = [&](int k) {
      return (k * test::stumpff_series(k + 2, u) - test::stumpff_series(k + 1, u)) / 2;
    };
    ASSERT_LT(std::abs(relative_error(d.c2, reference(2))), 2e-15) << theta;
    ASSERT_LT(std::abs(relative_error(d.c3, reference(3))), 2e-15) << theta;
  });
}

TEST(Series, CotangentSeriesToRoundOff) {
  sweep_angles(pi<double>, [&](double theta) {
    const Quad u = Quad(theta) * Quad(theta), v = u / 4;
    const CotangentSeries<double> g = cotangent_series(theta * theta);
    // (1 - (theta/2) cot(theta/2))/theta^2 = (c_1 - c_0)/(c_1 u) at v; as a power series in v.
    const Quad c1 = test::stumpff_series(1, v), c2 = test::stumpff_series(2, v),
               c3 = test::stumpff_series(3, v);
    const Quad value = (c2 - c3) / (4 * c1);
    ASSERT_LT(std::abs(relative_error(g.value, value)), 5 * epsilon<double>) << theta;
    if (theta > 1e-3) {
      // Independent of the above: the closed form in sine and cosine, 34 digits.
      const Quad s = c1 * Quad(theta) / 2, c = test::stumpff_series(0, v);
      const Quad half_cot = Quad(theta) / 2 * c / s;
      ASSERT_LT(std::abs(relative_error(g.value, (1 - half_cot) / u)), 5 * epsilon<double>);
      // d/du = (1/(2 theta)) d/dtheta of (1 - (theta/2) cot(theta/2))/theta^2
      const Quad numerator_slope = (-half_cot / Quad(theta) + Quad(theta) / (4 * s * s));
      const Quad slope =
          (numerator_slope / u - 2 * (1 - half_cot) / (u * Quad(theta))) / (2 * Quad(theta));
      ASSERT_LT(std::abs(relative_error(g.slope, slope)), 1e-14) << theta;
    }
  });
  EXPECT_NEAR(cotangent_series(0.0).value, 1.0 / 12, 2e-17);
  EXPECT_NEAR(cotangent_series(0.0).slope, 1.0 / 720, 1e-18);
}

TEST(Series, DifferentiatesThroughZero) {
  const Dual<double> at_zero(0.0, 1.0);
  const Stumpff<Dual<double>> c = stumpff(at_zero);
  EXPECT_NEAR(c.c0.dual, -1.0 / 2, 1e-16);
  EXPECT_NEAR(c.c1.dual, -1.0 / 6, 1e-16);
  EXPECT_NEAR(c.c2.dual, -1.0 / 24, 1e-17);
  EXPECT_NEAR(c.c3.dual, -1.0 / 120, 1e-17);
  EXPECT_NEAR(cotangent_series(at_zero).value.dual, 1.0 / 720, 1e-17);
}

TEST(Series, BadArgumentsGiveNaNNotAHang) {
  const double inf = std::numeric_limits<double>::infinity();
  for (double u : {inf, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_TRUE(std::isnan(stumpff(u).c1)) << u;
  EXPECT_EQ(stumpff(5e-324).c1, 1.0);
  EXPECT_TRUE(std::isfinite(stumpff(1e300).c3));
}

TEST(Series, FloatIsAsAccurateAsFloatCan) {
  for (float theta = 1e-6f; theta < 3.14f; theta *= 1.01f) {
    const Stumpff<float> c = stumpff(theta * theta);
    const Quad u = Quad(theta * theta);
    ASSERT_NEAR(relative_error(double(c.c2), test::stumpff_series(2, u)), 0, 6e-7);
    ASSERT_NEAR(relative_error(double(c.c3), test::stumpff_series(3, u)), 0, 6e-7);
  }
}

}  // namespace
}  // namespace axode::test::series_test
