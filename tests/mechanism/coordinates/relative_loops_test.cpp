/// Relative coordinates of loops in general: overconstrained ones, every joint, what is asked for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "axode/core/error.hpp"
#include "axode/model/state.hpp"
#include "tests/mechanism/relative_cases.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/near.hpp"

namespace axode::test::coordinates_relative_loops {

using namespace plain;
using namespace relative_cases;
namespace {

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

TEST(CoordinatesRelativeLoops, OverconstrainedLoopsCloseAndMove) {
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
        motion.of["J" + std::to_string(k + 1) + ".angle"] = entry(state, "theta", k);
      expect_motion(cut, motion, 1e-12);
      expect_motion(whole, motion, 1e-12);
      // One degree of freedom of motion, however many equations.
      EXPECT_EQ(rank(whole, motion.derivative(whole, 0)), c.rank) << c.name;
      EXPECT_EQ(rank(cut, motion.derivative(cut, 0)), c.rank - 1) << c.name;
    }
  }
}

TEST(CoordinatesRelativeLoops, RankIsThatOfTheScrewsOfALoop) {
  for (const json& loop : data()["loops"]) {
    Mechanism m = plain_mechanism(false);
    const int n = loop["ranks"]["n_joints"];
    std::vector<int> link{0};
    for (int k = 1; k < n; ++k) link.push_back(add_body(m, "link" + std::to_string(k)));
    link.push_back(0);
    for (int k = 0; k < n; ++k) {
      const Vec3<double> u = normalized(vec3(loop["axes"][k]["u"]));
      const Vec3<double> zero =
          normalized(cross(u, std::abs(u.x) < .7 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0}));
      add_joint(m, "J" + std::to_string(k), PairType::revolute, link[k], link[k + 1],
                {.point = vec3(loop["axes"][k]["P"]), .axis = u, .zero = zero});
    }
    finish(m);
    MechanismSystem whole = relative(m, {}, true), cut = relative(m);
    const int mobility = loop["ranks"]["mobility_screw"];
    EXPECT_EQ(rank(whole, Vector(n, 0.)), loop["ranks"]["screw_rank"].get<int>()) << loop["name"];
    EXPECT_EQ(n - 1 - rank(cut, Vector(n - 1, 0.)), mobility) << loop["name"];
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
TEST(CoordinatesRelativeLoops, DerivativesOfEveryJointByDifferences) {
  std::mt19937_64 random(13);
  for (const bool whole : {false, true})
    for (const PairType closing :
         {PairType::weld, PairType::revolute, PairType::cylindrical, PairType::spherical,
          PairType::universal, PairType::prismatic, PairType::planar, PairType::rod,
          PairType::point_on_line, PairType::point_on_plane, PairType::point_line_distance}) {
      const Mechanism m = closed_chain(closing);
      MechanismSystem system = relative(m, {static_cast<int>(m.joints.size()) - 1}, whole);
      const MechanismEquations& eq = system.equations();
      Vector q = random_configuration(*eq.tree, random), v(eq.velocities());
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
      Vector up(system.constraints()), down = up, c = up;
      SparseRows J;
      system.jacobian(0, q, J);
      const Eigen::MatrixXd A = dense(J);
      for (int k = 0; k < eq.velocities(); ++k) {
        Vector e(v.size(), 0.);
        e[k] = 1;
        system.position(0, moved(e, h), up);
        system.position(0, moved(e, -h), down);
        for (int r = 0; r < system.constraints(); ++r)
          EXPECT_NEAR(A(r, k), (up[r] - down[r]) / (2 * h), 1e-7) << name(closing);
      }
      system.acceleration_right(0, q, v, c);
      system.velocity(0, moved(v, h), v, up);
      system.velocity(0, moved(v, -h), v, down);
      for (std::size_t r = 0; r < c.size(); ++r)
        EXPECT_NEAR(c[r], -(up[r] - down[r]) / (2 * h), 1e-6) << name(closing);
    }
}

TEST(CoordinatesRelativeLoops, HalfATurnIsNoClosedLoop) {
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

TEST(CoordinatesRelativeLoops, AskedCoordinatesAreInTheTreeOrAdded) {
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

TEST(CoordinatesRelativeLoops, EvaluatingDoesNotAllocate) {
  const Mechanism m = closed_chain(PairType::revolute);
  MechanismSystem system = relative(m, {static_cast<int>(m.joints.size()) - 1});
  std::mt19937_64 random(17);
  const Vector q = random_configuration(*system.equations().tree, random);
  const Vector v(system.equations().velocities(), .3);
  Vector phi(system.constraints()), Q(v.size());
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
}  // namespace axode::test::coordinates_relative_loops
