#include "axode/dynamics/derivatives/inverse_derivatives.hpp"

#include <gtest/gtest.h>

#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/dual_state.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::derivatives_test {
namespace {

using D = Dual<double>;
using Derivatives = InverseDynamicsDerivatives<double>;

TEST(InverseDynamicsDerivatives, ReferenceVectors) {
  double worst = 0;
  for (const char* file :
       {"remote_centre", "chain7", "tree9", "multidof_first", "multidof_second"}) {
    const nlohmann::json data = read_json(std::string(file) + ".json");
    const Tree tree = tree_from_reference(data.at("model"));
    for (const auto& state : data.at("states")) {
      const auto& in = state.at("input");
      const auto& out = state.at("output");
      const Derivatives d = reference::inverse_dynamics_derivatives(
          tree, flat(in.at("q")), flat(in.at("qd")), flat(in.at("qdd")));
      const double error = std::max({relative_difference(d.by_q.values, flat(out.at("dQ_dq"))),
                                     relative_difference(d.by_v.values, flat(out.at("dQ_dqd"))),
                                     relative_difference(dense(d.by_a).values, flat(out.at("M"))),
                                     relative_difference(d.tau, flat(out.at("Q")))});
      EXPECT_LT(error, 1e-12) << file;
      worst = std::max(worst, error);
    }
  }
  record("worst_relative_error", worst);
}

/// One column of the derivative by dual numbers through the recursion in body representation.
struct DualColumn {
  explicit DualColumn(const MovingTree& moving)
      : r(moving), state(r.tree), work(r.tree), tau(state.v.size()) {}
  const MovingTree& r;
  DualState state;
  InverseDynamics<Rep::body, D> work;
  std::vector<D> tau;

  void evaluate(By by, int k, const std::vector<Wrench<Rep::body, D>>& external) {
    state.set(r, by, k);
    inverse_dynamics<Rep::body, D>(r.tree, state.poses, state.v, state.a, work, tau, external);
  }
};

/// All columns by dual numbers, row by row.
std::vector<double> by_dual(const MovingTree& r, By by,
                            const std::vector<Wrench<Rep::body, D>>& external = {}) {
  const std::size_t n = r.v.size();
  std::vector<double> result(n * n);
  DualColumn column(r);
  for (std::size_t k = 0; k < n; ++k) {
    column.evaluate(by, static_cast<int>(k), external);
    for (std::size_t j = 0; j < n; ++j) result[j * n + k] = column.tau[j].dual;
  }
  return result;
}

TEST(InverseDynamicsDerivatives, DualNumbersThroughTheRecursion) {
  double worst = 0;
  for_random_cases(40, [&](Random& random) {
    MovingTree r =
        random_moving_tree(random, random.integer(1, random.integer(0, 4) == 0 ? 60 : 15));
    add_random_losses(random, r.tree);
    const auto wrenches = random_wrenches(random, r.tree);
    const Derivatives d = reference::inverse_dynamics_derivatives(r.tree, r.q, r.v, r.a, wrenches);
    const auto external = constant(wrenches);
    const double error =
        std::max({relative_difference(d.by_q.values, by_dual(r, By::q, external)),
                  relative_difference(d.by_v.values, by_dual(r, By::v, external)),
                  relative_difference(dense(d.by_a).values, by_dual(r, By::a, external))});
    EXPECT_LT(error, 1e-11);
    worst = std::max(worst, error);
  });
  record("worst_relative_error", worst);
}

std::vector<double> joint_forces(const MovingTree& r) {
  InverseDynamics<Rep::hybrid> work(r.tree);
  std::vector<double> tau(r.v.size());
  inverse_dynamics<Rep::hybrid, double>(r.tree, poses(r.tree, r.q), r.v, r.a, work, tau);
  return tau;
}

TEST(InverseDynamicsDerivatives, FiniteDifferences) {
  double worst = 0;
  for_random_cases(10, [&](Random& random) {
    const MovingTree r = random_moving_tree(random, random.integer(1, 8));
    const Derivatives d = reference::inverse_dynamics_derivatives(r.tree, r.q, r.v, r.a);
    std::vector<double> by_q(d.by_q.values.size()), by_v(by_q);
    const std::size_t n = r.v.size();
    for (std::size_t k = 0; k < n; ++k) {
      const auto in_q = five_point_derivative(r, By::q, static_cast<int>(k), joint_forces);
      const auto in_v = five_point_derivative(r, By::v, static_cast<int>(k), joint_forces);
      for (std::size_t j = 0; j < n; ++j) {
        by_q[j * n + k] = in_q[j];
        by_v[j * n + k] = in_v[j];
      }
    }
    const double error = std::max(relative_difference(d.by_q.values, by_q),
                                  relative_difference(d.by_v.values, by_v));
    EXPECT_LT(error, 1e-9);
    worst = std::max(worst, error);
  });
  record("worst_relative_error", worst);
}

/// The base of moving_base.json. Nothing changes when it is displaced as a whole with its motion:
/// in body velocities that is a column of zeros for each translation, and without gravity for each
/// rotation; in hybrid velocities for each translation.
TEST(InverseDynamicsDerivatives, MovingBase) {
  const nlohmann::json data = read_json("moving_base.json");
  const char* names[] = {"body", "inertial", "mixed"};
  const Rep forms[] = {Rep::body, Rep::spatial, Rep::hybrid};
  double worst = 0;
  for (int form = 0; form < 3; ++form) {
    const Tree tree =
        tree_from_reference(data.at("model"), GeometryForm::zero_reference, forms[form]);
    for (const auto& state : data.at("states")) {
      const auto& base = state.at("output").at("base").at(names[form]);
      const MovingTree r{tree, moving_base_configuration(state.at("input")),
                         base_angular_first(base.at("nu")), base_angular_first(base.at("nudot"))};
      const Derivatives d = reference::inverse_dynamics_derivatives(tree, r.q, r.v, r.a);
      const Derivatives floating =
          reference::inverse_dynamics_derivatives(tree, r.q, r.v, r.a, {}, {.gravity = false});
      const double error = std::max(
          {relative_difference(d.tau, base_angular_first(base.at("generalized_inertial_force"))),
           relative_difference(d.by_q.values, by_dual(r, By::q)),
           relative_difference(d.by_v.values, by_dual(r, By::v))});
      EXPECT_LT(error, 1e-12) << names[form];
      worst = std::max(worst, error);
      const double size = largest(d.by_q.values);
      for (int j = 0; j < tree.nv; ++j)
        for (int k = 0; k < 6; ++k) {
          if (k >= 3 && forms[form] != Rep::spatial) {
            EXPECT_NEAR(d.by_q(j, k), 0, 1e-13 * size);
          }
          if (forms[form] == Rep::body) {
            EXPECT_NEAR(floating.by_q(j, k), 0, 1e-13 * size);
          }
        }
    }
  }
  record("worst_relative_error", worst);
}

/// Whether one of the two velocities is on the path of the other.
bool on_one_path(const std::vector<int>& parent, int j, int k) {
  for (int i = std::max(j, k); i >= 0; i = parent[i])
    if (i == std::min(j, k)) return true;
  return false;
}

/// Also when the object was used for another state before.
TEST(InverseDynamicsDerivatives, ZeroOffThePathsAndTheSameWhenUsedAgain) {
  for_random_cases(20, [](Random& random) {
    const MovingTree r = random_moving_tree(random, 20), before = other_state(random, r);
    const Derivatives d = reference::inverse_dynamics_derivatives(r.tree, r.q, r.v, r.a);
    Derivatives again =
        reference::inverse_dynamics_derivatives(r.tree, before.q, before.v, before.a);
    InverseDerivativesWork<double> work(r.tree);
    inverse_dynamics_derivatives<double>(r.tree, poses(r.tree, r.q), r.v, r.a, work, again);
    EXPECT_EQ(d.by_q.values, again.by_q.values);
    EXPECT_EQ(d.by_v.values, again.by_v.values);
    EXPECT_EQ(d.by_a.values, again.by_a.values);
    for (int j = 0; j < r.tree.nv; ++j)
      for (int k = 0; k < r.tree.nv; ++k)
        if (!on_one_path(d.by_a.parent, j, k)) {
          EXPECT_EQ(d.by_q(j, k), 0);
          EXPECT_EQ(d.by_v(j, k), 0);
        }
  });
}

/// Quadratic in velocities: tau(v) - tau(0) = 1/2 d tau/dv v without damping; linear in a.
TEST(InverseDynamicsDerivatives, VelocitiesEnterSquared) {
  for_random_cases(50, [](Random& random) {
    const MovingTree r = random_moving_tree(random, random.integer(1, 12));
    const Derivatives d = reference::inverse_dynamics_derivatives(r.tree, r.q, r.v, r.a);
    const std::vector<double> rest(r.v.size(), 0.);
    const std::vector<double> static_forces = joint_forces({r.tree, r.q, rest, rest});
    std::vector<double> sum(r.v.size());
    multiply<double>(d.by_a, r.a, sum);
    for (int j = 0; j < r.tree.nv; ++j) {
      const std::size_t h = j;
      sum[h] += static_forces[h];
      for (int k = 0; k < r.tree.nv; ++k) sum[h] += d.by_v(j, k) * r.v[k] / 2;
    }
    EXPECT_LT(relative_difference(d.tau, sum), 1e-12);
  });
}

TEST(InverseDynamicsDerivatives, ChainOfThousandBodies) {
  Random random(3);
  MovingTree r =
      random_moving_tree(random, 1000, {.chain = true, .one_screw_joints = true, .size = .05});
  for (double& v : r.v) v /= 10;
  const Derivatives d = reference::inverse_dynamics_derivatives(r.tree, r.q, r.v, r.a);
  DualColumn column(r);
  double worst = 0;
  for (const By by : {By::q, By::v})
    for (const int k : {0, 500, 999}) {
      column.evaluate(by, k, {});
      const DenseMatrix<double>& matrix = by == By::q ? d.by_q : d.by_v;
      std::vector<double> ours, theirs;
      for (int j = 0; j < r.tree.nv; ++j) {
        ours.push_back(matrix(j, k));
        theirs.push_back(column.tau[j].dual);
      }
      worst = std::max(worst, relative_difference(ours, theirs));
    }
  EXPECT_LT(worst, 1e-10);  // rounding of a thousand poses in a row
  record("worst_relative_error", worst);
}

TEST(InverseDynamicsDerivatives, EffectsLeftOut) {
  Random random(4);
  MovingTree r = random_moving_tree(random, 12);
  add_random_losses(random, r.tree);
  const std::vector<double> rest(r.v.size(), 0.);
  const Derivatives all = reference::inverse_dynamics_derivatives(r.tree, r.q, r.v, r.a);
  const Derivatives none =
      reference::inverse_dynamics_derivatives(r.tree, r.q, r.v, r.a, {}, no_effects);
  for (int k = 0; k < r.tree.nv; ++k) {
    const Dof& dof = r.tree.dofs[k];
    EXPECT_NEAR(all.by_v(k, k) - none.by_v(k, k), dof.damping, 1e-12 * largest(all.by_v.values));
    EXPECT_NEAR(*all.by_a.row(k) - *none.by_a.row(k), dof.armature,
                1e-12 * largest(all.by_a.values));
  }
  const Derivatives free_rest =
      reference::inverse_dynamics_derivatives(r.tree, r.q, rest, rest, {}, no_effects);
  for (const double x : free_rest.by_q.values) EXPECT_EQ(x, 0);
  for (const double x : free_rest.by_v.values) EXPECT_EQ(x, 0);
}

TEST(InverseDynamicsDerivatives, AllocatesNothingOnceMade) {
  Random random(5);
  const MovingTree r = random_moving_tree(random, 60);
  const auto wrenches = random_wrenches(random, r.tree);
  const Poses<double> p = poses(r.tree, r.q);
  Derivatives d(r.tree);
  InverseDerivativesWork<double> work(r.tree);
  EXPECT_EQ(count_allocations([&] {
              inverse_dynamics_derivatives<double>(r.tree, p, r.v, r.a, work, d, wrenches);
            }),
            0);
}

TEST(InverseDynamicsDerivatives, BadInput) {
  Random random(6);
  const Tree tree = random_tree(random, 4, {.one_screw_joints = true});
  const std::vector<double> good(4, 0.), bad(3, 0.);
  expect_says(message([&] { reference::inverse_dynamics_derivatives(tree, bad, good, good); }),
              "q");
  expect_says(message([&] { reference::inverse_dynamics_derivatives(tree, good, bad, good); }),
              "v");
  expect_says(message([&] { reference::inverse_dynamics_derivatives(tree, good, good, bad); }),
              "a");
  const std::vector<Wrench<Rep::body>> one(1);
  expect_says(
      message([&] { reference::inverse_dynamics_derivatives(tree, good, good, good, one); }),
      "4 bodies");
}

/// Before anything is allocated.
TEST(InverseDynamicsDerivatives, TooManyVelocities) {
  Tree tree{};
  tree.nv = 50'000;
  expect_says(message([&] { Derivatives d(tree); }), "50000 velocities");
}

TEST(InverseDynamicsDerivatives, TreeWithoutFreedoms) {
  const Tree empty{};
  const Derivatives d = reference::inverse_dynamics_derivatives(empty, {}, {}, {});
  EXPECT_TRUE(d.tau.empty());
}

}  // namespace
}  // namespace axode::test::derivatives_test
