#include "axode/simulate/systems/flexible_system.hpp"

#include <gtest/gtest.h>

#include "axode/integrate/system.hpp"
#include "axode/simulate/systems/deflection_watch.hpp"
#include "tests/simulate/flexible_runs.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::flexible_system {
namespace {

static_assert(Mechanical<FlexibleSystem> && Lagrangian<FlexibleSystem>);
static_assert(Constrained<FlexibleSystem>);

struct State {
  std::vector<double> q, v, x;
};
State first_state(const std::string& chain, std::size_t k = 1) {
  const nlohmann::json state = read_json("flexible/vectors_" + chain + ".json")["states"][k];
  State s{flat(state["q"]), flat(state["u"]), {}};
  s.x = s.q;
  s.x.insert(s.x.end(), s.v.begin(), s.v.end());
  s.x.push_back(0);
  return s;
}
double largest(std::span<const double> a) {
  double most = 0;
  for (const double x : a) most = std::max(most, std::abs(x));
  return most;
}

TEST(FlexibleSystem, AccelerationsMeetReferences) {
  for (const std::string chain : {"pendulum1", "planar2", "arm4"}) {
    const FlexibleTree tree = reference_chain(chain);
    const nlohmann::json states = read_json("flexible/vectors_" + chain + ".json")["states"];
    for (const auto& state : states)
      for (const FlexibleModel model : {FlexibleModel::linear, FlexibleModel::nonlinear}) {
        FlexibleForces forces;
        for (const double torque : flat(state["T"])) forces.joint_forces.emplace_back(torque);
        FlexibleSystem system(tree, forces, {model, {}, false});
        const std::vector<double> q = flat(state["q"]), v = flat(state["u"]);
        std::vector<double> a(q.size());
        ASSERT_TRUE(system.acceleration(0, q, v, a));
        const std::vector<double> expected =
            flat(state[model == FlexibleModel::linear ? "lin_xyz" : "nonlin_xyz"]["udot"]);
        for (std::size_t i = 0; i < a.size(); ++i)
          EXPECT_NEAR(a[i], expected[i], 1e-9 * largest(expected));
      }
  }
}

TEST(FlexibleSystem, JacobianIsTheDerivative) {
  const FlexibleManoeuvre m = reference_manoeuvre("arm4");
  for (const FlexibleModel model : {FlexibleModel::linear, FlexibleModel::nonlinear}) {
    FlexibleSystem system(m.tree, m.forces, {model, {}, false});
    const State s = first_state("arm4");
    const std::size_t n = s.x.size();
    std::vector<double> rows(n * n), x = s.x, plus(n), minus(n);
    ASSERT_TRUE(system.jacobian(1, s.x, rows));
    for (std::size_t j = 0; j < n; ++j) {  // central differences with another step
      constexpr double h = 2e-5;
      x[j] = s.x[j] + h;
      ASSERT_TRUE(system.rate(1, x, plus));
      x[j] = s.x[j] - h;
      ASSERT_TRUE(system.rate(1, x, minus));
      x[j] = s.x[j];
      double scale = 1;
      for (std::size_t i = 0; i < n; ++i) scale = std::max(scale, std::abs(rows[i * n + j]));
      for (std::size_t i = 0; i < n; ++i)
        EXPECT_NEAR(rows[i * n + j], (plus[i] - minus[i]) / (2 * h), 1e-4 * scale);
    }
  }
}

TEST(FlexibleSystem, PrescribedJointNeedsTheForceThatMovesItSo) {
  const FlexibleTree tree = reference_chain("arm4");
  FlexibleForces forces;
  forces.prescribed = {{.coordinate = 1, .motion = polynomial_in_time(.3, -.7, 2)},
                       {.coordinate = 3, .motion = constant_in_time(.2)}};
  FlexibleSystem system(tree, forces, {FlexibleModel::nonlinear, {}, false});
  const State s = first_state("arm4");
  std::vector<double> a(s.q.size()), free(s.q.size());
  ASSERT_TRUE(system.acceleration(0, s.q, s.v, a));
  EXPECT_EQ(a[1], 2);
  EXPECT_EQ(a[3], 0);
  FlexibleForces same;
  for (int i = 0; i < 4; ++i) same.joint_forces.emplace_back(system.tau()[i]);
  FlexibleSystem other(tree, same, {FlexibleModel::nonlinear, {}, false});
  ASSERT_TRUE(other.acceleration(0, system.q(), system.v(), free));
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(free[i], a[i], 1e-9 * largest(a));
}

TEST(FlexibleSystem, LagrangianRateIsTheDerivativeOfTheLagrangian) {
  const FlexibleTree tree = reference_chain("arm4");
  const FlexibleForces forces;
  FlexibleSystem system(tree, forces, {FlexibleModel::nonlinear, {}, false});
  const State s = first_state("arm4");
  const std::size_t n = s.q.size();
  std::vector<double> g(n), p(n), q = s.q;
  ASSERT_TRUE(system.lagrangian_rate(0, s.q, s.v, g));
  const auto lagrangian = [&] {
    system.place(0, q, s.v);
    const FlexibleDynamics::Energies e = system.energies();
    return e.kinetic - e.gravity - e.elastic;
  };
  for (std::size_t j = 0; j < n; ++j) {
    constexpr double h = 1e-5;
    q[j] = s.q[j] + h;
    const double after = lagrangian();
    q[j] = s.q[j] - h;
    const double before = lagrangian();
    q[j] = s.q[j];
    EXPECT_NEAR(g[j], (after - before) / (2 * h), 1e-6 * largest(g)) << j;
  }
  ASSERT_TRUE(system.momentum(s.q, s.v, p));
  ASSERT_TRUE(system.solve_mass(s.q, p));
  for (std::size_t j = 0; j < n; ++j) EXPECT_NEAR(p[j], s.v[j], 1e-9 * largest(s.v));
}

TEST(FlexibleSystem, ResidualVanishesAtTheAcceleration) {
  const FlexibleManoeuvre m = reference_manoeuvre("arm4");
  FlexibleSystem system(m.tree, m.forces);
  const State s = first_state("arm4");
  std::vector<double> a(s.q.size()), force(s.q.size());
  ASSERT_TRUE(system.acceleration(1, s.q, s.v, a));
  const ConstrainedPoint at{1, s.q, s.v, a, {}};
  ASSERT_TRUE(system.residual(at, {force, {}, {}}));
  EXPECT_LE(largest(force), 1e-12 * largest(a) * 1e4);
}

TEST(FlexibleSystem, LoadsAndTheirFactorsAct) {
  const FlexibleTree tree = reference_chain("pendulum1");
  FlexibleForces forces;
  forces.loads = {{.link = 0, .station = 3, .wrench = {{}, {0, 10, 0}}, .follows = false}};
  forces.load_factors = {Signal(samples({0, 1}, {0, 2}))};
  FlexibleSystem system(tree, forces);
  const std::vector<double> rest(3);
  system.place(.25, rest, rest);
  ASSERT_TRUE(system.evaluate(.25));
  EXPECT_NEAR(system.tau()[0], .5 * 10 * 3, 1e-12);  // factor, force, lever
  EXPECT_EQ(next_discontinuity(forces, .25), 1);
}

/// With all elastic coordinates kept exact, loads act as on the exact model.
TEST(FlexibleSystem, LoadsMeetCoordinatesKeptExact) {
  const FlexibleTree tree = reference_chain("pendulum1_3d_tipmassmodes");
  FlexibleForces forces;
  forces.loads = {{.link = 0, .station = 3, .wrench = {{5, 0, 0}, {0, 10, -20}}, .follows = true}};
  FlexibleSystem kept(tree, forces, {FlexibleModel::linear, {1, 2, 3, 4, 5, 6}, false}),
      exact(tree, forces, {FlexibleModel::nonlinear, {}, false}), linear(tree, forces);
  const std::vector<double> q{.3, .05, .02, .1, -.05, .08, .03}, v(7);
  std::vector<double> a(7), b(7), c(7);
  ASSERT_TRUE(kept.acceleration(0, q, v, a));
  ASSERT_TRUE(exact.acceleration(0, q, v, b));
  ASSERT_TRUE(linear.acceleration(0, q, v, c));
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(a[i], b[i], 1e-8 * largest(b)) << i;
  EXPECT_GT(std::abs(c[1] - b[1]), 1e-4 * largest(b));
}

TEST(FlexibleSystem, DefinitenessFallsWithDeflection) {
  const FlexibleTree tree = reference_chain("arm4");
  const FlexibleForces forces;
  FlexibleSystem system(tree, forces);
  State s = first_state("arm4");
  std::fill(s.q.begin() + tree.joints, s.q.end(), 0.);
  system.place(0, s.q, s.v);
  EXPECT_NEAR(system.definiteness().left, 1, 1e-9);
  EXPECT_GT(system.smallest_mass(), 0);
  std::fill(s.q.begin() + tree.joints, s.q.end(), 1.);
  system.place(0, s.q, s.v);
  EXPECT_EQ(system.definiteness().left, 0);
  EXPECT_LT(system.smallest_mass(), 0);
  std::vector<double> a(s.q.size());
  EXPECT_FALSE(system.acceleration(.5, s.q, s.v, a));
  EXPECT_EQ(system.failed_at(), .5);
  system.take_exact(true);
  EXPECT_TRUE(system.acceleration(.6, s.q, s.v, a));
  EXPECT_EQ(system.fallbacks(), 1);
}

TEST(FlexibleSystem, RatesDoNotAllocate) {
  const FlexibleManoeuvre m = reference_manoeuvre("arm4");
  FlexibleSystem system(m.tree, m.forces);
  const State s = first_state("arm4");
  std::vector<double> rate(s.x.size());
  EXPECT_EQ(count_allocations([&] { system.rate(1, s.x, rate); }), 0);
}

TEST(FlexibleSystem, ControlSwitchesAndIsChecked) {
  const FlexibleManoeuvre m = reference_manoeuvre("arm4");
  FlexibleSystem system(m.tree, m.forces);
  const std::vector<double> rest(16);
  const FlexibleControl& c = m.forces.control;
  for (const auto& [t, k] : {std::pair{-1., 0U}, std::pair{.4, 0U}, std::pair{.5, 1U},
                             std::pair{3., 2U}, std::pair{9., 2U}}) {
    system.place(t, rest, rest);
    ASSERT_TRUE(system.evaluate(t));
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(system.tau()[i], c.kp[i] * c.targets[k][i], 1e-9);
  }
  EXPECT_EQ(next_discontinuity(m.forces, 0), .5);
  EXPECT_EQ(next_discontinuity(m.forces, .5), 3);
  EXPECT_EQ(next_discontinuity(m.forces, 3), INFINITY);
  const auto error = [&](auto&& change) {
    FlexibleForces forces = m.forces;
    change(forces);
    return message([&] { check_forces(m.tree, forces); });
  };
  expect_says(error([](auto& f) { f.control.kp.pop_back(); }), "gains");
  expect_says(error([](auto& f) { f.control.targets.pop_back(); }), "targets");
  expect_says(error([](auto& f) { f.control.times[0] = 2; }), "rise");
  expect_says(error([](auto& f) { f.control.targets[1].push_back(0); }), "target");
  expect_says(error([](auto& f) { f.joint_forces = {Signal(1)}; }), "joint forces");
  expect_says(error([](auto& f) { f.load_factors = {Signal(1)}; }), "load factors");
  expect_says(error([](auto& f) { f.prescribed = {{4, constant_in_time(0)}}; }), "not a joint");
  expect_says(error([](auto& f) { f.prescribed = {{0, {}}}; }), "no function");
  const auto starts_to_move = [](double t) { return t < 1 ? TimeValue{} : TimeValue{t - 1, 1, 0}; };
  expect_says(error([&](auto& f) { f.prescribed = {{0, starts_to_move, {1}}}; }), "jumps at 1");
  expect_says(error([](auto& f) {
                f.prescribed = {{0, constant_in_time(0)}};
              }),
              "control does nothing");
}

}  // namespace
}  // namespace axode::test::flexible_system
