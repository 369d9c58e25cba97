#include "axode/engine/detail/tree/reduced_mass.hpp"

#include <gtest/gtest.h>

#include "axode/dynamics/matrices/expansion.hpp"
#include "tests/engine/engine_cases.hpp"
#include "tests/support/models/coupled_tree.hpp"

namespace axode::engine::reduced_mass_test {
namespace {

using namespace axode::test;

TEST(ReducedMass, IsThatOfTheIndependentVelocitiesAlongItsPaths) {
  for_random_cases(200, [](Random& random) {
    Tree tree = random_plain_tree(random, random.integer(2, 24));
    couple_at_random(random, tree);
    if (tree.couplings.empty()) return;
    const EngineTree engine(tree);
    PathMatrix<double> M(tree);
    for (double& x : M.values) x = random.uniform(-1, 1);
    for (double& x : M.scale) x = random.uniform(1, 2);
    const CoupledGroups groups(tree, engine);
    ReducedMass r({tree, engine, groups, M}, 4);
    const Expansion E(tree);
    ASSERT_EQ(r.pattern.size(), E.size());
    for (int again = 0; again < 2; ++again) r.reduce(M);
    PathMatrix<double> expected = full_matrix(E.size());
    reduce(E, M, expected);
    const DenseMatrix<double> found = dense(r.matrix), all = dense(expected);
    for (int i = 0; i < E.size(); ++i) {
      const int k = E.column[r.pattern.velocity[i]];
      EXPECT_NEAR(r.matrix.scale[i], expected.scale[k], 1e-13 * expected.scale[k]);
      for (int j = 0; j < E.size(); ++j)
        EXPECT_NEAR(found(i, j), all(k, E.column[r.pattern.velocity[j]]), 1e-13);
    }
  });
}

/// Of a chain of which the last joint follows the first, paths are as long as without.
TEST(ReducedMass, OfAChainWithOneFollowerIsNoLarger) {
  Random random(2);
  Tree tree = random_plain_tree(random, 30, {.balls = false, .fixed = false, .chain = true});
  tree.couplings = {{29, 0, 2, 0, {}, 1, 0}};
  const EngineTree engine(tree);
  const PathMatrix<double> M(tree);
  const ReducedPattern p(tree, engine, CoupledGroups(tree, engine), M);
  EXPECT_EQ(p.first.back(), 29u * 30 / 2);
}

}  // namespace
}  // namespace axode::engine::reduced_mass_test
