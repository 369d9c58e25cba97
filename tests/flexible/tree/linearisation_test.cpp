// The linear equations are those of first order: what they leave out falls as the square of the
// elastic motion, in poses, mass matrix, velocity forces and gravity.
#include <gtest/gtest.h>

#include <cmath>

#include "axode/flexible/tree/equations.hpp"
#include "axode/flexible/tree/loads.hpp"
#include "tests/flexible/reference_chains.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::linearisation {
namespace {

struct Terms {
  std::vector<double> mass, velocity, gravity, poses;
};

template <class P>
Terms terms(const FlexibleTree& tree, const std::vector<double>& q, const std::vector<double>& v) {
  const std::size_t n = q.size();
  Terms t{std::vector<double>(n * n), std::vector<double>(n), std::vector<double>(n), {}};
  FlexibleWork<P> work = make_flexible_work<P>(tree);
  flexible_equations<P>(tree, q, v, work, t.mass, t.gravity, Effect::gravity);
  flexible_equations<P>(tree, q, v, work, t.mass, t.velocity, Effect::velocity);
  const auto add = [&](const SE3<>& pose) {
    for (const Vec3<>& x : {pose.p, pose.R.matrix.x, pose.R.matrix.y, pose.R.matrix.z})
      for (const double number : {x.x, x.y, x.z}) t.poses.push_back(number);
  };
  if constexpr (std::is_same_v<P, FirstOrder>) {
    std::vector<G2<>> poses(tree.links.size());
    link_poses(tree, q, poses);
    for (const G2<>& pose : poses) add(sum_of_orders(pose));
  } else {
    std::vector<SE3<>> poses(tree.links.size());
    link_poses(tree, q, poses);
    for (const SE3<>& pose : poses) add(pose);
  }
  return t;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

/// Slope of log y by log x, least squares.
double slope(const std::vector<double>& x, const std::vector<double>& y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const auto n = static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = std::log(x[i]), b = std::log(y[i]);
    sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/// Of the differences between linear and exact terms over three decades of elastic motion.
void expect_second_order(const FlexibleTree& tree, Random& random) {
  const std::size_t n = tree.size, joints = tree.joints;
  std::vector<double> q(n), v(n), sizes, poses, mass, velocity, gravity;
  for (double& x : q) x = random.uniform(-1, 1);
  for (double& x : v) x = random.uniform(-1, 1);
  for (double amplitude = 1e-2; amplitude > .99e-5; amplitude /= std::sqrt(10.)) {
    std::vector<double> q_a = q, v_a = v;
    for (std::size_t i = joints; i < n; ++i) q_a[i] *= amplitude, v_a[i] *= amplitude;
    const Terms linear = terms<FirstOrder>(tree, q_a, v_a);
    const Terms exact = terms<Exact<double>>(tree, q_a, v_a);
    sizes.push_back(amplitude);
    poses.push_back(distance(linear.poses, exact.poses));
    mass.push_back(distance(linear.mass, exact.mass));
    velocity.push_back(distance(linear.velocity, exact.velocity));
    gravity.push_back(distance(linear.gravity, exact.gravity));
  }
  EXPECT_NEAR(sizes.front() / sizes.back(), 1000, 1);
  EXPECT_NEAR(slope(sizes, poses), 2, .05);
  EXPECT_NEAR(slope(sizes, mass), 2, .05);
  EXPECT_NEAR(slope(sizes, velocity), 2, .05);
  EXPECT_NEAR(slope(sizes, gravity), 2, .05);
}

class Linearisation : public testing::TestWithParam<SectionRotation> {};

TEST_P(Linearisation, DifferenceFallsAsTheSquareOverThreeDecades) {
  const FlexibleTree tree = reference_chain("arm4", GetParam());
  for_random_cases(5, [&](Random& random) { expect_second_order(tree, random); });
}

TEST_P(Linearisation, AlsoWithShorteningAndAxialModes) {
  FlexibleTree tree = reference_chain("arm4", GetParam());
  tree.stiffening = true;
  for (FlexibleLink& link : tree.links)
    if (link.beam)
      for (const std::vector<double>& c : {std::vector<double>{0, 1}, {0, 0, 0, 1}})
        link.modes.push_back({ModeDirection::axial, polynomial_shape(link.beam->length, c), 0});
  tree = complete(tree);
  for_random_cases(5, [&](Random& random) { expect_second_order(tree, random); });
}

INSTANTIATE_TEST_SUITE_P(Orders, Linearisation,
                         testing::Values(SectionRotation::xyz, SectionRotation::zyx,
                                         SectionRotation::exp),
                         [](const auto& given) { return std::string(name(given.param)); });

}  // namespace
}  // namespace axode::test::linearisation
