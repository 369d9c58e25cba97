#include <gtest/gtest.h>

#include <atomic>

#include "axode/simulate/run/simulate.hpp"
#include "tests/mechanism/mechanisms.hpp"

namespace axode::test::simulate_mechanism_limits {
namespace {

using namespace mechanisms;

/// A run that needs too many steps ends, and one step with a million samples hears the flag.
TEST(SimulateMechanismLimits, OfStepsAndAmongSamples) {
  Mechanism m = empty_mechanism("slide", true);
  m.gravity = {0, -9.81, 0};
  const int block = add_body(m, "block", planar_place({0, 1}, 0), planar_inertia(3, {0, 0}, .2));
  add_joint(m, {.name = "S",
                .type = PairType::prismatic,
                .body = {0, block},
                .axis = {Vec3<double>{0, 1, 0}, Vec3<double>{0, 1, 0}}});
  for (const FormulationOptions& form : formulations(true))
    for (const Method method : methods_of(ModelKind::mechanism)) {
      const std::string what = label(form) + " by " + std::string(name(method));
      MechanismSystem system(make_equations(m, form));
      const std::vector<double> q = system.from_poses(reference_poses(m));
      const std::vector<double> v(system.equations().velocities(), 0.0);
      const RunResult run = axode::simulate(
          system, {q, v}, {.method = method, .step = 1e-3, .max_steps = 3, .sample_interval = 0});
      EXPECT_EQ(run.ending, Ending::step_limit) << what;
      EXPECT_EQ(run.statistics.steps, 3) << what;
      EXPECT_NE(run.message.find("max_steps"), std::string::npos) << run.message;
      std::atomic<bool> stop = false;
      long samples = 0;
      const RunResult stopped = axode::simulate(
          system, {q, v}, {.method = method, .sample_interval = 1e-9, .stop = &stop},
          {.sample = [&](const Sample&) {
            if (++samples == 7) stop = true;
          }});
      EXPECT_EQ(stopped.ending, Ending::stopped) << what;
      EXPECT_LE(samples, 8) << what;  // the last state is a sample, too
    }
}

}  // namespace
}  // namespace axode::test::simulate_mechanism_limits
