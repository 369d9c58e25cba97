/// Axode's model format: the shipped models against independent numbers, round trips, the schema.
#include "axode/io/native/native.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "axode/io/text/text_file.hpp"
#include "axode/kinematics/poses.hpp"
#include "axode/model/frames.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::native_test {
namespace {

using test::expect_near;
using test::expect_says;
using test::message;

const std::filesystem::path root = std::filesystem::path(AXODE_TEST_DATA) / "../..";

Tree load(const std::string& name) { return build(read_native(root / "models" / name)); }
Tree reread(const std::string& text) { return build(parse_native(text, "text")); }
int impossible(const Tree& tree) {
  return static_cast<int>(std::count_if(tree.warnings.begin(), tree.warnings.end(),
                                        [](const Warning& w) { return w.impossible; }));
}
/// The pose of a named frame or body in the world at q.
SE3<double> pose_of(const Tree& tree, const char* name, const std::vector<double>& q) {
  const Frame f = simple_frame(tree, name);
  const Poses<double> p = poses(tree, q);
  return f.body < 0 ? f.T_BF : p.T_WB[f.body] * f.T_BF;
}

// --- the shipped models

TEST(Models, RemoteCentre) {
  const Tree tree = load("remote_centre.json");
  EXPECT_EQ(impossible(tree), 0);
  ASSERT_EQ(tree.size(), 5);
  const auto data = test::read_json("remote_centre.json");
  for (std::size_t i = 0; i < 5; ++i) {
    const auto& inertia = data.at("model").at("bodies").at(i).at("inertia");
    EXPECT_EQ(tree.bodies[i].inertia.mass, inertia.at("mass").get<double>());
    expect_near(tree.bodies[i].inertia.about_com.matrix(), test::mat3(inertia.at("Theta_com")), 0);
    expect_near(about_origin(tree.bodies[i].inertia).matrix(),
                test::mat3(inertia.at("Theta_origin")), 1e-15);
  }
  for (const auto& state : data.at("states")) {
    const auto q = test::flat(state.at("input").at("q"));
    const Poses<double> p = poses(tree, q);
    for (std::size_t i = 0; i < 5; ++i)
      expect_near(p.T_WB[i], test::pose(state.at("output").at("C").at(i)), 2e-15);
  }
  // Joints 4 and 5 turn about the remote centre.
  expect_near(pose_of(tree, "remote centre", {0, 0, 0, 0.4, -1.1}).p, Vec3<double>{0.78, 0, 0.47},
              4e-16);
}

TEST(Models, Scara) {
  const Tree tree = load("scara.json");
  EXPECT_TRUE(tree.warnings.empty());
  const double q1 = 0.4, q2 = -0.9, q3 = 0.12, q4 = 2.1;
  const SE3<double> T = pose_of(tree, "gripper", {q1, q2, q3, q4});
  expect_near(
      T.p,
      Vec3<double>{0.325 * std::cos(q1) + 0.275 * std::cos(q1 + q2),
                   0.325 * std::sin(q1) + 0.275 * std::sin(q1 + q2), 0.4 - q3 - 0.05 - 0.08},
      4e-16);
  const double yaw = q1 + q2 - q4;  // the tool points down
  expect_near(T.R.matrix,
              Mat3<double>::rows({std::cos(yaw), std::sin(yaw), 0},
                                 {std::sin(yaw), -std::cos(yaw), 0}, {0, 0, -1}),
              1e-15);
  EXPECT_EQ(tree.dofs[2], (Dof{0, 0.2, 1.1, 150, 0, 0, 0}));
}

/// Against the printed values of the Robotics Toolbox.
TEST(Models, Puma560) {
  const Tree tree = load("puma560.json");
  const double quarter = pi<double> / 4;
  expect_near(pose_of(tree, "hand", {0, quarter, pi<double>, 0, quarter, 0}).p,
              Vec3<double>{0.596303, -0.15005, 0.657476}, 5e-7);
  // The published inertias of two bodies are impossible; nothing else is.
  EXPECT_EQ(impossible(tree), 2);
  expect_says(tree.warnings.at(0).text, "body 'shoulder'");
  expect_says(tree.warnings.at(1).text, "body 'forearm'");
  EXPECT_NEAR(tree.dofs[1].armature, 107.815 * 107.815 * 0.0002, 1e-9);
  EXPECT_NEAR(tree.dofs[1].damping, 107.815 * 107.815 * 0.000817, 1e-9);
  EXPECT_NEAR(tree.dofs[1].friction, 107.815 * (0.126 + 0.071) / 2, 1e-9);
  EXPECT_EQ(tree.bodies[1].inertia.mass, 17.4);
}

TEST(Models, Panda) {
  const Tree tree = load("panda.json");
  EXPECT_EQ(impossible(tree), 0);
  const SE3<double> T = pose_of(tree, "tool", {1, 2, 3, 4, 5, 6, 7});
  expect_near(matrix(T),
              Mat4<double>{{{-0.8583, 0.1178, 0.4994, 0.1372},
                            {0.198, 0.9739, 0.1106, 0.3246},
                            {-0.4734, 0.1938, -0.8593, 0.4436},
                            {0, 0, 0, 1}}},
              5e-5);
}

/// Against products of elementary rotations and translations, computed apart.
TEST(Models, AllJoints) {
  const Tree tree = load("all_joints.json");
  EXPECT_EQ(impossible(tree), 0);
  std::set<JointType> types;
  std::set<GeometryForm> forms;
  for (const Body& body : tree.bodies) {
    types.insert(body.joint_type);
    forms.insert(body.form);
  }
  EXPECT_EQ(types.size(), 14U);
  EXPECT_EQ(forms.size(), 4U);
  const std::map<std::string, std::vector<double>> by_joint{
      {"float", {0.5, 0.5, 0.5, 0.5, 0.1, 0.2, 0.3}},
      {"hip", {0.3, -0.4}},
      {"knee", {0.05, 0.7}},
      {"ankle", {0.8, 0, 0.6, 0}},
      {"slide and turn", {0.1, -0.2, 0.5}},
      {"spindle", {2}},
      {"ram", {0.07}},
      {"stage 2", {0.1, 0.2}},
      {"stage 3", {0.1, 0.2, 0.3}},
      {"drill", {0.1, 0.2, 0.6}},
      {"delta", {0.1, 0.2, 0.3, 0.4}},
      {"odd", {0.2, 0.15}},
      {"axle", {0.9}}};
  std::vector<double> q(tree.nq);
  for (const auto& [joint, values] : by_joint) {
    const Link& link = tree.links[joint_index(tree, joint)];
    ASSERT_EQ(values.size(), static_cast<std::size_t>(link.nq)) << joint;
    std::copy(values.begin(), values.end(), q.begin() + link.q);
  }
  EXPECT_LT(coupling_error(tree, q).error, 1e-15);
  struct Expected {
    const char* frame;
    Mat4<double> T;
  };
  const std::vector<Expected> expected{
      {"sole",
       {{{-0.7117485985666361, -0.01363911941594495, 0.7023018630617373, 0.5879501785228389},
         {0.5710921740934702, -0.5933637833613874, 0.5672505172181459, 0.6914900675810318},
         {0.4089836929849685, 0.8048188585120369, 0.43011503560763703, 0.6325010729881818},
         {0, 0, 0, 1}}}},
      {"ram",
       {{{-0.24740395925452294, 0.0, 0.9689124217106447, 1.7687151116908097},
         {-0.9592160273565049, -0.1411200080598673, -0.24492806329122005, 0.35724454279199813},
         {0.13673292876111173, -0.9899924966004455, 0.03491364872404136, 0.22279569094412094},
         {0, 0, 0, 1}}}},
      {"x-y stage",
       {{{1.0, 0.0, 0.0, 0.09553364891256061},
         {0.0, 1.0, 0.0, 0.2},
         {0.0, 0.0, 1.0, -0.02955202066613396},
         {0, 0, 0, 1}}}},
      {"x-y-z stage",
       {{{1.0, 0.0, 0.0, 0.1}, {0.0, 1.0, 0.0, 0.2}, {0.0, 0.0, 1.0, 0.3}, {0, 0, 0, 1}}}},
      {"drill",
       {{{0.8253356149096783, -0.5646424733950354, 0.0, 0.27466438509032165},
         {0.5646424733950354, 0.8253356149096783, 0.0, -0.36464247339503536},
         {0.0, 0.0, 1.0, 0.006},
         {0, 0, 0, 1}}}},
      {"wheel",
       {{{0.6331431587659131, -0.6734007075315088, 0.3816559020950483, 0.7234009535385997},
         {0.09872801800674699, -0.41878814341263526, -0.90270109637546, 0.23910457912630095},
         {0.7677125236495632, 0.6092191543550328, -0.19866933079506116, 0.4271430535966801},
         {0, 0, 0, 1}}}},
      {"camera",
       {{{-0.3894183423086505, 0.0, 0.9210609940028851, 1.2000000000000002},
         {0, -1.0, 0, 0.2},
         {0.9210609940028851, 0, 0.3894183423086505, 0.5},
         {0, 0, 0, 1}}}}};
  for (const auto& [frame, T] : expected)
    expect_near(matrix(pose_of(tree, frame, q)), T, 2e-15, frame);
  EXPECT_EQ(pose_of(tree, "dock", q), translation(Vec3<double>{2, 0, 0}));
  EXPECT_EQ(tree.links[0].velocity, Rep::hybrid);
  EXPECT_EQ(tree.bodies[0].shapes.size(), 2U);
}

// --- round trips

/// All but sources, lines and warnings; geometry to the same bits, or within the tolerance.
void expect_same(const Tree& a, const Tree& b, double tolerance) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.gravity, b.gravity);
  ASSERT_EQ(a.size(), b.size());
  ASSERT_EQ(a.nv, b.nv);
  ASSERT_EQ(a.nq, b.nq);
  for (std::size_t i = 0; i < a.links.size(); ++i) {
    const Link &m = a.links[i], &n = b.links[i];
    const Body &x = a.bodies[i], &y = b.bodies[i];
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.joint_name, y.joint_name);
    EXPECT_EQ(x.joint_type, y.joint_type);
    EXPECT_EQ(x.coordinates, y.coordinates);
    EXPECT_EQ(x.inertia, y.inertia);
    EXPECT_EQ(m.parent, n.parent);
    EXPECT_EQ(m.q, n.q);
    EXPECT_EQ(m.v, n.v);
    EXPECT_EQ(m.map, n.map);
    EXPECT_EQ(m.velocity, n.velocity);
    expect_near(m.B, n.B, tolerance, x.name);
    // Without joint frames given, T_BJ depends on the screws alone.
    if (tolerance == 0 && x.form == y.form) expect_near(x.T_BJ, y.T_BJ, tolerance, x.name);
    ASSERT_EQ(x.shapes.size(), y.shapes.size());
  }
  for (std::size_t k = 0; k < a.screws.size(); ++k)
    expect_near(a.screws[k], b.screws[k], tolerance);
  EXPECT_EQ(a.dofs, b.dofs);
  ASSERT_EQ(a.frames.size(), b.frames.size());
  for (std::size_t i = 0; i < a.frames.size(); ++i) {
    EXPECT_EQ(a.frames[i].name, b.frames[i].name);
    EXPECT_EQ(a.frames[i].body, b.frames[i].body);
    EXPECT_EQ(a.frames[i].T_BF, b.frames[i].T_BF);
  }
  ASSERT_EQ(a.couplings.size(), b.couplings.size());
  for (std::size_t i = 0; i < a.couplings.size(); ++i) {
    EXPECT_EQ(a.couplings[i].follower, b.couplings[i].follower);
    EXPECT_EQ(a.couplings[i].leader, b.couplings[i].leader);
    EXPECT_EQ(a.couplings[i].ratio, b.couplings[i].ratio);
    EXPECT_EQ(a.couplings[i].offset, b.couplings[i].offset);
    EXPECT_EQ(a.couplings[i].named_leader, b.couplings[i].named_leader);
  }
}

TEST(Native, ShippedModelsReadBack) {
  for (const char* name :
       {"remote_centre.json", "scara.json", "puma560.json", "panda.json", "all_joints.json"}) {
    SCOPED_TRACE(name);
    const Tree tree = load(name);
    expect_same(tree, reread(native_text(tree, {GeometryForm::body_screws})), 0);
    const Tree again = reread(native_text(tree));
    expect_same(tree, again, 1e-15);
    for (std::size_t i = 0; i < tree.bodies.size(); ++i)
      EXPECT_EQ(tree.bodies[i].form, again.bodies[i].form);
    EXPECT_EQ(impossible(tree), impossible(again));
  }
}

/// Trees of all joints and forms, in all forms: the geometry in body screws to the same bits, in
/// the others to the rounding of a chain of twelve poses: a few round-offs of each, at positions of
/// up to 8 m.
TEST(Native, RandomTreesReadBackInEveryForm) {
  double worst = 0;
  test::for_random_cases(60, [&](test::Random& random) {
    const Tree tree = test::random_tree(random, 12);
    expect_same(tree, reread(native_text(tree, {GeometryForm::body_screws})), 0);
    const auto q = test::random_coordinates(random, tree);
    const Poses<double> expected = poses(tree, q);
    for (const GeometryForm form :
         {GeometryForm::zero_reference, GeometryForm::parent_screws, GeometryForm::joint_frames}) {
      const Tree again = reread(native_text(tree, {form}));
      expect_same(tree, again, 1e-13);
      const Poses<double> got = poses(again, q);
      for (std::size_t i = 0; i < got.T_WB.size(); ++i) {
        EXPECT_EQ(again.bodies[i].form, form);
        expect_near(got.T_WB[i], expected.T_WB[i], 1e-13);
        worst = std::max(worst, test::largest_difference(got.T_WB[i], expected.T_WB[i]));
      }
    }
    expect_same(tree, reread(native_text(tree)), 1e-13);
  });
  test::record("worst_poses_after_writing_in_another_form", worst);
}

TEST(Native, ShapesReadBack) {
  Shape box{.name = "b\"x", .pose = translation(Vec3<double>{1, 2, 3}), .size = {0.1, 0.2, 0.3}};
  Shape ball{.kind = Shape::Kind::sphere, .collision = true, .size = {0.5, 0, 0}};
  Shape rod{.kind = Shape::Kind::cylinder, .size = {0.5, 2, 0}};
  Shape pill{.kind = Shape::Kind::capsule, .size = {0.25, 1, 0}};
  Shape mesh{.kind = Shape::Kind::mesh, .mesh = "package://arm/a.stl", .scale = {1, -1, 1}};
  mesh.material = "steel";
  mesh.texture = "steel.png";
  mesh.rgba = {{0.1, 0.2, 0.3, 1}};
  const Tree tree = TreeBuilder("shapes")
                        .body("a", {1, {}, {1, 1, 1, 0, 0, 0}})
                        .joint("j", fixed())
                        .shape(box)
                        .shape(ball)
                        .shape(rod)
                        .shape(pill)
                        .shape(mesh)
                        .build();
  const Tree again = reread(native_text(tree));
  ASSERT_EQ(again.bodies[0].shapes.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    const Shape &a = tree.bodies[0].shapes[i], &b = again.bodies[0].shapes[i];
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.collision, b.collision);
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.pose, b.pose);
    EXPECT_EQ(a.size, b.size);
    EXPECT_EQ(a.mesh, b.mesh);
    EXPECT_EQ(a.scale, b.scale);
    EXPECT_EQ(a.material, b.material);
    EXPECT_EQ(a.rgba, b.rgba);
    EXPECT_EQ(a.texture, b.texture);
  }
}

TEST(Native, OddNamesReadBack) {
  const std::string odd = "na\"m\\e/ ä€😀 {[,:]}";
  const Tree tree =
      TreeBuilder(odd).body(odd).joint(odd, revolute({})).frame(odd + "'", {odd}).build();
  const Tree again = reread(native_text(tree));
  EXPECT_EQ(again.name, odd);
  EXPECT_EQ(again.bodies[0].name, odd);
  EXPECT_EQ(again.bodies[0].joint_name, odd);
  EXPECT_EQ(again.frames[0].name, odd + "'");
  const Tree bad = TreeBuilder("\xff").build();
  expect_says(message([&] { native_text(bad); }), "UTF-8");
}

TEST(Native, AnEmptyTree) {
  EXPECT_EQ(reread(native_text(Tree{})).size(), 0);
  const TreeDescription d = parse_native(R"({"axode": 1, "bodies": []})", "f");
  EXPECT_EQ(d.gravity, (Vec3<double>{0, 0, -9.81}));
  EXPECT_EQ(d.source, "f");
}

TEST(Native, WritesForPeople) {
  const Tree tree = TreeBuilder("pendulum")
                        .body("rod", {2, {0, 0, -0.5}, {0.1, 0.1, 0.01, 0, 0, 0}})
                        .joint("pivot", revolute({.axis = {0, 1, 0}}))
                        .limits(-1, 1)
                        .damping(0.1)
                        .frame("tip", {"rod", translation(Vec3<double>{0, 0, -1})})
                        .build();
  EXPECT_EQ(native_text(tree), R"({
  "axode": 1,
  "name": "pendulum",
  "gravity": [0, 0, -9.81],
  "bodies": [
    {
      "name": "rod",
      "inertia": {"mass": 2, "com": [0, 0, -0.5], "about_com": [0.1, 0.1, 0.01, 0, 0, 0]},
      "joint": {
        "name": "pivot",
        "type": "revolute",
        "axis": [0, 1, 0],
        "limits": {"lower": -1, "upper": 1},
        "damping": 0.1
      }
    }
  ],
  "frames": [
    {"name": "tip", "on": "rod", "at": {"position": [0, 0, -1]}}
  ]
}
)");
}

TEST(Native, DescriptionsKnowTheirLines) {
  const TreeDescription d = parse_native(
      "{\"axode\": 1, \"bodies\": [\n"
      " {\"name\": \"a\",\n"
      "  \"joint\":\n"
      "   {\"type\": \"fixed\"}},\n"
      " {\"name\": \"b\", \"joint\": {\"type\": \"fixed\"}}],\n"
      "\"frames\": [\n"
      " {\"name\": \"f\"}]}",
      "f");
  EXPECT_EQ(d.bodies[0].line, 2);
  EXPECT_EQ(d.joints[0].line, 4);
  EXPECT_EQ(d.bodies[1].line, 5);
  EXPECT_EQ(d.frames[0].line, 7);
  EXPECT_FALSE(d.bodies[0].inertia_given);
}

// --- the schema

/// Every key the reader knows is in the schema and described, and none besides.
TEST(Native, SchemaHasTheKeysOfTheReader) {
  const JsonDocument schema(read_text_file(root / "docs/axode-model.schema.json"), "schema");
  const JsonValue definitions = schema.root().at("$defs", "");
  std::set<std::string> objects;
  for (const JsonObjectKeys& object : native_keys()) {
    SCOPED_TRACE(object.kind);
    objects.insert(std::string(object.kind));
    const JsonValue properties = definitions.at(object.kind, "").at("properties", "");
    EXPECT_FALSE(definitions.at(object.kind, "").at("additionalProperties", "").boolean());
    std::set<std::string> known, described;
    for (const std::string_view key : object.keys) known.insert(std::string(key));
    for (const JsonValue& property : properties.members()) {
      described.insert(std::string(property.key()));
      EXPECT_FALSE(property.at("description", "").text().empty()) << property.key();
    }
    EXPECT_EQ(known, described);
  }
  for (const JsonValue& definition : definitions.members())
    EXPECT_EQ(definition.find("properties").has_value(),
              objects.contains(std::string(definition.key())))
        << definition.key();
  // And the names of types.
  const auto choices = [&](const char* object, const char* key) {
    return definitions.at(object, "").at("properties", "").at(key, "").at("enum", "").items();
  };
  const auto types = choices("joint", "type");
  ASSERT_EQ(types.size(), 14U);
  for (std::size_t i = 0; i < types.size(); ++i)
    EXPECT_EQ(types[i].text(), name(static_cast<JointType>(i)));
  EXPECT_EQ(
      definitions.at("model", "").at("properties", "").at("axode", "").at("const", "").number(),
      native_version);
}

/// The example in the documentation loads.
TEST(Native, DocumentedExamplesLoad) {
  const std::string page = read_text_file(root / "docs/model_format.md");
  int examples = 0;
  for (std::size_t begin = page.find("```jsonc\n"); begin != std::string::npos;
       begin = page.find("```jsonc\n", begin + 1)) {
    const std::size_t first = begin + 9, end = page.find("\n```", first);
    const std::string text = page.substr(first, end - first);
    if (text.find("\"axode\"") == std::string::npos) continue;  // a piece
    ++examples;
    const Tree tree = build(parse_native(text, "model_format.md"));
    EXPECT_EQ(impossible(tree), 0);
  }
  EXPECT_GE(examples, 1);
}

}  // namespace
}  // namespace axode::test::native_test
