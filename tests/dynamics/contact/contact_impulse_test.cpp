#include "axode/dynamics/contact/contact_impulse.hpp"

#include <gtest/gtest.h>

#include "axode/lie/adjoint.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/models/four_legs.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::contact_impulse_test {
namespace {

using Vector = std::vector<double>;
using Six = std::vector<Vec6<>>;

Eigen::VectorXd eigen(const Vector& a) {
  return Eigen::Map<const Eigen::VectorXd>(a.data(), static_cast<Eigen::Index>(a.size()));
}
double kinetic_energy(const Eigen::MatrixXd& M, const Vector& v) {
  return .5 * eigen(v).dot(M * eigen(v));
}

struct Case {
  Tree tree;
  Vector q, v;
  std::vector<Contact> contacts;
  Vector restitution;
};
Case random_case(Random& random, bool sliding) {
  Case c{random_tree(random, random.integer(2, 10)), {}, {}, {}, {}};
  c.q = random_coordinates(random, c.tree);
  c.v = random_velocities(random, c.tree);
  const std::array kinds{sliding_point, point_contact, line_contact, plane_contact, full_contact};
  for (int n = random.integer(1, 4); n > 0; --n) {
    Contact contact;
    const int last = c.tree.size() - 1;
    contact.link = random.integer(0, last);
    do contact.against = random.integer(-1, last);
    while (contact.against == contact.link);
    contact.frame = {{contact.link, random.pose(.5)}, {random.integer(-1, last), random.pose(.5)}};
    contact.directions = sliding ? sliding_point : kinds[random.integer(0, 4)];
    c.contacts.push_back(contact);
    c.restitution.push_back(random.uniform(0, 1));
  }
  return c;
}

/// J v- of the directions held, and - e J v- along the normals.
Eigen::VectorXd wanted(const Case& c, const Eigen::VectorXd& before) {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(before.size());
  Eigen::Index r = 0;
  for (std::size_t k = 0; k < c.contacts.size(); ++k)
    for (int i = 0; i < 6; ++i)
      if (c.contacts[k].directions[i]) {
        if (i == 5) result[r] = -c.restitution[k] * before[r];
        ++r;
      }
  return result;
}

/// Against [M -J^T; J 0] (v+, p) = (M v-, -e J v-), the shortest least-squares solution.
TEST(ContactImpulse, SolvesTheSaddlePointSystem) {
  double worst = 0, balance = 0;
  int redundant = 0, compared = 0;
  for_random_cases(200, [&](Random& random) {
    const Case c = random_case(random, false);
    const ContactImpulse d =
        contact_impulse(c.tree, c.q, c.v, c.contacts, {.restitution = c.restitution});
    const Eigen::MatrixXd J = held_rows(c.tree, poses(c.tree, c.q), c.contacts);
    const Eigen::MatrixXd M = full_mass_matrix(c.tree, c.q);
    const Eigen::Index n = M.rows(), m = J.rows();
    const Eigen::VectorXd p = held_entries(c.contacts, d.impulses);
    const Eigen::VectorXd target = wanted(c, J * eigen(c.v));
    balance = max(balance, (M * (eigen(d.v_after) - eigen(c.v)) - J.transpose() * p).norm() /
                               (1 + M.norm() * eigen(d.v_after).norm() + J.norm() * p.norm()));
    EXPECT_NEAR((J * eigen(d.v_after) - target).norm(), d.solution.residual,
                1e-11 * (1 + J.norm() * eigen(d.v_after).norm()));
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + m, n + m);
    A.topLeftCorner(n, n) = M;
    A.topRightCorner(n, m) = -J.transpose();
    A.bottomLeftCorner(m, n) = J;
    Eigen::VectorXd b(n + m);
    b << M * eigen(c.v), target;
    const LeastSquares expected = least_squares(A, b);
    if (expected.smallest_pivot < 1e-5) return;
    const double size = 1 + expected.solution.norm();
    EXPECT_EQ(d.solution.rank + n, expected.rank);
    EXPECT_EQ(d.solution.consistent, expected.residual < 1e-9 * size);
    redundant += d.solution.redundant;
    if (!d.solution.consistent) return;
    ++compared;
    Eigen::VectorXd found(n + m);
    found << eigen(d.v_after), p;
    worst = max(worst, (found - expected.solution).norm() / size * expected.smallest_pivot);
  });
  EXPECT_LT(worst, 1e-12);  // relative to what the condition number allows
  EXPECT_LT(balance, 1e-12);
  EXPECT_GT(redundant, 40);
  EXPECT_GT(compared, 60);
  record("worst_error_over_condition", worst);
  record("worst_momentum_balance", balance);
}

TEST(ContactImpulse, PlasticImpactsLoseEnergyAndReportHowMuch) {
  double worst = 0;
  for_random_cases(200, [&](Random& random) {
    const Case c = random_case(random, false);
    const Eigen::MatrixXd M = full_mass_matrix(c.tree, c.q);
    const double before = kinetic_energy(M, c.v);
    const ContactImpulse d = contact_impulse(c.tree, c.q, c.v, c.contacts);
    EXPECT_TRUE(d.solution.consistent);  // to stand still is always possible
    EXPECT_LE(kinetic_energy(M, d.v_after), before * (1 + 1e-12));
    const double change = kinetic_energy(M, d.v_after) - before;
    worst = max(worst, std::abs(d.solution.energy_change - change) / (1 + before));
    // Once closed they stay closed: a second impact does nothing.
    const ContactImpulse again = contact_impulse(c.tree, c.q, d.v_after, c.contacts);
    for (std::size_t k = 0; k < c.v.size(); ++k)
      EXPECT_NEAR(again.v_after[k], d.v_after[k], 1e-9 * (1 + eigen(c.v).norm()));
  });
  EXPECT_LT(worst, 1e-11);
  record("worst_relative_error", worst);
}

/// Points that slide, one coefficient for all: energy never grows. With any other choice it may; the
/// result tells.
TEST(ContactImpulse, EnergyWithRestitution) {
  int grown = 0;
  for_random_cases(200, [&](Random& random) {
    Case c = random_case(random, true);
    const double e = random.uniform(0, 1);
    std::fill(c.restitution.begin(), c.restitution.end(), e);
    Eigen::MatrixXd M = full_mass_matrix(c.tree, c.q);
    double before = kinetic_energy(M, c.v);
    ContactImpulse d =
        contact_impulse(c.tree, c.q, c.v, c.contacts, {.restitution = c.restitution});
    EXPECT_LE(d.solution.energy_change, 1e-12 * before);
    EXPECT_LE(kinetic_energy(M, d.v_after), before * (1 + 1e-11));
    EXPECT_TRUE(d.solution.consistent);

    c = random_case(random, false);
    M = full_mass_matrix(c.tree, c.q);
    before = kinetic_energy(M, c.v);
    d = contact_impulse(c.tree, c.q, c.v, c.contacts, {.restitution = c.restitution});
    const double after = kinetic_energy(M, d.v_after);
    EXPECT_NEAR(d.solution.energy_change, after - before, 1e-10 * (1 + before + after));
    grown += d.solution.energy_change > 1e-3 * before;
  });
  EXPECT_GT(grown, 0);
}

Tree two_balls(double first, double second) {
  return TreeBuilder()
      .gravity({})
      .body("a", {first, {}, Sym3<>::diagonal({1, 1, 1})})
      .joint("ja", free_joint({.velocity = Rep::hybrid}))
      .body("b", {second, {}, Sym3<>::diagonal({1, 1, 1})})
      .joint("jb", free_joint({.velocity = Rep::hybrid}))
      .build();
}

/// Central collision of two bodies along x, from textbooks.
TEST(ContactImpulse, TwoBodiesCollide) {
  const Tree tree = two_balls(2, 3);
  const Vector q = neutral(tree);
  Vector v(12);
  v[3] = 5;
  v[4] = 1;
  v[9] = -1;
  Contact c = contact(tree, {.at = "b", .directions = sliding_point, .against = "a"});
  c.T_FC = {exp(Vec3<>{0, pi<double> / 2, 0}), {-.1, 0, 0}};  // z along x
  for (const double e : {0., .4, 1.}) {
    const ContactImpulse d = contact_impulse(tree, q, v, std::array{c}, {.restitution = {&e, 1}});
    const double centre = (2 * 5 - 3 * 1) / 5., relative = 6;
    EXPECT_NEAR(d.v_after[3], centre - 3 / 5. * e * relative, 1e-13);
    EXPECT_NEAR(d.v_after[9], centre + 2 / 5. * e * relative, 1e-13);
    EXPECT_NEAR(d.v_after[4], 1, 1e-15);
    EXPECT_NEAR(d.impulses[0].linear.z, (1 + e) * relative * 6 / 5, 1e-13);
    EXPECT_NEAR(d.solution.energy_change, -.5 * (1 - e * e) * relative * relative * 6 / 5, 1e-12);
  }
}

/// The impulses on the feet are what the momentum of the whole robot changes by.
TEST(ContactImpulse, FourLegsLand) {
  Random random(4);
  const Tree tree = four_legs(Rep::hybrid);
  const Vector q = standing(tree), v = random_velocities(random, tree, 2);
  const Poses<double> p = poses(tree, q);
  for (const Directions& kind : {point_contact, plane_contact, full_contact}) {
    const std::vector<Contact> feet = feet_on_ground(tree, kind);
    const ContactImpulse d = contact_impulse(tree, q, v, feet);
    EXPECT_EQ(d.solution.redundant, kind == full_contact);
    Composite<double> before(tree), after(tree);
    composite_momenta<double>(tree, p, v, before);
    composite_momenta<double>(tree, p, d.v_after, after);
    Vec6<> sum{};  // about the same point
    for (std::size_t c = 0; c < feet.size(); ++c)
      sum +=
          Ad_inverse_transpose(pose_about(before.point, contact_pose(p, feet[c])), d.impulses[c]);
    expect_near(after.momenta[0] - before.momenta[0], sum, 1e-11 * (1 + max_abs(sum)));
    EXPECT_LT(d.solution.energy_change, 0);
  }
}

/// A table falls flat: many impulses would do, the shortest are all alike.
TEST(ContactImpulse, RedundantFeetShareTheImpulse) {
  const Tree table = four_legs(Rep::hybrid, true);
  Vector v(6);
  v[5] = -3;
  const ContactImpulse d =
      contact_impulse(table, standing(table), v, feet_on_ground(table, full_contact));
  EXPECT_EQ(d.solution.rank, 6);
  EXPECT_TRUE(d.solution.redundant);
  EXPECT_TRUE(d.solution.consistent);
  for (const Vec6<>& p : d.impulses) expect_near(p, Vec6<>{{}, {0, 0, mass(table) * 3 / 4}}, 1e-11);
  // One foot that bounces while the others stay cannot be.
  const std::vector<Contact> points = feet_on_ground(table, point_contact);
  const Vector e{1, 0, 0, 0};
  EXPECT_FALSE(
      contact_impulse(table, standing(table), v, points, {.restitution = e}).solution.consistent);
}

/// A turn about a tilted axis, and a point that slides along it: J v- is nothing but rounding.
TEST(ContactImpulse, ConditionsThatJointsMeetAreConsistent) {
  const Vec3<> axis = normalized(Vec3<>{.3, .5, .8});
  const Vec3<> along = normalized(cross(Vec3<>{0, 0, 1}, axis));
  const Tree tree = TreeBuilder{}
                        .body("a", {1, {.1, 0, 0}, Sym3<>::diagonal({1, 1, 1})})
                        .joint("ja", revolute({.axis = axis, .point = {.3, -.2, .7}}))
                        .build();
  for (const double x : {.2, .77, .123, 3.3, 100.}) {
    Contact c = contact(tree, {.at = "a", .directions = sliding_point});
    c.T_FC = {SO3<>{Mat3<>{along, cross(axis, along), axis}}, {x, .1, .7}};
    const ContactImpulse d = contact_impulse(tree, Vector{.3}, Vector{1.3}, std::array{c});
    EXPECT_EQ(d.solution.rank, 0);
    EXPECT_TRUE(d.solution.consistent) << x;
    EXPECT_EQ(d.v_after[0], 1.3);
  }
}

TEST(ContactImpulse, MisuseIsRefused) {
  const Tree tree = two_balls(1, 1);
  const Vector q = neutral(tree), v(12);
  const std::vector contacts{contact(tree, {.at = "a"})};
  const Vector many(2), large{1.5};
  const auto with = [&](const Vector& e) {
    return message([&] { contact_impulse(tree, q, v, contacts, {.restitution = e}); });
  };
  expect_says(with(many), "2 coefficients");
  expect_says(with(large), "1.5");
  expect_says(message([&] { contact_impulse(tree, q, Vector(3), contacts); }), "v");
  for (const double tolerance : {std::nan(""), -1., 1.})
    expect_says(
        message([&] { contact_impulse(tree, q, v, contacts, {.rank_tolerance = tolerance}); }),
        "rank_tolerance");
  std::vector<Contact> bent = contacts;
  bent[0].frame.origin.T_BF.p.x = NAN;
  expect_says(message([&] { contact_impulse(tree, q, v, bent); }), "T_BF");
  const Tree empty = TreeBuilder().body("x").joint("j", revolute({.axis = {0, 0, 1}})).build();
  const std::vector on_empty{contact(empty, {.at = "x"})};
  expect_says(message([&] { contact_impulse(empty, Vector(1), Vector(1), on_empty); }), "'x'");
}

TEST(ContactImpulse, AllocatesNothingOnceMadeAndMayWriteInPlace) {
  Random random(6);
  const Tree tree = four_legs();
  const Poses<double> p = poses(tree, standing(tree));
  Vector v = random_velocities(random, tree), apart(v.size());
  const std::vector<Contact> feet = feet_on_ground(tree, full_contact);
  ContactWork work(tree, 4);
  Six impulses(4);
  const Vector e(4);
  EXPECT_EQ(count_allocations([&] {
              (void)contact_impulse(tree, p, v, feet, work, apart, impulses, {.restitution = e});
              (void)contact_impulse(tree, p, v, feet, work, v, impulses, {.restitution = e});
            }),
            0);
  EXPECT_EQ(v, apart);
}

}  // namespace
}  // namespace axode::test::contact_impulse_test
