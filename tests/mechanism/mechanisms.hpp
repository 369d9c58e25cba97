/// Mechanisms of the reference files, built as plain structs, for the tests of this folder.
#pragma once
#include <nlohmann/json.hpp>

#include "tests/mechanism/mechanism_parts.hpp"

namespace axode::test::mechanisms {

inline Point point2(const nlohmann::json& a) { return {a[0].get<double>(), a[1].get<double>()}; }
inline Vec3<double> point3(const nlohmann::json& a) {
  return {a[0].get<double>(), a[1].get<double>(), a[2].get<double>()};
}
inline double number(const nlohmann::json& a, const char* key) { return a.at(key).get<double>(); }

struct FourBar {
  Point A{0, 0}, B{4, 0};
  double L2 = 1, L3 = 3.5, L4 = 2.5;
  double phi = 0.5;  ///< reference configuration
  int mode = 1;
  double m2 = 1, m3 = 1, m4 = 1, J2 = .1, J3 = .1, J4 = .1;
  Point c2{.5, 0}, c3{1, 0}, c4{1, 0}, g{0, 0};
};
/// Bodies crank (A; A->1), coupler (1; 1->2), rocker (B; B->2); pins "A", "1", "2", "B".
inline Mechanism four_bar(const FourBar& f) {
  Mechanism m = empty_mechanism("four_bar", true);
  m.gravity = in_plane(f.g);
  const Point one{f.A[0] + f.L2 * std::cos(f.phi), f.A[1] + f.L2 * std::sin(f.phi)};
  const double dx = f.B[0] - one[0], dy = f.B[1] - one[1], d = std::hypot(dx, dy);
  const double along = (d * d + f.L3 * f.L3 - f.L4 * f.L4) / (2 * d);
  const double up = f.mode * std::sqrt(std::max(0.0, f.L3 * f.L3 - along * along));
  const Point two{one[0] + (along * dx - up * dy) / d, one[1] + (along * dy + up * dx) / d};
  const int crank =
      add_body(m, "crank", planar_place(f.A, f.phi), planar_inertia(f.m2, f.c2, f.J2));
  const int coupler =
      add_body(m, "coupler", planar_place(one, std::atan2(two[1] - one[1], two[0] - one[0])),
               planar_inertia(f.m3, f.c3, f.J3));
  const int rocker =
      add_body(m, "rocker", planar_place(f.B, std::atan2(two[1] - f.B[1], two[0] - f.B[0])),
               planar_inertia(f.m4, f.c4, f.J4));
  add_pin(m, "A", {0, crank}, f.A, {0, 0});
  add_pin(m, "1", {crank, coupler}, {f.L2, 0}, {0, 0});
  add_pin(m, "2", {coupler, rocker}, {f.L3, 0}, {f.L4, 0});
  add_pin(m, "B", {0, rocker}, f.B, {0, 0});
  return m;
}

/// Parallelograms in a row: rods from (k, 0) to couplers, all of unit length; pins "A<k>", "B<k>".
/// The reference configuration has rods at the angle phi; driver: the first rod.
inline Mechanism n_four_bar(int loops, double phi, bool is_driven = true) {
  Mechanism m = empty_mechanism("n_four_bar", true);
  const Point up{std::cos(phi), std::sin(phi)};
  int before = -1;
  for (int k = 0; k <= loops; ++k) {
    const Point foot{static_cast<double>(k), 0};
    const Inertia<double> bar = planar_inertia(1, {.5, 0}, 1. / 12);
    const int rod = add_body(m, "rod" + std::to_string(k), planar_place(foot, phi), bar);
    add_pin(m, "A" + std::to_string(k), {0, rod}, foot, {0, 0});
    if (k > 0) {
      const int coupler =
          add_body(m, "coupler" + std::to_string(k), planar_place({k - 1 + up[0], up[1]}, 0), bar);
      add_pin(m, "B" + std::to_string(k), {before, coupler}, {1, 0}, {0, 0});
      add_pin(m, "C" + std::to_string(k), {coupler, rod}, {1, 0}, {1, 0});
    }
    before = rod;
  }
  if (is_driven) add_driver(m, "A0.angle", constant_in_time(phi));
  return m;
}

/// "params" of planar_fourbar.json and, with masses, of fourbar_statics_invdyn.json.
inline FourBar four_bar_of(const nlohmann::json& p) {
  FourBar f{.A = point2(p["A"]), .B = point2(p["B"]), .L2 = p["L2"], .L3 = p["L3"], .L4 = p["L4"]};
  if (p.contains("mode")) f.mode = p["mode"];
  if (!p.contains("m2")) return f;
  f.m2 = p["m2"], f.m3 = p["m3"], f.m4 = p["m4"];
  f.J2 = p["J2"], f.J3 = p["J3"], f.J4 = p["J4"];
  f.c2 = point2(p["c2"]), f.c3 = point2(p["c3"]), f.c4 = point2(p["c4"]), f.g = point2(p["g"]);
  return f;
}

/// Crank A-1, rod 1-2, slider on y = h: joint "S" prismatic along x; driver none.
inline Mechanism slider_crank(const nlohmann::json& p, double phi) {
  Mechanism m = empty_mechanism("slider_crank", true);
  const Point A = point2(p["A"]);
  const double L2 = p["L2"], L3 = p["L3"], h = p["h"];
  const Point one{A[0] + L2 * std::cos(phi), A[1] + L2 * std::sin(phi)};
  const double th = std::asin((h - one[1]) / L3);
  const int crank = add_body(m, "crank", planar_place(A, phi));
  const int rod = add_body(m, "rod", planar_place(one, th));
  const int slider = add_body(m, "slider", planar_place({one[0] + L3 * std::cos(th), h}, 0));
  add_pin(m, "A", {0, crank}, A, {0, 0});
  add_pin(m, "1", {crank, rod}, {L2, 0}, {0, 0});
  add_pin(m, "2", {rod, slider}, {L3, 0}, {0, 0});
  add_joint(m, {.name = "S",
                .type = PairType::prismatic,
                .body = {0, slider},
                .point = {Vec3<double>{0, h, 0}, Vec3<double>{}},
                .axis = {Vec3<double>{1, 0, 0}, Vec3<double>{1, 0, 0}}});
  return m;
}

/// Crank (A; A->1), rod (1; 1->2), bar (B; B->3); slider at the bar's tip on the rod, which keeps the
/// angle from rod to bar: sigma phi.
inline Mechanism rrpr(const nlohmann::json& p, double angle, int sigma) {
  Mechanism m = empty_mechanism("rrpr", true);
  const Point A = point2(p["A"]), B = point2(p["B"]);
  const double L2 = p["L2"], L4 = p["L4"];
  const double keep = sigma * p["phi_deg"].get<double>() * M_PI / 180;
  const Point one{A[0] + L2 * std::cos(angle), A[1] + L2 * std::sin(angle)};
  const double th = std::atan2(B[1] - one[1], B[0] - one[0]);
  const int crank = add_body(m, "crank", planar_place(A, angle));
  const int rod = add_body(m, "rod", planar_place(one, th));
  const int bar = add_body(m, "bar", planar_place(B, th + keep));
  add_pin(m, "A", {0, crank}, A, {0, 0});
  add_pin(m, "1", {crank, rod}, {L2, 0}, {0, 0});
  const Vec3<double> on_bar{std::cos(-keep), std::sin(-keep), 0};  // the rod's direction on the bar
  add_joint(m, {.name = "P",
                .type = PairType::prismatic,
                .body = {rod, bar},
                .point = {Vec3<double>{}, Vec3<double>{L4, 0, 0}},
                .axis = {Vec3<double>{1, 0, 0}, on_bar},
                .angle = keep});
  add_pin(m, "B", {0, bar}, B, {0, 0});
  return m;
}

/// crank (O; O->A), link (A; A->B), plate (C; C->B), bars (E; E->C) and (F; F->D).
inline Mechanism six_bar(const nlohmann::json& p, const nlohmann::json& pos) {
  Mechanism m = empty_mechanism("six_bar", true);
  const auto along = [&](const Point& from, const Point& to) {
    return planar_place(from, std::atan2(to[1] - from[1], to[0] - from[0]));
  };
  const Point O = point2(p["O"]), E = point2(p["E"]), F = point2(p["F"]);
  const Point A = point2(pos["A"]), B = point2(pos["B"]), C = point2(pos["C"]);
  const Point D = point2(pos["D"]);
  const double CD = p["CD"], alpha = p["alphaC"];
  const int crank = add_body(m, "crank", along(O, A)), link = add_body(m, "link", along(A, B));
  const int plate = add_body(m, "plate", along(C, B));
  const int left = add_body(m, "left", along(E, C)), right = add_body(m, "right", along(F, D));
  add_pin(m, "O", {0, crank}, O, {0, 0});
  add_pin(m, "A", {crank, link}, {p["L2"].get<double>(), 0}, {0, 0});
  add_pin(m, "B", {link, plate}, {p["L3"].get<double>(), 0}, {p["CB"].get<double>(), 0});
  add_pin(m, "C", {left, plate}, {p["L5"].get<double>(), 0}, {0, 0});
  add_pin(m, "D", {right, plate}, {p["L6"].get<double>(), 0},
          {CD * std::cos(alpha), CD * std::sin(alpha)});
  add_pin(m, "E", {0, left}, E, {0, 0});
  add_pin(m, "F", {0, right}, F, {0, 0});
  return m;
}

/// Bodies 1 (frame turned by theta about u1 from the world's axes, at r1), 2 (axes u2, normal to the
/// C axis; at r2), 3 (turned by beta about u3, at r5); joints "R1", "S", "C", "R3".
inline Mechanism rscr(const nlohmann::json& set, double theta, double beta) {
  const nlohmann::json& p = set["params"];
  Mechanism m = empty_mechanism("rscr", false);
  const Vec3<double> u1 = normalized(point3(p["u1_dir"])), u3 = normalized(point3(p["u3_dir"]));
  const Vec3<double> u2 = normalized(point3(p["u2_dir_at_beta0"]));
  const Vec3<double> r1 = point3(p["r1"]), r5 = point3(p["r5"]);
  const Vec3<double> r12 = point3(p["r12_at_theta0"]), r54 = point3(p["r54_at_beta0"]);
  const double rho = p["rho"], c4 = p["c4"];
  const SE3<double> one{exp(u1 * theta), r1}, three{exp(u3 * beta), r5};
  const Vec3<double> x = three.R * u2, r2 = one * r12;
  const Vec3<double> off = r2 - three * r54, y = normalized(off - x * dot(x, off));
  const SE3<double> two{SO3<double>{Mat3<double>{x, y, cross(x, y)}}, r2};
  const int b1 = add_body(m, "one", one), b2 = add_body(m, "two", two),
            b3 = add_body(m, "three", three);
  add_joint(m, axis_joint("R1", PairType::revolute, {0, b1}, r1, {}, u1, u1));
  add_joint(
      m,
      {.name = "S", .type = PairType::spherical, .body = {b1, b2}, .point = {r12, Vec3<double>{}}});
  add_joint(m, axis_joint("C", PairType::cylindrical, {b2, b3}, {c4, -rho, 0}, r54, {1, 0, 0}, u2));
  add_joint(m, axis_joint("R3", PairType::revolute, {0, b3}, r5, {}, u3, u3));
  return m;
}

/// A platform on six rods of the lengths of a state.
inline Mechanism stewart(const nlohmann::json& p, const nlohmann::json& pos) {
  Mechanism m = empty_mechanism("stewart", false);
  const int platform = add_body(m, "platform", {{}, point3(pos["r"])});
  for (std::size_t k = 0; k < 6; ++k)
    add_joint(m, {.name = "leg" + std::to_string(k),
                  .type = PairType::rod,
                  .body = {0, platform},
                  .point = {point3(p["base"][k]), point3(p["platform_local"][k])},
                  .value = pos["legs"][k]});
  return m;
}

/// A closed loop of revolutes: product of RotZ(theta_i) TransX(a_i) RotX(alpha_i) = 1; the last link
/// is the ground. Link i is turned by theta_i; joints "J1" ... "Jn".
inline Mechanism revolute_loop(const std::vector<double>& a, const std::vector<double>& alpha,
                               const std::vector<double>& theta) {
  Mechanism m = empty_mechanism("loop", false);
  const std::size_t n = a.size();
  const auto link = [&](std::size_t k) {
    return SE3<double>{exp(Vec3<double>{alpha[k], 0, 0}), Vec3<double>{a[k], 0, 0}};
  };
  SE3<double> T;
  for (std::size_t k = 0; k + 1 < n; ++k) {
    T = T * SE3<double>{exp(Vec3<double>{0, 0, theta[k]}), {}};
    add_body(m, "link" + std::to_string(k + 1), T);
    T = T * link(k);
  }
  for (std::size_t k = 0; k < n; ++k) {
    // On body i the frame of the joint, on j that turned by theta.
    const SE3<double> on_i = k == 0 ? SE3<double>{} : link(k - 1);
    const SE3<double> on_j = k + 1 == n ? inverse(link(n - 1)) : SE3<double>{};
    const int i = static_cast<int>(k), j = k + 1 == n ? 0 : i + 1;
    add_joint(m, {.name = "J" + std::to_string(k + 1),
                  .body = {i, j},
                  .point = {on_i.p, on_j.p},
                  .axis = {on_i.R.matrix.z, on_j.R.matrix.z},
                  .zero = {on_i.R.matrix.x, on_j.R.matrix.x}});
  }
  return m;
}

}  // namespace axode::test::mechanisms
