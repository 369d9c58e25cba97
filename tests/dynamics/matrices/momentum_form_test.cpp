#include "axode/dynamics/matrices/momentum_form.hpp"

#include <gtest/gtest.h>

#include "axode/dynamics/energy.hpp"
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/engine/calls.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/moving_tree.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::momentum_form_test {
namespace {

using D = Dual<double>;

/// d/dt of p = M v along the motion, by dual numbers.
std::vector<double> momentum_rates_by_dual_numbers(const MovingTree& r, const Effects& effects) {
  Poses<D> p(r.tree);
  poses<D>(r.tree, dual_coordinates(r.tree, r.q, r.v), p);
  Composite<D> composite(r.tree);
  composite_inertias<D>(r.tree, p, composite);
  PathMatrix<D> M(r.tree);
  mass_matrix(r.tree, composite, M, effects);
  std::vector<D> momenta(r.v.size());
  multiply<D>(M, dual(r.v, r.a), momenta);
  return dual_parts(momenta);
}

TEST(MomentumForm, MomentaAreMassMatrixTimesVelocity) {
  for_random_cases(30, [](Random& random) {
    MovingTree r = random_moving_tree(random, random.integer(1, 20));
    for (Dof& dof : r.tree.dofs) dof.armature = random.uniform(0, 1);
    Composite<double> composite(r.tree);
    composite_momenta<double>(r.tree, poses(r.tree, r.q), r.v, composite);
    for (const Effects& effects : {Effects{}, no_effects}) {
      std::vector<double> p(r.v.size());
      generalized_momenta<double>(r.tree, composite, r.v, p, effects);
      EXPECT_LT(relative_difference(p, times(reference::mass_matrix(r.tree, r.q, effects), r.v)),
                1e-13);
    }
  });
}

/// p = J^T Pi with the spatial momenta of the bodies (79).
TEST(MomentumForm, ReferenceVectors) {
  double worst = 0;
  for (const char* file :
       {"remote_centre", "chain7", "tree9", "multidof_first", "multidof_second"}) {
    const nlohmann::json data = read_json(std::string(file) + ".json");
    const Tree tree = tree_from_reference(data.at("model"));
    const std::size_t n = tree.nv;
    for (const auto& state : data.at("states")) {
      const auto& output = state.at("output");
      std::vector<double> p(n);
      for (std::size_t i = 0; i < tree.links.size(); ++i) {
        const std::vector<double> J = flat(output.at("jacobian").at("spatial")[i]);
        const Vec6<double> P = vec6(output.at("momentum_spatial")[i]);
        for (std::size_t k = 0; k < n; ++k)
          for (int row = 0; row < 6; ++row) p[k] += J[std::size_t(row) * n + k] * P[row];
      }
      const HamiltonRates rates =
          momentum_form(tree, flat(state.at("input").at("q")), p, std::vector<double>(n));
      const double error = relative_difference(rates.v, flat(state.at("input").at("qd")), 0);
      EXPECT_LT(error, 1e-12) << file;
      worst = std::max(worst, error);
    }
  }
  record("worst_relative_error_of_velocities", worst);
}

/// Along the motion that inverse dynamics says the forces belong to, for all joints.
TEST(MomentumForm, RatesAreThoseOfTheTrueMotion) {
  double worst = 0;
  for_random_cases(50, [&](Random& random) {
    MovingTree r = random_moving_tree(random, random.integer(1, 20), {.zero_mass = true});
    for (Dof& dof : r.tree.dofs) {
      dof.armature = random.uniform(0, 1);
      dof.damping = random.uniform(0, 1);
      dof.friction = random.uniform(0, 1);
    }
    std::vector<Wrench<Rep::body>> external(r.tree.links.size());
    for (auto& W : external) W = {random.vec3(), random.vec3()};
    const Poses<double> p = poses(r.tree, r.q);
    InverseDynamics<Rep::body> inverse(r.tree);
    MomentumForm<double> work(r.tree);
    std::vector<double> tau(r.v.size()), rates(r.v.size(), NAN);
    for (const Effects& effects : {Effects{}, no_effects}) {
      inverse_dynamics<Rep::body, double>(r.tree, p, r.v, r.a, inverse, tau, external, effects);
      momentum_rates<double>(r.tree, p, r.v, tau, work, rates, external, effects);
      const double error =
          relative_difference(rates, momentum_rates_by_dual_numbers(r, effects), 1 + largest(tau));
      EXPECT_LT(error, 1e-12);
      worst = std::max(worst, error);
    }
  });
  record("worst_relative_error_of_rates", worst);
}

/// Hamilton's equations: p'_k = tau_k - dH/dq_k at constant p, v_k = dH/dp_k.
TEST(MomentumForm, AreHamiltonsEquations) {
  double worst = 0;
  for_random_cases(15, [&](Random& random) {
    const MovingTree r = random_moving_tree(random, random.integer(1, 6), {.quaternions = false});
    const std::vector<double> momenta = random_velocities(random, r.tree),
                              tau = random_velocities(random, r.tree), zero(r.v.size());
    const HamiltonRates rates = momentum_form(r.tree, r.q, momenta, tau);
    MomentumForm<D> work(r.tree);
    Poses<D> p(r.tree);
    std::vector<double> expected = tau, velocities(tau.size());
    for (std::size_t k = 0; k < tau.size(); ++k) {
      std::vector<double> e(tau.size());
      e[k] = 1;
      std::vector<D> v(tau.size());
      const auto H = [&](const std::vector<D>& q, const std::vector<D>& momenta_of) {
        poses<D>(r.tree, q, p);
        EXPECT_TRUE(velocities_from_momenta<D>(r.tree, p, momenta_of, work, v).ok());
        return hamiltonian<D>(r.tree, p, momenta_of, v);
      };
      expected[k] -= H(dual_coordinates(r.tree, r.q, e), dual(momenta, zero)).dual;
      velocities[k] = H(dual_coordinates(r.tree, r.q, zero), dual(momenta, e)).dual;
    }
    const double size = 1 + largest(velocities);
    const double error = std::max(relative_difference(rates.momentum_rates, expected, size * size),
                                  relative_difference(rates.v, velocities));
    EXPECT_LT(error, 1e-12);
    worst = std::max(worst, error);
  });
  record("worst_relative_error_of_hamiltons_equations", worst);
}

TEST(MomentumForm, HamiltonianIsTheEnergy) {
  for_random_cases(20, [](Random& random) {
    MovingTree r = random_moving_tree(random, random.integer(1, 15));
    for (Dof& dof : r.tree.dofs) dof.armature = random.uniform(0, 1);
    const Poses<double> at = poses(r.tree, r.q);
    Composite<double> composite(r.tree);
    composite_momenta<double>(r.tree, at, r.v, composite);
    std::vector<double> p(r.v.size());
    generalized_momenta<double>(r.tree, composite, r.v, p);
    const Energy e = energy(r.tree, r.q, r.v);
    const double sum = e.kinetic + e.armature + e.potential;
    const double size = 1 + e.kinetic + e.armature + std::abs(e.potential);
    EXPECT_NEAR(hamiltonian<double>(r.tree, at, p, r.v), sum, 1e-12 * size);
    generalized_momenta<double>(r.tree, composite, r.v, p, no_effects);
    EXPECT_NEAR(hamiltonian<double>(r.tree, at, p, r.v, no_effects), e.kinetic, 1e-12 * size);
  });
}

/// A free body without forces, velocity in the world's frame: its six momenta are constant numbers.
TEST(MomentumForm, FreeBodyKeepsItsMomenta) {
  const Tree tree =
      TreeBuilder{}
          .gravity({0, 0, 0})
          .body("stone", {.mass = 2, .com = {.1, .2, .3}, .about_com = {.1, .2, .25, .01, 0, .02}})
          .joint("free", free_joint({.velocity = Rep::spatial}))
          .build();
  Random random(5);
  const std::vector<double> q = random_coordinates(random, tree),
                            p = random_velocities(random, tree);
  const HamiltonRates rates = momentum_form(tree, q, p, std::vector<double>(6));
  EXPECT_LT(largest(rates.momentum_rates), 1e-14 * (1 + largest(rates.v)));
}

TEST(MomentumForm, SaysWhereTheMassMatrixIsSingular) {
  const Tree tree = TreeBuilder{}
                        .body("a", {.mass = 1, .com = {1, 0, 0}})
                        .joint("a", revolute({}))
                        .body("tip")
                        .on("a")
                        .joint("spindle", revolute({.axis = {1, 0, 0}}))
                        .build();
  const std::vector<double> zero(2);
  expect_says(message([&] { momentum_form(tree, zero, zero, zero); }), "'tip'");
  expect_says(message([&] { momentum_form(tree, zero, std::vector<double>(3), zero); }), "p");
  MomentumForm<double> work(tree);
  std::vector<double> v(2);
  EXPECT_EQ(
      velocities_from_momenta<double>(tree, poses(tree, zero), zero, work, v).singular_velocity, 1);
}

TEST(MomentumForm, CouplingsAreRefused) {
  const Tree tree = TreeBuilder{}
                        .body("a", {.mass = 1, .com = {1, 0, 0}})
                        .joint("drive", revolute({}))
                        .body("b", {.mass = 1, .com = {1, 0, 0}})
                        .joint("gear", revolute({}))
                        .mimic("drive", 2)
                        .build();
  const std::vector<double> zero(2);
  const std::string says = message([&] { momentum_form(tree, zero, zero, zero); });
  expect_says(says, "'gear'");
  expect_says(says, "forward_dynamics");
}

TEST(MomentumForm, RatesMayBeWrittenOverTheForces) {
  Random random(8);
  const MovingTree r = [&] {
    MovingTree x = random_moving_tree(random, 6);
    for (Dof& dof : x.tree.dofs) dof = {.damping = .3, .friction = .2, .armature = .1};
    return x;
  }();
  const Poses<double> at = poses(r.tree, r.q);
  MomentumForm<double> work(r.tree);
  std::vector<double> apart(r.v.size()), in_place = r.a;
  momentum_rates<double>(r.tree, at, r.v, r.a, work, apart);
  momentum_rates<double>(r.tree, at, r.v, in_place, work, in_place);
  EXPECT_EQ(in_place, apart);
}

TEST(MomentumForm, AllocatesNothingOnceMade) {
  Random random(7);
  const MovingTree r = random_moving_tree(random, 20);
  const Poses<double> at = poses(r.tree, r.q);
  MomentumForm<double> work(r.tree);
  std::vector<double> p(r.v.size()), v(r.v.size()), rates(r.v.size());
  EXPECT_EQ(count_allocations([&] {
              momentum_rates<double>(r.tree, at, r.v, r.a, work, rates);
              generalized_momenta<double>(r.tree, work.composite, r.v, p);
              static_cast<void>(velocities_from_momenta<double>(r.tree, at, p, work, v));
              p[0] = hamiltonian<double>(r.tree, at, p, v);
            }),
            0);
}

}  // namespace
}  // namespace axode::test::momentum_form_test
