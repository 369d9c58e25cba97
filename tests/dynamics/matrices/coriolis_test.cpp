#include "axode/dynamics/matrices/coriolis.hpp"

#include <gtest/gtest.h>

#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/dynamics/matrices/mass_matrix.hpp"
#include "axode/engine/calls.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/moving_tree.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::coriolis_test {
namespace {

constexpr std::array choices{CoriolisChoice::skew, CoriolisChoice::uncorrected,
                             CoriolisChoice::christoffel};

/// c(q, v) by inverse dynamics.
template <class S>
std::vector<S> coriolis_forces(const Tree& tree, const Poses<S>& p, const std::vector<S>& v) {
  InverseDynamics<Rep::body, S> work(tree);
  std::vector<S> tau(v.size());
  inverse_dynamics<Rep::body, S>(tree, p, v, std::vector<S>(v.size()), work, tau, {}, no_effects);
  return tau;
}
/// Rate of the mass matrix along the motion, by dual numbers.
DenseMatrix<double> mass_matrix_rate(const MovingTree& r) {
  Poses<Dual<double>> p(r.tree);
  poses<Dual<double>>(r.tree, dual_coordinates(r.tree, r.q, r.v), p);
  Composite<Dual<double>> composite(r.tree);
  composite_inertias(r.tree, p, composite);
  PathMatrix<Dual<double>> M(r.tree);
  mass_matrix(r.tree, composite, M);
  return {r.tree.nv, r.tree.nv, dual_parts(dense(M).values)};
}
/// Largest entry of the symmetric part of M' - 2 C.
double symmetric_part(const DenseMatrix<double>& M_rate, const DenseMatrix<double>& C) {
  std::vector<double> sum;
  for (int i = 0; i < C.rows; ++i)
    for (int j = 0; j < C.columns; ++j)
      sum.push_back((M_rate(i, j) + M_rate(j, i)) / 2 - C(i, j) - C(j, i));
  return largest(sum);
}

TEST(Coriolis, ReferenceVectors) {
  double worst = 0;
  for (const char* file :
       {"remote_centre", "chain7", "tree9", "multidof_first", "multidof_second"}) {
    const nlohmann::json data = read_json(std::string(file) + ".json");
    const Tree tree = tree_from_reference(data.at("model"));
    for (const auto& state : data.at("states")) {
      const std::vector<double> q = flat(state.at("input").at("q")),
                                v = flat(state.at("input").at("qd"));
      const std::vector<double> c = flat(state.at("output").at("coriolis_vector"));
      for (const CoriolisChoice choice : choices) {
        const double error =
            relative_difference(times(coriolis_matrix(tree, q, v, choice), v), c, 0);
        EXPECT_LT(error, 1e-13) << file;
        worst = std::max(worst, error);
      }
      // C(i, j) = sum_k Gamma_ijk v_k
      const std::vector<double> Gamma = flat(state.at("output").at("christoffel"));
      const std::size_t n = v.size();
      std::vector<double> expected(n * n);
      for (std::size_t ij = 0; ij < n * n; ++ij)
        for (std::size_t k = 0; k < n; ++k) expected[ij] += Gamma[ij * n + k] * v[k];
      const double error = relative_difference(
          coriolis_matrix(tree, q, v, CoriolisChoice::christoffel).values, expected, 0);
      EXPECT_LT(error, 1e-13) << file;
      worst = std::max(worst, error);
    }
  }
  record("worst_relative_error", worst);
}

/// The three properties, for all types of joints.
TEST(Coriolis, TimesVelocityAndRateOfTheMassMatrix) {
  double worst_product = 0, worst_skew = 0;
  int not_skew = 0;
  for_random_cases(60, [&](Random& random) {
    const MovingTree r = random_moving_tree(random, random.integer(1, 15), {.zero_mass = true});
    const std::vector<double> c = coriolis_forces(r.tree, poses(r.tree, r.q), r.v);
    const DenseMatrix<double> M_rate = mass_matrix_rate(r);
    const double size = 1 + largest(M_rate.values) + largest(c);
    for (const CoriolisChoice choice : choices) {
      const DenseMatrix<double> C = coriolis_matrix(r.tree, r.q, r.v, choice);
      const double error = relative_difference(times(C, r.v), c, size);
      EXPECT_LT(error, 1e-12);
      worst_product = std::max(worst_product, error);
      const double symmetric = symmetric_part(M_rate, C) / (size + largest(C.values));
      if (choice == CoriolisChoice::uncorrected) {
        not_skew += symmetric > 1e-3;
      } else {
        EXPECT_LT(symmetric, 1e-12);
        worst_skew = std::max(worst_skew, symmetric);
      }
    }
  });
  record("worst_relative_error_of_product", worst_product);
  record("worst_relative_symmetric_part", worst_skew);
  EXPECT_GT(not_skew, 30);  // as the text says of the uncorrected choice
}

/// C(i, j) = 1/2 dc_i/dv_j, where velocities are rates of coordinates.
TEST(Coriolis, ChristoffelChoiceIsHalfTheDerivative) {
  double worst = 0;
  for_random_cases(30, [&](Random& random) {
    const MovingTree r = random_moving_tree(random, random.integer(1, 10), {.quaternions = false});
    const DenseMatrix<double> C = coriolis_matrix(r.tree, r.q, r.v, CoriolisChoice::christoffel);
    const std::vector<double> x = random_velocities(random, r.tree);
    Poses<Dual<double>> p(r.tree);
    poses<Dual<double>>(r.tree, dual(r.q, std::vector<double>(r.q.size())), p);
    std::vector<double> half = dual_parts(coriolis_forces(r.tree, p, dual(r.v, x)));
    for (double& number : half) number /= 2;
    const double error = relative_difference(times(C, x), half);
    EXPECT_LT(error, 1e-12);
    worst = std::max(worst, error);
  });
  record("worst_relative_error_of_half_derivative", worst);
}

TEST(Coriolis, MultipliesWithoutTheZeros) {
  for_random_cases(20, [](Random& random) {
    const MovingTree r = random_moving_tree(random, random.integer(1, 15));
    Coriolis<double> C(r.tree);
    coriolis_matrix<double>(r.tree, poses(r.tree, r.q), r.v, C);
    std::vector<double> product(r.v.size(), NAN);
    multiply<double>(C, r.a, product);
    EXPECT_LT(relative_difference(product, times(dense(C), r.a)), 1e-14);
  });
}

/// The mass matrix and all its Coriolis matrices of bodies that are far away.
TEST(Coriolis, IsExactFarFromTheOrigin) {
  const nlohmann::json data = read_json("moving_base.json");
  const Tree tree = tree_from_reference(data.at("model"));
  const auto& input = data.at("states")[0].at("input");
  std::vector<double> q = moving_base_configuration(input),
                      v = base_angular_first(input.at("B_v_AB"));
  for (const double s : flat(input.at("s_dot"))) v.push_back(s);
  for (const CoriolisChoice choice : choices) {
    const DenseMatrix<double> near = coriolis_matrix(tree, q, v, choice);
    std::vector<double> away = q;
    for (std::size_t k = 4; k < 7; ++k) away[k] += 1e6;
    EXPECT_LT(relative_difference(coriolis_matrix(tree, away, v, choice).values, near.values, 0),
              1e6 * 8 * epsilon<double>);
  }
}

TEST(Coriolis, DualNumbersDifferentiate) {
  Random random(6);
  const MovingTree r = random_moving_tree(random, 8);
  Poses<Dual<double>> p(r.tree);
  poses<Dual<double>>(r.tree, dual_coordinates(r.tree, r.q, r.v), p);
  Coriolis<Dual<double>> C(r.tree);
  coriolis_matrix<Dual<double>>(r.tree, p, dual(r.v, r.a), C);
  const auto v = dual(r.v, r.a);
  std::vector<Dual<double>> product(v.size());
  multiply<Dual<double>>(C, v, product);
  EXPECT_LT(relative_difference(dual_parts(product), dual_parts(coriolis_forces(r.tree, p, v))),
            1e-12);
}

TEST(Coriolis, ChecksWhatItIsGiven) {
  Random random(1);
  const MovingTree r = random_moving_tree(random, 3, {.one_screw_joints = true});
  expect_says(message([&] { coriolis_matrix(r.tree, std::vector<double>{1}, r.v); }), "q");
  expect_says(message([&] { coriolis_matrix(r.tree, r.q, std::vector<double>{1}); }), "v");
}

TEST(Coriolis, AllocatesNothingOnceMade) {
  Random random(7);
  const MovingTree r = random_moving_tree(random, 30);
  const Poses<double> p = poses(r.tree, r.q);
  Coriolis<double> C(r.tree);
  std::vector<double> product(r.v.size());
  for (const CoriolisChoice choice : choices)
    EXPECT_EQ(count_allocations([&] {
                coriolis_matrix<double>(r.tree, p, r.v, C, choice);
                multiply<double>(C, r.a, product);
              }),
              0);
}

}  // namespace
}  // namespace axode::test::coriolis_test
