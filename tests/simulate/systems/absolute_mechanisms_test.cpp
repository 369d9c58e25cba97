/// Trajectories of planar mechanisms with loops against references of 28 digits.
#include "tests/simulate/mechanism_runs.hpp"

namespace axode::test::absolute_mechanisms {

using namespace mechanism_runs;

TEST(AbsoluteMechanisms, DoublePendulum) {
  const Json data = read_json("dyn_double_pendulum.json");
  const Json& c = data["cases"][0];
  const Json& p = c["params"];
  TreeBuilder b;
  b.gravity({0, -number(p, "g"), 0});
  add_link(b, "1", "world", 0, 0, number(p, "m1"), {number(p, "c1"), 0, 0}, number(p, "I1"));
  add_link(b, "2", "1", number(p, "L1"), 0, number(p, "m2"), {number(p, "c2"), 0, 0},
           number(p, "I2"));
  AbsoluteSystem system(b.build());
  const List start = flat(c["traj"][0]["rel_angles"]);
  const Worst worst =
      follow_both(system, start, {0, 0}, c["traj"], [](const Json& row, auto q, auto v) {
        const List angle = flat(row["rel_angles"]), rate = flat(row["abs_rates"]);
        return std::max({far(q[0], angle[0]), far(q[1], angle[1]), far(v[0], rate[0]),
                         far(v[0] + v[1], rate[1])});
      });
  EXPECT_LT(worst.ida, 1e-8);
  EXPECT_LT(worst.alpha, 1e-2);
}

TEST(AbsoluteMechanisms, FourBars) {
  const Json data = read_json("dyn_fourbar.json");
  for (const Json& c : data["cases"]) {
    const Json& p = c["params"];
    const Vec3<double> A = plane(p["A"]), B = plane(p["B"]);
    TreeBuilder b;
    b.gravity(plane(p["g"]));
    add_link(b, "crank", "world", A.x, A.y, number(p, "m2"), plane(p["c2"]), number(p, "J2"));
    b.damping(number(p, "cvis"));
    add_link(b, "coupler", "crank", number(p, "L2"), 0, number(p, "m3"), plane(p["c3"]),
             number(p, "J3"));
    add_link(b, "rocker", "world", B.x, B.y, number(p, "m4"), plane(p["c4"]), number(p, "J4"));
    const double torque = number(p, "tau");
    AbsoluteSystem system(b.build(), {pin(1, 2, {number(p, "L3"), 0, 0}, {number(p, "L4"), 0, 0})},
                          [torque](double, auto, auto, auto, auto, auto tau, auto) {
                            tau[0] += torque;
                            return true;
                          });
    const auto angles = [](const Json& row, const char* what) {
      const double crank = number(row, std::string(what) == "pos" ? "q" : "qd");
      return List{crank, number(row["th3"], what) - crank, number(row["th4"], what)};
    };
    const Json& first = c["traj"][0];
    const Worst worst = follow_both(system, angles(first, "pos"), angles(first, "vel"), c["traj"],
                                    [&](const Json& row, auto q, auto v) {
                                      double e = std::max(far(q[0], number(row, "q")),
                                                          far(v[0], number(row, "qd")));
                                      const List rate = angles(row, "vel");
                                      for (std::size_t k = 1; k < 3; ++k)
                                        e = std::max(e, far(v[k], rate[k]));
                                      return e;
                                    });
    EXPECT_LT(worst.ida, 1e-7) << p["name"];
    EXPECT_LT(worst.alpha, 1e-2) << p["name"];
  }
}

TEST(AbsoluteMechanisms, SliderCranks) {
  const Json data = read_json("dyn_slidercrank.json");
  for (const Json& c : data["cases"]) {
    const Json& p = c["params"];
    const Vec3<double> A = plane(p["A"]);
    TreeBuilder b;
    b.gravity(plane(p["g"]));
    add_link(b, "crank", "world", A.x, A.y, number(p, "m2"), plane(p["c2"]), number(p, "J2"));
    b.damping(number(p, "cvis"));
    add_link(b, "rod", "crank", number(p, "L2"), 0, number(p, "m3"), plane(p["c3"]),
             number(p, "J3"));
    b.body("slider", {number(p, "m4"), {}, {1, 1, 1, 0, 0, 0}});
    b.joint("guide", prismatic({{1, 0, 0}}),
            body_screws(translation(Vec3<double>{0, number(p, "h"), 0})));
    AbsoluteSystem system(b.build(), {pin(1, 2, {number(p, "L3"), 0, 0}, {})},
                          [&p](double, auto q, auto, auto, auto, auto tau, auto) {
                            tau[0] += number(p, "tau");
                            tau[2] -= number(p, "k") * (q[2] - number(p, "x0"));
                            return true;
                          });
    const auto coordinates = [](const Json& row, const char* what) {
      const double crank = number(row, std::string(what) == "pos" ? "q" : "qd");
      return List{crank, number(row["th3"], what) - crank, row["2"][what][0].get<double>()};
    };
    const Json& first = c["traj"][0];
    const Worst worst = follow_both(
        system, coordinates(first, "pos"), coordinates(first, "vel"), c["traj"],
        [&](const Json& row, auto q, auto v) {
          const List place = coordinates(row, "pos"), rate = coordinates(row, "vel");
          return std::max({far(q[0], place[0]), far(q[2], place[2]), far(v[0], rate[0]),
                           far(v[1], rate[1]), far(v[2], rate[2])});
        },
        1e-12);
    EXPECT_LT(worst.ida, 1e-7) << p["name"];
    EXPECT_LT(worst.alpha, 1e-2) << p["name"];
  }
}

/// Andrews' squeezing mechanism: seven bodies, three loops [HairerOde VII.7].
struct Squeezer {
  Tree tree;
  std::vector<LoopJoint> loops;
};
Squeezer squeezer(const Json& p) {
  const auto n = [&](const char* key) { return number(p, key); };
  TreeBuilder b;
  b.gravity({});
  const auto add = [&](const char* name, const char* parent, double x, double y,
                       const Vec3<double>& com, const char* mass, const char* inertia) {
    add_link(b, name, parent, x, y, n(mass), com, n(inertia));
  };
  add("1", "world", 0, 0, {n("ra"), 0, 0}, "m1", "i1");
  add("2", "1", n("rr"), 0, {-n("da"), 0, 0}, "m2", "i2");
  add("3", "world", n("xb"), n("yb"), {n("sb"), -n("sa"), 0}, "m3", "i3");
  add("5", "world", n("xa"), n("ya"), {n("ta"), n("tb"), 0}, "m5", "i5");
  add("4", "5", n("zt"), 0, {0, n("ea") - n("e"), 0}, "m4", "i4");
  add("7", "world", n("xa"), n("ya"), {-n("ub"), -n("ua"), 0}, "m7", "i7");
  add("6", "7", 0, -n("u"), {n("zf") - n("fa"), 0, 0}, "m6", "i6");
  const Vec3<double> E{-n("d"), 0, 0};
  return {b.build(),
          {pin(1, 2, E, {0, -n("ss"), 0}), pin(1, 4, E, {0, -n("e"), 0}),
           pin(1, 6, E, {n("zf"), 0, 0})}};
}

TEST(AbsoluteMechanisms, AndrewsSqueezer) {
  const Json data = read_json("dyn_andrews.json");
  const Json& p = data["params"];
  const Squeezer mechanism = squeezer(p);
  const auto forces = [&p](double, auto, auto, auto T_WB, auto, auto tau, auto wrenches) {
    tau[0] += number(p, "mom");
    const Vec3<double> C{number(p, "xc"), number(p, "yc"), 0};
    const Vec3<double> D{number(p, "sd"), -number(p, "sc"), 0};
    const Vec3<double> way = C - T_WB[2] * D;
    const double length = norm(way), pull = number(p, "c0") * (length - number(p, "l0"));
    const Vec3<double> force = inverse_times(T_WB[2].R, way * (pull / length));
    wrenches[2] += Wrench<Rep::body>{cross(D, force), force};
    return true;
  };
  AbsoluteSystem system(mechanism.tree, mechanism.loops, forces);
  const char* names[] = {"beta", "theta", "gamma", "delta", "phi", "epsilon", "omega"};
  List q, v(7, 0.0);
  for (const char* name : names) q.push_back(number(data["q0"], name));
  const Worst worst = follow_both(
      system, q, v, data["traj"],
      [&](const Json& row, auto x, auto w) {
        double e = 0;
        for (std::size_t k = 0; k < 7; ++k)
          e = std::max({e, far(x[k], number(row[names[k]], "pos")),
                        far(w[k], number(row[names[k]], "vel")) / 1000});
        return e;
      },
      1e-10);
  EXPECT_LT(worst.ida, 1e-7);
  EXPECT_LT(worst.alpha, 1e-2);
}

/// N parallelograms in a row, from upright. At 0.71 s and 1.2 s all bars lie on a line, where the
/// constraints have lost a rank: beyond that only one, by generalized-alpha, which steps across.
TEST(AbsoluteMechanisms, RowsOfFourBars) {
  const Json data = read_json("dyn_n_fourbar.json");
  for (const Json& c : data["cases"]) {
    const Json& p = c["params"];
    const int N = p["N"].get<int>();
    const double l = number(p, "l"), m = number(p, "m"), J = m * l * l / 12;
    TreeBuilder b;
    b.gravity({0, -number(p, "g"), 0});
    std::vector<LoopJoint> loops;
    add_link(b, "rod0", "world", 0, 0, m, {l / 2, 0, 0}, J);
    const double phi = number(c["traj"][0], "phi"), rate = number(c["traj"][0], "phid");
    List q{phi}, v{rate};
    for (int i = 1; i <= N; ++i) {
      const std::string n = std::to_string(i);
      add_link(b, "rod" + n, "world", i * l, 0, m, {l / 2, 0, 0}, J);
      add_link(b, "bar" + n, "rod" + std::to_string(i - 1), l, 0, m, {l / 2, 0, 0}, J);
      loops.push_back(pin(2 * i, 2 * i - 1, {l, 0, 0}, {l, 0, 0}));
      q.insert(q.end(), {phi, -phi});
      v.insert(v.end(), {rate, -rate});
    }
    AbsoluteSystem system(b.build(), loops);
    const ErrorOf error = [](const Json& row, auto x, auto w) {
      return std::max(far(x[0], number(row, "phi")), far(w[0], number(row, "phid")));
    };
    const Json before_rank_loss(c["traj"].begin(), c["traj"].begin() + 7);
    const Json& whole = c["traj"];
    EXPECT_LT(worst_error(second_order(), system, q, v, N == 1 ? whole : before_rank_loss, error),
              1e-2);
    if (N == 40) continue;
    EXPECT_LT(
        worst_error(Ida({.rtol = 1e-11, .atol = 1e-12}), system, q, v, before_rank_loss, error),
        1e-7);
  }
}

}  // namespace axode::test::absolute_mechanisms
