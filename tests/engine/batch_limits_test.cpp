// Misuse of batches, trees without joints or with very many, and numbers of threads.
#include <gtest/gtest.h>

#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "tests/engine/batch_cases.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/near.hpp"

namespace axode::test::batch_limits_test {
namespace {

Tree two_joints() {
  Random random(1);
  return random_plain_tree(random, 2, {.balls = false, .fixed = false});
}

TEST(BatchLengths, ThatDoNotFitAreRefused) {
  const Tree tree = two_joints();
  Batch b(tree);
  Numbers1 two(4), three(6), odd(5), square(8), path(6), poses12(48);
  const auto says = [&](const std::string& words, const std::function<void()>& f) {
    expect_says(message(f), words);
  };
  says("inverse_dynamics of a batch: q has 5 numbers; give 2 for each state",
       [&] { inverse_dynamics(b, odd, two, two, two); });
  says("v has 6 numbers; give 2 for each state: there are 2",
       [&] { inverse_dynamics(b, two, three, two, two); });
  says("a has 6", [&] { inverse_dynamics(b, two, two, three, two); });
  says("tau has 6", [&] { inverse_dynamics(b, two, two, two, three); });
  says("external has 4 numbers; give 12 for each state",
       [&] { inverse_dynamics(b, two, two, two, two, {.external = two}); });
  says("forward_dynamics of a batch: v has",
       [&] { static_cast<void>(forward_dynamics(b, two, odd, two, two)); });
  says("tau has", [&] { static_cast<void>(forward_dynamics(b, two, two, odd, two)); });
  says("a has", [&] { static_cast<void>(forward_dynamics(b, two, two, two, odd)); });
  says("poses of a batch: T_WB has", [&] { poses(b, two, odd); });
  says("poses_and_screws of a batch: screws has", [&] { poses_and_screws(b, two, poses12, odd); });
  says("mass_matrix of a batch: M has", [&] { mass_matrix(b, two, odd); });
  says("inverse_dynamics_derivatives of a batch: by_a has",
       [&] { inverse_dynamics_derivatives(b, two, two, two, two, square, square, odd); });
  says("by_v has", [&] { inverse_dynamics_derivatives(b, two, two, two, two, square, odd, path); });
  says("by_q has", [&] { inverse_dynamics_derivatives(b, two, two, two, two, odd, square, path); });
  says("forward_dynamics_derivatives of a batch: by_tau has", [&] {
    static_cast<void>(forward_dynamics_derivatives(b, two, two, two, two, square, square, odd));
  });
}

TEST(BatchLengths, OfNoStatesAreRight) {
  const Tree tree = two_joints();
  Batch b(tree, 2);
  EXPECT_NO_THROW(inverse_dynamics(b, {}, {}, {}, {}));
  EXPECT_EQ(forward_dynamics(b, {}, {}, {}, {}).singular_state, -1);
  EXPECT_NO_THROW(poses(b, {}, {}));
  EXPECT_NO_THROW(mass_matrix(b, {}, {}));
  EXPECT_EQ(forward_dynamics_derivatives(b, {}, {}, {}, {}, {}, {}, {}).singular_state, -1);
}

TEST(BatchThreadNumbers, AreChecked) {
  const Tree tree = two_joints();
  expect_says(message([&] { Batch(tree, -1); }), "there cannot be -1 threads");
  expect_says(message([&] { Batch(tree, 100'000); }), "ask for 1 or more");
  EXPECT_EQ(Batch(tree).threads(), 1);
  EXPECT_GE(Batch(tree, 0).threads(), 1);
}

TEST(BatchTrees, WithoutJointsHavePosesOnly) {
  const Tree tree = TreeBuilder()
                        .body("table", Inertia<double>{1, {}, {}})
                        .joint("legs", fixed(), zero_reference(SE3<double>{{}, {1, 2, 3}}))
                        .build();
  for (const batch::BatchKernels* table : batch_tables()) {
    Batch b = batch_with(tree, *table);
    Guarded T(12, 3);
    poses(b, {}, T);
    EXPECT_TRUE(T.intact());
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_EQ(T.state(k, Layout::by_state), (Numbers1{1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 3}));
    EXPECT_NO_THROW(inverse_dynamics(b, {}, {}, {}, {}));
    EXPECT_EQ(forward_dynamics(b, {}, {}, {}, {}).singular_state, -1);
    EXPECT_NO_THROW(mass_matrix(b, {}, {}));
    EXPECT_NO_THROW(inverse_dynamics_derivatives(b, {}, {}, {}, {}, {}, {}, {}));
  }
}

/// No recursion, and no memory that grows faster than the tree.
TEST(BatchTrees, MayHaveTenThousandBodies) {
  Random random(2);
  const Tree tree = random_plain_tree(random, 10'000, {.balls = false, .chain = true});
  const BatchCase c = states_of(random, tree, 3);
  const Arranged x(c, Layout::by_state);
  for (const batch::BatchKernels* table : batch_tables()) {
    Batch b = batch_with(tree, *table);
    Guarded tau(tree.dofs.size(), 3), T(12 * tree.links.size(), 3);
    inverse_dynamics(b, x.q, x.v, x.a, tau);
    poses(b, x.q, T);
    EXPECT_TRUE(tau.intact() && T.intact());
    InverseDynamics<Rep::body> work(tree);
    Numbers1 expected(tree.dofs.size());
    inverse_dynamics<Rep::body, double>(tree, poses(tree, c.q[2]), c.v[2], c.a[2], work, expected);
    EXPECT_LT(relative_difference(tau.state(2, x.layout), expected), 64 * path_rounding(b));
  }
}

}  // namespace
}  // namespace axode::test::batch_limits_test
