/// Spatial mechanisms of the reference trajectories (tests/data/dyn_*.json).
#pragma once
#include "tests/mechanism/dynamic_mechanisms.hpp"
#include "tests/support/near.hpp"

namespace axode::test::dynamic_mechanisms {

inline Vec3<double> unit(const Vec3<double>& a) { return a / norm(a); }
/// Some unit vector normal to a.
inline Vec3<double> across(const Vec3<double>& a) {
  return unit(
      cross(a, std::abs(a.x) < .6 * norm(a) ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0}));
}

inline DynamicCase heavy_top() {
  const Json data = read_json("dyn_heavy_top.json");
  const Json& c = data["cases"][0];
  const Json &p = c["params"], &row = c["traj"][0];
  const double l = number(p, "l"), mass = number(p, "m"), A = number(p, "A") - mass * l * l;
  Maker m("heavy top", false, {0, 0, -number(p, "g")});
  m.body("top", {mass, {0, 0, l}, {A, A, number(p, "C"), 0, 0, 0}},
         {{{mat3(row["R"])}, {}}, {vec3(row["omega_space"]), {}}});
  m.joint({.name = "tip", .type = PairType::spherical, .body = {0, 1}}, {});
  m.result.trajectory = c["traj"];
  m.result.error = [](const Json& r, const std::vector<Moving>& at) {
    return std::max(largest_difference(at[1].pose.R.matrix, mat3(r["R"])),
                    largest_difference(at[1].twist.angular, vec3(r["omega_space"])));
  };
  return m.result;
}

/// Bodies 1 and 3 on revolute joints, 2 on 3 by a cylindrical joint, closed by a ball of 1 in 2.
inline DynamicCase rscr(std::size_t which) {
  const Json data = read_json("dyn_rscr.json");
  const Json& c = data["cases"][which];
  const Json &p = c["params"], &g = c["geometry"], &row = c["traj"][0];
  Maker m("RSCR", false, vec3(p["g"]));
  const auto inertia = [&](std::size_t k) {
    const Mat3<double> I = mat3(p["I"][k]);
    return Inertia<double>{p["m"][k].get<double>(),
                           vec3(g["cg_local"][k]),
                           {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)}};
  };
  const auto now = [&](const char* name, const char* what) { return vec3(row[name][what]); };
  const Vec3<double> r1 = vec3(g["r1"]), r5 = vec3(g["r5"]), r54 = vec3(g["r54_at_beta0"]);
  const Vec3<double> u1 = unit(vec3(g["u1_dir"])), u3 = unit(vec3(g["u3_dir"])),
                     axis = unit(vec3(g["u2_dir_at_beta0"]));
  const double rho = number(g, "rho"), c4 = number(g, "c4");
  const Vec3<double> u = now("u2", "pos"), du = now("u2", "vel");
  const Vec3<double> y = (now("r2", "pos") - now("r3", "pos") + u * c4) / rho;
  const Vec3<double> dy = (now("r2", "vel") - now("r3", "vel") + du * c4) / rho;
  const Vec3<double> z = cross(u, y), dz = cross(du, y) + cross(u, dy);
  const Vec3<double> omega = (cross(u, du) + cross(y, dy) + cross(z, dz)) / 2.0;
  m.body("1", inertia(0), {{exp(u1 * number(p, "q0")), r1}, {u1 * number(p, "qd0"), {}}});
  m.body("2", inertia(1), {{{Mat3<double>{u, y, z}}, now("r2", "pos")}, {omega, now("r2", "vel")}});
  m.body("3", inertia(2),
         {{exp(u3 * number(row["beta"], "pos")), r5}, {u3 * number(row["beta"], "vel"), {}}});
  m.joint({.name = "R1",
           .body = {0, 1},
           .point = {r1, {}},
           .axis = {u1, u1},
           .zero = {across(u1), across(u1)}},
          {"angle"});
  m.joint({.name = "S",
           .type = PairType::spherical,
           .body = {1, 2},
           .point = {vec3(g["r12_at_theta0"]), {}}},
          {});
  m.joint({.name = "C",
           .type = PairType::cylindrical,
           .body = {3, 2},
           .point = {r54, Vec3<double>{0, -rho, 0}},
           .axis = {axis, Vec3<double>{1, 0, 0}},
           .zero = {unit(r54 - axis * dot(axis, r54)), Vec3<double>{0, 1, 0}}},
          {"distance", "angle"});
  m.joint({.name = "R3",
           .body = {0, 3},
           .point = {r5, {}},
           .axis = {u3, u3},
           .zero = {across(u3), across(u3)}},
          {"angle"});
  if (number(p, "tau") != 0) m.load("R1.angle", number(p, "tau"), 0);
  m.result.trajectory = c["traj"];
  m.result.error = [u1, u3](const Json& r, const std::vector<Moving>& at) {
    const auto off = [](const Moving& body, const Vec3<double>& about, double angle, double rate) {
      return std::max(largest_difference(body.pose.R.matrix, exp(about * angle).matrix),
                      largest_difference(body.twist.angular, about * rate));
    };
    return std::max({off(at[1], u1, number(r, "q"), number(r, "qd")),
                     off(at[3], u3, number(r["beta"], "pos"), number(r["beta"], "vel")),
                     largest_difference(at[2].pose.p, vec3(r["r2"]["pos"])),
                     largest_difference(at[2].twist.linear, vec3(r["r2"]["vel"]))});
  };
  return m.result;
}

/// Bricard's six revolute joints: 24 - 24 degrees of freedom by counting, one in truth.
inline DynamicCase bricard() {
  const Json data = read_json("dyn_bricard.json");
  const Json& c = data["cases"][0];
  const Json& p = c["params"];
  const double a = number(p, "a"), mass = number(p, "m"), J = mass * a * a / 12;
  Maker m("Bricard's 6R", false, vec3(p["g"]));
  const auto link = [a](int i) {
    const double angle = (i % 2 == 0 ? 1 : -1) * std::numbers::pi / 2;
    return SE3<double>{exp(Vec3<double>{angle, 0, 0}), {a, 0, 0}};
  };
  const auto angle = [](const Json& r, int i, const char* what) {
    return number(r[i % 2 == 0 ? "theta_odd" : "theta_even"], what);
  };
  Moving at;
  for (int i = 0; i < 6; ++i) {
    const SE3<double> on = i > 0 ? link(i - 1) : SE3<double>{};
    if (i < 5) {
      at = hinged(at, on, angle(c["traj"][0], i, "pos"), angle(c["traj"][0], i, "vel"));
      m.body("rod" + std::to_string(i), {mass, {a / 2, 0, 0}, {0, J, J, 0, 0, 0}}, at);
    }
    // The last joint turns the frame of which the ground is the link.
    const SE3<double> end = i < 5 ? SE3<double>{} : inverse(link(5));
    m.joint({.name = "j" + std::to_string(i),
             .body = {i, i < 5 ? i + 1 : 0},
             .point = {on.p, end.p},
             .axis = {on.R * Vec3<double>{0, 0, 1}, end.R * Vec3<double>{0, 0, 1}},
             .zero = {on.R * Vec3<double>{1, 0, 0}, end.R * Vec3<double>{1, 0, 0}}},
            {"angle"});
  }
  m.result.trajectory = c["traj"];
  m.result.error = [link, angle](const Json& r, const std::vector<Moving>& bodies) {
    double worst = 0;
    Moving expected;
    for (int i = 0; i < 5; ++i) {
      expected = hinged(expected, i > 0 ? link(i - 1) : SE3<double>{}, angle(r, i, "pos"),
                        angle(r, i, "vel"));
      const Moving& body = bodies[i + 1];
      worst = std::max({worst, largest_difference(body.pose.R.matrix, expected.pose.R.matrix),
                        largest_difference(body.pose.p, expected.pose.p),
                        largest_difference(body.twist.angular, expected.twist.angular)});
    }
    return worst;
  };
  return m.result;
}

}  // namespace axode::test::dynamic_mechanisms
