// Derivatives of forward dynamics of coupled joints by the engine and by batches, against the reference.
#include <gtest/gtest.h>

#include "axode/dynamics/derivatives/forward_derivatives.hpp"
#include "tests/engine/batch_cases.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/models/coupled_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::coupled_derivatives_test {
namespace {

Tree random_coupled(Random& random, int bodies) {
  Tree tree = random.integer(0, 2) != 0
                  ? random_plain_tree(random, bodies, {.chain = random.integer(0, 3) == 0})
                  : random_tree(random, bodies);
  add_random_losses(random, tree);
  couple_at_random(random, tree);
  return tree;
}

struct Errors {
  double a, by_q, by_v, by_tau;
  double most() const { return std::max({a, by_q, by_v, by_tau}); }
};

TEST(EngineCoupledDerivatives, EqualTheReference) {
  double worst = 0;
  for_random_cases(150, [&](Random& random) {
    EngineCase r = loaded(random, random_coupled(random, random.integer(2, 24)));
    keep_couplings(r.tree, r.q, r.v);
    EngineOptions o{.effects = random_effects(random), .external = r.external};
    o.effects.armature = true;
    const auto expected =
        reference::forward_dynamics_derivatives(r.tree, r.q, r.v, r.tau, o.external, o.effects);
    for (const engine::Kernels* table : kernel_tables()) {
      Engine e = engine_with(r.tree, *table);
      ForwardDynamicsDerivatives<double> d(r.tree);
      for (int again = 0; again < 2; ++again)
        EXPECT_EQ(forward_dynamics_derivatives(e, r.q, r.v, r.tau, d, o).singular_velocity, -1);
      const Errors error{relative_difference(d.a, expected.a),
                         relative_difference(d.by_q.values, expected.by_q.values),
                         relative_difference(d.by_v.values, expected.by_v.values),
                         relative_difference(d.by_tau.values, expected.by_tau.values)};
      EXPECT_LT(error.most(), 1e-8) << table->lanes;
      worst = std::max(worst, error.most());
      for (const Coupling& c : r.tree.couplings)
        for (int k = 0; k < r.tree.nv; ++k) {
          const int f = r.tree.links[c.follower].v, l = r.tree.links[c.leader].v;
          EXPECT_NEAR(d.by_tau(f, k), c.ratio * d.by_tau(l, k),
                      1e-14 * (1 + std::abs(d.by_tau(f, k))));
        }
    }
  });
  record("worst_relative_error", worst);
}

TEST(EngineCoupledDerivatives, AllocateOnFirstUseOnly) {
  Random random(5);
  EngineCase r = loaded(random, random_plain_tree(random, 20, {.losses = false}));
  couple_at_random(random, r.tree);
  keep_couplings(r.tree, r.q, r.v);
  Engine e(r.tree);
  ForwardDynamicsDerivatives<double> d(r.tree);
  const auto run = [&] { EXPECT_TRUE(forward_dynamics_derivatives(e, r.q, r.v, r.tau, d).ok()); };
  run();
  EXPECT_EQ(count_allocations(run), 0);
}

TEST(BatchCoupledDerivatives, EqualTheReferenceInAllLanesAndThreads) {
  double worst = 0;
  for_random_cases(40, [&](Random& random) {
    BatchCase c =
        states_of(random, random_coupled(random, random.integer(2, 16)), random.integer(1, 20));
    for (std::size_t k = 0; k < c.states(); ++k) keep_couplings(c.tree, c.q[k], c.v[k]);
    Effects effects = random_effects(random);
    effects.armature = true;
    const std::size_t nv = c.tree.nv, square = nv * nv, n = c.states();
    for (const batch::BatchKernels* table : batch_tables())
      for (const Layout layout : both_layouts) {
        const Arranged x(c, layout);
        const auto run = [&](int threads, std::array<Guarded, 4>& r) {
          Batch b = batch_with(c.tree, *table, threads);
          EXPECT_EQ(forward_dynamics_derivatives(b, x.q, x.v, x.tau, r[0], r[1], r[2], r[3],
                                                 x.options(effects, true))
                        .singular_state,
                    -1);
        };
        const Guarded vector(nv, n), matrix(square, n);
        std::array found{vector, matrix, matrix, matrix}, again = found;
        run(1, found);
        run(3, again);
        for (std::size_t i = 0; i < found.size(); ++i) {
          EXPECT_TRUE(found[i].intact());
          EXPECT_TRUE(found[i].same_as(again[i]));
        }
        for (std::size_t k = 0; k < n; ++k) {
          const std::vector<Wrench<Rep::body>> external = c.wrenches(k);
          const auto expected = reference::forward_dynamics_derivatives(
              c.tree, c.q[k], c.v[k], c.tau[k], external, effects);
          const auto error = [&](std::size_t i, const std::vector<double>& of) {
            return relative_difference(found[i].state(k, layout), of);
          };
          const Errors errors{error(0, expected.a), error(1, expected.by_q.values),
                              error(2, expected.by_v.values), error(3, expected.by_tau.values)};
          EXPECT_LT(errors.most(), 1e-8) << table->lanes;
          worst = std::max(worst, errors.most());
        }
      }
  });
  record("worst_relative_error", worst);
}

/// A leader and a follower without inertia on a body that has some.
TEST(CoupledDerivatives, FindWhatHasNoInertia) {
  TreeBuilder builder;
  builder.body("arm", {1, {.1, 0, 0}, Sym3<double>::diagonal({.1, .1, .1})})
      .joint("shoulder", revolute({}));
  builder.body("left").on("arm").joint("finger", revolute({.point = {1, 0, 0}}));
  builder.body("right").on("arm").joint("thumb", revolute({.point = {1, .1, 0}})).mimic("finger");
  const Tree tree = builder.build();
  const std::vector<double> zero(3, 0.);
  Engine e(tree);
  ForwardDynamicsDerivatives<double> d(tree);
  EXPECT_EQ(forward_dynamics_derivatives(e, zero, zero, zero, d).singular_velocity, 1);
  EXPECT_TRUE(std::isnan(d.by_tau(0, 0)));
  EXPECT_EQ(forward_dynamics(e, zero, zero, zero, d.a).singular_body, 1);
  Batch b(tree);
  std::vector<double> a(3), by_q(9), by_v(9), by_tau(9);
  EXPECT_EQ(forward_dynamics_derivatives(b, zero, zero, zero, a, by_q, by_v, by_tau).singular_state,
            0);
  EXPECT_TRUE(std::isnan(by_tau[0]));
}

}  // namespace
}  // namespace axode::test::coupled_derivatives_test
