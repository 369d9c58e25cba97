#include "axode/simulate/forces/trajectory.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/core/error.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::trajectory_test {
namespace {

struct Point {
  explicit Point(const Tree& tree) : q(tree.nq), v(tree.nv), a(v) {}
  std::vector<double> q, v, a;
};
Point at(const Tree& tree, const Trajectory& trajectory, double t) {
  Point p(tree);
  sample(tree, trajectory, t, p.q, p.v, p.a);
  return p;
}
Tree slide() { return TreeBuilder("s").body("b", {.mass = 1}).joint("j", prismatic({})).build(); }

TEST(Trajectory, MinimumJerkIsThePolynomial) {
  const Tree tree = slide();
  const Trajectory f = trajectory(tree, Trajectory::Kind::minimum_jerk, {1, 3}, {{2}, {6}});
  EXPECT_EQ(at(tree, f, 0).q[0], 2);
  EXPECT_EQ(at(tree, f, 9).q[0], 6);
  EXPECT_DOUBLE_EQ(at(tree, f, 2).q[0], 4);
  EXPECT_DOUBLE_EQ(at(tree, f, 2).v[0], 15.0 / 8 * 4 / 2);  // 15/8 of the mean velocity
  EXPECT_DOUBLE_EQ(at(tree, f, 2).a[0], 0);
  EXPECT_NEAR(at(tree, f, 1 + 1e-9).a[0], 0, 1e-6);
  EXPECT_EQ(next_switch(f, 0), 1);
  EXPECT_EQ(next_switch(f, 1), 3);
}

TEST(Trajectory, CubicPassesAllPointsAndIsTwiceDifferentiable) {
  const Tree tree = slide();
  const std::vector<double> times{0, 1, 1.5, 4, 5};
  const std::vector<std::vector<double>> points{{0}, {1}, {-1}, {2}, {2}};
  const Trajectory f = trajectory(tree, Trajectory::Kind::cubic, times, points);
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_NEAR(at(tree, f, times[i]).q[0], points[i][0], 1e-14);
    if (i == 0 || i + 1 == times.size()) {
      EXPECT_NEAR(at(tree, f, times[i]).v[0], 0, 1e-13);
      continue;
    }
    const Point left = at(tree, f, times[i] - 1e-9), right = at(tree, f, times[i] + 1e-9);
    EXPECT_NEAR(left.v[0], right.v[0], 1e-6);
    EXPECT_NEAR(left.a[0], right.a[0], 1e-6);
  }
}

TEST(Trajectory, VelocitiesAreThoseOfTheCoordinates) {
  Random random(4);
  const Tree tree = random_tree(random, 6);
  for (const auto kind : {Trajectory::Kind::cubic, Trajectory::Kind::minimum_jerk}) {
    std::vector<std::vector<double>> points(4);
    for (auto& point : points) point = random_coordinates(random, tree);
    const Trajectory f = trajectory(tree, kind, {0, 1, 2.5, 3}, points);
    for (const double t : {.2, .9, 1.7, 2.8}) {
      const double h = 1e-4;
      const Point p = at(tree, f, t), more = at(tree, f, t + h), less = at(tree, f, t - h);
      std::vector<double> d(p.v.size());
      difference<double>(tree, p.q, more.q, d);
      std::vector<double> e(p.v.size());
      difference<double>(tree, p.q, less.q, e);
      for (std::size_t k = 0; k < d.size(); ++k) {
        EXPECT_NEAR((d[k] - e[k]) / (2 * h), p.v[k], 2e-5);
        EXPECT_NEAR((more.v[k] - less.v[k]) / (2 * h), p.a[k], 2e-4);
      }
    }
  }
}

TEST(Trajectory, HoldsAndRefuses) {
  const Tree tree = slide();
  const Trajectory f = hold(tree, {3});
  EXPECT_EQ(at(tree, f, -5).q[0], 3);
  EXPECT_TRUE(std::isinf(next_switch(f, -5)));
  EXPECT_THROW(trajectory(tree, Trajectory::Kind::cubic, {0, 0}, {{1}, {2}}), Error);
  EXPECT_THROW(trajectory(tree, Trajectory::Kind::cubic, {0}, {{1}, {2}}), Error);
  EXPECT_THROW(hold(tree, {1, 2}), Error);
  Point p(tree);
  const Trajectory g = trajectory(tree, Trajectory::Kind::cubic, {0, 1}, {{1}, {2}});
  EXPECT_EQ(count_allocations([&] { sample(tree, g, .5, p.q, p.v, p.a); }), 0);
}

}  // namespace
}  // namespace axode::test::trajectory_test
