#include "axode/kinematics/inverse/detail/target_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "axode/engine/kinematics_calls.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/models/arms.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::target_search_test {
namespace {

SE3<double> tool_pose(const Tree& tree, In<double> q) { return transform(tree, q, {.of = "tool"}); }

/// |r| after 0, 1, 2, ... iterations from q, until nothing is left of it.
std::vector<double> residual_history(const Tree& tree, const Target& target, In<double> q) {
  TargetSearch search(tree, std::span(&target, 1));
  std::vector<double> history;
  for (int k = 0; k < 40; ++k) {
    std::copy(q.begin(), q.end(), search.scratch.q.begin());
    const SearchOutcome outcome = search_from(tree, search,
                                              {.rotation_tolerance = 1e-300,
                                               .translation_tolerance = 1e-300,
                                               .iterations = k,
                                               .steepness = 0,
                                               .progress = 0});
    history.push_back(std::sqrt(2 * outcome.cost));
    if (history.back() < 1e-13) break;
  }
  return history;
}

/// e_(k+1) <= C e_k^2 with one C for all: the last step above rounding squares the error.
TEST(TargetSearch, ConvergesQuadratically) {
  double worst = 0;
  int measured = 0;
  for (const TargetKind kind :
       {TargetKind::pose, TargetKind::position, TargetKind::orientation, TargetKind::direction})
    for (const bool redundant : {false, true}) {
      const Tree tree = redundant ? seven_axis_arm(false) : six_axis_arm(false);
      std::mt19937_64 engine(3);
      for (int k = 0; k < 50; ++k) {
        std::vector<double> q = random_configuration(tree, engine);
        // Away from singularities, where the constant is moderate.
        q[1] = .5 + .1 * q[1], q[2] = -.5 + .1 * q[2], q[3] = .8 + .1 * q[3], q[4] = .9 + .1 * q[4],
        q[5] = .7;
        Target target = pose_target("tool", tool_pose(tree, q));
        target.kind = kind;
        target.along = target.pose.R * target.axis;
        for (double& x : q) x += .15;
        const std::vector<double> e = residual_history(tree, target, q);
        ASSERT_LT(e.back(), 1e-13);
        for (std::size_t i = 0; i + 1 < e.size(); ++i) {
          if (e[i] > 1e-2 || e[i] < 1e-6) continue;
          const double constant = (e[i + 1] - 1e-14) / (e[i] * e[i]);
          EXPECT_LT(constant, 100);
          worst = std::max(worst, constant);
          ++measured;
        }
      }
    }
  EXPECT_GT(measured, 400);
  record("worst_quadratic_constant", worst);
}

/// A body that can turn freely goes straight to orientations up to half a turn away.
TEST(TargetSearch, HalfTurns) {
  const Tree tree = TreeBuilder{}.body("a").joint("j", spherical()).build();
  for_random_cases(500, [&](Random& random) {
    const double angle =
        pi<double> - (random.integer(0, 1) == 0 ? 0 : random.log_uniform(1e-16, 1e-1));
    const Target target = orientation_target("a", exp(angle * random.unit()));
    TargetSearch search(tree, std::span(&target, 1));
    search.scratch.q = neutral(tree);
    const SearchOutcome outcome = search_from(tree, search, {});
    EXPECT_TRUE(outcome.converged);
    EXPECT_LE(outcome.iterations, 12);
  });
  const Target opposite = direction_target("a", {0, 0, 1}, {0, 0, -1});
  TargetSearch search(tree, std::span(&opposite, 1));
  search.scratch.q = neutral(tree);
  EXPECT_TRUE(search_from(tree, search, {}).converged);
}

/// At a target on the border of the workspace the Jacobian is singular: linear convergence, bounded
/// steps.
TEST(TargetSearch, StretchedArm) {
  const Tree tree = planar_arm({1, .7});
  const Target target = position_target("tool", {1.7 * std::cos(.4), 1.7 * std::sin(.4), 0});
  TargetSearch search(tree, std::span(&target, 1));
  for (const std::vector<double>& q : {std::vector<double>{0, 1}, {.4, 1e-9}, {-2, 0}, {3, -3}}) {
    search.scratch.q = q;
    const SearchOutcome outcome = search_from(tree, search, {});
    EXPECT_TRUE(outcome.converged);
    EXPECT_LE(outcome.iterations, 60);
    for (const double x : search.scratch.q) EXPECT_LT(std::abs(x), 10);
    // 1 - cos: an error of 1e-8 m is reached with angles of this size.
    EXPECT_NEAR(std::remainder(search.scratch.q[1], 2 * pi<double>), 0, 1e-3);
  }
}

TEST(TargetSearch, AllocatesNothing) {
  const Tree tree = seven_axis_arm(true);
  std::mt19937_64 engine(8);
  const std::vector<double> q = random_configuration(tree, engine);
  const Target target = pose_target("tool", tool_pose(tree, q));
  TargetSearch search(tree, std::span(&target, 1));
  SearchOutcome outcome;
  EXPECT_EQ(count_allocations([&] { outcome = search_from(tree, search, {}); }), 0);
  EXPECT_GT(outcome.iterations, 3);
}

TEST(TargetSearch, StopsAtTheIterationLimit) {
  const Tree tree = planar_arm({1, 1});
  const Target target = position_target("tool", {0, 1, 0});
  TargetSearch search(tree, std::span(&target, 1));
  const SearchOutcome outcome = search_from(tree, search, {.iterations = 1});
  EXPECT_EQ(outcome.iterations, 1);
  EXPECT_FALSE(outcome.converged || outcome.stuck);
}

TEST(TargetSearch, RefusesNothingToDo) {
  const Tree tree = planar_arm({1});
  expect_says(message([&] { TargetSearch(tree, {}); }), "there is no target; give one at least");
  const Target target = position_target("tool", {0, 1, 0});
  expect_says(message([&] { TargetSearch(tree, std::span(&target, 1), {.joints = {"j1"}}); }),
              "no joint is free to move; hold fewer joints");
}

}  // namespace
}  // namespace axode::test::target_search_test
