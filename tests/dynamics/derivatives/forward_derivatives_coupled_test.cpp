// Derivatives of accelerations of coupled joints, against differences of the accelerations along
// motions that keep the couplings.
#include <gtest/gtest.h>

#include "axode/dynamics/derivatives/forward_derivatives.hpp"
#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/dynamics/matrices/expansion.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/models/coupled_tree.hpp"
#include "tests/support/models/moving_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::forward_derivatives_coupled_test {
namespace {

using Numbers = std::vector<double>;

/// X E, the columns by the independent velocities.
DenseMatrix<double> by_independent(const Expansion& E, const DenseMatrix<double>& X) {
  DenseMatrix<double> result{X.rows, E.size(), Numbers(std::size_t(X.rows) * E.size(), 0.)};
  for (int i = 0; i < X.rows; ++i)
    for (int j = 0; j < X.columns; ++j) result(i, E.column[j]) += X(i, j) * E.ratio[j];
  return result;
}

/// Central differences of the accelerations by the independent velocities, `move` doing a step.
template <class Move>
DenseMatrix<double> slopes(const Tree& tree, int columns, const Move& move) {
  constexpr double h = 1e-5;
  DenseMatrix<double> result{tree.nv, columns, Numbers(std::size_t(tree.nv) * columns)};
  for (int j = 0; j < columns; ++j) {
    const Numbers ahead = move(j, h), behind = move(j, -h);
    for (int i = 0; i < tree.nv; ++i) result(i, j) = (ahead[i] - behind[i]) / (2 * h);
  }
  return result;
}

TEST(CoupledForwardDerivatives, AreSlopesAlongTheIndependentVelocities) {
  double worst = 0;
  for_random_cases(40, [&](Random& random) {
    Tree tree = random_tree(random, random.integer(3, 10), {.one_screw_joints = true});
    couple_at_random(random, tree);
    if (tree.couplings.empty()) return;
    for (Dof& dof : tree.dofs) dof.damping = random.uniform(0, 1), dof.armature = .3;
    Numbers q = random_coordinates(random, tree), v = random_velocities(random, tree),
            tau = random_velocities(random, tree, 3);
    keep_couplings(tree, q, v);
    const Expansion E(tree);
    const ForwardDynamicsDerivatives<double> d =
        reference::forward_dynamics_derivatives(tree, q, v, tau);
    EXPECT_LT(relative_difference(d.a, reference::forward_dynamics(tree, q, v, tau)), 1e-14);
    const auto step = [&](int j, double h) {
      Numbers unit(E.size(), 0.), dv(tree.nv);
      unit[j] = h;
      expand(E, unit, dv);
      return dv;
    };
    const auto check = [&](const DenseMatrix<double>& found, const DenseMatrix<double>& expected) {
      const double error = relative_difference(found.values, expected.values);
      EXPECT_LT(error, 1e-7);
      worst = std::max(worst, error);
    };
    check(by_independent(E, d.by_q), slopes(tree, E.size(), [&](int j, double h) {
            Numbers moved(q.size());
            plus<double>(tree, q, step(j, h), moved);
            return reference::forward_dynamics(tree, moved, v, tau);
          }));
    check(by_independent(E, d.by_v), slopes(tree, E.size(), [&](int j, double h) {
            Numbers moved = step(j, h);
            for (std::size_t k = 0; k < v.size(); ++k) moved[k] += v[k];
            return reference::forward_dynamics(tree, q, moved, tau);
          }));
    check(d.by_tau, slopes(tree, tree.nv, [&](int j, double h) {
            Numbers pushed = tau;
            pushed[j] += h;
            return reference::forward_dynamics(tree, q, v, pushed);
          }));
  });
  record("worst_relative_error", worst);
}

TEST(CoupledForwardDerivatives, MasslessWheelAndWhatBreaksACoupling) {
  const auto gears = [](double drum) {
    return TreeBuilder{}
        .body("drum", {0, {}, Sym3<double>::diagonal({drum, drum, drum})})
        .joint("drive", revolute({}))
        .body("wheel")
        .on("drum")
        .joint("gear", revolute({.axis = {0, 1, 0}, .point = {.2, 0, 0}}))
        .mimic("drive", 3)
        .build();
  };
  const Numbers zero(2, 0.), broken{.1, .2};
  const DenseMatrix<double> W =
      reference::forward_dynamics_derivatives(gears(.3), zero, zero, zero).by_tau;
  const double own = 1 / .3;
  expect_near(W.values, Numbers{own, 3 * own, 3 * own, 9 * own}, 1e-13);
  const Tree heavy = gears(.3), nothing = gears(0);
  expect_says(message([&] { reference::forward_dynamics_derivatives(heavy, broken, zero, zero); }),
              "gear");
  expect_says(message([&] { reference::forward_dynamics_derivatives(nothing, zero, zero, zero); }),
              "drum");
}

}  // namespace
}  // namespace axode::test::forward_derivatives_coupled_test
