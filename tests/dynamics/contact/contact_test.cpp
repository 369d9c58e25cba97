#include "axode/dynamics/contact/contact.hpp"

#include <gtest/gtest.h>

#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/dynamics/matrices/moving_base.hpp"
#include "axode/lie/adjoint.hpp"
#include "axode/lie/dual.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::contact_test {
namespace {

using Vector = std::vector<double>;
using Six = std::vector<Vec6<>>;

// --- the reference vectors -----------------------------------------------------------------------

/// The contact of the file: in C[A], the axes of the world at the origin of C.
Contact contact_from_reference(const nlohmann::json& c) {
  Contact result;
  result.link = c.at("link").get<int>();
  result.frame = {{result.link, pose(c.at("L_H_C"))}, {-1, {}}};
  return result;
}

/// Column k of the file's matrix, to ours; the first six columns stand linear part first.
Vec6<> reference_column(const nlohmann::json& rows, std::size_t k) {
  const std::size_t theirs = k < 3 ? k + 3 : k < 6 ? k - 3 : k;
  Vec6<> column;
  for (int i = 0; i < 6; ++i) column[i] = rows[i < 3 ? i + 3 : i - 3][theirs].get<double>();
  return column;
}

TEST(Contact, JacobiansOfReferenceVectorsInAllForms) {
  const nlohmann::json data = read_json("moving_base.json");
  double worst = 0;
  for (const Rep own : {Rep::body, Rep::spatial, Rep::hybrid}) {
    const Tree tree = tree_from_reference(data.at("model"), GeometryForm::zero_reference, own);
    Six J(tree.nv);
    const Vector zero(J.size());
    for (const auto& state : data.at("states")) {
      const Poses<double> p = poses(tree, moving_base_configuration(state.at("input")));
      const auto& contacts = state.at("input").at("contacts");
      for (const auto& [key, form] :
           {std::pair{"body", Rep::body}, {"mixed", Rep::hybrid}, {"inertial", Rep::spatial}}) {
        const auto& expected = state.at("output").at("base").at(key).at("contact_jacobians");
        for (std::size_t c = 0; c < contacts.size(); ++c) {
          contact_jacobian<double>(tree, p, contact_from_reference(contacts[c]), J);
          change_jacobian<double>(base_change<double>(tree, p, zero, form), J);
          for (std::size_t k = 0; k < J.size(); ++k)
            worst = max(worst, largest_difference(J[k], reference_column(expected[c], k)));
        }
      }
    }
  }
  EXPECT_LT(worst, 1e-13);
  record("worst_error", worst);
}

/// Generalized forces of all wrenches of the file, by what they change in the inverse dynamics.
TEST(Contact, WrenchesOfReferenceVectors) {
  const nlohmann::json data = read_json("moving_base.json");
  const Tree tree = tree_from_reference(data.at("model"));
  double worst = 0;
  for (const auto& state : data.at("states")) {
    const auto& input = state.at("input");
    const Poses<double> p = poses(tree, moving_base_configuration(input));
    std::vector<Wrench<Rep::body>> external(tree.links.size());
    for (std::size_t i = 0; i < external.size(); ++i) {
      const Vec6<> W = vec6_linear_first(input.at("link_wrench_L")[i]);
      external[i] = {W.angular, W.linear};
    }
    for (const auto& c : input.at("contacts"))
      add_contact_wrench<double>(p, contact_from_reference(c), vec6_linear_first(c.at("f_CA")),
                                 external);
    InverseDynamics<Rep::body> work(tree);
    Vector force(tree.nv), zero(force.size());
    inverse_dynamics<Rep::body, double>(tree, p, zero, zero, work, force, external, no_effects);
    const Vector expected = base_angular_first(
        state.at("output").at("base").at("body").at("generalized_external_force"));
    double size = 1;
    for (const double x : expected) size = max(size, std::abs(x));
    for (std::size_t k = 0; k < force.size(); ++k)
      worst = max(worst, std::abs(force[k] + expected[k]) / size);
  }
  EXPECT_LT(worst, 1e-13);
  record("worst_relative_error", worst);
}

// --- properties ----------------------------------------------------------------------------------

struct Case {
  Tree tree;
  Vector q, v;
  Contact contact;
};
/// Any two bodies, or a body and the world, and a frame with origin and axes on any others.
Case random_case(Random& random) {
  Case c{random_tree(random, random.integer(2, 12)), {}, {}, {}};
  c.q = random_coordinates(random, c.tree);
  c.v = random_velocities(random, c.tree);
  const int last = c.tree.size() - 1;
  c.contact.link = random.integer(0, last);
  do c.contact.against = random.integer(-1, last);
  while (c.contact.against == c.contact.link);
  c.contact.frame = {{random.integer(-1, last), random.pose(.5)},
                     {random.integer(-1, last), random.pose(.5)}};
  c.contact.T_FC = random.pose(.5);
  return c;
}

/// The contact when its frame has moved on by itself for the time t.
Contact moved(const Contact& contact, double t) {
  Contact result = contact;
  result.T_FC = contact.T_FC * exp(contact.V_FC * t);
  return result;
}
Vec6<> twist_at(const Case& c, double t) {
  Vector d(c.v.size()), q(c.q.size());
  for (std::size_t k = 0; k < d.size(); ++k) d[k] = t * c.v[k];
  plus(c.tree, c.q, d, q);
  const Poses<double> p = poses(c.tree, q);
  Motion<Rep::body> m(c.tree);
  twists<Rep::body, double>(c.tree, p, c.v, m);
  return contact_twist(p, m, moved(c.contact, t));
}

TEST(Contact, JacobianTimesVelocityIsTheTwistOfTheLinkWhereverTheFrameGoes) {
  for_random_cases(200, [](Random& random) {
    Case c = random_case(random);
    const Poses<double> p = poses(c.tree, c.q);
    Motion<Rep::body> m(c.tree);
    twists<Rep::body, double>(c.tree, p, c.v, m);
    Six J(c.v.size());
    contact_jacobian<double>(c.tree, p, c.contact, J);
    Vec6<> sum{};
    for (std::size_t k = 0; k < J.size(); ++k) sum += J[k] * c.v[k];
    // By hand: twists of the two bodies moved to C.
    const SE3<> T_WC = contact_pose(p, c.contact);
    const auto in_C = [&](int body) {
      if (body < 0) return Vec6<>{};
      const std::size_t i = body;
      return Ad(inverse_times(T_WC, p.T_WB[i]), m.twists[i].six());
    };
    const Vec6<> expected = in_C(c.contact.link) - in_C(c.contact.against);
    const double size = 1 + max_abs(in_C(c.contact.link)) + max_abs(in_C(c.contact.against));
    expect_near(sum, expected, 1e-12 * size);
    expect_near(contact_twist(p, m, c.contact), expected, 1e-12 * size);
    Six moving(J.size());
    c.contact.V_FC = random.vec6();
    contact_jacobian<double>(c.tree, p, c.contact, moving);
    EXPECT_EQ(J, moving);
  });
}

TEST(Contact, BiasIsTheRateOfTheTwistAtConstantVelocityCoordinates) {
  double worst = 0;
  for_random_cases(100, [&](Random& random) {  // frames on bodies, by dual numbers
    const Case c = random_case(random);
    Vector rate(c.q.size());
    coordinate_rate(c.tree, c.q, c.v, rate);
    std::vector<Dual<double>> q, v(c.v.begin(), c.v.end());
    for (std::size_t k = 0; k < rate.size(); ++k) q.emplace_back(c.q[k], rate[k]);
    Poses<Dual<double>> p(c.tree);
    poses<Dual<double>>(c.tree, q, p);
    Motion<Rep::body, Dual<double>> m(c.tree);
    twists<Rep::body, Dual<double>>(c.tree, p, v, m);
    const Vec6<> expected = dual_part(contact_twist(p, m, c.contact));
    Motion<Rep::body> now(c.tree);
    const Poses<double> at = poses(c.tree, c.q);
    twists<Rep::body, double>(c.tree, at, c.v, now);
    const Vec6<> bias = contact_bias<double>(c.tree, at, now, c.v, c.contact);
    worst = max(worst, largest_difference(bias, expected) / (1 + max_abs(expected)));
  });
  EXPECT_LT(worst, 1e-11);
  record("worst_relative_error", worst);
}

TEST(Contact, BiasOfFramesThatMoveOnTheirOwn) {
  for_random_cases(100, [](Random& random) {
    Case c = random_case(random);
    c.contact.V_FC = random.vec6(1);
    const Poses<double> p = poses(c.tree, c.q);
    Motion<Rep::body> m(c.tree);
    twists<Rep::body, double>(c.tree, p, c.v, m);
    const Vec6<> bias = contact_bias<double>(c.tree, p, m, c.v, c.contact);
    const double h = 1e-4;  // differences of fourth order: errors h^4 times fifth derivatives
    const Vec6<> slope = (twist_at(c, h) - twist_at(c, -h)) * (4 / (6 * h)) -
                         (twist_at(c, 2 * h) - twist_at(c, -2 * h)) * (1 / (12 * h));
    expect_near(bias, slope, 1e-9 * (1 + max_abs(bias) + max_abs(twist_at(c, 0))));
  });
}

TEST(Contact, WrenchesDoThePowerOfTheContact) {
  for_random_cases(100, [](Random& random) {
    const Case c = random_case(random);
    const Poses<double> p = poses(c.tree, c.q);
    Motion<Rep::body> m(c.tree);
    twists<Rep::body, double>(c.tree, p, c.v, m);
    const Vec6<> wrench = random.vec6();
    std::vector<Wrench<Rep::body>> external(c.tree.links.size());
    add_contact_wrench(p, c.contact, wrench, std::span(external));
    double power = 0, size = 1;
    for (std::size_t i = 0; i < external.size(); ++i) {
      power += pairing(external[i], m.twists[i]);
      size += std::abs(pairing(external[i], m.twists[i]));
    }
    EXPECT_NEAR(power, dot(wrench, contact_twist(p, m, c.contact)), 1e-12 * size);
  });
}

/// Contact frame and target coincide; then the rate of the error is the twist of the contact. About
/// the one rotation that is free the frames may be turned by any angle.
TEST(Contact, ErrorHasTheTwistAsItsRate) {
  for_random_cases(200, [](Random& random) {
    Case c = random_case(random);
    const std::array kinds{point_contact, line_contact, plane_contact, full_contact,
                           Directions{.wx = true, .wz = true}};
    c.contact.directions = kinds[random.integer(0, 4)];
    c.contact.frame = {{c.contact.link, {}}, {c.contact.link, {}}};
    const Directions& held = c.contact.directions;
    Vec3<> turn{};
    if (held.count() - held.vx - held.vy - held.vz == 2)
      turn[held.wx ? (held.wy ? 2 : 1) : 0] = random.uniform(-3, 3);
    const Poses<double> p = poses(c.tree, c.q);
    const SE3<> T_WD = contact_pose(p, c.contact) * SE3<>{exp(turn), {}};
    const int other = c.contact.against;
    const SE3<> T_AD = other < 0 ? T_WD : inverse_times(p.T_WB[other], T_WD);
    const FrameChoice target{{other, T_AD}, {other, T_AD}};
    EXPECT_LT(max_abs(contact_error(p, c.contact, target)), 1e-13 * (1 + max_abs(T_WD.p)));

    Vector rate(c.q.size());
    coordinate_rate(c.tree, c.q, c.v, rate);
    std::vector<Dual<double>> q;
    for (std::size_t k = 0; k < rate.size(); ++k) q.emplace_back(c.q[k], rate[k]);
    Poses<Dual<double>> moving(c.tree);
    poses<Dual<double>>(c.tree, q, moving);
    const Vec6<> slope = dual_part(contact_error(moving, c.contact, target));
    Motion<Rep::body> m(c.tree);
    twists<Rep::body, double>(c.tree, p, c.v, m);
    const Vec6<> V = contact_twist(p, m, c.contact);
    for (int i = 0; i < 6; ++i)
      if (held[i]) {
        EXPECT_NEAR(slope[i], V[i], 1e-11 * (1 + max_abs(V)));
      }
  });
}

// --- names, misuse, memory -----------------------------------------------------------------------

Tree two_bodies() {
  return TreeBuilder("pair")
      .body("leg", {.mass = 1})
      .joint("j1", revolute({.axis = {0, 1, 0}}))
      .body("ball", {.mass = 1})
      .joint("j2", free_joint())
      .frame("foot", {.on = "leg", .at = translation(Vec3<>{0, 0, -1})})
      .build();
}

TEST(Contact, KindsHoldWhatTheirNamesSay) {
  EXPECT_EQ(sliding_point.count(), 1);
  EXPECT_EQ(sliding_line.count(), 2);
  EXPECT_EQ(point_contact.count(), 3);
  EXPECT_EQ(plane_contact.count(), 3);
  EXPECT_EQ(line_contact.count(), 5);
  EXPECT_EQ(full_contact.count(), 6);
  EXPECT_FALSE(line_contact[0]);  // turns about x, its line
  EXPECT_FALSE(plane_contact[2] || plane_contact[3] || plane_contact[4]);
  EXPECT_TRUE(plane_contact[0] && plane_contact[1] && plane_contact[5]);
}

TEST(Contact, NamesGiveLinkAndFrame) {
  const Tree tree = two_bodies();
  const Contact a = contact(tree, {.at = origin_of("foot").axes_of("world")});
  EXPECT_EQ(a.link, 0);
  EXPECT_EQ(a.against, -1);
  EXPECT_EQ(a.frame.origin.body, 0);
  EXPECT_EQ(a.frame.axes.body, -1);
  EXPECT_EQ(a.directions, full_contact);
  const Contact b =
      contact(tree, {.at = "foot", .directions = point_contact, .link = "ball", .against = "leg"});
  EXPECT_EQ(b.link, 1);
  EXPECT_EQ(b.against, 0);
}

TEST(Contact, MisuseIsRefused) {
  const Tree tree = two_bodies();
  expect_says(message([&] { contact(tree, {.at = "fot"}); }), "foot");
  expect_says(message([&] { contact(tree, {.at = "world"}); }), "name the body");
  expect_says(message([&] { contact(tree, {.at = "foot", .against = "leg"}); }),
              "'leg' with itself");
  expect_says(message([&] { contact(tree, {.at = "foot", .directions = {}}); }), "point_contact");
  Contact c = contact(tree, {.at = "foot"});
  c.against = 7;
  expect_says(message([&] { check_contact(tree, c); }), "body 7");
  c.against = -1;
  c.V_FC.linear.y = NAN;
  expect_says(message([&] { check_contact(tree, c); }), "'leg'");
}

TEST(Contact, PosesMustBePoses) {
  const Tree tree = two_bodies();
  const Contact good = contact(tree, {.at = "foot"});
  const auto says = [&](auto&& place, const char* name) {
    Contact c = good;
    place(c).p.x = INFINITY;
    expect_says(message([&] { check_contact(tree, c); }), name);
    c = good;
    place(c).R.matrix(1, 2) = NAN;
    expect_says(message([&] { check_contact(tree, c); }), name);
    c = good;
    place(c).R.matrix(0, 0) = 5;
    expect_says(message([&] { check_contact(tree, c); }), "not a rotation");
    c = good;
    place(c).R.matrix = place(c).R.matrix * -1.;  // a reflection
    expect_says(message([&] { check_contact(tree, c); }), "not a rotation");
  };
  says([](Contact& c) -> SE3<>& { return c.T_FC; }, "T_FC");
  says([](Contact& c) -> SE3<>& { return c.frame.origin.T_BF; }, "frame.origin.T_BF");
  says([](Contact& c) -> SE3<>& { return c.frame.axes.T_BF; }, "frame.axes.T_BF");
  check_contact(tree, good);
}

TEST(Contact, AllocatesNothing) {
  Random random(11);
  const Case c = random_case(random);
  const Poses<double> p = poses(c.tree, c.q);
  Motion<Rep::body> m(c.tree);
  twists<Rep::body, double>(c.tree, p, c.v, m);
  Six J(c.v.size());
  std::vector<Wrench<Rep::body>> external(c.tree.links.size());
  EXPECT_EQ(count_allocations([&] {
              contact_jacobian<double>(c.tree, p, c.contact, J);
              Vec6<> x = contact_twist(p, m, c.contact);
              x += contact_bias<double>(c.tree, p, m, c.v, c.contact);
              x += contact_error(p, c.contact, c.contact.frame);
              add_contact_wrench<double>(p, c.contact, x, external);
            }),
            0);
}

}  // namespace
}  // namespace axode::test::contact_test
