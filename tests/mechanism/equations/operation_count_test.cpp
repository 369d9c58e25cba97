#include "axode/mechanism/equations/operation_count.hpp"

#include <gtest/gtest.h>

#include "tests/mechanism/mechanisms.hpp"

namespace axode::test::operation_count {

using namespace mechanisms;

/// The linkage of Figs. 2.46 and 2.47: kinematics alone.
Mechanism massless_rscr() {
  const nlohmann::json set = {{"params",
                               {{"r1", {0, 0, 0}},
                                {"u1_dir", {0, 0, 1}},
                                {"r12_at_theta0", {1, 0, 0.25}},
                                {"r5", {3, 1, 0.5}},
                                {"u3_dir", {1, 2, 2}},
                                {"r54_at_beta0", {0.5, -1.25, 1}},
                                {"u2_dir_at_beta0", {-2, 1, 1}},
                                {"rho", 1.5},
                                {"c4", 0.4}}}};
  Mechanism m = rscr(set, 0.1, -0.6);
  // The reference points of the book are centres of mass; their weight is of no concern here.
  const Vec3<double> com[] = {{0.5, 0.05, 0.1}, {0.3, -0.6, 0.05}, {0.2, -0.5, 0.4}};
  for (std::size_t b = 1; b < 4; ++b) m.bodies[b].inertia = {0, com[b - 1], {}};
  return m;
}

TEST(OperationCount, OfTheRscrLinkage) {
  const Mechanism m = massless_rscr();
  // Four difference vectors.
  const MechanismEquations natural = make_equations(m, {.family = CoordinateFamily::natural});
  EXPECT_EQ(natural.velocities(), 12);
  EXPECT_EQ(natural.rows(), 11);
  EXPECT_EQ(jacobian_operations(natural).operations, 12);
  // A2, A3 62; s5 .. s8 60; d 9; ten blocks G S' 600; seven skew products 168; one sum of blocks 8.
  const MechanismEquations points =
      make_equations(m, {.family = CoordinateFamily::reference_point});
  EXPECT_EQ(points.velocities(), 21);
  EXPECT_EQ(points.rows(), 20);
  EXPECT_EQ(jacobian_operations(points).operations, 907);
  EXPECT_EQ(jacobian_operations(points).trigonometric, 0);
}

TEST(OperationCount, OfPlanarFourBars) {
  const Mechanism m = four_bar({});
  // Three differences of two numbers; six vectors A s' of six operations, three sines and cosines.
  EXPECT_EQ(
      jacobian_operations(make_equations(m, {.family = CoordinateFamily::natural})).operations, 6);
  const JacobianOperations points =
      jacobian_operations(make_equations(m, {.family = CoordinateFamily::reference_point}));
  EXPECT_EQ(points.operations, 36);
  EXPECT_EQ(points.trigonometric, 6);
}

}  // namespace axode::test::operation_count
