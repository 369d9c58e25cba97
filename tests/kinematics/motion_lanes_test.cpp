// Many states in the lanes of a Pack against one at a time.
#include <gtest/gtest.h>

#include "axode/kinematics/motion.hpp"
#include "tests/support/lanes.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_tree.hpp"

namespace axode::test::motion_lanes_test {
namespace {

constexpr int lanes = AXODE_LANES;
using P = Pack<double, lanes>;

template <Rep rep>
void expect_lanes_alike(Random& random) {
  const Tree tree = random_tree(random, random.integer(1, 30));
  Lanes<lanes> q, v, a;
  for (std::size_t k = 0; k < lanes; ++k) {
    q[k] = random_coordinates(random, tree);
    v[k] = random_velocities(random, tree);
    a[k] = random_velocities(random, tree);
  }
  Poses<P> p(tree);
  Motion<rep, P> m(tree);
  poses<P>(tree, packed(q), p);
  accelerations<rep, P>(tree, p, packed(v), packed(a), m);
  for (int k = 0; k < lanes; ++k) {
    const auto state = static_cast<std::size_t>(k);
    const Poses<double> one = poses(tree, q[state]);
    Motion<rep> motion(tree);
    accelerations<rep, double>(tree, one, v[state], a[state], motion);
    for (std::size_t i = 0; i < tree.links.size(); ++i) {
      const double size = 1 + max_abs(motion.accelerations[i].six());
      expect_near(lane(p.T_WB[i].p, k), one.T_WB[i].p, 1e-12 * size);
      expect_near(lane(m.twists[i].six(), k), motion.twists[i].six(), 1e-12 * size);
      expect_near(lane(m.accelerations[i].six(), k), motion.accelerations[i].six(), 1e-12 * size);
    }
  }
}

template <class>
class MotionInLanes : public testing::Test {};
TYPED_TEST_SUITE(MotionInLanes, Width<lanes>, WidthName);

TYPED_TEST(MotionInLanes, EqualsOneStateAtATime) {
  for_random_cases(25, [](Random& random) {
    expect_lanes_alike<Rep::body>(random);
    expect_lanes_alike<Rep::spatial>(random);
    expect_lanes_alike<Rep::hybrid>(random);
    expect_lanes_alike<Rep::mixed>(random);
  });
}

}  // namespace
}  // namespace axode::test::motion_lanes_test
