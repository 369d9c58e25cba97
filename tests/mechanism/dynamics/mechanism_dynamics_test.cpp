#include "axode/mechanism/dynamics/mechanism_dynamics.hpp"

#include <gtest/gtest.h>

#include "axode/core/error.hpp"
#include "axode/mechanism/equations/formulate.hpp"
#include "tests/mechanism/dynamic_spatial.hpp"
#include "tests/mechanism/mechanism_runs.hpp"

namespace axode::test::mechanism_dynamics {

using namespace dynamic_mechanisms;

TEST(MechanismDynamics, AccelerationsOfTheFourBar) {
  const DynamicCase c = four_bar(1);
  for (const FormulationOptions& f : families(true)) {
    MechanismSystem system(make_equations(c.mechanism, f));
    Start s = state_of(system, c);
    MechanismDynamics dynamics(system);
    std::vector<double> a(s.v.size()), lambda(system.constraints());
    ASSERT_TRUE(dynamics.multipliers(0, s.q, s.v, a, lambda)) << dynamics.why();
    std::vector<Vec6<double>> rates(4);
    system.accelerations(s.q, s.v, a, rates);
    const Json& row = c.trajectory[0];
    EXPECT_NEAR(rates[2].angular.z, number(row["th3"], "acc"), 1e-10);
    EXPECT_NEAR(rates[3].angular.z, number(row["th4"], "acc"), 1e-10);
    // The balance of forces, with these multipliers.
    SparseRows M, J;
    std::vector<double> Q(a.size()), left(a.size());
    system.mass(s.q, M);
    system.jacobian(0, s.q, J);
    system.forces(0, s.q, s.v, Q);
    M.multiply(a, left);
    J.add_transposed(lambda, left);
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(left[k], Q[k], 1e-9);
  }
}

TEST(MechanismDynamics, RedundantEquationsOfBricard) {
  const DynamicCase c = bricard();
  MechanismSystem system(
      make_equations(c.mechanism, {.family = CoordinateFamily::reference_point}));
  Start s = state_of(system, c);
  MechanismDynamics dynamics(system);
  EXPECT_EQ(dynamics.count_redundant(0, s.q), 1);
  std::vector<double> a(s.v.size()), lambda(system.constraints());
  ASSERT_TRUE(dynamics.multipliers(0, s.q, s.v, a, lambda)) << dynamics.why();
  std::vector<Vec6<double>> rates(6);
  system.accelerations(s.q, s.v, a, rates);
  EXPECT_NEAR(rates[1].angular.z, 1.962, 1e-9);
  // Least norm: nothing along forces that balance each other.
  SparseRows J;
  system.jacobian(0, s.q, J);
  const NullBasis idle = null_basis(transposed(J));
  ASSERT_EQ(idle.count, 1);
  double along = 0;
  for (std::size_t k = 0; k < lambda.size(); ++k) along += lambda[k] * idle.vectors[k];
  EXPECT_NEAR(along, 0, 1e-7);
}

/// What was found at earlier states goes on in another object to the bit.
TEST(MechanismDynamics, SavedItGoesOnToTheSameBits) {
  const DynamicCase c = bricard();
  for (const FormulationOptions& f : families(false)) {
    MechanismSystem system(make_equations(c.mechanism, f));
    const Start s = state_of(system, c);
    MechanismDynamics first(system), second(system);
    first.count_redundant(0, s.q);
    std::vector<double> a(s.v.size()), lambda(system.constraints()), numbers, b = a, other = lambda;
    ASSERT_TRUE(first.accelerate(0, s.q, s.v, a, lambda)) << first.why();
    first.save(numbers);
    std::span<const double> rest = numbers;
    second.load(rest);
    EXPECT_TRUE(rest.empty());
    EXPECT_TRUE(second.redundant);
    std::vector<double> q = s.q, v = s.v, p = s.q, w = s.v;
    for (double& x : q) x += 1e-3;
    p = q;
    ASSERT_EQ(first.project(0, q, v), second.project(0, p, w));
    EXPECT_EQ(q, p);
    EXPECT_EQ(v, w);
    EXPECT_EQ(first.accelerate(0, q, v, a, lambda), second.accelerate(0, p, w, b, other));
    EXPECT_EQ(a, b);
    EXPECT_EQ(lambda, other);
    numbers.pop_back();
    std::span<const double> cut = numbers;
    EXPECT_THROW(second.load(cut), Error);
  }
}

TEST(MechanismDynamics, ProjectionsMeetTheEquations) {
  const DynamicCase c = four_bar(0);
  MechanismSystem system(
      make_equations(c.mechanism, {.family = CoordinateFamily::reference_point}));
  Start s = state_of(system, c);
  MechanismDynamics dynamics(system);
  for (double& e : s.q) e += .01;
  for (double& e : s.v) e += 1;
  EXPECT_GT(dynamics.violation(0, s.q, s.v).position, 1e-3);
  ASSERT_TRUE(dynamics.project(0, s.q, s.v)) << dynamics.why();
  EXPECT_LT(dynamics.violation(0, s.q, s.v).position, 1e-14);
  EXPECT_LT(dynamics.violation(0, s.q, s.v).velocity, 1e-13);
  // Velocities change by M^-1 Phi_q^T: the change does no work on motions that are allowed.
  std::vector<double> v(s.v.size(), 1.0), moved(v.size());
  ASSERT_TRUE(dynamics.project_velocity(0, s.q, v));
  SparseRows M;
  system.mass(s.q, M);
  for (std::size_t k = 0; k < v.size(); ++k) moved[k] = v[k] - 1;
  std::vector<double> momentum(v.size());
  M.multiply(moved, momentum);
  double work = 0, size = 0;
  for (std::size_t k = 0; k < v.size(); ++k) {
    work += momentum[k] * v[k];
    size += std::abs(momentum[k] * v[k]);
  }
  EXPECT_LT(std::abs(work), 1e-12 * (1 + size));
}

TEST(MechanismDynamics, PowerOfWhatHasNoPotential) {
  DynamicCase c = four_bar(2);
  MechanismSystem system(
      make_equations(c.mechanism, {.family = CoordinateFamily::reference_point}));
  const Start s = state_of(system, c);
  MechanismDynamics dynamics(system);
  const std::vector<double> lambda(system.constraints(), 0.0);
  EXPECT_TRUE(dynamics.does_work());
  EXPECT_NEAR(dynamics.power(0, s.q, s.v, lambda), 14 * 1 - 1.5 * 1, 1e-12);
}

}  // namespace axode::test::mechanism_dynamics
