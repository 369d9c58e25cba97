/// What holds for every kind of model and each of its methods: checkpoints continue to the same bits,
/// events are found and act, the flag stops, energy and work balance.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <random>

#include "axode/core/error.hpp"
#include "axode/model/builder.hpp"
#include "axode/simulate/run/simulate.hpp"
#include "tests/mechanism/dynamic_spatial.hpp"
#include "tests/mechanism/mechanism_runs.hpp"
#include "tests/simulate/flexible_runs.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/sanitized.hpp"

namespace axode::test::simulate_all {
namespace {

using namespace dynamic_mechanisms;

/// A model with its initial state; each run begins with nothing of those before.
struct Case {
  std::string name;
  ModelKind kind;
  SimulateOptions options;
  std::function<RunResult(const SimulateOptions&, const RunObserver&, const Checkpoint*)> run;
};

/// Two bodies under gravity; `damping` of the joints does work.
Case tree_case(double damping) {
  const Tree tree =
      TreeBuilder{}
          .body("upper", {.mass = 2, .com = {0, 0, -.2}, .about_com = {.02, .03, .01}})
          .joint("shoulder", spherical({}))
          .damping(damping)
          .body("lower", {.mass = 1, .com = {0, 0, -.6}, .about_com = {.02, .03, .01}})
          .on("upper")
          .joint("elbow", revolute({.axis = {0, 1, 0}, .point = {0, 0, -.4}}))
          .damping(damping)
          .build();
  const State<double> start{neutral(tree), {1, .5, .3, 2}};
  Forces nothing;
  nothing.friction.on = nothing.stops.on = false;
  return {"tree",
          ModelKind::tree,
          {.duration = .4},
          [tree, start, nothing](const SimulateOptions& o, const RunObserver& observer,
                                 const Checkpoint* resume) {
            SimulateOptions mine = o;
            if (o.method == Method::ida || o.method == Method::generalized_alpha)
              mine.formulation = Formulation::absolute;
            return axode::simulate(tree, nothing, start, mine, observer, resume);
          }};
}

Case mechanism_case(DynamicCase c, const FormulationOptions& formulation, double damping) {
  if (damping > 0) c.mechanism.coordinate_forces.push_back({.coordinate = 0, .damping = damping});
  return {c.name + " " + std::string(name(formulation.family)) + "/" +
              std::to_string(static_cast<int>(formulation.attitude)),
          ModelKind::mechanism,
          {.duration = .4},
          [c, formulation](const SimulateOptions& o, const RunObserver& observer,
                           const Checkpoint* resume) {
            MechanismSystem system(make_equations(c.mechanism, formulation));
            const Start start = state_of(system, c);
            return axode::simulate(system, {start.q, start.v}, o, observer, resume);
          }};
}

Case flexible_case(const FlexibleManoeuvre& m, FlexibleModel model, bool fall_back = false) {
  SimulateOptions options{.duration = .05, .rtol = 1e-5, .atol = 1e-7};
  options.flexible.dynamics = {model, {}, fall_back};
  return {"flexible " + std::string(name(model)), ModelKind::flexible_tree, options,
          [m](const SimulateOptions& o, const RunObserver& observer, const Checkpoint* resume) {
            return axode::simulate(m.tree, m.forces, {m.q, m.v}, o, observer, resume);
          }};
}

/// Everything a run shows, to the bit: NaN is the same as NaN.
struct Shown {
  RunResult result;
  std::vector<std::vector<double>> rows;
  std::vector<double> event_times;
  std::vector<Checkpoint> checkpoints;
};
Shown shown(const Case& c, const SimulateOptions& options, const Checkpoint* resume = nullptr) {
  Shown all;
  RunObserver observer;
  observer.sample = [&](const Sample& s) {
    std::vector<double> row{s.t, s.kinetic, s.potential, s.stored, s.work};
    for (const auto& numbers : {s.q, s.v, s.a, s.tau, s.lambda})
      row.insert(row.end(), numbers.begin(), numbers.end());
    for (const TimeValue& x : s.coordinates)
      row.insert(row.end(), {x.value, x.rate, x.acceleration});
    all.rows.push_back(std::move(row));
  };
  observer.event = [&](const EventRecord& e) { all.event_times.push_back(e.t); };
  observer.checkpoint = [&](const Checkpoint& at) { all.checkpoints.push_back(at); };
  all.result = c.run(options, observer, resume);
  return all;
}
bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}
void expect_same(const RunResult& rest, const RunResult& whole) {
  EXPECT_EQ(rest.ending, whole.ending) << rest.message;
  EXPECT_EQ(rest.message, whole.message);
  EXPECT_EQ(rest.warnings, whole.warnings);
  EXPECT_EQ(rest.t, whole.t);
  EXPECT_TRUE(same_bits(rest.last.q, whole.last.q) && same_bits(rest.last.v, whole.last.v));
  EXPECT_EQ(rest.samples, whole.samples);
  EXPECT_EQ(rest.fallbacks, whole.fallbacks);
  EXPECT_EQ(rest.energy_drift, whole.energy_drift);
  EXPECT_EQ(rest.energy_scale, whole.energy_scale);
  const StepStatistics &a = rest.statistics, &b = whole.statistics;
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.rejected, b.rejected);
  const MechanismRunFigures &m = rest.mechanism, &n = whole.mechanism;
  EXPECT_EQ(m.restarts, n.restarts);
  EXPECT_EQ(m.position_error, n.position_error);
  EXPECT_EQ(m.velocity_error, n.velocity_error);
  EXPECT_EQ(m.acceleration_residual, n.acceleration_residual);
  EXPECT_EQ(m.redundant, n.redundant);
  EXPECT_EQ(m.left_out, n.left_out);
  EXPECT_EQ(m.sure_of_turns, n.sure_of_turns);
}

/// Runs with checkpoints at random intervals; from some of them on all must be the same.
Shown expect_resumes(const Case& c, SimulateOptions options, int tries) {
  SCOPED_TRACE(c.name + " by " + std::string(name(options.method)));
  static std::mt19937 random(20261119);
  options.checkpoint_interval =
      options.duration * std::uniform_real_distribution<>(.02, .3)(random);
  if (is_sanitized()) tries = 1;
  Shown whole = shown(c, options);
  EXPECT_GE(whole.checkpoints.size(), 2U) << whole.result.message;
  for (int k = 0; k < tries && !whole.checkpoints.empty(); ++k) {
    const Checkpoint& from = whole.checkpoints[std::uniform_int_distribution<std::size_t>(
        0, whole.checkpoints.size() - 1)(random)];
    SCOPED_TRACE("from " + std::to_string(from.t));
    const Shown rest = shown(c, options, &from);
    expect_same(rest.result, whole.result);
    EXPECT_LE(rest.rows.size(), whole.rows.size());
    std::size_t before = whole.rows.size() - rest.rows.size();
    for (std::size_t i = 0; i < rest.rows.size(); ++i)
      EXPECT_TRUE(same_bits(rest.rows[i], whole.rows[before + i])) << rest.rows[i][0];
    EXPECT_TRUE(
        std::equal(rest.event_times.rbegin(), rest.event_times.rend(), whole.event_times.rbegin()));
    EXPECT_EQ(rest.checkpoints.size(),
              std::size_t(std::ranges::count_if(
                  whole.checkpoints, [&](const Checkpoint& p) { return p.t > from.t; })));
    for (std::size_t i = 0; i < rest.checkpoints.size(); ++i)
      EXPECT_TRUE(same_bits(
          rest.checkpoints[i].numbers,
          whole.checkpoints[whole.checkpoints.size() - rest.checkpoints.size() + i].numbers));
  }
  return whole;
}

SimulateOptions options_for(const Case& c, Method method) {
  SimulateOptions options = c.options;
  options.method = method;
  if (has_fixed_step(method)) options.step = options.duration / 300;
  if (method == Method::mk1) options.rtol = 1e-3, options.atol = 1e-5;
  return options;
}

TEST(SimulateAll, CheckpointsContinueToTheSameBitsByEveryMethod) {
  const std::vector<Case> cases{
      tree_case(.1),
      mechanism_case(four_bar(1), {.family = CoordinateFamily::natural}, .5),
      mechanism_case(four_bar(2), {.family = CoordinateFamily::reference_point}, .5),
      mechanism_case(four_bar(0), {.family = CoordinateFamily::relative}, 0),
      flexible_case(reference_manoeuvre("pendulum1"), FlexibleModel::linear),
      flexible_case(reference_manoeuvre("pendulum1"), FlexibleModel::nonlinear)};
  for (const Case& c : cases)
    for (const Method method : methods_of(c.kind)) expect_resumes(c, options_for(c, method), 3);
}

/// Forms of equations, seats of Euler angles and independent velocities change on the way.
TEST(SimulateAll, CheckpointsContinueAcrossRestarts) {
  for (const AttitudeForm form : {AttitudeForm::euler_angles, AttitudeForm::quasi_velocities}) {
    Case c = mechanism_case(rscr(0),
                            {.family = CoordinateFamily::reference_point, .attitude = form}, .1);
    c.options.duration = 2;
    for (const Method method : methods_of(ModelKind::mechanism)) {
      SimulateOptions options = options_for(c, method);
      if (method == Method::generalized_alpha || method == Method::generalized_alpha_stabilized)
        options.rtol = options.atol = 1e-5;
      const Shown whole = expect_resumes(c, options, 4);
      EXPECT_TRUE(form != AttitudeForm::euler_angles || whole.result.mechanism.restarts > 0);
    }
  }
  Case redundant = mechanism_case(bricard(), {.family = CoordinateFamily::reference_point}, 0);
  for (const Method method : {Method::projection, Method::generalized_alpha, Method::ida})
    EXPECT_EQ(
        expect_resumes(redundant, options_for(redundant, method), 2).result.mechanism.redundant, 1);
}

/// The linear equations of a flexible tree are left for the exact ones, and taken again.
TEST(SimulateAll, CheckpointsContinueAcrossAFallBack) {
  Case c = flexible_case(light_hub(), FlexibleModel::linear, true);
  c.options.duration = 3.2;
  c.options.rtol = 1e-6;
  for (const Method method : {Method::adams, Method::cvode}) {
    const Shown whole = expect_resumes(c, options_for(c, method), 4);
    EXPECT_GT(whole.result.fallbacks, 0);
    EXPECT_FALSE(whole.result.warnings.empty());
  }
}

/// A checkpoint at the end is followed by the sample of the end, but only where that was not due.
TEST(SimulateAll, CheckpointsAtTheEndContinue) {
  std::vector<Case> cases{tree_case(.1),
                          mechanism_case(four_bar(1), {.family = CoordinateFamily::natural}, .5),
                          flexible_case(reference_manoeuvre("pendulum1"), FlexibleModel::linear)};
  for (const Case& c : cases)
    for (const double interval : {.01, .03, 0.}) {
      SCOPED_TRACE(c.name + " " + std::to_string(interval));
      SimulateOptions options = c.options;
      options.duration = .05;
      options.sample_interval = interval;
      options.checkpoint_interval = options.duration / 2;
      const Shown whole = shown(c, options);
      const Checkpoint& last = whole.checkpoints.back();
      ASSERT_EQ(last.t, whole.result.t);
      const Shown rest = shown(c, options, &last);
      expect_same(rest.result, whole.result);
      const bool samples_the_end = c.kind == ModelKind::mechanism && interval == .03;
      EXPECT_EQ(rest.rows.size(), samples_the_end ? 1U : 0U);
    }
}

TEST(SimulateAll, RefusesCheckpointsOfOtherRuns) {
  const Case c = mechanism_case(four_bar(1), {.family = CoordinateFamily::natural}, .5);
  SimulateOptions options = options_for(c, Method::projection);
  options.checkpoint_interval = .1;
  Checkpoint saved = shown(c, options).checkpoints.at(1);
  const Case other = mechanism_case(four_bar(1), {.family = CoordinateFamily::relative}, .5);
  expect_says(message([&] { shown(other, options, &saved); }), "another");
  options.method = Method::null_space;
  expect_says(message([&] { shown(c, options, &saved); }), "another method");
  options.method = Method::projection;
  for (const std::size_t keep : {std::size_t{3}, std::size_t{20}, saved.numbers.size() - 1}) {
    Checkpoint cut = saved;
    cut.numbers.resize(keep);
    EXPECT_THROW(shown(c, options, &cut), Error) << keep;
  }
  const Case flexible = flexible_case(reference_manoeuvre("pendulum1"), FlexibleModel::linear);
  EXPECT_THROW(shown(flexible, options_for(flexible, Method::cvode), &saved), Error);
}

/// Conservative models that are turned back: they come to where they began, with the opposite velocity.
std::vector<Case> conservative() {
  FlexibleManoeuvre falling = reference_manoeuvre("pendulum1");
  falling.forces.control = {};
  Case flexible = flexible_case(falling, FlexibleModel::nonlinear);
  flexible.options.duration = .4;
  flexible.options.rtol = 1e-8, flexible.options.atol = 1e-10;
  std::vector<Case> all{tree_case(0), flexible};
  for (const CoordinateFamily family :
       {CoordinateFamily::natural, CoordinateFamily::relative, CoordinateFamily::reference_point})
    all.push_back(mechanism_case(four_bar(1), {.family = family}, 0));
  return all;
}

TEST(SimulateAll, EventsAreFoundAndAct) {
  for (const Case& c : conservative()) {
    SCOPED_TRACE(c.name);
    SimulateOptions options = c.options;
    options.rtol = std::min(options.rtol, 1e-8), options.atol = std::min(options.atol, 1e-10);
    options.sample_times = {0, options.duration / 2, options.duration};
    const Shown plain = shown(c, options);
    ASSERT_EQ(plain.result.ending, Ending::finished) << plain.result.message;
    const double there = plain.rows[1][5], when = options.duration / 2;  // q[0] at half the time
    SimulationEvent event{.name = "half way",
                          .value = [there](double, auto q, auto) { return q[0] - there; }};
    options.sample_times.clear();
    options.events = {event};
    const Shown seen = shown(c, options);
    ASSERT_FALSE(seen.event_times.empty());
    EXPECT_NEAR(seen.event_times[0], when, 1e-5);
    EXPECT_EQ(seen.result.ending, Ending::finished);

    options.events[0].terminal = true;
    const Shown ended = shown(c, options);
    EXPECT_EQ(ended.result.ending, Ending::event);
    EXPECT_EQ(ended.result.t, seen.event_times[0]);
    EXPECT_NEAR(ended.result.last.q[0], there, 1e-8);
    EXPECT_EQ(ended.rows.back()[0], ended.result.t);
    expect_says(ended.result.message, "event 'half way' ended the run");

    options.events[0].terminal = false;
    options.events[0].action = [](double, std::span<double>, std::span<double> v) {
      for (double& x : v) x = -x;
    };
    options.duration = 2 * seen.event_times[0];
    const Shown back = shown(c, options);
    ASSERT_EQ(back.result.ending, Ending::finished) << back.result.message;
    EXPECT_EQ(back.event_times.size(), 1U);
    const std::size_t nq = back.result.last.q.size(), nv = back.result.last.v.size();
    for (std::size_t k = 0; k < nq; ++k)
      EXPECT_NEAR(back.result.last.q[k], back.rows[0][5 + k], 1e-5) << k;
    for (std::size_t k = 0; k < nv; ++k)
      EXPECT_NEAR(back.result.last.v[k], -back.rows[0][5 + nq + k], 1e-3) << k;
    EXPECT_LT(back.result.energy_drift, 1e-5 * back.result.energy_scale);
    expect_resumes(c, options, 3);
  }
}

/// By every method that is exact enough to find the time.
TEST(SimulateAll, EventsByEveryMethod) {
  for (const Case& c : conservative()) {
    if (c.name == "flexible nonlinear") continue;  // by every method in simulate_flexible_test.cpp
    double there = 0;
    for (const Method method : methods_of(c.kind)) {
      if (method == Method::mk1 || method == Method::semi_implicit) continue;  // of order 1
      SCOPED_TRACE(c.name + " by " + std::string(name(method)));
      SimulateOptions options = options_for(c, method);
      if (method == Method::automatic) {
        options.sample_times = {options.duration / 2};
        options.rtol = 1e-9, options.atol = 1e-11;
        there = shown(c, options).rows[0][5];
        options = options_for(c, method);
      }
      options.events = {{.name = "half way",
                         .value = [&](double, auto q, auto) { return q[0] - there; },
                         .terminal = true}};
      const Shown ended = shown(c, options);
      EXPECT_EQ(ended.result.ending, Ending::event) << ended.result.message;
      EXPECT_NEAR(ended.result.t, options.duration / 2, 2e-3);
    }
  }
}

/// An action may leave a mechanism's equations: the nearest state that meets them is taken.
TEST(SimulateAll, ActionsOnMechanismsAreMovedOntoTheEquations) {
  const Case c = mechanism_case(four_bar(1), {.family = CoordinateFamily::reference_point}, 0);
  SimulateOptions options = c.options;
  options.events = {{.name = "kick", .value = [](double t, auto, auto) { return t - .1; }}};
  options.events[0].action = [](double, std::span<double> q, std::span<double> v) {
    q[0] += 1e-3;
    v[0] += 1;
  };
  const Shown kicked = shown(c, options);
  EXPECT_EQ(kicked.result.ending, Ending::finished) << kicked.result.message;
  EXPECT_LT(kicked.result.mechanism.position_error, 1e-9);
  EXPECT_LT(kicked.result.mechanism.velocity_error, 1e-7);
  EXPECT_LT(kicked.result.energy_drift, 1e-5 * kicked.result.energy_scale);
  options.events[0].action = [](double, std::span<double> q, std::span<double>) { q[0] = NAN; };
  expect_says(message([&] { shown(c, options); }), "finite numbers");
}

TEST(SimulateAll, TheFlagStops) {
  for (const Case& c : conservative())
    for (const Method method : methods_of(c.kind)) {
      SCOPED_TRACE(c.name + " by " + std::string(name(method)));
      std::atomic<bool> stop = false;
      SimulateOptions options = options_for(c, method);
      options.sample_interval = 1e-3;
      options.stop = &stop;
      long samples = 0, steps = 0;
      RunObserver observer;
      observer.sample = [&](const Sample&) { stop = ++samples >= 5; };
      observer.progress = [&](double, const StepStatistics& s) { steps = s.steps; };
      const RunResult result = c.run(options, observer, nullptr);
      EXPECT_EQ(result.ending, Ending::stopped);
      EXPECT_LE(samples, 6);
      EXPECT_EQ(result.samples, samples);
      EXPECT_LT(result.t, .05);
      EXPECT_LE(steps, result.statistics.steps);
    }
}

/// E - E0 = work, by losses and control too; the default tolerances are the same for all.
TEST(SimulateAll, EnergyAndWorkBalance) {
  std::vector<Case> cases{tree_case(.1),
                          flexible_case(reference_manoeuvre("arm4"), FlexibleModel::nonlinear)};
  for (const CoordinateFamily family :
       {CoordinateFamily::natural, CoordinateFamily::relative, CoordinateFamily::reference_point})
    cases.push_back(mechanism_case(four_bar(1), {.family = family}, .5));
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const Shown run = shown(c, {.duration = .5, .flexible = c.options.flexible});
    ASSERT_EQ(run.result.ending, Ending::finished) << run.result.message;
    EXPECT_NE(run.rows.back()[4], 0);  // work
    EXPECT_LT(run.result.energy_drift, 2e-4 * run.result.energy_scale);
    const auto energy = [&](const std::vector<double>& row) {  // springs are work of trees
      return row[1] + row[2] + (c.kind == ModelKind::flexible_tree ? row[3] : 0) - row[4];
    };
    for (const std::vector<double>& row : run.rows)
      EXPECT_LE(std::abs(energy(row) - energy(run.rows[0])),
                run.result.energy_drift * (1 + 1e-9) + 1e-12);
  }
}

}  // namespace
}  // namespace axode::test::simulate_all
