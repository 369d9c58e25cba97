/// URDF files: what the reader makes of links and joints, and that a tree written and read again
/// has the same poses, inertias, limits, couplings and shapes.
#include "axode/io/urdf/urdf.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "axode/io/text/text_file.hpp"
#include "axode/kinematics/poses.hpp"
#include "axode/lie/rotation.hpp"
#include "axode/model/builder.hpp"
#include "axode/model/state.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::urdf_test {
namespace {

using V3 = Vec3<double>;

constexpr double eps = epsilon<double>;
constexpr double infinity = std::numeric_limits<double>::infinity();

std::filesystem::path model(const std::string& name) {
  return std::filesystem::path(AXODE_TEST_DATA) / "models" / name;
}
std::string with_joint(const std::string& attributes, const std::string& inside = "") {
  return "<robot name='r'><link name='a'/><link name='b'/><joint name='j' " + attributes +
         "><parent link='a'/><child link='b'/>" + inside + "</joint></robot>";
}
JointDescription joint(const std::string& attributes, const std::string& inside = "") {
  return parse_urdf(with_joint(attributes, inside), "f").joints.at(1);
}
bool warns(const std::vector<Warning>& warnings, const std::string& words) {
  return std::any_of(warnings.begin(), warnings.end(),
                     [&](const Warning& w) { return w.text.find(words) != std::string::npos; });
}
SE3<double> pose_of(const Tree& tree, const std::vector<double>& q, const std::string& body) {
  return poses(tree, q).T_WB[body_index(tree, body)];
}

// --- reading --------------------------------------------------------------------------------------

TEST(ReadUrdf, GripperArm) {
  const Tree tree = build(read_urdf(model("gripper_arm.urdf")));
  EXPECT_EQ(tree.name, "gripper_arm");
  EXPECT_EQ(tree.size(), 8);
  EXPECT_EQ(tree.nv, 6);
  EXPECT_EQ(tree.bodies[0].joint_name, "base_to_world");
  ASSERT_EQ(tree.warnings.size(), 1u);  // the tool has no inertia
  expect_says(tree.warnings[0].text, "'tool'");
  ASSERT_EQ(tree.couplings.size(), 1u);
  EXPECT_EQ(tree.bodies[tree.couplings[0].leader].joint_name, "left_grip");
  const Dof& turn = tree.dofs[0];
  EXPECT_EQ(turn, (Dof{-infinity, infinity, 2, 60, .4, .1, 0}));
  EXPECT_EQ(tree.dofs[1].lower, -1.5);
  const Shape& tube = tree.bodies[1].shapes[0];
  EXPECT_EQ(tube.name, "tube");
  EXPECT_EQ(tube.rgba, (std::array<double, 4>{1, .5, .1, 1}));
  // By hand: turn 0.4 about z, shoulder 0.3 + its origin -1.2 about y, extend by 0.1 along x.
  std::vector<double> q{.4, .3, .1, 0, .01, .01};
  const SE3<double> column{rotation_about(2, .4), {0, 0, .1}};
  const SE3<double> upper{rotation_about(1, -1.2 + .3), {0, .05, .3}};
  const SE3<double> slide{rotation_about(0, .5), {.4 + .1, 0, 0}};
  expect_near(pose_of(tree, q, "slide"), column * upper * slide, 16 * eps);
}

TEST(ReadUrdf, WalkerHasTheWorldAsRoot) {
  const Tree tree = build(read_urdf(model("walker.urdf")));
  EXPECT_EQ(tree.size(), 14);
  EXPECT_EQ(tree.nv, 6 + 3 + 12);
  EXPECT_EQ(tree.links[0].parent, -1);
  EXPECT_EQ(tree.bodies[0].joint_type, JointType::free);
  EXPECT_TRUE(warns(tree.warnings, "\"package://walker/head.stl\" was not found"));
  // The plate moves along x and y of its origin frame and turns about z.
  std::vector<double> q = neutral(tree);
  const int plate = tree.links[joint_index(tree, "plate")].q;
  q[plate] = .1;
  q[plate + 1] = .2;
  q[plate + 2] = .3;
  const SE3<double> origin{rotation_about(1, -.3), {.25, 0, .08}};
  const SE3<double> moved{rotation_about(2, .3), {.1, .2, 0}};
  expect_near(pose_of(tree, q, "head"), translation(V3{0, 0, .4}) * origin * moved, 8 * eps);
}

TEST(ReadUrdf, JointTypes) {
  EXPECT_EQ(joint("type='fixed'").joint.dof(), 0);
  const JointDescription revolute = joint("type='revolute'", "<limit lower='-1' upper='2'/>");
  EXPECT_EQ(revolute.joint.screws.screws[0], (Vec6<double>{{1, 0, 0}, {}}));  // x by default
  EXPECT_EQ(revolute.dofs.at(0), (Dof{-1, 2, infinity, infinity, 0, 0, 0}));
  EXPECT_EQ(joint("type='continuous'", "<limit lower='-1' upper='2'/>").dofs.at(0), Dof{});
  expect_near(joint("type='prismatic'", "<axis xyz='0 3 4'/>").joint.screws.screws[0].linear,
              V3{0, .6, .8}, eps);
  EXPECT_EQ(joint("type='floating'").joint.type, JointType::free);
  UrdfOptions options;
  options.base_velocity = Rep::hybrid;
  EXPECT_EQ(parse_urdf(with_joint("type='floating'"), "f", options).joints[1].joint.velocity,
            Rep::hybrid);
  EXPECT_EQ(joint("type='revolute'", "<axis xyz='0 1e-200 0'/>").joint.screws.screws[0].angular,
            (V3{0, 1, 0}));
}

TEST(ReadUrdf, PlanarAxesAreARightHandedFrameAboutTheNormal) {
  for (const V3 n : {V3{0, 0, 1}, V3{0, 0, -1}, V3{1, 0, 0}, V3{0, -1, 0}, V3{.36, .48, -.8},
                     V3{.36, .48, .8}}) {
    const std::string axis =
        "<axis xyz='" + shortest(n.x) + " " + shortest(n.y) + " " + shortest(n.z) + "'/>";
    const auto& X = joint("type='planar'", axis).joint.screws.screws;
    expect_near(X[2].angular, n, 2 * eps);
    expect_near(cross(X[0].linear, X[1].linear), n, 4 * eps);
    EXPECT_NEAR(dot(X[0].linear, n), 0, 2 * eps);
    if (n.z == 1) {
      EXPECT_EQ(X[0].linear, (V3{1, 0, 0}));
    }
  }
}

TEST(ReadUrdf, WarnsOfWhatIsOnlyOdd) {
  const auto warning = [](const std::string& attributes, const std::string& inside,
                          const std::string& words) {
    TreeDescription d = parse_urdf(with_joint(attributes, inside), "f");
    EXPECT_TRUE(warns(d.warnings, words)) << words;
    EXPECT_EQ(d.warnings.size(), 1u);
    return d;
  };
  warning("type='revolute'", "", "f:1: joint 'j': there is no <limit>; taken as unlimited");
  warning("type='revolute'", "<limit effort='1' velocity='1'/>", "neither lower nor upper");
  const auto d =
      warning("type='continuous'", "<limit effort='-1' velocity='1'/>", "effort is negative");
  EXPECT_EQ(d.joints[1].dofs[0].max_effort, infinity);
  warning("type='continuous'", "<axis xyz='1 1 0'/>", "not a unit vector");
  warning("type='continuous'", "<wing/>", "<wing> of joint 'j': is unknown here and ignored");
  warning("type='continuous'", "<xacro:if/>", "left over from xacro");
  warning("type='planar'", "<limit lower='1' upper='2'/>", "several degrees of freedom");
  EXPECT_FALSE(
      warning("type='fixed'", "<mimic joint='j'/>", "ignored at a fixed joint").joints[1].mimic);
  EXPECT_TRUE(parse_urdf(with_joint("type='continuous'", "<calibration/><safety_controller/>"), "f")
                  .warnings.empty());
}

TEST(ReadUrdf, RootIsTheWorldFixedOrFree) {
  const std::string arm = with_joint("type='continuous'");
  EXPECT_EQ(parse_urdf(arm, "f").joints[0].name, "a_to_world");
  EXPECT_EQ(parse_urdf(arm, "f").joints[0].joint.type, JointType::fixed);
  UrdfOptions options;
  options.free_base = true;
  options.base_velocity = Rep::spatial;
  const Tree tree = build(parse_urdf(arm, "f", options));
  EXPECT_EQ(tree.nv, 7);
  EXPECT_EQ(tree.links[0].velocity, Rep::spatial);
  const std::string on_world =
      "<robot name='r'><link name='world'><inertial><mass value='1'/><inertia ixx='1' ixy='0' "
      "ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link><link name='b'/><joint name='j' "
      "type='continuous'><parent link='world'/><child link='b'/></joint></robot>";
  const TreeDescription d = parse_urdf(on_world, "f", options);
  EXPECT_EQ(d.bodies.size(), 1u);
  EXPECT_TRUE(warns(d.warnings, "inertia and shapes of the world are ignored"));
  EXPECT_TRUE(warns(d.warnings, "no base is free"));
  EXPECT_EQ(build(d).nv, 1);
}

TEST(ReadUrdf, MeshesLieBesideTheFileOrInGivenRoots) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("axode_urdf_" + std::to_string(::getpid()));
  fs::create_directories(folder / "arm/urdf");
  fs::create_directories(folder / "arm/meshes");
  std::ofstream(folder / "arm/meshes/a.stl") << "solid";
  std::ofstream(folder / "outside.stl") << "solid";
  std::string text = "<robot name='r'><link name='l'>";
  for (const char* name : {"package://arm/meshes/a.stl", "../meshes/a.stl", "../../outside.stl",
                           "../../outside.stl", "/etc/passwd", "none.stl", "none.stl"})
    text += std::string("<visual><geometry><mesh filename='") + name + "'/></geometry></visual>";
  std::ofstream(folder / "arm/urdf/arm.urdf") << text << "</link></robot>";
  std::ofstream(folder / "arm/urdf/none.obj") << "o";
  EXPECT_EQ(read_urdf(folder / "arm/urdf/arm.urdf").bodies.at(0).shapes.at(1).mesh_path, "");
  UrdfOptions options;
  options.mesh_roots = {folder / "arm"};
  const TreeDescription d = read_urdf(folder / "arm/urdf/arm.urdf", options);
  const auto& shapes = d.bodies.at(0).shapes;
  ASSERT_EQ(shapes.size(), 7u);
  EXPECT_EQ(shapes[0].mesh_path, fs::canonical(folder / "arm/meshes/a.stl"));
  EXPECT_EQ(shapes[1].mesh_path, shapes[0].mesh_path);
  for (std::size_t i = 2; i < 7; ++i) EXPECT_EQ(shapes[i].mesh_path, "");
  EXPECT_EQ(d.warnings.size(), 3u);  // one for each mesh
  EXPECT_TRUE(warns(d.warnings, "lies outside the folders for meshes; give its folder"));
  fs::remove_all(folder);
}

// --- there and back -------------------------------------------------------------------------------

/// Coordinates of the tree read back: those of joints of the same name, of their chains, followers.
std::vector<double> coordinates_read_back(const Tree& tree, const std::vector<double>& q,
                                          const Tree& read) {
  std::vector<double> result = neutral(read);
  const auto first = [&](const std::string& name) {
    return static_cast<std::size_t>(read.links[joint_index(read, name)].q);
  };
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const std::string& name = tree.bodies[i].joint_name;
    for (int k = 0; k < link.nq; ++k) {
      const double value = q[link.q + k];
      if (read.joint_names.contains(name))
        result[first(name) + k] = value;
      else
        result[first(name + "_" + std::to_string(k + 1))] = value;
    }
  }
  for (const Coupling& c : read.couplings) {
    const auto q_of = [&](int body) -> double& { return result[read.links[body].q]; };
    q_of(c.follower) = c.ratio * q_of(c.leader) + c.offset;
  }
  return result;
}

/// Each pose of the tree against that of the tree read back; errors grow with the depth.
void expect_same_poses(const Tree& tree, const Tree& read, const std::vector<double>& q) {
  const Poses<double> expected = poses(tree, q);
  const Poses<double> found = poses(read, coordinates_read_back(tree, q, read));
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const Body& body = tree.bodies[i];
    const std::size_t j = body_index(read, body.name);
    const double size = 1 + max_abs(expected.T_WB[i].p);
    // About 20 roundings for each joint of the path, and 1e-14 for what the writer neglects.
    expect_near(found.T_WB[j], expected.T_WB[i], 100 * eps * size * (1 + tree.size()), body.name);
    EXPECT_EQ(read.bodies[j].inertia, body.inertia) << body.name;
    EXPECT_EQ(read.bodies[j].shapes.size(), body.shapes.size());
  }
  for (const NamedFrame& frame : tree.frames) {
    const SE3<double> T_WB = frame.body < 0 ? SE3<double>{} : expected.T_WB[frame.body];
    const std::size_t j = body_index(read, frame.name);
    expect_near(found.T_WB[j], T_WB * frame.T_BF,
                100 * eps * (1 + max_abs(T_WB.p)) * (1 + tree.size()), frame.name);
  }
}

Tree read_back(const Tree& tree) { return build(parse_urdf(urdf_text(tree), "written")); }

TEST(WriteUrdf, ModelsComeBackTheSame) {
  for (const char* name : {"gripper_arm.urdf", "walker.urdf", "feeder.urdf"}) {
    const Tree tree = build(read_urdf(model(name)));
    const Tree read = read_back(tree);
    ASSERT_EQ(read.size(), tree.size()) << name;  // nothing added: the frames lie on the axes
    EXPECT_EQ(read.dofs, tree.dofs);
    std::mt19937_64 random(1);
    expect_same_poses(tree, read, random_configuration(tree, random));
    EXPECT_EQ(read.couplings.size(), tree.couplings.size());
    for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
      EXPECT_EQ(read.bodies[i].name, tree.bodies[i].name);
      EXPECT_EQ(read.bodies[i].joint_name, tree.bodies[i].joint_name);
      EXPECT_EQ(read.bodies[i].joint_type, tree.bodies[i].joint_type);
      for (std::size_t s = 0; s < tree.bodies[i].shapes.size(); ++s) {
        const Shape &a = read.bodies[i].shapes[s], &b = tree.bodies[i].shapes[s];
        EXPECT_EQ(a.kind, b.kind);
        EXPECT_EQ(a.collision, b.collision);
        EXPECT_EQ(a.size, b.size);
        EXPECT_EQ(a.rgba, b.rgba);
        EXPECT_EQ(a.material, b.material);
        EXPECT_EQ(a.mesh, b.mesh);
        EXPECT_EQ(a.scale, b.scale);
        expect_near(a.pose, b.pose, 4 * eps);
      }
    }
    EXPECT_EQ(urdf_text(tree), urdf_text(tree));
  }
}

TEST(WriteUrdf, RandomTreesKeepTheirPoses) {
  for_random_cases(300, [](Random& random) {
    RandomTreeOptions options;
    options.first_kind = options.quaternions = false;
    options.zero_mass = true;
    const Tree tree = random_tree(random, random.integer(1, 12), options);
    expect_same_poses(tree, read_back(tree), random_coordinates(random, tree));
  });
}

TEST(WriteUrdf, FreeAndPlanarJointsAreNative) {
  Random random(3);
  for (int i = 0; i < 50; ++i) {
    const Tree tree =
        TreeBuilder{}
            .body("base", {2, {.1, .2, .3}, {1, 1, 1, 0, 0, 0}})
            .joint("float", free_joint({.at = random.pose()}), zero_reference(random.pose()))
            .body("plate")
            .on("base")
            .joint("slide",
                   planar({.x = random.unit(), .z = random.unit(), .point = random.vec3()}),
                   body_screws(random.pose()))
            .frame("tip", {"plate", random.pose()})
            .frame("mark", {world_name, random.pose()})
            .build();
    const Tree read = read_back(tree);
    EXPECT_EQ(read.nv, 9);
    EXPECT_EQ(read.size(), 6);  // two bodies, two frames of joints, tip and mark
    expect_same_poses(tree, read, random_coordinates(random, tree));
  }
}

TEST(WriteUrdf, HelicalAndCoupledJoints) {
  const Tree tree =
      TreeBuilder{"screws"}
          .body("nut", {1, {}, {1, 1, 1, 0, 0, 0}})
          .joint("drive", helical({.axis = {0, 0, 1}, .point = {.1, .2, 0}, .pitch = .01}))
          .limits(-3, 2)
          .body("worm")
          .joint("follow", helical({.axis = {0, 1, 0}, .pitch = -.02}))
          .mimic("drive", 2, .5)
          .body("bar")
          .on("nut")
          .joint("rail", prismatic({{1, 0, 0}}))
          .mimic("follow", .1, 0)
          .damping(.5)
          .build();
  const Tree read = read_back(tree);
  EXPECT_EQ(independent_nv(read), 1);
  const std::vector<double> q{.7, 2 * .7 + .5, .1 * (2 * .7 + .5)};
  expect_same_poses(tree, read, q);
  EXPECT_EQ(read.dofs[0].lower, -3);
  const std::size_t rail = joint_index(read, "rail");
  EXPECT_EQ(read.dofs[read.links[rail].v], (Dof{.damping = .5}));
}

TEST(WriteUrdf, ChainsKeepLimitsAndNamesStayUnique) {
  const Tree tree = TreeBuilder{}
                        .body("a")
                        .joint("j", cylindrical({.axis = {0, 0, 1}, .point = {1, 0, 0}}))
                        .limits(-1, 1, 0)
                        .limits(-2, 2, 1)
                        .max_effort(7, 1)
                        .body("a_on_j_1")
                        .joint("j_1", revolute({.axis = {1, 0, 0}}))
                        .body("b & <c>\"'")
                        .joint("j_2", planar({}))
                        .limits(-1, 1, 2)
                        .build();
  const Tree read = read_back(tree);
  const auto dof = [&](const char* name) {
    return read.dofs[read.links[joint_index(read, name)].v];
  };
  EXPECT_EQ(dof("j_1_"), (Dof{.lower = -1, .upper = 1}));
  EXPECT_EQ(dof("j_2_"), (Dof{.lower = -2, .upper = 2, .max_effort = 7}));
  EXPECT_EQ(dof("j_2_3"), (Dof{.lower = -1, .upper = 1}));
  EXPECT_EQ(dof("j_1"), Dof{});
  EXPECT_NO_THROW(body_index(read, "b & <c>\"'"));
}

TEST(WriteUrdf, RefusesWhatUrdfCannotSay) {
  const auto said = [](const Joint& joint, double armature = 0, double upper = infinity) {
    TreeBuilder builder;
    builder.body("b").joint("joint", joint);
    if (armature != 0) builder.armature(armature);
    if (upper < infinity) builder.limits(0, upper, 1);
    return message([&] { urdf_text(builder.build()); });
  };
  const char* remedy = "; use the native format";
  expect_says(said(spherical()), "urdf_text: joint 'joint': URDF has no spherical joint");
  expect_says(said(spherical({.coordinates = Coordinates::first_kind})), "first kind");
  expect_says(said(planar({.coordinates = Coordinates::first_kind})), "first kind");
  expect_says(said(revolute({}), .1), "URDF has no armature");
  expect_says(said(axode::free_joint(), 0, 1),
              "URDF has no limits, friction or armature of a free joint");
  expect_says(said(spherical()), remedy);
  const Tree odd = TreeBuilder{}.body("b").joint("j", fixed()).frame("f\xff", {}).build();
  EXPECT_THROW(urdf_text(odd), Error);
}

TEST(WriteUrdf, FirstKindIsFineWhereScrewsCommute) {
  const Vec6<double> screws[] = {{{}, {1, 0, 0}}, {{}, {0, 0, 1}}};
  const Tree tree =
      TreeBuilder{}.body("b").joint("j", screws_joint(screws, Coordinates::first_kind)).build();
  expect_same_poses(tree, read_back(tree), {.3, -.4});
}

}  // namespace
}  // namespace axode::test::urdf_test
