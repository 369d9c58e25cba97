#include "axode/mechanism/analysis/arclength.hpp"

#include <gtest/gtest.h>

#include "axode/mechanism/analysis/follow.hpp"
#include "axode/mechanism/analysis/motion_analysis.hpp"
#include "tests/mechanism/mechanisms.hpp"

namespace axode::test::arclength {
namespace {

using namespace mechanisms;

/// The rocker of a four-bar as input: it turns back where crank and coupler are in line.
TEST(Arclength, FindsWhereTheRockerTurns) {
  FourBar f;
  // By the triangle A, 2, B with |A2| = L2 + L3: the crank's angle, and that of the rocker.
  const double reach = f.L2 + f.L3, d = 4;
  const double crank = std::acos((reach * reach + d * d - f.L4 * f.L4) / (2 * reach * d));
  const double rocker = M_PI - std::acos((f.L4 * f.L4 + d * d - reach * reach) / (2 * f.L4 * d));
  for (const double before : {1e-2, 1e-4, -1e-3}) {
    f.phi = crank - before;
    Mechanism m = four_bar(f);
    add_driver(m, "B.angle", constant_in_time(0));
    for (const auto& o : formulations(true)) {
      MechanismSystem system(driver_as_time(make_equations(m, o), 0, 0));
      auto q = system.from_poses(reference_poses(m));
      const double s = measure(m, coordinate_index(m, "B.angle"), reference_poses(m));
      ASSERT_TRUE(solve_position(system, s, q).converged);
      std::vector<double> v(system.equations().velocities());
      ASSERT_TRUE(solve_velocity(system, s, q, v).consistent);
      const ArclengthResult r = arclength_past(system, s, q, v, rocker > s ? 1 : -1);
      ASSERT_EQ(r.kind, ArclengthResult::Kind::turned) << label(o) << before;
      EXPECT_NEAR(r.s, rocker, 1e-10) << label(o) << before;
    }
  }
}

/// A crank that turns freely: the driver goes on.
TEST(Arclength, GoesOnWhereNothingTurns) {
  Mechanism m = four_bar(FourBar{.phi = 0.5});
  add_driver(m, "A.angle", constant_in_time(0));
  MechanismSystem system(
      driver_as_time(make_equations(m, {.family = CoordinateFamily::reference_point}), 0, 0));
  const auto q = system.from_poses(reference_poses(m));
  std::vector<double> v(system.equations().velocities());
  ASSERT_TRUE(solve_velocity(system, 0.5, q, v).consistent);
  const ArclengthResult r = arclength_past(system, 0.5, q, v, 1);
  EXPECT_EQ(r.kind, ArclengthResult::Kind::passed);
  EXPECT_GT(r.s, 0.5);
}

/// The crank turns once while the rocker goes to and fro: every value of it is met twice.
TEST(Arclength, CurveOfTheRockerCloses) {
  Mechanism m = four_bar(FourBar{.phi = 1.1});
  add_driver(m, "B.angle", constant_in_time(0));
  const double s = measure(m, coordinate_index(m, "B.angle"), reference_poses(m));
  for (const auto& o : formulations(true)) {
    MechanismSystem system(driver_as_time(make_equations(m, o), 0, 0));
    const auto q = system.from_poses(reference_poses(m));
    const CurveResult r = arclength_curve(system, s, q, 2 * M_PI);
    EXPECT_TRUE(r.closed) << label(o);
    EXPECT_EQ(r.turns, 2) << label(o);
    ASSERT_EQ(r.crossings.size(), 2U) << label(o);
    EXPECT_LT(r.crossings[0].slope * r.crossings[1].slope, 0) << label(o);
    // The rocker stands as before, the crank on the other side of the line from A to point 2.
    const auto &before = r.crossings[0].poses, &after = r.crossings[1].poses;
    EXPECT_NEAR(r.crossings[1].s, s, 1e-12) << label(o);
    EXPECT_LT(max_abs(before[3].R.matrix - after[3].R.matrix), 1e-11) << label(o);
    const Vec3<double> two = before[3] * Vec3<double>{2.5, 0, 0};
    EXPECT_NEAR(dot(before[2].p, two), dot(after[2].p, two), 1e-11) << label(o);
    EXPECT_NEAR(cross(before[2].p, two).z, -cross(after[2].p, two).z, 1e-11) << label(o);
  }
}

/// A short curve of steps ends unclosed, and says so.
TEST(Arclength, UnfinishedCurveIsSaidSo) {
  Mechanism m = four_bar(FourBar{.phi = 0.5});
  add_driver(m, "A.angle", constant_in_time(0));
  MechanismSystem system(
      driver_as_time(make_equations(m, {.family = CoordinateFamily::natural}), 0, 0));
  const auto q = system.from_poses(reference_poses(m));
  const CurveResult r = arclength_curve(system, 0.5, q, 2 * M_PI, 10);
  EXPECT_FALSE(r.closed);
  EXPECT_EQ(r.crossings.size(), 1U);
  for (const int steps : {0, 10}) {
    int asked = 0;
    const CurveResult stopped = arclength_curve(system, 0.5, q, 2 * M_PI, max_curve_steps,
                                                [&] { return asked++ >= steps; });
    EXPECT_FALSE(stopped.closed);
    EXPECT_LE(stopped.steps, steps);
    EXPECT_LE(asked, steps + 2);  // once more for the other way
    EXPECT_EQ(stopped.crossings.size(), 1U);
  }
}

/// Over a driver of the system: the same, with couplings that tell full turns apart.
TEST(Arclength, DriversOfASystemAreFollowed) {
  Mechanism m = four_bar(FourBar{.phi = 1.1});
  const double s = measure(m, coordinate_index(m, "B.angle"), reference_poses(m));
  add_driver(m, "B.angle", polynomial_in_time(s - 1, 2));
  for (const auto& o : formulations(true)) {
    MechanismSystem system(make_equations(m, o));
    const auto q = system.from_poses(reference_poses(m));
    EXPECT_EQ(arclength_past(system, 0, .5, q, 1).kind, ArclengthResult::Kind::passed) << label(o);
    const CurveResult curve = arclength_curve(system, 0, .5, q);
    EXPECT_TRUE(curve.closed) << label(o);
    EXPECT_EQ(curve.crossings.size(), 2U) << label(o);
    EXPECT_EQ(curve.turns, 2) << label(o);
  }
  EXPECT_EQ(driver_period(m, 0), 2 * M_PI);
  m.couplings.push_back({.name = "gear", .parts = {{0, 1}, {1, 2}}});
  EXPECT_EQ(driver_period(m, 0), 0);
}

}  // namespace
}  // namespace axode::test::arclength
