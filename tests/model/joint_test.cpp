#include "axode/model/joint.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "axode/lie/rotation.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::joint_test {
namespace {

std::vector<Vec6<double>> screws(const Joint& joint) {
  return {joint.screws.begin(), joint.screws.end()};
}
MotionSubgroup generated(const Joint& joint) {
  const std::vector<Vec6<double>> X = screws(joint);
  return generated_subgroup<double>(X).group;
}

TEST(Joint, OneScrewJointsHaveUnitScrews) {
  expect_near(screws(revolute({.axis = {0, 0, 3}, .point = {1, 2, 5}}))[0],
              Vec6<double>{{0, 0, 1}, {2, -1, 0}}, 0);
  expect_near(screws(prismatic({{0, -4, 0}}))[0], Vec6<double>{{0, 0, 0}, {0, -1, 0}}, 0);
  expect_near(screws(helical({.axis = {2, 0, 0}, .point = {0, 1, 0}, .pitch = .25}))[0],
              Vec6<double>{{1, 0, 0}, {.25, 0, -1}}, 0);
}

TEST(Joint, OneScrewChoosesTheTypeByThePitch) {
  const Vec3<double> axis{0, 1, 0}, point{1, 0, 0};
  EXPECT_EQ(one_screw(make_screw(axis, point)).type, JointType::revolute);
  EXPECT_EQ(one_screw(make_screw(axis, point, .1)).type, JointType::helical);
  EXPECT_EQ(one_screw(make_translation_screw(axis)).type, JointType::prismatic);
}

/// What a joint is called and what its screws generate, wherever it is.
TEST(Joint, TypesGenerateTheirSubgroups) {
  for_random_cases(200, [](Random& random) {
    const SE3<double> T = random.pose();
    const Mat3<double>& R = T.R.matrix;
    EXPECT_EQ(generated(revolute({R.z, T.p})), MotionSubgroup::rotation);
    EXPECT_EQ(generated(prismatic({R.z})), MotionSubgroup::translation_1);
    EXPECT_EQ(generated(helical({R.z, T.p, .3})), MotionSubgroup::helical);
    EXPECT_EQ(generated(cylindrical({R.z, T.p})), MotionSubgroup::cylindrical);
    EXPECT_EQ(generated(spherical({.point = T.p, .axes = T.R})), MotionSubgroup::spherical);
    EXPECT_EQ(generated(planar({.x = R.x, .z = R.z, .point = T.p})), MotionSubgroup::planar);
    EXPECT_EQ(generated(universal({R.x, R.y, T.p})), MotionSubgroup::spherical)
        << "a universal joint is no subgroup: its screws close to rotations about the point";
    EXPECT_EQ(generated(free_joint({.at = T})), MotionSubgroup::full);
  });
}

/// All eleven subgroups of [MuellerKin Table 1] as joints, those without lower pair by the macro
/// joints of Table 2, of which H_p |x R^2 is two translations and a screw (corrected).
TEST(Joint, EverySubgroupIsAJoint) {
  for (int g = 1; g < 12; ++g) {
    const auto group = static_cast<MotionSubgroup>(g);
    const bool screw = group == MotionSubgroup::helical || group == MotionSubgroup::helical_planar;
    const Joint joint = subgroup_joint(group, {}, screw ? .2 : 0);
    EXPECT_EQ(joint.dof(), dimension(group)) << symbol(group);
    EXPECT_EQ(generated(joint), group) << symbol(group);
  }
  const std::vector<Vec6<double>> X =
      screws(subgroup_joint(MotionSubgroup::helical_planar, {}, .2));
  expect_near(X[0], Vec6<double>{{}, {1, 0, 0}}, 0);
  expect_near(X[1], Vec6<double>{{}, {0, 1, 0}}, 0);
  expect_near(X[2], Vec6<double>{{0, 0, 1}, {0, 0, .2}}, 0);
}

TEST(Joint, PlanarMakesItsAxesPerpendicular) {
  const Joint joint = planar({.x = {1, 0, 1}, .z = {0, 0, 2}});
  expect_near(screws(joint)[0].linear, Vec3<double>{1, 0, 0}, 1e-16);
  expect_near(screws(joint)[1].linear, Vec3<double>{0, 1, 0}, 1e-16);
}

TEST(Joint, FreeHasRotationsFirst) {
  const SE3<double> T{rotation_about(2, 1.), {1, 2, 3}};
  const std::vector<Vec6<double>> X = screws(free_joint({.velocity = Rep::hybrid, .at = T}));
  for (int k = 0; k < 6; ++k) {
    Vec6<double> e{};
    e[k] = 1;
    expect_near(X[k], Ad(T, e), 1e-15);
  }
  EXPECT_EQ(free_joint({.velocity = Rep::hybrid}).velocity, Rep::hybrid);
}

TEST(Joint, ScrewsJointNormalisesRoundedAxesOnly) {
  const std::vector<Vec6<double>> rounded{{{0, 0, 1 + 1e-11}, {.5, 0, 0}}};
  expect_near(screws(screws_joint(rounded))[0], Vec6<double>{{0, 0, 1}, {.5, 0, 0}}, 1e-11);
  EXPECT_EQ(norm(screws(screws_joint(rounded))[0].angular), 1);
  const std::vector<Vec6<double>> exact{{{0.6, 0.8, 0}, {1, 2, 3}}};
  EXPECT_EQ(screws(screws_joint(exact))[0], exact[0]);
}

TEST(Joint, NamesOfTypesAreThoseOfFiles) {
  EXPECT_EQ(name(JointType::fixed), "fixed");
  EXPECT_EQ(name(JointType::helical_planar), "helical_planar");
  EXPECT_EQ(name(JointType::free), "free");
  EXPECT_EQ(name(JointType::screws), "screws");
  EXPECT_EQ(name(Coordinates::quaternion), "quaternion");
  EXPECT_EQ(name(Coordinates::second_kind), "second_kind");
}

TEST(Joint, RefusesWhatIsNoJoint) {
  const double nan = std::nan("");
  expect_says(message([] { revolute({.axis = {0, 0, 0}}); }), "revolute joint: the axis is zero; ");
  expect_says(message([&] { revolute({.axis = {0, nan, 0}}); }), "the axis is not finite; ");
  expect_says(message([&] { revolute({.point = {0, nan, 0}}); }), "the point is not finite; ");
  expect_says(message([] { prismatic({{0, 0, 0}}); }), "prismatic joint: the axis is zero; ");
  expect_says(message([] { helical({.pitch = INFINITY}); }), "use a prismatic joint");
  expect_says(message([] { universal({{1, 0, 0}, {-2, 0, 0}}); }), "axes are parallel");
  expect_says(message([] { planar({.x = {0, 0, 1}}); }), "axes x and z are parallel");
  expect_says(message([] { planar({.coordinates = Coordinates::quaternion}); }), "quaternion");
  expect_says(message([] { free_joint({.velocity = Rep::mixed}); }),
              "choose body, spatial or hybrid");
  expect_says(message([] {
                free_joint({.velocity = Rep::hybrid, .coordinates = Coordinates::first_kind});
              }),
              "quaternion coordinates only");
  SO3<double> stretched;
  stretched.matrix.x.x = 2;
  expect_says(message([&] { spherical({.axes = stretched}); }), "not perpendicular unit vectors");
  expect_says(message([&] { free_joint({.at = {stretched, {}}}); }), "not perpendicular");
  expect_says(message([&] {
                subgroup_joint(MotionSubgroup::planar, {stretched, {}});
              }),
              "not perpendicular");
  expect_says(message([] { screws_joint({}); }), "0 screws; give one to six");
  const std::vector<Vec6<double>> seven(7, {{0, 0, 1}, {}}), two_long{{{0, 0, 2}, {}}}, zero{{}};
  expect_says(message([&] { screws_joint(seven); }), "7 screws; give one to six");
  expect_says(message([&] { screws_joint(two_long); }), "screw 1 has length 2");
  expect_says(message([&] { screws_joint(zero); }), "length 0");
}

}  // namespace
}  // namespace axode::test::joint_test
