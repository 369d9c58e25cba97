// Forces, accelerations and matrices against the algorithms of dynamics/, which work in the user's
// frames, for all instruction sets.
#include <gtest/gtest.h>

#include <array>

#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/dynamics/matrices/coriolis.hpp"
#include "axode/dynamics/matrices/mass_matrix.hpp"
#include "axode/engine/calls.hpp"
#include "tests/engine/engine_cases.hpp"
#include "tests/support/near.hpp"
#include "tests/support/representations.hpp"

namespace axode::test::engine_dynamics_test {
namespace {

constexpr std::array all_effects{Effects{},
                                 no_effects,
                                 Effects{.gravity = false},
                                 Effects{.armature = false},
                                 Effects{.damping = false},
                                 Effects{.friction = false}};

/// Joint forces, and the largest wrench a joint bears: their rounding errors are relative to that.
struct Forces {
  std::vector<double> tau;
  double size = 1;
};
template <Rep rep = Rep::body>
Forces reference_forces(const EngineCase& r, In<double> a, const EngineOptions& o) {
  InverseDynamics<rep> work(r.tree);
  Forces forces{std::vector<double>(r.v.size())};
  inverse_dynamics<rep, double>(r.tree, poses(r.tree, r.q), r.v, a, work, forces.tau, o.external,
                                o.effects);
  for (const Wrench<rep>& W : work.joint_wrenches)
    forces.size = std::max(forces.size, max_abs(W.six()));
  return forces;
}
EngineOptions random_options(Random& random, const EngineCase& r) {
  EngineOptions o{.effects =
                      all_effects[random.integer(0, static_cast<int>(all_effects.size()) - 1)]};
  if (random.integer(0, 3) != 0) o.external = r.external;
  return o;
}

TEST(EngineInverseDynamics, EqualsTheRecursionsOfAllRepresentations) {
  double worst = 0;
  for_random_cases(400, [&](Random& random) {
    const EngineCase r = random_case(random);
    const EngineOptions o = random_options(random, r);
    for (const engine::Kernels* table : kernel_tables()) {
      Engine e = engine_with(r.tree, *table);
      std::vector<double> tau(r.v.size(), NAN);
      inverse_dynamics(e, r.q, r.v, r.a, tau, o);
      for_representations([&]<Rep rep>() {
        const Forces expected = reference_forces<rep>(r, r.a, o);
        const double error =
            relative_difference(tau, expected.tau, expected.size) / path_rounding(e);
        worst = std::max(worst, error);
        EXPECT_LT(error, 16) << name(rep) << ' ' << table->lanes;
      });
    }
  });
  record("worst_error_in_roundings_of_the_path", worst);
}

/// Largest sum of |M_ij a_j|.
double largest_sum(const DenseMatrix<double>& M, const std::vector<double>& a) {
  double most = 0;
  for (int i = 0; i < M.rows; ++i) {
    double sum = 0;
    for (int j = 0; j < M.rows; ++j) sum += std::abs(M(i, j) * a[j]);
    most = std::max(most, sum);
  }
  return most;
}

TEST(EngineForwardDynamics, EqualsArticulatedBodiesAndUndoesInverseDynamics) {
  double worst = 0, worst_identity = 0;
  for_random_cases(300, [&](Random& random) {
    const EngineCase r = random_case(random);
    EngineOptions o = random_options(random, r);
    o.effects.armature = true;  // some bodies have no mass
    const DenseMatrix<double> M = reference::mass_matrix(r.tree, r.q);
    ForwardDynamics<Rep::body> work(r.tree);
    std::vector<double> expected(r.v.size());
    EXPECT_TRUE((forward_dynamics<Rep::body, double>(r.tree, poses(r.tree, r.q), r.v, r.tau, work,
                                                     expected, o.external, o.effects)
                     .ok()));
    for (const engine::Kernels* table : kernel_tables()) {
      Engine e = engine_with(r.tree, *table);
      std::vector<double> a(r.v.size(), NAN);
      EXPECT_EQ(forward_dynamics(e, r.q, r.v, r.tau, a, o).singular_body, -1);
      const Forces back = reference_forces(r, a, o);
      const double size = std::max(back.size, largest_sum(M, a));
      const double identity = relative_difference(back.tau, r.tau, size) / path_rounding(e);
      EXPECT_LT(identity, 16) << table->lanes;
      worst_identity = std::max(worst_identity, identity);
      const double error = relative_difference(a, expected);
      EXPECT_LT(error, 1e-9) << table->lanes;
      worst = std::max(worst, error);
      std::vector<double> in_place = r.tau;
      EXPECT_TRUE(forward_dynamics(e, r.q, r.v, in_place, in_place, o).ok());
      EXPECT_EQ(in_place, a);
    }
  });
  record("worst_relative_error", worst);
  record("worst_identity_in_roundings_of_the_path", worst_identity);
}

/// Largest entry of A - B, each relative to the diagonal of B in its row and column.
double relative_to_diagonal(const DenseMatrix<double>& A, const DenseMatrix<double>& B) {
  std::vector<double> d;
  for (int i = 0; i < B.rows; ++i)
    for (int j = 0; j < B.columns; ++j) d.push_back((A(i, j) - B(i, j)) / sqrt(B(i, i) * B(j, j)));
  return largest(d);
}
/// Largest entry of M X - 1, in units that make the diagonal of M one, relative to the products it is
/// the sum of.
double inverse_residual(const DenseMatrix<double>& M, const DenseMatrix<double>& X) {
  std::vector<double> d;
  double size = 1;
  for (int i = 0; i < M.rows; ++i)
    for (int j = 0; j < M.rows; ++j) {
      double sum = i == j ? -1 : 0, products = 0;
      for (int k = 0; k < M.rows; ++k) {
        sum += M(i, k) * X(k, j);
        products += std::abs(M(i, k) * X(k, j));
      }
      const double unit = sqrt(M(j, j) / M(i, i));
      size = std::max(size, products * unit);
      d.push_back(sum * unit);
    }
  return largest(d) / size;
}
DenseMatrix<double> square(const Tree& tree, double value) {
  return {tree.nv, tree.nv, std::vector<double>(tree.nv * tree.nv, value)};
}

TEST(EngineMassMatrix, EqualsCompositeBodiesAndHasTheInverse) {
  double worst = 0, worst_residual = 0;
  for_random_cases(100, [&](Random& random) {
    const EngineCase r = random_case(random, 40);
    const Effects effects{.armature = random.integer(0, 1) == 0};
    const DenseMatrix<double> expected = reference::mass_matrix(r.tree, r.q, effects),
                              driven = reference::mass_matrix(r.tree, r.q);
    for (const engine::Kernels* table : kernel_tables()) {
      Engine e = engine_with(r.tree, *table);
      PathMatrix<double> M(r.tree);
      M.values.assign(M.values.size(), NAN);
      mass_matrix(e, r.q, M, effects);
      DenseMatrix<double> found = dense(M);
      for (int k = 0; k < r.tree.nv; ++k)  // bodies without mass have armature only
        if (!effects.armature) found(k, k) += driven(k, k) - expected(k, k);
      const double error = relative_to_diagonal(found, driven) / path_rounding(e);
      EXPECT_LT(error, 16) << table->lanes;
      worst = std::max(worst, error);

      DenseMatrix<double> inverse = square(r.tree, NAN);
      ASSERT_EQ(inverse_mass_matrix(e, r.q, inverse).singular_velocity, -1);
      const double residual = inverse_residual(driven, inverse) / path_rounding(e);
      EXPECT_LT(residual, 16) << table->lanes;
      worst_residual = std::max(worst_residual, residual);
      for (int i = 0; i < r.tree.nv; ++i)
        for (int j = 0; j < i; ++j) ASSERT_EQ(inverse(i, j), inverse(j, i));
    }
  });
  record("worst_error_in_roundings_of_the_path", worst);
  record("worst_residual_in_roundings_of_the_path", worst_residual);
}

/// Rate of the mass matrix along the motion, by dual numbers.
DenseMatrix<double> mass_matrix_rate(const MovingTree& r) {
  using D = Dual<double>;
  Poses<D> p(r.tree);
  poses<D>(r.tree, dual_coordinates(r.tree, r.q, r.v), p);
  Composite<D> composite(r.tree);
  composite_inertias(r.tree, p, composite);
  PathMatrix<D> M(r.tree);
  mass_matrix(r.tree, composite, M);
  return {r.tree.nv, r.tree.nv, dual_parts(dense(M).values)};
}

TEST(EngineCoriolisMatrix, LeavesOtherEntriesAlone) {
  TreeBuilder builder;
  const Inertia<double> I{1, {.1, 0, 0}, Sym3<double>::diagonal({.1, .1, .1})};
  builder.body("trunk", I).joint("trunk", revolute({}));
  builder.body("left", I).on("trunk").joint("left", revolute({.point = {1, 0, 0}}));
  builder.body("right", I).on("trunk").joint("right", revolute({.point = {0, 1, 0}}));
  const Tree tree = builder.build();
  for (const engine::Kernels* table : kernel_tables()) {
    Engine e = engine_with(tree, *table);
    DenseMatrix<double> C{3, 3, std::vector<double>(9, 8.)};
    for (int again = 0; again < 3; ++again)
      coriolis_matrix(e, std::vector{.1, .2, .3}, std::vector{1., 2., 3.}, C);
    EXPECT_EQ(C(1, 2), 8);
    EXPECT_EQ(C(2, 1), 8);
    EXPECT_NE(C(0, 1), 8);
  }
}

TEST(EngineCoriolisMatrix, IsThatOfChristoffelsSymbols) {
  double worst = 0, worst_product = 0, worst_skew = 0;
  for_random_cases(100, [&](Random& random) {
    const EngineCase r = random_case(random, 40);
    const DenseMatrix<double> expected =
        coriolis_matrix(r.tree, r.q, r.v, CoriolisChoice::christoffel);
    const Forces c =
        reference_forces(r, std::vector<double>(r.v.size(), 0.), {.effects = no_effects});
    const DenseMatrix<double> rate = mass_matrix_rate(r);
    const double size = std::max({1., largest(rate.values), largest(expected.values), c.size});
    for (const engine::Kernels* table : kernel_tables()) {
      Engine e = engine_with(r.tree, *table);
      DenseMatrix<double> C = square(r.tree, 0);
      for (int again = 0; again < 2; ++again) coriolis_matrix(e, r.q, r.v, C);
      const auto check = [&](double error, double& most, const char* what) {
        error /= path_rounding(e);
        EXPECT_LT(error, 16) << what << ' ' << table->lanes;
        most = std::max(most, error);
      };
      check(relative_difference(C.values, expected.values, size), worst, "entries");
      check(relative_difference(times(C, r.v), c.tau, size), worst_product, "C v");
      std::vector<double> symmetric;
      for (int i = 0; i < C.rows; ++i)
        for (int j = 0; j < C.rows; ++j)
          symmetric.push_back((rate(i, j) + rate(j, i)) / 2 - C(i, j) - C(j, i));
      check(largest(symmetric) / size, worst_skew, "dM/dt - 2 C");
    }
  });
  record("worst_error_in_roundings_of_the_path", worst);
  record("worst_product_in_roundings_of_the_path", worst_product);
  record("worst_symmetric_part_in_roundings_of_the_path", worst_skew);
}

}  // namespace
}  // namespace axode::test::engine_dynamics_test
