// Many states in the lanes of a Pack against one at a time.
#include <gtest/gtest.h>

#include "axode/dynamics/forward_dynamics.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/lanes.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_tree.hpp"

namespace axode::test::forward_dynamics_lanes_test {
namespace {

constexpr int lanes = AXODE_LANES;
using P = Pack<double, lanes>;

template <Rep rep>
void expect_lanes_alike(Random& random) {
  Tree tree = random_tree(random, random.integer(1, 30));
  for (Dof& dof : tree.dofs)
    dof = {.damping = random.uniform(0, 1),
           .friction = random.uniform(0, 1),
           .armature = random.uniform(0, .3)};
  Lanes<lanes> q, v, tau;
  for (std::size_t k = 0; k < lanes; ++k) {
    q[k] = random_coordinates(random, tree);
    v[k] = random_velocities(random, tree);
    tau[k] = random_velocities(random, tree, 5);
  }
  Poses<P> p(tree);
  ForwardDynamics<rep, P> work(tree);
  std::vector<P> a(tree.dofs.size());
  poses<P>(tree, packed(q), p);
  forward_dynamics<rep, P>(tree, p, packed(v), packed(tau), work, a);
  EXPECT_EQ(work.singular_body, -1);
  for (int k = 0; k < lanes; ++k) {
    const auto state = static_cast<std::size_t>(k);
    const std::vector<double> one =
        forward_dynamics(tree, q[state], v[state], tau[state], {.representation = rep});
    double size = 1;
    for (const double x : one) size = std::max(size, std::abs(x));
    for (std::size_t i = 0; i < one.size(); ++i) expect_near(a[i][k], one[i], 1e-10 * size);
  }
}

template <class>
class ForwardDynamicsInLanes : public testing::Test {};
TYPED_TEST_SUITE(ForwardDynamicsInLanes, Width<lanes>, WidthName);

TYPED_TEST(ForwardDynamicsInLanes, EqualsOneStateAtATime) {
  for_random_cases(25, [](Random& random) {
    expect_lanes_alike<Rep::body>(random);
    expect_lanes_alike<Rep::spatial>(random);
    expect_lanes_alike<Rep::hybrid>(random);
  });
}

/// Three angles at gimbal lock in one lane only.
TYPED_TEST(ForwardDynamicsInLanes, ReportsASingularLane) {
  Random random(1);
  Tree tree = random_tree(random, 1);
  while (tree.bodies[0].joint_type != JointType::spherical || tree.nq != 3 ||
         tree.bodies[0].coordinates != Coordinates::second_kind)
    tree = random_tree(random, 1);
  Lanes<lanes> q, zero;
  q.fill({.1, .2, .3});
  zero.fill({0, 0, 0});
  for (const bool singular : {false, true}) {
    if (singular) q[1][1] = pi<double> / 2;
    Poses<P> p(tree);
    ForwardDynamics<Rep::body, P> work(tree);
    std::vector<P> a(3);
    poses<P>(tree, packed(q), p);
    forward_dynamics<Rep::body, P>(tree, p, packed(zero), packed(zero), work, a);
    EXPECT_EQ(work.singular_body, singular ? 0 : -1);
    EXPECT_TRUE(all_of(is_finite(a[0]) && is_finite(a[1]) && is_finite(a[2])));
  }
}

/// A body without mass on a ball joint, carrying one on an axis through its centre: singular by the
/// rounding errors of the freedom beyond. With little mass it is regular, but in doubt in some lanes.
template <Rep rep>
void expect_gimbal_found(Random& random, double mass) {
  const Vec3<double> centre = random.vec3(5), com = random.vec3();
  const Tree tree =
      TreeBuilder{}
          .body("ring", {mass, centre, Sym3<double>::diagonal({mass, mass, mass})})
          .joint("ball", spherical({.point = centre, .coordinates = Coordinates::quaternion}))
          .body("load", {1, com, Sym3<double>::diagonal({.1, .2, .25})})
          .on("ring")
          .joint("axis", revolute({.axis = random.unit(), .point = centre}))
          .build();
  Lanes<lanes> q, tau;
  for (std::size_t k = 0; k < lanes; ++k) {
    q[k] = random_coordinates(random, tree);
    tau[k] = random_velocities(random, tree);
  }
  Poses<P> p(tree);
  ForwardDynamics<rep, P> work(tree);
  std::vector<P> a(4);
  poses<P>(tree, packed(q), p);
  forward_dynamics<rep, P>(tree, p, packed(tau), packed(tau), work, a);
  EXPECT_EQ(work.singular_body, mass > 0 ? -1 : 0);
  for (int k = 0; k < lanes && mass > 0; ++k) {
    const auto state = static_cast<std::size_t>(k);
    const std::vector<double> one =
        forward_dynamics(tree, q[state], tau[state], tau[state], {.representation = rep});
    double size = 1;
    for (const double x : one) size = std::max(size, std::abs(x));
    // What is left of the load's inertia when the ring is all that resists has its rounding errors.
    const double rounding = 64 * epsilon<double> * (1 + squared_norm(com - centre)) / mass;
    for (std::size_t i = 0; i < one.size(); ++i)
      expect_near(a[i][k], one[i], (1e-12 + rounding) * size);
  }
}
TYPED_TEST(ForwardDynamicsInLanes, JudgesByTheMotionsBeyond) {
  for_random_cases(50, [](Random& random) {
    for (const double mass : {0., 1e-9, 1e-3}) {
      expect_gimbal_found<Rep::body>(random, mass);
      expect_gimbal_found<Rep::spatial>(random, mass);
      expect_gimbal_found<Rep::hybrid>(random, mass);
    }
  });
}

}  // namespace
}  // namespace axode::test::forward_dynamics_lanes_test
