// Written poses of all bodies against those that are evaluated, at random coordinates.
#include "axode/mechanism/written/detail/written_bodies.hpp"

#include <random>

#include "axode/mechanism/equations/system.hpp"
#include "tests/mechanism/book_cases.hpp"

namespace axode::test::written_poses {
namespace {

void compare(const std::string& file, const std::string& formulation) {
  SCOPED_TRACE(file + " " + formulation);
  const Mechanism m = load_mechanism(book::models / file);
  MechanismSystem system(make_equations(m, formulation_named(m, formulation)));
  const std::vector<double> start = book::start(system);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> step(-.5, .5);
  std::vector<double> d(system.equations().velocities()), q(start);
  for (double& x : d) x = step(random);
  plus(system.configuration(), start, d, q);

  detail::SymbolTable table(system.equations(), false);
  const std::vector<detail::WrittenBody> bodies = detail::written_bodies(system.equations(), table);
  std::vector<SE3<double>> T_WB(m.bodies.size());
  system.poses(q, T_WB);
  const auto number = [&](const Formula& f) { return value(f, q); };
  for (std::size_t b = 1; b < m.bodies.size(); ++b) {
    const detail::WrittenBody& body = bodies[b];
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(number(body.R(i, k)), T_WB[b].R.matrix(i, k), 1e-13) << body.name;
      EXPECT_NEAR(number(body.at[i]), (T_WB[b] * body.anchor)[i], 1e-13) << body.name;
    }
  }
}

}  // namespace

TEST(WrittenBodies, StandWhereTheyAreEvaluated) {
  for (const char* file : {"example_2_4_six_bar.json", "example_2_7_telescopic.json",
                           "problem_2_03_rolling_wheel.json", "problem_2_20_gyroscope.json",
                           "problem_2_21_manipulator.json", "stewart_legs.json", "screw_jack.json",
                           "universal_joint.json", "problem_2_19_revolute_cylindrical.json"})
    compare(file, "relative");
  for (const char* file : {"example_2_4_six_bar.json"}) compare(file, "reference_point");
  for (const char* file : {"problem_2_18_rssr.json", "stewart.json"})
    for (const char* attitude : {"euler_angles", "quasi_velocities"}) compare(file, attitude);
}

}  // namespace axode::test::written_poses
