#include <gtest/gtest.h>

#include "axode/mechanism/analysis/motion_analysis.hpp"
#include "axode/simulate/run/simulate.hpp"
#include "tests/mechanism/mechanisms.hpp"

namespace axode::test::simulate_mechanism_rest {
namespace {

using namespace mechanisms;

/// Runs in all coordinates by all methods; bodies must be where `expected` has them at the end.
template <class Expected>
void expect_run(const Mechanism& m, double tolerance, Expected&& expected) {
  for (const FormulationOptions& o : formulations(m.is_planar))
    for (const Method method : methods_of(ModelKind::mechanism)) {
      const std::string what = m.name + " " + label(o) + " " + std::string(name(method));
      MechanismSystem system(make_equations(m, o));
      auto q = system.from_poses(reference_poses(m));
      std::vector<double> v(system.equations().velocities(), 0.0);
      (void)solve_velocity(system, 0, q, v);
      const RunResult run = axode::simulate(system, {q, v}, {.duration = .2, .method = method});
      EXPECT_EQ(run.ending, Ending::finished) << what << ": " << run.message;
      const std::vector<SE3<double>> poses = poses_of(system, run.last.q), where = expected();
      for (std::size_t b = 0; b < where.size(); ++b)
        EXPECT_LT(norm(poses[b].p - where[b].p) + norm(log(inverse(where[b].R) * poses[b].R)),
                  tolerance)
            << what << " " << m.bodies[b].name;
    }
}
void expect_rest(const Mechanism& m) {
  expect_run(m, 1e-9, [&] { return reference_poses(m); });
}

TEST(SimulateMechanismRest, HangingPendulum) {
  Mechanism m = empty_mechanism("pendulum", true);
  m.gravity = {0, -9.81, 0};
  const int bar =
      add_body(m, "bar", planar_place({0, 0}, -std::acos(0.)), planar_inertia(1.3, {.5, 0}, .1));
  add_pin(m, "A", {0, bar}, {0, 0}, {0, 0});
  expect_rest(m);
}

TEST(SimulateMechanismRest, WeldedBodyAndTruss) {
  Mechanism m = empty_mechanism("weld", true);
  m.gravity = {0, -9.81, 0};
  const int block = add_body(m, "block", planar_place({1, .3}, 0), planar_inertia(2, {.1, .2}, .3));
  add_joint(
      m,
      {.name = "W", .type = PairType::weld, .body = {0, block}, .point = {in_plane({1, .3}), {}}});
  expect_rest(m);

  Mechanism truss = empty_mechanism("truss", true);
  truss.gravity = {0, -9.81, 0};
  const double up = std::acos(.5);
  const int left =
      add_body(truss, "left", planar_place({0, 0}, up), planar_inertia(1, {.5, 0}, .1));
  const int right =
      add_body(truss, "right", planar_place({1, 0}, 2 * up), planar_inertia(2, {.5, 0}, .2));
  add_pin(truss, "A", {0, left}, {0, 0}, {0, 0});
  add_pin(truss, "B", {0, right}, {1, 0}, {0, 0});
  add_pin(truss, "C", {left, right}, {1, 0}, {1, 0});
  expect_rest(truss);
}

TEST(SimulateMechanismRest, HeldAndSteadilyDriven) {
  Mechanism m = four_bar({});
  m.gravity = {0, -9.81, 0};
  Mechanism held = m;
  add_driver(held, "A.angle", polynomial_in_time(FourBar{}.phi, 0));
  expect_rest(held);
  held.gravity = {};
  expect_rest(held);

  Mechanism crank = empty_mechanism("crank", true);
  crank.gravity = {0, -9.81, 0};
  const int bar = add_body(crank, "bar", planar_place({0, 0}, .3), planar_inertia(1, {0, 0}, .1));
  add_pin(crank, "A", {0, bar}, {0, 0}, {0, 0});
  add_driver(crank, "A.angle", polynomial_in_time(.3, 2));
  expect_run(crank, 1e-7, [&] {
    std::vector<SE3<double>> poses = reference_poses(crank);
    poses[1] = planar_place({0, 0}, .3 + 2 * .2);
    return poses;
  });
}

TEST(SimulateMechanismRest, InSpace) {
  Mechanism m = empty_mechanism("spatial", false);
  m.gravity = {0, 0, -9.81};
  const int bar = add_body(m, "bar", {exp(Vec3<double>{.1, .2, .3}), {0, 0, 0}},
                           {1.5, {}, Sym3<double>::diagonal({.1, .2, .3})});
  const SE3<double>& pose = m.bodies[bar].pose;
  m.bodies[bar].inertia.com = inverse(pose.R) * Vec3<double>{0, 0, -.4};
  add_joint(m, {.name = "S", .type = PairType::spherical, .body = {0, bar}});
  expect_rest(m);
}

TEST(SimulateMechanismRest, TheEndIsSampled) {
  Mechanism m = four_bar({});
  m.gravity = {0, -9.81, 0};
  for (const Method method : methods_of(ModelKind::mechanism)) {
    MechanismSystem system(make_equations(m, {.family = CoordinateFamily::relative}));
    auto q = system.from_poses(reference_poses(m));
    std::vector<double> v(system.equations().velocities(), 0.0), last;
    double t = 0, before = 0;
    const RunResult run = axode::simulate(system, {q, v}, {.duration = .1234567, .method = method},
                                          {.sample = [&](const Sample& s) {
                                            before = t;
                                            t = s.t;
                                            last.assign(s.q.begin(), s.q.end());
                                          }});
    EXPECT_EQ(run.ending, Ending::finished) << run.message;
    EXPECT_EQ(t, .1234567);
    EXPECT_NEAR(before, .12, 1e-15);
    EXPECT_EQ(last, run.last.q);
    EXPECT_EQ(run.samples, 14);
  }
}

/// The same four-bar, larger by L: with gravity larger by L it moves the same angles in time.
Mechanism sized_four_bar(double L) {
  return four_bar({.A = {0, 0},
                   .B = {4 * L, 0},
                   .L2 = L,
                   .L3 = 3.5 * L,
                   .L4 = 2.5 * L,
                   .J2 = .1 * L * L,
                   .J3 = .1 * L * L,
                   .J4 = .1 * L * L,
                   .c2 = {.5 * L, 0},
                   .c3 = {L, 0},
                   .c4 = {L, 0},
                   .g = {0, -9.81 * L}});
}
TEST(SimulateMechanismRest, SizeDoesNotMatter) {
  for (const FormulationOptions& o : formulations(true))
    for (const Method method :
         {Method::projection, Method::augmented_lagrangian, Method::null_space}) {
      std::vector<SE3<double>> unit;
      for (const double L : {1., 1e-6, 1e-3, 1e3, 1e6}) {
        const Mechanism m = sized_four_bar(L);
        const std::string what =
            label(o) + " " + std::string(name(method)) + " L = " + std::to_string(L);
        MechanismSystem system(make_equations(m, o));
        const auto q = system.from_poses(reference_poses(m));
        const std::vector<double> v(system.equations().velocities(), 0.0);
        const RunResult run = axode::simulate(
            system, {q, v},
            {.duration = .5, .method = method, .rtol = 1e-10, .atol = 1e-11 * std::min(L, 1.)});
        ASSERT_EQ(run.ending, Ending::finished) << what << ": " << run.message;
        const std::vector<SE3<double>> poses = poses_of(system, run.last.q);
        if (unit.empty()) unit = poses;
        for (std::size_t b = 1; b < poses.size(); ++b) {
          EXPECT_LT(norm(log(inverse(unit[b].R) * poses[b].R)), 1e-8) << what;
          EXPECT_LT(norm(poses[b].p * (1 / L) - unit[b].p), 1e-8) << what;
        }
      }
    }
}

}  // namespace
}  // namespace axode::test::simulate_mechanism_rest
