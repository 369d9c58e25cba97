#include "axode/kinematics/manipulability.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/engine/kinematics_calls.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/models/arms.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::manipulability_test {
namespace {

Eigen::MatrixXd dense(const Columns& columns, const ManipulabilityOptions& options) {
  Eigen::MatrixXd J(0, static_cast<Eigen::Index>(columns.size()));
  for (int i = 0; i < 6; ++i) {
    if (!options.rows[i]) continue;
    J.conservativeResize(J.rows() + 1, Eigen::NoChange);
    for (Eigen::Index k = 0; k < J.cols(); ++k)
      J(J.rows() - 1, k) = (i < 3 ? options.length : 1) * columns[k][i];
  }
  return J;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

Vec6<double> times(const Columns& J, const std::vector<double>& v) {
  Vec6<double> V{};
  for (std::size_t k = 0; k < v.size(); ++k) V += v[k] * J[k];
  return V;
}

TEST(Manipulability, TwoJointsByHand) {
  const double l1 = 1.2, l2 = .7;
  const Tree tree = planar_arm({l1, l2});
  for (const double q2 : {-2., -.3, 1e-5, 1., 3.}) {
    const Manipulability m =
        manipulability(tree, std::vector<double>{.4, q2}, "tool", {.rows = translation_rows});
    EXPECT_NEAR(m.index, l1 * l2 * std::abs(std::sin(q2)), 1e-15);
    EXPECT_EQ(m.rank, 2);
    EXPECT_TRUE(m.null_space.empty());
    // Out of the plane it cannot move, and bears any force.
    EXPECT_NEAR(std::abs(m.axes[2].axis.linear.z), 1, 1e-15);
    EXPECT_EQ(m.axes[2].velocity, 0);
    EXPECT_EQ(m.axes[2].force, HUGE_VAL);
  }
  const Manipulability stretched =
      manipulability(tree, std::vector<double>{.4, 0}, "tool", {.rows = translation_rows});
  EXPECT_EQ(stretched.rank, 1);
  ASSERT_EQ(stretched.null_space.size(), 1U);
  // Turning j1 by l2 and j2 by -(l1 + l2) keeps the tool in place.
  EXPECT_NEAR(stretched.null_space[0][0] / stretched.null_space[0][1], -l2 / (l1 + l2), 1e-15);
  EXPECT_GT(stretched.condition, 1e14);
}

/// J J^T in closed form: the squared radii of the ellipse are its eigenvalues.
TEST(Manipulability, EllipseOfTwoJoints) {
  const Tree tree = planar_arm({1, 1});
  const Manipulability m = manipulability(tree, std::vector<double>{0, pi<double> / 2}, "tool",
                                          {.rows = {false, false, false, true, true, false}});
  // J = [-1 -1; 1 0]: J J^T = [2 -1; -1 1], eigenvalues (3 +- sqrt 5) / 2
  ASSERT_EQ(m.axes.size(), 2U);
  EXPECT_NEAR(m.axes[0].velocity, std::sqrt((3 + std::sqrt(5)) / 2), 1e-15);
  EXPECT_NEAR(m.axes[1].velocity, std::sqrt((3 - std::sqrt(5)) / 2), 1e-15);
  EXPECT_NEAR(m.axes[0].force, 1 / m.axes[0].velocity, 1e-15);
  EXPECT_NEAR(m.condition, (3 + std::sqrt(5)) / 2, 1e-14);
  const Vec3<double> axis = m.axes[0].axis.linear;
  EXPECT_NEAR(axis.y / axis.x, -(std::sqrt(5) - 1) / 2, 1e-15);
}

TEST(Manipulability, AgreesWithEigenvaluesOfTheProduct) {
  for_random_cases(300, [](Random& random) {
    const Tree tree =
        random_tree(random, random.integer(1, 8), {.chain = true, .fixed_joints = false});
    const std::vector<double> q = random_coordinates(random, tree);
    ManipulabilityOptions options{.length = random.uniform(.1, 2)};
    const int rows = random.integer(0, 2);
    options.rows = rows == 0 ? all_rows : rows == 1 ? rotation_rows : translation_rows;
    const Columns J = jacobian(tree, q, {.of = tree.bodies.back().name});
    const Manipulability m = manipulability(J, options);
    const Eigen::MatrixXd A = dense(J, options);
    const Eigen::VectorXd squares =
        symmetric_eigenvalues(A.cols() < A.rows() ? Eigen::MatrixXd(A.transpose() * A)
                                                  : Eigen::MatrixXd(A * A.transpose()));
    ASSERT_EQ(static_cast<Eigen::Index>(m.singular_values.size()), squares.size());
    const double largest = squares(squares.size() - 1);
    double index = 1;
    for (std::size_t i = 0; i < m.singular_values.size(); ++i) {
      const double s = m.singular_values[i];
      EXPECT_NEAR(s * s, squares(squares.size() - 1 - static_cast<Eigen::Index>(i)),
                  1e-13 * largest);
      index *= s;
    }
    EXPECT_NEAR(m.index, index, 1e-14 * index);
    EXPECT_EQ(m.null_space.size(), J.size() - static_cast<std::size_t>(m.rank));
  });
}

TEST(Manipulability, VectorsAreOrthonormalAndDoWhatTheySay) {
  for_random_cases(200, [](Random& random) {
    const Tree tree =
        random_tree(random, random.integer(3, 9), {.chain = true, .fixed_joints = false});
    const std::vector<double> q = random_coordinates(random, tree);
    const Columns J = jacobian(tree, q, {.of = tree.bodies.back().name});
    const Manipulability m = manipulability(J);
    const double scale = m.singular_values[0];
    for (std::size_t i = 0; i < m.null_space.size(); ++i) {
      EXPECT_EQ(m.null_space[i].size(), J.size());
      expect_near(times(J, m.null_space[i]), Vec6<>{}, 1e-9 * scale);  // the tolerance of the rank
      for (std::size_t k = 0; k < m.null_space.size(); ++k)
        EXPECT_NEAR(product(m.null_space[i], m.null_space[k]), i == k, 1e-13);
    }
    for (std::size_t i = 0; i < m.joint_vectors.size(); ++i) {
      EXPECT_NEAR(product(m.joint_vectors[i], m.joint_vectors[i]), 1, 1e-13);
      expect_near(times(J, m.joint_vectors[i]), m.singular_values[i] * m.axes[i].axis,
                  1e-13 * scale);
    }
  });
}

/// The four conditions of Moore and Penrose would hold for the matrix; for a vector: least squares
/// and least norm.
TEST(Manipulability, PseudoInverse) {
  for_random_cases(300, [](Random& random) {
    const Tree tree =
        random_tree(random, random.integer(1, 9), {.chain = true, .fixed_joints = false});
    const std::vector<double> q = random_coordinates(random, tree);
    const Columns J = jacobian(tree, q, {.of = tree.bodies.back().name});
    const ManipulabilityOptions options{.length = .3};
    const Manipulability m = manipulability(J, options);
    if (m.singular_values[m.rank - 1] < 1e-3) return;
    const Vec6<double> V = random.vec6();
    const std::vector<double> v = pseudo_inverse_times(m, V);
    Vec6<double> error = times(J, v) - V;
    error.angular = (.3 * .3) * error.angular;
    for (const Vec6<double>& column : J) EXPECT_NEAR(dot(column, error), 0, 1e-8);
    for (const std::vector<double>& n : m.null_space) EXPECT_NEAR(product(n, v), 0, 1e-8);
    // Damped: (J^T W W J + damping^2) v = J^T W W V
    const double damping = random.uniform(.01, 1);
    const std::vector<double> d = damped_inverse_times(m, V, damping);
    error = times(J, d) - V;
    error.angular = (.3 * .3) * error.angular;
    for (std::size_t k = 0; k < J.size(); ++k)
      EXPECT_NEAR(dot(J[k], error) + damping * damping * d[k], 0, 1e-12);
  });
}

TEST(Manipulability, DampingBoundsTheVelocityAtASingularity) {
  const Tree tree = planar_arm({1, 1});
  const Manipulability m =
      manipulability(tree, std::vector<double>{0, 1e-9}, "tool", {.rows = translation_rows});
  const Vec6<double> inwards{{}, {-1, 0, 0}};
  EXPECT_GT(std::abs(pseudo_inverse_times(m, inwards)[1]), 1e8);
  const std::vector<double> damped = damped_inverse_times(m, inwards, .1);
  EXPECT_LE(std::sqrt(product(damped, damped)), 1 / (2 * .1));
}

/// rad and m: with rotations alone the length is only a factor, and mixed it changes the condition.
TEST(Manipulability, CharacteristicLength) {
  const Tree tree = six_axis_arm(false);
  const std::vector<double> q{.1, .4, .9, .3, .8, .2};
  const Manipulability rotation = manipulability(tree, q, "tool", {.rows = rotation_rows});
  const Manipulability scaled =
      manipulability(tree, q, "tool", {.rows = rotation_rows, .length = .25});
  EXPECT_NEAR(scaled.index, rotation.index / 64, 1e-15);
  EXPECT_NEAR(scaled.condition, rotation.condition, 1e-13);
  // det(W J) = length^3 det J for six joints.
  EXPECT_NEAR(manipulability(tree, q, "tool", {.length = .25}).index,
              manipulability(tree, q, "tool").index / 64, 1e-15);
}

/// Two sliders that a gear couples have one degree of freedom between them.
TEST(Manipulability, CoupledJointsCountOnce) {
  const Tree tree = TreeBuilder{}
                        .body("a")
                        .joint("ja", prismatic({{1, 0, 0}}))
                        .body("b")
                        .on("a")
                        .joint("jb", prismatic({{0, 1, 0}}))
                        .mimic("ja", 3)
                        .build();
  const Manipulability m = manipulability(tree, neutral(tree), "b");
  EXPECT_EQ(m.rank, 1);
  ASSERT_EQ(m.singular_values.size(), 1u);
  EXPECT_NEAR(m.singular_values[0], std::sqrt(10.), 1e-15);
}

TEST(Manipulability, RefusesBadInput) {
  const Columns none, one{{{0, 0, 1}, {}}}, bad{{{0, NAN, 1}, {}}};
  const auto says = [&](auto&& f, const char* words) { expect_says(message(f), words); };
  says([&] { manipulability(none); }, "the Jacobian has no columns");
  says([&] { manipulability(bad); }, "the Jacobian is not finite");
  says([&] { manipulability(one, {.rows = {}}); }, "no row counts; choose all_rows");
  says([&] { manipulability(one, {.length = 0}); }, "the length is not positive");
  says([&] { manipulability(one, {.rank_tolerance = -1}); }, "the tolerance of the rank");
  says([&] { damped_inverse_times(manipulability(one), {}, 0); }, "the damping is not positive");
  says(
      [&] {
        pseudo_inverse_times(manipulability(one), {{NAN, 0, 0}, {}});
      },
      "twist is not finite");
}

}  // namespace
}  // namespace axode::test::manipulability_test
