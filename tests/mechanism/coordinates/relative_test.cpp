/// Relative coordinates of the book's mechanisms against closed-form motions.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/mechanism/relative_cases.hpp"
#include "tests/support/near.hpp"

namespace axode::test::coordinates_relative {

using namespace plain;
using namespace relative_cases;
namespace {

Mechanism four_bar_of(const json& p) {
  Mechanism m = plain_mechanism(true);
  const int crank = add_body(m, "crank"), coupler = add_body(m, "coupler"),
            rocker = add_body(m, "rocker");
  const double L2 = p["L2"], L3 = p["L3"], L4 = p["L4"];
  add_pin(m, "A", 0, point(p["A"]), crank, {});
  add_pin(m, "1", crank, {L2, 0, 0}, coupler, {});
  add_pin(m, "2", coupler, {L3, 0, 0}, rocker, {L4, 0, 0});
  add_pin(m, "B", 0, point(p["B"]), rocker, {});
  finish(m);
  return m;
}

TEST(CoordinatesRelative, FourBarOfExample22) {
  for (const json& set : data()["fourbar"]) {
    const Mechanism m = four_bar_of(set["params"]);
    MechanismSystem book = relative(m, {joint_index(m, "B")}), chosen = relative(m);
    for (MechanismSystem* system : {&book, &chosen}) {
      EXPECT_EQ(system->equations().velocities(), 3);
      EXPECT_EQ(system->constraints(), 2);
    }
    for (const json& state : set["states"])
      for (const json& mode : state) {
        Motion motion;
        motion.of["A.angle"] = entry(mode, "rel_psi", 0);
        motion.of["1.angle"] = entry(mode, "rel_psi", 1);
        // The book's third angle is that of 2B, our bar is 2 seen from B.
        motion.of["2.angle"] = entry(mode, "rel_psi", 2, std::numbers::pi);
        motion.of["B.angle"] = entry(mode, "ref_psi", 2);
        expect_motion(book, motion, 1e-13);
        expect_motion(chosen, motion, 1e-13);
      }
  }
}

TEST(CoordinatesRelative, RrprOfExample23) {
  for (const json& set : data()["rrpr"]) {
    const json& p = set["params"];
    for (const double sigma : {1., -1.}) {
      Mechanism m = plain_mechanism(true);
      const int crank = add_body(m, "crank"), rod = add_body(m, "rod"), bar = add_body(m, "bar");
      const double phi = sigma * p["phi_deg"].get<double>() * std::numbers::pi / 180;
      add_pin(m, "A", 0, point(p["A"]), crank, {});
      add_pin(m, "1", crank, along(0, p["L2"]), rod, {});
      m.joints.push_back({.name = "P",
                          .type = PairType::prismatic,
                          .body = {rod, bar},
                          .point = {Vec3<double>{}, along(0, p["L4"])},
                          .axis = {along(0), along(-phi)},
                          .angle = phi});
      add_pin(m, "B", 0, point(p["B"]), bar, {});
      finish(m);
      // The book's, with the bar cut from the ground; the chosen one; the slider cut.
      MechanismSystem book = relative(m, {joint_index(m, "B")}), chosen = relative(m),
                      slider = relative(m, {joint_index(m, "P")});
      EXPECT_NE(chosen.equations().cut_joints, std::vector{joint_index(m, "P")});
      for (const json& state : set["states"])
        for (const json& mode : state) {
          if (mode["sigma"].get<double>() != sigma) continue;
          Motion motion;
          motion.of["A.angle"] = entry(mode, "rel_psi", 0);
          motion.of["1.angle"] = entry(mode, "rel_psi", 1);
          motion.of["P.distance"] = entry(mode, "rel_psi", 2);
          motion.of["B.angle"] = entry(mode, "ref_psi", 2);
          for (MechanismSystem* system : {&book, &chosen, &slider}) {
            EXPECT_EQ(system->equations().velocities(), 3);
            EXPECT_EQ(system->constraints(), 2);
            expect_motion(*system, motion, 2e-13);
          }
        }
    }
  }
}

TEST(CoordinatesRelative, SixBarOfFig27) {
  for (const json& set : data()["sixbar"]) {
    const json& p = set["params"];
    Mechanism m = plain_mechanism(true);
    const int oa = add_body(m, "OA"), ab = add_body(m, "AB"), bcd = add_body(m, "BCD"),
              ce = add_body(m, "CE"), df = add_body(m, "DF");
    add_pin(m, "O", 0, point(p["O"]), oa, {});
    add_pin(m, "A", oa, along(0, p["L2"]), ab, {});
    add_pin(m, "B", ab, along(0, p["L3"]), bcd, along(0, p["CB"]));
    add_pin(m, "C", ce, along(0, p["L5"]), bcd, {});
    add_pin(m, "D", bcd, along(p["alphaC"], p["CD"]), df, along(0, p["L6"]));
    add_pin(m, "E", 0, point(p["E"]), ce, {});
    add_pin(m, "F", 0, point(p["F"]), df, {});
    finish(m);
    MechanismSystem system = relative(m);
    EXPECT_EQ(system.equations().velocities(), 5);
    EXPECT_EQ(system.constraints(), 4);
    for (const json& state : set["states"])
      for (const json& mode : state) {
        Motion motion;
        std::size_t k = 0;
        for (const char* name : {"O.angle", "E.angle", "F.angle", "A.angle", "C.angle"})
          motion.of[name] = entry(mode, "rel_fig27", k++);
        expect_motion(system, motion, 1e-13);
      }
  }
}

/// Body 3 carries the cylinder, body 2 slides on it.
Mechanism rscr_of(const json& set) {
  const json& p = set["params"];
  const Vec3<double> u1 = vec3(set["unit"]["u1"]), u3 = vec3(set["unit"]["u3"]),
                     u2 = vec3(set["unit"]["u2_at_beta0"]), r54 = vec3(p["r54_at_beta0"]);
  Mechanism m = plain_mechanism(false);
  const json& cg = p["cg_local"];
  const auto inertia = [&](std::size_t k) {
    return Inertia<double>{.mass = 1. + static_cast<double>(k),
                           .com = vec3(cg[k]),
                           .about_com = {.3, .4, .5, 0, .05, 0}};
  };
  const int one = add_body(m, "1", translation(vec3(p["r1"])), inertia(0));
  const int two = add_body(m, "2", {}, inertia(1));
  const int three = add_body(m, "3", translation(vec3(p["r5"])), inertia(2));
  const auto normal = [](const Vec3<double>& u) {
    return normalized(cross(u, std::abs(u.x) < .7 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0}));
  };
  add_joint(m, "R1", PairType::revolute, 0, one,
            {.point = vec3(p["r1"]), .axis = u1, .zero = normal(u1)});
  m.joints.push_back({.name = "S",
                      .type = PairType::spherical,
                      .body = {one, two},
                      .point = {vec3(p["r12_at_theta0"]), Vec3<double>{}}});
  m.joints.push_back({.name = "C",
                      .type = PairType::cylindrical,
                      .body = {three, two},
                      .point = {r54, Vec3<double>{p["c4"], -p["rho"].get<double>(), 0}},
                      .axis = {u2, Vec3<double>{1, 0, 0}},
                      .zero = {normalized(r54 - u2 * dot(u2, r54)), Vec3<double>{0, 1, 0}}});
  add_joint(m, "R3", PairType::revolute, 0, three,
            {.point = vec3(p["r5"]), .axis = u3, .zero = normal(u3)});
  finish(m);
  return m;
}

TEST(CoordinatesRelative, RscrOfExample210) {
  for (const json& set : data()["rscr"]) {
    const Mechanism m = rscr_of(set);
    MechanismSystem system = relative(m);
    EXPECT_EQ(system.equations().velocities(), 4);
    EXPECT_EQ(system.constraints(), 3);
    for (const json& state : set["states"])
      for (const json& mode : state["modes"]) {
        Motion motion;
        motion.of["R1.angle"] = {state["theta"], set["params"]["omega"], set["params"]["alpha"]};
        motion.of["R3.angle"] = jet(mode, "beta");
        motion.of["C.angle"] = jet(mode, "phi_cyl");
        motion.of["C.distance"] = jet(mode, "s_cyl", -1.);
        expect_motion(system, motion, 1e-12);
        // Centres of mass, angular velocity and its rate as they are known.
        const Vector q = motion.derivative(system, 0), v = motion.derivative(system, 1);
        std::vector<SE3<double>> T(m.bodies.size());
        std::vector<Twist<Rep::hybrid>> V(T.size());
        std::vector<Vec6<double>> A(T.size());
        system.motion(q, v, T, V);
        system.accelerations(q, v, motion.derivative(system, 2), A);
        for (const char* k : {"1", "2", "3"}) {
          const std::size_t b = body_index(m, k);
          const Vec3<double> s = T[b].R * m.bodies[b].inertia.com;
          const std::string G = std::string("G") + k;
          expect_near(T[b].p + s, vec3(mode["pos"][G]), 1e-12, G);
          expect_near(V[b].linear + cross(V[b].angular, s), vec3(mode["vel"][G]), 1e-11, G);
          const Vec3<double> w = V[b].angular;
          expect_near(A[b].linear + cross(A[b].angular, s) + cross(w, cross(w, s)),
                      vec3(mode["acc"][G]), 1e-10, G);
        }
        expect_near(V[2].angular, vec3(mode["vel"]["omega2"]), 1e-11, "omega2");
        expect_near(A[2].angular, vec3(mode["acc"]["omegadot2"]), 1e-10, "omegadot2");
      }
  }
}

TEST(CoordinatesRelative, RscrByChoiceOfTheCutHasTheBooksCountsAndTheSameMotion) {
  const json& set = data()["rscr"][0];
  const Mechanism m = rscr_of(set);
  MechanismSystem given = relative(m);
  struct Case {
    const char* cut;
    bool whole;
    int coordinates, equations;
  };
  for (const Case& c : {Case{"S", false, 4, 3},
                        {"C", false, 5, 4},
                        {"R1", false, 6, 5},
                        {"R3", false, 6, 5},
                        {"S", true, 7, 6},
                        {"R1", true, 7, 6}}) {
    MechanismSystem system = relative(m, {joint_index(m, c.cut)}, c.whole);
    EXPECT_EQ(system.equations().velocities(), c.coordinates) << c.cut;
    EXPECT_EQ(system.constraints(), c.equations) << c.cut;
    for (const json& state : set["states"])
      for (const json& mode : state["modes"]) {
        Motion motion;
        motion.of["R1.angle"] = {state["theta"], set["params"]["omega"], set["params"]["alpha"]};
        motion.of["R3.angle"] = jet(mode, "beta");
        motion.of["C.angle"] = jet(mode, "phi_cyl");
        motion.of["C.distance"] = jet(mode, "s_cyl", -1.);
        const Vector q0 = motion.derivative(given, 0), v0 = motion.derivative(given, 1);
        std::vector<SE3<double>> T(m.bodies.size());
        std::vector<Twist<Rep::hybrid>> V(T.size());
        given.motion(q0, v0, T, V);
        Vector q = system.from_poses(T), v = system.from_twists(q, V);
        system.refresh(q, v);
        Vector phi(c.equations), rate = phi;
        system.position(0, q, phi);
        EXPECT_LT(largest(phi), 1e-12) << c.cut;
        system.velocity(0, q, v, rate);
        EXPECT_LT(largest(rate), 1e-11) << c.cut;
        EXPECT_EQ(rank(system, q), c.equations);
        std::vector<SE3<double>> T2(T.size());
        system.poses(q, T2);
        for (std::size_t b = 0; b < T.size(); ++b) expect_near(T2[b], T[b], 1e-12, c.cut);
      }
  }
}

}  // namespace
}  // namespace axode::test::coordinates_relative
