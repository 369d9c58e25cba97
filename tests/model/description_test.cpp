#include "axode/model/description.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/model/builder.hpp"

namespace axode::test::description_test {
namespace {

/// Readers fill in what a file says; the rest must mean what these files mean by silence.
TEST(Description, SilenceHasAMeaning) {
  EXPECT_EQ(TreeDescription{}.gravity, (Vec3<double>{0, 0, -9.81}));
  EXPECT_EQ(JointDescription{}.parent, "world");
  EXPECT_EQ(JointDescription{}.joint.type, JointType::fixed);
  EXPECT_EQ(JointDescription{}.placement.form, GeometryForm::zero_reference);
  EXPECT_EQ(FrameDescription{}.on, "world");
  EXPECT_EQ(BodyDescription{}.inertia.mass, 0);
  EXPECT_EQ(Mimic{}.ratio, 1);
  EXPECT_EQ(Mimic{}.offset, 0);
  EXPECT_EQ(Shape{}.scale, (Vec3<double>{1, 1, 1}));
  EXPECT_FALSE(Shape{}.collision);
  EXPECT_EQ(Dof{}.lower, -INFINITY);
}

TEST(Description, IsAllThatBuildNeeds) {
  TreeDescription d;
  d.bodies.push_back({.name = "a"});
  JointDescription j;
  j.name = "j";
  j.child = "a";
  d.joints.push_back(j);
  Warning warning;
  warning.text = "of the reader";
  d.warnings.push_back(warning);
  const Tree tree = build(d);
  EXPECT_EQ(tree.size(), 1);
  ASSERT_EQ(tree.warnings.size(), 1u);
  EXPECT_EQ(tree.warnings[0].text, "of the reader");
}

}  // namespace
}  // namespace axode::test::description_test
