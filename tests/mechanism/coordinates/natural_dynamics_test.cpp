// Natural coordinates against reference-point coordinates: the same accelerations and energies of
// bodies with mass, under gravity, springs, loads and torques.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/mechanism/natural_compare.hpp"

namespace axode::test::coordinates_natural_dynamics {
namespace {

using namespace natural;

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
              .joint("A", PairType::revolute, "world", "crank", at(point(params.at("A"))))
              .joint("1", PairType::revolute, "crank", "coupler", at(p1))
              .joint("2", PairType::revolute, "coupler", "rocker", at(p2))
              .joint("B", PairType::revolute, "rocker", "world", at(point(params.at("B"))))
              .spring({"coupler", P}, {"world", Spot(1, 1, 0)}, spring)
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
              .joint("A", PairType::revolute, "world", "crank", at({0, 0, 0}))
              .joint("1", PairType::revolute, "crank", "rod", at({0.3, 0.6, 0}))
              .joint("2", PairType::revolute, "rod", "slider", at({2, 0, 0}))
              .joint("x", PairType::prismatic, "world", "slider", at({2, 0, 0}, {1, 0, 0}))
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
              .joint("A", PairType::revolute, "world", "a", at({0, 0, 0}, {0, 1, 1}))
              .joint("U", PairType::universal, "a", "b", cross)
              .joint("H", PairType::helical, "b", "c", screw)
              .joint("P", PairType::prismatic, "c", "d", apart)
              .joint("F", PairType::planar, "d", "e", slab)
              .joint("S", PairType::spherical, "world", "top", ball)
              .joint("C", PairType::cylindrical, "world", "sleeve", at({0, 5, 0}, {0, 1, 3}))
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
              .joint("P", PairType::prismatic, "world", "carriage", at({0, 0, 0}, {1, 0, 0}))
              .joint("R", PairType::revolute, "carriage", "wheel", at({0, 0, 1}, {0, 1, 0}))
              .joint("r", PairType::rod, "wheel", "free", link)
              .joint("l", PairType::point_on_line, "world", "free", line)
              .joint("p", PairType::point_on_plane, "world", "free", plane)
              .joint("d", PairType::point_line_distance, "world", "free", off)
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
          .joint("A", PairType::revolute, "world", "crank", at({0, 0, 0}, {0, 0, 1}))
          .joint("1", PairType::spherical, "crank", "coupler", at(a))
          .joint("2", PairType::spherical, "coupler", "rocker", at(b))
          .joint("B", PairType::revolute, "rocker", "world", at({3, 0.5, 0}, {1, 0, 0.2}))
          .build();
  MechanismSystem s = natural_system(rssr);
  EXPECT_EQ(s.equations().numbers(), 6);
  EXPECT_EQ(s.constraints(), 5);
  std::vector<double> q = s.from_poses(std::vector<SE3<double>>(4));
  std::vector<Twist<Rep::hybrid>> twists = some_motion(rssr);
  const double spin = dot(e, twists[2].angular);  // about its line, which is no coordinate
  twists[2].angular -= e * spin;
  twists[2].linear += cross(e, a) * spin;
  const Result natural = accelerations(s, twists);
  const Result reference = accelerations(
      MechanismSystem(make_equations(rssr, {.family = CoordinateFamily::reference_point,
                                            .attitude = AttitudeForm::quasi_velocities})),
      twists);
  EXPECT_NEAR(natural.kinetic, reference.kinetic, 1e-12);
  EXPECT_EQ(natural.dofs, 1);
  for (const std::size_t i : {1u, 3u}) {
    EXPECT_LT(norm(natural.rates[i].angular - reference.rates[i].angular), 1e-9);
    EXPECT_LT(norm(natural.rates[i].linear - reference.rates[i].linear), 1e-9);
  }
}

}  // namespace
}  // namespace axode::test::coordinates_natural_dynamics
