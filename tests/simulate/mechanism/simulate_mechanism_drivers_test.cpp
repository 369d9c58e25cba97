/// Driven mechanisms: equations that depend on time, in all methods.
#include <gtest/gtest.h>

#include "tests/mechanism/mechanism_runs.hpp"

namespace axode::test::simulate_mechanism_drivers {

using namespace dynamic_mechanisms;

/// The crank of the four-bar turned by q + qd t + t^2/2, where the start of the trajectory is.
DynamicCase driven_four_bar() {
  DynamicCase c = four_bar(1);
  const Json& row = c.trajectory[0];
  const double q = number(row, "q"), qd = number(row, "qd");
  c.mechanism.drivers.push_back({.name = "motor",
                                 .coordinate = coordinate_index(c.mechanism, "A.angle"),
                                 .motion = polynomial_in_time(q, qd, 1)});
  return c;
}

TEST(SimulateMechanismDrivers, TheCrankFollowsAndTheWorkIsTheEnergy) {
  const DynamicCase c = driven_four_bar();
  const double q0 = number(c.trajectory[0], "q"), rate0 = number(c.trajectory[0], "qd");
  for (const FormulationOptions& f : families(true))
    for (const Method method : methods_of(ModelKind::mechanism)) {
      const bool coarse =
          method == Method::generalized_alpha || method == Method::generalized_alpha_stabilized;
      MechanismSystem system(make_equations(c.mechanism, f));
      const Start start = state_of(system, c);
      std::vector<SE3<double>> poses(4);
      std::vector<Twist<Rep::hybrid>> twists(4);
      double error = 0, slip = 0, worked = 0;
      const double rtol = coarse ? 1e-7 : 1e-9;
      const RunResult run = axode::simulate(
          system, {start.q, start.v},
          {.duration = 1, .method = method, .rtol = rtol, .atol = rtol, .sample_interval = .1},
          {.sample = [&](const Sample& s) {
            system.motion(s.q, s.v, poses, twists);
            error =
                std::max(error, turned(heading({poses[1], {}}), q0 + rate0 * s.t + s.t * s.t / 2));
            slip = std::max(slip, apart(twists[1].angular.z, rate0 + s.t));
            worked = std::max(worked, std::abs(s.work));
          }});
      EXPECT_EQ(run.ending, Ending::finished) << label(c, f, method) << run.message;
      EXPECT_LT(error, 1e-6) << label(c, f, method);
      // Index 3 does not ask for velocities: they follow by the order of the method.
      const bool direct = method == Method::generalized_alpha;
      EXPECT_LT(slip, direct ? 2e-4 : 1e-6) << label(c, f, method);
      EXPECT_GT(worked, 1) << label(c, f, method);
      EXPECT_LT(run.energy_drift, (coarse ? 1e-3 : 1e-5) * run.energy_scale) << label(c, f, method);
    }
}

/// With the motion it has anyway the crank needs no torque.
TEST(SimulateMechanismDrivers, ForceOfTheDriver) {
  DynamicCase c = four_bar(1);
  const double q = number(c.trajectory[0], "q"), qd = number(c.trajectory[0], "qd");
  MechanismSystem free(make_equations(c.mechanism, {.family = CoordinateFamily::relative}));
  const Start start = state_of(free, c);
  double acceleration = 0;
  (void)axode::simulate(free, {start.q, start.v}, {.duration = 0}, {.sample = [&](const Sample& s) {
                          std::vector<Vec6<double>> rates(4);
                          free.accelerations(s.q, s.v, s.a, rates);
                          acceleration = rates[1].angular.z;
                        }});
  c.mechanism.drivers.push_back({.name = "motor",
                                 .coordinate = coordinate_index(c.mechanism, "A.angle"),
                                 .motion = polynomial_in_time(q, qd, acceleration)});
  for (const FormulationOptions& f : families(true)) {
    MechanismSystem system(make_equations(c.mechanism, f));
    const Start at = state_of(system, c);
    const MechanismEquations& eq = system.equations();
    (void)axode::simulate(system, {at.q, at.v}, {.duration = 0}, {.sample = [&](const Sample& s) {
                            for (std::size_t i = 0; i < eq.equations.size(); ++i)
                              if (eq.equations[i].driver >= 0) {
                                EXPECT_NEAR(s.lambda[i], 0, 1e-8) << name(f.family);
                              }
                          }});
  }
}

/// Two drivers that disagree.
TEST(SimulateMechanismDrivers, ContradictionsAreNamed) {
  DynamicCase c = driven_four_bar();
  const double th = number(c.trajectory[0]["th4"], "pos");
  c.mechanism.drivers.push_back({.name = "second",
                                 .coordinate = coordinate_index(c.mechanism, "B.angle"),
                                 .motion = polynomial_in_time(th, 100)});
  MechanismSystem system(
      make_equations(c.mechanism, {.family = CoordinateFamily::reference_point}));
  const Start start = state_of(system, c);
  const RunResult run = axode::simulate(system, {start.q, start.v}, {});
  EXPECT_EQ(run.ending, Ending::inconsistent_velocity);
  EXPECT_NE(run.message.find("equation '"), std::string::npos) << run.message;
}

}  // namespace axode::test::simulate_mechanism_drivers
