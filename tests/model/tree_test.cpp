#include "axode/model/tree.hpp"

#include <gtest/gtest.h>

#include "axode/model/builder.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::tree_test {
namespace {

Tree robot() {
  return TreeBuilder{"robot"}
      .body("shoulder")
      .joint("shoulder_pan", revolute({}))
      .body("elbow")
      .on("shoulder")
      .joint("elbow_flex", revolute({}))
      .body("head")
      .joint("neck", revolute({}))
      .body("hand")
      .on("elbow")
      .joint("wrist", revolute({}))
      .body("finger")
      .on("elbow")
      .joint("grip", revolute({}))
      .frame("tool", {.on = "hand"})
      .build();
}

TEST(Tree, FindsByName) {
  const Tree tree = robot();
  EXPECT_EQ(body_index(tree, "head"), 2);
  EXPECT_EQ(joint_index(tree, "wrist"), 3);
  EXPECT_EQ(frame_index(tree, "tool"), 0);
}

TEST(Tree, ProposesTheMostSimilarName) {
  const Tree tree = robot();
  expect_says(message([&] { body_index(tree, "elbw"); }),
              "tree 'robot': there is no body 'elbw'; did you mean 'elbow'?");
  expect_says(message([&] { joint_index(tree, "shoulder_pam"); }), "'shoulder_pan'?");
  expect_says(message([&] { frame_index(tree, "qqqqqqqqqqqqqqqqqqq"); }), "axode info");
  expect_says(message([&] { body_index(tree, std::string(1 << 20, 'x')); }), "axode info");
}

TEST(Tree, ListsChildren) {
  const Tree tree = robot();
  const Children c = children(tree);
  const auto of = [&](int i) {
    return std::vector<int>(c.children.begin() + c.first[i + 1],
                            c.children.begin() + c.first[i + 2]);
  };
  EXPECT_EQ(of(-1), (std::vector{0, 2}));
  EXPECT_EQ(of(0), (std::vector{1}));
  EXPECT_EQ(of(1), (std::vector{3, 4}));
  EXPECT_EQ(of(2), (std::vector<int>{}));
  EXPECT_EQ(of(4), (std::vector<int>{}));
}

TEST(Tree, MayBeEmpty) {
  const Tree tree = TreeBuilder{}.build();
  EXPECT_EQ(tree.size(), 0);
  EXPECT_EQ(children(tree).children.size(), 0u);
}

}  // namespace
}  // namespace axode::test::tree_test
