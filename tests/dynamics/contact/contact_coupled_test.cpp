// Contacts and impacts of trees with coupled joints, against full matrices and forward dynamics.
#include <gtest/gtest.h>

#include "axode/dynamics/contact/contact_impulse.hpp"
#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/models/coupled_tree.hpp"
#include "tests/support/models/four_legs.hpp"
#include "tests/support/models/moving_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::contact_coupled_test {
namespace {

using Vector = std::vector<double>;
Eigen::VectorXd eigen(const Vector& a) {
  return Eigen::Map<const Eigen::VectorXd>(a.data(), static_cast<Eigen::Index>(a.size()));
}

struct Case {
  Tree tree;
  Vector q, v, tau;
  std::vector<Contact> contacts;
};
Case random_case(Random& random) {
  Case c{random_coupled_tree(random, random.integer(3, 12)), {}, {}, {}, {}};
  c.q = expand_configuration(c.tree,
                             independent_configuration(c.tree, random_coordinates(random, c.tree)));
  c.v = expand_velocity(c.tree, independent_velocity(c.tree, random_velocities(random, c.tree)));
  c.tau = random_velocities(random, c.tree, 5);
  const int last = c.tree.size() - 1;
  const std::array kinds{sliding_point, point_contact, line_contact, plane_contact, full_contact};
  for (int n = random.integer(1, 3); n > 0; --n) {
    Contact contact;
    contact.link = random.integer(0, last);
    do contact.against = random.integer(-1, last);
    while (contact.against == contact.link);
    contact.frame = {{contact.link, random.pose(.5)}, {random.integer(-1, last), random.pose(.5)}};
    contact.directions = kinds[random.integer(0, 4)];
    c.contacts.push_back(contact);
  }
  return c;
}
void expect_couplings(const Tree& tree, const Vector& a, double tolerance) {
  for (const Coupling& c : tree.couplings) {
    const double led = c.ratio * a[tree.links[c.leader].v];
    EXPECT_NEAR(a[tree.links[c.follower].v], led, tolerance * (1 + std::abs(led)));
  }
}
/// M, c and J written out; motion as E y.
struct Full {
  explicit Full(const Case& c)
      : p(poses(c.tree, c.q)),
        M(full_mass_matrix(c.tree, c.q)),
        J(held_rows(c.tree, p, c.contacts)),
        E(expansion(c.tree)) {}
  /// [E^T M E, -E^T J^T; J E, 0] (y, f) = (E^T force, rows), the shortest least-squares solution.
  LeastSquares solve(const Eigen::VectorXd& force, const Eigen::VectorXd& rows) const {
    const Eigen::Index n = E.cols(), m = J.rows();
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + m, n + m);
    A.topLeftCorner(n, n) = E.transpose() * M * E;
    A.topRightCorner(n, m) = -(J * E).transpose();
    A.bottomLeftCorner(m, n) = J * E;
    Eigen::VectorXd b(n + m);
    b << E.transpose() * force, rows;
    return least_squares(A, b);
  }
  Poses<double> p;
  Eigen::MatrixXd M, J, E;
};

TEST(ContactCoupled, SolvesTheSaddlePointSystem) {
  double worst = 0;
  int redundant = 0, inconsistent = 0, compared = 0;
  for_random_cases(200, [&](Random& random) {
    const Case c = random_case(random);
    const Full full(c);
    InverseDynamics<Rep::hybrid> work(c.tree);
    Vector rest(c.v.size()), zero(c.v.size());
    inverse_dynamics<Rep::hybrid, double>(c.tree, full.p, c.v, zero, work, rest);
    Motion<Rep::body> m(c.tree);
    twists<Rep::body, double>(c.tree, full.p, c.v, m);
    std::vector<Vec6<>> bias;
    for (const Contact& contact : c.contacts)
      bias.push_back(contact_bias<double>(c.tree, full.p, m, c.v, contact));
    const LeastSquares expected =
        full.solve(eigen(c.tau) - eigen(rest), -held_entries(c.contacts, bias));
    const ContactDynamics d = contact_dynamics(c.tree, c.q, c.v, c.tau, c.contacts);
    expect_couplings(c.tree, d.a, 1e-13);
    EXPECT_EQ(d.solution.constraints, full.J.rows());
    if (expected.smallest_pivot < 1e-5) return;
    const Eigen::Index n = full.E.cols(), rows = full.J.rows();
    const double size = 1 + expected.solution.norm();
    EXPECT_EQ(d.solution.rank + n, expected.rank);
    EXPECT_EQ(d.solution.consistent, expected.residual < 1e-9 * size);
    redundant += d.solution.redundant;
    inconsistent += !d.solution.consistent;
    if (!d.solution.consistent) return;
    ++compared;
    const Eigen::VectorXd f = held_entries(c.contacts, d.wrenches);
    const double error = (eigen(d.a) - full.E * expected.solution.head(n)).norm() +
                         (f - expected.solution.tail(rows)).norm();
    worst = max(worst, error / size * expected.smallest_pivot);
  });
  EXPECT_LT(worst, 1e-12);  // relative to what the condition number allows
  EXPECT_GT(redundant, 40);
  EXPECT_GT(inconsistent, 10);
  EXPECT_GT(compared, 40);
  record("worst_error_over_condition", worst);
}

TEST(ContactCoupled, ImpulsesSolveTheSaddlePointSystem) {
  double worst = 0, energy = 0;
  int compared = 0;
  for_random_cases(200, [&](Random& random) {
    const Case c = random_case(random);
    const Full full(c);
    const ContactImpulse d = contact_impulse(c.tree, c.q, c.v, c.contacts);
    EXPECT_TRUE(d.solution.consistent);  // to stand still is always possible
    expect_couplings(c.tree, d.v_after, 1e-12);
    const double before = eigen(c.v).dot(full.M * eigen(c.v)) / 2;
    const double after = eigen(d.v_after).dot(full.M * eigen(d.v_after)) / 2;
    energy = max(energy, std::abs(d.solution.energy_change - (after - before)) / (1 + before));
    const LeastSquares expected =
        full.solve(full.M * eigen(c.v), Eigen::VectorXd::Zero(full.J.rows()));
    if (expected.smallest_pivot < 1e-5) return;
    ++compared;
    const Eigen::Index n = full.E.cols(), rows = full.J.rows();
    const double error =
        (eigen(d.v_after) - full.E * expected.solution.head(n)).norm() +
        (held_entries(c.contacts, d.impulses) - expected.solution.tail(rows)).norm();
    worst = max(worst, error / (1 + expected.solution.norm()) * expected.smallest_pivot);
  });
  EXPECT_LT(worst, 1e-12);
  EXPECT_LT(energy, 1e-11);
  EXPECT_GT(compared, 60);
  record("worst_error_over_condition", worst);
  record("worst_energy", energy);
}

TEST(ContactCoupled, WithoutContactsAsForwardDynamics) {
  double worst = 0;
  for_random_cases(100, [&](Random& random) {
    const Case c = random_case(random);
    const ContactDynamics d = contact_dynamics(c.tree, c.q, c.v, c.tau, {});
    EXPECT_TRUE(d.solution.consistent);
    worst = std::max(
        worst, relative_difference(d.a, reference::forward_dynamics(c.tree, c.q, c.v, c.tau)));
  });
  EXPECT_LT(worst, 1e-9);
  record("worst_relative_error", worst);
}

/// Two sliders on one rail, the second moves three times as far, of 2 kg and 4 kg.
Tree sliders() {
  return TreeBuilder{}
      .body("a", {2, {}, Sym3<>::diagonal({1, 1, 1})})
      .joint("ja", prismatic({.axis = {1, 0, 0}}))
      .body("b", {4, {}, Sym3<>::diagonal({1, 1, 1})})
      .joint("jb", prismatic({.axis = {1, 0, 0}}))
      .mimic("ja", 3)
      .build();
}

TEST(ContactCoupled, SlidersByHand) {
  const Tree tree = sliders();
  const Vector zero(2), tau{5, 1};
  const double inertia = 2 + 9 * 4, force = 5 + 3 * 1;
  expect_near(contact_dynamics(tree, zero, zero, tau, {}).a,
              std::array{force / inertia, 3 * force / inertia}, 1e-15);
  // To hold one holds both; to hold both by contacts is redundant, and the two share the force so
  // that the sum of squares is least: f_a + 3 f_b = -8.
  const auto hold = [&](const char* name) {
    return contact(tree, {.at = name, .directions = {.vx = true}});
  };
  const ContactDynamics one = contact_dynamics(tree, zero, zero, tau, std::array{hold("b")});
  EXPECT_FALSE(one.solution.redundant);
  expect_near(one.a, std::array{0., 0.}, 1e-15);
  EXPECT_NEAR(one.wrenches[0].linear.x, -force / 3, 1e-14);
  const std::array both{hold("a"), hold("b")};
  const ContactDynamics two = contact_dynamics(tree, zero, zero, tau, both);
  EXPECT_EQ(two.solution.rank, 1);
  EXPECT_TRUE(two.solution.redundant && two.solution.consistent);
  EXPECT_NEAR(two.wrenches[0].linear.x, -force / 10, 1e-14);
  EXPECT_NEAR(two.wrenches[1].linear.x, -3 * force / 10, 1e-14);
  // Only a multiple of (1, 3) is possible.
  std::vector<Vec6<>> desired(2);
  desired[0].linear.x = 1;
  desired[1].linear.x = 3;
  const auto asked = [&] {
    return contact_dynamics(tree, zero, zero, tau, both, {.desired = desired}).solution.consistent;
  };
  EXPECT_TRUE(asked());
  desired[1].linear.x = 3.0001;
  EXPECT_FALSE(asked());
  // An impact of b: 2 kg with it share the impulse.
  const ContactImpulse hit = contact_impulse(tree, zero, Vector{1, 3}, std::array{hold("b")});
  expect_near(hit.v_after, std::array{0., 0.}, 1e-15);
  EXPECT_NEAR(hit.impulses[0].linear.x, -inertia / 3, 1e-13);
  EXPECT_NEAR(hit.solution.energy_change, -inertia / 2, 1e-13);
}

/// Sliders that go together: a contact of one with the other along the rail asks for nothing new.
TEST(ContactCoupled, ContactsThatCouplingsMeet) {
  for (const double mass : {.3, .7, 1.1, 3.3}) {
    const Vec3<> rail = normalized(Vec3<>{1, 2, 3});
    const Tree tree = TreeBuilder{}
                          .body("a", {mass, {}, Sym3<>::diagonal({1, 1, 1})})
                          .joint("ja", prismatic({.axis = rail}))
                          .body("b", {.9, {}, Sym3<>::diagonal({1, 1, 1})})
                          .joint("jb", prismatic({.axis = rail}))
                          .mimic("ja", 1)
                          .build();
    const std::array together{
        contact(tree, {.at = "a", .directions = point_contact, .against = "b"})};
    const Vector q(2), v{1.3, 1.3}, tau{.1, .7};
    const ContactDynamics d = contact_dynamics(tree, q, v, tau, together);
    EXPECT_EQ(d.solution.rank, 0);
    EXPECT_TRUE(d.solution.redundant && d.solution.consistent);
    EXPECT_EQ(max_abs(d.wrenches[0]), 0);
    expect_near(d.a, reference::forward_dynamics(tree, q, v, tau), 1e-14);
  }
}

TEST(ContactCoupled, StatesThatBreakCouplingsAreRefused) {
  const Tree tree = sliders();
  const Vector zero(2), apart{1, 2};
  expect_says(message([&] { contact_impulse(tree, zero, apart, {}); }), "joint 'jb'");
  expect_says(message([&] { contact_impulse(tree, apart, zero, {}); }), "joint 'jb'");
  expect_says(message([&] { contact_dynamics(tree, zero, apart, zero, {}); }), "joint 'jb'");
  expect_says(message([&] { contact_dynamics(tree, apart, zero, zero, {}); }), "joint 'jb'");
}

TEST(ContactCoupled, AllocatesNothing) {
  Random random(5);
  const Case c = random_case(random);
  ASSERT_FALSE(c.tree.couplings.empty());
  const Poses<double> p = poses(c.tree, c.q);
  ContactWork work(c.tree, static_cast<int>(c.contacts.size()));
  Vector a(c.v.size());
  std::vector<Vec6<>> wrenches(c.contacts.size());
  EXPECT_EQ(count_allocations([&] {
              (void)contact_dynamics(c.tree, p, c.v, c.tau, c.contacts, work, a, wrenches);
              (void)contact_impulse(c.tree, p, c.v, c.contacts, work, a, wrenches);
            }),
            0);
}

}  // namespace
}  // namespace axode::test::contact_coupled_test
