#include "axode/dynamics/matrices/christoffel.hpp"

#include <gtest/gtest.h>

#include "axode/core/error.hpp"
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/dynamics/matrices/coriolis.hpp"
#include "axode/dynamics/matrices/mass_matrix.hpp"
#include "axode/engine/calls.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/moving_tree.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::christoffel_test {
namespace {

std::vector<double> symbols_by_bodies(const Tree& tree, const std::vector<double>& q) {
  const Poses<double> p = poses(tree, q);
  Christoffel<double> at(tree);
  prepare_christoffel(tree, p, at);
  const std::size_t n = tree.nv;
  std::vector<double> symbols(n * n * n, NAN);
  christoffel_symbols_by_bodies<double>(tree, p, at, symbols);
  return symbols;
}
std::vector<double> coriolis_forces(const Tree& tree, const Poses<double>& p,
                                    const std::vector<double>& v) {
  InverseDynamics<Rep::body> work(tree);
  std::vector<double> tau(v.size());
  inverse_dynamics<Rep::body, double>(tree, p, v, std::vector<double>(v.size()), work, tau, {},
                                      no_effects);
  return tau;
}

TEST(Christoffel, ReferenceVectors) {
  double worst = 0;
  const auto check = [&](const std::vector<double>& ours, const std::vector<double>& expected) {
    const double error = relative_difference(ours, expected, 0);
    EXPECT_LT(error, 1e-13);
    worst = std::max(worst, error);
  };
  for (const char* file :
       {"remote_centre", "chain7", "tree9", "multidof_first", "multidof_second"}) {
    SCOPED_TRACE(file);
    const nlohmann::json data = read_json(std::string(file) + ".json");
    const Tree tree = tree_from_reference(data.at("model"));
    for (const auto& state : data.at("states")) {
      const std::vector<double> q = flat(state.at("input").at("q"));
      const std::vector<double> Gamma = christoffel_symbols(tree, q);
      check(Gamma, flat(state.at("output").at("christoffel")));
      check(symbols_by_bodies(tree, q), flat(state.at("output").at("christoffel")));
      // dM_ij/dq_k = Gamma_ijk + Gamma_jik
      const std::size_t n = tree.nv;
      std::vector<double> dM(Gamma.size());
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < n; ++j)
            dM[(k * n + i) * n + j] = Gamma[(i * n + j) * n + k] + Gamma[(j * n + i) * n + k];
      check(dM, flat(state.at("output").at("dM_dq")));
    }
  }
  record("worst_relative_error", worst);
}

/// c is a quadratic form in the velocities, so its second derivatives are differences without
/// error: 2 Gamma_ijk = c_i(e_j + e_k) - c_i(e_j) - c_i(e_k). For all joints, quaternions too.
TEST(Christoffel, AreTheSecondDerivativesOfTheCoriolisForces) {
  double worst = 0;
  for_random_cases(25, [&](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 5), {.zero_mass = true});
    const std::vector<double> q = random_coordinates(random, tree);
    const Poses<double> p = poses(tree, q);
    const std::vector<double> Gamma = christoffel_symbols(tree, q);
    const std::size_t n = tree.nv;
    std::vector<double> expected(Gamma.size());
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) {
        std::vector<double> e_j(n), e_k(n), both(n);
        e_j[j] = e_k[k] = 1;
        both[j] += 1;
        both[k] += 1;
        const std::vector<double> c = coriolis_forces(tree, p, both),
                                  c_j = coriolis_forces(tree, p, e_j),
                                  c_k = coriolis_forces(tree, p, e_k);
        for (std::size_t i = 0; i < n; ++i)
          expected[(i * n + j) * n + k] = (c[i] - c_j[i] - c_k[i]) / 2;
      }
    const double error = relative_difference(Gamma, expected);
    EXPECT_LT(error, 1e-12);
    worst = std::max(worst, error);
  });
  record("worst_relative_error_of_second_derivatives", worst);
}

TEST(Christoffel, TwoAlgorithmsAgree) {
  double worst = 0;
  for_random_cases(25, [&](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 8), {.zero_mass = true});
    const std::vector<double> q = random_coordinates(random, tree);
    const double error =
        relative_difference(christoffel_symbols(tree, q), symbols_by_bodies(tree, q));
    EXPECT_LT(error, 1e-12);
    worst = std::max(worst, error);
  });
  record("worst_relative_difference_of_algorithms", worst);
}

TEST(Christoffel, SingleSymbolsAreThoseOfTheTensor) {
  for_random_cases(15, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 8));
    const std::vector<double> q = random_coordinates(random, tree);
    const std::vector<double> Gamma = christoffel_symbols(tree, q);
    Christoffel<double> at(tree);
    prepare_christoffel(tree, poses(tree, q), at);
    std::size_t next = 0;
    double worst = 0;
    for (int i = 0; i < tree.nv; ++i)
      for (int j = 0; j < tree.nv; ++j)
        for (int k = 0; k < tree.nv; ++k, ++next) {
          const double one = christoffel_symbol(tree, at, i, j, k);
          worst = std::max(worst, std::isnan(one) ? INFINITY : std::abs(one - Gamma[next]));
        }
    EXPECT_LT(worst, 1e-13 * (1 + largest(Gamma)));
  });
}

/// sum_k Gamma_ijk v_k is the Coriolis matrix of that choice, where velocities are rates of
/// coordinates.
TEST(Christoffel, MakeTheCoriolisMatrix) {
  for_random_cases(15, [](Random& random) {
    const MovingTree r = random_moving_tree(random, random.integer(1, 8), {.quaternions = false});
    const std::vector<double> Gamma = christoffel_symbols(r.tree, r.q);
    const std::size_t n = r.v.size();
    std::vector<double> C(n * n);
    for (std::size_t ij = 0; ij < n * n; ++ij)
      for (std::size_t k = 0; k < n; ++k) C[ij] += Gamma[ij * n + k] * r.v[k];
    EXPECT_LT(relative_difference(
                  C, coriolis_matrix(r.tree, r.q, r.v, CoriolisChoice::christoffel).values),
              1e-12);
  });
}

/// Velocities on no common path have none, though other pairs of them do.
TEST(Christoffel, VanishOffThePaths) {
  const nlohmann::json data = read_json("tree9.json");
  const Tree tree = tree_from_reference(data.at("model"));
  Christoffel<double> at(tree);
  const std::vector<double> q = flat(data.at("states")[0].at("input").at("q"));
  prepare_christoffel(tree, poses(tree, q), at);
  EXPECT_EQ(tree.links[1].parent, 0);
  EXPECT_EQ(tree.links[2].parent, 0);
  EXPECT_EQ(christoffel_symbol(tree, at, 0, 1, 2), 0);
  EXPECT_EQ(christoffel_symbol(tree, at, 1, 2, 0), 0);
  EXPECT_NE(christoffel_symbol(tree, at, 0, 1, 1), 0);
  EXPECT_NE(christoffel_symbol(tree, at, 2, 0, 0), 0);
}

TEST(Christoffel, DualNumbersDifferentiate) {
  Random random(3);
  const MovingTree r = random_moving_tree(random, 4);
  const std::size_t n = r.v.size();
  Poses<Dual<double>> p(r.tree);
  poses<Dual<double>>(r.tree, dual_coordinates(r.tree, r.q, r.v), p);
  Christoffel<Dual<double>> at(r.tree);
  prepare_christoffel(r.tree, p, at);
  std::vector<Dual<double>> first(n * n * n), second(n * n * n);
  christoffel_symbols<Dual<double>>(r.tree, at, first);
  christoffel_symbols_by_bodies<Dual<double>>(r.tree, p, at, second);
  EXPECT_LT(relative_difference(dual_parts(first), dual_parts(second)), 1e-12);
  const auto moved = [&](double h) {
    std::vector<double> step = r.v, q(r.q.size());
    for (double& x : step) x *= h;
    plus<double>(r.tree, r.q, step, q);
    return christoffel_symbols(r.tree, q);
  };
  const double h = 1e-5;
  const std::vector<double> after = moved(h), before = moved(-h);
  std::vector<double> difference(after.size());
  for (std::size_t k = 0; k < after.size(); ++k) difference[k] = (after[k] - before[k]) / (2 * h);
  EXPECT_LT(relative_difference(dual_parts(first), difference), 1e-8);
}

TEST(Christoffel, RefusesTooMany) {
  Tree tree;
  tree.name = "large";
  tree.nv = 1001;
  EXPECT_THROW(christoffel_symbols(tree, std::vector<double>(1001)), LimitError);
  expect_says(message([&] { christoffel_symbols(tree, std::vector<double>(1001)); }), "large");
}

TEST(Christoffel, AllocateNothingOnceMade) {
  Random random(7);
  const MovingTree r = random_moving_tree(random, 8);
  const Poses<double> p = poses(r.tree, r.q);
  Christoffel<double> at(r.tree);
  std::vector<double> symbols(r.v.size() * r.v.size() * r.v.size());
  EXPECT_EQ(count_allocations([&] {
              prepare_christoffel(r.tree, p, at);
              christoffel_symbols<double>(r.tree, at, symbols);
              christoffel_symbols_by_bodies<double>(r.tree, p, at, symbols);
              symbols[0] = christoffel_symbol(r.tree, at, 0, 0, 0);
            }),
            0);
}

}  // namespace
}  // namespace axode::test::christoffel_test
