/// Motions of all reference states and modes in all formulations: planar mechanisms beyond those of
/// motion_analysis_test.cpp, and the Stewart platform by its legs.
#include <gtest/gtest.h>

#include "tests/mechanism/solved_motion.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/near.hpp"

namespace axode::test::motion_references {
namespace {

using namespace mechanisms;

/// A point of a body against "pos", "vel" and "acc" of a mode.
void expect_point(const Solved& s, std::size_t body, const Vec3<double>& local,
                  const nlohmann::json& mode, const char* point, const std::string& what) {
  const Vec3<double> v = in_plane(point2(mode["vel"][point]));
  const Vec3<double> a = in_plane(point2(mode["acc"][point]));
  expect_near(s.poses[body] * local, in_plane(point2(mode["pos"][point])), 1e-10, what + point);
  expect_near(s.velocity(body, local), v, 1e-9 * (1 + norm(v)), what + point);
  expect_near(s.acceleration(body, local), a, 1e-8 * (1 + norm(a)), what + point);
}

TEST(MotionReferences, Rrpr) {
  const auto data = read_json("mechanisms/planar_rrpr_motion.json");
  int count = 0;
  for (const auto& set : data["sets"])
    for (const auto& state : set["states"])
      for (const auto& mode : state["modes"]) {
        const auto& p = set["params"];
        Mechanism m = rrpr(p, state["phi"], mode["sigma"]);
        m.bodies[2].pose.R = exp(Vec3<double>{0, 0, mode["pos"]["ref_psi"][1].get<double>()});
        m.bodies[3].pose.R = exp(Vec3<double>{0, 0, mode["pos"]["ref_psi"][2].get<double>()});
        add_driver(m, "A.angle",
                   polynomial_in_time(state["phi"], number(p, "omega"), number(p, "alpha")));
        for (const auto& o : formulations(true)) {
          const Solved s(m, o);
          const std::string what = label(o) + " " + state["phi"].dump() + " ";
          expect_point(s, 2, {number(p, "L3"), 0, 0}, mode, "2", what);
          expect_point(s, 3, {number(p, "L4"), 0, 0}, mode, "3", what);
          const TimeValue slide = s.coordinate("P.distance");
          EXPECT_NEAR(slide.value, number(mode["pos"], "s"), 1e-10) << what;
          const double rate = number(mode["vel"], "s"), acceleration = number(mode["acc"], "s");
          EXPECT_NEAR(slide.rate, rate, 1e-9 * (1 + std::abs(rate))) << what;
          EXPECT_NEAR(slide.acceleration, acceleration, 1e-8 * (1 + std::abs(acceleration)))
              << what;
          ++count;
        }
      }
  EXPECT_GT(count, 300);
}

TEST(MotionReferences, SixBar) {
  const auto set = read_json("mechanisms/planar_sixbar.json")["sets"][0];
  const auto& p = set["params"];
  int count = 0;
  for (const auto& state : set["states"])
    for (const auto& mode : state["modes"]) {
      Mechanism m = six_bar(p, mode["pos"]);
      add_driver(m, "O.angle",
                 polynomial_in_time(state["psi1"], number(p, "omega"), number(p, "alpha")));
      for (const auto& o : formulations(true)) {
        const Solved s(m, o);
        const std::string what = label(o) + " " + state["psi1"].dump() + " ";
        expect_point(s, 1, {number(p, "L2"), 0, 0}, mode, "A", what);
        expect_point(s, 2, {number(p, "L3"), 0, 0}, mode, "B", what);
        expect_point(s, 3, {}, mode, "C", what);
        expect_point(s, 5, {number(p, "L6"), 0, 0}, mode, "D", what);
        ++count;
      }
    }
  EXPECT_EQ(count, 26 * 3);
}

/// Crank (A; A->1), tube (1; 1->2), rod (3; 3->4), rocker (B; B->4); driven at crank and tube.
Mechanism telescopic(const nlohmann::json& p, const nlohmann::json& state,
                     const nlohmann::json& mode) {
  Mechanism m = empty_mechanism("telescopic", true);
  const auto& pos = mode["pos"];
  const double crank_angle = state["input"]["phi"][0], tube_angle = pos["th_tel"];
  const int crank = add_body(m, "crank", planar_place(point2(p["A"]), crank_angle));
  const int tube = add_body(m, "tube", planar_place(point2(pos["1"]), tube_angle));
  const int rod = add_body(m, "rod", planar_place(point2(pos["3"]), tube_angle));
  const int rocker = add_body(m, "rocker", planar_place(point2(p["B"]), pos["th4"]));
  add_pin(m, "A", {0, crank}, point2(p["A"]), {0, 0});
  add_pin(m, "1", {crank, tube}, {number(p, "L2"), 0}, {0, 0});
  add_joint(m, {.name = "T",
                .type = PairType::prismatic,
                .body = {tube, rod},
                .point = {Vec3<double>{}, Vec3<double>{number(p, "L34"), 0, 0}},
                .axis = {Vec3<double>{1, 0, 0}, Vec3<double>{1, 0, 0}}});
  add_pin(m, "4", {rod, rocker}, {number(p, "L34"), 0}, {number(p, "L4"), 0});
  add_pin(m, "B", {0, rocker}, point2(p["B"]), {0, 0});
  const auto input = [&](const char* key) {
    const auto& x = state["input"][key];
    return polynomial_in_time(x[0], x[1], x[2]);
  };
  add_driver(m, "A.angle", input("phi"));
  add_driver(m, "T.distance", input("s"));
  return m;
}

TEST(MotionReferences, Telescopic) {
  const auto set = read_json("mechanisms/planar_telescopic.json")["sets"][0];
  const auto& p = set["params"];
  int count = 0;
  for (const auto& state : set["states"]) {
    if (!state["feasible"]) continue;
    for (const auto& mode : state["modes"])
      for (const auto& o : formulations(true)) {
        const Solved s(telescopic(p, state, mode), o);
        const std::string what = label(o) + " " + state["t"].dump() + " ";
        expect_point(s, 2, {number(p, "L12"), 0, 0}, mode, "2", what);
        expect_point(s, 3, {}, mode, "3", what);
        expect_point(s, 4, {number(p, "L4"), 0, 0}, mode, "4", what);
        const double spin = mode["acc"]["th_tel"];
        EXPECT_NEAR(s.twists[2].angular.z, number(mode["vel"], "th_tel"), 1e-9) << what;
        EXPECT_NEAR(s.rates[2].angular.z, spin, 1e-8 * (1 + std::abs(spin))) << what;
        ++count;
      }
  }
  EXPECT_EQ(count, 16 * 2 * 3);
}

/// A free platform with legs as measured distances, driven if asked for.
Mechanism measured_platform(const nlohmann::json& p, const nlohmann::json& state, bool is_driven) {
  Mechanism m = empty_mechanism("stewart", false);
  const auto& pos = state["pos"];
  const auto e = pos["p"].get<std::vector<double>>();
  const Vec3<double> axis{e[1], e[2], e[3]};
  const double angle = 2 * std::atan2(norm(axis), e[0]);
  const int platform = add_body(m, "platform", {exp(normalized(axis) * angle), point3(pos["r"])});
  for (std::size_t k = 0; k < 6; ++k) {
    const std::string name = "leg" + std::to_string(k);
    m.coordinates.push_back({.name = name,
                             .kind = MechanismCoordinate::Kind::distance,
                             .body = {0, platform},
                             .point = {point3(p["base"][k]), point3(p["platform_local"][k])}});
    if (is_driven)
      add_driver(
          m, name,
          polynomial_in_time(pos["legs"][k], state["vel"]["legs"][k], state["acc"]["legs"][k]));
  }
  m.initial.resize(m.coordinates.size(), std::numeric_limits<double>::quiet_NaN());
  m.initial_rate = m.initial;
  return m;
}

/// Legs move as they should: the platform does (forward), and the other way round (inverse).
TEST(MotionReferences, StewartPlatform) {
  const auto set = read_json("mechanisms/spatial_stewart.json")["sets"][0];
  ASSERT_FALSE(set["states"].empty());
  for (const auto& state : set["states"]) {
    const auto &vel = state["vel"], &acc = state["acc"];
    const Mechanism m = measured_platform(set["params"], state, true);
    for (const auto& o : formulations(false)) {
      const Solved s(m, o);
      expect_near(s.poses[1].p, point3(state["pos"]["r"]), 1e-10, label(o));
      expect_near(s.twists[1].angular, point3(vel["omega"]), 1e-9, label(o));
      expect_near(s.twists[1].linear, point3(vel["r"]), 1e-9, label(o));
      expect_near(s.rates[1].angular, point3(acc["omegadot"]), 1e-8, label(o));
      expect_near(s.rates[1].linear, point3(acc["r"]), 1e-8, label(o));
    }
    const std::vector<SE3<double>> poses = reference_poses(m);
    std::vector<Twist<Rep::hybrid>> twists(2);
    twists[1] = {point3(vel["omega"]), point3(vel["r"])};
    const std::vector<Vec6<double>> rates{{}, {point3(acc["omegadot"]), point3(acc["r"])}};
    for (std::size_t k = 0; k < 6; ++k) {
      const TimeValue leg = measure(m, static_cast<int>(k), poses, twists, rates);
      EXPECT_NEAR(leg.value, state["pos"]["legs"][k].get<double>(), 1e-13);
      EXPECT_NEAR(leg.rate, vel["legs"][k].get<double>(), 1e-13);
      EXPECT_NEAR(leg.acceleration, acc["legs"][k].get<double>(), 1e-12);
    }
  }
}

}  // namespace
}  // namespace axode::test::motion_references
