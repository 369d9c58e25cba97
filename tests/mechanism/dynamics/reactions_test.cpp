#include "axode/mechanism/dynamics/reactions.hpp"

#include <gtest/gtest.h>

#include "tests/mechanism/solved_motion.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/near.hpp"

namespace axode::test::reactions {
namespace {

using namespace mechanisms;

ReactionsResult reactions_of(MechanismSystem& system) {
  auto q = system.from_poses(reference_poses(system.mechanism()));
  EXPECT_TRUE(solve_position(system, 0, q).converged);
  std::vector<double> v(system.equations().velocities()), a(v);
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
      const std::size_t row = i;
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
  const std::vector<double> none(system.equations().velocities());
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
  const std::vector<double> none(system.equations().velocities());
  const ReactionsResult r = axode::reactions(system, 0, q, none, none);
  EXPECT_FALSE(r.consistent);
  EXPECT_NE(r.message.find("missing"), std::string::npos);
}

/// Bodies of some inertia, of which no axis is a principal one.
void give_inertia(Mechanism& m) {
  for (std::size_t k = 1; k < m.bodies.size(); ++k) {
    const double x = static_cast<double>(k);
    m.bodies[k].inertia = {1 + .5 * x, {.1 * x, -.2, .3 / x}, {.4 + x, .7, .9, .05, -.1, .02 * x}};
  }
}

/// What joints pass on, weights and the drive make the motion of every body; joints let free what
/// they should; and the drive's power is that of the motion.
TEST(Reactions, RscrObeysNewtonAndEuler) {
  const auto set = read_json("mechanisms/spatial_rscr.json")["sets"][0];
  for (const auto& state : set["states"])
    for (const auto& mode : state["modes"]) {
      Mechanism m = rscr(set, state["theta"], mode["pos"]["beta"]);
      m.gravity = {1, -2, -9};
      give_inertia(m);
      add_driver(m, "R1.angle", polynomial_in_time(state["theta"], 1.5, -.7));
      for (const auto& o : formulations(false)) {
        const Solved s(m, o);
        MechanismSystem system(s.system);
        const ReactionsResult r = axode::reactions(system, 0, s.q, s.v, s.a);
        ASSERT_TRUE(r.consistent && r.unique) << label(o) << r.message;
        const double drive = r.drivers[0].force;
        const Vec3<double> u1 = s.poses[0].R * m.joints[0].axis[0];
        double scale = 1, power = 0;
        for (const JointReaction& j : r.joints) scale = std::max({scale, norm(j.force)});
        for (std::size_t b = 1; b < m.bodies.size(); ++b) {
          const Inertia<double>& inertia = m.bodies[b].inertia;
          const Vec3<double> com = s.poses[b] * inertia.com, omega = s.twists[b].angular;
          Vec3<double> force = m.gravity * inertia.mass, torque{};
          power -= dot(force, s.velocity(b, inertia.com));
          if (b == 1) torque += u1 * drive;
          for (const JointReaction& j : r.joints) {
            const auto& bodies = m.joints[j.joint].body;
            if (bodies[0] != static_cast<int>(b) && bodies[1] != static_cast<int>(b)) continue;
            const double sign = bodies[1] == static_cast<int>(b) ? 1 : -1;
            force += j.force * sign;
            torque += (j.torque + cross(j.point - com, j.force)) * sign;
          }
          const auto turned = [&](const Vec3<double>& w) {
            return s.poses[b].R * (inertia.about_com.matrix() * inverse_times(s.poses[b].R, w));
          };
          const Vec3<double> mass_force = s.acceleration(b, inertia.com) * inertia.mass;
          const Vec3<double> couple = turned(s.rates[b].angular) + cross(omega, turned(omega));
          expect_near(force, mass_force, 1e-9 * scale, label(o) + " force");
          expect_near(torque, couple, 1e-9 * scale, label(o) + " torque");
          power += dot(mass_force, s.velocity(b, inertia.com)) + dot(couple, omega);
        }
        EXPECT_NEAR(drive * 1.5, power, 1e-8 * (1 + std::abs(power))) << label(o);
        const Vec3<double> u2 = s.poses[3].R * m.joints[2].axis[1];
        EXPECT_NEAR(dot(r.joints[0].torque, u1), 0, 1e-10 * scale) << label(o);
        EXPECT_LT(norm(r.joints[1].torque), 1e-10 * scale) << label(o);
        EXPECT_NEAR(dot(r.joints[2].torque, u2), 0, 1e-10 * scale) << label(o);
        EXPECT_NEAR(dot(r.joints[2].force, u2), 0, 1e-10 * scale) << label(o);
        EXPECT_NEAR(dot(r.joints[3].torque, m.joints[3].axis[0]), 0, 1e-10 * scale) << label(o);
      }
    }
}

/// A nut turned on a screw under an axial load F, either way of the thread. Its thrust is f = m h
/// alpha - F, of which the thread makes the torque -h f: the drive has J alpha + h f to give.
TEST(Reactions, NutOnAScrewIsTurnedByItsLoad) {
  const SO3<double> R = exp(Vec3<double>{.4, -.7, .2});
  const Vec3<double> on_nut{1, 0, 0}, u = R * on_nut, foot{.3, -.2, .5};
  constexpr double mass = 2, J = .3, load = 7, alpha = 1.7;
  for (const double pitch : {.05, -.05})
    for (const bool forward : {true, false}) {
      Mechanism m = empty_mechanism("screw", false);
      const int nut =
          add_body(m, "nut", {R, foot}, {mass, on_nut * .1, Sym3<double>::diagonal({J, .2, .2})});
      MechanismJoint joint =
          forward ? axis_joint("H", PairType::helical, {0, nut}, foot, {}, u, on_nut)
                  : axis_joint("H", PairType::helical, {nut, 0}, {}, foot, on_nut, u);
      const Vec3<double> zero = some_normal(u);
      joint.zero[forward ? 0 : 1] = zero;
      joint.zero[forward ? 1 : 0] = inverse_times(R, zero);
      joint.pitch = pitch;
      add_joint(m, joint);
      m.loads.push_back({.name = "load", .body = nut, .force = u * load});
      add_driver(m, "H.angle", polynomial_in_time(0, .6, alpha));
      for (const auto& o : formulations(false)) {
        const std::string which = label(o) + (forward ? " forward " : " back ");
        MechanismSystem system(make_equations(m, o));
        const ReactionsResult r = reactions_of(system);
        ASSERT_TRUE(r.consistent && r.unique) << which << r.message;
        // Seen from the nut as body j: as body i it turns and moves the other way.
        const double side = forward ? 1 : -1;
        const double thrust = mass * pitch * alpha - side * load;
        EXPECT_NEAR(r.drivers[0].force, J * alpha + pitch * thrust, 1e-12) << which;
        expect_near(r.joints[0].force, u * thrust, 1e-12, which);
        expect_near(r.joints[0].torque, u * (-pitch * thrust), 1e-12, which);
      }
    }
}

/// A pendulum held level by nothing: its weight turns it, and that is told, by m g l.
TEST(Reactions, WhatIsNotBalancedIsNamed) {
  Mechanism m = empty_mechanism("pendulum", true);
  m.gravity = {0, -10, 0};
  const int bar = add_body(m, "bar", planar_place({0, 0}, 0), planar_inertia(2, {.5, 0}, 1));
  add_pin(m, "A", {0, bar}, {0, 0}, {0, 0});
  for (const auto& o : formulations(true)) {
    MechanismSystem system(make_equations(m, o));
    const auto q = system.from_poses(reference_poses(m));
    const std::vector<double> none(system.equations().velocities());
    const ReactionsResult r = axode::reactions(system, 0, q, none, none);
    EXPECT_FALSE(r.consistent);
    EXPECT_FALSE(r.unbalanced.coordinate.empty()) << label(o);
    EXPECT_NE(r.message.find("'" + r.unbalanced.coordinate + "'"), std::string::npos) << r.message;
    if (o.family == CoordinateFamily::relative) {
      EXPECT_EQ(r.unbalanced.coordinate, "A.angle");
      EXPECT_NEAR(r.unbalanced.force, -10, 1e-12);
    }
  }
  Mechanism held = m;
  add_driver(held, "A.angle", constant_in_time(0));
  for (const auto& o : formulations(true)) {
    MechanismSystem system(make_equations(held, o));
    const ReactionsResult r = reactions_of(system);
    EXPECT_TRUE(r.consistent) << r.message;
    EXPECT_TRUE(r.unbalanced.coordinate.empty()) << r.unbalanced.coordinate;
    EXPECT_EQ(r.unbalanced.force, 0);
  }
}

}  // namespace
}  // namespace axode::test::reactions
