#include "axode/mechanism/mechanism.hpp"

#include <gtest/gtest.h>

#include "axode/error.hpp"
#include "tests/mechanism/mechanisms.hpp"

namespace axode::test::mechanism {

using namespace mechanisms;

TEST(Mechanism, NamesLeadToNumbers) {
  const Mechanism m = four_bar({});
  EXPECT_EQ(body_index(m, "ground"), 0);
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
    return freedoms(j, planar);
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

}  // namespace axode::test::mechanism
