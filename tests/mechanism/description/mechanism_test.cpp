#include "axode/mechanism/description/mechanism.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/core/error.hpp"
#include "tests/mechanism/mechanisms.hpp"

namespace axode::test::mechanism {

using namespace mechanisms;

TEST(Mechanism, NamesLeadToNumbers) {
  const Mechanism m = four_bar({});
  EXPECT_EQ(body_index(m, "world"), 0);
  EXPECT_EQ(body_index(m, "rocker"), 3);
  EXPECT_EQ(joint_index(m, "2"), 2);
  EXPECT_EQ(coordinate_index(m, "B.angle"), 3);
  try {
    joint_index(m, "C");
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "there is no joint 'C'; there are: A, 1, 2, B");
  }
}

TEST(Mechanism, CoordinatesOfJointsAreFoundBesideMeasuredOnes) {
  Mechanism m = empty_mechanism("m", false);
  const int body = add_body(m, "body", {});
  const int c = add_joint(m, {.name = "c", .type = PairType::cylindrical, .body = {0, body}});
  const int s = add_joint(m, {.name = "s", .type = PairType::spherical, .body = {0, body}});
  const int r = add_joint(m, {.name = "r", .type = PairType::revolute, .body = {0, body}});
  m.coordinates.push_back({.name = "d", .kind = MechanismCoordinate::Kind::distance});
  EXPECT_EQ(coordinate_of(m, c), 0);
  EXPECT_EQ(coordinate_of(m, c, 1), 1);
  EXPECT_EQ(coordinate_of(m, c, 2), -1);
  EXPECT_EQ(coordinate_of(m, s), -1);
  EXPECT_EQ(coordinate_of(m, r), 2);
}

TEST(Mechanism, MeasuresJointsAsTheyWereTurned) {
  // Body j is put where the joint has the coordinates: about and along an axis off the origin.
  MechanismJoint j;
  j.name = "j";
  j.point = {Vec3<double>{0.2, -0.4, 0.7}, Vec3<double>{1, 0.5, -0.3}};
  const Vec3<double> u = normalized(Vec3<double>{1, 2, -2}), x = normalized(Vec3<double>{2, 1, 2});
  j.axis = {u, {0, 0, 1}};
  j.zero = {x, {1, 0, 0}};
  const double angle = 2.5, distance = -0.8;
  const SO3<double> joint_i{{x, cross(u, x), u}};
  const SE3<double> Ti{exp(Vec3<double>{0.4, 0.1, -0.9}), {3, 2, 1}};
  const SO3<double> R = Ti.R * joint_i * exp(Vec3<double>{0, 0, angle});
  const SE3<double> Tj{R, Ti * j.point[0] + Ti.R * (u * distance) - R * j.point[1]};
  for (const PairType type :
       {PairType::cylindrical, PairType::helical, PairType::revolute, PairType::prismatic}) {
    Mechanism m = empty_mechanism("m", false);
    const int i = add_body(m, "i", Ti), k = add_body(m, "k", Tj);
    j.type = type;
    j.body = {i, k};
    add_joint(m, j);
    const std::vector<SE3<double>> poses{{}, Ti, Tj};
    for (std::size_t c = 0; c < m.coordinates.size(); ++c)
      EXPECT_NEAR(measure(m, static_cast<int>(c), poses),
                  m.coordinates[c].is_angle ? angle : distance, 1e-14);
  }
}

TEST(Mechanism, MeasuresPointsAndPlanarAngles) {
  const Mechanism four = four_bar({});
  Mechanism m = four;
  const int crank = body_index(m, "crank"), rocker = body_index(m, "rocker");
  m.coordinates.push_back({.name = "d",
                           .kind = MechanismCoordinate::Kind::distance,
                           .body = {crank, rocker},
                           .point = {Vec3<double>{1, 0, 0}, Vec3<double>{2.5, 0, 0}}});
  m.coordinates.push_back({.name = "phi",
                           .kind = MechanismCoordinate::Kind::angle,
                           .body = {0, crank},
                           .is_angle = true});
  std::vector<SE3<double>> poses;
  for (const MechanismBody& b : m.bodies) poses.push_back(b.pose);
  EXPECT_NEAR(measure(m, coordinate_index(m, "d"), poses), 3.5, 1e-14);
  EXPECT_NEAR(measure(m, coordinate_index(m, "phi"), poses), 0.5, 1e-15);
}

TEST(Mechanism, JointsLeaveTheirFreedoms) {
  MechanismJoint j;
  const auto count = [&](PairType type, bool planar) {
    j.type = type;
    return dofs(j, planar);
  };
  EXPECT_EQ(count(PairType::weld, false), 0);
  EXPECT_EQ(count(PairType::universal, false), 2);
  EXPECT_EQ(count(PairType::planar, false), 3);
  EXPECT_EQ(count(PairType::point_on_line, true), 2);
  EXPECT_EQ(count(PairType::point_on_line, false), 4);
  EXPECT_EQ(count(PairType::rod, false), 5);
  EXPECT_EQ(count(PairType::rod, true), 2);
  EXPECT_EQ(count(PairType::rolling, true), 1);
}

TEST(Mechanism, PolynomialsKnowTheirDerivatives) {
  const TimeValue now = polynomial_in_time(1, 2, 3)(0.5);
  EXPECT_DOUBLE_EQ(now.value, 2.375);
  EXPECT_DOUBLE_EQ(now.rate, 3.5);
  EXPECT_DOUBLE_EQ(now.acceleration, 3);
}

/// A wheel of radius 1 and a nut, both many turns from where they started.
TEST(Mechanism, TurnsAreToldByDistances) {
  Mechanism wheel = empty_mechanism("wheel", true);
  const int body = add_body(wheel, "wheel", planar_place({10, 1}, -10));
  add_joint(wheel, {.name = "roll",
                    .type = PairType::rolling,
                    .body = {0, body},
                    .axis = {Vec3<double>{1, 0, 0}, Vec3<double>{1, 0, 0}},
                    .value = 1});
  const std::vector<SE3<double>> there{{}, wheel.bodies[1].pose};
  EXPECT_NEAR(measure_with_turns(wheel, 1, there), -10, 1e-12);
  Mechanism screw = empty_mechanism("screw", false);
  const int nut = add_body(screw, "nut", {exp(Vec3<double>{0, 0, 20}), {0, 0, -0.2}});
  add_joint(screw, {.name = "h", .type = PairType::helical, .body = {0, nut}, .pitch = -0.01});
  const std::vector<SE3<double>> far{{}, screw.bodies[1].pose};
  EXPECT_NEAR(measure_with_turns(screw, 0, far), 20, 1e-12);
  // All formulations hold there without moving.
  for (const Mechanism& m : {wheel, screw})
    for (const CoordinateFamily family :
         {CoordinateFamily::relative, CoordinateFamily::reference_point,
          CoordinateFamily::natural}) {
      MechanismSystem system(make_equations(m, {.family = family}));
      const std::vector<double> q =
          system.from_poses(std::vector<SE3<double>>{{}, m.bodies[1].pose});
      std::vector<double> phi(system.constraints());
      system.position(0, q, phi);
      for (const double e : phi) EXPECT_NEAR(e, 0, 1e-12) << m.name << " " << name(family);
    }
}

TEST(Mechanism, PlanarAnglesAreOnOneTurnInAllFormulations) {
  // A torsion spring between bodies at 170 and -170 degrees: 20 degrees apart.
  Mechanism m = empty_mechanism("spring", true);
  const double degree = std::acos(-1.) / 180;
  const int a = add_body(m, "a", planar_place({0, 0}, 170 * degree)),
            b = add_body(m, "b", planar_place({0, 0}, -170 * degree));
  add_pin(m, "A", {0, a}, {0, 0}, {0, 0});
  add_pin(m, "B", {a, b}, {0, 0}, {0, 0});
  m.coordinate_forces.push_back({.name = "k", .coordinate = 1, .stiffness = 50});
  std::vector<SE3<double>> poses;
  for (const MechanismBody& body : m.bodies) poses.push_back(body.pose);
  for (const CoordinateFamily family :
       {CoordinateFamily::relative, CoordinateFamily::reference_point, CoordinateFamily::natural}) {
    MechanismSystem system(make_equations(m, {.family = family}));
    EXPECT_NEAR(system.potential_energy(0, system.from_poses(poses)), 25 * std::pow(20 * degree, 2),
                1e-12)
        << name(family);
  }
}

}  // namespace axode::test::mechanism
