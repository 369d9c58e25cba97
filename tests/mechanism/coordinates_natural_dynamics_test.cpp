// Natural coordinates against reference-point coordinates: the same accelerations and energies of
// bodies with mass, under gravity, springs, loads and torques.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>

#include "axode/mechanism/motion_analysis.hpp"
#include "axode/mechanism/position.hpp"
#include "tests/mechanism/natural_cases.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/near.hpp"

namespace axode::test::coordinates_natural_dynamics {
namespace {

using namespace natural;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Inertia<double> some_body(double m, Vec3<double> com) {
  return {m, com, {0.31 * m, 0.42 * m, 0.27 * m, 0.03 * m, -0.05 * m, 0.02 * m}};
}

MatrixXd dense(const SparseRows& A) {
  MatrixXd result = MatrixXd::Zero(A.rows, A.columns);
  for (int i = 0; i < A.rows; ++i)
    for (int k = A.start[static_cast<std::size_t>(i)]; k < A.start[static_cast<std::size_t>(i) + 1];
         ++k)
      result(i, A.column[static_cast<std::size_t>(k)]) += A.value[static_cast<std::size_t>(k)];
  return result;
}

struct Result {
  std::vector<Vec6<double>> rates;
  std::vector<SE3<double>> poses;
  double kinetic = 0, potential = 0;
  int freedoms = 0;
};

/// Accelerations of the bodies with given twists, at the reference configuration.
Result accelerations(MechanismSystem s, std::vector<Twist<Rep::hybrid>> twists) {
  const std::vector<SE3<double>> at_home(twists.size());
  std::vector<double> q = s.from_poses(at_home);
  std::vector<double> v(static_cast<std::size_t>(s.equations().velocities()));
  s.refresh(q, v);
  v = s.from_twists(q, twists);
  const auto rows = static_cast<std::size_t>(s.constraints());
  const auto n = static_cast<std::size_t>(s.equations().velocities());
  std::vector<double> phi(rows), rate(rows), c(rows), Q(n), a(n);
  s.position(0, q, phi);
  s.velocity(0, q, v, rate);
  for (const double x : phi) EXPECT_NEAR(x, 0, 1e-12);
  for (std::size_t i = 0; i < rows; ++i)
    EXPECT_NEAR(rate[i], 0, 1e-11) << s.equations().equations[i].name;
  SparseRows J, M;
  s.jacobian(0, q, J);
  s.mass(q, M);
  s.acceleration_right(0, q, v, c);
  s.forces(0, q, v, Q);
  const auto N = static_cast<Eigen::Index>(n), R = static_cast<Eigen::Index>(rows);
  MatrixXd A = MatrixXd::Zero(N + R, N + R);
  A.topLeftCorner(N, N) = dense(M);
  A.topRightCorner(N, R) = dense(J).transpose();
  A.bottomLeftCorner(R, N) = dense(J);
  VectorXd b(N + R);
  for (Eigen::Index i = 0; i < N; ++i) b(i) = Q[static_cast<std::size_t>(i)];
  for (Eigen::Index i = 0; i < R; ++i) b(N + i) = c[static_cast<std::size_t>(i)];
  const LeastSquares x = least_squares(A, b);
  EXPECT_LT(x.residual, 1e-9);
  for (std::size_t i = 0; i < n; ++i) a[i] = x.solution(static_cast<Eigen::Index>(i));
  Result result;
  result.rates.resize(twists.size());
  result.poses.resize(twists.size());
  s.accelerations(q, v, a, result.rates);
  s.poses(q, result.poses);
  result.kinetic = s.kinetic_energy(q, v);
  result.potential = s.potential_energy(0, q);
  const LeastSquares rank = least_squares(dense(J), VectorXd::Zero(R));
  result.freedoms = static_cast<int>(N) - rank.rank;
  return result;
}

/// Twists that the mechanism can have: from the reference-point formulation, some of its freedoms.
std::vector<Twist<Rep::hybrid>> some_motion(const Mechanism& m) {
  MechanismSystem s(make_equations(m, {.family = CoordinateFamily::reference_point,
                                       .attitude = AttitudeForm::quasi_velocities}));
  const std::vector<SE3<double>> at_home(m.bodies.size());
  std::vector<double> q = s.from_poses(at_home);
  std::vector<double> v(static_cast<std::size_t>(s.equations().velocities()));
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = std::sin(1.7 * static_cast<double>(i) + 0.4);
  s.refresh(q, v);
  EXPECT_TRUE(solve_velocity(s, 0, q, v).consistent);
  std::vector<SE3<double>> poses(m.bodies.size());
  std::vector<Twist<Rep::hybrid>> twists(m.bodies.size());
  s.motion(q, v, poses, twists);
  return twists;
}

void compare(const Mechanism& m) {
  const std::vector<Twist<Rep::hybrid>> twists = some_motion(m);
  const Result natural = accelerations(natural_system(m), twists);
  const Result reference = accelerations(
      MechanismSystem(make_equations(m, {.family = CoordinateFamily::reference_point,
                                         .attitude = AttitudeForm::quasi_velocities})),
      twists);
  double size = 1;
  for (const Vec6<double>& r : reference.rates)
    size = std::max({size, norm(r.angular), norm(r.linear)});
  for (std::size_t i = 0; i < natural.rates.size(); ++i) {
    EXPECT_LT(norm(natural.rates[i].angular - reference.rates[i].angular), 1e-9 * size)
        << m.name << " " << m.bodies[i].name;
    EXPECT_LT(norm(natural.rates[i].linear - reference.rates[i].linear), 1e-9 * size)
        << m.name << " " << m.bodies[i].name;
    EXPECT_LT(distance(natural.poses[i], SE3<double>{}, 1), 1e-12) << m.bodies[i].name;
  }
  EXPECT_NEAR(natural.kinetic, reference.kinetic, 1e-11 * (1 + reference.kinetic)) << m.name;
  EXPECT_NEAR(natural.potential, reference.potential, 1e-11 * (1 + std::abs(reference.potential)));
  EXPECT_EQ(natural.freedoms, reference.freedoms) << m.name;
}

const json& fourbar_state() {
  static const json set = data("planar_fourbar").at("sets").at(0);
  return set;
}

TEST(CoordinatesNaturalDynamics, PlanarFourBarWithEverything) {
  const json& pos = fourbar_state().at("states").at(0).at("modes").at(0).at("pos");
  const json& params = fourbar_state().at("params");
  const Vec3<double> p1 = point(pos.at("1")), p2 = point(pos.at("2")), P = point(pos.at("P"));
  const auto flat = [](double m, Vec3<double> com) {
    return Inertia<double>{m, com, {0, 0, 0.2 * m, 0, 0, 0}};
  };
  PointSpring spring;
  spring.stiffness = 20;
  spring.length = 0.7;
  spring.damping = 1.5;
  BodyLoad load;
  load.force = {1, -2, 0};
  load.torque = {0, 0, 0.8};
  CoordinateForce torque;
  torque.stiffness = 3;
  torque.damping = 0.4;
  compare(MechanismBuilder("four_bar", Space::planar)
              .body("crank", flat(1, {0.4, 0.1, 0}))
              .body("coupler", flat(2, {2.1, 1.5, 0}))
              .body("rocker", flat(1.5, {3.9, 1.1, 0}))
              .joint("A", PairType::revolute, "ground", "crank", at(point(params.at("A"))))
              .joint("1", PairType::revolute, "crank", "coupler", at(p1))
              .joint("2", PairType::revolute, "coupler", "rocker", at(p2))
              .joint("B", PairType::revolute, "rocker", "ground", at(point(params.at("B"))))
              .spring({"coupler", P}, {"ground", Spot(1, 1, 0)}, spring)
              .load({"coupler", P}, load)
              .force("A.angle", torque)
              .build());
}

TEST(CoordinatesNaturalDynamics, PlanarSlidersWeldsAndRods) {
  const auto flat = [](double m, Vec3<double> com) {
    return Inertia<double>{m, com, {0, 0, 0.2 * m, 0, 0, 0}};
  };
  PairGeometry tube{.at = Vec3<double>{2, 0, 0}, .axis = normalized(Vec3<double>{1, 2, 0})};
  PairGeometry link;
  link.points = {Spot(0.3, 2, 0), Spot(2.5, 1.2, 0)};
  compare(MechanismBuilder("sliders", Space::planar)
              .body("crank", flat(1, {0.2, 0.3, 0}))
              .body("rod", flat(1, {1.2, 0.3, 0}))
              .body("slider", flat(2, {2.1, 0.1, 0}))
              .body("on slider", flat(0.7, {2.2, 0.5, 0}))
              .body("part", flat(0.5, {0.3, 1, 0}))
              .joint("A", PairType::revolute, "ground", "crank", at({0, 0, 0}))
              .joint("1", PairType::revolute, "crank", "rod", at({0.3, 0.6, 0}))
              .joint("2", PairType::revolute, "rod", "slider", at({2, 0, 0}))
              .joint("x", PairType::prismatic, "ground", "slider", at({2, 0, 0}, {1, 0, 0}))
              .joint("t", PairType::prismatic, "slider", "on slider", tube)
              .joint("w", PairType::weld, "crank", "part", at({0.3, 1, 0}))
              .joint("l", PairType::rod, "part", "on slider", link)
              .build());
}

TEST(CoordinatesNaturalDynamics, Rscr) {
  const json set = data("spatial_rscr").at("sets").at(0);
  Mechanism m = rscr(set.at("params"), set.at("states").at(1).at("modes").at(0).at("pos"));
  m.bodies[1].inertia = some_body(1, {0.3, 0.1, 0.2});
  m.bodies[2].inertia = some_body(2, {0.8, 0.9, 0.4});
  m.bodies[3].inertia = some_body(1.5, {2.5, 1.2, 0.3});
  compare(m);
}

TEST(CoordinatesNaturalDynamics, RobotWithLoads) {
  const json set = data("problem_2_21_manipulator").at("sets").at(0);
  Mechanism m = robot(set.at("params"), set.at("states").at(0).at("pos"));
  for (std::size_t b = 1; b < m.bodies.size(); ++b)
    m.bodies[b].inertia = some_body(1 + 0.1 * static_cast<double>(b), {0.1, -0.2, 0.3});
  BodyLoad load;
  load.body = 6;
  load.point = {0.2, 0.5, 1};
  load.force = {1, 2, 3};
  load.torque = {0.3, -0.4, 0.5};
  m.loads.push_back(load);
  CoordinateForce motor;
  motor.coordinate = coordinate_index(m, "3.angle");
  motor.stiffness = 2;
  motor.rest = 0.4;
  m.coordinate_forces.push_back(motor);
  compare(m);
}

TEST(CoordinatesNaturalDynamics, JointsOfSpace) {
  const Vec3<double> u = normalized(Vec3<double>{1, 2, 2}), w = normalized(Vec3<double>{2, 1, -2});
  PairGeometry cross{.at = Vec3<double>{1, 0, 0}};
  cross.axes = {Spot(u), Spot(w)};
  PairGeometry screw = at({2, 1, 0}, {1, 1, 0});
  screw.pitch = 0.1;
  PairGeometry apart{.axis = normalized(Vec3<double>{0, 1, 1})};
  apart.points = {Spot(3, 1, 1), Spot(3, 1.5, 1.5)};
  PairGeometry slab = at({4, 1, 1}, {1, 0, 1});
  PairGeometry ball = at({0, 0, 3});
  compare(MechanismBuilder("chain")
              .body("a", some_body(1, {0.5, 0.1, 0}))
              .body("b", some_body(1, {1.5, 0.6, 0}))
              .body("c", some_body(2, {2.5, 0.9, 0.4}))
              .body("d", some_body(1, {3.5, 1.1, 1.2}))
              .body("e", some_body(1, {4.2, 0.1, 1}))
              .body("top", some_body(1, {0.2, 0.1, 4}))
              .body("sleeve", some_body(1, {0.1, 5, 1}))
              .joint("A", PairType::revolute, "ground", "a", at({0, 0, 0}, {0, 1, 1}))
              .joint("U", PairType::universal, "a", "b", cross)
              .joint("H", PairType::helical, "b", "c", screw)
              .joint("P", PairType::prismatic, "c", "d", apart)
              .joint("F", PairType::planar, "d", "e", slab)
              .joint("S", PairType::spherical, "ground", "top", ball)
              .joint("C", PairType::cylindrical, "ground", "sleeve", at({0, 5, 0}, {0, 1, 3}))
              .build());
}

TEST(CoordinatesNaturalDynamics, SlidingOnTheGroundAndHeldByRods) {
  PairGeometry link, line{.axis = normalized(Vec3<double>{1, 1, 0})};
  PairGeometry plane = at({0, 2, 0}, {0, 0, 1}), off{.axis = Vec3<double>{0, 1, 0}};
  link.points = {Spot(0.1, 0.2, 1), Spot(3, 0.4, 2)};
  line.points = {Spot(3, 0, 1), Spot(3.5, 0.5, 1)};
  off.points = {Spot(2, 2, 2), Spot(2.4, 2.5, 2.3)};
  off.value = 0.5;
  compare(MechanismBuilder("held")
              .body("carriage", some_body(1, {0.1, 0.1, 0.5}))
              .body("wheel", some_body(1, {0.1, 0.2, 1}))
              .body("free", some_body(1, {3, 1, 1.5}))
              .joint("P", PairType::prismatic, "ground", "carriage", at({0, 0, 0}, {1, 0, 0}))
              .joint("R", PairType::revolute, "carriage", "wheel", at({0, 0, 1}, {0, 1, 0}))
              .joint("r", PairType::rod, "wheel", "free", link)
              .joint("l", PairType::point_on_line, "ground", "free", line)
              .joint("p", PairType::point_on_plane, "ground", "free", plane)
              .joint("d", PairType::point_line_distance, "ground", "free", off)
              .build());
}

/// Slender rods have no spin in natural coordinates; all else is the same.
TEST(CoordinatesNaturalDynamics, SlenderCoupler) {
  const Vec3<double> a{1, 0, 0.5}, b{2, 1.5, 1}, e = normalized(b - a);
  const double m = 1.2, L = norm(b - a);
  const Sym3<double> thin = minus_skew_squared(e) * (m * L * L / 12);
  const Mechanism rssr =
      MechanismBuilder("rssr")
          .body("crank", some_body(1, {0.4, 0.1, 0.2}))
          .body("coupler", Inertia<double>{m, (a + b) * 0.5, thin})
          .rod()
          .body("rocker", some_body(1, {2.5, 1, 0.2}))
          .joint("A", PairType::revolute, "ground", "crank", at({0, 0, 0}, {0, 0, 1}))
          .joint("1", PairType::spherical, "crank", "coupler", at(a))
          .joint("2", PairType::spherical, "coupler", "rocker", at(b))
          .joint("B", PairType::revolute, "rocker", "ground", at({3, 0.5, 0}, {1, 0, 0.2}))
          .build();
  MechanismSystem s = natural_system(rssr);
  EXPECT_EQ(s.equations().numbers(), 6);
  EXPECT_EQ(s.constraints(), 5);
  std::vector<double> q = s.from_poses(std::vector<SE3<double>>(4));
  std::vector<Twist<Rep::hybrid>> twists = some_motion(rssr);
  const Result natural = accelerations(s, twists);
  const Result reference = accelerations(
      MechanismSystem(make_equations(rssr, {.family = CoordinateFamily::reference_point,
                                            .attitude = AttitudeForm::quasi_velocities})),
      twists);
  EXPECT_NEAR(natural.kinetic, reference.kinetic, 1e-12);
  EXPECT_EQ(natural.freedoms, 1);
  for (const std::size_t i : {1u, 3u}) {
    EXPECT_LT(norm(natural.rates[i].angular - reference.rates[i].angular), 1e-9);
    EXPECT_LT(norm(natural.rates[i].linear - reference.rates[i].linear), 1e-9);
  }
}

}  // namespace
}  // namespace axode::test::coordinates_natural_dynamics
