#include "axode/mechanism/rod_spin.hpp"

#include <gtest/gtest.h>

#include "axode/mechanism/formulate.hpp"
#include "axode/mechanism/motion_analysis.hpp"
#include "axode/mechanism/simulate_mechanism.hpp"
#include "tests/mechanism/mechanisms.hpp"

namespace axode::test::rod_spin {
namespace {

using namespace mechanisms;
using Ending = MechanismRunResult::Ending;

/// A slender rod from a ball on a crank to a ball on a slider: a crank of 0.3 m about z in the
/// origin, a slider along x through (0, 0, 0.2).
Mechanism rssp(bool is_rod) {
  Mechanism m = empty_mechanism("rssp", false);
  m.gravity = {0, -9.81, 0};
  const double phi = .7, length = 1;
  const Vec3<double> ball = Vec3<double>{std::cos(phi), std::sin(phi), 0} * .3;
  const double reach = std::sqrt(length * length - ball.y * ball.y - .04);
  const Vec3<double> end{ball.x + reach, 0, .2};
  const Inertia<double> heavy{1, {}, Sym3<double>::diagonal({.02, .03, .04})};
  const int crank = add_body(m, "crank", {exp(Vec3<double>{0, 0, phi}), {}}, heavy);
  const Vec3<double> x = end - ball, y = some_normal(x);
  const int rod = add_body(m, "rod", {SO3<double>{Mat3<double>{x, y, cross(x, y)}}, ball},
                           {1, {.5, 0, 0}, Sym3<double>::diagonal({0, 1. / 12, 1. / 12})});
  m.bodies[rod].rod = is_rod;
  const int slider = add_body(m, "slider", {{}, end}, heavy);
  add_joint(m, axis_joint("A", PairType::revolute, {0, crank}, {}, {}, {0, 0, 1}, {0, 0, 1}));
  add_joint(m, {.name = "B",
                .type = PairType::spherical,
                .body = {crank, rod},
                .point = {Vec3<double>{.3, 0, 0}, Vec3<double>{}}});
  add_joint(m, {.name = "C",
                .type = PairType::spherical,
                .body = {rod, slider},
                .point = {Vec3<double>{1, 0, 0}, Vec3<double>{}}});
  add_joint(
      m, axis_joint("D", PairType::prismatic, {0, slider}, {0, 0, .2}, {}, {1, 0, 0}, {1, 0, 0}));
  return m;
}

TEST(RodSpin, RunsAreThoseOfNaturalCoordinates) {
  const Mechanism m = rssp(true);
  std::vector<SE3<double>> first;
  for (const FormulationOptions& o :
       {FormulationOptions{.family = CoordinateFamily::natural},
        {.family = CoordinateFamily::relative},
        {.family = CoordinateFamily::reference_point},
        {.family = CoordinateFamily::reference_point, .attitude = AttitudeForm::euler_angles},
        {.family = CoordinateFamily::reference_point,
        .attitude = AttitudeForm::quasi_velocities}}) {
    MechanismSystem system(make_equations(m, o));
    const bool is_natural = o.family == CoordinateFamily::natural;
    const auto& remarks = system.equations().remarks;
    EXPECT_EQ(std::ranges::count_if(remarks,
                                    [](const std::string& r) {
                                      return r.find("rod rod may spin") != std::string::npos;
                                    }),
              is_natural ? 0 : 1);
    auto q = system.from_poses(reference_poses(m));
    std::vector<double> v(system.equations().velocities(), 0.0);
    // Turning as a whole is no motion of it: the start takes the nearest, which has spin.
    std::vector<Twist<Rep::hybrid>> twists(m.bodies.size());
    twists[1].angular = {0, 0, 2};
    v = system.from_twists(q, twists);
    const MechanismRunResult still =
        simulate_mechanism(system, q, std::vector<double>(v.size(), 0.0),
                           {.duration = .5, .rtol = 1e-10, .atol = 1e-11});
    ASSERT_EQ(still.ending, Ending::finished) << label(o) << still.message;
    EXPECT_LT(still.statistics.steps, 400) << label(o);
    const std::vector<SE3<double>> poses = poses_of(system, still.q);
    if (first.empty()) first = poses;
    EXPECT_GT(norm(log(inverse(m.bodies[1].pose.R) * poses[1].R)), .5);
    for (const std::size_t b : {std::size_t{1}, std::size_t{3}})
      EXPECT_LT(norm(log(inverse(first[b].R) * poses[b].R)) + norm(first[b].p - poses[b].p), 1e-7)
          << label(o);
    const MechanismRunResult moving = simulate_mechanism(system, q, v, {.duration = .1});
    EXPECT_EQ(moving.ending, Ending::finished) << label(o) << moving.message;
  }
}

TEST(RodSpin, FreedomsWithoutInertiaAreNamed) {
  for (const FormulationOptions& o : formulations(false)) {
    if (o.family == CoordinateFamily::natural) continue;
    const Mechanism m = rssp(false);
    MechanismSystem system(make_equations(m, o));
    const auto q = system.from_poses(reference_poses(m));
    const MechanismRunResult run = simulate_mechanism(
        system, q, std::vector<double>(system.equations().velocities(), 0.0), {});
    EXPECT_EQ(run.ending, Ending::singular) << label(o);
    EXPECT_EQ(run.t, 0);
    EXPECT_NE(run.message.find("is not determined"), std::string::npos) << run.message;
  }
}

TEST(RodSpin, RotorsWithoutMass) {
  Mechanism m = empty_mechanism("rotor", true);
  const int rotor = add_body(m, "rotor", {}, planar_inertia(0, {0, 0}, 2));
  add_pin(m, "A", {0, rotor}, {0, 0}, {0, 0});
  m.coordinate_forces.push_back({.coordinate = 0, .force = [](double) { return 4.; }});
  for (const FormulationOptions& o : formulations(true)) {
    MechanismSystem system(make_equations(m, o));
    const auto q = system.from_poses(reference_poses(m));
    const MechanismRunResult run = simulate_mechanism(
        system, q, std::vector<double>(system.equations().velocities(), 0.0), {});
    ASSERT_EQ(run.ending, Ending::finished) << label(o) << run.message;
    const std::vector<SE3<double>> poses = poses_of(system, run.q);
    EXPECT_NEAR(log(poses[1].R).z, 1, 1e-7) << label(o);  // 2 rad/s^2 for 1 s
  }
}

}  // namespace
}  // namespace axode::test::rod_spin
