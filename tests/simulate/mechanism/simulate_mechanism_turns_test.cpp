// Angles of a run go on over full turns however far apart samples are, from the turn they begin on.
#include <gtest/gtest.h>

#include "axode/mechanism/analysis/assemble.hpp"
#include "axode/mechanism/equations/formulate.hpp"
#include "axode/simulate/run/simulate.hpp"
#include "tests/mechanism/mechanisms.hpp"

namespace axode::test::simulate_turns {
namespace {

using namespace mechanisms;

constexpr std::array methods{Method::projection, Method::null_space,
                             Method::generalized_alpha_stabilized, Method::ida};

/// A rotor under a constant torque: angle = t^2 + 40 t.
TEST(SimulateMechanismTurns, OfAFreeRotor) {
  Mechanism m = empty_mechanism("rotor", true);
  const int rotor = add_body(m, "rotor", {}, planar_inertia(1, {0, 0}, 2));
  add_pin(m, "A", {0, rotor}, {0, 0}, {0, 0});
  m.coordinate_forces.push_back({.coordinate = 0, .force = [](double) { return 4.; }});
  for (const FormulationOptions& o : formulations(true))
    for (const Method method : methods) {
      MechanismSystem system(make_equations(m, o));
      const auto q = system.from_poses(reference_poses(m));
      std::vector<Twist<Rep::hybrid>> twists(2);
      twists[1].angular.z = 40;
      std::vector<double> seen;
      const RunResult run = axode::simulate(
          system, {q, system.from_twists(q, twists)},
          {.duration = 6, .method = method, .rtol = 1e-8, .atol = 1e-10, .sample_interval = 2},
          {.sample = [&](const Sample& s) { seen.push_back(s.coordinates[0].value); }});
      ASSERT_EQ(run.ending, Ending::finished) << label(o) << run.message;
      EXPECT_TRUE(run.mechanism.sure_of_turns);
      ASSERT_EQ(seen.size(), 4U);
      for (std::size_t k = 0; k < seen.size(); ++k) {
        const double t = 2 * static_cast<double>(k);
        EXPECT_NEAR(seen[k], t * t + 40 * t, .05) << label(o) << ", " << name(method);
      }
    }
}

/// A crank that is driven unevenly, from a turn that is not the first.
TEST(SimulateMechanismTurns, OfADrivenCrank) {
  const auto motion = [](double t) {
    return TimeValue{9 + 25 * t + 6 * std::sin(7 * t), 25 + 42 * std::cos(7 * t),
                     -294 * std::sin(7 * t)};
  };
  Mechanism m = four_bar({.phi = 9});
  m.drivers.push_back({"A.angle", 0, motion});
  for (const FormulationOptions& o : formulations(true)) {
    MechanismSystem system(make_equations(m, o));
    const auto q = system.from_poses(reference_poses(m));
    const std::vector<double> v(system.equations().velocities());
    int samples = 0;
    const RunResult run = axode::simulate(
        system, {q, v}, {.duration = 3, .rtol = 1e-6, .atol = 1e-8, .sample_interval = 1.5},
        {.sample = [&](const Sample& s) {
          ++samples;
          EXPECT_NEAR(s.coordinates[0].value, motion(s.t).value, 1e-6) << label(o);
          EXPECT_NEAR(s.coordinates[0].rate, motion(s.t).rate, 1e-5) << label(o);
        }});
    ASSERT_EQ(run.ending, Ending::finished) << label(o) << run.message;
    EXPECT_EQ(samples, 3);
    EXPECT_TRUE(run.mechanism.sure_of_turns);
  }
}

/// A spring wound up by a starting value beyond half a turn has the same energy in all coordinates.
TEST(SimulateMechanismTurns, BeginWithTheStartingValue) {
  for (const double start : {-20., -4., 7., 20.}) {
    Mechanism m = empty_mechanism("rotor", true);
    m.gravity = {};
    const int rotor = add_body(m, "rotor", {}, planar_inertia(1, {0, 0}, 2));
    add_pin(m, "A", {0, rotor}, {0, 0}, {0, 0});
    m.coordinate_forces.push_back({.coordinate = 0, .stiffness = 2});
    m.initial = {start};
    m.initial_rate = {0};
    for (const FormulationOptions& o : formulations(true)) {
      MechanismSystem system(make_equations(m, o));
      const Assembly begin = assemble(system, {.hold_start = true});
      ASSERT_TRUE(begin.is_assembled()) << label(o) << begin.message;
      std::vector<double> seen, energies;
      const RunResult run =
          axode::simulate(system, {begin.q, begin.v}, {.duration = 1, .sample_interval = 1},
                          {.sample = [&](const Sample& s) {
                            seen.push_back(s.coordinates[0].value);
                            energies.push_back(s.kinetic + s.potential + s.stored);
                          }});
      ASSERT_EQ(run.ending, Ending::finished) << label(o) << run.message;
      ASSERT_EQ(seen.size(), 2U);
      EXPECT_NEAR(seen[0], start, 1e-9) << label(o);
      EXPECT_NEAR(energies[0], start * start, 1e-6) << label(o);
      EXPECT_NEAR(seen[1], start * std::cos(1.), 1e-3) << label(o);
    }
  }
}

}  // namespace
}  // namespace axode::test::simulate_turns
