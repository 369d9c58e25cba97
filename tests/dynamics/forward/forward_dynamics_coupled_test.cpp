// Forward dynamics of coupled joints, against Lagrange multipliers for the couplings.
#include <gtest/gtest.h>

#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::forward_dynamics_coupled_test {
namespace {

struct Problem {
  Tree tree;
  std::vector<double> q, v, tau;
  std::vector<Wrench<Rep::body>> external;
};

/// Some joints of one degree of freedom follow others, each leader with one or several.
Problem random_problem(Random& random) {
  Problem r{random_tree(random, random.integer(3, 15)), {}, {}, {}, {}};
  std::vector<int> single;
  for (int i = 0; i < r.tree.size(); ++i) {
    const Vec6<double> W = random.vec6();
    r.external.push_back({W.angular, W.linear});
    if (r.tree.links[i].nv == 1) single.push_back(i);
  }
  for (std::size_t k = 2; k < single.size(); ++k)  // the first two lead
    if (random.integer(0, 2) != 0)
      r.tree.couplings.push_back(
          {single[k], single[random.integer(0, 1)], random.uniform(-3, 3), .1, {}, 1, 0});
  for (Dof& dof : r.tree.dofs)
    dof = {.damping = random.uniform(0, 1),
           .friction = random.uniform(0, 1),
           .armature = random.uniform(0, .5)};
  r.q = expand_configuration(r.tree,
                             independent_configuration(r.tree, random_coordinates(random, r.tree)));
  r.v = expand_velocity(r.tree, independent_velocity(r.tree, random_velocities(random, r.tree)));
  r.tau = random_velocities(random, r.tree, 5);
  return r;
}

/// [M C^T; C 0] (a, lambda) = (tau - c, 0), M and c by inverse dynamics.
std::vector<double> by_multipliers(const Problem& r, const Effects& effects) {
  const int n = r.tree.nv, m = static_cast<int>(r.tree.couplings.size());
  const Poses<double> p = poses(r.tree, r.q);
  InverseDynamics<Rep::spatial> work(r.tree);
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + m, n + m);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(n + m);
  std::vector<double> a(r.v.size(), 0), c(r.v.size()), column(r.v.size());
  inverse_dynamics<Rep::spatial, double>(r.tree, p, r.v, a, work, c, r.external, effects);
  for (int j = 0; j < n; ++j) {
    a[j] = 1;
    inverse_dynamics<Rep::spatial, double>(r.tree, p, std::vector<double>(r.v.size(), 0), a, work,
                                           column, {}, {false, effects.armature, false, false});
    a[j] = 0;
    for (int i = 0; i < n; ++i) A(i, j) = column[i];
    b(j) = r.tau[j] - c[j];
  }
  for (int k = 0; k < m; ++k) {
    const Coupling& coupling = r.tree.couplings[k];
    const int follower = r.tree.links[coupling.follower].v;
    const int leader = r.tree.links[coupling.leader].v;
    A(n + k, follower) = A(follower, n + k) = 1;
    A(n + k, leader) = A(leader, n + k) = -coupling.ratio;
  }
  const Eigen::VectorXd x = least_squares(A, b).solution;
  return {x.data(), x.data() + n};
}

void expect_as_by_multipliers(const Problem& r, const Effects& effects, double& worst) {
  const std::vector<double> expected = by_multipliers(r, effects);
  const std::vector<double> a = reference::forward_dynamics(
      r.tree, r.q, r.v, r.tau, Rep::body, {.body_wrenches = r.external, .effects = effects});
  double size = 1, error = 0;
  for (const double x : expected) size = std::max(size, std::abs(x));
  for (std::size_t k = 0; k < a.size(); ++k)
    error = std::max(error, largest_difference(a[k], expected[k]));
  EXPECT_LT(error, 1e-9 * size);
  worst = std::max(worst, error / size);
  for (const Coupling& c : r.tree.couplings)
    EXPECT_EQ(a[r.tree.links[c.follower].v], c.ratio * a[r.tree.links[c.leader].v]);
}

TEST(ForwardDynamicsCoupled, LagrangeMultipliers) {
  double worst = 0;
  for_random_cases(100, [&](Random& random) {
    const Problem r = random_problem(random);
    expect_as_by_multipliers(r, {}, worst);
    expect_as_by_multipliers(r, {.gravity = false, .armature = false}, worst);
  });
  record("worst_relative_error", worst);
}

/// A follower without mass, alone impossible, and one on the same path as its leader.
Tree gears(double wheel) {
  return TreeBuilder{}
      .body("drum", {2, {.1, 0, 0}, Sym3<double>::diagonal({.1, .1, .3})})
      .joint("drive", revolute({}))
      .body("wheel", {0, {}, Sym3<double>::diagonal({wheel, wheel, wheel})})
      .on("drum")
      .joint("gear", revolute({.axis = {0, 1, 0}, .point = {.2, 0, 0}}))
      .mimic("drive", 3)
      .build();
}
TEST(ForwardDynamicsCoupled, WheelWithoutMass) {
  const Tree tree = gears(0);
  const std::vector<double> zero(2, 0);
  const std::vector<double> a = reference::forward_dynamics(tree, zero, zero, std::vector{.5, .1});
  expect_near(a[0], (.5 + 3 * .1) / (.3 + 2 * .01), 1e-14);
  expect_near(a[1], 3 * a[0], 0);
  const std::vector<double> b =
      reference::forward_dynamics(gears(.02), zero, zero, std::vector{.5, .1});
  expect_near(b[0], .8 / (.3 + 2 * .01 + .02 + 9 * .02), 1e-14);
}

TEST(ForwardDynamicsCoupled, RefusesWhatBreaksACoupling) {
  const Tree tree = gears(.02);
  const std::vector<double> kept{.1, .3}, broken{.1, .2};
  EXPECT_NO_THROW(reference::forward_dynamics(tree, kept, kept, broken));
  const std::string of_q = message([&] { reference::forward_dynamics(tree, broken, kept, kept); });
  expect_says(of_q, "forward dynamics: joint 'gear' does not follow its leader");
  expect_says(of_q, "expand_configuration");
  expect_says(message([&] { reference::forward_dynamics(tree, kept, broken, kept); }),
              "joint 'gear'");
}

TEST(ForwardDynamicsCoupled, SingularLeaderIsNamed) {
  const Tree tree = TreeBuilder{}
                        .body("first")
                        .joint("one", revolute({}))
                        .body("second")
                        .joint("two", prismatic({}))
                        .mimic("one", 2)
                        .body("third", {1, {}, Sym3<double>::diagonal({1, 1, 1})})
                        .on("second")
                        .joint("three", prismatic({}))
                        .build();
  const std::vector<double> zero(3, 0);
  expect_says(message([&] { reference::forward_dynamics(tree, zero, zero, zero); }), "joint 'one'");
}

}  // namespace
}  // namespace axode::test::forward_dynamics_coupled_test
