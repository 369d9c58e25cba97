#include "axode/dynamics/derivatives/taylor_dynamics.hpp"

#include <gtest/gtest.h>

#include "axode/dynamics/derivatives/time_derivatives.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::taylor_dynamics_test {
namespace {

using Values = std::vector<double>;

double relative(const Values& found, const Values& expected) {
  double worst = found.size() == expected.size() ? 0 : 1, size = 1;
  for (std::size_t k = 0; k < found.size(); ++k) {
    worst = std::max(worst, largest_difference(found[k], expected[k]));
    size = std::max(size, std::abs(expected[k]));
  }
  return worst / size;
}
/// The k-th derivatives of polynomials.
template <int order>
Values derivatives(const std::vector<Taylor<double, order>>& x, int k) {
  Values d;
  d.reserve(x.size());
  for (const auto& c : x) d.push_back(c.derivative(k));
  return d;
}
std::vector<Values> random_motion(Random& random, const Tree& tree, int order) {
  std::vector<Values> v;
  v.reserve(order + 2);
  for (int k = 0; k < order + 2; ++k) v.push_back(random_velocities(random, tree));
  return v;
}
std::vector<const double*> pointers(const std::vector<Values>& v) {
  std::vector<const double*> p;
  p.reserve(v.size());
  for (const Values& x : v) p.push_back(x.data());
  return p;
}

double reference_error(const Tree& tree, const nlohmann::json& state) {
  const auto in = [&](const char* key) { return flat(state.at("input").at(key)); };
  const auto out = [&](const char* key) { return flat(state.at("output").at(key)); };
  const std::vector<Values> v{in("qd"), in("qdd"), in("qddd"), in("qdddd")};
  const std::vector<Values> free = inverse_dynamics_rates(tree, in("q"), v);

  using T = Taylor<double, 1>;
  std::vector<Wrench<Rep::body, T>> wrenches;  // constants
  for (const auto& W : state.at("input").at("Wapp_body")) {
    const Vec6<double> w = vec6(W);
    wrenches.push_back({{T(w[0]), T(w[1]), T(w[2])}, {T(w[3]), T(w[4]), T(w[5])}});
  }
  TaylorDynamics<1> loaded(tree);
  inverse_dynamics_rates(tree, in("q"), pointers(v), loaded, wrenches);
  Values first = out("dQ_dt");
  const Values applied = out("dQapp_dt_const_body_wrench");
  for (std::size_t k = 0; k < first.size(); ++k) first[k] -= applied[k];
  return std::max({relative(free[0], out("Q")), relative(free[1], out("dQ_dt")),
                   relative(free[2], out("d2Q_dt2")),
                   relative(derivatives(loaded.tau, 0), out("Q_total")),
                   relative(derivatives(loaded.tau, 1), first)});
}

TEST(TaylorDynamics, ReferenceVectors) {
  double worst = 0;
  for (const char* name :
       {"remote_centre", "chain7", "tree9", "multidof_first", "multidof_second"}) {
    const nlohmann::json data = read_json(std::string(name) + ".json");
    const Tree tree = tree_from_reference(data.at("model"));
    for (const auto& state : data.at("states")) {
      const double error = reference_error(tree, state);
      EXPECT_LT(error, 1e-12) << name;
      worst = std::max(worst, error);
    }
  }
  record("worst_relative_error", worst);
}

// Two ways to the same derivatives, with joints of all types, losses, and coordinates of the first
// kind beyond half a turn, where the exponential doubles its argument.
TEST(TaylorDynamics, AgreesWithTheRecursions) {
  double worst = 0;
  for_random_cases(100, [&](Random& random) {
    Tree tree = random_tree(random, random.integer(1, 20));
    for (Dof& dof : tree.dofs) {
      dof.damping = random.uniform(0, 1);
      dof.friction = random.uniform(0, 1);
      dof.armature = random.uniform(0, 1);
    }
    Values q = random_coordinates(random, tree);
    if (random.integer(0, 1) == 0)
      for (const Link& link : tree.links)
        if (link.map == JointMap::exponential)
          for (int k = link.q; k < link.q + link.nq; ++k) q[std::size_t(k)] *= 4;
    const std::vector<Values> v = random_motion(random, tree, 2);
    const JointForceRates expected = inverse_dynamics_rates(tree, q, {v[0], v[1], v[2], v[3]});
    const std::vector<Values> second = inverse_dynamics_rates(tree, q, v);
    const std::vector<Values> first = inverse_dynamics_rates(tree, q, std::span(v).first(3));
    worst = std::max({worst, relative(first[0], expected.tau), relative(first[1], expected.first),
                      relative(second[0], expected.tau), relative(second[1], expected.first),
                      relative(second[2], expected.second)});
  });
  EXPECT_LT(worst, 1e-11);
  record("worst_relative_difference", worst);
}

// With constant v the state moves by plus(): polynomials of coordinates and forces against the exact
// values at a later time. Halving the time divides the remainder by 2^(order + 1).
TEST(TaylorDynamics, FollowsAMotionOfAllJoints) {
  for_random_cases(30, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 8));
    const Values q = random_coordinates(random, tree);
    constexpr int order = 6;
    std::vector<Values> v(order + 2, Values(std::size_t(tree.nv), 0.));
    v[0] = random_velocities(random, tree);
    TaylorDynamics<order> work(tree);
    inverse_dynamics_rates(tree, q, pointers(v), work);
    const auto error = [&](double t) {
      Values step = v[0], moved(q.size()), exact(step.size());
      for (double& x : step) x *= t;
      plus<double>(tree, q, step, moved);
      InverseDynamics<Rep::body> dynamics(tree);
      inverse_dynamics<Rep::body, double>(tree, poses(tree, moved), v[0], v[1], dynamics, exact);
      double worst = 0, size = 1;
      for (std::size_t k = 0; k < exact.size(); ++k) {
        worst = std::max(worst, largest_difference(evaluate(work.tau[k], t), exact[k]));
        size = std::max(size, std::abs(exact[k]));
      }
      for (std::size_t k = 0; k < moved.size(); ++k)
        worst = std::max(worst, largest_difference(evaluate(work.q[k], t), moved[k]));
      return worst / size;
    };
    const double coarse = error(.04), fine = error(.02);
    EXPECT_LT(fine, 1e-5);
    if (coarse > 1e-11) {
      EXPECT_GT(coarse / fine, 60) << "2^7 = 128";
    }
  });
}

TEST(TaylorDynamics, PolynomialsOfCoordinates) {
  for_random_cases(50, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 10));
    const Values q = random_coordinates(random, tree);
    using T = Taylor<double, 3>;
    std::vector<T> v(std::size_t(tree.nv)), x(q.size());
    Values start;
    for (T& c : v) {
      for (int k = 0; k <= 3; ++k) c[k] = random.uniform(-1, 1);
      start.push_back(c[0]);
    }
    coordinate_polynomials<3, double>(tree, q, v, x);
    Values rate(q.size());
    coordinate_rate<double>(tree, q, start, rate);
    EXPECT_EQ(derivatives(x, 0), q);
    EXPECT_LT(relative(derivatives(x, 1), rate), 1e-15);
    for (const Link& link : tree.links) {  // quaternions keep their length
      if (link.map != JointMap::quaternion && link.map != JointMap::free) continue;
      T length(0);
      for (int k = 0; k < 4; ++k) length += x[std::size_t(link.q + k)] * x[std::size_t(link.q + k)];
      expect_near(length.coefficients, std::array{1., 0., 0., 0.}, 1e-15);
    }
  });
}

TEST(TaylorDynamics, OrdersNest) {
  Random random(4);
  const Tree tree = random_tree(random, 15);
  const Values q = random_coordinates(random, tree);
  const std::vector<Values> v = random_motion(random, tree, 6);
  const std::vector<Values> all = inverse_dynamics_rates(tree, q, v);
  ASSERT_EQ(all.size(), 7U);
  for (std::size_t order = 1; order < 6; ++order) {
    const std::vector<Values> some = inverse_dynamics_rates(tree, q, std::span(v).first(order + 2));
    ASSERT_EQ(some.size(), order + 1);
    for (std::size_t k = 0; k <= order; ++k) EXPECT_LT(relative(some[k], all[k]), 1e-14);
  }
}

TEST(TaylorDynamics, DoesNotAllocate) {
  Random random(6);
  const Tree tree = random_tree(random, 30);
  const Values q = random_coordinates(random, tree);
  const std::vector<Values> v = random_motion(random, tree, 3);
  const std::vector<const double*> velocities = pointers(v);
  TaylorDynamics<3> work(tree);
  EXPECT_EQ(count_allocations([&] { inverse_dynamics_rates(tree, q, velocities, work); }), 0);
}

TEST(TaylorDynamics, CheckedFunctionSaysWhatIsWrong) {
  Random random(7);
  const Tree tree = random_tree(random, 3);
  const Values q = random_coordinates(random, tree);
  std::vector<Values> v = random_motion(random, tree, 0);
  expect_says(message([&] { inverse_dynamics_rates(tree, q, v); }), "3 to 8 vectors");
  v = random_motion(random, tree, 7);
  expect_says(message([&] { inverse_dynamics_rates(tree, q, v); }), "there are 9 vectors");
  v.resize(4);
  v[3].push_back(0);
  expect_says(message([&] { inverse_dynamics_rates(tree, q, v); }), "velocities");
}

}  // namespace
}  // namespace axode::test::taylor_dynamics_test
