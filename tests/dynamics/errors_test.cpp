#include "axode/dynamics/errors.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/model/builder.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::errors_test {
namespace {

Tree three_joints() {
  return TreeBuilder{}
      .body("arm")
      .joint("swing", revolute({}))
      .body("plate")
      .on("arm")
      .joint("weld", fixed())
      .body("ball")
      .on("plate")
      .joint("socket", spherical())
      .build();
}

TEST(DynamicsErrors, BodyOfVelocityPassesOverFixedJoints) {
  const Tree tree = three_joints();
  EXPECT_EQ(detail::body_of_velocity(tree, 0), 0);
  for (const int k : {1, 2, 3}) EXPECT_EQ(detail::body_of_velocity(tree, k), 2);
}

TEST(DynamicsErrors, SingularNamesJointBodyAndRemedy) {
  const Tree tree = three_joints();
  const std::string one = message([&] { detail::throw_singular(tree, 0, "here"); });
  expect_says(one, "here: joint 'swing' moves no inertia along its degree of freedom");
  expect_says(one, "give body 'arm'");
  const std::string several = message([&] { detail::throw_singular(tree, 2, "here"); });
  expect_says(several, "joint 'socket' moves no inertia along one of its degrees of freedom");
  expect_says(several, "such as a quaternion");
}

TEST(DynamicsErrors, CouplingsAreKeptToRounding) {
  const Tree tree = TreeBuilder{}
                        .body("a")
                        .joint("lead", revolute({}))
                        .body("b")
                        .joint("follow", revolute({}))
                        .mimic("lead", 2, .5)
                        .build();
  const std::vector<double> q{.1, .7}, v{1e3, 2e3};
  const std::vector<double> nearly_q{.1, .7 + 5e-10}, nearly_v{1e3, 2e3 + 1e-6};
  EXPECT_NO_THROW(detail::check_couplings(tree, q, v, "here"));
  EXPECT_NO_THROW(detail::check_couplings(tree, nearly_q, nearly_v, "here"));
  const auto says = [&](const std::vector<double>& q_given, const std::vector<double>& v_given) {
    return message([&] { detail::check_couplings(tree, q_given, v_given, "here"); });
  };
  expect_says(says({.1, .7 + 2e-9}, v), "here: joint 'follow' does not follow its leader");
  expect_says(says(q, {1e3, 2e3 + 3e-6}), "here: joint 'follow' does not follow its leader");
  expect_says(says(q, {1e3, std::nan("")}), "joint 'follow'");
}

TEST(DynamicsErrors, ExternalWrenchesAreCountedAndFinite) {
  const Tree tree = three_joints();
  EXPECT_NO_THROW(detail::check_external(tree, {}, "here"));
  std::vector<Wrench<Rep::body>> wrenches(2);
  expect_says(message([&] { detail::check_external(tree, wrenches, "here"); }),
              "there are 2 external wrenches, the tree has 3 bodies");
  wrenches.resize(3);
  EXPECT_NO_THROW(detail::check_external(tree, wrenches, "here"));
  wrenches[1].linear.y = std::nan("");
  expect_says(message([&] { detail::check_external(tree, wrenches, "here"); }),
              "the external wrench on body 'plate' is not finite");
}

}  // namespace
}  // namespace axode::test::errors_test
