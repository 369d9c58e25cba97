#include "axode/dynamics/contact/contact_dynamics.hpp"

#include <gtest/gtest.h>

#include "axode/dynamics/matrices/moving_base.hpp"
#include "axode/lie/adjoint.hpp"
#include "axode/model/builder.hpp"
#include "axode/screw/convert.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/models/four_legs.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::contact_dynamics_test {
namespace {

using Vector = std::vector<double>;
using Six = std::vector<Vec6<>>;

double largest(const Vector& a) {
  double m = 0;
  for (const double x : a) m = max(m, std::abs(x));
  return m;
}
double difference(const Vector& a, const Vector& b) {
  if (a.size() != b.size()) return INFINITY;
  double worst = 0;
  for (std::size_t k = 0; k < a.size(); ++k) worst = max(worst, std::abs(a[k] - b[k]));
  return worst;
}
Eigen::VectorXd eigen(const Vector& a) {
  return Eigen::Map<const Eigen::VectorXd>(a.data(), static_cast<Eigen::Index>(a.size()));
}
/// M a + c at these accelerations, wrenches on the bodies included.
Vector forces(const Tree& tree, const Poses<double>& p, const Vector& v, const Vector& a,
              In<Wrench<Rep::body>> external = {}) {
  Vector tau(v.size());
  InverseDynamics<Rep::hybrid> work(tree);
  inverse_dynamics<Rep::hybrid, double>(tree, p, v, a, work, tau, external);
  return tau;
}
/// By contact: dJ/dt v and J v.
Six biases(const Tree& tree, const Poses<double>& p, const Vector& v,
           std::span<const Contact> contacts, bool rates) {
  Motion<Rep::body> m(tree);
  twists<Rep::body, double>(tree, p, v, m);
  Six result;
  for (const Contact& c : contacts)
    result.push_back(rates ? contact_bias<double>(tree, p, m, v, c) : contact_twist(p, m, c));
  return result;
}

// --- against the saddle-point system of full matrices --------------------------------------------

struct Kkt {
  Eigen::VectorXd a, f;
  LeastSquares solved;
};
/// [M -J^T; J 0] (a, f) = (tau - c, desired - dJ/dt v), the shortest least-squares solution.
Kkt saddle_point(const Tree& tree, const Vector& q, const Vector& v, const Vector& tau,
                 std::span<const Contact> contacts) {
  const Poses<double> p = poses(tree, q);
  const Eigen::MatrixXd J = held_rows(tree, p, contacts);
  const Eigen::Index n = tree.nv, m = J.rows();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + m, n + m);
  A.topLeftCorner(n, n) = full_mass_matrix(tree, q);
  A.topRightCorner(n, m) = -J.transpose();
  A.bottomLeftCorner(m, n) = J;
  Eigen::VectorXd b(n + m);
  b << eigen(tau) - eigen(forces(tree, p, v, Vector(v.size()))),
      -held_entries(contacts, biases(tree, p, v, contacts, true));
  const LeastSquares solved = least_squares(A, b);
  return {solved.solution.head(n), solved.solution.tail(m), solved};
}

Contact random_contact(Random& random, const Tree& tree) {
  Contact c;
  const int last = tree.size() - 1;
  c.link = random.integer(0, last);
  do c.against = random.integer(-1, last);
  while (c.against == c.link);
  c.frame = {{c.link, random.pose(.5)}, {random.integer(-1, last), random.pose(.5)}};
  const std::array kinds{sliding_point, sliding_line, point_contact,
                         plane_contact, line_contact, full_contact};
  c.directions = kinds[random.integer(0, 5)];
  c.V_FC = random.vec6(1);
  return c;
}

struct Case {
  Tree tree;
  Vector q, v, tau;
  std::vector<Contact> contacts;
};
Case random_case(Random& random) {
  Case c{random_tree(random, random.integer(2, 12)), {}, {}, {}, {}};
  c.q = random_coordinates(random, c.tree);
  c.v = random_velocities(random, c.tree);
  c.tau = random_velocities(random, c.tree, 5);
  for (int n = random.integer(1, 4); n > 0; --n)
    c.contacts.push_back(random_contact(random, c.tree));
  return c;
}

TEST(ContactDynamics, SolvesTheSaddlePointSystem) {
  double worst = 0;
  int redundant = 0, inconsistent = 0, compared = 0;
  for_random_cases(200, [&](Random& random) {
    const Case c = random_case(random);
    const Kkt expected = saddle_point(c.tree, c.q, c.v, c.tau, c.contacts);
    const ContactDynamics d = contact_dynamics(c.tree, c.q, c.v, c.tau, c.contacts);
    EXPECT_EQ(d.solution.rank < d.solution.constraints, d.solution.redundant);
    redundant += d.solution.redundant;
    inconsistent += !d.solution.consistent;
    if (expected.solved.smallest_pivot < 1e-5) return;  // hardly more than rounding
    const double size = 1 + expected.f.norm() + expected.a.norm();
    // Least squares of the whole system weighs forces against accelerations if it has no solution.
    EXPECT_EQ(d.solution.consistent, expected.solved.residual < 1e-9 * size);
    EXPECT_EQ(c.tree.nv + d.solution.rank, expected.solved.rank);
    if (!d.solution.consistent) return;
    ++compared;
    const Eigen::VectorXd f = held_entries(c.contacts, d.wrenches);
    worst = max(worst, (eigen(d.a) - expected.a).norm() / size * expected.solved.smallest_pivot);
    worst = max(worst, (f - expected.f).norm() / size * expected.solved.smallest_pivot);
  });
  EXPECT_LT(worst, 1e-12);  // relative to what the condition number allows
  EXPECT_GT(redundant, 50);
  EXPECT_GT(inconsistent, 10);
  EXPECT_GT(compared, 60);
  record("worst_error_over_condition", worst);
}

/// With the wrenches found put on the bodies as external ones, inverse dynamics gives tau back.
TEST(ContactDynamics, WrenchesAndMotionSatisfyInverseDynamics) {
  double worst = 0;
  for_random_cases(200, [&](Random& random) {
    const Case c = random_case(random);
    const Poses<double> p = poses(c.tree, c.q);
    std::vector<Wrench<Rep::body>> external(c.tree.links.size());
    for (Wrench<Rep::body>& W : external) W = {random.vec3(), random.vec3()};
    Six desired;
    for (std::size_t k = 0; k < c.contacts.size(); ++k) desired.push_back(random.vec6());
    const ContactInputs inputs{.body_wrenches = external, .desired = desired, .velocity_gain = 3};
    const ContactDynamics d = contact_dynamics(c.tree, c.q, c.v, c.tau, c.contacts, inputs);
    double size = 1 + largest(c.tau);
    for (std::size_t k = 0; k < c.contacts.size(); ++k) {
      add_contact_wrench<double>(p, c.contacts[k], d.wrenches[k], external);
      size += max_abs(d.wrenches[k]);
    }
    worst = max(worst, difference(forces(c.tree, p, c.v, d.a, external), c.tau) / size);
    // What is left of the conditions is what the result says.
    const Eigen::VectorXd J_a = held_rows(c.tree, p, c.contacts) * eigen(d.a);
    const Eigen::VectorXd left =
        J_a + held_entries(c.contacts, biases(c.tree, p, c.v, c.contacts, true)) +
        3 * held_entries(c.contacts, biases(c.tree, p, c.v, c.contacts, false)) -
        held_entries(c.contacts, desired);
    EXPECT_NEAR(left.norm(), d.solution.residual, 1e-11 * (1 + largest(d.a)));
    EXPECT_TRUE(d.solution.redundant || d.solution.consistent);
  });
  EXPECT_LT(worst, 1e-11);
  record("worst_relative_error", worst);
}

/// Of all motions, none comes nearer to what the contacts ask for: the residual is orthogonal to all
/// that J can do.
TEST(ContactDynamics, InconsistentContactsLeaveTheLeastResidual) {
  int inconsistent = 0;
  double worst = 0;
  for_random_cases(200, [&](Random& random) {
    const Case c = random_case(random);
    const ContactDynamics d = contact_dynamics(c.tree, c.q, c.v, c.tau, c.contacts);
    if (d.solution.consistent) return;
    ++inconsistent;
    EXPECT_TRUE(d.solution.redundant);
    const Poses<double> p = poses(c.tree, c.q);
    const Eigen::MatrixXd J = held_rows(c.tree, p, c.contacts);
    const Eigen::VectorXd left =
        J * eigen(d.a) + held_entries(c.contacts, biases(c.tree, p, c.v, c.contacts, true));
    const double size = 1 + J.norm() * J.norm() * eigen(d.a).norm();  // of rounding errors of J a
    worst = max(worst, (J.transpose() * left).norm() / size);
  });
  EXPECT_LT(worst, 1e-10);
  EXPECT_GT(inconsistent, 20);
  record("worst_relative_error", worst);
}

// --- a robot on four legs ------------------------------------------------------------------------

/// Joint forces that hold it at rest if each foot carries a quarter of the weight.
Vector holding_forces(const Tree& tree, const Vector& q) {
  const Poses<double> p = poses(tree, q);
  std::vector<Wrench<Rep::body>> external(tree.links.size());
  const Vec6<> quarter{{}, tree.gravity * (-mass(tree) / 4)};
  for (const Contact& c : feet_on_ground(tree, point_contact))
    add_contact_wrench<double>(p, c, quarter, external);
  const Vector zero(tree.nv);
  return forces(tree, p, zero, zero, external);
}

TEST(ContactDynamics, FourLegsShareTheWeight) {
  for (const bool stiff : {false, true}) {
    const Tree tree = four_legs(Rep::hybrid, stiff);
    const Vector q = standing(tree), tau = holding_forces(tree, q), zero(tau.size());
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(tau[k], 0, 1e-13);  // no hand from above
    const double weight = mass(tree) * 9.81;
    const std::array kinds{sliding_point, point_contact, line_contact, plane_contact, full_contact};
    for (const Directions& kind : kinds) {
      const std::vector<Contact> feet = feet_on_ground(tree, kind);
      const ContactDynamics d = contact_dynamics(tree, q, zero, tau, feet);
      EXPECT_TRUE(d.solution.consistent);
      EXPECT_EQ(d.solution.constraints, 4 * kind.count());
      if (stiff || kind == line_contact || kind == full_contact) {
        EXPECT_TRUE(d.solution.redundant);
      } else {
        EXPECT_FALSE(d.solution.redundant);
      }
      EXPECT_LT(largest(d.a), 1e-10);
      double sum = 0;
      for (const Vec6<>& f : d.wrenches) {
        sum += f.linear.z;
        EXPECT_NEAR(f.linear.z, weight / 4, 1e-11 * weight);
        // Where the rest is determined there is none of it.
        if (!d.solution.redundant) {
          EXPECT_NEAR(max_abs(f.angular) + std::abs(f.linear.x) + std::abs(f.linear.y), 0,
                      1e-11 * weight);
        }
      }
      EXPECT_NEAR(sum, weight, 1e-11 * weight);
    }
  }
}

/// Twelve directions are independent, of twenty-four only seventeen; the shortest wrenches are those
/// of the pseudo-inverse.
TEST(ContactDynamics, FourLegsMoving) {
  Random random(1);
  const Tree tree = four_legs();
  const Vector q = standing(tree);
  const Vector tau = random_velocities(random, tree, 10);
  const Vector zero(tau.size());
  for (const Directions& kind : {point_contact, full_contact}) {
    const std::vector<Contact> feet = feet_on_ground(tree, kind);
    const ContactDynamics d = contact_dynamics(tree, q, zero, tau, feet);
    EXPECT_EQ(d.solution.rank, kind == point_contact ? 12 : 17);
    EXPECT_EQ(d.solution.redundant, kind == full_contact);
    EXPECT_TRUE(d.solution.consistent);
    const Kkt expected = saddle_point(tree, q, zero, tau, feet);
    EXPECT_LT(expected.solved.residual, 1e-9);
    EXPECT_LT((eigen(d.a) - expected.a).norm(), 1e-9 * expected.a.norm());
    EXPECT_LT((held_entries(feet, d.wrenches) - expected.f).norm(), 1e-9 * expected.f.norm());
  }
}

/// The same motion and wrenches whatever form the base velocity has.
TEST(ContactDynamics, BaseVelocitiesInAllForms) {
  Random random(2);
  const Tree body = four_legs(Rep::body);
  Vector q = standing(body), v = random_velocities(random, body);
  Vector tau = random_velocities(random, body, 10);
  std::fill_n(tau.begin(), 6, 0.);
  const std::vector<Contact> feet = feet_on_ground(body, point_contact);
  const ContactDynamics first = contact_dynamics(body, q, v, tau, feet);
  const Poses<double> p = poses(body, q);
  for (const Rep own : {Rep::spatial, Rep::hybrid}) {
    const Tree tree = four_legs(own);
    const BaseChange<double> change = base_change<double>(body, p, v, own);
    Vector nu(v.size()), nudot(v.size());
    change_velocity<double>(change, v, nu);
    change_acceleration<double>(change, nu, first.a, nudot);
    const ContactDynamics d =
        contact_dynamics(tree, q, nu, tau, feet_on_ground(tree, point_contact));
    EXPECT_LT(difference(d.a, nudot), 1e-10 * (1 + largest(nudot)));
    for (std::size_t c = 0; c < feet.size(); ++c)
      expect_near(d.wrenches[c], first.wrenches[c], 1e-10 * (1 + max_abs(d.wrenches[c])));
  }
}

// --- closed loops --------------------------------------------------------------------------------

/// A four-bar linkage: crank, coupler and rocker as a chain, the last pin held to the world. One
/// degree of freedom, the angle of the crank.
struct FourBar {
  static constexpr double a = .3, b = .8, c = .6, ground = .9;
  Tree tree = make();
  std::vector<Contact> pin(const Directions& directions) const {
    return {contact(tree, {.at = "pin", .directions = directions})};
  }
  static Tree make() {
    const auto rod = [](double m, double from, double to) {
      const double l = to - from, I = m * l * l / 12;
      return Inertia<>{m, {(from + to) / 2, 0, .02}, Sym3<>::diagonal({1e-3, I, I})};
    };
    // Turns about y; the pin has its x axis, about which a line contact turns, along y.
    return TreeBuilder("four_bar")
        .body("crank", rod(1, 0, a))
        .joint("j1", revolute({.axis = {0, 1, 0}}))
        .body("coupler", rod(2, a, a + b))
        .on("crank")
        .joint("j2", revolute({.axis = {0, 1, 0}, .point = {a, 0, 0}}))
        .body("rocker", rod(1.5, a + b, a + b + c))
        .on("coupler")
        .joint("j3", revolute({.axis = {0, 1, 0}, .point = {a + b, 0, 0}}))
        .frame("pin",
               {.on = "rocker", .at = {exp(Vec3<>{0, 0, pi<double> / 2}), {a + b + c, 0, 0}}})
        .build();
  }
  /// All angles from that of the crank: the triangle over the diagonal.
  static Vector angles(double crank) {
    const double x = ground - a * std::cos(crank), z = a * std::sin(crank);  // y axis: z = -sin
    const double d = std::hypot(x, z);
    const double to_end = std::atan2(-z, x);
    const double inner = std::acos((b * b + d * d - c * c) / (2 * b * d));
    const double at_pin = std::acos((c * c + d * d - b * b) / (2 * c * d));
    const double coupler = to_end - inner, rocker = to_end + at_pin;
    return {crank, coupler - crank, rocker - coupler};
  }
};

double energy_form(const Tree& tree, const Vector& q, const Vector& v) {
  return .5 * eigen(v).dot(full_mass_matrix(tree, q) * eigen(v));
}
double potential(const Tree& tree, const Vector& q) {
  const Poses<double> p = poses(tree, q);
  double sum = 0;
  for (std::size_t i = 0; i < tree.links.size(); ++i)
    sum -= tree.bodies[i].inertia.mass * dot(tree.gravity, p.T_WB[i] * tree.bodies[i].inertia.com);
  return sum;
}
/// Derivative by differences of sixth order.
template <class F>
auto slope(F&& f, double x, double h) -> decltype(f(x)) {  // no expression of Eigen
  return ((f(x + h) - f(x - h)) * 45 - (f(x + 2 * h) - f(x - 2 * h)) * 9 +
          (f(x + 3 * h) - f(x - 3 * h))) *
         (1 / (60 * h));
}

/// Against Lagrange's equation of the crank alone, from energies, with all derivatives by
/// differences: m(s) s'' + m'(s) s'^2 / 2 + V'(s) = Q.
TEST(ContactDynamics, FourBarLinkageMovesAsItsEnergiesSay) {
  const FourBar bar;
  const double h = 2e-3;  // errors: rounding over h^2 in second derivatives, h^6 otherwise
  double worst = 0;
  for (const double s : {.4, 1.7, -2.2}) {
    const auto q_rate = [&](double x) {
      return slope([](double y) { return eigen(FourBar::angles(y)); }, x, h);
    };
    const auto vector = [](const Eigen::VectorXd& x) { return Vector(x.begin(), x.end()); };
    const auto inertia = [&](double x) {
      return 2 * energy_form(bar.tree, FourBar::angles(x), vector(q_rate(x)));
    };
    const double speed = 1.3;
    const Vector tau{2, -1, .5}, q = FourBar::angles(s);
    const Eigen::VectorXd g = q_rate(s);
    const double Q = eigen(tau).dot(g) -
                     slope([&](double x) { return potential(bar.tree, FourBar::angles(x)); }, s, h);
    const double acceleration = (Q - slope(inertia, s, h) * speed * speed / 2) / inertia(s);
    const Eigen::VectorXd expected = g * acceleration + slope(q_rate, s, h) * (speed * speed);
    const Vector v = vector(g * speed);
    for (const Directions& kind : {point_contact, line_contact}) {
      const ContactDynamics d = contact_dynamics(bar.tree, q, v, tau, bar.pin(kind));
      EXPECT_EQ(d.solution.rank, 2);
      EXPECT_TRUE(d.solution.redundant);
      EXPECT_LT(d.solution.residual, 1e-8);
      worst = max(worst, (eigen(d.a) - expected).norm() / (1 + expected.norm()));
      EXPECT_NEAR(d.wrenches[0].linear.x, 0, 1e-12);  // out of the plane nothing is needed
    }
  }
  EXPECT_LT(worst, 1e-9);
  record("worst_relative_error", worst);
}

/// Two links hanging from the world, pinned together at their ends by a contact between them: as
/// the chain of three bars that the same linkage is when it is opened elsewhere.
TEST(ContactDynamics, LoopsMayBeClosedBetweenBodies) {
  const FourBar bar;
  const Vector q = FourBar::angles(.4);
  const Poses<double> p = poses(bar.tree, q);
  // The same linkage in that configuration: rocker on the world, pinned to the coupler.
  const Vec3<> at_pin{FourBar::ground, 0, 0};
  const auto at = [&](std::size_t i, const Vec3<>& x) { return p.T_WB[i] * x; };
  const Vec3<> joint = at(1, {FourBar::a + FourBar::b, 0, 0});
  const Vec3<> axis{0, 1, 0};
  TreeBuilder b("opened");
  b.body("crank", bar.tree.bodies[0].inertia)
      .joint("j1", revolute({.axis = axis}), zero_reference(p.T_WB[0]));
  b.body("coupler", bar.tree.bodies[1].inertia)
      .on("crank")
      .joint("j2", revolute({.axis = axis, .point = at(0, {FourBar::a, 0, 0})}),
             zero_reference(p.T_WB[1]));
  b.body("rocker", bar.tree.bodies[2].inertia)
      .joint("j3", revolute({.axis = axis, .point = at_pin}), zero_reference(p.T_WB[2]));
  b.frame("joint", {.on = "coupler", .at = translation(inverse_times(p.T_WB[1], joint))});
  const Tree opened = b.build();
  const std::vector loop{
      contact(opened, {.at = "joint", .directions = point_contact, .against = "rocker"})};
  const Vector zero(3), tau{2, 0, 0};
  const ContactDynamics two = contact_dynamics(opened, zero, zero, tau, loop);
  const ContactDynamics one = contact_dynamics(bar.tree, q, zero, tau, bar.pin(point_contact));
  EXPECT_EQ(two.solution.rank, 2);
  EXPECT_NEAR(two.a[0], one.a[0], 1e-11 * (1 + std::abs(one.a[0])));
  EXPECT_NEAR(two.a[1], one.a[1], 1e-11 * (1 + std::abs(one.a[1])));
  EXPECT_NEAR(two.a[2], one.a[0] + one.a[1] + one.a[2], 1e-11 * (1 + std::abs(two.a[2])));
  // The pin of the chain carries the force that the rocker's joint carries here.
  std::vector<Wrench<Rep::body>> external(3);
  add_contact_wrench<double>(poses(opened, zero), loop[0], two.wrenches[0], external);
  InverseDynamics<Rep::hybrid> work(opened);
  Vector back(3);
  inverse_dynamics<Rep::hybrid, double>(opened, poses(opened, zero), zero, two.a, work, back,
                                        external);
  EXPECT_LT(difference(back, tau), 1e-11);
  const Vec3<> chain = contact_pose(p, bar.pin(point_contact)[0]).R * one.wrenches[0].linear;
  expect_near(work.joint_wrenches[2].linear, chain, 1e-10);
}

/// A loop that has come apart closes again by velocity and position gains.
TEST(ContactDynamics, GainsCloseALoopThatHasDrifted) {
  const FourBar bar;
  Vector q = FourBar::angles(.4), v{.5, 0, 0};
  q[2] += .02;
  const std::vector<Contact> pin = bar.pin(point_contact);
  const FrameChoice target{{-1, {{}, {FourBar::ground, 0, 0}}}, {-1, {}}};
  Vec6<> error{};
  for (int step = 0; step < 2000; ++step) {  // 2 s, semi-implicit Euler
    error = contact_error(poses(bar.tree, q), pin[0], target);
    const Six desired{error * -100.};
    const ContactDynamics d = contact_dynamics(bar.tree, q, v, Vector{.1, 0, 0}, pin,
                                               {.desired = desired, .velocity_gain = 20});
    for (std::size_t k = 0; k < 3; ++k) q[k] += 1e-3 * (v[k] += 1e-3 * d.a[k]);
    EXPECT_TRUE(step > 0 || max_abs(error.linear) > 5e-3);
  }
  EXPECT_LT(max_abs(error.linear), 5e-4);  // what is left is the error of the integration
}

// --- contact frames that move --------------------------------------------------------------------

/// A ball rolls down a slope: the contact frame stays below its centre. Solid ball: 5/7 g sin.
TEST(ContactDynamics, RollingBall) {
  const double m = 2, r = .1, I = .4 * m * r * r, tilt = .3;
  const Tree tree = TreeBuilder()
                        .gravity({9.81 * std::sin(tilt), 0, -9.81 * std::cos(tilt)})
                        .body("ball", {m, {}, Sym3<>::diagonal({I, I, I})})
                        .joint("free", free_joint({.velocity = Rep::hybrid}))
                        .build();
  const double half = .7;  // turned in some way
  const Vector q{std::cos(half), std::sin(half), 0, 0, 3, 2, r}, tau(6);
  const double speed = 4;
  const Vector v{-.5 * speed / r, speed / r,  7,
                 speed,           .5 * speed, 0};  // rolls, and spins on the spot
  Contact c =
      contact(tree, {.at = origin_of("ball").axes_of("world"), .directions = point_contact});
  c.T_FC.p = {0, 0, -r};
  const double rolling = 5. / 7 * 9.81 * std::sin(tilt);
  const auto check = [&](const Contact& contact, double normal) {
    const ContactDynamics d = contact_dynamics(tree, q, v, tau, std::array{contact});
    EXPECT_FALSE(d.solution.redundant);
    EXPECT_NEAR(d.a[3], rolling, 1e-11);
    EXPECT_NEAR(d.a[4], 0, 1e-11);
    EXPECT_NEAR(d.a[5] + 9.81 * std::cos(tilt), normal / m, 1e-10);
    return d.wrenches[0];
  };
  const double normal = m * 9.81 * std::cos(tilt);
  const Vec6<> f = check(c, normal);
  expect_near(f.linear, Vec3<>{-2. / 7 * m * 9.81 * std::sin(tilt), 0, normal}, 1e-10);
  // The same frame as one that moves on the ball: F turns with the ball, C does not.
  Contact on_ball = contact(tree, {.at = "ball", .directions = point_contact});
  const SO3<> R = poses(tree, q).T_WB[0].R;
  on_ball.T_FC = {inverse(R), inverse_times(R, Vec3<>{0, 0, -r})};
  // Relative to F it has the twist of the world relative to the ball, about the ball's centre.
  const Vec3<> w{v[0], v[1], v[2]};
  on_ball.V_FC = {-w, cross(Vec3<>{0, 0, -r}, w)};
  expect_near(check(on_ball, normal), f, 1e-10);
  // Or as one that moves in the world, with the speed of the ball.
  Contact in_world = contact(tree, {.at = "world", .directions = point_contact, .link = "ball"});
  in_world.T_FC.p = {3, 2, 0};
  in_world.V_FC.linear = {speed, .5 * speed, 0};
  expect_near(check(in_world, normal), f, 1e-10);
  // A point of the ball that is held where it touches is another thing: it pulls the centre down.
  on_ball.V_FC = {};
  const double turning = speed * speed * 1.25 / r;
  const ContactDynamics stuck = contact_dynamics(tree, q, v, tau, std::array{on_ball});
  EXPECT_NEAR(stuck.a[5], -turning, 1e-9);
}

// --- outcomes, misuse, memory --------------------------------------------------------------------

TEST(ContactDynamics, WithoutContactsItIsFree) {
  const Tree tree = four_legs(Rep::hybrid);
  const Vector q = standing(tree), zero(18);
  const ContactDynamics d = contact_dynamics(tree, q, zero, zero, {});
  EXPECT_EQ(d.solution.constraints, 0);
  EXPECT_FALSE(d.solution.redundant);
  EXPECT_TRUE(d.solution.consistent);
  EXPECT_EQ(d.solution.residual, 0);
  EXPECT_NEAR(d.a[5], -9.81, 1e-12);
}

TEST(ContactDynamics, ImpossibleAccelerationsAreReported) {
  const Tree tree = four_legs(Rep::body, true);  // one body on four feet
  const std::vector<Contact> feet = feet_on_ground(tree, point_contact);
  Six desired(4);
  desired[0].linear.x = 1;  // the others shall stay
  const ContactDynamics d =
      contact_dynamics(tree, standing(tree), Vector(6), Vector(6), feet, {.desired = desired});
  EXPECT_TRUE(d.solution.redundant);
  EXPECT_FALSE(d.solution.consistent);
  EXPECT_GT(d.solution.residual, .1);
}

/// A planar arm in a tilted plane, and points that cannot leave it anyway: what is left of the
/// conditions is rounding.
TEST(ContactDynamics, ConditionsThatJointsMeetAreConsistent) {
  const Vec3<> normal = normalized(Vec3<>{.3, .5, .8});
  const Vec3<> along = normalized(cross(Vec3<>{0, 0, 1}, normal));
  const SO3<> axes{Mat3<>{along, cross(normal, along), normal}};
  const Inertia<> inertia{1, {.1, -.05, .2}, Sym3<>::diagonal({.02, .03, .025})};
  const Tree tree = TreeBuilder{}
                        .body("a", inertia)
                        .joint("ja", revolute({.axis = normal, .point = {.3, -.2, .7}}))
                        .body("b", inertia)
                        .on("a")
                        .joint("jb", revolute({.axis = normal, .point = {.3, .1, .4}}))
                        .body("c", inertia)
                        .on("b")
                        .joint("jc", fixed())
                        .build();
  const Vector q{.3, .7};
  const auto consistent = [&](const Contact& c, const Vector& v, double gain) {
    const ContactDynamics d =
        contact_dynamics(tree, q, v, Vector{.1, .2}, std::array{c}, {.velocity_gain = gain});
    EXPECT_EQ(d.solution.rank, 0);
    EXPECT_LT(d.solution.residual, 1e-12 * (1 + max_abs(c.T_FC.p)));
    return d.solution.consistent;
  };
  for (const Vector& v : {Vector{0, 0}, Vector{1.3, -2.1}})
    for (const double gain : {0., 10.}) {
      for (const double x : {.2, .77, .123, 3.3, 100.}) {
        Contact c =
            contact(tree, {.at = origin_of("b").axes_of("world"), .directions = sliding_point});
        c.T_FC = {axes, {x, .1, .7}};
        EXPECT_TRUE(consistent(c, v, gain)) << x;
        c.V_FC = {{0, 0, 3}, {4, 5, 6}};  // the normal stays
        EXPECT_TRUE(consistent(c, v, gain)) << x;
        c.directions = {.wx = true, .wy = true, .vz = true};
        EXPECT_TRUE(consistent(c, v, gain)) << x;
      }
      // A point on the first axis, and bodies fixed to each other.
      Contact hinge = contact(tree, {.at = "a", .directions = point_contact});
      hinge.T_FC = {axes, {.3, -.2, .7}};
      EXPECT_TRUE(consistent(hinge, v, gain));
      EXPECT_TRUE(consistent(contact(tree, {.at = "c", .against = "b"}), v, gain));
    }
  // But not what the joints do not meet.
  Contact c = contact(tree, {.at = origin_of("b").axes_of("world"), .directions = sliding_point});
  c.T_FC.R = axes;
  Six desired(1);
  desired[0].linear.z = 1e-4;
  EXPECT_FALSE(contact_dynamics(tree, q, Vector(2), Vector(2), std::array{c}, {.desired = desired})
                   .solution.consistent);
}

/// The same of a stage that slides along a tilted plane, without forces: there is velocity alone.
TEST(ContactDynamics, ConditionsThatSlidersMeetAreConsistent) {
  const Vec3<> normal = normalized(Vec3<>{.3, .5, .8});
  const Vec3<> along = normalized(cross(Vec3<>{0, 0, 1}, normal)), across = cross(normal, along);
  const Tree tree = TreeBuilder{}
                        .gravity({})
                        .body("a", {.mass = 1})
                        .joint("ja", prismatic({.axis = normalized(along * .3 + across * .7)}))
                        .body("b", {.mass = 1})
                        .on("a")
                        .joint("jb", prismatic({.axis = normalized(along * .9 - across * .2)}))
                        .build();
  Contact c = contact(tree, {.at = "b", .directions = sliding_point});
  c.T_FC = {SO3<>{Mat3<>{along, across, normal}}, {.2, .1, .7}};
  c.V_FC.angular.z = 3;  // turns about the normal
  double most = 0;
  for (const double x : {.3, .7, 1.3, 2.1, 3.7}) {
    const ContactDynamics d = contact_dynamics(tree, Vector(2), Vector{x, 1.7 * x}, Vector(2),
                                               std::array{c}, {.velocity_gain = 10});
    EXPECT_EQ(d.solution.rank, 0);
    EXPECT_TRUE(d.solution.consistent);
    most = max(most, d.solution.residual);
  }
  EXPECT_GT(most, 0);  // rounding
}

TEST(ContactDynamics, MissingInertiaIsReported) {
  const Tree tree = TreeBuilder()
                        .body("a", {.mass = 1, .com = {1, 0, 0}})
                        .joint("j1", revolute({.axis = {0, 0, 1}}))
                        .body("empty")
                        .on("a")
                        .joint("j2", revolute({.axis = {0, 0, 1}, .point = {1, 0, 0}}))
                        .build();
  const std::vector contacts{contact(tree, {.at = "empty", .directions = point_contact})};
  const Vector zero(2);
  expect_says(message([&] { contact_dynamics(tree, zero, zero, zero, contacts); }), "'empty'");
  ContactWork work(tree, 1);
  Vector a(2);
  Six wrenches(1);
  EXPECT_EQ(contact_dynamics(tree, poses(tree, zero), zero, zero, contacts, work, a, wrenches)
                .singular_velocity,
            1);
}

TEST(ContactDynamics, MisuseIsRefused) {
  const Tree tree = four_legs();
  const Vector q = standing(tree), v(18);
  const std::vector<Contact> feet = feet_on_ground(tree, point_contact);
  const Six desired(3);
  const std::vector<Wrench<Rep::body>> external(2);
  expect_says(message([&] { contact_dynamics(tree, q, v, Vector(12), feet); }), "tau");
  expect_says(message([&] { contact_dynamics(tree, q, v, v, feet, {.desired = desired}); }),
              "3 desired");
  expect_says(message([&] { contact_dynamics(tree, q, v, v, feet, {.body_wrenches = external}); }),
              "2 external");
  std::vector<Wrench<Rep::body>> bad(tree.links.size());
  bad[3].linear.x = NAN;
  Six bad_desired(4);
  bad_desired[2].angular.y = INFINITY;
  const auto says = [&](const ContactInputs& inputs, const char* words) {
    expect_says(message([&] { contact_dynamics(tree, q, v, v, feet, inputs); }), words);
  };
  says({.body_wrenches = bad}, "not finite");
  says({.desired = bad_desired}, "contact 2");
  says({.velocity_gain = NAN}, "velocity_gain");
  for (const double tolerance : {std::nan(""), -1., 1.})
    says({.rank_tolerance = tolerance}, "rank_tolerance");
  std::vector<Contact> bent = feet;
  bent[1].T_FC.R.matrix(0, 0) = 5;
  expect_says(message([&] { contact_dynamics(tree, q, v, v, bent); }), "not a rotation");
  ContactWork work(tree, 3);
  Vector a(18);
  Six wrenches(4);
  expect_says(
      message([&] { (void)contact_dynamics(tree, poses(tree, q), v, v, feet, work, a, wrenches); }),
      "4 contacts");
}

TEST(ContactDynamics, AllocatesNothingOnceMade) {
  Random random(3);
  const Tree tree = four_legs(Rep::spatial);
  const Poses<double> p = poses(tree, standing(tree));
  const Vector v = random_velocities(random, tree), tau = random_velocities(random, tree);
  const std::vector<Contact> full = feet_on_ground(tree, full_contact),
                             points = feet_on_ground(tree, point_contact);
  const Six desired(4);
  const std::vector<Wrench<Rep::body>> external(tree.links.size());
  ContactWork work(tree, 4);
  Vector a(18);
  Six wrenches(4);
  EXPECT_EQ(count_allocations([&] {
              (void)contact_dynamics(
                  tree, p, v, tau, full, work, a, wrenches,
                  {.body_wrenches = external, .desired = desired, .velocity_gain = 1});
              (void)contact_dynamics(tree, p, v, tau, points, work, a, wrenches);
              (void)contact_dynamics(tree, p, v, tau, std::span(points).first(2), work, a,
                                     std::span(wrenches).first(2));
            }),
            0);
}

}  // namespace
}  // namespace axode::test::contact_dynamics_test
