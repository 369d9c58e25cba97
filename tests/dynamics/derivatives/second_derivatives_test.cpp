#include "axode/dynamics/derivatives/second_derivatives.hpp"

#include <gtest/gtest.h>

#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/dual_state.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::second_derivatives_test {
namespace {

using D = Dual<double>;
using Second = InverseDynamicsSecondDerivatives<double>;

/// The tensors by dual numbers through the first derivatives.
struct ByDual {
  std::vector<double> qq, qv, vv, aq;
};
ByDual by_dual(const MovingTree& r, const std::vector<Wrench<Rep::body, D>>& external) {
  const int n = r.tree.nv;
  DenseTensor<double> qq(n), qv(n), vv(n), aq(n);
  InverseDynamicsDerivatives<D> d(r.tree);
  InverseDerivativesWork<D> work(r.tree);
  DualState s(r.tree);
  for (int m = 0; m < n; ++m)
    for (const By by : {By::q, By::v}) {
      s.set(r, by, m);
      inverse_dynamics_derivatives<D>(r.tree, s.poses, s.v, s.a, work, d, external);
      const DenseMatrix<D> mass = dense(d.by_a);
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k)
          if (by == By::q) {
            qq(j, k, m) = d.by_q(j, k).dual;
            aq(j, k, m) = mass(j, k).dual;
          } else {
            qv(j, k, m) = d.by_q(j, k).dual;
            vv(j, k, m) = d.by_v(j, k).dual;
          }
    }
  return {qq.values, qv.values, vv.values, aq.values};
}

/// The largest of the errors, each relative to the largest entry.
double worst_error(const MovingTree& r, const std::vector<Wrench<Rep::body>>& wrenches) {
  const Second ours = inverse_dynamics_second_derivatives(r.tree, r.q, r.v, r.a, wrenches);
  const ByDual theirs = by_dual(r, constant(wrenches));
  return std::max({relative_difference(ours.by_qq.values, theirs.qq),
                   relative_difference(ours.by_qv.values, theirs.qv),
                   relative_difference(ours.by_vv.values, theirs.vv),
                   relative_difference(ours.by_aq.values, theirs.aq)});
}

TEST(InverseDynamicsSecondDerivatives, DualNumbersThroughFirstDerivatives) {
  double worst = 0;
  for_random_cases(40, [&](Random& random) {
    MovingTree r =
        random_moving_tree(random, random.integer(1, random.integer(0, 9) == 0 ? 30 : 10));
    add_random_losses(random, r.tree);
    const double error = worst_error(r, random_wrenches(random, r.tree));
    EXPECT_LT(error, 1e-11);
    worst = std::max(worst, error);
  });
  record("worst_relative_error", worst);
}

TEST(InverseDynamicsSecondDerivatives, LongChain) {
  Random random(3);
  const MovingTree r =
      random_moving_tree(random, 60, {.chain = true, .one_screw_joints = true, .size = .05});
  const double error = worst_error(r, {});
  EXPECT_LT(error, 1e-11);
  record("worst_relative_error", error);
}

/// All joints of several degrees of freedom, one after the other, in a chain.
TEST(InverseDynamicsSecondDerivatives, EachJointOfSeveralFreedoms) {
  Random random(4);
  const Inertia<double> I{2, {.1, .2, .3}, Sym3<double>::diagonal({.1, .2, .25})};
  const Coordinates second = Coordinates::second_kind, first = Coordinates::first_kind;
  double worst = 0;
  for (const Joint& joint :
       {spherical(), spherical({.coordinates = second}), spherical({.coordinates = first}),
        free_joint(), free_joint({.velocity = Rep::spatial}), free_joint({.velocity = Rep::hybrid}),
        free_joint({.coordinates = second}), free_joint({.coordinates = first}), planar(),
        planar({.coordinates = first}), cylindrical({}), universal()}) {
    TreeBuilder builder;
    for (const char* name : {"a", "b", "c"}) {
      builder.body(name, I);
      if (*name != 'a') builder.on(std::string(1, static_cast<char>(*name - 1)));
      builder.joint(std::string("joint ").append(name), joint, body_screws(random.pose()));
    }
    const Tree tree = builder.build();
    const MovingTree r{tree, random_coordinates(random, tree), random_velocities(random, tree),
                       random_velocities(random, tree)};
    const double error = worst_error(r, random_wrenches(random, tree));
    EXPECT_LT(error, 1e-12) << name(joint.type);
    worst = std::max(worst, error);
  }
  record("worst_relative_error", worst);
}

/// Reference vectors: twice the Christoffel symbols, and the derivatives of the mass matrix.
TEST(InverseDynamicsSecondDerivatives, ReferenceVectors) {
  double worst = 0;
  for (const char* file :
       {"remote_centre", "chain7", "tree9", "multidof_first", "multidof_second"}) {
    const nlohmann::json data = read_json(std::string(file) + ".json");
    const Tree tree = tree_from_reference(data.at("model"));
    const auto& state = data.at("states")[0];
    const auto& in = state.at("input");
    const Second d = inverse_dynamics_second_derivatives(tree, flat(in.at("q")), flat(in.at("qd")),
                                                         flat(in.at("qdd")));
    std::vector<double> gamma = flat(state.at("output").at("christoffel"));
    for (double& x : gamma) x *= 2;
    std::vector<double> by_aq;
    for (int m = 0; m < tree.nv; ++m)
      for (int j = 0; j < tree.nv; ++j)
        for (int k = 0; k < tree.nv; ++k) by_aq.push_back(d.by_aq(j, k, m));
    worst = std::max({worst, relative_difference(d.by_vv.values, gamma),
                      relative_difference(by_aq, flat(state.at("output").at("dM_dq")))});
    EXPECT_LT(worst, 1e-12) << file;
  }
  record("worst_relative_error", worst);
}

TEST(InverseDynamicsSecondDerivatives, FiniteDifferences) {
  double worst = 0;
  for_random_cases(5, [&](Random& random) {
    const MovingTree r = random_moving_tree(random, 5);
    const Second d = inverse_dynamics_second_derivatives(r.tree, r.q, r.v, r.a);
    const std::size_t n = r.tree.nv;
    std::vector<double> by_qq(n * n * n), by_qv(by_qq);
    for (std::size_t m = 0; m < n; ++m)
      for (const By by : {By::q, By::v}) {
        const auto entries =
            five_point_derivative(r, by, static_cast<int>(m), [](const MovingTree& x) {
              return reference::inverse_dynamics_derivatives(x.tree, x.q, x.v, x.a).by_q.values;
            });
        for (std::size_t e = 0; e < n * n; ++e)
          (by == By::q ? by_qq : by_qv)[e * n + m] = entries[e];
      }
    worst = std::max({worst, relative_difference(d.by_qq.values, by_qq),
                      relative_difference(d.by_qv.values, by_qv)});
    EXPECT_LT(worst, 1e-9);
  });
  record("worst_relative_error", worst);
}

/// Derivatives along velocities of one joint commute up to that along their product.
TEST(InverseDynamicsSecondDerivatives, OrderMattersWithinQuaternionsAlone) {
  for_random_cases(30, [](Random& random) {
    const MovingTree r = random_moving_tree(random, 6);
    const Second d = inverse_dynamics_second_derivatives(r.tree, r.q, r.v, r.a);
    const double size = 1 + largest(d.by_qq.values);
    for (const Link& link : r.tree.links) {
      const bool ball = link.map == JointMap::quaternion, free = link.map == JointMap::free;
      for (int k = 0; k < link.nv; ++k)
        for (int m = 0; m < link.nv; ++m) {
          Vec6<double> e_k{}, e_m{};
          e_k[k] = e_m[m] = 1;
          Vec6<double> product = ball || free ? ad(e_m, e_k) : Vec6<double>{};
          if (free && link.velocity == Rep::hybrid) product.linear = {};
          if (link.velocity != Rep::body) product = -product;
          for (int j = 0; j < r.tree.nv; ++j) {
            double along = 0;
            for (int l = 0; l < link.nv; ++l) along += product[l] * d.first.by_q(j, link.v + l);
            EXPECT_NEAR(d.by_qq(j, link.v + k, link.v + m) - d.by_qq(j, link.v + m, link.v + k),
                        along, 1e-12 * size);
          }
        }
    }
  });
}

/// A pendulum: tau = J a + m g c sin q.
TEST(InverseDynamicsSecondDerivatives, PendulumByHand) {
  const Inertia<double> I{2, {0, 0, -.5}, Sym3<double>::diagonal({.1, .1, .1})};
  const Tree tree =
      TreeBuilder{}.body("bob", I).joint("pivot", revolute({.axis = {0, 1, 0}})).build();
  const std::vector<double> q{.7}, v{2}, a{3};
  const Second d = inverse_dynamics_second_derivatives(tree, q, v, a);
  EXPECT_NEAR(d.by_qq(0, 0, 0), -9.81 * std::sin(.7), 1e-14);
  EXPECT_NEAR(d.by_qv(0, 0, 0), 0, 1e-15);
  EXPECT_NEAR(d.by_vv(0, 0, 0), 0, 1e-15);
  EXPECT_NEAR(d.by_aq(0, 0, 0), 0, 1e-15);
}

TEST(InverseDynamicsSecondDerivatives, TheSameWhenUsedAgainAndNoAllocation) {
  Random random(6);
  const MovingTree r = random_moving_tree(random, 15), before = other_state(random, r);
  const auto wrenches = random_wrenches(random, r.tree);
  const Second fresh = inverse_dynamics_second_derivatives(r.tree, r.q, r.v, r.a, wrenches);
  Second again = inverse_dynamics_second_derivatives(r.tree, before.q, before.v, before.a);
  const Poses<double> p = poses(r.tree, r.q);
  EXPECT_EQ(count_allocations([&] {
              inverse_dynamics_second_derivatives<double>(r.tree, p, r.v, r.a, again, wrenches);
            }),
            0);
  EXPECT_EQ(fresh.by_qq.values, again.by_qq.values);
  EXPECT_EQ(fresh.by_qv.values, again.by_qv.values);
  EXPECT_EQ(fresh.by_vv.values, again.by_vv.values);
  EXPECT_EQ(fresh.by_aq.values, again.by_aq.values);
}

TEST(InverseDynamicsSecondDerivatives, BadInput) {
  Random random(7);
  const Tree tree = random_tree(random, 3, {.one_screw_joints = true});
  const std::vector<double> good(3, 0.), bad(2, 0.);
  const std::vector<Wrench<Rep::body>> one(1);
  expect_says(message([&] { inverse_dynamics_second_derivatives(tree, bad, good, good); }), "q");
  expect_says(message([&] { inverse_dynamics_second_derivatives(tree, good, bad, good); }), "v");
  expect_says(message([&] { inverse_dynamics_second_derivatives(tree, good, good, bad); }), "a");
  expect_says(message([&] { inverse_dynamics_second_derivatives(tree, good, good, good, one); }),
              "3 bodies");
}

}  // namespace
}  // namespace axode::test::second_derivatives_test
