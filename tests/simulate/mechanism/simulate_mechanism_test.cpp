#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>

#include "axode/core/error.hpp"
#include "axode/simulate/run/simulate.hpp"
#include "tests/mechanism/mechanism_runs.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::simulate_mechanism_runs {

using namespace dynamic_mechanisms;

/// All families by all methods; the trajectories are those of minimal coordinates, 28 digits.
void expect_near_reference(const DynamicCase& c) {
  for (const FormulationOptions& f : families(c.mechanism.is_planar))
    for (const Method m : {Method::baumgarte, Method::projection, Method::augmented_lagrangian,
                           Method::null_space}) {
      const Followed run = follow(c, f, {.method = m, .rtol = 1e-10, .atol = 1e-11});
      EXPECT_EQ(run.result.ending, Ending::finished) << label(c, f, m) << run.result.message;
      EXPECT_LT(run.error, 1e-7) << label(c, f, m);
      EXPECT_LT(run.result.energy_drift, 2e-9 * run.result.energy_scale) << label(c, f, m);
      EXPECT_LT(run.result.mechanism.position_error, 1e-9) << label(c, f, m);
    }
}

TEST(SimulateMechanism, MethodsByTheirNamesInBothSpellings) {
  for (const Method method : methods_of(ModelKind::mechanism)) {
    std::string text(name(method));
    EXPECT_EQ(method_named(text, ModelKind::mechanism), method);
    std::ranges::replace(text, '-', '_');
    EXPECT_EQ(method_named(text, ModelKind::mechanism), method) << text;
  }
  expect_says(message([] { method_named("euler", ModelKind::mechanism); }), "choose automatic");
}

TEST(SimulateMechanism, DoublePendulum) { expect_near_reference(double_pendulum()); }
TEST(SimulateMechanism, FourBars) {
  for (std::size_t k = 0; k < 3; ++k) expect_near_reference(four_bar(k));
}
TEST(SimulateMechanism, SliderCranks) {
  for (std::size_t k = 0; k < 2; ++k) expect_near_reference(slider_crank(k));
}

/// Reference and runs agree to 1e-8 in angles at 0.03 s, in velocities relative to 1000 rad/s.
TEST(SimulateMechanism, AndrewsSqueezer) {
  const DynamicCase c = andrews();
  for (const FormulationOptions& f : families(true))
    for (const Method m : {Method::projection, Method::augmented_lagrangian, Method::null_space}) {
      const Followed run = follow(c, f, {.method = m, .rtol = 1e-11, .atol = 1e-12});
      EXPECT_EQ(run.result.ending, Ending::finished) << label(c, f, m) << run.result.message;
      EXPECT_LT(run.error, 1e-8) << label(c, f, m);
    }
}

struct Row {
  DynamicCase c = four_bar(0);
  MechanismSystem system{
      make_equations(c.mechanism, {.family = CoordinateFamily::reference_point})};
  Start start = state_of(system, c);
};

TEST(SimulateMechanism, StartsThatMissTheEquations) {
  Row row;
  row.start.q[0] += 1e-3;
  const RunResult refused = axode::simulate(row.system, {row.start.q, row.start.v},
                                            {.duration = .1, .mechanism = {.exact_start = true}});
  EXPECT_EQ(refused.ending, Ending::not_assembled);
  EXPECT_NE(refused.message.find("equation 'A"), std::string::npos) << refused.message;
  const RunResult moved = axode::simulate(row.system, {row.start.q, row.start.v}, {.duration = .1});
  EXPECT_EQ(moved.ending, Ending::finished);
  EXPECT_LT(moved.mechanism.position_error, 1e-13);

  row.start = state_of(row.system, row.c);
  row.start.v[2] += 1;
  const RunResult fast = axode::simulate(row.system, {row.start.q, row.start.v},
                                         {.duration = .1, .mechanism = {.exact_start = true}});
  EXPECT_EQ(fast.ending, Ending::inconsistent_velocity);
  EXPECT_NE(fast.message.find("equation '"), std::string::npos) << fast.message;
}

TEST(SimulateMechanism, CannotBeAssembled) {
  Row row;
  DynamicCase c = row.c;
  c.mechanism.joints[2].point[0].x = 0.1;  // a coupler that does not reach
  MechanismSystem system(
      make_equations(c.mechanism, {.family = CoordinateFamily::reference_point}));
  const Start start = state_of(system, c);
  const RunResult run = axode::simulate(system, {start.q, start.v}, {});
  EXPECT_EQ(run.ending, Ending::not_assembled);
  EXPECT_NE(run.message.find("equation '"), std::string::npos) << run.message;
}

TEST(SimulateMechanism, SamplesStopsAndFixedSteps) {
  Row row;
  std::vector<double> times;
  const auto note = [&](const Sample& s) { times.push_back(s.t); };
  SimulateOptions options{.start = 1, .duration = .05, .step = .005};
  options.sample_interval = 0;
  const RunResult every =
      axode::simulate(row.system, {row.start.q, row.start.v}, options, {.sample = note});
  EXPECT_EQ(every.statistics.steps, 10);
  EXPECT_EQ(times.size(), 11u);
  EXPECT_NEAR(times.back(), 1.05, 1e-15);
  const std::atomic<bool> stop = true;
  options.stop = &stop;
  EXPECT_EQ(axode::simulate(row.system, {row.start.q, row.start.v}, options).ending,
            Ending::stopped);
}

TEST(SimulateMechanism, RefusesMisuse) {
  Row row;
  EXPECT_THROW(axode::simulate(row.system, {{1}, {}}, {}), Error);
  EXPECT_THROW(axode::simulate(row.system, {row.start.q, row.start.v}, {.duration = -1}), Error);
  EXPECT_THROW(axode::simulate(row.system, {row.start.q, row.start.v}, {.rtol = -1}), Error);
  row.start.q[1] = std::nan("");
  EXPECT_THROW(axode::simulate(row.system, {row.start.q, row.start.v}, {}), Error);
  EXPECT_EQ(name(Method::null_space), "null-space");
  EXPECT_EQ(name(Ending::not_converged), "not converged");
}

}  // namespace axode::test::simulate_mechanism_runs
