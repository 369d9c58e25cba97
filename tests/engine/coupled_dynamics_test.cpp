// Forward dynamics of coupled joints by the engine and by batches, against that of dynamics/, which
// solves for the leaders, and against inverse dynamics.
#include <gtest/gtest.h>

#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/dynamics/matrices/mass_matrix.hpp"
#include "tests/engine/batch_cases.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/models/coupled_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::coupled_dynamics_test {
namespace {

Tree random_coupled(Random& random, int bodies) {
  const bool chain = random.integer(0, 3) == 0;
  Tree tree = random.integer(0, 2) != 0
                  ? random_plain_tree(random, bodies, {.chain = chain, .losses = false})
                  : random_tree(random, bodies, {.chain = chain});
  if (random.integer(0, 2) != 0) add_random_losses(random, tree);
  couple_at_random(random, tree);
  return tree;
}
EngineCase random_coupled_case(Random& random) {
  EngineCase r = loaded(random, random_coupled(random, random.integer(2, 30)));
  keep_couplings(r.tree, r.q, r.v);
  return r;
}

/// E^T (tau needed for a - tau), relative to the largest sums of products with E; followers go as their
/// leaders.
double residual(const Tree& tree, In<double> q, In<double> v, In<double> a, In<double> tau,
                In<Wrench<Rep::body>> external, const Effects& effects) {
  InverseDynamics<Rep::body> work(tree);
  std::vector<double> needed(tree.nv), size(tree.nv);
  inverse_dynamics<Rep::body, double>(tree, poses(tree, q), v, a, work, needed, external, effects);
  double most = 1;
  for (const Wrench<Rep::body>& W : work.joint_wrenches) most = std::max(most, max_abs(W.six()));
  const DenseMatrix<double> M = reference::mass_matrix(tree, q);
  for (int i = 0; i < tree.nv; ++i) {
    needed[i] -= tau[i];
    for (int j = 0; j < tree.nv; ++j) size[i] += std::abs(M(i, j) * a[j]);
    most = std::max(most, size[i]);
  }
  double ratio = 1;
  for (const Coupling& c : tree.couplings) {
    ratio = std::max(ratio, std::abs(c.ratio));
    EXPECT_EQ(a[tree.links[c.follower].v], c.ratio * a[tree.links[c.leader].v]);
  }
  return largest(reduce_force(tree, needed)) / (most * ratio);
}

TEST(EngineCoupledDynamics, EqualsTheReferenceAndUndoesInverseDynamics) {
  double worst = 0, worst_residual = 0;
  for_random_cases(300, [&](Random& random) {
    const EngineCase r = random_coupled_case(random);
    EngineOptions o{.effects = random_effects(random)};
    o.effects.armature = true;  // some bodies have no mass
    if (random.integer(0, 1) == 0) o.external = r.external;
    const std::vector<double> expected = reference::forward_dynamics(
        r.tree, r.q, r.v, r.tau, Rep::body, {.body_wrenches = o.external, .effects = o.effects});
    for (const engine::Kernels* table : kernel_tables()) {
      Engine e = engine_with(r.tree, *table);
      std::vector<double> a(r.v.size(), NAN), in_place = r.tau;
      EXPECT_EQ(forward_dynamics(e, r.q, r.v, r.tau, a, o).singular_body, -1);
      const double error = relative_difference(a, expected);
      EXPECT_LT(error, 1e-9) << table->lanes;
      worst = std::max(worst, error);
      const double rest =
          residual(r.tree, r.q, r.v, a, r.tau, o.external, o.effects) / path_rounding(e);
      EXPECT_LT(rest, 16) << table->lanes;
      worst_residual = std::max(worst_residual, rest);
      EXPECT_TRUE(forward_dynamics(e, r.q, r.v, in_place, in_place, o).ok());
      EXPECT_EQ(in_place, a);
    }
  });
  record("worst_relative_error", worst);
  record("worst_residual_in_roundings_of_the_path", worst_residual);
}

TEST(BatchCoupledDynamics, EqualsTheReferenceInAllLanesAndThreads) {
  double worst = 0;
  for_random_cases(60, [&](Random& random) {
    BatchCase c =
        states_of(random, random_coupled(random, random.integer(2, 24)), random.integer(1, 40));
    for (std::size_t k = 0; k < c.states(); ++k) keep_couplings(c.tree, c.q[k], c.v[k]);
    Effects effects = random_effects(random);
    effects.armature = true;
    for (const batch::BatchKernels* table : batch_tables())
      for (const Layout layout : both_layouts) {
        const Arranged x(c, layout);
        Batch b = batch_with(c.tree, *table), threads = batch_with(c.tree, *table, 3);
        Guarded a(c.tree.dofs.size(), c.states()), again(c.tree.dofs.size(), c.states());
        EXPECT_TRUE(forward_dynamics(b, x.q, x.v, x.tau, a, x.options(effects, true)).ok());
        EXPECT_TRUE(
            forward_dynamics(threads, x.q, x.v, x.tau, again, x.options(effects, true)).ok());
        EXPECT_TRUE(a.intact());
        EXPECT_TRUE(a.same_as(again));
        for (std::size_t k = 0; k < c.states(); ++k) {
          const std::vector<Wrench<Rep::body>> external = c.wrenches(k);
          const double error = relative_difference(
              a.state(k, layout),
              reference::forward_dynamics(c.tree, c.q[k], c.v[k], c.tau[k], Rep::body,
                                          {.body_wrenches = external, .effects = effects}));
          EXPECT_LT(error, 1e-9) << table->lanes;
          worst = std::max(worst, error);
        }
      }
  });
  record("worst_relative_error", worst);
}

/// A follower without mass, alone impossible, on its leader; `wheel` its moment of inertia.
Tree gears(double drum, double wheel) {
  return TreeBuilder{}
      .body("drum", {0, {}, Sym3<double>::diagonal({drum, drum, drum})})
      .joint("drive", revolute({}))
      .body("wheel", {0, {}, Sym3<double>::diagonal({wheel, wheel, wheel})})
      .on("drum")
      .joint("gear", revolute({.axis = {0, 1, 0}, .point = {.2, 0, 0}}))
      .mimic("drive", 3)
      .build();
}
TEST(EngineCoupledDynamics, WheelsWithoutInertia) {
  const std::vector<double> zero(2, 0), tau{.5, .1};
  std::vector<double> a(2);
  const Tree massless = gears(.3, 0), heavy = gears(.3, .02), nothing = gears(0, 0);
  Engine e(massless), f(heavy), none(nothing);
  EXPECT_EQ(forward_dynamics(e, zero, zero, tau, a).singular_body, -1);
  expect_near(a[0], .8 / .3, 1e-14);
  EXPECT_EQ(a[1], 3 * a[0]);
  EXPECT_EQ(forward_dynamics(f, zero, zero, tau, a).singular_body, -1);
  expect_near(a[0], .8 / (.3 + .02 + 9 * .02), 1e-14);
  EXPECT_EQ(forward_dynamics(none, zero, zero, tau, a).singular_body, 0);
  EXPECT_EQ(a, zero);
  Batch b(nothing);
  EXPECT_EQ(forward_dynamics(b, zero, zero, tau, a).singular_state, 0);
  EXPECT_EQ(a, zero);
}

TEST(EngineCoupledDynamics, LongChainsTakeNumbersInProportion) {
  Random random(7);
  for (const int n : {100, 3000}) {
    Tree tree = random_plain_tree(random, n, {.balls = false, .fixed = false, .chain = true});
    for (Dof& dof : tree.dofs) dof.armature = 1;
    tree.couplings = {{n - 1, 0, -1.5, .2, {}, 1, 0}, {n / 2, n / 4, 2, 0, {}, 1, 0}};
    EngineCase r = loaded(random, std::move(tree));
    keep_couplings(r.tree, r.q, r.v);
    Engine e(r.tree);
    EXPECT_LT(e.groups.view().numbers, 40 * n);
    std::vector<double> a(n), needed(n);
    EXPECT_EQ(forward_dynamics(e, r.q, r.v, r.tau, a).singular_body, -1);
    inverse_dynamics(e, r.q, r.v, a, needed);
    double size = 1;
    for (int k = 0; k < n; ++k) {
      size = std::max(size, std::abs(needed[k]));
      needed[k] -= r.tau[k];
    }
    EXPECT_LT(largest(reduce_force(r.tree, needed)) / size, 1e-6) << n;
  }
}

TEST(EngineCoupledDynamics, DoesNotAllocate) {
  Random random(3);
  EngineCase r = loaded(random, random_plain_tree(random, 20, {.losses = false}));
  couple_at_random(random, r.tree);
  keep_couplings(r.tree, r.q, r.v);
  Engine e(r.tree);
  EXPECT_EQ(count_allocations([&] { EXPECT_TRUE(forward_dynamics(e, r.q, r.v, r.tau, r.a).ok()); }),
            0);
}

}  // namespace
}  // namespace axode::test::coupled_dynamics_test
