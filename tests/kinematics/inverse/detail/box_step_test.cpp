#include "axode/kinematics/inverse/detail/box_step.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/allocations.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::box_step_test {
namespace {

struct Problem {
  int n;
  std::vector<double> H, g, lower, upper;
};

/// H = J^T J of a random J, often of less rows than columns.
Problem random_problem(Random& random, int largest) {
  const int n = random.integer(1, largest), m = random.integer(1, largest);
  const std::size_t size = n;
  std::vector<double> J(size * std::size_t(m));
  for (double& x : J) x = random.uniform(-1, 1);
  Problem p{n, std::vector<double>(size * size), {}, {}, {}};
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < m; ++k) p.H[i * n + j] += J[i * m + k] * J[j * m + k];
    p.g.push_back(random.uniform(-1, 1));
    p.lower.push_back(random.integer(0, 3) == 0 ? -HUGE_VAL : -random.uniform(0, .5));
    p.upper.push_back(random.integer(0, 3) == 0 ? HUGE_VAL : random.uniform(0, .5));
    if (random.integer(0, 4) == 0) p.lower.back() = 0;
    if (random.integer(0, 4) == 0) p.upper.back() = 0;
  }
  return p;
}

/// The problem is strictly convex: the conditions of Karush, Kuhn and Tucker hold at its solution
/// alone. `scale` of the rounding of the slope.
void expect_minimum(const Problem& p, double damping, std::span<const double> d, double tolerance) {
  for (std::size_t i = 0; i < d.size(); ++i) {
    double slope = p.g[i] + damping * d[i];
    for (std::size_t j = 0; j < d.size(); ++j) slope += p.H[i * d.size() + j] * d[j];
    ASSERT_GE(d[i], p.lower[i]);
    ASSERT_LE(d[i], p.upper[i]);
    if (d[i] > p.lower[i]) {
      EXPECT_LT(slope, tolerance) << i;
    }
    if (d[i] < p.upper[i]) {
      EXPECT_GT(slope, -tolerance) << i;
    }
  }
}

TEST(BoxStep, MeetsTheConditionsOfTheMinimum) {
  for_random_cases(20'000, [](Random& random) {
    const Problem p = random_problem(random, 8);
    BoxStepWork work(p.n);
    std::vector<double> d(p.n);
    const double damping = random.log_uniform(1e-6, 1);
    EXPECT_TRUE(box_step(p.H, p.g, damping, p.lower, p.upper, work, d));
    // The step is at most |g| / damping long where nothing bounds it; slopes round relative to it.
    expect_minimum(p, damping, d, 1e-13 + 1e-15 * 8 * 8 / damping);
  });
}

TEST(BoxStep, WithoutBoundsItIsTheDampedSolution) {
  // (4 + 1) d = -2
  BoxStepWork work(1);
  std::vector<double> d(1);
  const std::vector<double> H{4}, g{2}, low{-HUGE_VAL}, high{HUGE_VAL};
  box_step(H, g, 1, low, high, work, d);
  EXPECT_DOUBLE_EQ(d[0], -.4);
}

TEST(BoxStep, BoundsAreMetExactly) {
  BoxStepWork work(2);
  std::vector<double> d(2);
  const std::vector<double> H{1, 0, 0, 1}, g{-5, 5}, low{-1, -.1}, high{.3, 1};
  box_step(H, g, 1e-9, low, high, work, d);
  EXPECT_EQ(d[0], .3);
  EXPECT_EQ(d[1], -.1);
}

TEST(BoxStep, NoRoomAtAll) {
  BoxStepWork work(2);
  std::vector<double> d{7, 7};
  const std::vector<double> H{1, 0, 0, 1}, g{-5, 5}, zero{0, 0};
  EXPECT_TRUE(box_step(H, g, 1e-9, zero, zero, work, d));
  EXPECT_EQ(d, zero);
}

TEST(BoxStep, AllocatesNothingOnceMade) {
  Random random(3);
  const Problem p = random_problem(random, 12);
  BoxStepWork work(p.n);
  std::vector<double> d(p.n);
  EXPECT_EQ(count_allocations([&] { box_step(p.H, p.g, 1e-3, p.lower, p.upper, work, d); }), 0);
}

}  // namespace
}  // namespace axode::test::box_step_test
