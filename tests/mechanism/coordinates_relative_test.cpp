/// Relative coordinates of the book's mechanisms against closed-form motions.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "axode/error.hpp"
#include "axode/mechanism/formulate.hpp"
#include "axode/mechanism/system.hpp"
#include "axode/model/state.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/near.hpp"
#include "tests/support/plain_mechanism.hpp"

namespace axode::test::coordinates_relative {

using namespace plain;
namespace {

using nlohmann::json;
using Vector = std::vector<double>;

std::size_t at(int i) { return static_cast<std::size_t>(i); }
const json& data() {
  static const json all = read_json("mechanisms/relative.json");
  return all;
}
Vec3<double> point(const json& a) { return {a[0].get<double>(), a[1].get<double>(), 0}; }
Vec3<double> along(double angle, double length = 1) {
  return {length * std::cos(angle), length * std::sin(angle), 0};
}
MechanismSystem relative(const Mechanism& m, std::vector<int> cut = {}, bool whole = false) {
  FormulationOptions options;
  options.family = CoordinateFamily::relative;
  options.cut = std::move(cut);
  options.close_whole = whole;
  return MechanismSystem(make_equations(m, options));
}
Eigen::MatrixXd dense(const SparseRows& J) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(J.rows, J.columns);
  for (int r = 0; r < J.rows; ++r)
    for (int k = J.start[at(r)]; k < J.start[at(r + 1)]; ++k)
      A(r, J.column[at(k)]) += J.value[at(k)];
  return A;
}
int rank(MechanismSystem& system, const Vector& q) {
  SparseRows J;
  system.jacobian(0, q, J);
  if (J.rows == 0) return 0;
  return least_squares(dense(J), Eigen::VectorXd::Zero(J.rows)).rank;
}
double largest(const Vector& a) {
  double most = 0;
  for (const double x : a) most = std::max(most, std::abs(x));
  return most;
}

/// Coordinates by name, in the order of the system.
struct Motion {
  std::map<std::string, std::array<double, 3>> of;
  Vector derivative(const MechanismSystem& system, std::size_t order) const {
    Vector x;
    for (const std::string& name : system.equations().coordinate_names)
      x.push_back(of.at(name)[order]);
    return x;
  }
};
/// Phi = 0, Phi_q v = 0, Phi_q a = c, to rounding.
void expect_motion(MechanismSystem& system, const Motion& motion, double tolerance) {
  Vector q = motion.derivative(system, 0), v = motion.derivative(system, 1);
  const Vector a = motion.derivative(system, 2);
  system.refresh(q, v);
  Vector phi(at(system.constraints())), rate = phi, c = phi, Ja = phi;
  system.position(0, q, phi);
  EXPECT_LT(largest(phi), tolerance);
  system.velocity(0, q, v, rate);
  EXPECT_LT(largest(rate), tolerance * std::max(1., largest(v)));
  system.acceleration_right(0, q, v, c);
  SparseRows J;
  system.jacobian(0, q, J);
  J.multiply(a, Ja);
  for (std::size_t k = 0; k < c.size(); ++k)
    EXPECT_NEAR(Ja[k], c[k], 10 * tolerance * std::max(1., largest(a))) << k;
}
std::array<double, 3> jet(const json& mode, const char* key, double factor = 1,
                          double constant = 0) {
  return {factor * mode["pos"][key].get<double>() + constant,
          factor * mode["vel"][key].get<double>(), factor * mode["acc"][key].get<double>()};
}
std::array<double, 3> entry(const json& mode, const char* key, std::size_t k, double constant = 0) {
  return {mode["pos"][key][k].get<double>() + constant, mode["vel"][key][k].get<double>(),
          mode["acc"][key][k].get<double>()};
}

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
          const auto b = at(body_index(m, k));
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
        Vector phi(at(c.equations)), rate = phi;
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

/// Loops of revolute joints by Denavit-Hartenberg rows; the last link is the ground.
Mechanism loop_of_revolutes(const Vector& a, const Vector& alpha) {
  Mechanism m = plain_mechanism(false);
  const std::size_t n = a.size();
  std::vector<int> link{0};
  for (std::size_t k = 1; k < n; ++k) link.push_back(add_body(m, "link" + std::to_string(k)));
  link.push_back(0);
  for (std::size_t k = 0; k < n; ++k) {
    // On the link before: behind its length and twist. The ground is placed at joint 1.
    const auto end = [&](std::size_t r) {
      return SE3<double>{exp(Vec3<double>{alpha[r], 0, 0}), {a[r], 0, 0}};
    };
    const SE3<double> S_i = k == 0 ? SE3<double>{} : end(k - 1);
    const SE3<double> S_j = k + 1 == n ? inverse(end(k)) : SE3<double>{};
    m.joints.push_back({.name = "J" + std::to_string(k + 1),
                        .body = {link[k], link[k + 1]},
                        .point = {S_i.p, S_j.p},
                        .axis = {S_i.R.matrix.z, S_j.R.matrix.z},
                        .zero = {S_i.R.matrix.x, S_j.R.matrix.x}});
  }
  finish(m);
  return m;
}

TEST(CoordinatesRelative, OverconstrainedLoopsCloseAndMove) {
  const double a = 1, alpha = data()["bennett"]["params"]["alpha"],
               beta = data()["bennett"]["params"]["beta"], b = data()["bennett"]["b"],
               half = std::numbers::pi / 2;
  struct Case {
    const char* name;
    Vector a, alpha;
    int rank;
  };
  for (const Case& c :
       {Case{"bennett", {a, b, a, b}, {alpha, beta, alpha, beta}, 3},
        Case{"bricard", Vector(6, 1.), {half, -half, half, -half, half, -half}, 5}}) {
    const Mechanism m = loop_of_revolutes(c.a, c.alpha);
    const int n = static_cast<int>(c.a.size());
    MechanismSystem cut = relative(m), whole = relative(m, {}, true);
    EXPECT_EQ(cut.equations().velocities(), n - 1);
    EXPECT_EQ(cut.constraints(), 5);
    EXPECT_EQ(whole.equations().velocities(), n);
    EXPECT_EQ(whole.constraints(), 6);
    for (const json& state : data()[c.name]["states"]) {
      Motion motion;
      for (int k = 0; k < n; ++k)
        motion.of["J" + std::to_string(k + 1) + ".angle"] = entry(state, "theta", at(k));
      expect_motion(cut, motion, 1e-12);
      expect_motion(whole, motion, 1e-12);
      // One freedom of motion, however many equations.
      EXPECT_EQ(rank(whole, motion.derivative(whole, 0)), c.rank) << c.name;
      EXPECT_EQ(rank(cut, motion.derivative(cut, 0)), c.rank - 1) << c.name;
    }
  }
}

TEST(CoordinatesRelative, RankIsThatOfTheScrewsOfALoop) {
  for (const json& loop : data()["loops"]) {
    Mechanism m = plain_mechanism(false);
    const int n = loop["ranks"]["n_joints"];
    std::vector<int> link{0};
    for (int k = 1; k < n; ++k) link.push_back(add_body(m, "link" + std::to_string(k)));
    link.push_back(0);
    for (int k = 0; k < n; ++k) {
      const Vec3<double> u = normalized(vec3(loop["axes"][at(k)]["u"]));
      const Vec3<double> zero =
          normalized(cross(u, std::abs(u.x) < .7 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0}));
      add_joint(m, "J" + std::to_string(k), PairType::revolute, link[at(k)], link[at(k + 1)],
                {.point = vec3(loop["axes"][at(k)]["P"]), .axis = u, .zero = zero});
    }
    finish(m);
    MechanismSystem whole = relative(m, {}, true), cut = relative(m);
    const int mobility = loop["ranks"]["mobility_screw"];
    EXPECT_EQ(rank(whole, Vector(at(n), 0.)), loop["ranks"]["screw_rank"].get<int>())
        << loop["name"];
    EXPECT_EQ(n - 1 - rank(cut, Vector(at(n - 1), 0.)), mobility) << loop["name"];
  }
}

/// A chain with every joint that carries a body, passed forward and backward, closed at its end.
Mechanism closed_chain(PairType closing) {
  Mechanism m = plain_mechanism(false);
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vector = [&] { return Vec3<double>{number(random), number(random), number(random)}; };
  int before = 0;
  bool forward = true;
  const auto joint = [&](PairType type, int i, int j) {
    const Vec3<double> axis = normalized(vector());
    const Vec3<double> zero = normalized(cross(axis, vector()));
    add_joint(m, "J" + std::to_string(m.joints.size()), type, i, j,
              {.point = vector(), .axis = axis, .zero = zero, .axis2 = zero});
    m.joints.back().pitch = .3;
    m.joints.back().value = .8;
  };
  for (const PairType type :
       {PairType::revolute, PairType::prismatic, PairType::helical, PairType::weld,
        PairType::cylindrical, PairType::spherical, PairType::universal, PairType::planar}) {
    const int body = add_body(m, "b" + std::to_string(before + 1), {exp(vector()), vector()},
                              {.mass = 2, .com = vector(), .about_com = {1, 1, 1, .1, .2, .1}});
    joint(type, forward ? before : body, forward ? body : before);
    before = body;
    forward = !forward;
  }
  joint(closing, 0, before);
  finish(m);
  return m;
}

/// Jacobian and c of Phi_q a = c against differences of Phi and of its rate along the group.
TEST(CoordinatesRelative, DerivativesOfEveryJointByDifferences) {
  std::mt19937_64 random(13);
  for (const bool whole : {false, true})
    for (const PairType closing :
         {PairType::weld, PairType::revolute, PairType::cylindrical, PairType::spherical,
          PairType::universal, PairType::prismatic, PairType::planar, PairType::rod,
          PairType::point_on_line, PairType::point_on_plane, PairType::point_line_distance}) {
      const Mechanism m = closed_chain(closing);
      MechanismSystem system = relative(m, {static_cast<int>(m.joints.size()) - 1}, whole);
      const MechanismEquations& eq = system.equations();
      Vector q = random_configuration(*eq.tree, random), v(at(eq.velocities()));
      std::uniform_real_distribution<double> number(-1, 1);
      for (double& x : v) x = number(random);
      system.refresh(q, v);
      const double h = 1e-5;
      const auto moved = [&](const Vector& d, double step) {
        Vector scaled = d, result(q.size());
        for (double& x : scaled) x *= step;
        plus(eq.group, q, scaled, result);
        return result;
      };
      Vector up(at(system.constraints())), down = up, c = up;
      SparseRows J;
      system.jacobian(0, q, J);
      const Eigen::MatrixXd A = dense(J);
      for (int k = 0; k < eq.velocities(); ++k) {
        Vector e(v.size(), 0.);
        e[at(k)] = 1;
        system.position(0, moved(e, h), up);
        system.position(0, moved(e, -h), down);
        for (int r = 0; r < system.constraints(); ++r)
          EXPECT_NEAR(A(r, k), (up[at(r)] - down[at(r)]) / (2 * h), 1e-7) << name(closing);
      }
      system.acceleration_right(0, q, v, c);
      system.velocity(0, moved(v, h), v, up);
      system.velocity(0, moved(v, -h), v, down);
      for (std::size_t r = 0; r < c.size(); ++r)
        EXPECT_NEAR(c[r], -(up[r] - down[r]) / (2 * h), 1e-6) << name(closing);
    }
}

TEST(CoordinatesRelative, HalfATurnIsNoClosedLoop) {
  // A parallelogram, closed as a whole, then with the cut joint turned by pi.
  const Mechanism m = four_bar({.ground = 3, .crank = 1, .coupler = 3, .rocker = 1});
  const int cut = joint_index(m, "2");
  MechanismSystem system = relative(m, {cut}, true);
  const MechanismEquations& eq = system.equations();
  Vector q(4), phi(3);
  const auto set = [&](const char* name, double value) {
    for (std::size_t k = 0; k < q.size(); ++k)
      if (eq.coordinate_names[k] == name) q[k] = value;
  };
  for (const auto& [name, value] :
       {std::pair{"A.angle", .8}, {"1.angle", -.8}, {"2.angle", .8}, {"B.angle", .8}})
    set(name, value);
  for (const bool turned : {false, true}) {
    if (turned) set("2.angle", .8 + std::numbers::pi);
    system.position(0, q, phi);
    EXPECT_LT(largest(phi), 1e-14);
    EXPECT_EQ(system.mirrored(0, q).found, turned);
  }
}

TEST(CoordinatesRelative, AskedCoordinatesAreInTheTreeOrAdded) {
  const Mechanism m = four_bar();
  FormulationOptions options;
  options.family = CoordinateFamily::relative;
  options.mixed = {coordinate_index(m, "2.angle")};
  const MechanismEquations in_tree = make_equations(m, options);
  EXPECT_EQ(in_tree.velocities(), 3);
  EXPECT_NE(std::ranges::find(in_tree.coordinate_names, "2.angle"), in_tree.coordinate_names.end());
  options.cut = {joint_index(m, "2")};
  const MechanismEquations added = make_equations(m, options);
  EXPECT_EQ(added.velocities(), 4);
  EXPECT_EQ(added.rows(), 3);
  EXPECT_EQ(added.coordinate_names.back(), "2.angle");
  options.mixed = {99};
  EXPECT_THROW(make_equations(m, options), Error);
}

TEST(CoordinatesRelative, EvaluatingDoesNotAllocate) {
  const Mechanism m = closed_chain(PairType::revolute);
  MechanismSystem system = relative(m, {static_cast<int>(m.joints.size()) - 1});
  std::mt19937_64 random(17);
  const Vector q = random_configuration(*system.equations().tree, random);
  const Vector v(at(system.equations().velocities()), .3);
  Vector phi(at(system.constraints())), Q(v.size());
  SparseRows J, M;
  const auto all = [&] {
    system.jacobian(0, q, J);
    system.mass(q, M);
    system.forces(0, q, v, Q);
    system.acceleration_right(0, q, v, phi);
  };
  all();
  EXPECT_EQ(count_allocations(all), 0);
}

}  // namespace
}  // namespace axode::test::coordinates_relative
