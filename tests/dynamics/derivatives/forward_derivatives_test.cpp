#include "axode/dynamics/derivatives/forward_derivatives.hpp"

#include <gtest/gtest.h>

#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/dual_state.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::forward_derivatives_test {
namespace {

using D = Dual<double>;
using Derivatives = ForwardDynamicsDerivatives<double>;

// In these tests the numbers a of a MovingTree stand for the joint forces.

/// All columns by dual numbers through the articulated-body algorithm, row by row.
std::vector<double> by_dual(const MovingTree& r, By by,
                            const std::vector<Wrench<Rep::body, D>>& external) {
  const std::size_t n = r.v.size();
  std::vector<double> result(n * n);
  ForwardDynamics<Rep::body, D> work(r.tree);
  std::vector<D> a(n);
  DualState s(r.tree);
  for (std::size_t k = 0; k < n; ++k) {
    s.set(r, by, static_cast<int>(k));
    EXPECT_TRUE(
        (forward_dynamics<Rep::body, D>(r.tree, s.poses, s.v, s.a, work, a, external).ok()));
    for (std::size_t j = 0; j < n; ++j) result[j * n + k] = a[j].dual;
  }
  return result;
}

/// Relative to the largest of all derivatives: both solve with a mass matrix of the same condition.
TEST(ForwardDynamicsDerivatives, DualNumbersThroughTheArticulatedBodies) {
  double worst = 0;
  for_random_cases(40, [&](Random& random) {
    MovingTree r =
        random_moving_tree(random, random.integer(1, random.integer(0, 4) == 0 ? 40 : 12));
    add_random_losses(random, r.tree);
    const auto wrenches = random_wrenches(random, r.tree);
    const Derivatives d = reference::forward_dynamics_derivatives(r.tree, r.q, r.v, r.a, wrenches);
    const auto external = constant(wrenches);
    const double error =
        std::max({relative_difference(d.by_q.values, by_dual(r, By::q, external)),
                  relative_difference(d.by_v.values, by_dual(r, By::v, external)),
                  relative_difference(d.by_tau.values, by_dual(r, By::a, external))});
    EXPECT_LT(error, 1e-11);
    worst = std::max(worst, error);
  });
  record("worst_relative_error", worst);
}

TEST(ForwardDynamicsDerivatives, FiniteDifferences) {
  const auto accelerations = [](const MovingTree& r) {
    return reference::forward_dynamics(r.tree, r.q, r.v, r.a);
  };
  double worst = 0;
  for_random_cases(10, [&](Random& random) {
    MovingTree r = random_moving_tree(random, random.integer(1, 6));
    add_random_losses(random, r.tree);
    const Derivatives d = reference::forward_dynamics_derivatives(r.tree, r.q, r.v, r.a);
    for (int k = 0; k < r.tree.nv; ++k)
      for (const By by : {By::q, By::v, By::a}) {
        const DenseMatrix<double>& ours = by == By::q ? d.by_q : by == By::v ? d.by_v : d.by_tau;
        const std::vector<double> theirs = five_point_derivative(r, by, k, accelerations);
        for (int j = 0; j < r.tree.nv; ++j)
          worst = std::max(worst, largest_difference(ours(j, k), theirs[j]) /
                                      std::max(1., largest(ours.values)));
      }
    EXPECT_LT(worst, 1e-8);
  });
  record("worst_relative_error", worst);
}

TEST(ForwardDynamicsDerivatives, ReferenceAccelerationsAndInverse) {
  double worst = 0;
  for (const char* file :
       {"remote_centre", "chain7", "tree9", "multidof_first", "multidof_second"}) {
    const nlohmann::json data = read_json(std::string(file) + ".json");
    const Tree tree = tree_from_reference(data.at("model"));
    for (const auto& state : data.at("states")) {
      const auto& in = state.at("input");
      const auto& out = state.at("output").at("forward_dynamics");
      const Derivatives d = reference::forward_dynamics_derivatives(
          tree, flat(in.at("q")), flat(in.at("qd")), flat(out.at("Q_in")));
      const double error = std::max(relative_difference(d.a, flat(out.at("qdd_no_wrench"))),
                                    relative_difference(d.by_tau.values, flat(out.at("Minv"))));
      EXPECT_LT(error, 1e-11) << file;
      worst = std::max(worst, error);
    }
  }
  record("worst_relative_error", worst);
}

/// In dual numbers second derivatives come out, which are the same in either order.
TEST(ForwardDynamicsDerivatives, DualNumbersGiveSecondDerivatives) {
  double worst = 0;
  for_random_cases(10, [&](Random& random) {
    const MovingTree r = random_moving_tree(random, 5);
    if (r.tree.nv == 0) return;
    const int k = random.integer(0, r.tree.nv - 1), m = random.integer(0, r.tree.nv - 1);
    ForwardDynamicsDerivatives<D> along_q(r.tree), along_v(r.tree);
    ForwardDerivativesWork<D> work(r.tree);
    const DualState q(r, By::q, m), v(r, By::v, k);
    EXPECT_TRUE(forward_dynamics_derivatives<D>(r.tree, q.poses, q.v, q.a, work, along_q).ok());
    EXPECT_TRUE(forward_dynamics_derivatives<D>(r.tree, v.poses, v.v, v.a, work, along_v).ok());
    std::vector<double> one, other;
    for (int j = 0; j < r.tree.nv; ++j) {
      one.push_back(along_q.by_v(j, k).dual);
      other.push_back(along_v.by_q(j, m).dual);
    }
    worst = std::max(worst, relative_difference(one, other));
    EXPECT_LT(worst, 1e-11);
  });
  record("worst_relative_error", worst);
}

/// A freely falling body: gravity acts on all alike, so that nothing but tau and v matter.
TEST(ForwardDynamicsDerivatives, FreeBodyByHand) {
  const Inertia<double> I{2, {}, Sym3<double>::diagonal({1, 2, 3})};
  const Tree tree = TreeBuilder{}.body("b", I).joint("j", free_joint()).build();
  const std::vector<double> q = neutral(tree), v{.1, .2, .3, 0, 0, 0}, tau(6, 0.);
  const Derivatives d =
      reference::forward_dynamics_derivatives(tree, q, v, tau, {}, {.gravity = false});
  // I w' = -w x I w: w_x' = (2 - 3) w_y w_z / 1, ...
  expect_near(d.a, std::vector<double>{-.06, .03, -.02 / 3, 0, 0, 0}, 1e-16);
  EXPECT_NEAR(d.by_v(0, 1), -.3, 1e-15);
  EXPECT_NEAR(d.by_v(0, 2), -.2, 1e-15);
  EXPECT_NEAR(d.by_v(1, 0), .3, 1e-15);
  EXPECT_NEAR(d.by_v(2, 0), -.2 / 3, 1e-15);
  EXPECT_NEAR(d.by_tau(3, 3), .5, 1e-15);
  for (const double x : d.by_q.values) EXPECT_EQ(x, 0);
}

TEST(ForwardDynamicsDerivatives, SingularMassMatrixIsToldByName) {
  const Inertia<double> I{1, {.1, 0, 0}, Sym3<double>::diagonal({1, 1, 1})};
  Tree tree = TreeBuilder{}
                  .body("arm", I)
                  .joint("shoulder", revolute({}))
                  .body("feather", {})
                  .on("arm")
                  .joint("quill", revolute({.point = {1, 0, 0}}))
                  .build();
  const std::vector<double> zero(2, 0.);
  Derivatives d(tree);
  ForwardDerivativesWork<double> work(tree);
  EXPECT_EQ(forward_dynamics_derivatives<double>(tree, poses(tree, zero), zero, zero, work, d)
                .singular_velocity,
            1);
  const std::string said =
      message([&] { reference::forward_dynamics_derivatives(tree, zero, zero, zero); });
  expect_says(said, "feather");
  expect_says(said, "quill");
  tree.dofs[1].armature = .1;
  EXPECT_NO_THROW(reference::forward_dynamics_derivatives(tree, zero, zero, zero));
}

TEST(ForwardDynamicsDerivatives, BadInput) {
  const Inertia<double> I{1, {.1, 0, 0}, Sym3<double>::diagonal({1, 1, 1})};
  const TreeBuilder builder = TreeBuilder{}
                                  .body("a", I)
                                  .joint("ja", revolute({}))
                                  .body("b", I)
                                  .on("a")
                                  .joint("jb", revolute({}));
  const Tree tree = builder.build(), coupled = TreeBuilder(builder).mimic("ja", 2).build();
  const std::vector<double> good(2, 0.), bad(3, 0.);
  const std::vector<Wrench<Rep::body>> one(1);
  expect_says(message([&] { reference::forward_dynamics_derivatives(tree, bad, good, good); }),
              "q");
  expect_says(message([&] { reference::forward_dynamics_derivatives(tree, good, bad, good); }),
              "v");
  expect_says(message([&] { reference::forward_dynamics_derivatives(tree, good, good, bad); }),
              "tau");
  expect_says(
      message([&] { reference::forward_dynamics_derivatives(tree, good, good, good, one); }),
      "2 bodies");
  expect_says(message([&] {
                reference::forward_dynamics_derivatives(coupled, std::vector{1., 1.}, good, good);
              }),
              "'jb' does not follow");
}

TEST(ForwardDynamicsDerivatives, AllocatesNothingOnceMade) {
  Random random(5);
  const MovingTree r = random_moving_tree(random, 30);
  const auto wrenches = random_wrenches(random, r.tree);
  const Poses<double> p = poses(r.tree, r.q);
  Derivatives d(r.tree);
  ForwardDerivativesWork<double> work(r.tree);
  EXPECT_EQ(count_allocations([&] {
              static_cast<void>(
                  forward_dynamics_derivatives<double>(r.tree, p, r.v, r.a, work, d, wrenches));
            }),
            0);
}

}  // namespace
}  // namespace axode::test::forward_derivatives_test
