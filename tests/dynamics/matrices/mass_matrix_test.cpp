#include "axode/dynamics/matrices/mass_matrix.hpp"

#include <gtest/gtest.h>

#include "axode/core/error.hpp"
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/kinematics/jacobian.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/moving_tree.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::mass_matrix_test {
namespace {

Eigen::MatrixXd eigen(const DenseMatrix<double>& A) {
  Eigen::MatrixXd M(A.rows, A.columns);
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.columns; ++j) M(i, j) = A(i, j);
  return M;
}

TEST(MassMatrix, ReferenceVectors) {
  double worst = 0, worst_inverse = 0;
  for (const char* file :
       {"remote_centre", "chain7", "tree9", "multidof_first", "multidof_second"}) {
    const nlohmann::json data = read_json(std::string(file) + ".json");
    const Tree tree = tree_from_reference(data.at("model"));
    for (const auto& state : data.at("states")) {
      const std::vector<double> q = flat(state.at("input").at("q"));
      const auto& output = state.at("output");
      const double error =
          relative_difference(reference::mass_matrix(tree, q).values, flat(output.at("M")), 0);
      const double inverse_error =
          relative_difference(reference::inverse_mass_matrix(tree, q).values,
                              flat(output.at("forward_dynamics").at("Minv")), 0);
      EXPECT_LT(error, 1e-14) << file;
      EXPECT_LT(inverse_error, 1e-12) << file;
      worst = std::max(worst, error);
      worst_inverse = std::max(worst_inverse, inverse_error);
    }
  }
  record("worst_relative_error", worst);
  record("worst_relative_error_of_inverse", worst_inverse);
}

TEST(MassMatrix, ReferenceVectorsOfAMovingBase) {
  const nlohmann::json data = read_json("moving_base.json");
  const std::array<std::pair<Rep, const char*>, 3> forms{
      {{Rep::body, "body"}, {Rep::hybrid, "mixed"}, {Rep::spatial, "inertial"}}};
  double worst = 0;
  for (const auto& [velocity, form] : forms) {
    const Tree tree = tree_from_reference(data.at("model"), GeometryForm::zero_reference, velocity);
    for (const auto& state : data.at("states")) {
      const DenseMatrix<double> M =
          reference::mass_matrix(tree, moving_base_configuration(state.at("input")));
      const auto& expected = state.at("output").at("base").at(form).at("M");
      std::vector<double> ours;
      const auto file_order = [](int k) { return k < 3 ? k + 3 : k < 6 ? k - 3 : k; };
      for (int i = 0; i < M.rows; ++i)
        for (int j = 0; j < M.columns; ++j) ours.push_back(M(file_order(i), file_order(j)));
      const double error = relative_difference(ours, flat(expected), 0);
      EXPECT_LT(error, 1e-14) << form;
      worst = std::max(worst, error);
    }
  }
  record("worst_relative_error_moving_base", worst);
}

/// M = sum of J^T M J over the bodies, and positive definite.
TEST(MassMatrix, IsTheSumOverTheBodies) {
  double worst = 0;
  for_random_cases(40, [&](Random& random) {
    const MovingTree r = random_moving_tree(random, random.integer(1, 12));
    const Poses<double> p = poses(r.tree, r.q);
    const DenseMatrix<double> M = reference::mass_matrix(r.tree, r.q);
    DenseMatrix<double> sum{r.tree.nv, r.tree.nv, std::vector<double>(M.values.size())};
    std::vector<Twist<Rep::body>> J(r.v.size());
    for (int body = 0; body < r.tree.size(); ++body) {
      jacobian<Rep::body, double>(r.tree, p, body, J);
      const Mat6<double> I = matrix(r.tree.bodies[body].inertia);
      for (int k = 0; k < r.tree.nv; ++k)
        for (int j = 0; j < r.tree.nv; ++j) sum(k, j) += dot(J[k].six(), I * J[j].six());
    }
    const double error = relative_difference(M.values, sum.values);
    EXPECT_LT(error, 1e-13);
    worst = std::max(worst, error);
    EXPECT_EQ(M.values, transposed(M).values);
    if (r.tree.nv > 0) {
      EXPECT_GT(symmetric_eigenvalues(eigen(M))(0), 0);
    }
  });
  record("worst_relative_error_of_sum", worst);
}

/// M a = tau(a) - tau(0), by inverse dynamics; and the inverse against the matrix.
TEST(MassMatrix, AgreesWithInverseDynamics) {
  for_random_cases(40, [](Random& random) {
    const MovingTree r = random_moving_tree(random, random.integer(1, 20));
    const Poses<double> p = poses(r.tree, r.q);
    InverseDynamics<Rep::body> work(r.tree);
    const std::vector<double> rest(r.v.size());
    std::vector<double> tau(r.v.size());
    inverse_dynamics<Rep::body, double>(r.tree, p, rest, r.a, work, tau, {}, no_effects);
    const std::vector<double> Ma = times(reference::mass_matrix(r.tree, r.q), r.a);
    EXPECT_LT(relative_difference(Ma, tau), 1e-13);
    const std::vector<double> a = times(reference::inverse_mass_matrix(r.tree, r.q), Ma);
    EXPECT_LT(relative_difference(a, r.a), 1e-9);
  });
}

TreeBuilder pendulum(double armature) {
  TreeBuilder builder;
  builder.body("rod", {.mass = 2, .com = {.5, 0, 0}, .about_com = {0, .1, .1, 0, 0, 0}})
      .joint("hinge", revolute({.axis = {0, 0, 1}}))
      .armature(armature);
  return builder;
}

TEST(MassMatrix, HasTheArmatureInItsDiagonal) {
  const Tree tree = pendulum(.25).build();
  const std::vector<double> q{.3};
  EXPECT_DOUBLE_EQ(reference::mass_matrix(tree, q)(0, 0), .1 + 2 * .25 + .25);
  EXPECT_DOUBLE_EQ(reference::mass_matrix(tree, q, {.armature = false})(0, 0), .1 + 2 * .25);
}

TEST(MassMatrix, SaysWhichBodyHasNoInertia) {
  const std::vector<double> q{.3, .2};
  const Tree leaf = pendulum(0)
                        .body("tip")
                        .on("rod")
                        .joint("spindle", revolute({.axis = {1, 0, 0}, .point = {1, 0, 0}}))
                        .build();
  const std::string text = message([&] { reference::inverse_mass_matrix(leaf, q); });
  expect_says(text, "'tip'");
  expect_says(text, "'spindle'");
  // Two joints about one axis, the first body without mass: it can turn alone.
  const Tree between =
      TreeBuilder{}
          .body("sleeve")
          .joint("outer", revolute({.axis = {1, 2, 3}, .point = {.1, .2, .3}}))
          .body("shaft",
                {.mass = 1.7, .com = {.4, .1, -.3}, .about_com = {.1, .2, .15, .01, .02, .03}})
          .on("sleeve")
          .joint("inner", revolute({.axis = {1, 2, 3}, .point = {.1, .2, .3}}))
          .build();
  expect_says(message([&] { reference::inverse_mass_matrix(between, q); }), "'sleeve'");
  for_random_cases(200, [&](Random& random) {
    const std::vector<double> x{random.uniform(-3, 3), random.uniform(-3, 3)};
    EXPECT_THROW(reference::inverse_mass_matrix(between, x), Error);
  });
}

/// Far from the world's origin no more is lost than by rounding the positions themselves.
TEST(MassMatrix, IsExactFarFromTheOrigin) {
  double worst = 0;
  for (const Rep velocity : {Rep::body, Rep::hybrid}) {
    Random random(5);
    const nlohmann::json data = read_json("moving_base.json");
    const Tree tree = tree_from_reference(data.at("model"), GeometryForm::zero_reference, velocity);
    std::vector<double> q = moving_base_configuration(data.at("states")[0].at("input"));
    for (std::size_t k = 4; k < 7; ++k) q[k] = 0;
    const DenseMatrix<double> near = reference::mass_matrix(tree, q);
    for (std::size_t k = 4; k < 7; ++k) q[k] = random.uniform(.5e6, 1e6);
    const DenseMatrix<double> far = reference::mass_matrix(tree, q);
    const double error = relative_difference(far.values, near.values, 0);
    EXPECT_LT(error, 1e6 * 8 * epsilon<double>);  // lever arms of about 1 m, some roundings
    worst = std::max(worst, error);
  }
  record("worst_relative_error_1000_km_away", worst);
}

/// Nor if the first body of the tree is not the robot, but the ground it stands on.
TEST(MassMatrix, IsExactFarFromAFixedFirstBody) {
  const Inertia<double> box{2, {.1, .2, -.1}, Sym3<double>::diagonal({.1, .2, .15})};
  const Tree tree = TreeBuilder{}
                        .body("ground", box)
                        .joint("weld", fixed())
                        .body("robot", box)
                        .on("ground")
                        .joint("free", free_joint())
                        .body("arm", box)
                        .on("robot")
                        .joint("shoulder", revolute({.axis = {0, 1, 1}, .point = {.3, .1, .2}}))
                        .build();
  const std::vector<double> near{1, 0, 0, 0, 0, 0, 0, .4}, far{1, 0, 0, 0, 7e5, -5e5, 6e5, .4};
  const double error = relative_difference(reference::mass_matrix(tree, far).values,
                                           reference::mass_matrix(tree, near).values, 0);
  EXPECT_LT(error, 1e6 * 8 * epsilon<double>);
}

/// The rate of the matrix by dual numbers against differences.
TEST(MassMatrix, DualNumbersDifferentiate) {
  for_random_cases(20, [](Random& random) {
    const MovingTree r = random_moving_tree(random, random.integer(1, 8));
    Poses<Dual<double>> p(r.tree);
    poses<Dual<double>>(r.tree, dual_coordinates(r.tree, r.q, r.v), p);
    Composite<Dual<double>> composite(r.tree);
    composite_inertias(r.tree, p, composite);
    PathMatrix<Dual<double>> M(r.tree);
    mass_matrix(r.tree, composite, M);
    const auto at = [&](double h) {
      std::vector<double> step = r.v, q(r.q.size());
      for (double& x : step) x *= h;
      plus<double>(r.tree, r.q, step, q);
      return reference::mass_matrix(r.tree, q);
    };
    const double h = 1e-5;
    const DenseMatrix<double> before = at(-h), after = at(h);
    std::vector<double> difference = after.values;
    for (std::size_t k = 0; k < difference.size(); ++k)
      difference[k] = (difference[k] - before.values[k]) / (2 * h);
    // h^2 of the third derivative, and rounding over h
    EXPECT_LT(relative_difference(dual_parts(dense(M).values), difference), 1e-8);
  });
}

TEST(MassMatrix, ChecksWhatItIsGiven) {
  const Tree tree = pendulum(0).build();
  expect_says(message([&] { reference::mass_matrix(tree, std::vector<double>{1, 2}); }), "q");
  expect_says(message([&] { reference::mass_matrix(tree, std::vector<double>{NAN}); }), "hinge");
}

TEST(MassMatrix, AllocatesNothingOnceMade) {
  Random random(7);
  const MovingTree r = random_moving_tree(random, 40);
  const Poses<double> p = poses(r.tree, r.q);
  Composite<double> c(r.tree);
  PathMatrix<double> M(r.tree);
  EXPECT_EQ(count_allocations([&] {
              composite_inertias<double>(r.tree, p, c);
              mass_matrix(r.tree, c, M);
            }),
            0);
}

}  // namespace
}  // namespace axode::test::mass_matrix_test
