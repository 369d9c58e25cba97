#include "axode/integrate/system.hpp"

#include <gtest/gtest.h>

#include "tests/integrate/test_systems.hpp"

namespace axode::test::system {

struct Nothing {};

static_assert(Flow<Decay> && !Mechanical<Decay>);
static_assert(Mechanical<RigidBody> && Lagrangian<RigidBody> && MomentumBalanced<RigidBody>);
static_assert(Mechanical<HeavyTop> && Lagrangian<HeavyTop> && MomentumBalanced<HeavyTop>);
static_assert(!Flow<Nothing>);

// The functions of the test systems say the same: d(M v)/dt = ad_v^T (M v) + g in body axes.
TEST(System, AccelerationFitsTheLagrangian) {
  HeavyTop top = HeavyTop::of_terze();
  const std::vector<double> q = top.turned({0.3, -0.2, 0.4}), v{1, 20, -3};
  std::vector<double> a(3), p(3), g(3), rate(3);
  ASSERT_TRUE(top.acceleration(0, q, v, a));
  ASSERT_TRUE(top.momentum(q, v, p));
  ASSERT_TRUE(top.lagrangian_rate(0, q, v, g));
  ASSERT_TRUE(top.momentum(q, a, rate));  // the mass matrix is constant in the body
  const Vec3<double> turn = cross(Vec3<double>{p[0], p[1], p[2]}, {v[0], v[1], v[2]});
  for (int i = 0; i < 3; ++i) {
    const std::size_t k = i;
    EXPECT_NEAR(rate[k], turn[i] + g[k], 1e-10);
  }
}

}  // namespace axode::test::system
