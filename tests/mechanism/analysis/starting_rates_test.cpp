#include "axode/mechanism/analysis/starting_rates.hpp"

#include <gtest/gtest.h>

#include "axode/mechanism/analysis/motion_analysis.hpp"
#include "axode/mechanism/equations/formulate.hpp"
#include "tests/mechanism/mechanisms.hpp"

namespace axode::test::starting_rates {
namespace {

using namespace mechanisms;

double rate_of(MechanismSystem& system, std::span<const double> q, std::span<const double> v,
               int coordinate) {
  const Mechanism& m = system.mechanism();
  std::vector<SE3<double>> poses(m.bodies.size());
  std::vector<Twist<Rep::hybrid>> twists(m.bodies.size());
  system.motion(q, v, poses, twists);
  return measure(m, coordinate, poses, twists, std::vector<Vec6<double>>(m.bodies.size())).rate;
}

/// A four-bar that nothing drives, told the rate of its crank, or of a pin elsewhere.
TEST(StartingRates, AreThoseOfCoordinates) {
  for (const char* told : {"A.angle", "B.angle", "2.angle"}) {
    Mechanism m = four_bar({});
    m.initial_rate.assign(m.coordinates.size(), std::nan(""));
    const int c = coordinate_index(m, told);
    m.initial_rate[c] = 1.7;
    for (const FormulationOptions& o : formulations(true)) {
      MechanismSystem system(make_equations(m, o));
      const auto q = system.from_poses(reference_poses(m));
      StartingVelocity start = starting_velocity(system, 0, q);
      EXPECT_EQ(start.message, "");
      EXPECT_TRUE(solve_velocity(system, 0, q, start.v).consistent);
      EXPECT_NEAR(rate_of(system, q, start.v, c), 1.7, 1e-12) << label(o) << ", " << told;
    }
  }
}

/// Drivers come first; two rates of one degree of freedom contradict each other.
TEST(StartingRates, YieldToDrivers) {
  Mechanism m = four_bar({});
  m.initial_rate.assign(m.coordinates.size(), std::nan(""));
  m.initial_rate[0] = 1.7;
  Mechanism driven = m;
  add_driver(driven, "A.angle", polynomial_in_time(.5, -3));
  for (const FormulationOptions& o : formulations(true)) {
    MechanismSystem system(make_equations(driven, o));
    const auto q = system.from_poses(reference_poses(m));
    StartingVelocity start = starting_velocity(system, 0, q);
    EXPECT_TRUE(solve_velocity(system, 0, q, start.v).unique);
    EXPECT_NEAR(rate_of(system, q, start.v, 0), -3, 1e-12) << label(o);
  }
  m.initial_rate[3] = 50;
  MechanismSystem system(make_equations(m, {}));
  const StartingVelocity none = starting_velocity(system, 0, system.from_poses(reference_poses(m)));
  EXPECT_NE(none.message.find("starting rates cannot be met"), std::string::npos) << none.message;
}

}  // namespace
}  // namespace axode::test::starting_rates
