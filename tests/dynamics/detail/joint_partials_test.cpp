#include "axode/dynamics/detail/joint_partials.hpp"

#include <gtest/gtest.h>

#include <array>

#include "axode/model/builder.hpp"
#include "axode/model/joint_map.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/dual_state.hpp"
#include "tests/support/near.hpp"

namespace axode::test::joint_partials_test {
namespace {

using D = Dual<double>;

/// U and U' of joint i, by the maps of the joint alone.
struct RelativeMotion {
  Vec6<D> twist, acceleration;
};
RelativeMotion relative_motion(const Tree& tree, std::size_t i, const DualState& s) {
  const Link& link = tree.links[i];
  std::array<Vec6<D>, 12> screws{};
  const std::size_t n = link.nv, first = link.v;
  for (std::size_t k = 0; k < n; ++k) screws[k] = s.poses.screws[first + k];
  const std::array<const D*, 1> v{s.v.data()};
  joint_screw_derivatives<D>(tree, static_cast<int>(i), s.poses.q.data(), v, 1, screws.data());
  RelativeMotion m{};
  for (std::size_t k = 0; k < n; ++k) {
    m.twist += s.v[first + k] * screws[k];
    m.acceleration += s.a[first + k] * screws[k] + s.v[first + k] * screws[n + k];
  }
  return m;
}

/// Relative to b and to the parts of size `parts` it is the sum of.
double relative(const Vec6<double>& a, const Vec6<double>& b, double parts = 1) {
  return largest_difference(a, b) / (1 + parts + max_abs(b));
}

/// Largest error of all partial derivatives of all joints against dual numbers.
double worst_error(const MovingTree& r) {
  const Tree& tree = r.tree;
  const Poses<double> p = poses(tree, r.q);
  JointPartials<double> partials(tree);
  DualState by_q(tree), by_v(tree);
  const double speed = largest(r.v);
  double worst = 0;
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    joint_partials<double>(tree, static_cast<int>(i), p, r.v, r.a, partials);
    for (std::size_t k = 0; k < link.nv; ++k) {
      by_q.set(r, By::q, link.v + static_cast<int>(k));
      by_v.set(r, By::v, link.v + static_cast<int>(k));
      const RelativeMotion q = relative_motion(tree, i, by_q), v = relative_motion(tree, i, by_v);
      worst =
          std::max({worst, relative(partials.twist[k], dual_part(q.twist)),
                    relative(partials.acceleration[k], dual_part(q.acceleration), speed * speed),
                    relative(partials.acceleration_by_v[k], dual_part(v.acceleration), speed)});
      for (std::size_t m = 0; m < link.nv; ++m)
        worst = std::max(worst,
                         relative(partials.screws[k][m], dual_part(by_q.poses.screws[link.v + m])));
    }
  }
  return worst;
}

TEST(JointPartials, DualNumbersThroughTheJointMap) {
  double worst = 0;
  for_random_cases(60, [&](Random& random) {
    const double error = worst_error(random_moving_tree(random, 8));
    EXPECT_LT(error, 1e-12);
    worst = std::max(worst, error);
  });
  record("worst_relative_error", worst);
}

/// First kind, three rotations and three translations: at rest, with huge and tiny velocities, at
/// the zero configuration and after more than a turn.
TEST(JointPartials, FirstKindAtAllMagnitudes) {
  Random random(2);
  const Tree tree = TreeBuilder{}
                        .body("b", {})
                        .joint("j", free_joint({.coordinates = Coordinates::first_kind}))
                        .build();
  for (const double angle : {0., 1e-9, .1, 3., 10.})
    for (const double speed : {0., 1e-6, 1., 1e4}) {
      const MovingTree r{tree, random_velocities(random, tree, angle),
                         random_velocities(random, tree, speed), random_velocities(random, tree)};
      // The terms of the series, and with them rounding, grow with the square of angles.
      EXPECT_LT(worst_error(r), 1e-13 * (1 + angle * angle)) << angle << " " << speed;
    }
}

TEST(JointPartials, ZeroWhereScrewsAreConstant) {
  Random random(3);
  const Tree tree = TreeBuilder{}
                        .body("a", {})
                        .joint("free", free_joint())
                        .body("b", {})
                        .on("a")
                        .joint("ball", spherical())
                        .body("c", {})
                        .on("b")
                        .joint("hinge", revolute({.axis = {1, 2, 3}, .point = {0, 1, 0}}))
                        .build();
  const MovingTree r{tree, random_coordinates(random, tree), random_velocities(random, tree),
                     random_velocities(random, tree)};
  const Poses<double> p = poses(tree, r.q);
  JointPartials<double> partials(tree);
  for (int i = 0; i < 3; ++i) {
    for (auto& row : partials.screws) row.fill(random.vec6());
    partials.twist = partials.acceleration = partials.acceleration_by_v = partials.screws[0];
    joint_partials<double>(tree, i, p, r.v, r.a, partials);
    for (std::size_t k = 0; k < tree.links[i].nv; ++k) {
      EXPECT_EQ(max_abs(partials.twist[k]), 0);
      EXPECT_EQ(max_abs(partials.acceleration[k]), 0);
      EXPECT_EQ(max_abs(partials.acceleration_by_v[k]), 0);
      EXPECT_EQ(max_abs(partials.screws[k][0]), 0);
    }
  }
}

/// A universal joint, by hand: the first screw turns about the second, [S_1, S_2] = -z for the axes
/// x and y at q = 0.
TEST(JointPartials, UniversalJointByHand) {
  const Tree tree = TreeBuilder{}.body("b", {}).joint("j", universal()).build();
  const std::vector<double> q{0, 0}, v{2, 3}, a{0, 0};
  JointPartials<double> partials(tree);
  joint_partials<double>(tree, 0, poses(tree, q), v, a, partials);
  EXPECT_EQ(max_abs(partials.screws[0][0]) + max_abs(partials.screws[0][1]), 0);
  EXPECT_EQ(max_abs(partials.screws[1][1]), 0);
  expect_near(partials.screws[1][0], Vec6<double>{{0, 0, 1}, {}}, 1e-16);
  expect_near(partials.twist[1], Vec6<double>{{0, 0, 2}, {}}, 1e-16);
  // U = (2 cos q2, 3, 2 sin q2), U' = 3 dU/dq2, and so d U'/dq2 = 3 (-2 cos q2, 0, -2 sin q2).
  expect_near(partials.acceleration[1], Vec6<double>{{-6, 0, 0}, {}}, 1e-15);
}

TEST(JointPartials, AllocatesNothingOnceMade) {
  Random random(4);
  const MovingTree r = random_moving_tree(random, 40);
  const Poses<double> p = poses(r.tree, r.q);
  JointPartials<double> partials(r.tree);
  EXPECT_EQ(count_allocations([&] {
              for (int i = 0; i < r.tree.size(); ++i)
                joint_partials<double>(r.tree, i, p, r.v, r.a, partials);
            }),
            0);
}

}  // namespace
}  // namespace axode::test::joint_partials_test
