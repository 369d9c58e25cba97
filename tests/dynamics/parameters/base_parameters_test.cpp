#include "axode/dynamics/parameters/base_parameters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/dynamics/parameters/regressor.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/models/arms.hpp"
#include "tests/support/models/moving_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::base_parameters_test {
namespace {

constexpr BaseParameterOptions no_gravity{.effects = no_effects};

Tree one_body(const Joint& joint, const Vec3<double>& gravity) {
  return TreeBuilder("one").gravity(gravity).body("b").joint("j", joint, zero_reference()).build();
}

/// Checks that the rank is clear, too.
int rank(const Tree& tree, const BaseParameterOptions& options = {}) {
  const BaseParameters base = base_parameters(tree, options);
  EXPECT_GT(base.smallest_pivot, 1e-5);
  EXPECT_LT(base.largest_no_pivot, 1e-13);
  return base.rank;
}

/// What the joint forces of one body on one joint can tell is known.
TEST(BaseParameters, OneBody) {
  const Vec3<double> down{0, 0, -9.81};
  EXPECT_EQ(rank(one_body(revolute({.axis = {0, 0, 1}}), down)), 1);  // I_zz
  EXPECT_EQ(rank(one_body(revolute({.axis = {1, 0, 0}}), down)), 3);  // I_xx, m c_y, m c_z
  EXPECT_EQ(rank(one_body(revolute({.axis = {1, 0, 0}}), down), no_gravity), 1);
  EXPECT_EQ(rank(one_body(revolute({.axis = {1, 2, 3}, .point = {1, 1, 0}}), down)), 3);
  EXPECT_EQ(rank(one_body(prismatic({.axis = {1, 2, 3}}), down)), 1);  // m
  EXPECT_EQ(rank(one_body(spherical({}), down)), 9);                   // all but the mass
  EXPECT_EQ(rank(one_body(spherical({.point = {1, 2, 3}}), down)), 9);
  EXPECT_EQ(rank(one_body(spherical({}), down), no_gravity), 6);
  EXPECT_EQ(rank(one_body(free_joint({}), down)), 10);
  EXPECT_EQ(rank(one_body(free_joint({.velocity = Rep::hybrid}), down), no_gravity), 10);
  EXPECT_EQ(rank(one_body(planar({}), {})), 4);  // m, m c_x, m c_y, I_zz
}

/// Two links in a plane: I_zz + m_2 l^2 and, under gravity, m c_x + m_2 l and m c_y of the first;
/// I_zz, m c_x, m c_y of the second.
TEST(BaseParameters, PlanarArm) {
  Tree tree = planar_arm({.7, .4});
  EXPECT_EQ(rank(tree), 4);  // gravity is normal to the plane
  tree.gravity = {0, -9.81, 0};
  EXPECT_EQ(rank(tree), 6);
  EXPECT_EQ(rank(tree, no_gravity), 4);
}
TEST(BaseParameters, PlanarArmsCombineMassesWithLengths) {
  // In modified Denavit-Hartenberg frames: bodies on their joints.
  Tree tree = TreeBuilder("arm")
                  .gravity({0, -9.81, 0})
                  .body("upper")
                  .joint("j1", modified_dh({}))
                  .body("lower")
                  .on("upper")
                  .joint("j2", modified_dh({.a = .7}))
                  .build();
  const BaseParameters base = base_parameters(tree);
  EXPECT_EQ(base.rank, 6);
  // With I_zz of the first body is m of the second, times the length squared, and so on. The choice
  // of the columns is not fixed; that these combinations are combinations of b is.
  std::vector<double> p(20, 0.);
  const auto values = [&](int m2, double other, std::size_t column) {
    std::fill(p.begin(), p.end(), 0.);
    p[10] = m2;
    p[column] += other;
    return base_values(base, p);
  };
  // m_2 = 1 has the effect of I_zz,1 = .49 and m c_x,1 = .7 together.
  std::vector<double> mass = values(1, 0, 0), inertia = values(0, .49, 6),
                      moment = values(0, .7, 1);
  for (std::size_t i = 0; i < mass.size(); ++i) EXPECT_NEAR(mass[i], inertia[i] + moment[i], 1e-12);
}

Tree revolute_arm(const std::vector<PlacedJoint>& joints) {
  TreeBuilder builder("arm");
  for (std::size_t i = 0; i < joints.size(); ++i) {
    builder.body(numbered("l", i + 1));
    if (i > 0) builder.on(numbered("l", i));
    builder.joint(numbered("j", i + 1), joints[i]);
  }
  return builder.build();
}
/// The PUMA 560 has 36 base parameters, as the literature says.
TEST(BaseParameters, Puma) {
  const double r = pi<double> / 2;
  EXPECT_EQ(rank(revolute_arm({classic_dh({.d = .67, .alpha = r}), classic_dh({.a = .4318}),
                               classic_dh({.d = .15, .a = .0203, .alpha = -r}),
                               classic_dh({.d = .4318, .alpha = r}), classic_dh({.alpha = -r}),
                               classic_dh({})})),
            36);
}
/// Arms of n revolute joints in general position: seven for each joint, less four that the first
/// does not show; two less again if the first axis is vertical.
TEST(BaseParameters, GeneralArms) {
  Random random(7);
  for (const int n : {1, 2, 3, 6}) {
    std::vector<PlacedJoint> joints;
    joints.reserve(std::size_t(n));
    for (int i = 0; i < n; ++i)
      joints.push_back({revolute({.axis = random.unit(), .point = random.vec3(1)}),
                        body_screws(random.pose(1))});
    EXPECT_EQ(rank(revolute_arm(joints)), 7 * n - 4);
    joints[0] = {revolute({.axis = {0, 0, 1}}), body_screws({})};
    EXPECT_EQ(rank(revolute_arm(joints)), 7 * n - 6);
  }
}

TEST(BaseParameters, GiveTheSameForces) {
  double worst = 0;
  for_random_cases(10, [&](Random& random) {
    const MovingTree r = random_moving_tree(random, random.integer(1, 8));
    if (r.tree.nv == 0) return;
    const BaseParameters base = base_parameters(r.tree);
    EXPECT_EQ(base.columns.size(), std::size_t(base.rank));
    EXPECT_TRUE(std::is_sorted(base.columns.begin(), base.columns.end()));
    const DenseMatrix<double> Y = regressor(r.tree, r.q, r.v, r.a);
    const std::vector<double> b = base_values(base, inertia_parameter_list(r.tree));
    const std::vector<double> tau = reference::inverse_dynamics(
        r.tree, r.q, r.v, r.a, Rep::body, {.effects = {true, false, false, false}});
    const double error = relative_difference(times(base_regressor(base, Y), b), tau);
    EXPECT_LT(error, 1e-11);
    worst = max(worst, error);
  });
  record("worst_relative_difference", worst);
}

TEST(BaseParameters, RankDependsNeitherOnSeedNorOnUnits) {
  Random random(6);
  const Tree tree = random_tree(random, 4, {.one_screw_joints = true});
  const int expected = rank(tree);
  EXPECT_EQ(rank(tree, {.seed = 99}), expected);
  EXPECT_EQ(rank(tree, {.states = 60}), expected);
  Tree small = tree;  // the same in another unit of length
  const double unit = 1e-3;
  for (Link& link : small.links) link.B.p = link.B.p * unit;
  for (Vec6<double>& X : small.screws)
    if (max_abs(X.angular) > 0) X.linear = X.linear * unit;
  small.gravity = small.gravity * unit;
  EXPECT_EQ(base_parameters(small).rank, expected);
}

TEST(BaseParameters, SaysWhatIsWrong) {
  const Tree still = one_body(fixed(), {});
  const Tree tree = one_body(revolute({}), {});
  const auto says = [](const std::function<void()>& f, const char* words) {
    expect_says(message(f), words);
  };
  says([&] { base_parameters(still); }, "no joint of the tree moves");
  says([&] { base_parameters(tree, {.states = -1}); }, "number of states");
  says([&] { base_parameters(tree, {.tolerance = 0}); }, "tolerance");
  says([&] { base_parameters(tree, {.tolerance = NAN}); }, "tolerance");
  const BaseParameters base = base_parameters(tree);
  says([&] { base_values(base, {}); }, "give 10");
  says([&] { base_regressor(base, {}); }, "0 columns");
  Random random(1);
  const Tree many = random_tree(random, 201, {.one_screw_joints = true});
  says([&] { base_parameters(many); }, "201 bodies");
}

}  // namespace
}  // namespace axode::test::base_parameters_test
