#include "axode/mechanism/arclength.hpp"

#include <gtest/gtest.h>

#include "axode/mechanism/follow.hpp"
#include "axode/mechanism/motion_analysis.hpp"
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
      std::vector<double> v(static_cast<std::size_t>(system.equations().velocities()));
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
  std::vector<double> v(static_cast<std::size_t>(system.equations().velocities()));
  ASSERT_TRUE(solve_velocity(system, 0.5, q, v).consistent);
  const ArclengthResult r = arclength_past(system, 0.5, q, v, 1);
  EXPECT_EQ(r.kind, ArclengthResult::Kind::passed);
  EXPECT_GT(r.s, 0.5);
}

}  // namespace
}  // namespace axode::test::arclength
