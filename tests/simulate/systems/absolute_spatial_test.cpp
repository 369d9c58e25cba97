/// Trajectories of spatial mechanisms with loops against references of 28 digits.
#include "tests/simulate/mechanism_runs.hpp"

namespace axode::test::absolute_spatial {

using namespace mechanism_runs;

TEST(AbsoluteSpatial, HeavyTop) {
  const Json data = read_json("dyn_heavy_top.json");
  const Json& c = data["cases"][0];
  const Json& p = c["params"];
  const double l = number(p, "l"), m = number(p, "m"), A = number(p, "A") - m * l * l;
  TreeBuilder b;
  b.gravity({0, 0, -number(p, "g")});
  b.body("top", {m, {0, 0, l}, {A, A, number(p, "C"), 0, 0, 0}}).joint("tip", spherical());
  AbsoluteSystem system(b.build());
  const Json& first = c["traj"][0];
  const auto spin = [](const Json& row) {
    return transpose_times(mat3(row["R"]), vec3(row["omega_space"]));
  };
  const Vec3<double> w = spin(first);
  const Quaternion<double> turn = quaternion(mat3(first["R"]));
  const Worst worst = follow_both(
      system, {turn.w, turn.v.x, turn.v.y, turn.v.z}, {w.x, w.y, w.z}, c["traj"],
      [&](const Json& row, auto q, auto v) {
        const Mat3<double> R = rotation_matrix(Quaternion<double>{q[0], {q[1], q[2], q[3]}});
        return std::max(largest_difference(R, mat3(row["R"])),
                        largest_difference(Vec3<double>{v[0], v[1], v[2]}, spin(row)));
      });
  EXPECT_LT(worst.ida, 1e-7);
  EXPECT_LT(worst.alpha, 1e-2);
}

/// Bodies 1 and 3 on revolute joints, 2 on 3 by a cylindrical joint, closed by a ball of 1 in 2.
TEST(AbsoluteSpatial, SpatialRscr) {
  const Json data = read_json("dyn_rscr.json");
  for (const Json& c : data["cases"]) {
    const Json &p = c["params"], &g = c["geometry"], &first = c["traj"][0];
    const auto inertia = [&](std::size_t k) {
      const Mat3<double> I = mat3(p["I"][k]);
      return Inertia<double>{p["m"][k].get<double>(),
                             vec3(g["cg_local"][k]),
                             {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)}};
    };
    const auto direction = [](const Vec3<double>& a) { return a / norm(a); };
    const Vec3<double> r1 = vec3(g["r1"]), r5 = vec3(g["r5"]), r54 = vec3(g["r54_at_beta0"]);
    const Vec3<double> u2 = direction(vec3(g["u2_dir_at_beta0"])),
                       u3 = direction(vec3(g["u3_dir"]));
    const Vec3<double> n = direction(r54 - u2 * dot(u2, r54));
    const double rho = number(g, "rho");
    const SE3<double> T_32{{Mat3<double>{u2, n, cross(u2, n)}}, r54 + n * rho};
    TreeBuilder b;
    b.gravity(vec3(p["g"]));
    b.body("1", inertia(0))
        .joint("r1", revolute({.axis = vec3(g["u1_dir"])}), body_screws(translation(r1)));
    b.body("3", inertia(2)).joint("r3", revolute({.axis = u3}), body_screws(translation(r5)));
    b.body("2", inertia(1))
        .on("3")
        .joint("c", cylindrical({.axis = {1, 0, 0}, .point = {0, -rho, 0}}), body_screws(T_32));
    AbsoluteSystem system(b.build(), {{.body_a = 0,
                                       .body_b = 2,
                                       .on_a = translation(vec3(g["r12_at_theta0"])),
                                       .joint = spherical()}});
    const auto at = [&](const char* name, const char* what) { return vec3(first[name][what]); };
    const double beta = number(first["beta"], "pos"), rate = number(first["beta"], "vel");
    const double c4 = number(g, "c4");
    const Vec3<double> u = at("u2", "pos"), y = (at("r2", "pos") - at("r3", "pos") + u * c4) / rho;
    const Vec3<double> du = at("u2", "vel");
    const Vec3<double> dy = (at("r2", "vel") - at("r3", "vel") + du * c4) / rho;
    const Vec3<double> turned = exp(u3 * beta) * n;
    const Vec3<double> way = at("r3", "pos") - at("r4", "pos");
    const List q{number(p, "q0"), beta, dot(way, u) - c4,
                 std::atan2(dot(y, cross(u, turned)), dot(y, turned))};
    const List v{number(p, "qd0"), rate, dot(at("r3", "vel") - at("r4", "vel"), u) + dot(way, du),
                 dot(dy - cross(u3, y) * rate, cross(u, y))};
    const Worst worst = follow_both(system, q, v, c["traj"], [](const Json& row, auto x, auto w) {
      return std::max({far(x[0], number(row, "q")), far(w[0], number(row, "qd")),
                       far(x[1], number(row["beta"], "pos")),
                       far(w[1], number(row["beta"], "vel"))});
    });
    EXPECT_LT(worst.ida, 1e-7);
    EXPECT_LT(worst.alpha, 1e-2);
  }
}

/// Bricard's mechanism of six revolute joints, one of whose constraints follows from the others:
/// its last joint is given a second degree of freedom.
TEST(AbsoluteSpatial, Bricard) {
  const Json data = read_json("dyn_bricard.json");
  const Json& c = data["cases"][0];
  const Json& p = c["params"];
  const double a = number(p, "a"), m = number(p, "m"), J = m * a * a / 12;
  const auto link = [&](int i) {  // from joint frame i to i + 1
    const double angle = i % 2 == 0 ? std::acos(0.0) : -std::acos(0.0);
    return SE3<double>{exp(Vec3<double>{angle, 0, 0}), {a, 0, 0}};
  };
  TreeBuilder b;
  b.gravity(vec3(p["g"]));
  for (int i = 0; i < 5; ++i) {
    b.body("rod" + std::to_string(i), {m, {a / 2, 0, 0}, {0, J, J, 0, 0, 0}});
    if (i > 0) b.on("rod" + std::to_string(i - 1));
    b.joint("j" + std::to_string(i), revolute({}),
            body_screws(i > 0 ? link(i - 1) : SE3<double>{}));
  }
  // Turning about x is held by the other five joints all the way; other motions are not.
  const std::vector<Vec6<double>> closing{{{0, 0, 1}, {}}, {{1, 0, 0}, {}}};
  AbsoluteSystem system(b.build(), {{.body_a = 4,
                                     .body_b = -1,
                                     .on_a = link(4),
                                     .on_b = inverse(link(5)),
                                     .joint = screws_joint(closing)}});
  const auto angles = [](const Json& row, const char* what) {
    List x;
    for (int i = 0; i < 5; ++i)
      x.push_back(number(row[i % 2 == 0 ? "theta_odd" : "theta_even"], what));
    return x;
  };
  const Json& first = c["traj"][0];
  const Worst worst = follow_both(system, angles(first, "pos"), angles(first, "vel"), c["traj"],
                                  [&](const Json& row, auto x, auto w) {
                                    const List q = angles(row, "pos"), v = angles(row, "vel");
                                    double e = 0;
                                    for (std::size_t k = 0; k < 5; ++k)
                                      e = std::max({e, far(x[k], q[k]), far(w[k], v[k])});
                                    return e;
                                  });
  EXPECT_LT(worst.ida, 1e-7);
  EXPECT_LT(worst.alpha, 1e-2);
}

}  // namespace axode::test::absolute_spatial
