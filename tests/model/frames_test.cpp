#include "axode/model/frames.hpp"

#include <gtest/gtest.h>

#include "axode/model/builder.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::frames_test {
namespace {

Tree arm() {
  return TreeBuilder{"arm"}
      .body("upper")
      .joint("shoulder", revolute({}))
      .body("lower")
      .on("upper")
      .joint("elbow", revolute({}))
      .frame("tool", {.on = "lower", .at = translation(Vec3<double>{0, 0, 1})})
      .frame("table", {.at = translation(Vec3<double>{1, 0, 0})})
      .build();
}

TEST(Frames, FindsWorldBodiesAndNamedFrames) {
  const Tree tree = arm();
  EXPECT_EQ(simple_frame(tree, "world").body, -1);
  EXPECT_EQ(simple_frame(tree, "lower").body, 1);
  EXPECT_EQ(simple_frame(tree, "tool").body, 1);
  EXPECT_EQ(simple_frame(tree, "tool").T_BF.p.z, 1);
  EXPECT_EQ(simple_frame(tree, "table").body, -1);
  EXPECT_EQ(simple_frame(tree, "table").T_BF.p.x, 1);
}

TEST(Frames, CompositeFramesHaveTwoNames) {
  const Tree tree = arm();
  const FrameChoice f = frame(tree, origin_of("tool").axes_of("world"));
  EXPECT_EQ(f.origin.body, 1);
  EXPECT_EQ(f.axes.body, -1);
  const FrameChoice g = frame(tree, "tool");
  EXPECT_EQ(g.origin.T_BF, g.axes.T_BF);
  EXPECT_EQ(g.axes.body, 1);
}

TEST(Frames, ReadsTheNotation) {
  const Tree tree = arm();
  EXPECT_EQ(frame_from_text(tree, "tool").axes.body, 1);
  EXPECT_EQ(frame_from_text(tree, "tool[world]").origin.body, 1);
  EXPECT_EQ(frame_from_text(tree, "tool[world]").axes.body, -1);
  for (const char* bad : {"[world]", "tool[world", "tool[]", "tool[a]b"})
    expect_says(message([&] { frame_from_text(tree, bad); }), "write NAME, or NAME[AXES]");
  expect_says(message([&] { frame_from_text(tree, "tool[wrld]"); }), "'wrld'");
  expect_says(message([&] { frame_from_text(tree, "tol[world]"); }), "'tol'");
}

TEST(Frames, NamesMayHoldBrackets) {
  const Tree tree = TreeBuilder{}
                        .body("a[b]")
                        .joint("j", revolute({}))
                        .body("a")
                        .joint("k", revolute({}))
                        .body("b")
                        .joint("l", revolute({}))
                        .build();
  EXPECT_EQ(frame_from_text(tree, "a[b]").origin.body, 0);
  EXPECT_EQ(frame_from_text(tree, "a[b][world]").origin.body, 0);
  EXPECT_EQ(frame_from_text(tree, "a[b][world]").axes.body, -1);
  EXPECT_EQ(frame_from_text(tree, "a[a[b]]").origin.body, 1);
  EXPECT_EQ(frame_from_text(tree, "a[a[b]]").axes.body, 0);
}

TEST(Frames, UnknownNamesAreErrors) {
  expect_says(message([] { simple_frame(arm(), "tol"); }),
              "there is no frame or body 'tol'; did you mean 'tool'?");
  expect_says(message([] { frame(arm(), origin_of("tool").axes_of("wrld")); }), "'wrld'");
  const Tree plain = TreeBuilder{}.body("hand").joint("j", revolute({})).build();
  expect_says(message([&] { simple_frame(plain, "hamd"); }), "did you mean 'hand'?");
}

}  // namespace
}  // namespace axode::test::frames_test
