#include "axode/flexible/tree/dual_jacobian.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/core/error.hpp"
#include "axode/flexible/tree/equations.hpp"
#include "tests/flexible/random_flexible_tree.hpp"
#include "tests/flexible/reference_chains.hpp"

namespace axode::test::dual_jacobian {

using Twist = DualTwist<double>;

void expect_rows(const std::vector<Twist>& columns, const std::vector<double>& expected,
                 const std::string& what, double tolerance = 1e-11) {
  const std::vector<double> rows = rows_of(columns);
  ASSERT_EQ(rows.size(), expected.size()) << what;
  double scale = 1, worst = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    scale = std::max(scale, std::abs(expected[i]));
    worst = std::max(worst, std::abs(rows[i] - expected[i]));
  }
  EXPECT_LE(worst, tolerance * scale) << what;
}

TEST(DualJacobian, ProjectionMatricesMeetReferences) {
  const FlexibleTree tree = reference_chain("arm4", SectionRotation::xyz);
  int compared = 0;
  const nlohmann::json states = read_json("flexible/vectors_arm4.json")["states"];
  for (const auto& state : states) {
    if (!state.contains("projection_matrices")) continue;
    const std::vector<double> q = flat(state["q"]), v = flat(state["u"]);
    for (int i = 0; i < 4; ++i) {
      const std::string link = "link" + std::to_string(i + 1);
      const auto& expected = state["projection_matrices"][link];
      const DualJacobian found = axode::dual_jacobian(tree, q, v, usual_point(tree, i));
      expect_rows(found.hat, flat(expected["P_hat"]), link + " P_hat");
      expect_rows(found.breve, flat(expected["P_breve"]), link + " P_breve");
      expect_rows(found.rate, flat(expected["P_hat_dot"]), link + " P_hat_dot");
      ++compared;
    }
  }
  EXPECT_EQ(compared, 4);
}

DualPoint random_point(RandomFlexible& by, const FlexibleTree& tree) {
  const int link = by.below(static_cast<int>(tree.links.size()));
  const auto& beam = tree.links[link].beam;
  return {link, beam ? by.in(0, beam->length) : 0, by.vector(0.5)};
}

TEST(DualJacobian, DerivativesMeetCentralDifferencesOnTrees) {
  RandomFlexible by;
  for (int trial = 0; trial < 20; ++trial) {
    const FlexibleTree tree =
        random_flexible_tree(by, 6, static_cast<SectionRotation>(trial % 3), trial % 2 == 0);
    const auto q = random_coordinates(by, tree, 2, 0.1), v = random_coordinates(by, tree, 1, 0.5);
    const DualPoint point = random_point(by, tree);
    const double h = 1e-5;
    std::vector<double> more = q, less = q;
    for (std::size_t k = 0; k < q.size(); ++k) {
      more[k] += h * v[k];
      less[k] -= h * v[k];
    }
    const auto a = rows_of(axode::dual_jacobian(tree, less, v, point).hat);
    auto b = rows_of(axode::dual_jacobian(tree, more, v, point).hat);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = (b[i] - a[i]) / (2 * h);
    expect_rows(axode::dual_jacobian(tree, q, v, point).rate, b, "rate", 1e-8);
  }
}

TEST(DualJacobian, TimesSpeedsIsTheTwistOfThePoint) {
  RandomFlexible by;
  for (int trial = 0; trial < 10; ++trial) {
    const FlexibleTree tree = random_flexible_tree(by, 6, SectionRotation::zyx, trial % 2 == 0);
    const auto q = random_coordinates(by, tree, 2, 0.1), v = random_coordinates(by, tree, 1, 0.5);
    const int link = by.below(6);
    const DualPoint origin{link, 0, {}};
    const DualJacobian P = axode::dual_jacobian(tree, q, v, origin);
    Twist twist;
    for (std::size_t k = 0; k < q.size(); ++k) twist += P.hat[k] * Dual<double>(v[k]);
    const Twist expected = dual_motion(tree, q, v).twists[link];
    EXPECT_LE(max_abs(real_part(twist) - real_part(expected)), 1e-12);
    EXPECT_LE(max_abs(dual_part(twist) - dual_part(expected)), 1e-12);
    // angular velocity also as the equations of motion have it
    FlexibleMotion<FirstOrder> motion = make_motion<FirstOrder>(tree);
    flexible_motion<FirstOrder>(tree, q, v, motion);
    const auto& w = motion.links[link].w;
    EXPECT_LE(max_abs(real_part(twist.angular) - real_part(w)), 1e-12);
    EXPECT_LE(max_abs(dual_part(twist.angular) - dual_part(w)), 1e-12);
  }
}

/// a^T D b of (97), (104): D = diag([J + Jd, J; J, 0], m [I, I; I, 0]).
double product(const Twist& a, const Mat3<>& J, const Mat3<>& Jd, double mass, const Twist& b) {
  const Vec3<> ar = real_part(a.angular), ad = dual_part(a.angular);
  const Vec3<> br = real_part(b.angular), bd = dual_part(b.angular);
  const Vec3<> cr = real_part(a.linear), cd = dual_part(a.linear);
  const Vec3<> dr = real_part(b.linear), dd = dual_part(b.linear);
  return dot(ar, (J + Jd) * br + J * bd) + dot(ad, J * br) +
         mass * (dot(cr, dr + dd) + dot(cd, dr));
}
void add_body(const FlexibleTree& tree, const std::vector<double>& q, const DualPoint& point,
              const Mat3<>& J, const Mat3<>& Jd, double mass, std::vector<double>& M) {
  const DualJacobian P = axode::dual_jacobian(tree, q, q, point);
  for (std::size_t i = 0; i < q.size(); ++i)
    for (std::size_t j = 0; j < q.size(); ++j)
      M[i * q.size() + j] += product(P.breve[i], J, Jd, mass, P.breve[j]);
}

TEST(DualJacobian, ProjectsBodiesIntoTheMassMatrix) {
  RandomFlexible by;
  for (int trial = 0; trial < 9; ++trial) {
    FlexibleTree tree =
        random_flexible_tree(by, 4, static_cast<SectionRotation>(trial % 3), trial % 2 == 0);
    for (FlexibleLink& link : tree.links)
      if (link.beam) link.rigid = {};
    tree = complete(tree);
    const auto q = random_coordinates(by, tree, 2, 0.05);
    const std::vector<double> still(q.size());
    std::vector<double> M(q.size() * q.size()), mass = M, forces(q.size());
    for (std::size_t i = 0; i < tree.links.size(); ++i) {
      const FlexibleLink& link = tree.links[i];
      const int number = static_cast<int>(i);
      if (!link.beam) {
        const DualPoint com = usual_point(tree, number);
        const Sym3<> J = link.rigid.about_origin - minus_skew_squared(com.point) * link.rigid.mass;
        add_body(tree, q, com, J.matrix(), {}, link.rigid.mass, M);
      }
      for (const auto& node : link.invariants.nodes) {
        const auto e = std::span(q).subspan(link.first_mode, link.invariants.modes);
        const Vec3<> theta =
            section_motion<FirstOrder>(tree, link.invariants, node.at, e, e).R.theta;
        const Mat3<> J = Mat3<>::diagonal(node.inertia);
        add_body(tree, q, {number, node.at.x, {}}, J, skew(theta) * J - J * skew(theta), node.mass,
                 M);
      }
    }
    FlexibleWork<FirstOrder> work = make_flexible_work<FirstOrder>(tree);
    axode::flexible_equations<FirstOrder>(tree, q, still, work, mass, forces);
    double scale = 1, worst = 0;
    for (std::size_t i = 0; i < M.size(); ++i) {
      scale = std::max(scale, std::abs(mass[i]));
      worst = std::max(worst, std::abs(mass[i] - M[i]));
    }
    EXPECT_LE(worst, 1e-12 * scale) << trial;
  }
}

TEST(DualJacobian, OperatorAndTransformationAreThoseMatrices) {
  RandomFlexible by;
  const FlexibleTree tree = random_flexible_tree(by, 5, SectionRotation::xyz, false, true);
  const auto q = random_coordinates(by, tree, 2, 0.05), v = random_coordinates(by, tree, 1, 0.1);
  const DualPoint point = usual_point(tree, 4);
  const DualMotion motion = dual_motion(tree, q, v);
  for (int j = 0; j < 5; ++j) {
    const auto d = dual_differentiation(tree, motion, q, v, point, j);
    const Twist screw =
        make_dual(Vec6<>{by.vector(1), by.vector(1)}, Vec6<>{by.vector(1), by.vector(1)});
    const std::vector<double> numbers = rows_of({screw}), rate = rows_of({derivative(d, screw)});
    const auto D = matrix(d);
    for (std::size_t i = 0; i < 12; ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < 12; ++k) sum += D[i][k] * numbers[k];
      EXPECT_NEAR(sum, rate[i], 1e-13);
    }
    // (66): coordinates first, then the reference point
    const G2<> Y = screw_transformation(tree, motion, q, point, j);
    const Twist turned{Y.X * screw.angular, Y.X * screw.linear};
    const Twist moved{turned.angular, turned.linear + cross(Y.v, turned.angular)};
    EXPECT_EQ(rows_of({moved}).size(), 12u);
    const std::vector<double> expected = rows_of({moved}), found = rows_of({Ad(Y, screw)});
    for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(found[i], expected[i], 1e-13);
  }
  EXPECT_THROW(dual_screw(tree, q, tree.size, point), Error);
  EXPECT_THROW(axode::dual_jacobian(tree, q, v, {9, 0, {}}), Error);
}

}  // namespace axode::test::dual_jacobian
