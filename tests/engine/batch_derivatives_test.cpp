// Derivatives of batches against the analytic ones of dynamics/ on one state after the other, which dual
// numbers confirm, for all instruction sets and layouts.
#include <gtest/gtest.h>

#include "axode/dynamics/derivatives/forward_derivatives.hpp"
#include "tests/engine/batch_cases.hpp"
#include "tests/support/near.hpp"

namespace axode::test::batch_derivatives_test {
namespace {

/// Where derivatives go.
struct Results {
  Results(Batch& b, std::size_t states, bool inverse)
      : first(b.tree->dofs.size(), states),
        by_q(b.tree->dofs.size() * b.tree->dofs.size(), states),
        by_v(by_q),
        third(inverse ? mass_matrix_size(b) : b.tree->dofs.size() * b.tree->dofs.size(), states) {}
  bool intact() const { return first.intact() && by_q.intact() && by_v.intact() && third.intact(); }
  Guarded first, by_q, by_v, third;  ///< tau or a; by a or tau
};

TEST(BatchInverseDynamicsDerivatives, EqualThoseOfEachState) {
  double worst = 0;
  for_random_cases(30, [&](Random& random) {
    const BatchCase c = random_batch(random, 16, random.integer(0, 4) != 0);
    const Effects effects = random_effects(random);
    const bool loads = random.integer(0, 1) == 0;
    for (const batch::BatchKernels* table : batch_tables()) {
      Batch b = batch_with(c.tree, *table);
      for (const Layout layout : both_layouts) {
        const Arranged x(c, layout);
        Results r(b, c.states(), true);
        inverse_dynamics_derivatives(b, x.q, x.v, x.a, r.first, r.by_q, r.by_v, r.third,
                                     x.options(effects, loads));
        EXPECT_TRUE(r.intact());
        for (std::size_t k = 0; k < c.states(); ++k) {
          const auto external = loads ? c.wrenches(k) : std::vector<Wrench<Rep::body>>{};
          const auto expected = reference::inverse_dynamics_derivatives(c.tree, c.q[k], c.v[k],
                                                                        c.a[k], external, effects);
          const double size =
              std::max({1., largest(expected.by_q.values), largest(expected.by_v.values),
                        largest(expected.by_a.values)});
          const double error =
              std::max(
                  {relative_difference(r.first.state(k, layout), expected.tau, size),
                   relative_difference(r.by_q.state(k, layout), expected.by_q.values, size),
                   relative_difference(r.by_v.state(k, layout), expected.by_v.values, size),
                   relative_difference(r.third.state(k, layout), expected.by_a.values, size)}) /
              path_rounding(b);
          EXPECT_LT(error, 64) << table->lanes;
          worst = std::max(worst, error);
        }
      }
    }
  });
  record("worst_error_in_roundings_of_the_path", worst);
}

TEST(BatchForwardDynamicsDerivatives, EqualThoseOfEachState) {
  double worst = 0;
  for_random_cases(30, [&](Random& random) {
    const BatchCase c = random_batch(random, 16, random.integer(0, 4) != 0);
    Effects effects = random_effects(random);
    effects.armature = true;  // some bodies have no mass
    const bool loads = random.integer(0, 1) == 0;
    for (const batch::BatchKernels* table : batch_tables()) {
      Batch b = batch_with(c.tree, *table);
      for (const Layout layout : both_layouts) {
        const Arranged x(c, layout);
        Results r(b, c.states(), false);
        EXPECT_TRUE(forward_dynamics_derivatives(b, x.q, x.v, x.tau, r.first, r.by_q, r.by_v,
                                                 r.third, x.options(effects, loads))
                        .ok());
        EXPECT_TRUE(r.intact());
        Guarded a(c.tree.dofs.size(), c.states());
        EXPECT_TRUE(forward_dynamics(b, x.q, x.v, x.tau, a, x.options(effects, loads)).ok());
        EXPECT_TRUE(a.same_as(r.first));
        for (std::size_t k = 0; k < c.states(); ++k) {
          const auto external = loads ? c.wrenches(k) : std::vector<Wrench<Rep::body>>{};
          const auto expected = reference::forward_dynamics_derivatives(
              c.tree, c.q[k], c.v[k], c.tau[k], external, effects);
          const double error =
              std::max({relative_difference(r.first.state(k, layout), expected.a),
                        relative_difference(r.by_q.state(k, layout), expected.by_q.values),
                        relative_difference(r.by_v.state(k, layout), expected.by_v.values),
                        relative_difference(r.third.state(k, layout), expected.by_tau.values)});
          EXPECT_LT(error, 1e-9) << table->lanes;
          worst = std::max(worst, error);
        }
      }
    }
  });
  record("worst_relative_error", worst);
}

/// A mass on a slide across the axis that carries it: without inertia where it is on the axis, at -1 m.
Tree sliding_mass() {
  return TreeBuilder("slide")
      .body("turntable")
      .joint("turn", revolute({.axis = {0, 0, 1}}))
      .body("mass", Inertia<double>{2, {}, {}})
      .on("turntable")
      .joint("slide", prismatic({.axis = {1, 0, 0}}), zero_reference(SE3<double>{{}, {1, 0, 0}}))
      .build();
}

/// States on the axis among others: found, locked, and the others as if they were not there.
TEST(BatchSingular, StatesAreFoundAndTheOthersStay) {
  const Tree tree = sliding_mass();
  for (const batch::BatchKernels* table : batch_tables())
    for (const int threads : {1, 3})
      for (const Layout layout : both_layouts) {
        Random random(7);
        BatchCase c = states_of(random, tree, 100);
        for (Numbers1& q : c.q) q[1] = std::abs(q[1]);
        Batch b = batch_with(tree, *table, threads);
        const Arranged regular(c, layout);
        Results before(b, c.states(), false);
        EXPECT_TRUE(forward_dynamics_derivatives(b, regular.q, regular.v, regular.tau, before.first,
                                                 before.by_q, before.by_v, before.third,
                                                 regular.options())
                        .ok());
        for (const std::size_t k : {13U, 14U, 64U, 99U}) c.q[k][1] = -1;
        const Arranged x(c, layout);
        Results r(b, c.states(), false);
        Guarded a(2, c.states());
        EXPECT_EQ(forward_dynamics(b, x.q, x.v, x.tau, a, x.options()).singular_state, 13);
        EXPECT_EQ(forward_dynamics_derivatives(b, x.q, x.v, x.tau, r.first, r.by_q, r.by_v, r.third,
                                               x.options())
                      .singular_state,
                  13);
        EXPECT_TRUE(r.intact() && a.intact());
        EXPECT_TRUE(a.same_as(r.first));
        for (std::size_t k = 0; k < c.states(); ++k) {
          if (c.q[k][1] != -1) {
            EXPECT_EQ(r.first.state(k, layout), before.first.state(k, layout));
            EXPECT_EQ(r.by_q.state(k, layout), before.by_q.state(k, layout));
            EXPECT_EQ(r.by_v.state(k, layout), before.by_v.state(k, layout));
            EXPECT_EQ(r.third.state(k, layout), before.third.state(k, layout));
            continue;
          }
          EXPECT_EQ(a.state(k, layout)[0], 0);
          expect_near(a.state(k, layout)[1], c.tau[k][1] / 2, 1e-13);
          for (const Guarded* matrix : {&r.by_q, &r.by_v, &r.third})
            for (const double entry : matrix->state(k, layout)) EXPECT_TRUE(std::isnan(entry));
        }
      }
}

/// Regular, but so close to singular that pivots are looked at again one by one.
TEST(BatchSingular, StatesCloseToItAreRight) {
  const Tree tree = sliding_mass();
  for (const batch::BatchKernels* table : batch_tables()) {
    Random random(8);
    BatchCase c = states_of(random, tree, 20);
    for (std::size_t k = 0; k < 20; ++k) c.q[k][1] = k % 3 == 0 ? 1e-5 - 1 : 1;
    Batch b = batch_with(tree, *table);
    const Arranged x(c, Layout::by_state);
    Results r(b, c.states(), false);
    EXPECT_EQ(forward_dynamics_derivatives(b, x.q, x.v, x.tau, r.first, r.by_q, r.by_v, r.third,
                                           x.options())
                  .singular_state,
              -1);
    for (std::size_t k = 0; k < 20; ++k) {
      const double arm = 1 + c.q[k][1], inertia = 2 * arm * arm;
      expect_near(r.third.state(k, x.layout), Numbers1{1 / inertia, 0, 0, .5},
                  8 * epsilon<double> / arm / inertia);
    }
  }
}

/// Both functions find the same states, and the first of them.
void expect_all_singular(const BatchCase& c) {
  for (const batch::BatchKernels* table : batch_tables()) {
    Batch b = batch_with(c.tree, *table);
    const Arranged x(c, Layout::by_state);
    Results r(b, c.states(), false);
    Guarded a(c.tree.dofs.size(), c.states());
    EXPECT_EQ(forward_dynamics(b, x.q, x.v, x.tau, a, x.options()).singular_state, 0);
    EXPECT_EQ(forward_dynamics_derivatives(b, x.q, x.v, x.tau, r.first, r.by_q, r.by_v, r.third,
                                           x.options())
                  .singular_state,
              0);
    EXPECT_TRUE(a.same_as(r.first));
    for (std::size_t k = 0; k < c.states(); ++k)
      for (const Guarded* matrix : {&r.by_q, &r.by_v, &r.third})
        for (const double entry : matrix->state(k, x.layout)) ASSERT_TRUE(std::isnan(entry));
  }
}

TEST(BatchSingular, SlidesAwayFromZero) {
  for (const auto& [inertia, far] :
       {std::pair(1e-12, 100.), std::pair(1e-10, 100.), std::pair(1., 1e9)}) {
    Random random(9);
    BatchCase c = states_of(random, crane(inertia), 11);
    for (Numbers1& q : c.q) q = {.1, far, 0};
    expect_all_singular(c);
  }
}

/// Two joints on one axis with nothing between: what is left for the first is all rounding.
TEST(BatchSingular, TwoJointsOnOneAxis) {
  for_random_cases(30, [](Random& random) {
    const Joint joint =
        helical({.axis = random.unit(), .point = random.vec3(10), .pitch = random.uniform(.1, 1)});
    TreeBuilder builder;
    builder.body("between").joint("first", joint);
    builder.body("load", random_box(random, 1, 1)).on("between").joint("second", joint);
    builder.body("more", random_box(random, 1, 1))
        .on("load")
        .joint("third", revolute({.axis = random.unit(), .point = random.vec3(10)}));
    expect_all_singular(states_of(random, builder.build(), 9));
  });
}

}  // namespace
}  // namespace axode::test::batch_derivatives_test
