#include "axode/dynamics/detail/composite.hpp"

#include <gtest/gtest.h>

#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/kinematics/jacobian.hpp"
#include "axode/lie/adjoint.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/models/moving_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::composite_test {
namespace {

bool carries(const Tree& tree, std::size_t i, std::size_t l) {
  int b = static_cast<int>(l);
  while (b > static_cast<int>(i)) b = tree.links[b].parent;
  return b == static_cast<int>(i);
}

/// The sum of f(l) over body i and all it carries.
template <class T, class F>
T sum_over_carried(const Tree& tree, std::size_t i, T sum, F&& f) {
  for (std::size_t l = i; l < tree.links.size(); ++l)
    if (carries(tree, i, l)) sum = sum + f(l);
  return sum;
}

Mat6<double> inertia_about(const Tree& tree, const Poses<double>& p, const Vec3<double>& point,
                           std::size_t l) {
  const Mat6<double> to_body = Ad_matrix(inverse(pose_about(point, p.T_WB[l])));
  return transpose(to_body) * matrix(tree.bodies[l].inertia) * to_body;
}
Mat6<double> matrix_of(const CoriolisSum<double>& B) {
  Mat6<double> result{};
  for (int j = 0; j < 6; ++j) {
    Vec6<double> e{};
    e[j] = 1;
    for (int i = 0; i < 6; ++i) result(i, j) = (B * e)[i];
  }
  return result;
}

/// Each sum by its definition, with 6x6 matrices.
TEST(Composite, SumsAreThoseOfTheBodiesCarried) {
  double worst = 0;
  for_random_cases(60, [&](Random& random) {
    const MovingTree r = random_moving_tree(random, random.integer(1, 12), {.zero_mass = true});
    const Poses<double> p = poses(r.tree, r.q);
    Composite<double> c(r.tree);
    composite_motion<double>(r.tree, p, r.v, r.a, c, {}, no_effects);
    EXPECT_EQ(c.point, p.T_WB[first_moving_body(r.tree)].p);
    for (std::size_t i = 0; i < r.tree.links.size(); ++i) {
      const auto M = [&](std::size_t l) { return inertia_about(r.tree, p, c.point, l); };
      const Mat6<double> M_i = sum_over_carried(r.tree, i, Mat6<double>{}, M);
      const Vec6<double> P_i = sum_over_carried(r.tree, i, Vec6<double>{},
                                                [&](std::size_t l) { return M(l) * c.twists[l]; });
      // B X = -M ad_V X - ad_V^T M X - ad_X^T M V, column by column
      const Mat6<double> B_i = sum_over_carried(r.tree, i, Mat6<double>{}, [&](std::size_t l) {
        const Mat6<double> ad_V = ad_matrix(c.twists[l]);
        Mat6<double> B = -(M(l) * ad_V) - transpose(ad_V) * M(l);
        for (int j = 0; j < 6; ++j) {
          Vec6<double> e{};
          e[j] = 1;
          const Vec6<double> column = ad_transpose(e, M(l) * c.twists[l]);
          for (int k = 0; k < 6; ++k) B(k, j) -= column[k];
        }
        return B;
      });
      const double size = 1 + max_abs(M_i) + max_abs(P_i) + max_abs(B_i);
      const Vec6<double> X = random.vec6(1);
      const double error = std::max({largest_difference(c.inertias[i] * X, M_i * X),
                                     largest_difference(c.momenta[i], P_i),
                                     largest_difference(matrix_of(c.coriolis[i]), B_i)}) /
                           size;
      EXPECT_LT(error, 1e-13);
      worst = std::max(worst, error);
    }
  });
  record("worst_relative_error_of_sums", worst);
}

/// Screws, twists, accelerations and wrenches about the point against those about the world's
/// origin by other recursions.
TEST(Composite, MotionIsTheSpatialOneAboutThePoint) {
  double worst = 0;
  for_random_cases(60, [&](Random& random) {
    const MovingTree r = random_moving_tree(random, random.integer(1, 30));
    const Poses<double> p = poses(r.tree, r.q);
    std::vector<Wrench<Rep::body>> external(r.tree.links.size());
    for (auto& W : external) W = {random.vec3(), random.vec3()};
    Composite<double> c(r.tree);
    composite_motion<double>(r.tree, p, r.v, r.a, c, external);
    InverseDynamics<Rep::spatial> expected(r.tree);
    std::vector<double> tau(r.v.size());
    inverse_dynamics<Rep::spatial, double>(r.tree, p, r.v, r.a, expected, tau, external);
    std::vector<Twist<Rep::spatial>> columns(r.v.size());
    spatial_columns<double>(r.tree, p, columns);
    const SE3<double> to_point{{}, c.point};
    const auto check = [&](const Vec6<double>& a, const Vec6<double>& b) {
      const double error = largest_difference(a, b) / (1 + max_abs(b));
      EXPECT_LT(error, 1e-12);
      worst = std::max(worst, error);
    };
    for (std::size_t k = 0; k < columns.size(); ++k)
      check(Ad(to_point, c.screws[k]), columns[k].six());
    for (std::size_t i = 0; i < r.tree.links.size(); ++i) {
      check(Ad(to_point, c.twists[i]), expected.motion.twists[i].six());
      check(Ad(to_point, c.accelerations[i]), expected.motion.accelerations[i].six());
      check(Ad_inverse_transpose(to_point, c.wrenches[i]), expected.joint_wrenches[i].six());
    }
  });
  record("worst_relative_error_of_motion", worst);
}

TEST(Composite, LessIsWrittenTheSame) {
  Random random(4);
  const MovingTree r = random_moving_tree(random, 25);
  const Poses<double> p = poses(r.tree, r.q);
  Composite<double> all(r.tree), momenta(r.tree), inertias(r.tree);
  composite_motion<double>(r.tree, p, r.v, r.a, all);
  composite_momenta<double>(r.tree, p, r.v, momenta);
  composite_inertias<double>(r.tree, p, inertias);
  EXPECT_EQ(all.screws, momenta.screws);
  EXPECT_EQ(all.screws, inertias.screws);
  EXPECT_EQ(all.twists, momenta.twists);
  EXPECT_EQ(all.momenta, momenta.momenta);
  for (std::size_t i = 0; i < r.tree.links.size(); ++i) {
    EXPECT_EQ(all.inertias[i].about_origin, momenta.inertias[i].about_origin);
    EXPECT_EQ(all.inertias[i].about_origin, inertias.inertias[i].about_origin);
  }
}

/// The matrix B is what W changes by, along a change of the velocities alone, beside M times the
/// change of the accelerations.
TEST(Composite, DualNumbersFollowTheVelocities) {
  for_random_cases(30, [](Random& random) {
    const MovingTree r = random_moving_tree(random, random.integer(1, 12));
    const std::size_t n = r.tree.links.size();
    const std::vector<double> change = random_velocities(random, r.tree);
    const std::vector<double> zero(r.q.size());
    Poses<Dual<double>> p(r.tree);
    poses<Dual<double>>(r.tree, dual(r.q, zero), p);
    Composite<Dual<double>> c(r.tree);
    composite_motion<Dual<double>>(r.tree, p, dual(r.v, change),
                                   dual(r.a, std::vector<double>(r.a.size())), c, {}, no_effects);
    Composite<double> fixed(r.tree);
    composite_motion<double>(r.tree, poses(r.tree, r.q), r.v, r.a, fixed, {}, no_effects);
    // leaves only: there the sums are of one body
    const Children tree = children(r.tree);
    for (std::size_t i = 0; i < n; ++i) {
      if (tree.first[i + 1] != tree.first[i + 2]) continue;
      const Vec6<double> X = dual_part(c.twists[i]), V = fixed.twists[i];
      const Vec6<double> change_of_W = dual_part(c.wrenches[i]);
      const Vec6<double> expected =
          fixed.inertias[i] * (dual_part(c.accelerations[i]) + ad(V, X)) + fixed.coriolis[i] * X;
      EXPECT_LT(largest_difference(change_of_W, expected), 1e-12 * (1 + max_abs(expected)));
    }
  });
}

TEST(Composite, WorksForTenThousandBodies) {
  Random random(2);
  const MovingTree r =
      random_moving_tree(random, 10'000, {.chain = true, .one_screw_joints = true});
  const Poses<double> p = poses(r.tree, r.q);
  Composite<double> c(r.tree);
  composite_motion<double>(r.tree, p, r.v, r.a, c);
  double mass = 0;
  for (const Body& body : r.tree.bodies) mass += body.inertia.mass;
  EXPECT_NEAR(c.inertias[0].mass, mass, 1e-10 * mass);
}

TEST(Composite, AllocatesNothingOnceMade) {
  Random random(7);
  const MovingTree r = random_moving_tree(random, 40);
  const Poses<double> p = poses(r.tree, r.q);
  Composite<double> c(r.tree);
  EXPECT_EQ(count_allocations([&] {
              composite_inertias<double>(r.tree, p, c);
              composite_momenta<double>(r.tree, p, r.v, c);
              composite_motion<double>(r.tree, p, r.v, r.a, c);
            }),
            0);
}

}  // namespace
}  // namespace axode::test::composite_test
