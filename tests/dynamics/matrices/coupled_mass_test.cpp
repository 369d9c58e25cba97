#include "axode/dynamics/matrices/coupled_mass.hpp"

#include <gtest/gtest.h>

#include "axode/dynamics/matrices/mass_matrix.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/models/arms.hpp"
#include "tests/support/models/coupled_tree.hpp"
#include "tests/support/models/four_legs.hpp"
#include "tests/support/models/moving_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::coupled_mass_test {
namespace {

PathMatrix<double> factors_at(const Tree& tree, const std::vector<double>& q) {
  PathMatrix<double> factors(tree);
  Composite<double> composite(tree);
  composite_inertias(tree, poses(tree, q), composite);
  mass_matrix(tree, composite, factors);
  EXPECT_EQ(factorize(factors).singular_velocity, -1);
  return factors;
}

/// Against E (E^T M E)^-1 E^T of full matrices.
TEST(CoupledMass, IsTheMassOfTheIndependentVelocities) {
  double worst = 0;
  int coupled = 0;
  for_random_cases(100, [&](Random& random) {
    const Tree tree = random_coupled_tree(random, random.integer(3, 15));
    const std::vector<double> q = random_coordinates(random, tree),
                              f = random_velocities(random, tree, 5);
    const PathMatrix<double> factors = factors_at(tree, q);
    CoupledMass mass(tree);
    coupled += mass.count() > 0;
    eliminate_couplings(factors, mass);
    std::vector<double> x = f;
    solve(mass, factors, x);
    const Eigen::MatrixXd E = expansion(tree), M = full_mass_matrix(tree, q);
    const Eigen::VectorXd y =
        least_squares(E.transpose() * M * E,
                      E.transpose() * Eigen::Map<const Eigen::VectorXd>(f.data(), tree.nv))
            .solution;
    const Eigen::VectorXd expected = E * y;
    worst = std::max(worst,
                     relative_difference(x, std::vector<double>(expected.begin(), expected.end())));
    for (const CoupledMass::Row& c : mass.couplings)
      EXPECT_EQ(x[c.follower], c.ratio * x[c.leader]);
  });
  EXPECT_LT(worst, 1e-10);
  EXPECT_GT(coupled, 50);
  record("worst_relative_error", worst);
}

TEST(CoupledMass, WithoutCouplingsIsTheMassMatrix) {
  Random random(2);
  const MovingTree r = random_moving_tree(random, 10);
  const PathMatrix<double> factors = factors_at(r.tree, r.q);
  CoupledMass mass(r.tree);
  EXPECT_EQ(mass.count(), 0);
  EXPECT_EQ(mass.height, 0);
  eliminate_couplings(factors, mass);
  std::vector<double> x = r.a, expected = r.a;
  solve(mass, factors, x);
  solve<double>(factors, expected);
  EXPECT_EQ(x, expected);
}

/// Many arms beside each other; in one of ten the second joint follows the first. Those without
/// couplings stand aside.
TEST(CoupledMass, ManyBodies) {
  TreeBuilder b;
  const std::size_t arms = 2000, depth = 5;
  for (std::size_t i = 0; i < arms * depth; ++i) {
    b.body(numbered("b", i), {1, {.1, 0, 0}, Sym3<>::diagonal({.1, .1, .1})});
    if (i % depth != 0) b.on(numbered("b", i - 1));
    b.joint(numbered("j", i), revolute({.axis = {i % 2 == 0 ? 1. : 0, 0, i % 2 == 0 ? 0 : 1.},
                                        .point = {.2 * static_cast<double>(i % depth), 0, 0}}));
    if (i % (10 * depth) == 1) b.mimic(numbered("j", i - 1), 2);
  }
  const Tree tree = b.build();
  CoupledMass mass(tree);
  EXPECT_EQ(mass.count(), 200);
  EXPECT_EQ(mass.height, 400);
  const PathMatrix<double> factors = factors_at(tree, std::vector<double>(arms * depth, .2));
  eliminate_couplings(factors, mass);
  std::vector<double> x(arms * depth, 1.);
  solve(mass, factors, x);
  for (std::size_t i = 0; i < x.size(); ++i)  // all arms with couplings are alike
    EXPECT_NEAR(x[i], x[i % (10 * depth)], 1e-12);
  EXPECT_EQ(x[1], 2 * x[0]);
}

TEST(CoupledMass, AllocatesNothing) {
  Random random(3);
  const Tree tree = random_coupled_tree(random, 20);
  const std::vector<double> q = random_coordinates(random, tree);
  const PathMatrix<double> factors = factors_at(tree, q);
  CoupledMass mass(tree);
  EXPECT_GT(mass.count(), 0);
  std::vector<double> x = random_velocities(random, tree);
  EXPECT_EQ(count_allocations([&] {
              eliminate_couplings(factors, mass);
              solve(mass, factors, x);
            }),
            0);
}

}  // namespace
}  // namespace axode::test::coupled_mass_test
