#include "axode/dynamics/matrices/expansion.hpp"

#include "axode/dynamics/matrices/mass_matrix.hpp"
#include "tests/support/models/coupled_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::expansion_of_couplings {
namespace {

TEST(Expansion, IsThatOfStates) {
  for_random_cases(100, [](Random& random) {
    const Tree tree = random_coupled_tree(random, random.integer(1, 12));
    const Expansion E(tree);
    ASSERT_EQ(E.size(), independent_nv(tree));
    EXPECT_EQ(E.coupled(), !tree.couplings.empty());
    std::vector<double> y(E.size()), v(tree.screws.size()), back(y.size());
    for (double& number : y) number = random.uniform(-1, 1);
    expand(E, y, v);
    EXPECT_EQ(v, expand_velocity(tree, y));
    reduce(E, v, back);
    expect_near(back, reduce_force(tree, v), 1e-14);
  });
}

TEST(Expansion, ReducesMatricesFromBothSides) {
  for_random_cases(50, [](Random& random) {
    const Tree tree = random_coupled_tree(random, random.integer(1, 8));
    const Expansion E(tree);
    const std::vector<double> q = random_coordinates(random, tree);
    Composite<double> composite(tree);
    PathMatrix<double> M(tree), reduced = full_matrix(E.size());
    composite_inertias(tree, poses(tree, q), composite);
    mass_matrix(tree, composite, M);
    reduce(E, M, reduced);
    const DenseMatrix<double> wanted = reduce(E, dense(M)), found = dense(reduced);
    const Eigen::MatrixXd map = expansion(tree);
    const DenseMatrix<double> all = dense(M);
    for (int i = 0; i < E.size(); ++i)
      for (int j = 0; j < E.size(); ++j) {
        double sum = 0;
        for (int k = 0; k < tree.nv; ++k)
          for (int l = 0; l < tree.nv; ++l) sum += map(k, i) * all(k, l) * map(l, j);
        EXPECT_NEAR(wanted(i, j), sum, 1e-11);
        EXPECT_NEAR(found(i, j), sum, 1e-11);
      }
  });
}

}  // namespace
}  // namespace axode::test::expansion_of_couplings
