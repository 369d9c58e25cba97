// Many states in the lanes of a Pack against one at a time.
#include <gtest/gtest.h>

#include "axode/dynamics/inverse_dynamics.hpp"
#include "tests/support/lanes.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_tree.hpp"

namespace axode::test::inverse_dynamics_lanes_test {
namespace {

constexpr int lanes = AXODE_LANES;
using P = Pack<double, lanes>;

template <Rep rep>
void expect_lanes_alike(Random& random) {
  Tree tree = random_tree(random, random.integer(1, 30));
  for (Dof& dof : tree.dofs) dof.damping = .3, dof.friction = .2, dof.armature = .1;
  Lanes<lanes> q, v, a;
  for (std::size_t k = 0; k < lanes; ++k) {
    q[k] = random_coordinates(random, tree);
    v[k] = random_velocities(random, tree);
    a[k] = random_velocities(random, tree);
  }
  const Wrench<Rep::body> load{random.vec3(), random.vec3()};
  const std::vector<Wrench<Rep::body>> external(tree.links.size(), load);
  const std::vector<Wrench<Rep::body, P>> external_packed(
      tree.links.size(), {{P(load.angular.x), P(load.angular.y), P(load.angular.z)},
                          {P(load.linear.x), P(load.linear.y), P(load.linear.z)}});

  Poses<P> p(tree);
  InverseDynamics<rep, P> work(tree);
  std::vector<P> tau(static_cast<std::size_t>(tree.nv));
  poses<P>(tree, packed(q), p);
  inverse_dynamics<rep, P>(tree, p, packed(v), packed(a), work, tau, external_packed);
  for (int k = 0; k < lanes; ++k) {
    const auto state = static_cast<std::size_t>(k);
    InverseDynamics<rep> one(tree);
    std::vector<double> alone(tau.size());
    inverse_dynamics<rep, double>(tree, poses(tree, q[state]), v[state], a[state], one, alone,
                                  external);
    double size = 1;
    for (const double x : alone) size = std::max(size, std::abs(x));
    for (std::size_t i = 0; i < tau.size(); ++i) expect_near(tau[i][k], alone[i], 1e-12 * size);
  }
}

template <class>
class InverseDynamicsInLanes : public testing::Test {};
TYPED_TEST_SUITE(InverseDynamicsInLanes, Width<lanes>, WidthName);

TYPED_TEST(InverseDynamicsInLanes, EqualsOneStateAtATime) {
  for_random_cases(25, [](Random& random) {
    expect_lanes_alike<Rep::body>(random);
    expect_lanes_alike<Rep::spatial>(random);
    expect_lanes_alike<Rep::hybrid>(random);
    expect_lanes_alike<Rep::mixed>(random);
  });
}

}  // namespace
}  // namespace axode::test::inverse_dynamics_lanes_test
