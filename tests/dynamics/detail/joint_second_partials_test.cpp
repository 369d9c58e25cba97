#include "axode/dynamics/detail/joint_second_partials.hpp"

#include <gtest/gtest.h>

#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/dual_state.hpp"
#include "tests/support/near.hpp"

namespace axode::test::joint_second_partials_test {
namespace {

using D = Dual<double>;

/// Relative to b and to the parts of size `parts` it is the sum of.
double relative(const Vec6<double>& a, const Vec6<D>& b, double parts = 1) {
  return largest_difference(a, dual_part(b)) / (1 + parts + max_abs(dual_part(b)));
}

/// Largest error of all second derivatives of all joints against first ones in dual numbers.
double worst_error(const MovingTree& r) {
  const Tree& tree = r.tree;
  const Poses<double> p = poses(tree, r.q);
  JointPartials<double> first(tree);
  JointSecondPartials<double> second(tree);
  DualState s(tree);
  JointPartials<D> dual(tree);
  const double speed = largest(r.v);
  double worst = 0;
  for (int i = 0; i < tree.size(); ++i) {
    const Link& link = tree.links[i];
    joint_partials<double>(tree, i, p, r.v, r.a, first);
    joint_second_partials<double>(tree, i, p, r.v, r.a, first, second);
    for (std::size_t m = 0; m < link.nv; ++m) {
      s.set(r, By::q, link.v + static_cast<int>(m));
      joint_partials<D>(tree, i, s.poses, s.v, s.a, dual);
      for (std::size_t k = 0; k < link.nv; ++k) {
        worst =
            std::max({worst, relative(second.twist[m][k], dual.twist[k], speed),
                      relative(second.acceleration[m][k], dual.acceleration[k], speed * speed),
                      relative(second.acceleration_by_v[m][k], dual.acceleration_by_v[k], speed)});
        for (std::size_t l = 0; l < link.nv; ++l)
          worst = std::max(worst, relative(second.screws[m][k][l], dual.screws[k][l]));
      }
    }
  }
  return worst;
}

TEST(JointSecondPartials, DualNumbersThroughFirstDerivatives) {
  double worst = 0;
  for_random_cases(60, [&](Random& random) {
    const double error = worst_error(random_moving_tree(random, 8));
    EXPECT_LT(error, 1e-12);
    worst = std::max(worst, error);
  });
  record("worst_relative_error", worst);
}

/// At rest, with huge and tiny velocities, at the zero configuration and after more than a turn.
TEST(JointSecondPartials, FirstKindAtAllMagnitudes) {
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

/// Coordinates commute; the velocities of a free joint in hybrid form do not: turning about x, then
/// y is not turning about y, then x, and the difference is to first order a turn about -z, since the
/// turns are about axes fixed in space.
TEST(JointSecondPartials, OrderMattersInFreeJointsAlone) {
  Random random(3);
  for (const Joint& joint :
       {free_joint({.coordinates = Coordinates::second_kind}),
        free_joint({.coordinates = Coordinates::first_kind}), free_joint({.velocity = Rep::hybrid}),
        free_joint({.velocity = Rep::spatial})}) {
    const Tree tree = TreeBuilder{}.body("b", {}).joint("j", joint).build();
    const MovingTree r{tree, random_coordinates(random, tree), random_velocities(random, tree),
                       random_velocities(random, tree)};
    const Poses<double> p = poses(tree, r.q);
    JointPartials<double> first(tree);
    JointSecondPartials<double> second(tree);
    joint_partials<double>(tree, 0, p, r.v, r.a, first);
    joint_second_partials<double>(tree, 0, p, r.v, r.a, first, second);
    const Vec6<double> bracket = second.acceleration[0][1] - second.acceleration[1][0];
    if (joint.coordinates == Coordinates::quaternion)
      expect_near(bracket, -first.acceleration[2], 1e-13);
    else
      expect_near(bracket, Vec6<double>{}, 1e-13);
  }
}

TEST(JointSecondPartials, ZeroWhereScrewsAreConstant) {
  Random random(4);
  const Tree tree = TreeBuilder{}.body("b", {}).joint("j", spherical()).build();
  const std::vector<double> v{1, 2, 3};
  JointPartials<double> first(tree);
  JointSecondPartials<double> second(tree);
  for (auto& rows : second.screws)
    for (auto& row : rows) row.fill(random.vec6());
  second.twist = second.acceleration = second.acceleration_by_v = second.screws[0];
  joint_second_partials<double>(tree, 0, poses(tree, neutral(tree)), v, v, first, second);
  for (std::size_t m = 0; m < 3; ++m)
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(max_abs(second.screws[m][k][0]) + max_abs(second.twist[m][k]), 0);
      EXPECT_EQ(max_abs(second.acceleration[m][k]) + max_abs(second.acceleration_by_v[m][k]), 0);
    }
}

TEST(JointSecondPartials, AllocatesNothingOnceMade) {
  Random random(5);
  const MovingTree r = random_moving_tree(random, 40);
  const Poses<double> p = poses(r.tree, r.q);
  JointPartials<double> first(r.tree);
  JointSecondPartials<double> second(r.tree);
  EXPECT_EQ(count_allocations([&] {
              for (int i = 0; i < r.tree.size(); ++i) {
                joint_partials<double>(r.tree, i, p, r.v, r.a, first);
                joint_second_partials<double>(r.tree, i, p, r.v, r.a, first, second);
              }
            }),
            0);
}

}  // namespace
}  // namespace axode::test::joint_second_partials_test
