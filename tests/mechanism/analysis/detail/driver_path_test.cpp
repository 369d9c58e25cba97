#include "axode/mechanism/analysis/detail/driver_path.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/mechanism/analysis/position.hpp"
#include "tests/mechanism/mechanisms.hpp"

namespace axode::test::driver_path {
namespace {

using namespace mechanisms;

TEST(DriverPath, AnglesGoOnOverWholeTurns) {
  Mechanism m = four_bar({});
  add_driver(m, "A.angle", polynomial_in_time(.5, 1));
  for (const FormulationOptions& how : formulations(true)) {
    MechanismSystem system(make_equations(m, how));
    std::vector<double> q = system.from_poses(reference_poses(m));
    const std::vector<SE3<double>> start = poses_of(system, q);
    ASSERT_TRUE(detail::follow_time(system, 0, 4 * M_PI, q)) << label(how);
    const std::vector<SE3<double>> end = poses_of(system, q);
    for (std::size_t b = 0; b < end.size(); ++b)
      EXPECT_LT(max_abs(end[b].R.matrix - start[b].R.matrix), 1e-10) << label(how);
  }
}

/// The rocker cannot be driven past the position where crank and coupler lie in a line.
TEST(DriverPath, EndsAtDeadPoints) {
  const FourBar f{};
  Mechanism m = four_bar(f);
  const std::vector<SE3<double>> poses = reference_poses(m);
  const double psi = measure(m, coordinate_index(m, "B.angle"), poses);
  const double dead = std::acos(-(4 * 4 + 2.5 * 2.5 - 2.5 * 2.5) / (2 * 4 * 2.5));
  add_driver(m, "B.angle", polynomial_in_time(psi, 1));
  for (const FormulationOptions& how : formulations(true)) {
    MechanismSystem system(make_equations(m, how));
    std::vector<double> q = system.from_poses(poses);
    EXPECT_FALSE(detail::follow_time(system, 0, dead - psi + .1, q)) << label(how);
    const double reached = measure(m, 3, poses_of(system, q));
    EXPECT_LT(reached, dead + 1e-6) << label(how);
    EXPECT_GT(reached, dead - .1) << label(how);
  }
}

TEST(DriverPath, LeadsByTheShorterWay) {
  Mechanism m = four_bar({});
  add_driver(m, "A.angle", constant_in_time(.5 + 2 * M_PI - .3));
  for (const FormulationOptions& how : formulations(true)) {
    MechanismSystem system(make_equations(m, how));
    std::vector<double> q = detail::lead_drivers(system, 0, reference_poses(m));
    ASSERT_FALSE(q.empty()) << label(how);
    EXPECT_TRUE(solve_position(system, 0, q).converged) << label(how);
    EXPECT_NEAR(measure(m, 0, poses_of(system, q)), .2, 1e-10) << label(how);
  }
}

}  // namespace
}  // namespace axode::test::driver_path
