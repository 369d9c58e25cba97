#include "axode/mechanism/dynamics/velocity_transformation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "axode/core/error.hpp"
#include "axode/mechanism/analysis/motion_analysis.hpp"
#include "axode/mechanism/analysis/position.hpp"
#include "axode/mechanism/analysis/start_poses.hpp"
#include "axode/mechanism/dynamics/mechanism_dynamics.hpp"
#include "axode/mechanism/equations/formulate.hpp"
#include "axode/model/state.hpp"
#include "tests/support/models/plain_mechanism.hpp"
#include "tests/support/near.hpp"

namespace axode::test::velocity_transformation {

using namespace plain;
namespace {

using Vector = std::vector<double>;

/// Forms other than relative coordinates.
std::vector<FormulationOptions> others(bool is_planar) {
  std::vector<FormulationOptions> all(is_planar ? 2 : 4);
  all[0].family = CoordinateFamily::natural;
  for (std::size_t k = 1; k < all.size(); ++k) all[k].family = CoordinateFamily::reference_point;
  if (is_planar) return all;
  all[2].attitude = AttitudeForm::euler_angles;
  all[3].attitude = AttitudeForm::quasi_velocities;
  return all;
}

void expect_close(const Vector& a, const Vector& b, double tolerance, const char* what) {
  ASSERT_EQ(a.size(), b.size());
  double size = 1;
  for (const double x : b) size = std::max(size, std::abs(x));
  for (std::size_t k = 0; k < a.size(); ++k)
    EXPECT_NEAR(a[k], b[k], tolerance * size) << what << ' ' << k;
}

/// M z'' + Phi_z^T lambda = Q of the relative formulation, with its multipliers as given.
void expect_balance(MechanismSystem& relative, const Vector& z, const Vector& rates,
                    const Vector& acceleration, const Vector& lambda) {
  SparseRows M, J;
  Vector force(rates.size()), balance(rates.size());
  relative.mass(z, M);
  relative.jacobian(0, z, J);
  relative.forces(0, z, rates, force);
  M.multiply(acceleration, balance);
  J.add_transposed(lambda, balance);
  expect_close(balance, force, 1e-9, "forces");
}

/// z'' and the multipliers by two stages are those of the relative formulation itself, and q'' that of
/// the other one.
void expect_same_motion(const Mechanism& m, const Vector& z, const Vector& rates) {
  FormulationOptions options;
  options.family = CoordinateFamily::relative;
  MechanismSystem relative(make_equations(m, options));
  Vector a(rates.size()), lambda(relative.constraints());
  MechanismDynamics direct(relative);
  direct.count_redundant(0, z);
  ASSERT_TRUE(direct.multipliers(0, z, rates, a, lambda)) << direct.why();
  for (const FormulationOptions& form : others(m.is_planar)) {
    MechanismSystem other(make_equations(m, form));
    VelocityTransformation stages(relative, other);
    Vector b(rates.size()), multipliers(lambda.size());
    ASSERT_TRUE(stages.accelerate(0, z, rates, b, multipliers)) << stages.why();
    expect_close(b, a, 1e-10, "z''");
    expect_close(multipliers, lambda, 1e-8, "lambda");
    expect_balance(relative, z, rates, b, multipliers);
    Vector q_acceleration(stages.velocity().size()), forces(other.constraints());
    MechanismDynamics dynamics(other);
    ASSERT_TRUE(dynamics.accelerate(0, stages.q(), stages.velocity(), q_acceleration, forces))
        << dynamics.why();
    expect_close(stages.transformed(b), q_acceleration, 1e-10, "q''");
    // R z' are the velocities.
    Vector v(stages.velocity().size());
    stages.matrix().multiply(rates, v);
    expect_close(v, stages.velocity(), 1e-12, "q'");
  }
}

/// An assembled state with some motion.
void expect_same_motion(const Mechanism& m) {
  FormulationOptions options;
  options.family = CoordinateFamily::relative;
  MechanismSystem relative(make_equations(m, options));
  Vector z = relative.from_poses(axode::start_poses(m));
  ASSERT_TRUE(solve_position(relative, 0, z).converged);
  Vector rates(relative.equations().velocities());
  for (std::size_t k = 0; k < rates.size(); ++k) rates[k] = 1 - .3 * static_cast<double>(k);
  ASSERT_TRUE(solve_velocity(relative, 0, z, rates).consistent);
  expect_same_motion(m, z, rates);
}

TEST(VelocityTransformation, FourBar) {
  Mechanism m = four_bar();
  m.gravity = {0, -9.81, 0};
  m.bodies[1].pose.R = exp(Vec3<double>{0, 0, .7});
  m.bodies[2].pose = {exp(Vec3<double>{0, 0, .5}), m.bodies[1].pose * Vec3<double>{1, 0, 0}};
  m.bodies[3].pose.R = exp(Vec3<double>{0, 0, 1.8});
  m.coordinate_forces.push_back({.name = "motor",
                                 .coordinate = coordinate_index(m, "A.angle"),
                                 .stiffness = 2,
                                 .damping = .4});
  // At a joint that is cut: natural coordinates know it as mixed coordinate.
  m.coordinate_forces.push_back(
      {.name = "spring", .coordinate = coordinate_index(m, "2.angle"), .stiffness = 3, .rest = .2});
  expect_same_motion(m);
}

/// Ground -R- 1 -S- 2 -C- 3 -R- ground, in general position.
Mechanism rscr() {
  Mechanism m = plain_mechanism(false);
  m.gravity = {0, 0, -9.81};
  const auto inertia = [](double mass, const Vec3<double>& com) {
    return Inertia<double>{.mass = mass, .com = com, .about_com = {.4, .5, .6, .05, .02, .03}};
  };
  const int a =
      add_body(m, "1", {exp(Vec3<double>{.1, .2, .3}), {.2, 0, 0}}, inertia(2, {.5, .1, 0}));
  const int b =
      add_body(m, "2", {exp(Vec3<double>{.9, -.2, .3}), {1, .5, 0}}, inertia(1, {0, .4, .3}));
  const int c =
      add_body(m, "3", {exp(Vec3<double>{-.5, .6, .1}), {2, 1, 1}}, inertia(3, {.2, 0, .5}));
  const Vec3<double> cylinder = normalized(Vec3<double>{1, -1, 2});
  add_joint(m, "R1", PairType::revolute, 0, a);
  add_joint(m, "S", PairType::spherical, a, b, {.point = {1, .2, .25}});
  add_joint(m, "C", PairType::cylindrical, c, b,
            {.point = {2, 1.5, .5},
             .axis = cylinder,
             .zero = normalized(cross(cylinder, Vec3<double>{1, 0, 0}))});
  add_joint(m, "R2", PairType::revolute, 0, c,
            {.point = {3, 1, .5}, .axis = {0, .6, .8}, .zero = {1, 0, 0}});
  finish(m);
  return m;
}

TEST(VelocityTransformation, Rscr) { expect_same_motion(rscr()); }

TEST(VelocityTransformation, SpatialTreeWithoutEquations) {
  Mechanism m = plain_mechanism(false);
  m.gravity = {0, 0, -9.81};
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vector = [&] { return Vec3<double>{number(random), number(random), number(random)}; };
  int before = 0;
  for (const PairType type : {PairType::revolute, PairType::cylindrical, PairType::universal,
                              PairType::prismatic, PairType::revolute}) {
    const int body = add_body(m, "b" + std::to_string(m.bodies.size()), {exp(vector()), vector()},
                              {.mass = 2, .com = vector(), .about_com = {1, 1.2, 1.1, .1, .2, .1}});
    const Vec3<double> axis = normalized(vector()), zero = normalized(cross(axis, vector()));
    add_joint(m, "J" + std::to_string(body), type, body % 2 == 0 ? before : body,
              body % 2 == 0 ? body : before,
              {.point = vector(), .axis = axis, .zero = zero, .axis2 = zero});
    before = body == 2 ? 1 : body;  // a branch
  }
  finish(m);
  FormulationOptions options;
  options.family = CoordinateFamily::relative;
  const MechanismEquations eq = make_equations(m, options);
  EXPECT_EQ(eq.rows(), 0);
  Vector z(eq.numbers()), rates(eq.velocities());
  for (double& x : z) x = number(random);
  for (double& x : rates) x = number(random);
  expect_same_motion(m, z, rates);
}

TEST(VelocityTransformation, RefusesOtherCoordinatesAndMechanisms) {
  FormulationOptions options;
  options.family = CoordinateFamily::reference_point;
  MechanismSystem points(make_equations(four_bar(), options));
  EXPECT_THROW(VelocityTransformation(points, points), Error);
  options.family = CoordinateFamily::relative;
  MechanismSystem loop(make_equations(rscr(), options)), bars(make_equations(four_bar(), options));
  Mechanism one = plain_mechanism(true);
  MechanismSystem nothing(make_equations(one, options));
  EXPECT_THROW(VelocityTransformation(loop, nothing), Error);
}

}  // namespace
}  // namespace axode::test::velocity_transformation
