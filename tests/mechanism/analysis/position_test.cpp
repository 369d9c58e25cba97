#include "axode/mechanism/analysis/position.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "axode/core/error.hpp"
#include "axode/io/mechanism/mechanism_file.hpp"
#include "axode/linalg/largest.hpp"
#include "axode/mechanism/analysis/start_poses.hpp"
#include "axode/mechanism/dynamics/mechanism_dynamics.hpp"
#include "tests/mechanism/mechanisms.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/near.hpp"

namespace axode::test::position {
namespace {

using namespace mechanisms;

TEST(Position, FourBarInBothModes) {
  const auto data = read_json("mechanisms/planar_fourbar.json");
  ASSERT_FALSE(data["sets"].empty());
  for (const auto& set : data["sets"])
    for (const auto& state : set["states"]) {
      if (!state["feasible"]) continue;
      for (const auto& mode : state["modes"]) {
        FourBar f = four_bar_of(set["params"]);
        f.mode = mode["mode"];
        f.phi = number(state, "phi") - 0.1;  // where the search begins
        Mechanism m = four_bar(f);
        add_driver(m, "A.angle", constant_in_time(state["phi"]));
        for (const auto& o : formulations(true)) {
          MechanismSystem system(make_equations(m, o));
          auto q = system.from_poses(reference_poses(m));
          const PositionResult r = solve_position(system, 0, q);
          ASSERT_TRUE(r.converged) << label(o) << r.message;
          const auto poses = poses_of(system, q);
          expect_near(poses[2].p, in_plane(point2(mode["pos"]["1"])), 1e-11, label(o));
          expect_near(poses[3] * Vec3<double>{f.L4, 0, 0}, in_plane(point2(mode["pos"]["2"])),
                      1e-11, label(o));
          EXPECT_EQ(r.rank, system.equations().velocities());
        }
      }
    }
}

/// Reference poses are where a search begins. One that is far away changes neither the size by which
/// residuals are judged nor the motion that follows from it.
TEST(Position, FarReferencePosesSayNothingOfTheSize) {
  const Mechanism near = four_bar({.g = {0, -9.81}});
  Mechanism far = near;
  far.bodies[2].pose.p.y = 1e12;
  EXPECT_LT(model_size(far), 1e4 * model_size(near));
  for (const auto& o : formulations(true)) {
    std::array<std::vector<double>, 2> a;
    for (int k = 0; k < 2; ++k) {
      MechanismSystem system(make_equations(k == 0 ? near : far, o));
      const std::vector<double> q = system.from_poses(reference_poses(near));
      const std::vector<double> v(system.equations().velocities());
      std::vector<double> lambda(system.equations().rows());
      a[k].resize(v.size());
      ASSERT_TRUE(MechanismDynamics(system).accelerate(0, q, v, a[k], lambda)) << label(o);
    }
    const double size = axode::detail::largest(a[0]);
    EXPECT_GT(size, 1) << label(o);
    for (std::size_t i = 0; i < a[0].size(); ++i)
      EXPECT_NEAR(a[1][i], a[0][i], 1e-8 * size) << label(o);
  }
}

TEST(Position, ImpossibleInputIsSaidSo) {
  const auto data = read_json("mechanisms/planar_fourbar.json");
  ASSERT_FALSE(data["sets"].empty());
  for (const auto& set : data["sets"]) {
    if (set["limit_half_angle_stretched"].is_null()) continue;
    FourBar f = four_bar_of(set["params"]);
    f.phi = 1;
    Mechanism m = four_bar(f);
    add_driver(m, "A.angle", constant_in_time(2.6));
    for (const auto& o : formulations(true)) {
      MechanismSystem system(make_equations(m, o));
      auto q = system.from_poses(reference_poses(m));
      const PositionResult r = solve_position(system, 0, q);
      EXPECT_FALSE(r.converged) << label(o);
      EXPECT_NE(r.message.find("cannot be assembled"), std::string::npos) << r.message;
      EXPECT_GT(r.residual, 1e-3);
    }
  }
}

TEST(Position, AllMethodsFindTheSame) {
  Mechanism m = four_bar(FourBar{.phi = 0.4});
  add_driver(m, "A.angle", constant_in_time(0.5));
  for (const auto& o : formulations(true)) {
    std::vector<std::vector<SE3<double>>> all;
    for (const PositionMethod method :
         {PositionMethod::automatic, PositionMethod::newton, PositionMethod::levenberg_marquardt,
          PositionMethod::minimum_norm}) {
      MechanismSystem system(make_equations(m, o));
      auto q = system.from_poses(reference_poses(m));
      const PositionResult r = solve_position(system, 0, q, {.method = method});
      ASSERT_TRUE(r.converged) << label(o) << r.message;
      EXPECT_LE(r.iterations, method == PositionMethod::levenberg_marquardt ? 12 : 7);
      all.push_back(poses_of(system, q));
      for (std::size_t b = 0; b < 4; ++b) expect_near(all.back()[b], all[0][b], 1e-11, label(o));
    }
  }
}

TEST(Position, SpatialLoopWithRedundantEquations) {
  const auto bennett = read_json("mechanisms/overconstrained.json")["mechanisms"][0];
  const double a = bennett["params"]["a"], b = bennett["b"];
  const double alpha = bennett["params"]["alpha"], beta = bennett["params"]["beta"];
  for (const auto& state : bennett["states"]) {
    const auto theta = state["pos"]["theta"].get<std::vector<double>>();
    std::vector<double> off = theta;
    off[1] += 0.2;
    off[2] -= 0.1;
    Mechanism m = revolute_loop({a, b, a, b}, {alpha, beta, alpha, beta}, off);
    add_driver(m, "J1.angle", constant_in_time(theta[0]));
    for (const auto& o : formulations(false)) {
      MechanismSystem system(make_equations(m, o));
      auto q = system.from_poses(reference_poses(m));
      const PositionResult r = solve_position(system, 0, q);
      ASSERT_TRUE(r.converged) << label(o) << r.message;
      const auto poses = poses_of(system, q);
      for (int k = 1; k < 4; ++k) {
        const std::string point = "P" + std::to_string(k), axis = "u" + std::to_string(k);
        expect_near(poses[k].p, point3(state["pos"][point]), 1e-8, point);
        expect_near(poses[k].R.matrix.z, point3(state["pos"][axis]), 1e-8, axis);
      }
    }
  }
}

/// One driver moves thousands of equations a little: as many iterations as for one loop.
TEST(Position, LongChainsTakeNoMoreIterations) {
  for (const auto& o : formulations(true)) {
    std::vector<int> iterations;
    for (const int loops : {1, 3000}) {
      Mechanism m = n_four_bar(loops, 1.2, false);
      add_driver(m, "A0.angle", constant_in_time(1.3));
      MechanismSystem system(make_equations(m, o));
      auto q = system.from_poses(reference_poses(m));
      const PositionResult r = solve_position(system, 0, q, {.count_rank = false});
      ASSERT_TRUE(r.converged) << label(o) << r.message;
      iterations.push_back(r.iterations);
    }
    EXPECT_LE(iterations[1], iterations[0]) << label(o);
  }
}

TEST(Position, GuessesAreChecked) {
  const Mechanism m = four_bar(FourBar{});
  MechanismSystem system(make_equations(m, {.family = CoordinateFamily::reference_point}));
  auto q = system.from_poses(reference_poses(m));
  q[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(solve_position(system, 0, q), Error);
  q.pop_back();
  EXPECT_THROW(solve_position(system, 0, q), Error);
}

/// Angles driven to where they are, but for full turns: bodies stay, with gears or without.
TEST(Position, DriversOnAnotherTurnLeaveBodiesWhereTheyAre) {
  for (const char* file : {"example_2_1_four_bar.json", "problem_2_08_geared_five_bar.json"}) {
    Mechanism m = load_mechanism(std::string(AXODE_TEST_DATA "/../../examples/mechanisms/") + file);
    for (const char* driven : {"A.angle", "B.angle"})
      for (const auto& o : formulations(true)) {
        m.drivers.clear();
        MechanismSystem free(make_equations(m, o));
        std::vector<double> q = free.from_poses(axode::start_poses(m));
        ASSERT_TRUE(solve_position(free, 0, q).converged) << file << label(o);
        const auto poses = poses_of(free, q);
        const double value = measure(m, coordinate_index(m, driven), poses);
        for (const int turns : {1, -2}) {
          m.drivers.clear();
          add_driver(m, driven, constant_in_time(value + 2 * M_PI * turns));
          MechanismSystem system(make_equations(m, o));
          q = system.from_poses(poses);
          unwind_turns(system, 0, q);
          std::vector<double> phi(system.constraints());
          system.position(0, q, phi);
          for (const double x : phi) EXPECT_NEAR(x, 0, 1e-11) << file << driven << label(o);
          const auto turned = poses_of(system, q);
          for (std::size_t b = 0; b < poses.size(); ++b)
            expect_near(turned[b], poses[b], 1e-12, (file + label(o)).c_str());
        }
      }
  }
}

}  // namespace
}  // namespace axode::test::position
