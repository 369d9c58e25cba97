#include "axode/simulate/systems/absolute_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "axode/core/error.hpp"
#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/models/coupled_tree.hpp"
#include "tests/support/models/random_tree.hpp"

namespace axode::test::absolute_system {

using Numbers = std::vector<double>;

Numbers random_numbers(Random& random, int n, double size = 1) {
  Numbers x(n);
  for (double& e : x) e = random.uniform(-size, size);
  return x;
}

double largest(std::span<const double> x) {
  double m = 0;
  for (const double e : x) m = std::max(m, std::abs(e));
  return m;
}

/// Residuals at a point, and the whole tangent as dense columns.
struct Probe {
  AbsoluteSystem* system;
  Numbers q, v, a, lambda;

  Numbers residual() {
    const std::size_t n = system->configuration().nv;
    const std::size_t m = system->constraints();
    Numbers r(n + 2 * m);
    EXPECT_TRUE(system->residual(
        {0.3, q, v, a, lambda},
        {std::span(r).first(n), std::span(r).subspan(n, m), std::span(r).subspan(n + m, m)}));
    return r;
  }
  SparseMatrix tangent(const TangentScale& scale) {
    SparseAssembly m;
    view(*system).tangent({0.3, q, v, a, lambda}, scale, m);
    return m.matrix;
  }
};

Numbers dense(const SparseMatrix& A) {
  Numbers d(A.size * A.size);
  for (int c = 0; c < A.size; ++c)
    for (int k = A.start[c]; k < A.start[c + 1]; ++k) d[A.row[k] + A.size * c] += A.value[k];
  return d;
}

Probe random_probe(Random& random, AbsoluteSystem& system, const Tree& tree) {
  const Numbers state =
      system.state(random_coordinates(random, tree), random_velocities(random, tree));
  const auto nx = static_cast<std::ptrdiff_t>(system.configuration().nx);
  return {&system,
          {state.begin(), state.begin() + nx},
          {state.begin() + nx, state.end()},
          random_numbers(random, system.configuration().nv),
          random_numbers(random, system.constraints())};
}

TEST(AbsoluteSystem, AccelerationsAreThoseOfForwardDynamics) {
  Random random(1);
  double worst = 0;
  for (int n = 0; n < 60; ++n) {
    const Tree tree = random_tree(random, random.integer(1, 9));
    const Numbers q = random_coordinates(random, tree), v = random_velocities(random, tree);
    const Numbers tau = random_velocities(random, tree, 3);
    std::vector<Wrench<Rep::body>> external(tree.size());
    for (auto& W : external) W = {random.vec3(), random.vec3()};
    AbsoluteSystem system(tree, {}, [&](double, auto, auto, auto, auto, auto joint, auto bodies) {
      for (std::size_t k = 0; k < tau.size(); ++k) joint[k] += tau[k];
      for (std::size_t i = 0; i < external.size(); ++i) bodies[i] += external[i];
      return true;
    });
    const Numbers state = system.state(q, v);
    Numbers a(system.configuration().nv);
    Numbers lambda(system.constraints());
    ConstrainedWork work;
    ASSERT_TRUE(consistent_acceleration(view(system), 0,
                                        std::span(state).first(system.configuration().nx),
                                        system.velocity(state), a, lambda, work));
    const Numbers expected = reference::forward_dynamics(
        tree, q, v, tau, Rep::body, {.body_wrenches = external, .effects = {.friction = false}});
    const double size = std::max(1.0, largest(expected));
    const auto got = system.tree_v(a);
    for (std::size_t k = 0; k < expected.size(); ++k)
      worst = std::max(worst, std::abs(got[k] - expected[k]) / size);
    for (std::size_t k = 0; k < q.size(); ++k) EXPECT_NEAR(system.tree_q(state)[k], q[k], 1e-12);
    for (std::size_t k = 0; k < v.size(); ++k)
      EXPECT_NEAR(system.tree_v(system.velocity(state))[k], v[k], 1e-12);
  }
  EXPECT_LT(worst, 1e-9);
}

TEST(AbsoluteSystem, StatesMeetTheConstraints) {
  Random random(2);
  for (int n = 0; n < 30; ++n) {
    const Tree tree = random_tree(random, 6);
    AbsoluteSystem system(tree);
    Probe probe = random_probe(random, system, tree);
    const Numbers r = probe.residual();
    EXPECT_LT(largest(std::span(r).subspan(system.configuration().nv)), 1e-12);
  }
}

/// A loop joint of six degrees of freedom, which restricts nothing, in turn in all its forms.
LoopJoint six_dofs(Random& random, int n, int bodies) {
  LoopJoint loop{.body_a = n % 2 == 0 ? -1 : 0,
                 .body_b = bodies - 1,
                 .on_a = random.pose(.5),
                 .on_b = random.pose(.5)};
  const Rep velocities[] = {Rep::body, Rep::spatial, Rep::hybrid};
  loop.joint = n % 4 == 3 ? free_joint({.coordinates = Coordinates::first_kind})
                          : free_joint({.velocity = velocities[n % 4]});
  if (n % 3 == 0) std::swap(loop.body_a, loop.body_b);
  return loop;
}

/// Derivatives by differences of 2e-6 against the tangent: K with Phi and G v along q, D along v, M
/// along a.
TEST(AbsoluteSystem, TangentsAreDerivatives) {
  Random random(3);
  for (int n = 0; n < 25; ++n) {
    const Tree tree = random_tree(random, random.integer(2, 5));
    AbsoluteSystem system(tree, {six_dofs(random, n, tree.size())});
    const Probe probe = random_probe(random, system, tree);
    const int nv = system.configuration().nv, size = nv + system.constraints();
    Probe moved = probe;
    const Numbers M = dense(moved.tangent({.mass = 1})), D = dense(moved.tangent({.damping = 1}));
    const Numbers K = dense(moved.tangent({.stiffness = 1}));
    const Numbers B = dense(moved.tangent({.rate = 1}));
    constexpr double step = 1e-6;
    for (int c = 0; c < nv; ++c) {
      Numbers d(nv);
      const auto along = [&](auto&& set) {
        Numbers r[2];
        for (int side = 0; side < 2; ++side) {
          moved = probe;
          d[c] = side == 0 ? -step : step;
          set(d);
          r[side] = moved.residual();
        }
        for (std::size_t k = 0; k < r[0].size(); ++k) r[0][k] = (r[1][k] - r[0][k]) / (2 * step);
        return r[0];
      };
      const auto add = [&](Numbers& x) { x[c] += d[c]; };
      const Numbers by_q =
          along([&](const Numbers& e) { plus(system.configuration(), moved.q, e, moved.q); });
      const Numbers by_v = along([&](const Numbers&) { add(moved.v); });
      const Numbers by_a = along([&](const Numbers&) { add(moved.a); });
      for (int r = 0; r < size; ++r) {
        const std::size_t at = r, entry = r + size * c;
        if (r < nv) {
          EXPECT_NEAR(by_a[at], M[entry], 1e-7);
          EXPECT_NEAR(by_v[at], D[entry], 1e-7);
          EXPECT_NEAR(by_q[at], K[entry], 1e-6);
        } else {
          EXPECT_NEAR(by_q[at], K[entry], 1e-7) << "position " << r - nv << " by " << c;
          EXPECT_NEAR(by_v[at + (size - nv)], M[entry], 1e-7);
          EXPECT_NEAR(by_q[at + (size - nv)], B[entry] - M[entry], 1e-6);
        }
      }
    }
  }
}

TEST(AbsoluteSystem, ConstraintRateIsThatOfTheConstraints) {
  Random random(4);
  for (int n = 0; n < 25; ++n) {
    const Tree tree = random_tree(random, 5);
    AbsoluteSystem system(tree);
    Probe probe = random_probe(random, system, tree);
    Numbers rate(system.constraints());
    system.constraint_rate({0, probe.q, probe.v, {}, {}}, rate);
    const Numbers start = probe.q;
    constexpr double step = 1e-6;
    Numbers r[2];
    for (int side = 0; side < 2; ++side) {
      Numbers d = probe.v;
      for (double& e : d) e *= side == 0 ? -step : step;
      plus(system.configuration(), start, d, probe.q);
      r[side] = probe.residual();
    }
    const std::size_t first = rate.size() + system.configuration().nv;
    for (std::size_t k = 0; k < rate.size(); ++k)
      EXPECT_NEAR((r[1][first + k] - r[0][first + k]) / (2 * step), rate[k], 1e-7);
  }
}

/// A four-bar whose guess is not closed: it closes near by, and a state that is closed stays.
TEST(AbsoluteSystem, ClosesLoopsNearTheGuess) {
  TreeBuilder b;
  const Inertia<double> inertia{1, {.5, 0, 0}, {.1, .1, .1, 0, 0, 0}};
  b.body("crank", inertia).joint("a", revolute({}), body_screws({}));
  b.body("coupler", inertia).on("crank");
  b.joint("b", revolute({}), body_screws(translation(Vec3<double>{1, 0, 0})));
  b.body("rocker", inertia);
  b.joint("c", revolute({}), body_screws(translation(Vec3<double>{2, 0, 0})));
  const std::vector<Vec6<double>> pin{
      {{}, {0, 0, 1}}, {{0, 0, 1}, {}}, {{0, 1, 0}, {}}, {{1, 0, 0}, {}}};
  AbsoluteSystem system(b.build(), {{.body_a = 1,
                                     .body_b = 2,
                                     .on_a = translation(Vec3<double>{2, 0, 0}),
                                     .on_b = translation(Vec3<double>{1, 0, 0}),
                                     .joint = screws_joint(pin)}});
  // A parallelogram at 1.2 rad, disturbed.
  const Numbers guess{1.25, -1.15, 1.1}, still{0, 0, 0};
  const Numbers state = system.state(guess, Numbers{1, 0, 0});
  const auto q = system.tree_q(state), v = system.tree_v(system.velocity(state));
  const double x = std::cos(q[0]) + 2 * std::cos(q[0] + q[1]) - 2 - std::cos(q[2]);
  const double y = std::sin(q[0]) + 2 * std::sin(q[0] + q[1]) - std::sin(q[2]);
  EXPECT_NEAR(x, 0, 1e-12);
  EXPECT_NEAR(y, 0, 1e-12);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(q[k], guess[k], .2);
  const double rate =
      std::cos(q[0]) * v[0] + 2 * std::cos(q[0] + q[1]) * (v[0] + v[1]) - std::cos(q[2]) * v[2];
  EXPECT_NEAR(rate, 0, 1e-12);
  EXPECT_GT(std::abs(v[0]), .1);
  const Numbers again = system.state(q, still);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(system.tree_q(again)[k], q[k], 1e-12);
}

TEST(AbsoluteSystem, RedundantLoopsAndWrongBodiesAreTold) {
  const Tree tree = TreeBuilder()
                        .body("a", {1, {}, {1, 1, 1}})
                        .joint("j", revolute({}))
                        .body("b", {1, {}, {1, 1, 1}})
                        .on("a")
                        .joint("k", revolute({.point = {1, 0, 0}}))
                        .build();
  EXPECT_THROW(AbsoluteSystem(tree, {{.body_a = -1, .body_b = 2}}), Error);
  EXPECT_THROW(AbsoluteSystem(tree, {{.body_a = 1, .body_b = 1}}), Error);
  AbsoluteSystem twice(tree, {{.body_a = -1, .body_b = 0, .joint = revolute({})}});
  EXPECT_THROW(twice.state(Numbers{0, 0}, Numbers{0, 0}), Error);
  EXPECT_THROW(twice.state(Numbers{0}, Numbers{0, 0}), Error);
}

}  // namespace axode::test::absolute_system
