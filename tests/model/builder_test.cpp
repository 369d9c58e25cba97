#include "axode/model/builder.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/kinematics/poses.hpp"
#include "axode/lie/rotation.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::builder_test {
namespace {

const Inertia<double> solid{2, {0, 0, .1}, Sym3<double>::diagonal({.02, .03, .04})};

std::string refused(const TreeBuilder& builder) {
  return message([&] { builder.build(); });
}
std::string refused(const TreeDescription& description) {
  return message([&] { build(description); });
}
TreeDescription two_bodies() {
  return TreeBuilder{}
      .body("upper", solid)
      .joint("shoulder", revolute({.axis = {0, 1, 0}}))
      .body("lower", solid)
      .on("upper")
      .joint("elbow", revolute({.axis = {0, 1, 0}, .point = {0, 0, 1}}))
      .description();
}

TEST(Builder, MakesATreeInTheOrderOfDeclaration) {
  const Tree tree = build(two_bodies());
  ASSERT_EQ(tree.size(), 2);
  EXPECT_EQ(tree.bodies[0].name, "upper");
  EXPECT_EQ(tree.bodies[1].joint_name, "elbow");
  EXPECT_EQ(tree.links[0].parent, -1);
  EXPECT_EQ(tree.links[1].parent, 0);
  EXPECT_EQ(tree.nq, 2);
  EXPECT_EQ(tree.nv, 2);
  EXPECT_TRUE(tree.warnings.empty());
}

TEST(Builder, PutsParentsFirstWhateverTheOrder) {
  const Tree tree = TreeBuilder{}
                        .body("hand", solid)
                        .on("arm")
                        .joint("wrist", prismatic({}))
                        .body("head", solid)
                        .joint("neck", spherical())
                        .body("arm", solid)
                        .joint("shoulder", revolute({}))
                        .body("foot", solid)
                        .on("head")
                        .joint("strange", cylindrical({}))
                        .build();
  ASSERT_EQ(tree.size(), 4);
  EXPECT_EQ(tree.bodies[0].name, "head");
  EXPECT_EQ(tree.bodies[1].name, "arm");
  EXPECT_EQ(tree.bodies[2].name, "hand");
  EXPECT_EQ(tree.bodies[3].name, "foot");
  EXPECT_EQ(tree.links[1].q, 4);
  EXPECT_EQ(tree.links[1].v, 3);
  EXPECT_EQ(tree.links[3].q, 6);
  EXPECT_EQ(tree.nq, 8);
  EXPECT_EQ(tree.nv, 7);
}

/// The remote-centre mechanism of [MuellerKin sec. 2.5], each body in another form.
TEST(Builder, FormsMixFreely) {
  const nlohmann::json data = read_json("tree9.json");
  TreeDescription mixed =
      description_from_reference(data.at("model"), GeometryForm::zero_reference);
  const std::array others{GeometryForm::body_screws, GeometryForm::parent_screws,
                          GeometryForm::joint_frames, GeometryForm::zero_reference};
  for (std::size_t i = 0; i < mixed.joints.size(); ++i) {
    const TreeDescription other = description_from_reference(data.at("model"), others[i % 4]);
    mixed.joints[i].joint = other.joints[i].joint;
    mixed.joints[i].placement = other.joints[i].placement;
  }
  const Tree tree = build(mixed);
  for (const auto& state : data.at("states")) {
    const Poses<double> p = poses(tree, flat(state.at("input").at("q")));
    for (std::size_t i = 0; i < tree.links.size(); ++i)
      expect_near(p.T_WB[i], pose(state.at("output").at("C")[i]), 1e-13);
  }
}

TEST(Builder, KeepsPropertiesFramesAndShapes) {
  const Tree tree = TreeBuilder{"arm"}
                        .gravity({0, 0, -1.62})
                        .body("a", solid)
                        .joint("j", cylindrical({}))
                        .limits(-1, 2, 1)
                        .max_velocity(3)
                        .max_effort(4)
                        .damping(.1)
                        .friction(.2, 1)
                        .armature(.3)
                        .shape({.kind = Shape::Kind::sphere, .size = {.1, 0, 0}})
                        .frame("tool", {.on = "a", .at = translation(Vec3<double>{0, 0, 1})})
                        .frame("camera", {})
                        .build();
  EXPECT_EQ(tree.name, "arm");
  EXPECT_EQ(tree.gravity.z, -1.62);
  EXPECT_EQ(tree.dofs[1].lower, -1);
  EXPECT_EQ(tree.dofs[1].upper, 2);
  EXPECT_EQ(tree.dofs[0].upper, INFINITY);
  EXPECT_EQ(tree.dofs[0].max_velocity, 3);
  EXPECT_EQ(tree.dofs[0].max_effort, 4);
  EXPECT_EQ(tree.dofs[0].damping, .1);
  EXPECT_EQ(tree.dofs[1].friction, .2);
  EXPECT_EQ(tree.dofs[0].armature, .3);
  ASSERT_EQ(tree.bodies[0].shapes.size(), 1u);
  ASSERT_EQ(tree.frames.size(), 2u);
  EXPECT_EQ(tree.frames[0].body, 0);
  EXPECT_EQ(tree.frames[0].T_BF.p.z, 1);
  EXPECT_EQ(tree.frames[1].body, -1);
}

TEST(Builder, ResolvesChainsOfCoupledJoints) {
  const Tree tree = TreeBuilder{}
                        .body("a", solid)
                        .joint("ja", revolute({}))
                        .mimic("jb", 2, .5)
                        .body("b", solid)
                        .joint("jb", revolute({}))
                        .mimic("jc", -3, .25)
                        .body("c", solid)
                        .joint("jc", revolute({}))
                        .build();
  ASSERT_EQ(tree.couplings.size(), 2u);
  EXPECT_EQ(tree.couplings[0].follower, 0);
  EXPECT_EQ(tree.couplings[0].leader, 2);
  EXPECT_EQ(tree.couplings[0].ratio, -6);
  EXPECT_EQ(tree.couplings[0].offset, 1);
  EXPECT_EQ(tree.couplings[0].named_leader, "jb");
  EXPECT_EQ(tree.couplings[0].named_ratio, 2);
  EXPECT_EQ(tree.couplings[1].leader, 2);
}

TEST(Builder, MendsRoundedRotations) {
  SE3<double> rounded{rotation_about(2, .3), {}};
  rounded.R.matrix.x.x += 3e-8;
  const Tree tree =
      TreeBuilder{}.body("a", solid).joint("j", fixed(), zero_reference(rounded)).build();
  EXPECT_LT(orthogonality_error(tree.links[0].B.R.matrix), 1e-15);
}

/// The pose in the parent is a quotient of two given ones: nothing may add up along the chain.
TEST(Builder, LongZeroReferenceChainsStayExact) {
  Random random(5);
  TreeDescription d;
  std::vector<SE3<double>> A;
  for (int i = 0; i < 500; ++i) {
    A.push_back(random.pose());
    JointDescription j;
    j.name = std::string("j").append(std::to_string(i));
    j.child = std::string("b").append(std::to_string(i));
    if (i > 0) j.parent = d.bodies.back().name;
    j.joint = revolute({random.unit(), random.vec3()});
    j.placement = zero_reference(A.back());
    d.bodies.push_back({.name = j.child, .inertia = solid});
    d.joints.push_back(j);
  }
  const Tree tree = build(d);
  for (std::size_t i = 0; i < A.size(); ++i) {
    EXPECT_LT(orthogonality_error(tree.links[i].B.R.matrix), 1e-14);
    const SE3<double> A_parent = i == 0 ? SE3<double>{} : A[i - 1];
    expect_near(A_parent * tree.links[i].B, A[i], 1e-14 * 4);
  }
}

TEST(Builder, RefusesBadNames) {
  expect_says(refused(TreeBuilder{}.body("").joint("j", fixed())), "body '': the name is empty; ");
  expect_says(refused(TreeBuilder{}.body("a").joint("", fixed())), "body 'a': it has no joint");
  expect_says(refused(TreeBuilder{}.body("world").joint("j", fixed())),
              "'world' is the name of the inertial frame");
  expect_says(refused(TreeBuilder{}.body(std::string("a\0b", 3)).joint("j", fixed())),
              "control character");
  expect_says(refused(TreeBuilder{}.body("a").joint("j", fixed()).body("a").joint("k", fixed())),
              "there is another body of this name");
  expect_says(refused(TreeBuilder{}.body("a").joint("j", fixed()).body("b").joint("j", fixed())),
              "joint 'j': there is another joint of this name");
  expect_says(refused(TreeBuilder{}.body("a").joint("j", fixed()).frame("a", {})),
              "frame 'a': a body has this name");
  expect_says(refused(TreeBuilder{}.body("a").joint("j", fixed()).frame("f", {}).frame("f", {})),
              "there is another frame of this name");
}

TEST(Builder, RefusesBadConnections) {
  expect_says(refused(TreeBuilder{}.body("a").on("b").joint("j", fixed())),
              "joint 'j': its parent 'b' is not there");
  expect_says(refused(TreeBuilder{}.body("a").on("a").joint("j", fixed())), "its own parent");
  expect_says(refused(TreeBuilder{}
                          .body("a")
                          .on("c")
                          .joint("j", fixed())
                          .body("b")
                          .on("a")
                          .joint("k", fixed())
                          .body("c")
                          .on("b")
                          .joint("l", fixed())
                          .body("d")
                          .on("c")
                          .joint("m", fixed())),
              "the bodies form a cycle: ");
  expect_says(refused(TreeBuilder{}.body("a")), "it has no joint");
  expect_says(refused(TreeBuilder{}.body("a").joint("j", fixed()).frame("f", {.on = "x"})),
              "frame 'f': it is on body 'x', which is not there");
  TreeDescription twice = two_bodies();
  twice.joints[1].child = "upper";
  twice.joints[1].parent = world_name;
  expect_says(refused(twice), "body 'upper' is already carried by joint 'shoulder'");
  twice = two_bodies();
  twice.joints[1].child = "middle";
  expect_says(refused(twice), "it carries body 'middle', which is not there");
  twice = two_bodies();
  twice.joints.pop_back();
  expect_says(refused(twice), "body 'lower': it has no joint; connect it");
}

TEST(Builder, RefusesBadNumbers) {
  const auto with = [](auto change) {
    TreeDescription d = two_bodies();
    change(d);
    return refused(d);
  };
  expect_says(with([](auto& d) { d.bodies[1].inertia.mass = -1; }),
              "body 'lower': the mass -1 kg is negative");
  expect_says(with([](auto& d) { d.bodies[1].inertia.com.x = NAN; }), "the inertia is not finite");
  expect_says(with([](auto& d) { d.bodies[1].inertia.about_com.xy = 1; }), "is indefinite");
  expect_says(with([](auto& d) { d.bodies[1].shapes = {{.size = {-1, 0, 0}}}; }), "a shape has");
  expect_says(with([](auto& d) {
                d.bodies[1].shapes = {{.pose = {{}, {NAN, 0, 0}}}};
              }),
              "a pose is not finite");
  expect_says(with([](auto& d) {
                d.joints[0].placement.pose.p = {1e308, 1e308, 1e308};
                d.joints[1].placement.pose.p = {-1e308, -1e308, -1e308};
              }),
              "joint 'shoulder': a position is too large to compute with: 1e+308; give SI units");
  expect_says(with([](auto& d) { d.gravity.x = INFINITY; }), "gravity is not finite");
  expect_says(with([](auto& d) { d.joints[1].placement.pose.p.x = NAN; }), "a pose is not finite");
  expect_says(with([](auto& d) { d.joints[1].placement.pose.R.matrix.x.x = 2; }),
              "joint 'elbow': a rotation matrix is not orthonormal");
  expect_says(with([](auto& d) { d.joints[1].placement.pose.R.matrix.x.x = -1; }), "orthonormal");
  expect_says(with([](auto& d) { d.joints[1].dofs = {{.lower = 1, .upper = -1}}; }),
              "the lower limit 1 is above the upper limit -1");
  expect_says(with([](auto& d) { d.joints[1].dofs = {{.damping = -1}}; }),
              "the damping is negative");
  expect_says(with([](auto& d) { d.joints[1].dofs = {{.friction = NAN}}; }), "the friction is");
  expect_says(with([](auto& d) { d.joints[1].dofs = {{.armature = INFINITY}}; }), "is infinite");
  expect_says(with([](auto& d) { d.joints[1].dofs.resize(2); }), "it has 1 degrees of freedom");
  expect_says(with([](auto& d) { d.joints[1].joint.screws.screws[0].angular.x = NAN; }),
              "a joint screw is not finite");
  expect_says(with([](auto& d) { d.joints[1].joint.coordinates = Coordinates::quaternion; }),
              "only spherical and free joints");
  expect_says(with([](auto& d) { d.joints[1].joint.velocity = Rep::hybrid; }),
              "choice of velocity");
  expect_says(with([](auto& d) { d.joints[1].joint.screws.size = 0; }), "cannot have 0 screws");
  expect_says(with([](auto& d) { d.joints[1].joint.screws.size = 2; }), "cannot have 2 screws");
  expect_says(with([](auto& d) { d.joints[1].joint.screws.screws[0].angular.y = 2; }),
              "the axis of a joint screw has length 2");
  expect_says(with([](auto& d) { d.joints[1].dofs = {{.lower = NAN}}; }), "is not a number");
  expect_says(with([](auto& d) {
                d.joints[1].joint = free_joint();
                d.joints[1].joint.velocity = Rep::mixed;
              }),
              "cannot be in mixed form");
  expect_says(with([](auto& d) {
                d.joints[1].joint = spherical();
                d.joints[1].joint.screws.screws[0] = {{0, 1, 0}, {}};
              }),
              "three perpendicular axes through a point");
  expect_says(with([](auto& d) {
                d.bodies[1].inertia = {.01, {}, Sym3<double>::diagonal({5e-7, 5e-7, -9e-7})};
              }),
              "is indefinite");
}

TEST(Builder, RefusesBadCouplings) {
  const auto with = [](const Mimic& mimic) {
    TreeDescription d = two_bodies();
    d.joints[1].mimic = mimic;
    return refused(d);
  };
  expect_says(with({"elbow"}), "joint 'elbow': it follows itself");
  expect_says(with({"knee"}), "it follows joint 'knee', which is not there");
  expect_says(with({"shoulder", NAN}), "ratio or offset is not finite");
  TreeDescription d = TreeBuilder{}
                          .body("a", solid)
                          .joint("ja", revolute({}))
                          .body("b", solid)
                          .joint("jb", revolute({}))
                          .mimic("ja", 1e200)
                          .body("c", solid)
                          .joint("jc", revolute({}))
                          .mimic("jb", 1e200)
                          .description();
  expect_says(refused(d), "too large");
  d = two_bodies();
  d.joints[0].mimic = Mimic{"elbow"};
  d.joints[1].mimic = Mimic{"shoulder"};
  expect_says(refused(d), "follow one another in a cycle");
  d = two_bodies();
  d.joints[0].joint = spherical();
  d.joints[1].mimic = Mimic{"shoulder"};
  expect_says(refused(d), "do not both have one degree of freedom");
}

TEST(Builder, NamesFileAndLine) {
  TreeDescription d = two_bodies();
  d.source = "arm.urdf";
  d.joints[1].line = 17;
  d.joints[1].parent = "x";
  expect_says(refused(d), "arm.urdf:17: joint 'elbow': its parent 'x' is not there");
}

TEST(Builder, RefusesMisuse) {
  TreeBuilder builder;
  expect_says(message([&] { builder.on("a"); }), "begin with body(...)");
  builder.body("a");
  expect_says(message([&] { builder.limits(0, 1); }), "has no degree of freedom number 0");
  builder.joint("j", revolute({}));
  expect_says(message([&] { builder.damping(1, 1); }), "has no degree of freedom number 1");
  expect_says(message([&] { builder.joint("k", revolute({})); }), "already has joint 'j'");
}

std::string warnings(const TreeDescription& d, bool impossible) {
  std::string all;
  for (const Warning& w : build(d).warnings)
    if (w.impossible == impossible) all += w.text + "\n";
  return all;
}

TEST(Builder, WarnsOfSmallerSins) {
  TreeDescription d = two_bodies();
  d.bodies[1].inertia.about_com.zz = .2;  // above the sum of the others
  expect_says(warnings(d, true), "body 'lower': ");
  d = two_bodies();
  d.bodies[1].inertia.about_com = Sym3<double>::diagonal({1e-3, 1e-3, -1e-7});
  expect_says(warnings(d, true), "body 'lower': ");
  d = two_bodies();
  d.bodies[1].inertia = {};
  d.bodies[1].inertia_given = false;
  expect_says(warnings(d, false), "body 'lower': has no inertia; taken as massless");
  expect_says(warnings(d, true), "joint 'elbow': moves no mass; forward dynamics");
  d.bodies[1].inertia.about_com = Sym3<double>::diagonal({1, 1, 1});
  d.bodies[1].inertia_given = true;
  expect_says(warnings(d, true), "has rotational inertia but no mass");
  d.joints[1].dofs = {{.armature = .1}};
  EXPECT_EQ(warnings(d, true).find("moves no mass"), std::string::npos);
  d.bodies[0].inertia = d.bodies[1].inertia = {};
  expect_says(warnings(d, false), "no body has mass; kinematics only");
}

}  // namespace
}  // namespace axode::test::builder_test
