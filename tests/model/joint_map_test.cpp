#include "axode/model/joint_map.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "axode/lie/dual.hpp"
#include "axode/model/builder.hpp"
#include "axode/model/state.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::joint_map_test {
namespace {

TEST(JointMap, ScrewDisplacementIsTheExponential) {
  for_random_cases(many, [](Random& random) {
    const Vec3<double> e = random.unit(), p = random.vec3();
    const double pitch = random.integer(0, 1) ? random.uniform(-1, 1) : 0;
    const Vec6<double> X{e, cross(p, e) + pitch * e};
    const double q = random.uniform(-1, 1) * random.angle();
    // Both round a few times, relative to the lengths that occur.
    const double size = 1 + max_abs(X) * (1 + std::abs(q));
    expect_near(screw_displacement(X, q), exp(X * q), 4 * epsilon<double> * size);
  });
}

/// Angles of many turns lose nothing but what q itself lacks.
TEST(JointMap, ScrewDisplacementOfManyTurns) {
  const Vec6<double> X{{0, 0, 1}, {0, -1, .5}};
  const double q = 1000.25;
  const SE3<double> T = screw_displacement(X, q);
  expect_near(T.p, Vec3<double>{1 - std::cos(q), -std::sin(q), .5 * q}, 1e-13);
}

Tree one_joint(const Joint& joint, const Placement& placement = {}) {
  return TreeBuilder{}.body("b").joint("j", joint, placement).build();
}

/// Quaternions against the exponential of the rotation vector: the same displacement.
TEST(JointMap, SphericalQuaternionTurnsAboutItsCentre) {
  for_random_cases(1000, [](Random& random) {
    const SE3<double> at = random.pose();
    const Tree by_quaternion = one_joint(spherical({.point = at.p, .axes = at.R})),
               by_vector = one_joint(spherical(
                   {.point = at.p, .coordinates = Coordinates::first_kind, .axes = at.R}));
    const Vec3<double> xi = random.rotation_vector();
    const Quaternion<double> e = quaternion_exp(xi);
    const std::array q{e.w, e.v.x, e.v.y, e.v.z};
    const std::array x{xi.x, xi.y, xi.z};
    expect_near(joint_displacement(by_quaternion, 0, q.data()),
                joint_displacement(by_vector, 0, x.data()), 2e-14);
  });
}

TEST(JointMap, FreeQuaternionPlacesTheJointFrame) {
  for_random_cases(1000, [](Random& random) {
    const SE3<double> T = random.pose();
    const Quaternion<double> e = quaternion(T.R.matrix);
    const std::array q{e.w, e.v.x, e.v.y, e.v.z, T.p.x, T.p.y, T.p.z};
    const Tree tree = one_joint(free_joint());
    expect_near(joint_displacement(tree, 0, q.data()), T, 2e-15);
    // In a frame of its own, on the parent and on the body.
    const SE3<double> S_parent = random.pose(), S_body = random.pose();
    const Tree moved = one_joint(free_joint(), joint_frames(S_parent, S_body));
    expect_near(moved.links[0].B * joint_displacement(moved, 0, q.data()),
                S_parent * T * inverse(S_body), 4e-14);
  });
}

TEST(JointMap, QuaternionNeedsNoUnitLength) {
  const Tree tree = one_joint(spherical());
  const std::array q{3., 0., 0., 4.};
  const SE3<double> D = joint_displacement(tree, 0, q.data());
  EXPECT_NEAR(D.R.matrix.x.x, (9. - 16) / 25, 1e-15);
}

/// S(q) v against the derivative of the displacement by dual numbers: D' = D hat(S v).
TEST(JointMap, ScrewsGiveTheTwistOfTheDisplacement) {
  for_random_cases(2000, [](Random& random) {
    const Tree tree = random_tree(random, 1);
    const std::vector<double> q = random_coordinates(random, tree),
                              v = random_velocities(random, tree);
    std::vector<double> rate(q.size());
    coordinate_rate(tree, q, v, rate);
    std::vector<Dual<double>> moving;
    for (std::size_t k = 0; k < q.size(); ++k) moving.emplace_back(q[k], rate[k]);
    const SE3<Dual<double>> T = joint_displacement(tree, 0, moving.data());
    const SE3<double> D = joint_displacement(tree, 0, q.data());
    std::array<Vec6<double>, 6> screws;
    joint_screws(tree, 0, q.data(), D, screws.data());
    Vec6<double> U{};
    for (std::size_t k = 0; k < v.size(); ++k) U += screws[k] * v[k];
    expect_near(transpose_times(D.R.matrix, dual_part(T.R.matrix)), skew(U.angular), 1e-13);
    expect_near(inverse_times(D.R, dual_part(T.p)), U.linear, 1e-13);
  });
}

/// The derivative of order k against the dual derivative of that of order k - 1, up to the third,
/// along a motion whose velocity has constant third derivative.
TEST(JointMap, ScrewDerivativesOfEveryOrder) {
  using D2 = Dual<double>;
  for_random_cases(2000, [](Random& random) {
    const Tree tree = random_tree(random, 1);
    const std::size_t nv = tree.nv;
    const std::vector<double> q = random_coordinates(random, tree);
    std::array<std::vector<double>, 4> v;
    for (auto& each : v) each = random_velocities(random, tree);

    std::vector<double> rate(q.size());
    coordinate_rate(tree, q, v[0], rate);
    std::vector<D2> moving;
    for (std::size_t k = 0; k < q.size(); ++k) moving.emplace_back(q[k], rate[k]);
    std::array<std::vector<D2>, 3> moving_v;
    for (std::size_t n = 0; n < 3; ++n)
      for (std::size_t k = 0; k < nv; ++k) moving_v[n].push_back({v[n][k], v[n + 1][k]});

    std::array<Vec6<double>, 24> screws;
    const SE3<double> D = joint_displacement(tree, 0, q.data());
    joint_screws(tree, 0, q.data(), D, screws.data());
    const std::array<const double*, 3> velocity{v[0].data(), v[1].data(), v[2].data()};
    joint_screw_derivatives<double>(tree, 0, q.data(), velocity, 3, screws.data());

    std::array<Vec6<D2>, 18> dual;
    const SE3<D2> D_dual = joint_displacement(tree, 0, moving.data());
    joint_screws(tree, 0, moving.data(), D_dual, dual.data());
    const std::array<const D2*, 2> dual_velocity{moving_v[0].data(), moving_v[1].data()};
    joint_screw_derivatives<D2>(tree, 0, moving.data(), dual_velocity, 2, dual.data());
    for (std::size_t k = 0; k < 3 * nv; ++k) {
      const Vec6<double> expected = dual_part(dual[k]);
      expect_near(screws[nv + k], expected, 1e-12 * (1 + max_abs(expected)));
    }
  });
}

/// First kind, from tiny to many turns, against dual numbers through the closed form of dexp.
TEST(JointMap, FirstKindScrewRatesAtEveryAngle) {
  using D2 = Dual<double>;
  double worst = 0;
  for_random_cases(2000, [&](Random& random) {
    const double size = random.log_uniform(1e-12, 1e3);
    const Joint joints[] = {
        spherical({.point = random.vec3(), .coordinates = Coordinates::first_kind}),
        planar({.point = random.vec3(), .coordinates = Coordinates::first_kind}),
        free_joint({.coordinates = Coordinates::first_kind})};
    const Tree tree = one_joint(joints[random.integer(0, 2)]);
    const std::size_t nv = tree.nv;
    std::vector<double> q;
    for (std::size_t k = 0; k < nv; ++k) q.push_back(size * random.uniform(-1, 1));
    const std::vector<double> v = random_velocities(random, tree);
    std::vector<D2> moving;
    for (std::size_t k = 0; k < nv; ++k) moving.emplace_back(q[k], v[k]);
    std::array<Vec6<D2>, 6> dual;
    joint_screws(tree, 0, moving.data(), joint_displacement(tree, 0, moving.data()), dual.data());
    std::array<Vec6<double>, 12> screws;
    joint_screws(tree, 0, q.data(), joint_displacement(tree, 0, q.data()), screws.data());
    const std::array<const double*, 1> velocity{v.data()};
    joint_screw_derivatives<double>(tree, 0, q.data(), velocity, 1, screws.data());
    for (std::size_t k = 0; k < nv; ++k) {
      const Vec6<double> expected = dual_part(dual[k]);
      // Relative to the distances the displacement covers.
      const double error = max_abs(screws[nv + k] - expected) / (1 + size);
      EXPECT_LT(error, 1e-13);
      worst = std::max(worst, error);
    }
  });
  record("worst_relative_error", worst);
}

TEST(JointMap, ConstantScrewsAreKnown) {
  EXPECT_TRUE(has_constant_screws(one_joint(revolute({})).links[0]));
  EXPECT_TRUE(has_constant_screws(one_joint(spherical()).links[0]));
  EXPECT_TRUE(has_constant_screws(one_joint(free_joint()).links[0]));
  EXPECT_FALSE(has_constant_screws(one_joint(free_joint({.velocity = Rep::hybrid})).links[0]));
  EXPECT_FALSE(has_constant_screws(one_joint(universal()).links[0]));
}

}  // namespace
}  // namespace axode::test::joint_map_test
