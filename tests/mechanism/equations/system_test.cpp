#include "axode/mechanism/equations/system.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "axode/core/error.hpp"
#include "axode/mechanism/equations/formulate.hpp"
#include "tests/mechanism/mechanism_parts.hpp"
#include "tests/mechanism/mechanisms.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::system {

using List = std::vector<double>;

/// Three bodies in space with every joint that has equations there, in no assembled position.
Mechanism many_joints() {
  Mechanism m;
  m.gravity = {0, 0, -9.81};
  m.bodies.resize(4);
  const char* names[] = {"world", "a", "b", "c"};
  for (std::size_t i = 0; i < 4; ++i) {
    m.bodies[i].name = names[i];
    if (i == 0) continue;
    const auto f = static_cast<double>(i);
    m.bodies[i].inertia = {f, {0.1 * f, -0.2, 0.3}, {0.5 * f, 0.6, 0.7, 0.02, -0.01, 0.03}};
    m.bodies[i].pose = {exp(Vec3<double>{0.3 * f, -0.8, 0.5}), {0.4, 0.7 * f, -0.2}};
  }
  const PairType types[] = {PairType::weld,
                            PairType::revolute,
                            PairType::prismatic,
                            PairType::helical,
                            PairType::cylindrical,
                            PairType::spherical,
                            PairType::universal,
                            PairType::planar,
                            PairType::point_on_line,
                            PairType::point_on_plane,
                            PairType::point_line_distance,
                            PairType::rod};
  int k = 0;
  for (const PairType type : types) {
    MechanismJoint j;
    j.name = std::string(name(type));
    j.type = type;
    j.body = {k % 4, (k + 1 + k % 2) % 4};
    if (j.body[0] == j.body[1]) j.body[1] = (j.body[1] + 1) % 4;
    for (std::size_t end = 0; end < 2; ++end) {
      const double f = 0.3 * k + 0.7 * static_cast<double>(end);
      j.point[end] = {std::sin(f), std::cos(2 * f), 0.4};
      j.axis[end] = normalized(Vec3<double>{std::cos(f), 0.5, std::sin(3 * f)});
      j.zero[end] = normalized(cross(j.axis[end], Vec3<double>{0, 0, 1}));
    }
    j.value = 0.7;
    j.pitch = 0.2;
    const auto add = [&](int which, bool is_angle, const char* of) {
      MechanismCoordinate c;
      c.name = j.name + "." + of;
      c.joint = k;
      c.which = which;
      c.is_angle = is_angle;
      m.coordinates.push_back(c);
    };
    if (type == PairType::helical) add(0, true, "angle");
    if (type == PairType::revolute) add(0, true, "angle");
    m.joints.push_back(j);
    ++k;
  }
  return m;
}

const AttitudeForm attitudes[] = {AttitudeForm::euler_parameters, AttitudeForm::euler_angles,
                                  AttitudeForm::quasi_velocities};

/// q moved by h along v, as the group moves.
List moved(const MechanismSystem& system, const List& q, const List& v, double h) {
  List d = v, result = q;
  for (double& x : d) x *= h;
  plus(system.configuration(), q, d, result);
  return result;
}

TEST(MechanismSystem, RatesAreDerivativesInEveryAttitude) {
  Random random(4);
  for (const AttitudeForm attitude : attitudes) {
    const Mechanism m = many_joints();
    MechanismSystem system(make_equations(
        m, {.family = CoordinateFamily::reference_point, .attitude = attitude, .mixed = {0, 1}}));
    std::vector<SE3<double>> poses;
    for (const MechanismBody& b : m.bodies) poses.push_back(b.pose);
    List q = system.from_poses(poses);
    List v(system.configuration().nv);
    for (double& x : v) x = random.uniform(-1, 1);
    // Euler parameters keep their length.
    for (const BodyCoordinates& b : system.equations().bodies)
      if (b.kind == BodyCoordinates::Kind::euler_parameters) {
        double along = 0;
        for (std::size_t i = 3; i < 7; ++i) along += q[b.x + i] * v[b.v + i];
        for (std::size_t i = 3; i < 7; ++i) v[b.v + i] -= along * q[b.x + i];
      }
    const std::size_t rows = system.constraints();
    List plus_(rows), minus_(rows), rate(rows), c(rows);
    const double h = 1e-5;
    system.position(0, moved(system, q, v, h), plus_);
    system.position(0, moved(system, q, v, -h), minus_);
    system.velocity(0, q, v, rate);
    for (std::size_t k = 0; k < rows; ++k)
      EXPECT_NEAR((plus_[k] - minus_[k]) / (2 * h), rate[k], 1e-8) << k;
    // Along q(t) = plus(q, t v), v constant, dPhi_q/dt v is the second derivative.
    List now(rows);
    system.position(0, q, now);
    system.acceleration_right(0, q, v, c);
    for (std::size_t k = 0; k < rows; ++k)
      EXPECT_NEAR((plus_[k] - 2 * now[k] + minus_[k]) / (h * h), -c[k], 2e-4)
          << system.equations().equations[k].name;
  }
}

TEST(MechanismSystem, TangentHasTheCurvatureOfConstraints) {
  Random random(5);
  for (const AttitudeForm attitude : attitudes) {
    const Mechanism m = many_joints();
    MechanismSystem system(make_equations(
        m, {.family = CoordinateFamily::reference_point, .attitude = attitude, .mixed = {0, 1}}));
    std::vector<SE3<double>> poses;
    for (const MechanismBody& b : m.bodies) poses.push_back(b.pose);
    const List q = system.from_poses(poses);
    const std::size_t nv = system.configuration().nv;
    const std::size_t rows = system.constraints();
    List zero(nv, 0.), lambda(rows), d(nv), v(nv);
    for (double& x : lambda) x = random.uniform(-1, 1);
    for (double& x : d) x = random.uniform(-1, 1);
    for (double& x : v) x = random.uniform(-1, 1);
    SparseAssembly tangent, rate;
    const ConstrainedView of = view(system);
    // At rest: forces of inertia have no slope.
    of.tangent({0, q, zero, zero, lambda}, {.stiffness = 1}, tangent);
    of.tangent({0, q, v, zero, lambda}, {.rate = 1}, rate);
    // Along d, without components along Euler parameters, where the equations do not curve.
    for (const BodyCoordinates& b : system.equations().bodies)
      if (b.kind == BodyCoordinates::Kind::euler_parameters)
        for (List* x : {&d, &v}) {
          double along = 0;
          for (std::size_t i = 3; i < 7; ++i) along += q[b.x + i] * (*x)[b.v + i];
          for (std::size_t i = 3; i < 7; ++i) (*x)[b.v + i] -= along * q[b.x + i];
        }
    List x(nv + rows, 0.), result(nv + rows);
    std::copy(d.begin(), d.end(), x.begin());
    const auto second = [&](const List& at_q) {
      SparseRows J;
      system.jacobian(0, at_q, J);
      List g(nv, 0.);
      J.add_transposed(lambda, g);
      return g;
    };
    const double h = 1e-6;
    const List up = second(moved(system, q, d, h)), down = second(moved(system, q, d, -h));
    multiply(tangent.matrix, x, result);
    double difference = 0, expected = 0;
    for (std::size_t i = 0; i < nv; ++i) {
      difference += d[i] * (up[i] - down[i]) / (2 * h);
      expected += d[i] * result[i];
    }
    EXPECT_NEAR(difference, expected, 1e-6 * std::max(1., std::abs(expected)))
        << static_cast<int>(attitude);
  }
}

TEST(MechanismSystem, MassAndForcesAreThoseOfNewtonAndEuler) {
  // A free body: the same accelerations in every attitude, found through its own equations.
  Mechanism m;
  m.gravity = {0.3, -0.2, -9.81};
  m.bodies.resize(2);
  m.bodies[0].name = "world";
  m.bodies[1].name = "body";
  m.bodies[1].inertia = {2, {0.1, -0.2, 0.3}, {0.5, 0.6, 0.7, 0.02, -0.01, 0.03}};
  m.bodies[1].pose = {exp(Vec3<double>{0.3, -0.8, 0.5}), {0.4, 0.7, -0.2}};
  BodyLoad load;
  load.body = 1;
  load.point = {0.2, 0.1, 0};
  load.force = {1, 2, 3};
  load.torque = {-0.3, 0.2, 0.5};
  m.loads.push_back(load);
  const Vec3<double> omega{0.7, -1.1, 0.4};
  const std::vector<SE3<double>> poses{{}, m.bodies[1].pose};
  const std::vector<Twist<Rep::hybrid>> twists{{}, {omega, {1, 0.5, -0.3}}};
  const SO3<double>& R = m.bodies[1].pose.R;
  const Mat3<double> J = R.matrix * m.bodies[1].inertia.about_com.matrix() * transpose(R.matrix);
  const Vec3<double> arm = R * (load.point - m.bodies[1].inertia.com);
  const Vec3<double> couple = load.torque + cross(arm, load.force) - cross(omega, J * omega);
  for (const AttitudeForm attitude : attitudes) {
    MechanismSystem system(
        make_equations(m, {.family = CoordinateFamily::reference_point, .attitude = attitude}));
    const List q = system.from_poses(poses), v = system.from_twists(q, twists);
    const std::size_t nv = system.configuration().nv;
    List a(nv), lambda(system.constraints());
    ConstrainedWork work;
    ASSERT_TRUE(consistent_acceleration(view(system), 0, q, v, a, lambda, work));
    std::vector<Vec6<double>> rates(2);
    system.accelerations(q, v, a, rates);
    const Vec3<double> turning = J * rates[1].angular;
    const Vec3<double> s = R * m.bodies[1].inertia.com;
    const Vec3<double> com =
        rates[1].linear + cross(rates[1].angular, s) + cross(omega, cross(omega, s));
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(turning[k], couple[k], 1e-12);
      EXPECT_NEAR(com[k], m.gravity[k] + load.force[k] / 2, 1e-12);
    }
    const double kinetic =
        squared_norm(twists[1].linear + cross(omega, s)) + dot(omega, J * omega) / 2;
    EXPECT_NEAR(system.kinetic_energy(q, v), kinetic, 1e-12);
  }
}

TEST(MechanismSystem, SeatsOfEulerAnglesChangeWithoutAJump) {
  const Mechanism m = many_joints();
  MechanismSystem system(make_equations(
      m, {.family = CoordinateFamily::reference_point, .attitude = AttitudeForm::euler_angles}));
  std::vector<SE3<double>> poses;
  for (const MechanismBody& b : m.bodies) poses.push_back(b.pose);
  List q = system.from_poses(poses);
  List v(q.size(), 0.3);
  EXPECT_FALSE(system.refresh(q, v) && std::abs(std::sin(q[4])) < 0.2);
  q[4] = 0.1;  // nearly singular
  std::vector<SE3<double>> before(4), after(4);
  std::vector<Twist<Rep::hybrid>> moving_before(4), moving_after(4);
  system.motion(q, v, before, moving_before);
  EXPECT_TRUE(system.refresh(q, v));
  EXPECT_NEAR(std::sin(q[4]), 1, 1e-15);
  system.motion(q, v, after, moving_after);
  for (std::size_t b = 0; b < 4; ++b)
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(before[b].p[k], after[b].p[k], 1e-14);
      EXPECT_NEAR(before[b].R.matrix.x[k], after[b].R.matrix.x[k], 1e-14);
      EXPECT_NEAR(moving_before[b].angular[k], moving_after[b].angular[k], 1e-14);
      EXPECT_NEAR(moving_before[b].linear[k], moving_after[b].linear[k], 1e-13);
    }
}

/// At half a turn rounding decides which one an angle is on, for each body by itself; what slides on
/// another body is turned with it.
TEST(MechanismSystem, PosesHalfATurnOnGiveAnglesThatAgree) {
  using namespace mechanisms;
  Mechanism m = empty_mechanism("slides", true);
  const int arm = add_body(m, "arm", planar_place({0, 0}, 0));
  const int slider = add_body(m, "slider", planar_place({1, 0}, 0));
  add_pin(m, "A", {0, arm}, {0, 0}, {0, 0});
  add_joint(m, {.name = "P",
                .type = PairType::prismatic,
                .body = {arm, slider},
                .axis = {Vec3<double>{1, 0, 0}, Vec3<double>{1, 0, 0}}});
  for (const double off : {1e-15, -1e-15}) {
    MechanismSystem system(make_equations(m, {.family = CoordinateFamily::reference_point}));
    const std::vector<SE3<double>> poses{
        {}, planar_place({0, 0}, M_PI - off), planar_place({-1, 0}, M_PI + off)};
    const std::vector<double> q = system.from_poses(poses);
    std::vector<double> phi(system.constraints());
    system.position(0, q, phi);
    for (const double x : phi) EXPECT_NEAR(x, 0, 1e-14);
  }
}

/// Where a family has no attitude for a body, as natural coordinates at zero, motion says so; elsewhere,
/// and in other families everywhere, it is finite.
TEST(MechanismSystem, FormsAreTakenBack) {
  const Mechanism m = mechanisms::four_bar({});
  for (const FormulationOptions& o : mechanisms::formulations(true)) {
    MechanismSystem system(make_equations(m, o));
    const std::vector<int> before = system.forms();
    ASSERT_EQ(before.size(), std::size_t(system.constraints()));
    std::vector<int> other = before;
    for (std::size_t i = 0; i < other.size(); ++i)
      other[i] = static_cast<int>(system.equations().equations[i].forms.size()) - 1;
    const int choices = system.choices();
    system.use_forms(other);
    EXPECT_EQ(system.forms(), other);
    EXPECT_EQ(system.choices(), choices + (other == before ? 0 : 1));
    system.use_forms(before);
    EXPECT_EQ(system.forms(), before);
    EXPECT_THROW(system.use_forms(std::vector<int>(before.size() + 1)), Error);
    if (!other.empty()) {
      ++other[0];
      EXPECT_THROW(system.use_forms(other), Error);
    }
  }
}

TEST(MechanismSystem, MotionIsFiniteOrRefused) {
  Mechanism m = mechanisms::empty_mechanism("pendulum", true);
  mechanisms::add_pin(m, "A",
                      {0, mechanisms::add_body(m, "arm", mechanisms::planar_place({0, 0}, 0))},
                      {0, 0}, {0, 0});
  for (const CoordinateFamily family :
       {CoordinateFamily::natural, CoordinateFamily::relative, CoordinateFamily::reference_point}) {
    MechanismSystem system(make_equations(m, {.family = family}));
    std::vector<SE3<double>> poses(2);
    std::vector<Twist<Rep::hybrid>> twists(2);
    std::vector<Vec6<double>> rates(2);
    List zero(system.equations().velocities(), 0);
    for (const bool assembled : {true, false}) {
      const List q = assembled ? system.from_poses(std::vector<SE3<double>>(2))
                               : List(system.equations().numbers(), 0);
      const bool has_pose = assembled || family != CoordinateFamily::natural;
      SCOPED_TRACE(std::string(name(family)) + (assembled ? ", assembled" : ", at zero"));
      if (!has_pose) {
        EXPECT_THROW(system.motion(q, zero, poses, twists), SingularError);
        EXPECT_THROW(system.accelerations(q, zero, zero, rates), SingularError);
        continue;
      }
      system.motion(q, zero, poses, twists);
      system.accelerations(q, zero, zero, rates);
      EXPECT_TRUE(is_finite(poses[1].p) && is_finite(twists[1].six()) && is_finite(rates[1]));
    }
  }
}

}  // namespace axode::test::system
