#include "axode/dynamics/matrices/closed_form.hpp"

#include <gtest/gtest.h>

#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/dynamics/matrices/coriolis.hpp"
#include "axode/dynamics/matrices/mass_matrix.hpp"
#include "axode/engine/calls.hpp"
#include "axode/kinematics/jacobian.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/moving_tree.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::closed_form_test {
namespace {

/// The matrix of an operator, column by column.
template <class F>
DenseMatrix<double> matrix_of(int n, F&& multiply_by) {
  DenseMatrix<double> A{n, n, std::vector<double>(n * n)};
  for (int j = 0; j < n; ++j) {
    std::vector<double> e(n), column(n, NAN);
    e[j] = 1;
    multiply_by(e, column);
    for (int i = 0; i < n; ++i) A(i, j) = column[i];
  }
  return A;
}
DenseMatrix<double> mass_by_operators(const SystemJacobian<Rep::body>& J) {
  ClosedForm<double> work(*J.tree);
  return matrix_of(J.tree->nv, [&](const std::vector<double>& x, std::vector<double>& y) {
    multiply_mass_matrix<double>(J, x, work, y);
  });
}
DenseMatrix<double> coriolis_by_operators(const SystemJacobian<Rep::body>& J,
                                          const std::vector<double>& v, CoriolisForm form) {
  ClosedForm<double> work(*J.tree);
  return matrix_of(J.tree->nv, [&](const std::vector<double>& x, std::vector<double>& y) {
    multiply_coriolis_matrix<double>(J, v, x, work, y, form);
  });
}
constexpr std::array forms{CoriolisForm::equation_83, CoriolisForm::equation_84};

TEST(ClosedForm, ReferenceVectors) {
  double worst = 0;
  const auto check = [&](const std::vector<double>& ours, const std::vector<double>& expected) {
    const double error = relative_difference(ours, expected, 0);
    EXPECT_LT(error, 1e-13);
    worst = std::max(worst, error);
  };
  for (const char* file :
       {"remote_centre", "chain7", "tree9", "multidof_first", "multidof_second"}) {
    SCOPED_TRACE(file);
    const nlohmann::json data = read_json(std::string(file) + ".json");
    const Tree tree = tree_from_reference(data.at("model"));
    ClosedForm<double> work(tree);
    for (const auto& state : data.at("states")) {
      const auto& input = state.at("input");
      const auto& output = state.at("output");
      const std::vector<double> q = flat(input.at("q")), v = flat(input.at("qd")),
                                a = flat(input.at("qdd"));
      const Poses<double> p = poses(tree, q);
      const SystemJacobian<Rep::body> J(tree, p);
      const ClosedFormMatrices m = closed_form_matrices(tree, q, v);
      check(m.M.values, flat(output.at("M")));
      check(times(m.C_83, v), flat(output.at("coriolis_vector")));
      check(times(m.C_84, v), flat(output.at("coriolis_vector")));
      std::vector<double> result(v.size());
      multiply_mass_matrix<double>(J, a, work, result);
      check(result, times(m.M, a));
      for (const CoriolisForm form : forms) {
        multiply_coriolis_matrix<double>(J, v, v, work, result, form);
        check(result, flat(output.at("coriolis_vector")));
      }
      std::vector<Wrench<Rep::body>> applied;
      for (const auto& W : input.at("Wapp_body"))
        applied.push_back({vec6(W).angular, vec6(W).linear});
      inverse_dynamics_by_projection<double>(J, v, a, work, result, applied);
      check(result, flat(output.at("Q_total")));
    }
  }
  record("worst_relative_error", worst);
}

/// The operators, the printed matrices and the sums over composite bodies, for all joints.
TEST(ClosedForm, MatricesAreThoseOfOtherAlgorithms) {
  double worst = 0;
  for_random_cases(30, [&](Random& random) {
    const MovingTree r = random_moving_tree(random, random.integer(1, 10), {.zero_mass = true});
    const Poses<double> p = poses(r.tree, r.q);
    const SystemJacobian<Rep::body> J(r.tree, p);
    const ClosedFormMatrices m = closed_form_matrices(r.tree, r.q, r.v);
    const auto check = [&](const DenseMatrix<double>& A, const DenseMatrix<double>& B) {
      const double error = relative_difference(A.values, B.values);
      EXPECT_LT(error, 1e-12);
      worst = std::max(worst, error);
    };
    check(m.M, reference::mass_matrix(r.tree, r.q));
    check(m.M, mass_by_operators(J));
    check(m.C_83, m.C_84);
    check(m.C_84, coriolis_matrix(r.tree, r.q, r.v, CoriolisChoice::uncorrected));
    for (const CoriolisForm form : forms) check(coriolis_by_operators(J, r.v, form), m.C_84);
  });
  record("worst_relative_difference_of_algorithms", worst);
}

TEST(ClosedForm, RateOfTheJacobian) {
  for_random_cases(30, [](Random& random) {
    const MovingTree r = random_moving_tree(random, random.integer(1, 10));
    const Poses<double> p = poses(r.tree, r.q);
    const ClosedFormMatrices m = closed_form_matrices(r.tree, r.q, r.v);
    Motion<Rep::body> motion(r.tree);
    twists<Rep::body, double>(r.tree, p, r.v, motion);
    std::vector<Acceleration<Rep::body>> columns(r.v.size());
    for (int b = 0; b < r.tree.size(); ++b) {
      jacobian_rate<Rep::body, double>(r.tree, p, motion, r.v, b, columns);
      for (int k = 0; k < r.tree.nv; ++k) {
        const Vec6<double> expected = columns[k].six();
        for (int i = 0; i < 6; ++i)
          EXPECT_NEAR(m.J_rate(6 * b + i, k), expected[i], 1e-12 * (1 + max_abs(expected)));
      }
    }
  });
}

/// As docs/errata.md says of (83) and (84): N = M' - 2 C is not skew, N + N^T not zero.
TEST(ClosedForm, PrintedCoriolisMatrixIsNotTheSkewOne) {
  const nlohmann::json data = read_json("chain7.json");
  const Tree tree = tree_from_reference(data.at("model"));
  const auto& state = data.at("states")[0];
  const std::vector<double> q = flat(state.at("input").at("q")),
                            v = flat(state.at("input").at("qd"));
  const ClosedFormMatrices m = closed_form_matrices(tree, q, v);
  const std::vector<double> dM = flat(state.at("output").at("dM_dq"));
  const std::size_t n = v.size();
  double symmetric = 0, skew = 0;
  const DenseMatrix<double> C = coriolis_matrix(tree, q, v);
  for (int i = 0; i < tree.nv; ++i)
    for (int j = 0; j < tree.nv; ++j) {
      double rate = 0;
      for (std::size_t k = 0; k < n; ++k) rate += dM[(k * n + i) * n + j] * v[k];
      symmetric = std::max(symmetric, 2 * std::abs(rate - m.C_84(i, j) - m.C_84(j, i)));
      skew = std::max(skew, 2 * std::abs(rate - C(i, j) - C(j, i)));
    }
  EXPECT_NEAR(symmetric, 16, .5);
  EXPECT_LT(skew, 1e-12);
}

TEST(ClosedForm, ProjectionIsInverseDynamics) {
  double worst = 0;
  for_random_cases(40, [&](Random& random) {
    MovingTree r = random_moving_tree(random, random.integer(1, 25));
    for (Dof& dof : r.tree.dofs) {
      dof.armature = random.uniform(0, 1);
      dof.damping = random.uniform(0, 1);
      dof.friction = random.uniform(0, 1);
    }
    std::vector<Wrench<Rep::body>> external(r.tree.links.size());
    for (auto& W : external) W = {random.vec3(), random.vec3()};
    const Poses<double> p = poses(r.tree, r.q);
    InverseDynamics<Rep::body> expected(r.tree);
    ClosedForm<double> work(r.tree);
    std::vector<double> tau(r.v.size()), tau_expected(r.v.size());
    for (const Effects& effects : {Effects{}, no_effects}) {
      inverse_dynamics<Rep::body, double>(r.tree, p, r.v, r.a, expected, tau_expected, external,
                                          effects);
      inverse_dynamics_by_projection<double>({r.tree, p}, r.v, r.a, work, tau, external, effects);
      const double error = relative_difference(tau, tau_expected);
      EXPECT_LT(error, 1e-12);
      worst = std::max(worst, error);
    }
  });
  record("worst_relative_error_of_projection", worst);
}

TEST(ClosedForm, DualNumbersDifferentiate) {
  Random random(3);
  const MovingTree r = random_moving_tree(random, 8);
  Poses<Dual<double>> p(r.tree);
  poses<Dual<double>>(r.tree, dual_coordinates(r.tree, r.q, r.v), p);
  const std::vector<Dual<double>> v = dual(r.v, r.a), zero(r.v.size());
  const SystemJacobian<Rep::body, Dual<double>> J(r.tree, p);
  ClosedForm<Dual<double>> work(r.tree);
  InverseDynamics<Rep::body, Dual<double>> expected(r.tree);
  std::vector<Dual<double>> c(v.size()), tau(v.size()), Mv(v.size());
  inverse_dynamics<Rep::body, Dual<double>>(r.tree, p, v, zero, expected, tau, {}, no_effects);
  for (const CoriolisForm form : forms) {
    multiply_coriolis_matrix<Dual<double>>(J, v, v, work, c, form);
    EXPECT_LT(relative_difference(dual_parts(c), dual_parts(tau)), 1e-12);
  }
  inverse_dynamics_by_projection<Dual<double>>(J, v, zero, work, c, {}, no_effects);
  EXPECT_LT(relative_difference(dual_parts(c), dual_parts(tau)), 1e-12);
  // d/dt (M v) = M a + M' v, the second by sums of composite bodies
  multiply_mass_matrix<Dual<double>>(J, v, work, Mv);
  Composite<Dual<double>> composite(r.tree);
  composite_inertias(r.tree, p, composite);
  PathMatrix<Dual<double>> M(r.tree);
  mass_matrix(r.tree, composite, M);
  multiply<Dual<double>>(M, v, c);
  EXPECT_LT(relative_difference(dual_parts(Mv), dual_parts(c)), 1e-12);
}

TEST(ClosedForm, AllocatesNothingOnceMade) {
  Random random(7);
  const MovingTree r = random_moving_tree(random, 30);
  const Poses<double> p = poses(r.tree, r.q);
  const SystemJacobian<Rep::body> J(r.tree, p);
  ClosedForm<double> work(r.tree);
  std::vector<double> result(r.v.size());
  EXPECT_EQ(count_allocations([&] {
              inverse_dynamics_by_projection<double>(J, r.v, r.a, work, result);
              multiply_mass_matrix<double>(J, r.a, work, result);
              for (const CoriolisForm form : forms)
                multiply_coriolis_matrix<double>(J, r.v, r.a, work, result, form);
            }),
            0);
}

}  // namespace
}  // namespace axode::test::closed_form_test
