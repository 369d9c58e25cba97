#include "axode/kinematics/inverse/joint_variables.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/models/random_tree.hpp"

namespace axode::test::joint_variables_test {
namespace {

/// Three joints about z; the third follows the first, the second is free.
TreeBuilder coupled(double ratio, double offset) {
  TreeBuilder b;
  b.body("a").joint("lead", revolute({})).limits(-2, 2);
  b.body("b").on("a").joint("other", revolute({}));
  b.body("c").on("b").joint("follow", revolute({})).limits(-.5, .7).mimic("lead", ratio, offset);
  return b;
}

TEST(JointVariables, FollowersHaveNoneAndNarrowTheirLeader) {
  const Tree tree = coupled(.5, .1).build();
  const JointVariables x(tree);
  ASSERT_EQ(x.size(), 2);
  EXPECT_EQ(x.variables[0].velocity, 0);
  EXPECT_EQ(x.variables[1].velocity, 1);
  EXPECT_NEAR(x.variables[0].lower, -1.2, 1e-15);
  EXPECT_NEAR(x.variables[0].upper, 1.2, 1e-15);
  EXPECT_EQ(x.variables[0].lower_of, 2);
  EXPECT_EQ(x.variables[0].upper_of, 2);
  EXPECT_EQ(x.variables[1].upper, HUGE_VAL);
  EXPECT_EQ(x.variable_of, (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(x.ratio, (std::vector<double>{1, 1, .5}));
}

TEST(JointVariables, NegativeRatiosSwapTheBounds) {
  const JointVariables x(coupled(-.5, 0).build());
  EXPECT_NEAR(x.variables[0].lower, -1.4, 1e-15);
  EXPECT_NEAR(x.variables[0].upper, 1, 1e-15);
}

/// To the last bit, for followers too.
TEST(JointVariables, LimitsHoldExactlyWhateverTheStep) {
  for_random_cases(5000, [](Random& random) {
    const Tree tree = coupled(random.uniform(.1, 3) * (random.integer(0, 1) == 0 ? 1 : -1),
                              random.uniform(-.3, .3))
                          .build();
    JointVariables x(tree);
    std::vector<double> q(3, 0);
    enforce(tree, x, q);
    move(tree, x, q, std::vector<double>{random.uniform(-5, 5), random.uniform(-5, 5)}, q);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_GE(q[k], tree.dofs[k].lower);
      EXPECT_LE(q[k], tree.dofs[k].upper);
    }
    EXPECT_LE(coupling_error(tree, q).error, 1e-15);
  });
}

TEST(JointVariables, HeldJointsStayAndHoldThoseCoupled) {
  const Tree tree = coupled(.5, .1).build();
  for (const char* name : {"lead", "follow"}) {
    JointVariables x(tree, {.joints = {name}});
    ASSERT_EQ(x.size(), 1);
    std::vector<double> q{.4, .1, 0};
    move(tree, x, q, std::vector<double>{1}, q);
    EXPECT_EQ(q[0], .4);
    EXPECT_NEAR(q[1], 1.1, 1e-15);
    EXPECT_NEAR(q[2], .3, 1e-15);
  }
  const Tree floating = TreeBuilder{}
                            .body("base")
                            .joint("float", free_joint())
                            .body("arm")
                            .on("base")
                            .joint("shoulder", revolute({}))
                            .build();
  EXPECT_EQ(JointVariables(floating).size(), 7);
  EXPECT_EQ(JointVariables(floating, {.base = true}).size(), 1);
}

TEST(JointVariables, StepsOfQuaternionsStayOnTheGroup) {
  for_random_cases(200, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 10));
    JointVariables x(tree);
    const std::vector<double> q = random_coordinates(random, tree);
    std::vector<double> d = random_velocities(random, tree), expected(q.size()), moved(q.size());
    plus<double>(tree, q, d, expected);
    move(tree, x, q, d, moved);
    check_configuration(tree, moved);
    EXPECT_EQ(moved, expected);
  });
}

TEST(JointVariables, RandomStartsAreWithinLimitsAndRepeat) {
  const Tree tree = TreeBuilder{}
                        .body("base")
                        .joint("float", free_joint())
                        .body("a")
                        .on("base")
                        .joint("hip", spherical())
                        .body("b")
                        .on("a")
                        .joint("knee", revolute({}))
                        .limits(.2, .3)
                        .body("c")
                        .on("b")
                        .joint("slide", prismatic({}))
                        .body("d")
                        .on("c")
                        .joint("stop", revolute({}))
                        .limits(1, HUGE_VAL)
                        .build();
  const JointVariables x(tree);
  std::vector<double> about = neutral(tree), q(about.size()), again(about.size());
  about[5] = 3;
  std::mt19937_64 first(4), second(4);
  for (int k = 0; k < 1000; ++k) {
    random_start(tree, x, about, first, q);
    check_configuration(tree, q);
    EXPECT_TRUE(std::equal(q.begin(), q.begin() + 7, about.begin()));  // the base keeps its place
    EXPECT_GE(q[11], .2);
    EXPECT_LE(q[11], .3);
    EXPECT_LE(std::abs(q[12] - about[12]), 1);
    EXPECT_GE(q[13], 1);
    random_start(tree, x, about, second, again);
    EXPECT_EQ(q, again);
  }
  EXPECT_EQ(count_allocations([&] { random_start(tree, x, about, first, q); }), 0);
}

TEST(JointVariables, RefusesContradictions) {
  expect_says(message([] { JointVariables(coupled(.1, 5).build()); }),
              "joint 'lead': its limits and those of the joints coupled with it leave no position; "
              "widen the limits of 'follow'");
  expect_says(message([] { JointVariables(coupled(0, 5).build()); }), "leave no position");
  const Tree tree = coupled(.5, 0).build();
  expect_says(message([&] { JointVariables(tree, {.joints = {"leed"}}); }), "leed");
  const JointVariables x(tree, {.joints = {"lead"}});
  expect_says(message([&] {
                check_held(tree, x, std::vector<double>{1.9, 0, 0});
              }),
              "joint 'follow': it is held at 0.95");
}

}  // namespace
}  // namespace axode::test::joint_variables_test
