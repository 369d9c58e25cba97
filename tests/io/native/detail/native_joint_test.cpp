/// Joints in model files: placement, Denavit-Hartenberg rows, degrees of freedom and couplings.
#include "axode/io/native/detail/native_joint.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/errors.hpp"
#include "tests/support/near.hpp"

namespace axode::test::native_joint_test {
namespace {

using test::expect_near;
using test::expect_says;
using test::message;

JointDescription joint(const std::string& members) {
  const JsonDocument document("{\n" + members + "}", "f");
  return joint_from_json(document.root(), "body");
}
const std::string revolute_text = R"("type": "revolute", "axis": [0, 0, 1], )";
const std::string planar_text = R"("type": "planar", )";

TEST(NativeJoint, Defaults) {
  const JointDescription j = joint(R"("type": "fixed")");
  EXPECT_EQ(j.name, "body");
  EXPECT_EQ(j.child, "body");
  EXPECT_EQ(j.parent, "world");
  EXPECT_EQ(j.placement.form, GeometryForm::zero_reference);
  EXPECT_EQ(j.placement.pose, SE3<double>{});
  EXPECT_TRUE(j.dofs.empty());
  EXPECT_FALSE(j.mimic);
  EXPECT_EQ(j.line, 1);
}

TEST(NativeJoint, EveryPlacement) {
  const SE3<double> T = translation(Vec3<double>{1, 2, 3});
  const std::string pose = R"({"position": [1, 2, 3]})";
  const auto placement = [](const std::string& members) {
    return joint(R"("type": "fixed", )" + members).placement;
  };
  const Placement world = placement("\"body_in_world\": " + pose);
  EXPECT_EQ(world.form, GeometryForm::zero_reference);
  EXPECT_EQ(world.pose, T);
  EXPECT_EQ(placement("\"given_in\": \"world\", \"body_in_world\": " + pose).pose, T);
  const Placement body = placement("\"given_in\": \"body\", \"body_in_parent\": " + pose);
  EXPECT_EQ(body.form, GeometryForm::body_screws);
  EXPECT_EQ(body.pose, T);
  const Placement parent = placement("\"given_in\": \"parent\", \"body_in_parent\": " + pose);
  EXPECT_EQ(parent.form, GeometryForm::parent_screws);
  EXPECT_EQ(parent.pose, T);
  const Placement frames =
      placement("\"given_in\": \"joint_frames\", \"frame_in_parent\": " + pose +
                ", \"frame_in_body\": {\"rpy\": [0, 0, 1]}");
  EXPECT_EQ(frames.form, GeometryForm::joint_frames);
  EXPECT_EQ(frames.pose, T);
  EXPECT_NE(frames.S_body, SE3<double>{});
}

TEST(NativeJoint, DenavitHartenberg) {
  const DenavitHartenberg row{0.1, 0.2, 0.3, 0.4, JointType::prismatic};
  const std::string numbers = R"("theta": 0.1, "d": 0.2, "a": 0.3, "alpha": 0.4)";
  for (const bool classic : {true, false}) {
    const JointDescription j =
        joint(R"("type": "prismatic", "dh": {"convention": ")" +
              std::string(classic ? "classic" : "modified") + "\", " + numbers + "}");
    const PlacedJoint expected = classic ? classic_dh(row) : modified_dh(row);
    EXPECT_EQ(j.placement.form, expected.placement.form);
    EXPECT_EQ(j.placement.pose, expected.placement.pose);
    EXPECT_EQ(j.joint.type, JointType::prismatic);
    EXPECT_EQ(j.joint.screws.screws[0], expected.joint.screws.screws[0]);
  }
}

TEST(NativeJoint, FreedomsAndCoupling) {
  const JointDescription one = joint(revolute_text + R"(
      "limits": {"lower": -1, "upper": 2, "velocity": 3, "effort": [4]}, "damping": 5,
      "friction": 6, "armature": 7, "mimic": {"joint": "leader", "ratio": 8, "offset": 9})");
  ASSERT_EQ(one.dofs.size(), 1U);
  EXPECT_EQ(one.dofs[0], (Dof{-1, 2, 3, 4, 5, 6, 7}));
  ASSERT_TRUE(one.mimic);
  EXPECT_EQ(one.mimic->leader, "leader");
  EXPECT_EQ(one.mimic->ratio, 8);
  EXPECT_EQ(one.mimic->offset, 9);
  const JointDescription three =
      joint(planar_text + R"("limits": {"upper": [1, null, 2]}, "damping": [0, null, 5])");
  ASSERT_EQ(three.dofs.size(), 3U);
  EXPECT_EQ(three.dofs[0].upper, 1);
  EXPECT_EQ(three.dofs[1], Dof{});
  EXPECT_EQ(three.dofs[2].upper, 2);
  EXPECT_EQ(three.dofs[2].damping, 5);
  EXPECT_EQ(three.dofs[2].lower, -std::numeric_limits<double>::infinity());
}

TEST(NativeJoint, Refusals) {
  const auto expect_refused = [](const std::string& members, const char* words) {
    const std::string said = message([&] { joint(members); });
    EXPECT_TRUE(said.starts_with("f:")) << said;
    expect_says(said, words);
    expect_says(said, "; ");
  };
  expect_refused(revolute_text + R"("dampling": 1)", "'damping'?");
  expect_refused(revolute_text + R"("given_in": "wrold")", "'world'?");
  expect_refused(revolute_text + R"("body_in_parent": {})", "\"world\", the default");
  expect_refused(revolute_text + R"("given_in": "body", "body_in_world": {})", "does not go with");
  expect_refused(revolute_text + R"("given_in": "body", "frame_in_body": {})", "does not go with");
  expect_refused(revolute_text + R"("dh": {"convention": "classic"})", "both say the motion");
  expect_refused(R"("type": "revolute", "given_in": "body", "dh": {"convention": "classic"})",
                 "both say the place");
  expect_refused(R"("type": "revolute", "dh": {})", "convention");
  expect_refused(R"("type": "revolute", "dh": {"convention": "craig"})", "cannot be \"craig\"");
  expect_refused(R"("type": "helical", "dh": {"convention": "classic"})", "no Denavit-Hartenberg");
  expect_refused(R"("type": "revolute", "dh": {"convention": "classic", "r": 1})", "no key \"r\"");
  expect_refused(planar_text + R"("damping": 1)", "a list of 3 numbers");
  expect_refused(planar_text + R"("damping": [1, 2])", "3 degrees of freedom");
  expect_refused(planar_text + R"("damping": [1, 2, "3"])", "entry 3");
  expect_refused(revolute_text + R"("damping": "1")", "must be a number");
  expect_refused(R"("type": "fixed", "damping": 1)", "fixed joint");
  expect_refused(revolute_text + R"("limits": [1, 2])", "must be an object");
  expect_refused(revolute_text + R"("limits": {"min": 1})", "no key \"min\"");
  expect_refused(revolute_text + R"("mimic": {"ratio": 1})", "follow");
  expect_refused(revolute_text + R"("mimic": "other")", "must be an object");
}

}  // namespace
}  // namespace axode::test::native_joint_test
