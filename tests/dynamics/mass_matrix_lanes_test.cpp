// Many states in the lanes of a Pack against one at a time.
#include <gtest/gtest.h>

#include "axode/dynamics/mass_matrix.hpp"
#include "tests/support/lanes.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_tree.hpp"

namespace axode::test::mass_matrix_lanes_test {
namespace {

constexpr int lanes = AXODE_LANES;
using P = Pack<double, lanes>;

template <class>
class MassMatrixInLanes : public testing::Test {};
TYPED_TEST_SUITE(MassMatrixInLanes, Width<lanes>, WidthName);

TYPED_TEST(MassMatrixInLanes, EqualsOneStateAtATime) {
  for_random_cases(25, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 20));
    Lanes<lanes> q, v, a;
    for (std::size_t k = 0; k < lanes; ++k) {
      q[k] = random_coordinates(random, tree);
      v[k] = random_velocities(random, tree);
      a[k] = random_velocities(random, tree);
    }
    Poses<P> p(tree);
    Composite<P> sums(tree);
    PathMatrix<P> M(tree);
    std::vector<P> x = packed(v);
    poses<P>(tree, packed(q), p);
    composite_motion<P>(tree, p, packed(v), packed(a), sums);
    mass_matrix(tree, sums, M);
    EXPECT_EQ(factorize(M), -1);
    solve<P>(M, x);
    for (int k = 0; k < lanes; ++k) {
      const auto state = static_cast<std::size_t>(k);
      Composite<double> one(tree);
      PathMatrix<double> factors(tree);
      std::vector<double> y = v[state];
      composite_motion<double>(tree, poses(tree, q[state]), v[state], a[state], one);
      mass_matrix(tree, one, factors);
      factorize(factors);
      solve<double>(factors, y);
      for (std::size_t i = 0; i < tree.links.size(); ++i) {
        const double size = 1 + max_abs(one.wrenches[i]);
        expect_near(lane(sums.wrenches[i], k), one.wrenches[i], 1e-12 * size);
        expect_near(lane(sums.momenta[i], k), one.momenta[i], 1e-12 * size);
      }
      double size = 1;
      for (const double number : y) size = std::max(size, std::abs(number));
      for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(x[i][k], y[i], 1e-9 * size);
    }
  });
}

/// One lane that is singular is enough to say so.
TYPED_TEST(MassMatrixInLanes, AnyLaneCanBeSingular) {
  Random random(3);
  const Tree tree = random_tree(random, 1, {.one_screw_joints = true});
  PathMatrix<P> M(tree);
  *M.row(0) = P(1);
  EXPECT_EQ(factorize(M), -1);
  M.row(0)->set(lanes - 1, 0);
  EXPECT_EQ(factorize(M), 0);
}

}  // namespace
}  // namespace axode::test::mass_matrix_lanes_test
