#include "axode/model/state.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "axode/kinematics/poses.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::state_test {
namespace {

std::vector<double> scaled(std::vector<double> a, double s) {
  for (double& x : a) x *= s;
  return a;
}

/// A free body that carries a gripper of two coupled fingers.
Tree gripper() {
  TreeBuilder builder("gripper");
  builder.body("palm").joint("base", free_joint({}));
  builder.body("left").on("palm").joint("left finger", prismatic({.axis = {1, 0, 0}}));
  builder.body("right")
      .on("palm")
      .joint("right finger", prismatic({.axis = {1, 0, 0}}))
      .mimic("left finger", -1, .1);
  builder.body("sensor").on("palm").joint("mount", fixed());
  return builder.build();
}

TEST(State, NumbersAreNamedByTheirJoints) {
  const Tree tree = gripper();
  const std::vector<std::string> q{"base[0]", "base[1]", "base[2]",     "base[3]",     "base[4]",
                                   "base[5]", "base[6]", "left finger", "right finger"};
  EXPECT_EQ(coordinate_names(tree), q);
  const std::vector<std::string> v{"base[0]", "base[1]", "base[2]",     "base[3]",
                                   "base[4]", "base[5]", "left finger", "right finger"};
  EXPECT_EQ(velocity_names(tree), v);
}

TEST(State, JointsAreSetByName) {
  const Tree tree = gripper();
  const std::vector<JointNumbers> q{{"left finger", {.02}}, {"base", {0, 1, 0, 0, .1, .2, .3}}};
  EXPECT_EQ(configuration(tree, q), (std::vector<double>{0, 1, 0, 0, .1, .2, .3, .02, -.02 + .1}));
  EXPECT_EQ(configuration(tree, {}), neutral(tree));
  const std::vector<JointNumbers> v{{"left finger", {.5}}};
  EXPECT_EQ(velocity(tree, v), (std::vector<double>{0, 0, 0, 0, 0, 0, .5, -.5}));
}

TEST(State, NamesOfJointsThatAreNotThere) {
  const Tree tree = gripper();
  const auto says = [&](std::vector<JointNumbers> joints, const char* text) {
    expect_says(message([&] { configuration(tree, joints); }), text);
  };
  says({{"left fingr", {0}}}, "did you mean 'left finger'?");
  says({{"right finger", {0}}}, "joint 'right finger': follows joint 'left finger'");
  says({{"base", {1, 0, 0}}}, "joint 'base': has 7 numbers, not 3");
  says({{"base", {1, 1, 0, 0, 0, 0, 0}}}, "quaternion");
  says({{"mount", {0}}}, "joint 'mount': has 0 numbers, not 1");
  says({{"left finger", {0}}, {"left finger", {0}}}, "stands twice");
  says({{"left finger", {NAN}}}, "not finite");
}

TEST(State, NeutralIsTheZeroConfiguration) {
  for_random_cases(100, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 20));
    const Poses<double> p = poses(tree, neutral(tree));
    for (int i = 0; i < tree.size(); ++i) expect_near(p.T_WB[i], zero_reference(tree, i).A, 1e-12);
  });
}

TEST(State, DifferenceUndoesPlus) {
  for_random_cases(1000, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 10));
    const std::vector<double> q = random_coordinates(random, tree),
                              d = random_velocities(random, tree);
    std::vector<double> moved(q.size()), back(d.size());
    plus(tree, q, d, moved);
    difference(tree, q, moved, back);
    expect_near(back, d, 1e-14 * 100);
  });
}

/// Two half steps are one, and the speed at the start is coordinate_rate.
TEST(State, PlusFollowsAConstantVelocity) {
  for_random_cases(500, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 10));
    const std::vector<double> q = random_coordinates(random, tree),
                              d = random_velocities(random, tree);
    std::vector<double> once(q.size()), twice(q.size()), rate(q.size());
    plus(tree, q, d, once);
    plus(tree, q, scaled(d, .5), twice);
    plus(tree, twice, scaled(d, .5), twice);
    expect_near(twice, once, 1e-14);
    coordinate_rate(tree, q, d, rate);
    const double h = 1e-4;
    std::vector<double> after(q.size()), before(q.size());
    plus(tree, q, scaled(d, h), after);
    plus(tree, q, scaled(d, -h), before);
    for (std::size_t k = 0; k < q.size(); ++k)  // error h^2/6 of the third derivative, and rounding
      EXPECT_NEAR((after[k] - before[k]) / (2 * h), rate[k], 1e-7);
  });
}

TEST(State, RandomStaysWithinLimits) {
  const Tree tree = TreeBuilder{}
                        .body("a")
                        .joint("ja", revolute({}))
                        .limits(.5, .75)
                        .body("b")
                        .joint("jb", prismatic({}))
                        .limits(2, INFINITY)
                        .body("c")
                        .joint("jc", revolute({}))
                        .mimic("ja", -2, 1)
                        .body("d")
                        .joint("jd", spherical())
                        .build();
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i) {
    const std::vector<double> q = random_configuration(tree, random);
    check_configuration(tree, q);
    EXPECT_GE(q[0], .5);
    EXPECT_LE(q[0], .75);
    EXPECT_GE(q[1], 2);
    EXPECT_LE(q[1], 4);
    EXPECT_EQ(q[2], -2 * q[0] + 1);
    EXPECT_EQ(coupling_error(tree, q).error, 0);
  }
}

Tree geared() {
  return TreeBuilder{}
      .body("a")
      .joint("ja", revolute({}))
      .mimic("jc", 2, .5)
      .body("b")
      .joint("jb", spherical())
      .body("c")
      .joint("jc", revolute({}))
      .body("d")
      .joint("jd", revolute({}))
      .mimic("ja", 3, 0)
      .build();
}

TEST(State, RandomKeepsTheLimitsOfFollowers) {
  const double huge = 1.7e308;
  const Tree tree = TreeBuilder{}
                        .body("a")
                        .joint("ja", revolute({}))
                        .limits(-huge, huge)
                        .body("b")
                        .joint("jb", revolute({}))
                        .mimic("ja", -2, .5)
                        .limits(-1, 1)
                        .build();
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i) {
    const std::vector<double> q = random_configuration(tree, random);
    EXPECT_LE(std::abs(q[1]), 1 + 1e-15);
    EXPECT_EQ(q[1], -2 * q[0] + .5);
  }
}

/// An upper limit alone: a range as wide as without limits, below it, and all of that.
TEST(State, RandomKeepsUpperLimitsAlone) {
  const Tree tree = TreeBuilder{}
                        .body("a")
                        .joint("ja", prismatic({}))
                        .limits(-HUGE_VAL, -2)
                        .body("b")
                        .joint("jb", revolute({}))
                        .limits(-HUGE_VAL, 10)
                        .build();
  const std::array<double, 2> upper{-2, 10}, width{2, 2 * pi<double>};
  std::array<double, 2> least{100, 100}, most{-100, -100};
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i) {
    const std::vector<double> q = random_configuration(tree, random);
    for (std::size_t k = 0; k < 2; ++k) {
      least[k] = std::min(least[k], q[k]);
      most[k] = std::max(most[k], q[k]);
    }
  }
  for (std::size_t k = 0; k < 2; ++k) {  // 1000 numbers leave a gap of 2 % with odds of 1e-9
    EXPECT_LE(most[k], upper[k]);
    EXPECT_GE(most[k], upper[k] - .02 * width[k]);
    EXPECT_GE(least[k], upper[k] - width[k]);
    EXPECT_LE(least[k], upper[k] - .98 * width[k]);
  }
}

TEST(State, NeutralObeysTheCouplings) {
  const Tree tree = geared();
  const std::vector<double> q = neutral(tree);
  EXPECT_EQ(q, (std::vector<double>{.5, 1, 0, 0, 0, 0, 1.5}));
  EXPECT_EQ(coupling_error(tree, q).error, 0);
}

TEST(State, IndependentCoordinatesLeadTheOthers) {
  const Tree tree = geared();
  EXPECT_EQ(independent_nq(tree), 5);
  EXPECT_EQ(independent_nv(tree), 4);
  const std::vector<double> few{1, 0, 0, 0, .25};
  const std::vector<double> q = expand_configuration(tree, few);
  EXPECT_EQ(q, (std::vector<double>{1, 1, 0, 0, 0, .25, 3}));
  EXPECT_EQ(independent_configuration(tree, q), few);
  const std::vector<double> v = expand_velocity(tree, std::vector<double>{1, 2, 3, 4});
  EXPECT_EQ(v, (std::vector<double>{8, 1, 2, 3, 4, 24}));
  EXPECT_EQ(independent_velocity(tree, v), (std::vector<double>{1, 2, 3, 4}));
}

/// reduce_force is the transpose of expand_velocity: the same power.
TEST(State, ReducedForcesDoTheSameWork) {
  const Tree tree = geared();
  Random random(3);
  const auto dot = [](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
    return sum;
  };
  const std::vector<double> f = random_velocities(random, tree), u{.1, -.2, .3, .7};
  EXPECT_NEAR(dot(f, expand_velocity(tree, u)), dot(reduce_force(tree, f), u), 1e-15 * 100);
}

TEST(State, CouplingErrorNamesTheFollower) {
  const Tree tree = geared();
  std::vector<double> q = expand_configuration(tree, std::vector<double>{1, 0, 0, 0, .25});
  q[6] += .125;
  EXPECT_EQ(coupling_error(tree, q).error, .125);
  EXPECT_EQ(coupling_error(tree, q).body, 3);
}

TEST(State, ChecksNameTheJoint) {
  const Tree tree = geared();
  expect_says(message([&] { check_velocity(tree, std::vector<double>(2)); }),
              "v: it has 2 numbers, the tree has 6 velocities");
  std::vector<double> v(6);
  v[4] = NAN;
  expect_says(message([&] { check_velocity(tree, v, "qd"); }), "qd: number 4, of joint 'jc'");
  std::vector<double> q = neutral(tree);
  q[1] = 1.1;
  expect_says(message([&] { check_configuration(tree, q); }), "joint 'jb' has length 1.1");
  for (const double length : {1 - 1.1e-6, 1 + 1.1e-6}) {
    q[1] = length;
    expect_says(message([&] { check_configuration(tree, q); }), "joint 'jb' has length");
  }
  for (const double length : {1 - .9e-6, 1 + .9e-6}) {
    q[1] = length;
    EXPECT_NO_THROW(check_configuration(tree, q));
  }
  expect_says(message([&] { expand_configuration(tree, std::vector<double>(7)); }),
              "it has 7 numbers, the tree has 5 independent coordinates");
}

TEST(State, WrittenNumbersAreCompletedAndMadeExact) {
  const Tree tree = geared();
  std::vector<double> q = neutral(tree), exact = q;
  const int leader = tree.links[tree.couplings[0].leader].q;
  const int follower = tree.links[tree.couplings[0].follower].q;
  const Coupling& c = tree.couplings[0];
  exact[leader] = 1. / 3;
  for (const Coupling& other : tree.couplings)
    exact[tree.links[other.follower].q] = other.ratio / 3 + other.offset;
  q = exact;
  std::vector<char> given(q.size(), 1);
  const auto completed = [&](double wrong, double length) {
    std::vector<double> x = q;
    x[follower] += wrong * std::max(1., std::abs(exact[follower]));
    x[1] *= length;
    complete_configuration(tree, given, x, "--q");
    return x;
  };
  for (const double wrong : {0., .9e-3, -.9e-3})
    for (const double length : {1., .991, 1.009}) {
      const std::vector<double> x = completed(wrong, length);
      EXPECT_EQ(x[follower], exact[follower]);
      EXPECT_NEAR(x[1], 1, 1e-15);
      EXPECT_LE(coupling_error(tree, x).error, 1e-9) << "as evaluations demand";
    }
  const std::string name = tree.bodies[c.follower].joint_name;
  expect_says(message([&] { completed(1.1e-3, 1); }), "--q: joint '" + name + "' follows '");
  expect_says(message([&] { completed(0, 1.011); }), "quaternion of joint 'jb'");
  given[follower] = 0;
  EXPECT_EQ(completed(7, 1)[follower], exact[follower]) << "not given";
  std::vector<double> v(tree.nv);
  v[tree.links[c.leader].v] = 2;
  complete_velocity(tree, std::vector<char>(v.size()), v);
  EXPECT_EQ(v[tree.links[c.follower].v], 2 * c.ratio);
}

}  // namespace
}  // namespace axode::test::state_test
