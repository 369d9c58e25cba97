#include "axode/mechanism/dynamics/linearize.hpp"

#include <gtest/gtest.h>

#include "axode/mechanism/analysis/assemble.hpp"
#include "axode/mechanism/dynamics/mechanism_dynamics.hpp"
#include "tests/mechanism/mechanisms.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"

namespace axode::test::mechanism_linearize {
namespace {

using namespace mechanisms;

/// A rod on a pin with spring and damper.
Mechanism pendulum(double angle) {
  Mechanism m = empty_mechanism("pendulum", true);
  m.gravity = {0, -10, 0};
  const int bar = add_body(m, "bar", planar_place({0, 0}, angle), planar_inertia(2, {1, 0}, 0.5));
  add_pin(m, "A", {0, bar}, {0, 0}, {0, 0});
  m.coordinate_forces.push_back({.name = "k", .coordinate = 0, .stiffness = 30, .damping = 0.7});
  return m;
}

/// Five bars on two feet, two degrees of freedom, with springs and a damper.
Mechanism five_bar() {
  Mechanism m = empty_mechanism("five_bar", true);
  m.gravity = {0, -9.81, 0};
  const Point left{0, 0}, right{2, 0}, knee{0.3, 1}, other{1.9, 1.2}, top{1.2, 2};
  const auto bar = [&](const char* name, const Point& a, const Point& b, double mass) {
    const double length = std::hypot(b[0] - a[0], b[1] - a[1]);
    add_body(m, name, planar_place(a, std::atan2(b[1] - a[1], b[0] - a[0])),
             planar_inertia(mass, {0.4 * length, 0.1}, 0.2 * mass));
    return length;
  };
  const double l1 = bar("a", left, knee, 1), l2 = bar("b", knee, top, 2);
  const double l3 = bar("c", right, other, 1.5), l4 = bar("d", other, top, 0.7);
  add_pin(m, "A", {0, 1}, left, {0, 0});
  add_pin(m, "B", {1, 2}, {l1, 0}, {0, 0});
  add_pin(m, "C", {0, 3}, right, {0, 0});
  add_pin(m, "D", {3, 4}, {l3, 0}, {0, 0});
  add_pin(m, "E", {2, 4}, {l2, 0}, {l4, 0});
  m.coordinate_forces.push_back({.name = "s", .coordinate = 1, .stiffness = 8, .damping = 0.4});
  m.springs.push_back({.name = "p",
                       .body = {0, 2},
                       .point = {Vec3<double>{-1, 1, 0}, Vec3<double>{0.5, 0.2, 0}},
                       .stiffness = 20,
                       .length = 1,
                       .damping = 0.3});
  return m;
}

TEST(LinearizeMechanism, PendulumIsThatOfTheBooks) {
  constexpr double inertia = 2.5, m_g_l = 20, k = 30, d = 0.7;
  for (const double angle : {-1.2, 0.0, 0.4, 2.0})
    for (const auto& o : formulations(true)) {
      MechanismSystem system(make_equations(pendulum(angle), o));
      const Assembly at = assemble(system);
      ASSERT_TRUE(at.is_assembled()) << at.message;
      const MechanismLinearization l = linearize(system, at.q, at.v);
      ASSERT_TRUE(l.solved) << l.message;
      EXPECT_EQ(l.independent, std::vector<int>{0});
      EXPECT_NEAR(l.q[0], angle, 1e-14);
      EXPECT_NEAR(l.M(0, 0), inertia, 1e-12) << label(o);
      EXPECT_NEAR(l.D(0, 0), d, 1e-12) << label(o);
      EXPECT_NEAR(l.K(0, 0), k - m_g_l * std::sin(angle), 1e-11) << label(o);
      EXPECT_NEAR(l.tau[0], m_g_l * std::cos(angle) + k * angle, 1e-11) << label(o);
      EXPECT_NEAR(l.A(1, 0), -l.K(0, 0) / inertia, 1e-11);
      EXPECT_NEAR(l.A(1, 1), -d / inertia, 1e-12);
      EXPECT_NEAR(l.B(1, 0), 1 / inertia, 1e-12);
      EXPECT_EQ(l.A(0, 1), 1);
    }
}

TEST(LinearizeMechanism, FourBarsOscillateAsTheReferences) {
  const auto data = read_json("mechanisms/fourbar_statics_invdyn.json");
  int stable = 0;
  for (const auto& c : data["cases"])
    for (const auto& e : c["equilibria"]) {
      if (!e["stable"]) continue;
      ++stable;
      FourBar f = four_bar_of(c["params"]);
      f.phi = number(e, "q");
      for (const auto& o : formulations(true)) {
        MechanismSystem system(make_equations(four_bar(f), o));
        const Assembly at = assemble(system);
        ASSERT_TRUE(at.is_assembled()) << at.message;
        const MechanismLinearization l = linearize(system, at.q, at.v, {.independent = {0}});
        ASSERT_TRUE(l.solved) << l.message;
        const double omega = number(e, "small_oscillation_omega");
        EXPECT_NEAR(std::sqrt(l.K(0, 0) / l.M(0, 0)), omega, 1e-7 * (1 + omega)) << label(o);
        EXPECT_NEAR(l.tau[0], 0, 1e-7) << label(o);
      }
    }
  EXPECT_EQ(stable, 2);
}

/// z'' at z, z' with forces tau on the coordinates, by the accelerations of a mechanism that has them as
/// constant forces.
std::vector<double> accelerations(Mechanism m, const FormulationOptions& o,
                                  const std::vector<int>& independent, const std::vector<double>& z,
                                  const std::vector<double>& zd, const std::vector<double>& tau,
                                  double t) {
  AssembleOptions state{.t = t};
  for (std::size_t k = 0; k < independent.size(); ++k) {
    const std::string& name = m.coordinates[independent[k]].name;
    state.values.push_back({name, z[k]});
    state.rates.push_back({name, zd[k]});
    m.coordinate_forces.push_back(
        {.name = "tau", .coordinate = independent[k], .force = [f = tau[k]](double) { return f; }});
  }
  MechanismSystem system(make_equations(m, o));
  const Assembly at = assemble(system, state);
  EXPECT_TRUE(at.is_assembled()) << at.message;
  std::vector<double> a(at.v.size()), lambda(system.constraints());
  MechanismDynamics dynamics(system);
  EXPECT_TRUE(dynamics.accelerate(t, at.q, at.v, a, lambda)) << dynamics.why();
  std::vector<SE3<double>> poses(m.bodies.size());
  std::vector<Twist<Rep::hybrid>> twists(m.bodies.size());
  std::vector<Vec6<double>> rates(m.bodies.size());
  system.motion(at.q, at.v, poses, twists);
  system.accelerations(at.q, at.v, a, rates);
  std::vector<double> result;
  for (const int c : independent)
    result.push_back(measure(m, c, poses, twists, rates).acceleration);
  return result;
}

/// Rows of A and B of z'' by differences of accelerations, of order four.
void expect_slopes(const Mechanism& m, const FormulationOptions& o, const MechanismLinearization& l,
                   double t, double tolerance) {
  const int n = l.M.rows;
  const auto at = [&](int which, int k, double step) {
    std::vector<std::vector<double>> x{l.q, l.v, l.tau};
    x[which][k] += step;
    return accelerations(m, o, l.independent, x[0], x[1], x[2], t);
  };
  constexpr double h = 1e-4;
  for (int which = 0; which < 3; ++which)
    for (int k = 0; k < n; ++k) {
      const std::vector<double> more = at(which, k, h), less = at(which, k, -h);
      const std::vector<double> most = at(which, k, 2 * h), least = at(which, k, -2 * h);
      for (int i = 0; i < n; ++i) {
        const double slope = (8 * (more[i] - less[i]) - (most[i] - least[i])) / (12 * h);
        const double found = which == 2 ? l.B(n + i, k) : l.A(n + i, which * n + k);
        EXPECT_NEAR(found, slope, tolerance * (1 + std::abs(slope)))
            << label(o) << "d z''" << i << " by "
            << "zvt"[which] << k;
      }
    }
  const std::vector<double> now = accelerations(m, o, l.independent, l.q, l.v, l.tau, t);
  for (int i = 0; i < n; ++i) EXPECT_NEAR(l.a[i], now[i], 1e-9 * (1 + std::abs(now[i])));
}

TEST(LinearizeMechanism, FiveBarAsDifferencesOfAccelerations) {
  const Mechanism m = five_bar();
  for (const auto& o : formulations(true))
    for (const bool moves : {false, true})
      for (const bool is_free : {false, true}) {
        MechanismSystem system(make_equations(m, o));
        AssembleOptions state;
        if (moves) state.rates = {{"A.angle", 1.5}, {"C.angle", -2}};
        const Assembly at = assemble(system, state);
        ASSERT_TRUE(at.is_assembled()) << at.message;
        MechanismLinearizeOptions how;
        if (is_free) how.independent = {0, 2}, how.tau = {0.5, -1};
        const MechanismLinearization l = linearize(system, at.q, at.v, how);
        ASSERT_TRUE(l.solved) << l.message;
        expect_slopes(m, o, l, 0, 1e-6);
      }
}

TEST(LinearizeMechanism, DriversMoveWhatTheyHold) {
  Mechanism m = five_bar();
  add_driver(m, "A.angle", [](double t) {
    return TimeValue{1.2 + 0.3 * std::sin(2 * t), 0.6 * std::cos(2 * t), -1.2 * std::sin(2 * t)};
  });
  for (const auto& o : formulations(true)) {
    MechanismSystem system(make_equations(m, o));
    const Assembly at = assemble(system, {.t = 0.4, .rates = {{"C.angle", 0.7}}});
    ASSERT_TRUE(at.is_assembled()) << at.message;
    const MechanismLinearization l =
        linearize(system, at.q, at.v, {.t = 0.4, .independent = {2}, .tau = {0.2}});
    ASSERT_TRUE(l.solved) << l.message;
    expect_slopes(m, o, l, 0.4, 1e-6);
  }
}

/// In space: a bar on a universal joint, another on it by a revolute one, in all forms of attitudes.
TEST(LinearizeMechanism, SpatialChainAsDifferencesOfAccelerations) {
  Mechanism m = empty_mechanism("chain", false);
  m.gravity = {0, 0, -9.81};
  const Inertia<double> inertia{2, {0.1, 0.5, 0}, Sym3<double>::diagonal({0.3, 0.1, 0.35})};
  const int upper = add_body(m, "upper", {exp(Vec3<double>{0.4, 0, 0}), {}}, inertia);
  const SO3<double> R = exp(Vec3<double>{0.4, 0, 0});
  const int lower = add_body(m, "lower", {R, R * Vec3<double>{0, 1, 0}}, inertia);
  add_joint(m, axis_joint("U", PairType::universal, {0, upper}, {}, {}, {1, 0, 0}, {0, 0, 1}));
  add_joint(
      m, axis_joint("R", PairType::revolute, {upper, lower}, {0, 1, 0}, {}, {1, 0, 0}, {1, 0, 0}));
  m.coordinate_forces.push_back({.name = "s", .coordinate = 2, .stiffness = 8, .damping = 0.4});
  for (const auto& o : formulations(false))
    for (const bool moves : {false, true}) {
      MechanismSystem system(make_equations(m, o));
      AssembleOptions state;
      if (moves) state.rates = {{"U.angle", 1.5}, {"U.angle2", -1}, {"R.angle", 0.5}};
      const Assembly at = assemble(system, state);
      ASSERT_TRUE(at.is_assembled()) << at.message;
      const MechanismLinearization l =
          linearize(system, at.q, at.v, {.independent = {0, 1, 2}, .tau = {1, 0, -2}});
      ASSERT_TRUE(l.solved) << l.message;
      expect_slopes(m, o, l, 0, 1e-6);
    }
}

/// Equations made without the drivers of the mechanism are those of a mechanism that has none.
TEST(LinearizeMechanism, LeavesDriversOutAsTheEquationsDo) {
  const Mechanism free = pendulum(0.4);
  Mechanism driven = free;
  add_driver(driven, "A.angle", constant_in_time(0.4));
  for (FormulationOptions o : formulations(true)) {
    MechanismSystem expected_system(make_equations(free, o));
    o.with_drivers = false;
    MechanismSystem system(make_equations(driven, o));
    const Assembly at = assemble(expected_system);
    const MechanismLinearization expected = linearize(expected_system, at.q, at.v);
    const MechanismLinearization found = linearize(system, at.q, at.v);
    ASSERT_TRUE(found.solved) << label(o) << found.message;
    EXPECT_EQ(found.A.values, expected.A.values) << label(o);
    EXPECT_EQ(found.tau, expected.tau) << label(o);
  }
}

TEST(LinearizeMechanism, SaysWhyNot) {
  Mechanism m = pendulum(0.3);
  m.bodies[1].inertia = {};
  MechanismSystem light(make_equations(m, {}));
  const Assembly at = assemble(light);
  EXPECT_EQ(linearize(light, at.q, at.v).message, "the motion of 'A.angle' has no inertia");
  add_driver(m, "A.angle", constant_in_time(0.3));
  MechanismSystem driven(make_equations(m, {}));
  const Assembly fixed = assemble(driven);
  EXPECT_EQ(linearize(driven, fixed.q, fixed.v).message, "no degree of freedom is left");
  EXPECT_EQ(linearize(driven, fixed.q, fixed.v).remedy, "remove drivers, or measure coordinates");
  expect_says(message([&] { (void)linearize(driven, fixed.q, fixed.v, {.independent = {0}}); }),
              "coordinate 'A.angle' has a driver");
  expect_says(message([&] { (void)linearize(light, at.q, at.v, {.independent = {1}}); }),
              "1 is not the number of a coordinate");
  expect_says(message([&] { (void)linearize(light, at.q, {}); }), "wrong number of numbers");
  MechanismSystem bars(make_equations(five_bar(), {}));
  const Assembly there = assemble(bars);
  EXPECT_EQ(linearize(bars, there.q, there.v, {.independent = {0}}).message,
            "1 coordinates for 2 degrees of freedom");
}

}  // namespace
}  // namespace axode::test::mechanism_linearize
