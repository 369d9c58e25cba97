#include "axode/model/merge_fixed.hpp"

#include <gtest/gtest.h>

#include "axode/kinematics/motion.hpp"
#include "axode/model/builder.hpp"
#include "axode/model/frames.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::merge_fixed_test {
namespace {

/// Every old body frame is where it was, and the mass and kinetic energy are the same.
TEST(MergeFixed, ChangesNoMotion) {
  int merged_bodies = 0;
  for_random_cases(300, [&](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 30));
    const Tree merged = merge_fixed_joints(tree);
    merged_bodies += tree.size() - merged.size();
    ASSERT_EQ(merged.nv, tree.nv);
    EXPECT_EQ(merged.gravity, tree.gravity);
    for (const Link& link : tree.links) {  // joints that move keep their names and velocities
      if (link.nv == 0) continue;
      const std::string& joint = tree.bodies[&link - tree.links.data()].joint_name;
      const std::size_t host = joint_index(merged, joint);
      EXPECT_EQ(merged.bodies[host].joint_name, joint);
      EXPECT_EQ(merged.links[host].v, link.v);
      EXPECT_EQ(merged.links[host].q, link.q);
    }
    const std::vector<double> q = random_coordinates(random, tree),
                              v = random_velocities(random, tree);
    const Poses<double> before = poses(tree, q), after = poses(merged, q);
    Motion<Rep::body> V_before(tree), V_after(merged);
    twists<Rep::body, double>(tree, before, v, V_before);
    twists<Rep::body, double>(merged, after, v, V_after);
    for (std::size_t i = 0; i < tree.links.size(); ++i) {
      const Frame f = simple_frame(merged, tree.bodies[i].name);
      const SE3<double> T_WH = f.body < 0 ? SE3<double>{} : after.T_WB[f.body];
      expect_near(T_WH * f.T_BF, before.T_WB[i], 1e-12);
    }
    // Of what moves; a body at rest may differ, it has none.
    double energy_before = 0, energy_after = 0;
    for (std::size_t i = 0; i < tree.links.size(); ++i)
      energy_before += kinetic_energy(tree.bodies[i].inertia, V_before.twists[i]);
    for (std::size_t i = 0; i < merged.links.size(); ++i)
      energy_after += kinetic_energy(merged.bodies[i].inertia, V_after.twists[i]);
    EXPECT_NEAR(energy_after, energy_before, 1e-11 * (1 + energy_before));
  });
  EXPECT_GT(merged_bodies, 100);
}

TEST(MergeFixed, KeepsWorldBodiesFramesShapesAndCouplings) {
  const Shape ball{.kind = Shape::Kind::sphere, .size = {.1, 0, 0}};
  const SE3<double> up = translation(Vec3<double>{0, 0, 1});
  const TreeBuilder builder = TreeBuilder{}
                                  .body("stand", {1, {}, {}})
                                  .joint("s", fixed(), body_screws(up))
                                  .body("plate", {2, {}, {}})
                                  .on("stand")
                                  .joint("p", fixed(), body_screws(up))
                                  .shape(ball)
                                  .body("arm", {3, {}, {}})
                                  .on("plate")
                                  .joint("a", revolute({}), body_screws(up))
                                  .body("tip", {4, {}, {}})
                                  .on("arm")
                                  .joint("t", fixed(), body_screws(up))
                                  .body("gear", {5, {}, {}})
                                  .on("tip")
                                  .joint("g", revolute({}), body_screws(up))
                                  .mimic("a", 2)
                                  .frame("f", {.on = "plate", .at = up});
  const Tree merged = builder.build({.merge_fixed_joints = true});
  ASSERT_EQ(merged.size(), 3);
  EXPECT_EQ(merged.bodies[0].name, "stand");
  EXPECT_EQ(merged.bodies[0].inertia.mass, 3);
  EXPECT_EQ(merged.bodies[1].inertia.mass, 7);
  ASSERT_EQ(merged.bodies[0].shapes.size(), 1u);
  EXPECT_EQ(merged.bodies[0].shapes[0].pose.p.z, 1);
  EXPECT_EQ(simple_frame(merged, "f").body, 0);
  EXPECT_EQ(simple_frame(merged, "f").T_BF.p.z, 2);
  ASSERT_EQ(merged.couplings.size(), 1u);
  EXPECT_EQ(merged.couplings[0].follower, 2);
  EXPECT_EQ(merged.couplings[0].leader, 1);
  EXPECT_EQ(poses(merged, std::vector<double>{0, 0}).T_WB[2].p.z, 5);
}

TEST(MergeFixed, KeepsGravityAndTheNamesOfJointsThatAreLeft) {
  const Tree merged = TreeBuilder{}
                          .gravity({1, 2, 3})
                          .body("a")
                          .joint("ja", revolute({}))
                          .body("b")
                          .on("a")
                          .joint("jb", fixed())
                          .body("c")
                          .on("b")
                          .joint("jc", prismatic({}))
                          .build({.merge_fixed_joints = true});
  EXPECT_EQ(merged.gravity, (Vec3<double>{1, 2, 3}));
  EXPECT_EQ(joint_index(merged, "ja"), 0);
  EXPECT_EQ(joint_index(merged, "jc"), 1);
  EXPECT_EQ(merged.joint_names.size(), 2u);
  expect_says(message([&] { joint_index(merged, "jb"); }), "there is no joint 'jb'");
}

/// The sum is known to be given if any of its parts is.
TEST(MergeFixed, InertiaIsGivenIfThatOfAnyBodyIs) {
  for (const bool host : {false, true})
    for (const bool part : {false, true}) {
      TreeDescription description;
      for (const bool first : {true, false}) {
        JointDescription j;
        j.name = first ? "ja" : "jb";
        j.child = first ? "a" : "b";
        if (!first) j.parent = "a";
        j.joint = first ? revolute({}) : fixed();
        description.joints.push_back(j);
        const bool given = first ? host : part;
        description.bodies.push_back(
            {.name = j.child, .inertia = {given ? 1. : 0., {}, {}}, .inertia_given = given});
      }
      const Tree merged = build(description, {.merge_fixed_joints = true});
      ASSERT_EQ(merged.size(), 1);
      EXPECT_EQ(merged.bodies[0].inertia_given, host || part) << host << part;
      EXPECT_EQ(merged.bodies[0].inertia.mass, host + part);
    }
}

}  // namespace
}  // namespace axode::test::merge_fixed_test
