#include "axode/mechanism/reactions.hpp"

#include <gtest/gtest.h>

#include "axode/mechanism/motion_analysis.hpp"
#include "axode/mechanism/position.hpp"
#include "tests/mechanism/mechanisms.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/near.hpp"

namespace axode::test::reactions {
namespace {

using namespace mechanisms;

ReactionsResult reactions_of(MechanismSystem& system) {
  auto q = system.from_poses(reference_poses(system.mechanism()));
  EXPECT_TRUE(solve_position(system, 0, q).converged);
  std::vector<double> v(static_cast<std::size_t>(system.equations().velocities())), a(v);
  EXPECT_TRUE(solve_velocity(system, 0, q, v).consistent);
  EXPECT_TRUE(solve_acceleration(system, 0, q, v, a).consistent);
  return axode::reactions(system, 0, q, v, a);
}

void expect_forces(const nlohmann::json& params, const nlohmann::json& state, double rate,
                   double acceleration, double torque) {
  FourBar f = four_bar_of(params);
  f.phi = state["q"];
  Mechanism m = four_bar(f);
  add_driver(m, "A.angle", polynomial_in_time(f.phi, rate, acceleration));
  for (const auto& o : formulations(true)) {
    MechanismSystem system(make_equations(m, o));
    const ReactionsResult r = reactions_of(system);
    ASSERT_TRUE(r.consistent) << label(o) << r.message;
    EXPECT_TRUE(r.unique) << r.message;
    ASSERT_EQ(r.drivers.size(), 1U);
    const double scale = 1 + std::abs(torque);
    EXPECT_NEAR(r.drivers[0].force, torque, 1e-9 * scale) << label(o);
    for (int i = 0; i < system.equations().rows(); ++i) {
      const auto row = static_cast<std::size_t>(i);
      if (system.equations().equations[row].driver >= 0) {
        EXPECT_NEAR(-r.lambda[row], torque, 1e-8 * scale) << label(o);
      }
    }
    const char* names[4] = {"FA_on_crank", "F1_on_coupler", "F2_on_rocker", "FB_on_rocker"};
    for (std::size_t k = 0; k < 4; ++k) {
      const Vec3<double> force = in_plane(point2(state[names[k]]));
      expect_near(r.joints[k].force, force, 1e-9 * (1 + norm(force)), label(o) + names[k]);
    }
  }
}

TEST(Reactions, FourBarMovedAndHeld) {
  const auto data = read_json("mechanisms/fourbar_statics_invdyn.json");
  ASSERT_FALSE(data["cases"].empty());
  for (const auto& c : data["cases"]) {
    for (const auto& s : c["inverse_dynamics"])
      expect_forces(c["params"], s, s["qd"], s["qdd"], s["tau"]);
    for (const auto& s : c["statics"]) expect_forces(c["params"], s, 0, 0, s["tau_static"]);
  }
}

/// A plank on two welded posts: half the weight each is the least, and not the only one.
TEST(Reactions, RedundantOnesAreFlagged) {
  Mechanism m = empty_mechanism("plank", true);
  m.gravity = {0, -10, 0};
  const int plank = add_body(m, "plank", planar_place({0, 0}, 0), planar_inertia(2, {1, 0}, 1));
  add_pin(m, "left", {0, plank}, {0, 0}, {0, 0});
  add_pin(m, "right", {0, plank}, {2, 0}, {2, 0});
  MechanismSystem system(make_equations(m, {.family = CoordinateFamily::reference_point}));
  const auto q = system.from_poses(reference_poses(m));
  const std::vector<double> none(static_cast<std::size_t>(system.equations().velocities()));
  const ReactionsResult r = axode::reactions(system, 0, q, none, none);
  EXPECT_TRUE(r.consistent) << r.message;
  EXPECT_FALSE(r.unique);
  expect_near(r.joints[0].force, Vec3<double>{0, 10, 0}, 1e-9, "left");
  expect_near(r.joints[1].force, Vec3<double>{0, 10, 0}, 1e-9, "right");
  EXPECT_FALSE(r.joints[0].unique || r.joints[1].unique);
  EXPECT_NE(r.message.find("'left' 'right'"), std::string::npos) << r.message;
}

TEST(Reactions, MissingForcesAreSaid) {
  const Mechanism m = four_bar(FourBar{.g = {0, -9.81}});
  MechanismSystem system(make_equations(m, {.family = CoordinateFamily::reference_point}));
  const auto q = system.from_poses(reference_poses(m));
  const std::vector<double> none(static_cast<std::size_t>(system.equations().velocities()));
  const ReactionsResult r = axode::reactions(system, 0, q, none, none);
  EXPECT_FALSE(r.consistent);
  EXPECT_NE(r.message.find("missing"), std::string::npos);
}

}  // namespace
}  // namespace axode::test::reactions
