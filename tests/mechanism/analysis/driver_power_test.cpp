// Energy is conserved whatever the coordinates: on every shipped mechanism, in every family, the power
// of drivers, dampers and forces that depend on time is dE/dt, at ten times. E is taken on both sides
// along the accelerations found; the force of a driver is the same in all families.
#include "axode/mechanism/analysis/mobility.hpp"
#include "axode/mechanism/dynamics/mechanism_dynamics.hpp"
#include "axode/mechanism/dynamics/reactions.hpp"
#include "axode/simulate/run/simulate.hpp"
#include "tests/mechanism/book_cases.hpp"

namespace axode::test::driver_power {
namespace {

constexpr int times = 10;
double time_of(int k) { return .02 + .04 * k; }

struct State {
  std::vector<double> q, v, a, lambda;
};

/// What is kept from family to family, at each time.
struct Forces {
  std::vector<double> of_drivers;
  double energy_rate = 0, kinetic = 0;
};

/// Kinetic energy of bodies with the inertia that the file gives them.
double kinetic_energy(MechanismSystem& system, const Mechanism& m, std::span<const double> q,
                      std::span<const double> v) {
  std::vector<SE3<double>> poses(m.bodies.size());
  std::vector<Twist<Rep::hybrid>> twists(m.bodies.size());
  system.motion(q, v, poses, twists);
  double sum = 0;
  for (std::size_t b = 1; b < m.bodies.size(); ++b) {
    const Inertia<double>& I = m.bodies[b].inertia;
    const Vec3<double>& w = twists[b].angular;
    const Vec3<double> w_B = inverse_times(poses[b].R, w);
    sum += I.mass * squared_norm(twists[b].linear + cross(w, poses[b].R * I.com)) / 2;
    sum += dot(w_B, I.about_com * w_B) / 2;
  }
  return sum;
}
double energy_at(MechanismSystem& system, const Mechanism& m, double t, const State& s, double h) {
  std::vector<double> step(s.v.size()), v(s.v), q(s.q);
  for (std::size_t k = 0; k < step.size(); ++k) {
    step[k] = h * s.v[k] + h * h / 2 * s.a[k];
    v[k] += h * s.a[k];
  }
  plus(system.configuration(), s.q, step, q);
  return kinetic_energy(system, m, q, v) + system.potential_energy(t + h, q);
}
/// dE/dt by differences of order 4, over a thousandth of a radian or metre.
double energy_rate(MechanismSystem& system, const Mechanism& m, double t, const State& s) {
  double fastest = 1;
  for (const double v : s.v) fastest = std::max(fastest, std::abs(v));
  const double h = 1e-3 / fastest;
  const auto slope = [&](double step) {
    return (energy_at(system, m, t, s, step) - energy_at(system, m, t, s, -step)) / (2 * step);
  };
  return (4 * slope(h / 2) - slope(h)) / 3;
}

/// Power and dE/dt, and the largest power that any single cause has.
Forces check_state(MechanismSystem& system, const Mechanism& m, double t, const State& s) {
  MechanismDynamics dynamics(system);
  const std::vector<double> none(s.lambda.size());
  const double others = dynamics.power(t, s.q, s.v, none);
  double of_drivers = 0, scale = std::abs(others);
  const ReactionsResult r = reactions(system, t, s.q, s.v, s.a);
  Forces forces;
  for (const DriverForce& d : r.drivers) {
    const double power = d.force * m.drivers[d.driver].motion(t).rate;
    of_drivers += power;
    scale = std::max(scale, std::abs(power));
    forces.of_drivers.push_back(d.force);
  }
  forces.energy_rate = energy_rate(system, m, t, s);
  forces.kinetic = system.kinetic_energy(s.q, s.v);
  EXPECT_NEAR(forces.kinetic, kinetic_energy(system, m, s.q, s.v), 1e-12 * forces.kinetic);
  // What bodies exchange with each other is measured by their kinetic energy.
  scale = std::max({scale, std::abs(forces.energy_rate), forces.kinetic, 1e-6});
  EXPECT_NEAR(forces.energy_rate, others + of_drivers, 2e-7 * scale) << "reactions";
  EXPECT_NEAR(forces.energy_rate, dynamics.power(t, s.q, s.v, r.lambda), 2e-7 * scale);
  EXPECT_TRUE(r.consistent) << r.message;
  return forces;
}

/// The motion that drivers determine, or of a run where they do not.
std::vector<State> driven(MechanismSystem& system) {
  std::vector<State> states;
  std::vector<double> q = book::start(system);
  for (int k = 0; k < times; ++k) {
    const book::Solved s = book::solve(system, time_of(k), q);
    EXPECT_TRUE(s.position.converged) << s.position.message;
    EXPECT_TRUE(s.velocity.consistent && s.velocity.unique) << s.velocity.message;
    EXPECT_TRUE(s.acceleration.consistent && s.acceleration.unique) << s.acceleration.message;
    if (!s.position.converged) return {};
    q = s.q;
    states.push_back({s.q, s.v, s.a, std::vector<double>(system.constraints())});
  }
  return states;
}

/// Where a run is at a time, also where Euler angles have changed their seats since.
std::vector<State> free(MechanismSystem& system) {
  std::vector<State> states;
  std::vector<double> q = book::start(system), v(system.equations().velocities());
  EXPECT_TRUE(solve_position(system, 0, q).converged);
  EXPECT_TRUE(solve_velocity(system, 0, q, v).consistent);
  for (int k = 0; k < times; ++k) {
    const RunResult run = axode::simulate(
        system, {q, v},
        {.start = k == 0 ? 0 : time_of(k - 1), .duration = k == 0 ? time_of(0) : .04});
    EXPECT_EQ(run.ending, Ending::finished) << run.message;
    q = run.last.q;
    v = run.last.v;
    State s{q, v, v, std::vector<double>(system.constraints())};
    MechanismDynamics dynamics(system);
    dynamics.count_redundant(time_of(k), q);
    EXPECT_TRUE(dynamics.multipliers(time_of(k), q, v, s.a, s.lambda)) << dynamics.why();
    states.push_back(std::move(s));
  }
  return states;
}

bool is_driven(const Mechanism& m) {
  MechanismSystem system(make_equations(m, {.family = CoordinateFamily::natural}));
  const book::Solved s = book::solve(system, time_of(0), book::start(system));
  return s.position.converged && s.velocity.unique;
}

class DriverPower : public testing::TestWithParam<std::string> {};

TEST_P(DriverPower, IsTheRateOfEnergy) {
  const Mechanism m = load_mechanism(book::models / GetParam());
  const bool determined = is_driven(m);
  std::vector<Forces> first;
  for (const book::Formulation& f : book::formulations(m)) {
    MechanismSystem system(make_equations(m, f.options));
    const std::vector<State> states = determined ? driven(system) : free(system);
    ASSERT_EQ(states.size(), std::size_t(times)) << f.label;
    for (int k = 0; k < times; ++k) {
      SCOPED_TRACE(f.label + ", t = " + std::to_string(time_of(k)));
      const Forces forces = check_state(system, m, time_of(k), states[k]);
      if (std::ssize(first) <= k) first.push_back(forces);
      if (!determined) continue;  // runs may start with other velocities
      double scale = forces.kinetic;
      for (const double x : first[k].of_drivers) scale = std::max(scale, std::abs(x));
      for (std::size_t d = 0; d < forces.of_drivers.size(); ++d)
        EXPECT_NEAR(forces.of_drivers[d], first[k].of_drivers[d], 1e-8 * scale);
      EXPECT_NEAR(forces.kinetic, first[k].kinetic, 1e-9 * (scale + first[k].kinetic));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shipped, DriverPower, testing::ValuesIn(book::shipped()), book::test_name);

}  // namespace
}  // namespace axode::test::driver_power
