#include "axode/mechanism/description/from_tree.hpp"

#include <gtest/gtest.h>

#include <random>

#include "axode/core/error.hpp"
#include "axode/kinematics/poses.hpp"
#include "axode/mechanism/detail/relative_tree.hpp"
#include "axode/mechanism/equations/formulate.hpp"
#include "axode/mechanism/equations/system.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/near.hpp"

namespace axode::test::from_tree {
namespace {

/// Every joint that a mechanism has, placed at random.
Tree tree_of_joints() {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vector = [&] { return Vec3<double>{number(random), number(random), number(random)}; };
  TreeBuilder builder("tree");
  std::string before = world_name;
  const Vec3<double> u = normalized(vector()), w = normalized(cross(u, vector()));
  const std::vector<Joint> joints{
      revolute({vector(), vector()}),    prismatic({vector()}),
      helical({vector(), vector(), .2}), fixed(),
      cylindrical({vector(), vector()}), spherical({.point = vector()}),
      universal({u, w, vector()}),       planar({.x = vector(), .z = vector(), .point = vector()})};
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const std::string name = "b" + std::to_string(k);
    builder.body(name, {.mass = 1 + .1 * static_cast<double>(k), .com = vector()})
        .on(before)
        .joint("j" + std::to_string(k), joints[k], zero_reference({exp(vector()), vector()}));
    before = name;
  }
  return builder.build();
}

TEST(FromTree, JointsHaveTheCoordinatesOfTheTree) {
  const Tree tree = tree_of_joints();
  std::mt19937_64 random(9);
  for (int trial = 0; trial < 4; ++trial) {
    const std::vector<double> q = random_configuration(tree, random);
    const Poses<double> expected = poses(tree, q);
    const Mechanism m = mechanism_from_tree(tree, {}, q);
    ASSERT_EQ(m.bodies.size(), tree.links.size() + 1);
    for (std::size_t b = 0; b < tree.links.size(); ++b)
      expect_near(m.bodies[b + 1].pose, expected.T_WB[b], 1e-14, m.bodies[b + 1].name);
    // The same tree again, at the same coordinates.
    FormulationOptions options;
    options.family = CoordinateFamily::relative;
    MechanismSystem system(make_equations(m, options));
    EXPECT_EQ(system.constraints(), 0);
    std::vector<SE3<double>> reference{SE3<double>{}}, now(m.bodies.size());
    for (const SE3<double>& T : expected.T_WB) reference.push_back(T);
    const std::vector<double> z = system.from_poses(reference);
    system.poses(z, now);
    for (std::size_t b = 0; b < now.size(); ++b) expect_near(now[b], reference[b], 1e-12, "pose");
    for (int body = 0; body < tree.size(); ++body) {
      const Link& link = tree.links[body];
      if (link.map == JointMap::quaternion) continue;
      const int joint = joint_index(m, tree.bodies[body].joint_name);
      for (int k = 0; k < link.nv; ++k)
        EXPECT_NEAR(
            std::remainder(measure(m, coordinate_of(m, joint, k), reference) - q[link.q + k],
                           2 * std::acos(-1.)),
            0, 1e-12)
            << tree.bodies[body].joint_name;
    }
  }
}

/// Two arms of a parallelogram in the plane y = 0, closed at their tips.
TEST(FromTree, LoopsCloseChains) {
  const auto along = [](double x, double z) { return translation(Vec3<double>{x, 0, z}); };
  const Tree tree = TreeBuilder("arms")
                        .body("left", {.mass = 1})
                        .joint("a", revolute({.axis = {0, 1, 0}}))
                        .damping(.5)
                        .body("top", {.mass = 1})
                        .on("left")
                        .joint("b", revolute({.axis = {0, 1, 0}}), body_screws(along(0, 1)))
                        .body("right", {.mass = 1})
                        .joint("c", revolute({.axis = {0, 1, 0}, .point = {2, 0, 0}}),
                               zero_reference(along(2, 0)))
                        .build();
  const SO3<double> turned = exp(Vec3<double>{-std::acos(0.), 0, 0});  // z of the joint along y
  const TreeLoop loop{.name = "d",
                      .type = PairType::revolute,
                      .body = {"top", "right"},
                      .frame = {SE3<double>{turned, {2, 0, 0}}, SE3<double>{turned, {0, 0, 1}}}};
  const Mechanism m = mechanism_from_tree(tree, std::array{loop});
  ASSERT_EQ(m.joints.size(), 4u);
  ASSERT_EQ(m.coordinate_forces.size(), 1u);
  EXPECT_EQ(m.coordinate_forces[0].damping, .5);
  FormulationOptions options;
  options.family = CoordinateFamily::relative;
  options.cut = {joint_index(m, "d")};
  MechanismSystem system(make_equations(m, options));
  ASSERT_EQ(system.equations().velocities(), 3);
  ASSERT_EQ(system.constraints(), 5);
  // A parallelogram stays closed with a = c = x, b = -x.
  std::vector<double> phi(5);
  for (const double x : {0., .4, -1.1}) {
    std::vector<double> z(3);
    for (std::size_t k = 0; k < 3; ++k)
      z[k] = system.equations().coordinate_names[k] == "b.angle" ? -x : x;
    system.position(0, z, phi);
    for (const double r : phi) EXPECT_NEAR(r, 0, 1e-14);
  }
  std::vector<double> open{.4, .4, .4};
  system.position(0, open, phi);
  double largest = 0;
  for (const double r : phi) largest = std::max(largest, std::abs(r));
  EXPECT_GT(largest, .1);
}

TEST(FromTree, FollowersBecomeCouplingsAndFreeBodiesAreNotHeld) {
  const Tree tree = TreeBuilder("coupled")
                        .body("base", {.mass = 2})
                        .joint("float", free_joint())
                        .body("a", {.mass = 1})
                        .on("base")
                        .joint("turn", revolute({}))
                        .body("b", {.mass = 1})
                        .on("a")
                        .joint("slide", prismatic({.axis = {1, 0, 0}}))
                        .mimic("turn", .5, .1)
                        .build();
  const Mechanism m = mechanism_from_tree(tree, {});
  EXPECT_EQ(m.joints.size(), 2u);
  ASSERT_EQ(m.couplings.size(), 1u);
  EXPECT_EQ(m.couplings[0].constant, .1);
  FormulationOptions options;
  options.family = CoordinateFamily::relative;
  MechanismSystem system(make_equations(m, options));
  EXPECT_EQ(system.equations().velocities(), 8);
  ASSERT_EQ(system.constraints(), 1);
  std::vector<SE3<double>> poses_at{SE3<double>{}};
  const std::vector<double> q = [&] {
    std::vector<double> at_q = neutral(tree);
    at_q[7] = .6;
    at_q[8] = .5 * .6 + .1;
    return at_q;
  }();
  for (const SE3<double>& T : poses(tree, q).T_WB) poses_at.push_back(T);
  std::vector<double> phi(1);
  system.position(0, system.from_poses(poses_at), phi);
  EXPECT_NEAR(phi[0], 0, 1e-14);
}

TEST(FromTree, RefusesWhatItCannotExpress) {
  const Tree tree = TreeBuilder("screws")
                        .body("b", {.mass = 1})
                        .joint("odd", subgroup_joint(MotionSubgroup::schoenflies))
                        .build();
  EXPECT_THROW(mechanism_from_tree(tree, {}), Error);
  const Tree fine = TreeBuilder("fine").body("b", {.mass = 1}).joint("j", revolute({})).build();
  EXPECT_THROW(mechanism_from_tree(fine, std::array{TreeLoop{.name = "l", .body = {"b", "none"}}}),
               Error);
}

}  // namespace
}  // namespace axode::test::from_tree
