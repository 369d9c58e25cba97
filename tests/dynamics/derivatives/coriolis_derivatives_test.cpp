#include "axode/dynamics/derivatives/coriolis_derivatives.hpp"

#include <gtest/gtest.h>

#include "axode/dynamics/derivatives/inverse_derivatives.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/dual_state.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/near.hpp"

namespace axode::test::coriolis_derivatives_test {
namespace {

using D = Dual<double>;
constexpr CoriolisChoice choices[] = {CoriolisChoice::skew, CoriolisChoice::uncorrected,
                                      CoriolisChoice::christoffel};

TEST(CoriolisDerivatives, DualNumbersThroughTheMatrix) {
  double worst = 0;
  for_random_cases(25, [&](Random& random) {
    const MovingTree r =
        random_moving_tree(random, random.integer(1, random.integer(0, 9) == 0 ? 30 : 10));
    for (const CoriolisChoice choice : choices) {
      const DenseTensor<double> t = coriolis_derivatives(r.tree, r.q, r.v, choice);
      std::vector<double> ours, theirs;
      Coriolis<D> C(r.tree);
      DualState s(r.tree);
      for (int m = 0; m < r.tree.nv; ++m) {
        s.set(r, By::q, m);
        coriolis_matrix<D>(r.tree, s.poses, s.v, C, choice);
        const DenseMatrix<D> entries = dense(C);
        for (int j = 0; j < r.tree.nv; ++j)
          for (int k = 0; k < r.tree.nv; ++k) {
            ours.push_back(t(j, k, m));
            theirs.push_back(entries(j, k).dual);
          }
      }
      worst = std::max(worst, relative_difference(ours, theirs));
    }
    EXPECT_LT(worst, 1e-12);
  });
  record("worst_relative_error", worst);
}

/// C v are the joint forces at a = 0 without gravity, whose derivatives are found in another way.
TEST(CoriolisDerivatives, TheirProductWithVelocitiesIsThatOfJointForces) {
  double worst = 0;
  for_random_cases(25, [&](Random& random) {
    const MovingTree r = random_moving_tree(random, 10);
    const std::vector<double> zero(r.v.size(), 0.);
    const auto d = reference::inverse_dynamics_derivatives(r.tree, r.q, r.v, zero, {}, no_effects);
    for (const CoriolisChoice choice : choices) {
      const DenseTensor<double> t = coriolis_derivatives(r.tree, r.q, r.v, choice);
      std::vector<double> product(d.by_q.values.size());
      for (std::size_t e = 0; e < t.values.size(); ++e) {  // e = (j n + k) n + m
        const std::size_t n = r.v.size(), m = e % n, k = e / n % n, j = e / n / n;
        product[j * n + m] += t.values[e] * r.v[k];
      }
      worst = std::max(worst, relative_difference(product, d.by_q.values));
    }
    EXPECT_LT(worst, 1e-12);
  });
  record("worst_relative_error", worst);
}

/// One direction is that of the tensor, bit for bit, also when memory was used before.
TEST(CoriolisDerivatives, OneDirectionAndAll) {
  for_random_cases(10, [&](Random& random) {
    const MovingTree r = random_moving_tree(random, 10), before = other_state(random, r);
    CoriolisDerivatives<double> at(r.tree);
    DenseTensor<double> all(r.tree.nv);
    for (const MovingTree* x : {&before, &r}) {
      prepare_coriolis_derivatives<double>(r.tree, poses(r.tree, x->q), x->v, at);
      coriolis_derivatives(r.tree, at, all);
    }
    DenseMatrix<double> one = dense(at.coriolis);
    for (int m = 0; m < r.tree.nv; ++m) {
      coriolis_derivative(r.tree, at, m, one);
      for (int j = 0; j < r.tree.nv; ++j)
        for (int k = 0; k < r.tree.nv; ++k) EXPECT_EQ(all(j, k, m), one(j, k));
    }
  });
}

TEST(CoriolisDerivatives, BadInput) {
  Random random(1);
  const Tree tree = random_tree(random, 3, {.one_screw_joints = true});
  const std::vector<double> good(3, 0.), bad(2, 0.);
  expect_says(message([&] { coriolis_derivatives(tree, bad, good); }), "q");
  expect_says(message([&] { coriolis_derivatives(tree, good, bad); }), "v");
}

TEST(CoriolisDerivatives, AllocatesNothingOnceMade) {
  Random random(5);
  const MovingTree r = random_moving_tree(random, 20);
  const Poses<double> p = poses(r.tree, r.q);
  CoriolisDerivatives<double> at(r.tree);
  DenseMatrix<double> one = dense(at.coriolis);
  DenseTensor<double> all(r.tree.nv);
  EXPECT_EQ(count_allocations([&] {
              prepare_coriolis_derivatives<double>(r.tree, p, r.v, at);
              coriolis_derivative(r.tree, at, 0, one);
              coriolis_derivatives(r.tree, at, all);
            }),
            0);
}

}  // namespace
}  // namespace axode::test::coriolis_derivatives_test
