// What results of batches may not depend on: the number of threads, other states, earlier calls; and
// that nothing is allocated after the first call.
#include <gtest/gtest.h>

#include "tests/engine/batch_cases.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/near.hpp"

namespace axode::test::batch_threads_test {
namespace {

/// All results there are.
struct Everything {
  explicit Everything(Batch& b, std::size_t states)
      : T(12 * b.tree->links.size(), states),
        T2(T),
        screws(6 * b.tree->dofs.size(), states),
        tau(b.tree->dofs.size(), states),
        a(tau),
        tau2(tau),
        a2(tau),
        M(mass_matrix_size(b), states),
        by_a(M),
        tau_by_q(b.tree->dofs.size() * b.tree->dofs.size(), states),
        tau_by_v(tau_by_q),
        a_by_q(tau_by_q),
        a_by_v(tau_by_q),
        a_by_tau(tau_by_q) {}
  void evaluate(Batch& b, const Arranged& x, const Effects& effects = {}) {
    const BatchOptions o = x.options(effects, true);
    poses(b, x.q, T, o);
    poses_and_screws(b, x.q, T2, screws, o);
    inverse_dynamics(b, x.q, x.v, x.a, tau, o);
    static_cast<void>(forward_dynamics(b, x.q, x.v, x.tau, a, o));  // some states are singular
    mass_matrix(b, x.q, M, o);
    inverse_dynamics_derivatives(b, x.q, x.v, x.a, tau2, tau_by_q, tau_by_v, by_a, o);
    static_cast<void>(
        forward_dynamics_derivatives(b, x.q, x.v, x.tau, a2, a_by_q, a_by_v, a_by_tau, o));
  }
  std::vector<const Guarded*> all() const {
    return {&T, &T2,   &screws,   &tau,      &a,      &tau2,   &a2,
            &M, &by_a, &tau_by_q, &tau_by_v, &a_by_q, &a_by_v, &a_by_tau};
  }
  Guarded T, T2, screws, tau, a, tau2, a2, M, by_a, tau_by_q, tau_by_v, a_by_q, a_by_v, a_by_tau;
};
void expect_same(const Everything& x, const Everything& y) {
  for (std::size_t k = 0; k < x.all().size(); ++k) {
    EXPECT_TRUE(x.all()[k]->same_as(*y.all()[k])) << k;
    EXPECT_TRUE(x.all()[k]->intact()) << k;
  }
}
Tree some_tree(Random& random, bool plain, bool first_kind = true) {
  Tree tree = plain ? random_plain_tree(random, 4, {.balls = false})
                    : random_tree(random, 5, {.first_kind = first_kind});
  add_random_losses(random, tree);
  return tree;
}

TEST(BatchThreads, DoNotChangeABit) {
  for (const bool plain : {true, false}) {  // others are done one by one in part, slowly
    Random random(1);
    const BatchCase c = states_of(random, some_tree(random, plain), plain ? 1000 : 100);
    for (const batch::BatchKernels* table : batch_tables())
      for (const Layout layout : both_layouts) {
        const Arranged x(c, layout);
        Batch one = batch_with(c.tree, *table);
        Everything expected(one, c.states());
        expected.evaluate(one, x);
        for (const int threads : {2, 3}) {
          Batch b = batch_with(c.tree, *table, threads);
          EXPECT_EQ(b.threads(), threads);
          Everything found(b, c.states());
          found.evaluate(b, x);
          expect_same(found, expected);
        }
      }
  }
}

/// Also where some have angles that take another way to be reduced, or numbers that are none. (Series of
/// joints in coordinates of the first kind have as many terms as the state that needs most.)
TEST(BatchStates, DoNotDependOnTheOthers) {
  for_random_cases(6, [&](Random& random) {
    BatchCase c = states_of(random, some_tree(random, random.integer(0, 2) != 0, false), 21);
    for (std::size_t k = 0; k < c.tree.links.size(); ++k)
      if (const Link& link = c.tree.links[k]; link.map == JointMap::screw) {
        c.q[3][link.q] = 1e7;
        c.q[11][link.q] = NAN;
      }
    for (const batch::BatchKernels* table : batch_tables())
      for (const Layout layout : both_layouts) {
        Batch b = batch_with(c.tree, *table);
        Everything all(b, c.states());
        all.evaluate(b, Arranged(c, layout));
        for (std::size_t k = 0; k < c.states(); ++k) {
          if (k == 11) continue;
          BatchCase own{c.tree, {c.q[k]}, {c.v[k]}, {c.a[k]}, {c.tau[k]}, {c.external[k]}};
          Everything alone(b, 1);
          alone.evaluate(b, Arranged(own, layout));
          for (std::size_t m = 0; m < all.all().size(); ++m)
            EXPECT_EQ(all.all()[m]->state(k, layout), alone.all()[m]->state(0, layout)) << k << m;
        }
      }
  });
}

TEST(BatchMemory, IsAllocatedOnFirstUseOnly) {
  for (const bool plain : {true, false}) {
    Random random(3);
    const BatchCase c = states_of(random, some_tree(random, plain), 50);
    for (const int threads : {1, 2}) {
      Batch b(c.tree, threads);
      Everything r(b, c.states());
      const Arranged x(c, Layout::by_state);
      r.evaluate(b, x);
      EXPECT_EQ(count_allocations([&] { r.evaluate(b, x); }), 0);
    }
  }
}

/// Memory that earlier calls of other kinds have used does no harm.
TEST(BatchMemory, OfOtherFunctionsIsNotSeen) {
  Random random(5);
  const BatchCase c = states_of(random, some_tree(random, true), 9);
  const Arranged x(c, Layout::by_state);
  Batch b(c.tree);
  Everything first(b, c.states()), later = first;
  first.evaluate(b, x);
  for (int k = 0; k < 2; ++k) {
    later.evaluate(b, x);
    expect_same(first, later);
  }
  Batch moved = std::move(b);
  later.evaluate(moved, x);
  expect_same(first, later);
}

}  // namespace
}  // namespace axode::test::batch_threads_test
