#include "axode/mechanism/coordinates/rod_spin.hpp"

#include <gtest/gtest.h>

#include "axode/mechanism/analysis/diagnosis.hpp"
#include "axode/mechanism/analysis/follow.hpp"
#include "axode/mechanism/analysis/mobility.hpp"
#include "axode/mechanism/analysis/motion_analysis.hpp"
#include "axode/mechanism/analysis/singularity.hpp"
#include "axode/mechanism/analysis/statics.hpp"
#include "axode/mechanism/dynamics/mechanism_dynamics.hpp"
#include "axode/mechanism/dynamics/reactions.hpp"
#include "axode/mechanism/equations/formulate.hpp"
#include "axode/simulate/run/simulate.hpp"
#include "tests/mechanism/mechanisms.hpp"

namespace axode::test::rod_spin {
namespace {

using namespace mechanisms;

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
    const RunResult still = axode::simulate(system, {q, std::vector<double>(v.size(), 0.0)},
                                            {.duration = .5, .rtol = 1e-10, .atol = 1e-11});
    ASSERT_EQ(still.ending, Ending::finished) << label(o) << still.message;
    EXPECT_LT(still.statistics.steps, 400) << label(o);
    const std::vector<SE3<double>> poses = poses_of(system, still.last.q);
    if (first.empty()) first = poses;
    EXPECT_GT(norm(log(inverse(m.bodies[1].pose.R) * poses[1].R)), .5);
    for (const std::size_t b : {std::size_t{1}, std::size_t{3}})
      EXPECT_LT(norm(log(inverse(first[b].R) * poses[b].R)) + norm(first[b].p - poses[b].p), 1e-7)
          << label(o);
    const RunResult moving = axode::simulate(system, {q, v}, {.duration = .1});
    EXPECT_EQ(moving.ending, Ending::finished) << label(o) << moving.message;
  }
}

const std::vector<FormulationOptions>& spinning() {
  using enum CoordinateFamily;
  static const std::vector<FormulationOptions> all{
      {.family = relative},
      {.family = relative, .close_whole = true},
      {.family = reference_point},
      {.family = reference_point, .attitude = AttitudeForm::euler_angles},
      {.family = reference_point, .attitude = AttitudeForm::quasi_velocities}};
  return all;
}

double driver_force(const MechanismSystem& system, std::span<const double> lambda) {
  double force = 0;
  for (int i = 0; i < system.equations().rows(); ++i)
    if (system.equations().equations[i].driver >= 0) force = -lambda[i];
  return force;
}

/// The rod given a spin of any size: no energy, no force of the driver, no reaction changes. Also of
/// a rod that is not slender, of one that is not the same about all axes across it, and where a
/// torque twists it: that has nothing to push against.
TEST(RodSpin, ChangesNoResult) {
  for (const auto& [about, one_across] :
       {std::pair{0., 1. / 12}, {.02, 1. / 12}, {.04, 1. / 12}, {0., .01}, {.02, .3}}) {
    const bool is_twisted = about > .03;
    Mechanism m = rssp(true);
    m.bodies[2].inertia.about_com.xx = about;
    m.bodies[2].inertia.about_com.yy = one_across;
    add_driver(m, "A.angle", polynomial_in_time(.7, 1.5, .4));
    if (is_twisted) m.loads.push_back({.name = "twist", .body = 2, .torque = {.1, .2, .3}});
    MechanismSystem natural(make_equations(m, {.family = CoordinateFamily::natural}));
    const auto q0 = natural.from_poses(reference_poses(m));
    std::vector<double> v0(natural.equations().velocities()), a0(v0);
    (void)solve_velocity(natural, 0, q0, v0);
    (void)solve_acceleration(natural, 0, q0, v0, a0);
    const ReactionsResult expected = reactions(natural, 0, q0, v0, a0);
    const double force = driver_force(natural, expected.lambda);
    EXPECT_EQ(expected.consistent, !is_twisted);
    for (const FormulationOptions& o : spinning()) {
      MechanismSystem system(make_equations(m, o));
      const auto q = system.from_poses(reference_poses(m));
      std::vector<double> v(system.equations().velocities()), a(v), lambda(system.constraints());
      const MotionResult moved = solve_velocity(system, 0, q, v);
      EXPECT_TRUE(moved.consistent && moved.unique) << label(o) << moved.message;
      ASSERT_TRUE(solve_acceleration(system, 0, q, v, a).unique) << label(o);
      std::vector<SE3<double>> poses(m.bodies.size());
      std::vector<Twist<Rep::hybrid>> twists(m.bodies.size());
      system.motion(q, v, poses, twists);
      EXPECT_NEAR(dot(poses[2].R.matrix.x, twists[2].angular), 0, 1e-12) << label(o);
      const double scale = 1 + std::abs(force);
      for (const double spin : {0., 3., -40.}) {
        std::vector<double> spun(v);
        if (spin != 0) {
          auto with = twists;
          with[2].angular += poses[2].R.matrix.x * spin;
          spun = system.from_twists(q, with);
        }
        std::vector<double> rate(system.constraints());
        system.velocity(0, q, spun, rate);
        for (const double x : rate) EXPECT_NEAR(x, 0, 1e-12) << label(o);
        EXPECT_NEAR(system.kinetic_energy(q, spun), natural.kinetic_energy(q0, v0), 1e-12);
        MechanismDynamics dynamics(system);
        ASSERT_TRUE(dynamics.multipliers(0, q, spun, a, lambda)) << label(o) << dynamics.why();
        const ReactionsResult r = reactions(system, 0, q, spun, a);
        EXPECT_EQ(r.consistent, !is_twisted) << label(o) << r.message;
        EXPECT_NEAR(driver_force(system, lambda), force, 1e-10 * scale) << label(o);
        EXPECT_NEAR(driver_force(system, r.lambda), force, 1e-10 * scale) << label(o);
        if (is_twisted) continue;
        EXPECT_NEAR(r.drivers[0].force, force, 1e-10 * scale) << label(o);
        for (std::size_t j = 0; j < r.joints.size(); ++j)
          EXPECT_NEAR(norm(r.joints[j].force - expected.joints[j].force), 0, 1e-10 * scale)
              << label(o) << ", joint " << j << ", spin " << spin;
      }
    }
  }
}

/// What counts degrees of freedom and looks for singular configurations does not take it for one.
TEST(RodSpin, IsNoFreedomThatMatters) {
  Mechanism m = rssp(true);
  const Mechanism free = m;
  add_driver(m, "A.angle", polynomial_in_time(.7, 1.5, .4));
  MechanismSystem natural(make_equations(m, {.family = CoordinateFamily::natural}));
  const FollowResult path =
      follow_driver(natural, 0, .7, 2.7, 0, natural.from_poses(reference_poses(m)), {.step = .5});
  ASSERT_TRUE(path.complete) << path.message;
  const auto slider = path_of_coordinate(path, coordinate_index(m, "D.distance"));
  for (const FormulationOptions& o : spinning()) {
    MechanismSystem system(make_equations(m, o));
    const auto q = system.from_poses(reference_poses(m));
    EXPECT_EQ(dofs_left(system, 0, q).count, 0) << label(o);
    const MobilityResult all = mobility(system, 0, q);
    EXPECT_EQ(all.mobility, 1) << label(o);
    EXPECT_EQ(all.idle_spins, 1) << label(o);
    const int output = coordinate_index(m, "D.distance");
    const SingularityResult s = singularity(system, 0, q, std::array{output});
    EXPECT_EQ(s.type, 0) << label(o) << s.message;
    EXPECT_EQ(s.mobility, 1) << label(o);
    EXPECT_FALSE(s.constraint) << label(o) << s.message;
    const FollowResult here = follow_driver(system, 0, .7, 2.7, 0, q, {.step = .5});
    ASSERT_TRUE(here.complete) << label(o) << here.message;
    EXPECT_TRUE(here.events.empty());
    const auto there = path_of_coordinate(here, output);
    for (std::size_t k = 0; k < slider.size(); ++k) {
      EXPECT_NEAR(there[k].value, slider[k].value, 1e-10) << label(o);
      EXPECT_NEAR(there[k].rate, slider[k].rate, 1e-9) << label(o);
      EXPECT_NEAR(there[k].acceleration, slider[k].acceleration, 1e-8) << label(o);
    }
    // The crank hangs down: stable, with the frequency that natural coordinates find.
    MechanismSystem hanging(make_equations(free, o));
    const EquilibriumResult rest = equilibrium(hanging, 0, hanging.from_poses(reference_poses(m)));
    EXPECT_TRUE(rest.converged && rest.stable) << label(o) << rest.message;
    EXPECT_EQ(rest.dofs, 1) << label(o);
    MechanismSystem by_points(make_equations(free, {.family = CoordinateFamily::natural}));
    const EquilibriumResult same =
        equilibrium(by_points, 0, by_points.from_poses(reference_poses(m)));
    ASSERT_EQ(rest.frequencies.size(), 1U) << label(o) << rest.message;
    EXPECT_NEAR(rest.frequencies[0], same.frequencies.at(0), 1e-6) << label(o);
  }
}

TEST(RodSpin, FreedomsWithoutInertiaAreNamed) {
  for (const FormulationOptions& o : formulations(false)) {
    if (o.family == CoordinateFamily::natural) continue;
    const Mechanism m = rssp(false);
    MechanismSystem system(make_equations(m, o));
    const auto q = system.from_poses(reference_poses(m));
    const RunResult run = axode::simulate(
        system, {q, std::vector<double>(system.equations().velocities(), 0.0)}, {.duration = 1});
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
    const RunResult run = axode::simulate(
        system, {q, std::vector<double>(system.equations().velocities(), 0.0)}, {.duration = 1});
    ASSERT_EQ(run.ending, Ending::finished) << label(o) << run.message;
    const std::vector<SE3<double>> poses = poses_of(system, run.last.q);
    EXPECT_NEAR(log(poses[1].R).z, 1, 1e-7) << label(o);  // 2 rad/s^2 for 1 s
  }
}

}  // namespace
}  // namespace axode::test::rod_spin
