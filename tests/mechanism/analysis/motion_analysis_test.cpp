#include "axode/mechanism/analysis/motion_analysis.hpp"

#include <gtest/gtest.h>

#include "tests/mechanism/solved_motion.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/near.hpp"

namespace axode::test::motion_analysis {
namespace {

using namespace mechanisms;

TEST(MotionAnalysis, FourBar) {
  const auto data = read_json("mechanisms/planar_fourbar.json");
  ASSERT_FALSE(data["sets"].empty());
  for (const auto& set : data["sets"])
    for (const auto& state : set["states"]) {
      if (!state["feasible"]) continue;
      for (const auto& mode : state["modes"]) {
        FourBar f = four_bar_of(set["params"]);
        f.mode = mode["mode"];
        f.phi = state["phi"];
        Mechanism m = four_bar(f);
        add_driver(m, "A.angle",
                   polynomial_in_time(f.phi, number(set["params"], "omega"),
                                      number(set["params"], "alpha")));
        const Vec3<double> P = in_plane(point2(set["params"]["cp"]));
        for (const auto& o : formulations(true)) {
          const Solved s(m, o);
          expect_near(s.poses[2] * P, in_plane(point2(mode["pos"]["P"])), 1e-11, label(o));
          expect_near(s.velocity(2, P), in_plane(point2(mode["vel"]["P"])), 1e-10, label(o));
          const Vec3<double> acceleration = in_plane(point2(mode["acc"]["P"]));
          expect_near(s.acceleration(2, P), acceleration, 1e-9 * (1 + norm(acceleration)),
                      label(o));
        }
      }
    }
}

TEST(MotionAnalysis, SliderCrank) {
  const auto data = read_json("mechanisms/planar_slidercrank.json");
  ASSERT_FALSE(data["sets"].empty());
  for (const auto& set : data["sets"])
    for (const auto& state : set["states"]) {
      const auto& mode = state["modes"][0];
      ASSERT_EQ(mode["mode"], 1);
      Mechanism m = slider_crank(set["params"], state["phi"]);
      add_driver(m, "A.angle",
                 polynomial_in_time(state["phi"], number(set["params"], "omega"),
                                    number(set["params"], "alpha")));
      for (const auto& o : formulations(true)) {
        const Solved s(m, o);
        expect_near(s.poses[3].p, in_plane(point2(mode["pos"]["2"])), 1e-11, label(o));
        expect_near(s.velocity(3, {}), in_plane(point2(mode["vel"]["2"])), 1e-10, label(o));
        expect_near(s.acceleration(3, {}), in_plane(point2(mode["acc"]["2"])), 1e-8, label(o));
      }
    }
}

TEST(MotionAnalysis, RscrInAllModes) {
  const auto data = read_json("mechanisms/spatial_rscr.json");
  ASSERT_FALSE(data["sets"].empty());
  for (const auto& set : data["sets"])
    for (const auto& state : set["states"])
      for (const auto& mode : state["modes"]) {
        Mechanism m = rscr(set, state["theta"], mode["pos"]["beta"]);
        add_driver(m, "R1.angle",
                   polynomial_in_time(state["theta"], number(set["params"], "omega"),
                                      number(set["params"], "alpha")));
        for (const auto& o : formulations(false)) {
          const Solved s(m, o);
          const auto &vel = mode["vel"], &acc = mode["acc"];
          for (std::size_t k = 1; k <= 3; ++k) {
            const std::string body = std::to_string(k);
            const Vec3<double> omega = point3(vel["omega" + body]);
            const Vec3<double> alpha = point3(acc["omegadot" + body]);
            expect_near(s.twists[k].angular, omega, 1e-9 * (1 + norm(omega)), label(o) + body);
            expect_near(s.rates[k].angular, alpha, 1e-8 * (1 + norm(alpha)), label(o) + body);
          }
        }
      }
}

TEST(MotionAnalysis, UnderdrivenSaysWhatIsFree) {
  const Mechanism m = four_bar(FourBar{});
  MechanismSystem system(make_equations(m, {.family = CoordinateFamily::reference_point}));
  const auto q = system.from_poses(reference_poses(m));
  std::vector<double> v(system.equations().velocities());
  const MotionResult r = solve_velocity(system, 0, q, v);
  EXPECT_TRUE(r.consistent);
  EXPECT_FALSE(r.unique);
  EXPECT_EQ(r.rank, system.equations().velocities() - 1);
  EXPECT_NE(r.message.find("1 degree of freedom is not driven"), std::string::npos) << r.message;
}

TEST(MotionAnalysis, OverdrivenNamesTheConflict) {
  Mechanism m = four_bar(FourBar{});
  add_driver(m, "A.angle", polynomial_in_time(0.5, 1));
  add_driver(m, "B.angle", polynomial_in_time(0.5, 5));
  MechanismSystem system(make_equations(m, {.family = CoordinateFamily::reference_point}));
  const auto q = system.from_poses(reference_poses(m));
  std::vector<double> v(system.equations().velocities());
  const MotionResult r = solve_velocity(system, 0, q, v);
  EXPECT_FALSE(r.consistent);
  EXPECT_NE(r.message.find("in conflict"), std::string::npos) << r.message;
}

}  // namespace
}  // namespace axode::test::motion_analysis
