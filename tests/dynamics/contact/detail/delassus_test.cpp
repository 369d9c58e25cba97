#include "axode/dynamics/contact/detail/delassus.hpp"

#include <gtest/gtest.h>

#include "axode/dynamics/matrices/mass_matrix.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/models/arms.hpp"
#include "tests/support/models/four_legs.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::delassus_test {
namespace {

using Vector = std::vector<double>;

struct Prepared {
  Poses<double> p;
  PathMatrix<double> factors;
  Delassus delassus;
};
Prepared prepare(const Tree& tree, const Vector& q, std::span<const Contact> contacts,
                 double tolerance = 1e-7) {
  Prepared s{poses(tree, q), PathMatrix<double>(tree),
             Delassus(tree, static_cast<int>(contacts.size()))};
  Composite<double> composite(tree);
  composite_inertias(tree, s.p, composite);
  mass_matrix(tree, composite, s.factors);
  EXPECT_EQ(factorize(s.factors).singular_velocity, -1);
  delassus(tree, s.p, s.factors, contacts, s.delassus, tolerance);
  return s;
}

Eigen::MatrixXd eigen(const DenseMatrix<double>& A) {
  Eigen::MatrixXd result(A.rows, A.columns);
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.columns; ++j) result(i, j) = A(i, j);
  return result;
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
  return c;
}

/// J M^-1 J^T with J and M written out and M factorized as a full matrix.
Eigen::MatrixXd reference(const Tree& tree, const Vector& q, const Poses<double>& p,
                          std::span<const Contact> contacts) {
  const Eigen::MatrixXd J = held_rows(tree, p, contacts), M = full_mass_matrix(tree, q);
  Eigen::MatrixXd X(tree.nv, J.rows());
  for (Eigen::Index r = 0; r < J.rows(); ++r)
    X.col(r) = least_squares(M, J.row(r).transpose()).solution;
  return J * X;
}

TEST(Delassus, MatrixIsJTimesInverseMassTimesJTransposed) {
  double worst = 0;
  for_random_cases(60, [&](Random& random) {
    const Tree tree = random_tree(random, random.integer(2, 10));
    const Vector q = random_coordinates(random, tree);
    std::vector<Contact> contacts;
    for (int n = random.integer(1, 4); n > 0; --n) contacts.push_back(random_contact(random, tree));
    const Prepared s = prepare(tree, q, contacts);
    const Eigen::MatrixXd A = eigen(dense(s.delassus)),
                          expected = reference(tree, q, s.p, contacts);
    ASSERT_EQ(A.rows(), expected.rows());
    const double size = 1 + expected.cwiseAbs().maxCoeff();
    worst = max(worst, (A - expected).cwiseAbs().maxCoeff() / size);
    // The products with J and its transpose.
    const Eigen::MatrixXd J = held_rows(tree, s.p, contacts);
    const Vector x = random_velocities(random, tree);
    Vector f(J.rows()), force(x.size());
    for (double& y : f) y = random.uniform(-1, 1);
    add_transpose_times(s.delassus, s.factors, f, force);
    const Eigen::VectorXd Jx = J * Eigen::Map<const Eigen::VectorXd>(x.data(), J.cols());
    const Eigen::VectorXd Jf =
        J.transpose() * Eigen::Map<const Eigen::VectorXd>(f.data(), J.rows());
    for (int r = 0; r < s.delassus.constraints; ++r)
      EXPECT_NEAR(row_times(s.delassus, s.factors, r, x), Jx[r], 1e-12 * (1 + Jx.norm()));
    for (std::size_t k = 0; k < force.size(); ++k)
      EXPECT_NEAR(force[k], Jf[static_cast<Eigen::Index>(k)], 1e-12 * (1 + Jf.norm()));
  });
  EXPECT_LT(worst, 1e-10);
  record("worst_relative_error", worst);
}

/// Against the shortest least-squares solution of the matrix, on sets whose rank is clear.
TEST(Delassus, SolutionsAreThoseOfThePseudoInverse) {
  double worst = 0;
  int deficient = 0, regular = 0;
  for_random_cases(150, [&](Random& random) {
    const Tree tree = random_tree(random, random.integer(2, 10));
    if (tree.nv == 0) return;
    const Vector q = random_coordinates(random, tree);
    std::vector<Contact> contacts;
    for (int n = random.integer(1, 4); n > 0; --n) contacts.push_back(random_contact(random, tree));
    Prepared s = prepare(tree, q, contacts);
    const Eigen::MatrixXd A = reference(tree, q, s.p, contacts);
    Vector f(A.rows());
    for (double& y : f) y = random.uniform(-1, 1);
    const Eigen::VectorXd b = Eigen::Map<const Eigen::VectorXd>(f.data(), A.rows());
    const LeastSquares expected = least_squares(A, b);
    if (expected.smallest_pivot < 1e-6) return;
    solve(s.delassus, f);
    EXPECT_EQ(s.delassus.rank, expected.rank);
    (s.delassus.redundant() ? deficient : regular) += 1;
    const Eigen::VectorXd found = Eigen::Map<const Eigen::VectorXd>(f.data(), A.rows());
    worst = max(worst, (found - expected.solution).norm() / (1 + expected.solution.norm()) *
                           expected.smallest_pivot);
  });
  EXPECT_LT(worst, 1e-12);  // relative to what the condition number allows
  EXPECT_GT(deficient, 30);
  EXPECT_GT(regular, 30);
  record("worst_error_over_condition", worst);
}

int rank_of(const Tree& tree, const Vector& q, std::span<const Contact> contacts) {
  return prepare(tree, q, contacts).delassus.rank;
}

TEST(Delassus, RanksOfFourLegs) {
  const Tree tree = four_legs(), stiff = four_legs(Rep::body, true);
  const Vector q = standing(tree), table = standing(stiff);
  EXPECT_EQ(rank_of(tree, q, feet_on_ground(tree, sliding_point)), 4);
  EXPECT_EQ(rank_of(tree, q, feet_on_ground(tree, point_contact)), 12);
  // All shanks stand still; trunk and thighs still move, as four-bar linkages.
  EXPECT_EQ(rank_of(tree, q, feet_on_ground(tree, full_contact)), tree.nv - 1);
  EXPECT_EQ(rank_of(stiff, table, feet_on_ground(stiff, sliding_point)), 3);
  EXPECT_EQ(rank_of(stiff, table, feet_on_ground(stiff, point_contact)), 6);
  EXPECT_EQ(rank_of(stiff, table, feet_on_ground(stiff, plane_contact)), 3);
  EXPECT_EQ(rank_of(stiff, table, feet_on_ground(stiff, full_contact)), 6);
}

/// Four bars that turn about parallel axes, tilted and away from the origin so that nothing is exactly
/// zero. The frames "tip" and "hinge", on the first axis, have the axes as their z.
Tree tilted_planar_arm(double metre, double kilogram, double last) {
  TreeBuilder b("planar");
  const Vec3<> normal = normalized(Vec3<>{1, 2, 3});
  const Vec3<> along = normalized(cross(normal, Vec3<>{1, 0, 0}));
  const Vec3<> base = Vec3<>{.3, -.2, .7} * metre;
  const SO3<> axes{Mat3<>{along, cross(normal, along), normal}};
  for (std::size_t i = 0; i < 4; ++i) {
    const double m = (i == 3 ? last : 1) * kilogram, I = .01 * m * metre * metre;
    const Vec3<> start = base + along * (static_cast<double>(i) * metre);
    b.body(numbered("l", i), {m, start + along * (.5 * metre), Sym3<>::diagonal({I, I, I})});
    if (i > 0) b.on(numbered("l", i - 1));
    b.joint(numbered("j", i), revolute({.axis = normal, .point = start}));
  }
  b.frame("tip", {.on = "l3", .at = {axes, base + along * (4 * metre)}});
  b.frame("hinge", {.on = "l0", .at = {axes, base}});
  return b.build();
}

/// Directions in which nothing can move but by rounding errors do not count, whatever the units.
TEST(Delassus, RankDependsNeitherOnUnitsNorOnMasses) {
  for (const double metre : {1., 1e3, 1e-3})
    for (const double kilogram : {1., 1e20, 1e-20})
      for (const double last : {1., 1e-6}) {
        const Tree tree = tilted_planar_arm(metre, kilogram, last);
        const auto rank = [&](const FrameName& frame, const Directions& d) {
          const std::array contacts{contact(tree, {.at = frame, .directions = d})};
          return rank_of(tree, {.3, .4, -.5, .6}, contacts);
        };
        const FrameName tip_in_world_axes = origin_of("tip").axes_of("world");
        EXPECT_EQ(rank("tip", full_contact), 3) << metre << " " << kilogram;
        EXPECT_EQ(rank("tip", point_contact), 2) << metre << " " << kilogram;
        EXPECT_EQ(rank(tip_in_world_axes, full_contact), 3) << metre << " " << kilogram;
        EXPECT_EQ(rank(tip_in_world_axes, point_contact), 2) << metre << " " << kilogram;
        EXPECT_EQ(rank("hinge", point_contact), 0) << metre << " " << kilogram;
        EXPECT_EQ(rank("hinge", full_contact), 1) << metre << " " << kilogram;
      }
}

/// A point on the axis of a joint does not move, however far from the world's origin it is; body
/// frame and contact are both there.
TEST(Delassus, PointsOnAnAxisFarAwayStandStill) {
  for (const double far : {1., 1e3, 1e6}) {
    const Vec3<> point = Vec3<>{.3, -.21, .73} * far;
    const Tree tree = TreeBuilder()
                          .body("b", {1, point + Vec3<>{.1, .2, .3}, Sym3<>::diagonal({1, 1, 1})})
                          .joint("j", revolute({.axis = {.3, .5, .8}, .point = point}),
                                 zero_reference(SE3<>{exp(Vec3<>{.4, .5, .6}), point}))
                          .build();
    EXPECT_EQ(
        rank_of(tree, {.7}, std::array{contact(tree, {.at = "b", .directions = point_contact})}), 0)
        << far;
    EXPECT_EQ(rank_of(tree, {.7}, std::array{contact(tree, {.at = "b"})}), 1) << far;
  }
}

TEST(Delassus, MagnitudesAreSumsBeforeCancellation) {
  const Tree tree = TreeBuilder()
                        .body("a", {1, {}, Sym3<>::diagonal({1, 1, 1})})
                        .joint("ja", revolute({.axis = {0, 0, 1}}))
                        .body("b", {1, {}, Sym3<>::diagonal({1, 1, 1})})
                        .on("a")
                        .joint("jb", prismatic({.axis = {1, 0, 0}}))
                        .build();
  Contact c = contact(tree, {.at = "b", .directions = {.vz = true}});
  c.T_FC.p = {3, 4, 0};
  const Prepared s = prepare(tree, {0, 0}, std::array{c});
  const Magnitudes m = magnitudes(s.delassus, s.factors, 0, Vector{-2, 7});
  EXPECT_DOUBLE_EQ(m.angular, 2);
  EXPECT_DOUBLE_EQ(m.linear, 2 * 5 + 7 + 2 * 4);  // the tree reaches 4 m along an axis
  EXPECT_EQ(row_times(s.delassus, s.factors, 0, Vector{-2, 7}), 0);
}

TEST(Delassus, PointsCloseTogetherAreToldApart) {
  const Tree tree = TreeBuilder()
                        .body("b", {1, {.1, .2, .3}, Sym3<>::diagonal({.1, .2, .25})})
                        .joint("j", free_joint())
                        .build();
  const auto points = [&](double apart) {
    std::vector<Contact> contacts;
    for (const Vec3<>& x : {Vec3<>{}, Vec3<>{apart, 0, 0}, Vec3<>{0, apart, 0}}) {
      Contact c = contact(tree, {.at = "b", .directions = point_contact});
      c.T_FC.p = Vec3<>{.4, 0, -.5} + x;
      contacts.push_back(c);
    }
    return rank_of(tree, neutral(tree), contacts);
  };
  EXPECT_EQ(points(.1), 6);
  EXPECT_EQ(points(1e-5), 6);  // J M^-1 J^T has the condition number 1e10 here
  EXPECT_EQ(points(1e-10), 3);
}

TEST(Delassus, NothingHeldAndNothingThatMoves) {
  const Tree tree = planar_arm({1, 1});
  Delassus empty(tree, 0);
  PathMatrix<double> factors(tree);
  delassus(tree, poses(tree, Vector{0, 0}), factors, {}, empty);
  EXPECT_EQ(empty.constraints, 0);
  EXPECT_EQ(empty.rank, 0);
  EXPECT_FALSE(empty.redundant());
  const Tree post = TreeBuilder().body("b", {.mass = 1}).joint("j", fixed()).build();
  const std::vector contacts{contact(post, {.at = "b"})};
  Prepared s = prepare(post, {}, contacts);
  EXPECT_EQ(s.delassus.rank, 0);
  EXPECT_TRUE(s.delassus.redundant());
  Vector b(6, 1.);
  solve(s.delassus, b);
  EXPECT_EQ(b, Vector(6, 0.));
}

/// Four thousand bodies; the contacts are on two of many branches.
TEST(Delassus, ManyBodies) {
  TreeBuilder b;
  const int branches = 400, depth = 10;
  for (int i = 0; i < branches * depth; ++i) {
    b.body(numbered("b", i), {1, {.1, 0, 0}, Sym3<>::diagonal({.1, .1, .1})});
    if (i % depth != 0) b.on(numbered("b", i - 1));
    b.joint(numbered("j", i),
            revolute({.axis = {i % 3 == 0 ? 1. : 0, i % 3 == 1 ? 1. : 0, i % 3 == 2 ? 1. : 0},
                      .point = {.2 * (i % depth), 0, 0}}));
  }
  const Tree tree = b.build();
  const std::vector contacts{contact(tree, {.at = "b9", .against = "b3999"}),
                             contact(tree, {.at = "b1009", .directions = point_contact})};
  const Prepared s = prepare(tree, Vector(4000, .2), contacts);
  EXPECT_EQ(s.delassus.rank, 9);
  EXPECT_EQ(s.delassus.height, 3 * depth);
}

TEST(Delassus, MisuseIsRefusedAndNothingAllocated) {
  const Tree tree = four_legs();
  const std::vector<Contact> contacts = feet_on_ground(tree, full_contact);
  Prepared s = prepare(tree, standing(tree), contacts);
  Delassus small(tree, 3);
  expect_says(message([&] { delassus(tree, s.p, s.factors, contacts, small); }), "4 contacts");
  expect_says(message([&] { Delassus(tree, -1); }), "-1");
  Vector b(24, 1.), force(18);
  EXPECT_EQ(count_allocations([&] {
              delassus(tree, s.p, s.factors, contacts, s.delassus);
              solve(s.delassus, b);
              add_transpose_times(s.delassus, s.factors, b, force);
              b[0] = row_times(s.delassus, s.factors, 3, force);
            }),
            0);
}

}  // namespace
}  // namespace axode::test::delassus_test
