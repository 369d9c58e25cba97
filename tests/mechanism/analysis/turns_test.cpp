#include "axode/mechanism/analysis/turns.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace axode::test::turns {
namespace {

Mechanism angle_and_distance() {
  Mechanism m;
  m.coordinates.resize(2);
  m.coordinates[0].is_angle = true;
  return m;
}

/// x = 3 t + 20 sin t within (-pi, pi], and the same as a distance.
std::vector<TimeValue> reading(double t) {
  const double x = 3 * t + 20 * std::sin(t), rate = 3 + 20 * std::cos(t), a = -20 * std::sin(t);
  return {{std::remainder(x, 2 * pi<double>), rate, a}, {x, rate, a}};
}

TEST(Turns, AnglesGoOnForwardsAndBackwards) {
  const Mechanism m = angle_and_distance();
  TurnCounter turns;
  for (int k = 0; k <= 100; ++k) {
    const auto now = turns.next(m, 0.1 * k, reading(0.1 * k));
    ASSERT_EQ(now.size(), 2U);
    EXPECT_NEAR(now[0].value, now[1].value, 1e-12) << k;
    EXPECT_EQ(now[1].value, reading(0.1 * k)[1].value);
  }
  EXPECT_TRUE(turns.sure());
}

TEST(Turns, SamplesTooFarApartAreToldApart) {
  const Mechanism m = angle_and_distance();
  TurnCounter turns;
  for (int k = 0; k <= 20; ++k) turns.next(m, 3.0 * k, reading(3.0 * k));
  EXPECT_FALSE(turns.sure());
}

TEST(Turns, BeginWhereDriversAndStartingValuesAre) {
  Mechanism m = angle_and_distance();
  const double turn = 2 * pi<double>;
  m.initial = {4, 4};
  TurnCounter told;
  EXPECT_NEAR(told.next(m, 0, {{4 - turn, 0, 0}, {1, 0, 0}})[0].value, 4, 1e-12);
  EXPECT_EQ(told.last()[1].value, 1);
  m.drivers.push_back({"drive", 0, polynomial_in_time(20, 3)});
  TurnCounter driven;
  EXPECT_NEAR(driven.next(m, 1, {{23 - 4 * turn, 0, 0}, {1, 0, 0}})[0].value, 23, 1e-12);
}

TEST(Turns, NearIsWithinARadian) {
  const Mechanism m = angle_and_distance();
  TurnCounter turns;
  turns.next(m, 0, reading(0));
  EXPECT_TRUE(turns.is_near(m, .02, reading(.02)));
  EXPECT_FALSE(turns.is_near(m, .1, reading(.1)));
  EXPECT_FALSE(turns.is_near(m, 3, reading(3)));
}

}  // namespace
}  // namespace axode::test::turns
