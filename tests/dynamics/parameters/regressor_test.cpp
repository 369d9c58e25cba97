#include "axode/dynamics/parameters/regressor.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/moving_tree.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::regressor_test {
namespace {

constexpr Effects gravity_only{true, false, false, false};

TEST(Regressor, ReferenceVectors) {
  double worst = 0;
  for (const char* file :
       {"remote_centre", "chain7", "tree9", "multidof_first", "multidof_second"}) {
    const nlohmann::json data = read_json(std::string(file) + ".json");
    const Tree tree = tree_from_reference(data.at("model"));
    for (const auto& state : data.at("states")) {
      const auto& input = state.at("input");
      const DenseMatrix<double> Y =
          regressor(tree, flat(input.at("q")), flat(input.at("qd")), flat(input.at("qdd")));
      worst = max(worst, relative_difference(times(Y, inertia_parameter_list(tree)),
                                             flat(state.at("output").at("Q"))));
    }
  }
  EXPECT_LT(worst, 1e-13);
  record("worst_relative_error", worst);
}

TEST(Regressor, TimesParametersIsInverseDynamicsOnRandomTrees) {
  double worst = 0;
  for_random_cases(200, [&](Random& random) {
    RandomTreeOptions options;
    options.zero_mass = random.integer(0, 1) == 0;
    const MovingTree r = random_moving_tree(random, random.integer(1, 60), options);
    const Poses<double> at = poses(r.tree, r.q);
    Regressor<double> Y(r.tree);
    const Effects effects{random.integer(0, 1) == 0, false, false, false};
    regressor<double>(r.tree, at, r.v, r.a, Y, effects);
    std::vector<double> tau(r.v.size(), 7.);
    apply<double>(r.tree, Y, inertia_parameters(r.tree), tau);
    const std::vector<double> expected =
        reference::inverse_dynamics(r.tree, r.q, r.v, r.a, Rep::body, {.effects = effects});
    const double error = relative_difference(tau, expected);
    EXPECT_LT(error, 1e-12);
    worst = max(worst, error);
    EXPECT_LT(relative_difference(times(dense(r.tree, Y), inertia_parameter_list(r.tree)), tau),
              1e-14);
  });
  record("worst_relative_difference", worst);
}

/// Each column is what inverse dynamics of a tree gives that has no other inertia.
TEST(Regressor, ColumnsOneByOne) {
  Random random(3);
  MovingTree r = random_moving_tree(random, 8);
  const DenseMatrix<double> Y = regressor(r.tree, r.q, r.v, r.a);
  for (int i = 0; i < r.tree.size(); ++i)
    for (int c = 0; c < 10; ++c) {
      // Without mass there is no first moment: a column of one is a difference of two bodies.
      InertiaParameters<double> p, without;
      if (c == 0) p.mass = 1;
      if (c >= 1 && c <= 3) p.mass = without.mass = 1, p.first_moment[c - 1] = 1;
      double* I[] = {&p.about_origin.xx, &p.about_origin.yy, &p.about_origin.zz,
                     &p.about_origin.xy, &p.about_origin.xz, &p.about_origin.yz};
      if (c >= 4) *I[c - 4] = 1;
      const auto forces = [&](const InertiaParameters<double>& one) {
        for (Body& body : r.tree.bodies) body.inertia = {};
        r.tree.bodies[std::size_t(i)].inertia = inertia_from_parameters(one);
        return reference::inverse_dynamics(r.tree, r.q, r.v, r.a, Rep::body,
                                           {.effects = gravity_only});
      };
      std::vector<double> tau = forces(p);
      const std::vector<double> less = forces(without);
      for (int k = 0; k < r.tree.nv; ++k)
        EXPECT_NEAR(Y(k, 10 * i + c), tau[std::size_t(k)] - less[std::size_t(k)], 1e-11)
            << parameter_name(r.tree, 10 * i + c);
    }
}

TEST(Regressor, DerivativeByDualNumbers) {
  Random random(8);
  const MovingTree r = random_moving_tree(random, 10);
  using D = Dual<double>;
  const std::vector<double> direction = random_velocities(random, r.tree);
  Poses<D> at(r.tree);
  poses<D>(r.tree, dual_coordinates(r.tree, r.q, direction), at);
  Regressor<D> Y(r.tree);
  regressor<D>(r.tree, at, dual(r.v, direction), dual(r.a, direction), Y);
  InverseDynamics<Rep::body, D> work(r.tree);
  std::vector<D> tau(r.v.size()), expected(r.v.size());
  std::vector<InertiaParameters<D>> p;
  for (const Body& body : r.tree.bodies) {
    const InertiaParameters<double> one = parameters(body.inertia);
    const Sym3<double>& I = one.about_origin;
    p.push_back({D(one.mass),
                 make_dual(one.first_moment, {}),
                 {D(I.xx), D(I.yy), D(I.zz), D(I.xy), D(I.xz), D(I.yz)}});
  }
  apply<D>(r.tree, Y, p, tau);
  inverse_dynamics<Rep::body, D>(r.tree, at, dual(r.v, direction), dual(r.a, direction), work,
                                 expected);
  EXPECT_LT(relative_difference(dual_parts(tau), dual_parts(expected)), 1e-12);
}

TEST(Regressor, AllocatesNothingOnceMade) {
  Random random(5);
  const MovingTree r = random_moving_tree(random, 40);
  const Poses<double> at = poses(r.tree, r.q);
  Regressor<double> Y(r.tree);
  std::vector<double> tau(r.v.size());
  const auto p = inertia_parameters(r.tree);
  EXPECT_EQ(count_allocations([&] {
              regressor<double>(r.tree, at, r.v, r.a, Y);
              apply<double>(r.tree, Y, p, tau);
            }),
            0);
}

/// Long trees: storage and time grow with the sum of depths.
TEST(Regressor, KeepsOnlyThePaths) {
  Random random(4);
  RandomTreeOptions options;
  options.one_screw_joints = true;
  const Tree chain = random_tree(random, 1000, {.chain = true, .one_screw_joints = true});
  EXPECT_EQ(Regressor<double>(chain).rows.size(), 1000u * 1001 / 2);
  const Tree tree = random_tree(random, 10'000, options);  // depth about log n
  Regressor<double> Y(tree);
  EXPECT_LT(Y.rows.size(), 10'000u * 30);
  std::vector<double> zero(10'000, 0.), tau(10'000), expected(10'000);
  const Poses<double> at = poses(tree, zero);
  regressor<double>(tree, at, zero, zero, Y);
  apply<double>(tree, Y, inertia_parameters(tree), tau);
  InverseDynamics<Rep::body> work(tree);
  inverse_dynamics<Rep::body, double>(tree, at, zero, zero, work, expected);
  EXPECT_LT(relative_difference(tau, expected), 1e-12);
}

TEST(Regressor, NamesAndErrors) {
  Random random(4);
  const MovingTree r = random_moving_tree(random, 2);
  EXPECT_EQ(parameter_name(r.tree, 0), "m of 'b0'");
  EXPECT_EQ(parameter_name(r.tree, 13), "m c_z of 'b1'");
  EXPECT_EQ(parameter_name(r.tree, 19), "I_yz of 'b1'");
  expect_says(message([&] { parameter_name(r.tree, 20); }), "no column 20");
  std::vector<double> broken(r.v);
  broken[0] = INFINITY;
  expect_says(message([&] { regressor(r.tree, r.q, broken, r.a); }), "v: number 0");
}

}  // namespace
}  // namespace axode::test::regressor_test
