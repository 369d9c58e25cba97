// Slopes of applied forces in the tangent: weights, springs and loads on points that coordinates lead
// along curves, against differences of the forces.
#include <gtest/gtest.h>

#include <filesystem>

#include "axode/io/mechanism/mechanism_file.hpp"
#include "axode/mechanism/analysis/position.hpp"
#include "axode/mechanism/analysis/start_poses.hpp"
#include "axode/mechanism/equations/formulate.hpp"

namespace axode::test::system_tangent {
namespace {

/// With springs and loads between points off the centres of mass of its last bodies.
Mechanism loaded(const std::string& file) {
  const std::filesystem::path root = std::filesystem::path(AXODE_TEST_DATA) / "../..";
  Mechanism m = load_mechanism(root / "examples/mechanisms" / file);
  m.drivers.clear();
  const int last = static_cast<int>(m.bodies.size()) - 1;
  const double z = m.is_planar ? 0 : .2;
  m.springs.push_back({.name = "spring",
                       .body = {last - 1, last},
                       .point = {Vec3<double>{.3, .1, z}, Vec3<double>{-.2, .4, -z}},
                       .stiffness = 7,
                       .length = .4});
  m.springs.push_back({.name = "hanger",
                       .body = {0, last},
                       .point = {Vec3<double>{-1, 3, z}, Vec3<double>{.1, .2, z}},
                       .stiffness = 11,
                       .length = 2});
  m.loads.push_back({.name = "load", .body = last, .point = {.5, .3, -z}, .force = {3, -2, 5 * z}});
  return m;
}

void expect_slopes(const Mechanism& m, const FormulationOptions& options) {
  MechanismSystem system(make_equations(m, options));
  const std::size_t nv = system.equations().velocities(), rows = system.constraints();
  std::vector<double> q = system.from_poses(axode::start_poses(m)), rest(nv, 0), none(rows, 0);
  ASSERT_TRUE(solve_position(system, 0, q).converged);
  SparseAssembly tangent;
  tangent.begin(static_cast<int>(nv + rows));
  system.tangent({0, q, rest, rest, none}, {.stiffness = 1}, tangent);
  tangent.end();
  for (std::size_t k = 0; k < nv; ++k) {
    constexpr double h = 1e-5;
    std::vector<double> x(nv + rows, 0), column(nv + rows), there(q.size()), plus_Q(nv),
        minus_Q(nv);
    x[k] = 1;
    multiply(tangent.matrix, x, column);
    for (const double sign : {1., -1.}) {
      std::vector<double> step(nv, 0);
      step[k] = sign * h;
      plus(system.configuration(), q, step, there);
      system.forces(0, there, rest, sign > 0 ? plus_Q : minus_Q);
    }
    for (std::size_t i = 0; i < nv; ++i)
      EXPECT_NEAR(column[i], -(plus_Q[i] - minus_Q[i]) / (2 * h), 1e-6)
          << m.name << ", " << system.equations().velocity_names[i] << " by "
          << system.equations().velocity_names[k];
  }
}

TEST(SystemTangent, HasTheSlopesOfForces) {
  for (const char* file : {"example_2_1_four_bar.json", "example_2_3_rrpr.json"})
    for (const auto family :
         {CoordinateFamily::relative, CoordinateFamily::reference_point, CoordinateFamily::natural})
      expect_slopes(loaded(file), {.family = family});
  for (const char* file : {"bennett.json", "problem_2_21_manipulator.json"}) {
    expect_slopes(loaded(file), {.family = CoordinateFamily::relative});
    expect_slopes(loaded(file), {.family = CoordinateFamily::natural});
    expect_slopes(loaded(file), {.family = CoordinateFamily::reference_point,
                                 .attitude = AttitudeForm::euler_angles});
  }
}

}  // namespace
}  // namespace axode::test::system_tangent
