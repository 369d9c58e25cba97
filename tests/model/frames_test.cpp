#include "axode/model/frames.hpp"

#include <gtest/gtest.h>

#include "axode/model/builder.hpp"
#include "tests/support/errors.hpp"

namespace axode::test {
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
  EXPECT_EQ(frame_name_from_text("tool").axes, "tool");
  EXPECT_EQ(frame_name_from_text("tool[world]").origin, "tool");
  EXPECT_EQ(frame_name_from_text("tool[world]").axes, "world");
  for (const char* bad : {"[world]", "tool[world", "tool[]", "tool[a]b"})
    expect_says(message([&] { frame_name_from_text(bad); }), "write NAME, or NAME[AXES]");
}

TEST(Frames, UnknownNamesAreErrors) {
  expect_says(message([] { simple_frame(arm(), "tol"); }),
              "there is no frame or body 'tol'; did you mean 'tool'?");
  expect_says(message([] { frame(arm(), origin_of("tool").axes_of("wrld")); }), "'wrld'");
  const Tree plain = TreeBuilder{}.body("hand").joint("j", revolute({})).build();
  expect_says(message([&] { simple_frame(plain, "hamd"); }), "did you mean 'hand'?");
}

}  // namespace
}  // namespace axode::test
