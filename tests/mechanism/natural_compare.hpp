// The same motion in natural and in reference-point coordinates.
#pragma once
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>

#include "axode/mechanism/analysis/motion_analysis.hpp"
#include "tests/mechanism/natural_cases.hpp"
#include "tests/support/dense.hpp"

namespace axode::test::natural {

using Eigen::MatrixXd;
using Eigen::VectorXd;

inline Inertia<double> some_body(double m, Vec3<double> com) {
  return {m, com, {0.31 * m, 0.42 * m, 0.27 * m, 0.03 * m, -0.05 * m, 0.02 * m}};
}

inline MatrixXd dense(const SparseRows& A) {
  MatrixXd result = MatrixXd::Zero(A.rows, A.columns);
  for (int i = 0; i < A.rows; ++i)
    for (int k = A.start[i]; k < A.start[i + 1]; ++k) result(i, A.column[k]) += A.value[k];
  return result;
}

struct Result {
  std::vector<Vec6<double>> rates;
  std::vector<SE3<double>> poses;
  double kinetic = 0, potential = 0;
  int dofs = 0;
};

/// Accelerations of the bodies with given twists, at the reference configuration.
inline Result accelerations(MechanismSystem s, std::vector<Twist<Rep::hybrid>> twists) {
  const std::vector<SE3<double>> at_home(twists.size());
  std::vector<double> q = s.from_poses(at_home);
  std::vector<double> v(s.equations().velocities());
  s.refresh(q, v);
  v = s.from_twists(q, twists);
  const std::size_t rows = s.constraints();
  const std::size_t n = s.equations().velocities();
  std::vector<double> phi(rows), rate(rows), c(rows), Q(n), a(n);
  s.position(0, q, phi);
  s.velocity(0, q, v, rate);
  for (const double x : phi) EXPECT_NEAR(x, 0, 1e-12);
  for (std::size_t i = 0; i < rows; ++i)
    EXPECT_NEAR(rate[i], 0, 1e-11) << s.equations().equations[i].name;
  SparseRows J, M;
  s.jacobian(0, q, J);
  s.mass(q, M);
  s.acceleration_right(0, q, v, c);
  s.forces(0, q, v, Q);
  const auto N = static_cast<Eigen::Index>(n), R = static_cast<Eigen::Index>(rows);
  MatrixXd A = MatrixXd::Zero(N + R, N + R);
  A.topLeftCorner(N, N) = dense(M);
  A.topRightCorner(N, R) = dense(J).transpose();
  A.bottomLeftCorner(R, N) = dense(J);
  VectorXd b(N + R);
  for (Eigen::Index i = 0; i < N; ++i) b(i) = Q[i];
  for (Eigen::Index i = 0; i < R; ++i) b(N + i) = c[i];
  const LeastSquares x = least_squares(A, b);
  EXPECT_LT(x.residual, 1e-9);
  for (std::size_t i = 0; i < n; ++i) a[i] = x.solution(static_cast<Eigen::Index>(i));
  Result result;
  result.rates.resize(twists.size());
  result.poses.resize(twists.size());
  s.accelerations(q, v, a, result.rates);
  s.poses(q, result.poses);
  result.kinetic = s.kinetic_energy(q, v);
  result.potential = s.potential_energy(0, q);
  const LeastSquares rank = least_squares(dense(J), VectorXd::Zero(R));
  result.dofs = static_cast<int>(N) - rank.rank;
  return result;
}

/// Twists that the mechanism can have: from the reference-point formulation, some of its degrees of freedom.
inline std::vector<Twist<Rep::hybrid>> some_motion(const Mechanism& m) {
  MechanismSystem s(make_equations(m, {.family = CoordinateFamily::reference_point,
                                       .attitude = AttitudeForm::quasi_velocities}));
  const std::vector<SE3<double>> at_home(m.bodies.size());
  std::vector<double> q = s.from_poses(at_home);
  std::vector<double> v(s.equations().velocities());
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = std::sin(1.7 * static_cast<double>(i) + 0.4);
  s.refresh(q, v);
  EXPECT_TRUE(solve_velocity(s, 0, q, v).consistent);
  std::vector<SE3<double>> poses(m.bodies.size());
  std::vector<Twist<Rep::hybrid>> twists(m.bodies.size());
  s.motion(q, v, poses, twists);
  return twists;
}

inline void compare(const Mechanism& m) {
  const std::vector<Twist<Rep::hybrid>> twists = some_motion(m);
  const Result natural = accelerations(natural_system(m), twists);
  const Result reference = accelerations(
      MechanismSystem(make_equations(m, {.family = CoordinateFamily::reference_point,
                                         .attitude = AttitudeForm::quasi_velocities})),
      twists);
  double size = 1;
  for (const Vec6<double>& r : reference.rates)
    size = std::max({size, norm(r.angular), norm(r.linear)});
  for (std::size_t i = 0; i < natural.rates.size(); ++i) {
    EXPECT_LT(norm(natural.rates[i].angular - reference.rates[i].angular), 1e-9 * size)
        << m.name << " " << m.bodies[i].name;
    EXPECT_LT(norm(natural.rates[i].linear - reference.rates[i].linear), 1e-9 * size)
        << m.name << " " << m.bodies[i].name;
    EXPECT_LT(distance(natural.poses[i], SE3<double>{}, 1), 1e-12) << m.bodies[i].name;
  }
  EXPECT_NEAR(natural.kinetic, reference.kinetic, 1e-11 * (1 + reference.kinetic)) << m.name;
  EXPECT_NEAR(natural.potential, reference.potential, 1e-11 * (1 + std::abs(reference.potential)));
  EXPECT_EQ(natural.dofs, reference.dofs) << m.name;
}

}  // namespace axode::test::natural
