/// Models of any size take about the same steps (rounding decides on single ones): lengths, masses
/// and gravity scaled alike.
#include <gtest/gtest.h>

#include "tests/mechanism/mechanism_runs.hpp"

namespace axode::test::simulate_mechanism_scale {

using namespace dynamic_mechanisms;

/// Lengths and gravity times `size`, so that times stay as they are.
DynamicCase resized(DynamicCase c, double size) {
  Mechanism& m = c.mechanism;
  m.gravity = m.gravity * size;
  for (MechanismBody& body : m.bodies) {
    body.pose.p = body.pose.p * size;
    body.inertia.com = body.inertia.com * size;
    body.inertia.about_com = body.inertia.about_com * (size * size);
  }
  for (MechanismJoint& joint : m.joints)
    for (auto& point : joint.point) point = point * size;
  for (Moving& body : c.start) {
    body.pose.p = body.pose.p * size;
    body.twist.linear = body.twist.linear * size;
  }
  return c;
}
DynamicCase driven_four_bar() {
  DynamicCase c = four_bar(1);
  const Json& row = c.trajectory[0];
  c.mechanism.drivers.push_back(
      {.name = "motor",
       .coordinate = coordinate_index(c.mechanism, "A.angle"),
       .motion = polynomial_in_time(number(row, "q"), number(row, "qd"), 1)});
  return c;
}

void expect_same_steps(const DynamicCase& of_one) {
  for (const FormulationOptions& f : families(true))
    for (const Method method : methods_of(ModelKind::mechanism)) {
      const auto run = [&](double size) {
        const DynamicCase c = resized(of_one, size);
        MechanismSystem system(make_equations(c.mechanism, f));
        const Start start = state_of(system, c);
        return axode::simulate(system, {start.q, start.v},
                               {.duration = 1, .method = method, .rtol = 1e-7, .atol = 1e-9});
      };
      const RunResult one = run(1);
      for (const double size : {1e-3, 1e3}) {
        const RunResult other = run(size);
        const std::string what = label(of_one, f, method) + ", " + std::to_string(size) + " m";
        EXPECT_EQ(other.ending, Ending::finished) << what << other.message;
        EXPECT_LT(other.energy_drift / other.energy_scale,
                  2 * one.energy_drift / one.energy_scale + 1e-6)
            << what;
        const double steps = static_cast<double>(one.statistics.steps);
        EXPECT_NEAR(static_cast<double>(other.statistics.steps), steps, 2 + .4 * steps) << what;
      }
    }
}

TEST(SimulateMechanismScale, FourBar) { expect_same_steps(four_bar(0)); }
TEST(SimulateMechanismScale, DrivenFourBar) { expect_same_steps(driven_four_bar()); }

}  // namespace axode::test::simulate_mechanism_scale
