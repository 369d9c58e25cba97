// Derivatives against the analytic ones of dynamics/, which dual numbers confirm, for all instruction
// sets.
#include <gtest/gtest.h>

#include <array>

#include "axode/dynamics/derivatives/forward_derivatives.hpp"
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "tests/engine/engine_cases.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/near.hpp"

namespace axode::test::engine_derivatives_test {
namespace {

constexpr std::array all_effects{Effects{},
                                 no_effects,
                                 Effects{.gravity = false},
                                 Effects{.armature = false},
                                 Effects{.damping = false},
                                 Effects{.friction = false}};
EngineOptions random_options(Random& random, const EngineCase& r) {
  EngineOptions o{.effects =
                      all_effects[random.integer(0, static_cast<int>(all_effects.size()) - 1)]};
  if (random.integer(0, 3) != 0) o.external = r.external;
  return o;
}
/// Plain trees for the most part: for moving screws the engine takes the functions of dynamics/.
EngineCase derivatives_case(Random& random) {
  const int bodies = random.integer(1, random.integer(0, 3) == 0 ? 30 : 12);
  if (random.integer(0, 9) == 0) return random_case(random, 20);
  return loaded(random, random_plain_tree(random, bodies, {.chain = random.integer(0, 2) == 0}));
}

TEST(EngineInverseDynamicsDerivatives, EqualThoseInTheUsersFrames) {
  double worst = 0;
  for_random_cases(300, [&](Random& random) {
    const EngineCase r = derivatives_case(random);
    const EngineOptions o = random_options(random, r);
    const auto expected =
        reference::inverse_dynamics_derivatives(r.tree, r.q, r.v, r.a, o.external, o.effects);
    for (const engine::Kernels* table : kernel_tables()) {
      Engine e = engine_with(r.tree, *table);
      InverseDynamicsDerivatives<double> d(r.tree);
      for (int again = 0; again < 2; ++again) inverse_dynamics_derivatives(e, r.q, r.v, r.a, d, o);
      const double size = std::max({1., largest(expected.by_q.values),
                                    largest(expected.by_v.values), largest(expected.by_a.values)});
      const double error =
          std::max({relative_difference(d.tau, expected.tau, size),
                    relative_difference(d.by_q.values, expected.by_q.values, size),
                    relative_difference(d.by_v.values, expected.by_v.values, size),
                    relative_difference(d.by_a.values, expected.by_a.values, size)}) /
          path_rounding(e);
      EXPECT_LT(error, 16) << table->lanes;
      worst = std::max(worst, error);
    }
  });
  record("worst_error_in_roundings_of_the_path", worst);
}

/// Dual numbers through the recursion in body frames.
TEST(EngineInverseDynamicsDerivatives, EqualDualNumbers) {
  using D = Dual<double>;
  double worst = 0;
  for_random_cases(30, [&](Random& random) {
    const EngineCase r = loaded(random, random_plain_tree(random, random.integer(1, 12)));
    const auto external = constant(r.external);
    Engine e(r.tree);
    InverseDynamicsDerivatives<double> d(r.tree);
    inverse_dynamics_derivatives(e, r.q, r.v, r.a, d, {.external = r.external});
    const DenseMatrix<double> by_a = dense(d.by_a);
    const double size = std::max({1., largest(d.by_q.values), largest(d.by_v.values)});
    InverseDynamics<Rep::body, D> work(r.tree);
    std::vector<D> tau(r.v.size());
    for (const By by : {By::q, By::v, By::a})
      for (int k = 0; k < r.tree.nv; ++k) {
        const DualState s(r, by, k);
        inverse_dynamics<Rep::body, D>(r.tree, s.poses, s.v, s.a, work, tau, external);
        const DenseMatrix<double>& found = by == By::q ? d.by_q : by == By::v ? d.by_v : by_a;
        for (int j = 0; j < r.tree.nv; ++j)
          worst = std::max(worst,
                           largest_difference(found(j, k), tau[j].dual) / size / path_rounding(e));
      }
    EXPECT_LT(worst, 16);
  });
  record("worst_error_in_roundings_of_the_path", worst);
}

/// Largest entry of M X + B, in units that make the diagonal of M one, relative to the numbers it is
/// the sum of.
double residual(const DenseMatrix<double>& M, const DenseMatrix<double>& X,
                const DenseMatrix<double>& B) {
  std::vector<double> d;
  double size = 1;
  for (int i = 0; i < M.rows; ++i)
    for (int j = 0; j < M.rows; ++j) {
      const double unit = sqrt(1 / M(i, i));
      double sum = B(i, j), products = std::abs(sum);
      for (int k = 0; k < M.rows; ++k) {
        sum += M(i, k) * X(k, j);
        products += std::abs(M(i, k) * X(k, j));
      }
      size = std::max(size, products * unit);
      d.push_back(sum * unit);
    }
  return largest(d) / size;
}

TEST(EngineForwardDynamicsDerivatives, EqualThoseInTheUsersFrames) {
  double worst = 0, worst_residual = 0;
  for_random_cases(100, [&](Random& random) {
    const EngineCase r = derivatives_case(random);
    EngineOptions o = random_options(random, r);
    o.effects.armature = true;  // some bodies have no mass
    const auto expected =
        reference::forward_dynamics_derivatives(r.tree, r.q, r.v, r.tau, o.external, o.effects);
    for (const engine::Kernels* table : kernel_tables()) {
      Engine e = engine_with(r.tree, *table);
      ForwardDynamicsDerivatives<double> d(r.tree);
      for (int again = 0; again < 2; ++again)
        ASSERT_EQ(forward_dynamics_derivatives(e, r.q, r.v, r.tau, d, o).singular_velocity, -1);
      const double error = std::max({relative_difference(d.a, expected.a),
                                     relative_difference(d.by_q.values, expected.by_q.values),
                                     relative_difference(d.by_v.values, expected.by_v.values),
                                     relative_difference(d.by_tau.values, expected.by_tau.values)});
      EXPECT_LT(error, 1e-9) << table->lanes;
      worst = std::max(worst, error);
      const DenseMatrix<double> M = dense(d.inverse.by_a);
      const double left =
          std::max(residual(M, d.by_q, d.inverse.by_q), residual(M, d.by_v, d.inverse.by_v)) /
          path_rounding(e);
      EXPECT_LT(left, 16);
      worst_residual = std::max(worst_residual, left);
    }
  });
  record("worst_relative_error", worst);
  record("worst_residual_in_roundings_of_the_path", worst_residual);
}

}  // namespace
}  // namespace axode::test::engine_derivatives_test
