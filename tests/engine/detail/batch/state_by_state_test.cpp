// Single states of a job by the functions of dynamics/: read and written where the layout has them.
#include "axode/engine/detail/batch/state_by_state.hpp"

#include <gtest/gtest.h>

#include "tests/engine/batch_cases.hpp"
#include "tests/support/allocations.hpp"

namespace axode::test::state_by_state_test {
namespace {

TEST(StateByState, IsThatOfTheTemplatesAndLeavesTheOthersAlone) {
  Random random(6);
  BatchCase c = states_of(random, random_tree(random, 6), 5);
  add_random_losses(random, c.tree);
  const auto nv = c.tree.dofs.size();
  const Effects effects{.gravity = false};
  for (const Layout layout : both_layouts) {
    const Arranged x(c, layout);
    Guarded tau(nv, 5), by_q(nv * nv, 5), by_v = by_q, by_tau = by_q, a = tau;
    Guarded by_a(PathMatrix<double>(c.tree).values.size(), 5);
    batch::Job j;
    j.tree = &c.tree;
    j.nq = c.tree.nq, j.nv = c.tree.nv, j.states = 5;
    j.by_number = layout == Layout::by_number;
    j.effects = effects;
    j.q = x.q.data(), j.v = x.v.data(), j.a = x.a.data(), j.external = x.external.data();
    j.result = std::span<double>(tau).data();
    j.by_q = std::span<double>(by_q).data(), j.by_v = std::span<double>(by_v).data();
    j.matrix = std::span<double>(by_a).data();
    batch::StateByState work(c.tree);
    work.derivatives.emplace(c.tree);
    work.derivatives_work.emplace(c.tree);
    EXPECT_EQ(count_allocations([&] { batch::inverse_derivatives_of(j, 3, work); }), 0);
    const auto expected = reference::inverse_dynamics_derivatives(c.tree, c.q[3], c.v[3], c.a[3],
                                                                  c.wrenches(3), effects);
    EXPECT_EQ(tau.state(3, layout), expected.tau);
    EXPECT_EQ(by_q.state(3, layout), expected.by_q.values);
    EXPECT_EQ(by_v.state(3, layout), expected.by_v.values);
    EXPECT_EQ(by_a.state(3, layout), expected.by_a.values);
    for (const std::size_t k : {0U, 1U, 2U, 4U})
      for (const double entry : by_q.state(k, layout)) EXPECT_TRUE(std::isnan(entry));
    EXPECT_TRUE(tau.intact() && by_q.intact() && by_v.intact() && by_a.intact());

    j.result = std::span<double>(a).data();
    j.matrix = std::span<double>(by_tau).data();
    bool singular = true;
    EXPECT_EQ(count_allocations([&] { singular = batch::forward_derivatives_of(j, 1, work); }), 0);
    EXPECT_FALSE(singular);
    const auto forward = reference::forward_dynamics_derivatives(c.tree, c.q[1], c.v[1], c.a[1],
                                                                 c.wrenches(1), effects);
    EXPECT_EQ(by_q.state(1, layout), forward.by_q.values);
    EXPECT_EQ(by_v.state(1, layout), forward.by_v.values);
    EXPECT_EQ(by_tau.state(1, layout), forward.by_tau.values);
    for (const double entry : a.state(1, layout)) EXPECT_TRUE(std::isnan(entry));  // not its task

    Numbers1 own(nv), expected_a(nv);
    EXPECT_EQ(
        count_allocations([&] { singular = batch::accelerations_of(j, 2, work, own.data()); }), 0);
    EXPECT_FALSE(singular);
    ForwardDynamics<Rep::body> forward_work(c.tree);
    EXPECT_TRUE(
        (forward_dynamics<Rep::body, double>(c.tree, poses(c.tree, c.q[2]), c.v[2], c.a[2],
                                             forward_work, expected_a, c.wrenches(2), effects)
             .ok()));
    EXPECT_EQ(own, expected_a);
  }
}

}  // namespace
}  // namespace axode::test::state_by_state_test
