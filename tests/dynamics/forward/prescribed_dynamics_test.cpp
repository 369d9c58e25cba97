#include "axode/dynamics/forward/prescribed_dynamics.hpp"

#include <gtest/gtest.h>

#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/engine/calls.hpp"
#include "axode/lie/dual.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::prescribed_dynamics_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double relative_error(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0, size = 1;
  for (std::size_t k = 0; k < b.size(); ++k) {
    worst = std::max(worst, largest_difference(a[k], b[k]));
    size = std::max(size, std::abs(b[k]));
  }
  return worst / size;
}

/// A whole motion: accelerations and the forces they need, by inverse dynamics.
struct Whole {
  Tree tree;
  std::vector<double> q, v, a, tau;
  std::vector<Wrench<Rep::body>> external;
};
Whole random_motion(Random& random, int bodies, const RandomTreeOptions& options = {}) {
  Whole w{random_tree(random, bodies, options), {}, {}, {}, {}, {}};
  for (Dof& dof : w.tree.dofs)
    dof = {.damping = random.uniform(0, 1),
           .friction = random.uniform(0, 1),
           .armature = options.zero_mass ? 0 : random.uniform(0, .3)};
  for (std::size_t i = 0; i < w.tree.bodies.size(); ++i) {
    const Vec6<double> W = random.vec6();
    w.external.push_back({W.angular, W.linear});
  }
  w.q = random_coordinates(random, w.tree);
  w.v = random_velocities(random, w.tree);
  w.a = random_velocities(random, w.tree, 5);
  w.tau.resize(w.a.size());
  InverseDynamics<Rep::hybrid> work(w.tree);
  inverse_dynamics<Rep::hybrid, double>(w.tree, poses(w.tree, w.q), w.v, w.a, work, w.tau,
                                        w.external);
  return w;
}

/// Of each degree of freedom one half is told; the other must come out. What is not given is not looked at.
double completion_error(const Whole& w, const std::vector<Given>& given) {
  std::vector<double> a = w.a, tau = w.tau;
  for (std::size_t k = 0; k < given.size(); ++k) (given[k] == Given::force ? a : tau)[k] = nan;
  const PrescribedDynamics all =
      prescribed_dynamics(w.tree, w.q, w.v, given, a, tau, {.body_wrenches = w.external});
  return std::max(relative_error(all.a, w.a), relative_error(all.tau, w.tau));
}

std::vector<Given> random_given(Random& random, std::size_t n) {
  std::vector<Given> given(n);
  const int share = random.integer(0, 4);
  for (Given& g : given) g = random.integer(0, 3) < share ? Given::acceleration : Given::force;
  return given;
}

TEST(PrescribedDynamics, CompletesAMotion) {
  double worst = 0;
  for_random_cases(200, [&](Random& random) {
    const Whole w = random_motion(random, random.integer(1, 40));
    const double error = completion_error(w, random_given(random, w.a.size()));
    EXPECT_LT(error, 1e-9);
    worst = std::max(worst, error);
  });
  record("worst_relative_error", worst);
}

/// With all forces given it is forward dynamics, with all accelerations inverse dynamics.
TEST(PrescribedDynamics, ExtremesAreForwardAndInverseDynamics) {
  for_random_cases(50, [](Random& random) {
    const Whole w = random_motion(random, random.integer(1, 20));
    const std::vector<Given> forces(w.a.size(), Given::force);
    const std::vector<Given> accelerations(w.a.size(), Given::acceleration);
    std::vector<double> a(w.a.size()), tau = w.tau;
    ForwardDynamics<Rep::body> work(w.tree);
    EXPECT_TRUE((prescribed_dynamics<double>(w.tree, poses(w.tree, w.q), w.v, forces, work, a, tau,
                                             w.external)
                     .ok()));
    EXPECT_EQ(a, reference::forward_dynamics(w.tree, w.q, w.v, w.tau, Rep::body,
                                             {.body_wrenches = w.external}));
    EXPECT_LT(completion_error(w, accelerations), 1e-12);
  });
}

/// Prescribed degrees of freedom need no inertia.
TEST(PrescribedDynamics, BodiesWithoutMassMovedAsPrescribed) {
  double worst = 0;
  for_random_cases(50, [&](Random& random) {
    const Whole w = random_motion(random, random.integer(1, 20), {.zero_mass = true});
    std::vector<Given> given = random_given(random, w.a.size());
    for (std::size_t i = 0; i < w.tree.links.size(); ++i)
      if (w.tree.bodies[i].inertia.mass == 0)
        std::fill_n(given.begin() + w.tree.links[i].v, w.tree.links[i].nv, Given::acceleration);
    const double error = completion_error(w, given);
    EXPECT_LT(error, 1e-9);
    worst = std::max(worst, error);
  });
  record("worst_relative_error", worst);
}

/// A pendulum on a cart that is moved: m l^2 q'' = -m l (g sin q + x'' cos q).
TEST(PrescribedDynamics, PendulumOnAMovedCart) {
  const double m = 1.5, M = 4, l = .6, g = 9.81;
  const Tree tree = TreeBuilder{}
                        .body("cart", {.mass = M})
                        .joint("rail", prismatic({.axis = {1, 0, 0}}))
                        .body("bob", {.mass = m, .com = {0, 0, -l}})
                        .on("cart")
                        .joint("pivot", revolute({.axis = {0, -1, 0}}))
                        .build();
  const std::array<std::string_view, 1> moved{"rail"};
  const double q = .7, w = 2, x = 3;
  const PrescribedDynamics all = prescribed_dynamics(tree, std::vector{.2, q}, std::vector{1., w},
                                                     given_accelerations(tree, moved),
                                                     std::vector{x, nan}, std::vector{nan, 0.});
  const double a = -(g * std::sin(q) + x * std::cos(q)) / l;
  expect_near(all.a[1], a, 1e-13 * std::abs(a));
  expect_near(all.tau[0], (M + m) * x + m * l * (a * std::cos(q) - w * w * std::sin(q)), 1e-12);
}

TEST(PrescribedDynamics, DualNumbersDifferentiate) {
  for_random_cases(10, [](Random& random) {
    using D = Dual<double>;
    const Whole w = random_motion(random, 6);
    const std::vector<Given> given = random_given(random, w.a.size());
    const double h = 1e-6;
    const auto moved = [&](double step) {
      std::vector<double> d(w.v.size(), step), q(w.q), v(w.v), a(w.a), tau(w.tau);
      plus<double>(w.tree, w.q, d, q);
      for (std::size_t k = 0; k < v.size(); ++k) v[k] += step, a[k] -= step, tau[k] += 2 * step;
      return prescribed_dynamics(w.tree, q, v, given, a, tau);
    };
    std::vector<D> q(w.q.begin(), w.q.end()), d(w.v.size(), D(0, 1)), v, a, tau;
    plus<D>(w.tree, q, d, q);
    for (std::size_t k = 0; k < w.v.size(); ++k) {
      v.emplace_back(w.v[k], 1);
      a.emplace_back(w.a[k], -1);
      tau.emplace_back(w.tau[k], 2);
    }
    Poses<D> p(w.tree);
    poses<D>(w.tree, q, p);
    ForwardDynamics<Rep::body, D> work(w.tree);
    EXPECT_TRUE(prescribed_dynamics<D>(w.tree, p, v, given, work, a, tau).ok());
    const PrescribedDynamics forth = moved(h), back = moved(-h);
    std::vector<double> exact, numeric;
    for (std::size_t k = 0; k < a.size(); ++k) {
      exact.insert(exact.end(), {a[k].dual, tau[k].dual});
      numeric.insert(numeric.end(),
                     {(forth.a[k] - back.a[k]) / (2 * h), (forth.tau[k] - back.tau[k]) / (2 * h)});
    }
    EXPECT_LT(relative_error(exact, numeric), 1e-6);
  });
}

/// A degree of freedom of given acceleration does not answer others, whatever it did in the call before: a
/// needle that turns about itself has little inertia, but it has some.
TEST(PrescribedDynamics, PrescribedFreedomsDoNotRespond) {
  const Tree tree = TreeBuilder{}
                        .body("sleeve")
                        .joint("outer", revolute({}))
                        .body("needle", {1, {}, Sym3<double>::diagonal({1, 1, 1e-14})})
                        .on("sleeve")
                        .joint("inner", revolute({}))
                        .build();
  const Poses<double> p = poses(tree, std::vector{0., 0.});
  std::vector<double> a(2, 0.), tau(2, 0.), v(2, 0.);
  ForwardDynamics<Rep::body> work(tree);
  EXPECT_EQ(
      prescribed_dynamics<double>(tree, p, v, std::vector{Given::force, Given::force}, work, a, tau)
          .singular_body,
      0);
  EXPECT_TRUE(prescribed_dynamics<double>(
                  tree, p, v, std::vector{Given::force, Given::acceleration}, work, a, tau)
                  .ok());
}

TEST(PrescribedDynamics, AllocatesNothingOnceMade) {
  Random random(9);
  Whole w = random_motion(random, 40);
  const std::vector<Given> given = random_given(random, w.a.size());
  const Poses<double> p = poses(w.tree, w.q);
  ForwardDynamics<Rep::body> work(w.tree);
  EXPECT_EQ(count_allocations([&] {
              static_cast<void>(
                  prescribed_dynamics<double>(w.tree, p, w.v, given, work, w.a, w.tau, w.external));
            }),
            0);
}

TEST(PrescribedDynamics, RefusesWhatCannotBe) {
  const Tree tree = TreeBuilder{}
                        .body("a")
                        .joint("massless", revolute({}))
                        .body("b", {1, {.1, 0, 0}, Sym3<double>::diagonal({1, 1, 1})})
                        .joint("leader", revolute({}))
                        .body("c", {1, {.1, 0, 0}, Sym3<double>::diagonal({1, 1, 1})})
                        .joint("follower", revolute({}))
                        .mimic("leader", 2)
                        .build();
  const std::vector<double> zero(3, 0), bad{0, nan, 0};
  const std::vector<Given> accelerations(3, Given::acceleration);
  std::vector<Given> given = accelerations;
  const auto refused = [&](In<double> a, In<Given> g) {
    return message([&] { prescribed_dynamics(tree, zero, zero, g, a, zero); });
  };
  EXPECT_NO_THROW(prescribed_dynamics(tree, zero, zero, given, zero, zero));
  expect_says(refused(bad, given), "'leader', is not finite");
  expect_says(refused(zero, In<Given>(given).first(2)), "2 entries, the tree has 3");
  given[0] = Given::force;
  expect_says(refused(zero, given), "joint 'massless' moves no inertia");
  given = accelerations;
  given[2] = Given::force;
  expect_says(refused(zero, given), "joint 'follower' is coupled");
  given = accelerations;
  given[1] = Given::force;
  expect_says(refused(zero, given), "joint 'leader' is coupled");
  const std::vector<double> kept{0, 1, 2}, broken{0, 1, 1};
  EXPECT_NO_THROW(prescribed_dynamics(tree, kept, kept, accelerations, kept, zero));
  expect_says(refused(broken, accelerations),
              "prescribed dynamics: joint 'follower' does not follow its leader");
  for (const bool of_q : {false, true})
    expect_says(message([&] {
                  prescribed_dynamics(tree, of_q ? broken : kept, of_q ? kept : broken,
                                      accelerations, kept, zero);
                }),
                "joint 'follower' does not follow");
  expect_says(message([&] {
                prescribed_dynamics(tree, zero, zero, accelerations, zero, zero,
                                    {.external = {{.on = "d", .wrench = {}}}});
              }),
              "'d'");
  const std::array<std::string_view, 1> unknown{"folower"};
  expect_says(message([&] { given_accelerations(tree, unknown); }), "follower");
}

}  // namespace
}  // namespace axode::test::prescribed_dynamics_test
