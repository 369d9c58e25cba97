#include "axode/integrate/constrained.hpp"

#include <gtest/gtest.h>

#include "tests/integrate/planar_loop.hpp"
#include "tests/integrate/rotating_wire.hpp"

namespace axode::test::constrained {

using Numbers = std::vector<double>;
static_assert(Constrained<TwoPoints>);

TEST(Constrained, AccelerationsOfTheDoublePendulum) {
  TwoPoints system;
  const double a = .4, b = -.7, da = .9, db = -1.1;
  const Numbers x = two_points(a, b, da, db);
  Numbers rate(4), lambda(2);
  ConstrainedWork work;
  ASSERT_TRUE(consistent_acceleration(view(system), 0, std::span(x).first(4),
                                      std::span(x).subspan(4), rate, lambda, work));
  // Lagrange's equations of the two angles, m1 = 1, m2 = 2, l1 = 1, l2 = 1.5.
  const double g = 9.81, cross = 2 * 1.5 * std::cos(a - b), s = 2 * 1.5 * std::sin(a - b);
  const double r1 = -s * db * db - 3 * g * std::sin(a), r2 = s * da * da - 3 * g * std::sin(b);
  const double m1 = 3, m2 = 2 * 2.25, det = m1 * m2 - cross * cross;
  const double dda = (m2 * r1 - cross * r2) / det, ddb = (m1 * r2 - cross * r1) / det;
  const double ax = std::cos(a) * dda - std::sin(a) * da * da;
  const double ay = std::sin(a) * dda + std::cos(a) * da * da;
  EXPECT_NEAR(rate[0], ax, 1e-13);
  EXPECT_NEAR(rate[1], ay, 1e-13);
  EXPECT_NEAR(rate[2], ax + 1.5 * (std::cos(b) * ddb - std::sin(b) * db * db), 1e-13);
  EXPECT_NEAR(rate[3], ay + 1.5 * (std::sin(b) * ddb + std::cos(b) * db * db), 1e-13);
  system.fails = true;
  EXPECT_FALSE(consistent_acceleration(view(system), 0, std::span(x).first(4),
                                       std::span(x).subspan(4), rate, lambda, work));
}

TEST(Constrained, ProjectsVelocitiesAndPositions) {
  TwoPoints system;
  Numbers q = two_points(.4, -.7, 0, 0);
  q.resize(4);
  Numbers v{1, 2, 3, 4}, before = v, phi(2), gv(2), force(4), zero(4), none(2);
  ConstrainedWork work;
  ASSERT_TRUE(project_velocity(view(system), 0, q, v, work));
  system.residual({0, q, v, zero, none}, {force, phi, gv});
  EXPECT_NEAR(gv[0], 0, 1e-15);
  EXPECT_NEAR(gv[1], 0, 1e-15);
  // The change has no part along motions that are allowed.
  const Numbers x = two_points(.4, -.7, 1, 0), y = two_points(.4, -.7, 0, 1);
  for (const Numbers& motion : {x, y}) {
    double along = 0;
    for (std::size_t k = 0; k < 4; ++k) along += (v[k] - before[k]) * motion[4 + k];
    EXPECT_NEAR(along, 0, 1e-14);
  }
  for (double& e : q) e += .1;
  EXPECT_TRUE(project_position(view(system), 0, q, work).converged);
  system.residual({0, q, v, zero, none}, {force, phi, gv});
  EXPECT_NEAR(phi[0], 0, 1e-13);
  EXPECT_NEAR(phi[1], 0, 1e-13);
}

TEST(Constrained, MakesConsistentOnlyWhatIsNot) {
  TwoPoints system;
  ConstrainedWork work;
  const Numbers good = two_points(.4, -.7, 1, 2);
  Numbers x = good;
  ASSERT_TRUE(make_consistent(view(system), 0, x, work));
  EXPECT_EQ(x, good);
  for (double& e : x) e += 1e-6;
  ASSERT_TRUE(make_consistent(view(system), 0, x, work));
  EXPECT_NEAR(x[0] * x[0] + x[1] * x[1], 1, 1e-12);
  EXPECT_NEAR(x[0] * x[4] + x[1] * x[5], 0, 1e-12);
  for (std::size_t k = 0; k < 8; ++k) EXPECT_NEAR(x[k], good[k], 1e-5);
}

TEST(Constrained, SaysWhenConstraintsAreRedundant) {
  TwoPoints system;
  const Numbers q{0, 0, 0, 0};  // all gradients vanish
  Numbers v{1, 0, 0, 0}, a(4), lambda(2);
  ConstrainedWork work;
  EXPECT_FALSE(project_velocity(view(system), 0, q, v, work));
  EXPECT_FALSE(consistent_acceleration(view(system), 0, q, v, a, lambda, work));
  Numbers moved = q;
  EXPECT_FALSE(project_position(view(system), 0, moved, work).converged);
}

TEST(Constrained, ConstraintsMayMove) {
  RotatingWire system;
  ConstrainedWork work;
  const double t = .8;
  const Numbers good = system.state(t, 1.5, -.3);
  Numbers x = good, a(2), lambda(1);
  ASSERT_TRUE(make_consistent(view(system), t, x, work));
  EXPECT_LT(std::abs(x[2] - good[2]) + std::abs(x[3] - good[3]), 1e-14);
  // r'' = w^2 r; across the wire 2 w r' = -lambda/m.
  ASSERT_TRUE(consistent_acceleration(view(system), t, std::span(x).first(2),
                                      std::span(x).subspan(2), a, lambda, work));
  EXPECT_NEAR(lambda[0], -2 * 2 * system.w * -.3, 1e-13);
  EXPECT_NEAR(a[0] * std::cos(system.w * t) + a[1] * std::sin(system.w * t), 0, 1e-13);
  for (double& e : x) e += .01;
  ASSERT_TRUE(make_consistent(view(system), t, x, work));
  EXPECT_NEAR(x[1] / x[0], std::tan(system.w * t), 1e-12);
}

}  // namespace axode::test::constrained
