#include "axode/simulate/run/simulate.hpp"

#include <cmath>
#include <cstring>

#include "axode/core/error.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/models/arms.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::simulate_runs {
namespace {

Forces nothing() {
  Forces forces;
  forces.friction.on = forces.stops.on = false;
  return forces;
}

/// A free base with a spherical and a revolute joint, damped, gravity.
Tree floating_tree() {
  return TreeBuilder{}
      .body("base", {.mass = 5, .com = {.1, 0, .05}, .about_com = {.2, .3, .25, 0, .01, 0}})
      .joint("float", free_joint())
      .body("left", {.mass = 1, .com = {.3, 0, 0}, .about_com = {.01, .03, .03, 0, 0, 0}})
      .on("base")
      .joint("l", revolute({.axis = {0, 1, 0}, .point = {.2, .1, 0}}))
      .damping(.1)
      .body("right", {.mass = 2, .com = {0, .3, 0}, .about_com = {.03, .01, .03, 0, 0, 0}})
      .on("base")
      .joint("r", spherical({.point = {-.2, .1, 0}}))
      .build();
}
State<double> floating_state(const Tree& tree) {
  Random random(3);
  return {random_coordinates(random, tree), random_velocities(random, tree)};
}

SimulateOptions options_of(Method method) {
  SimulateOptions options{.duration = .5, .method = method, .rtol = 1e-8, .atol = 1e-10};
  if (method == Method::generalized_alpha || method == Method::ida)
    options.formulation = Formulation::absolute;
  if (method == Method::mk1 || method == Method::generalized_alpha) options.rtol = 1e-5;
  if (has_fixed_step(method)) options.step = 1e-3;
  return options;
}

Tree pendulum(double mass = 1) {
  return TreeBuilder{}
      .body("rod", {.mass = mass, .com = {0, 0, -1}})
      .joint("pivot", revolute({.axis = {0, 1, 0}}))
      .build();
}

TEST(Simulate, AllMethodsAgreeInBothFormulations) {
  const Tree tree = floating_tree();
  const State<double> start = floating_state(tree);
  Forces forces = nothing();
  forces.springs.push_back({.velocity = 6, .stiffness = 20, .rest = .2, .damping = .3});
  const RunResult exact =
      simulate(tree, forces, start, {.duration = .5, .rtol = 1e-13, .atol = 1e-13});
  for (const Method method : methods_of(ModelKind::tree)) {
    const RunResult run = simulate(tree, forces, start, options_of(method));
    ASSERT_EQ(run.ending, Ending::finished) << name(method) << ": " << run.message;
    EXPECT_EQ(run.t, .5);
    std::vector<double> d(start.v.size());
    difference(tree, exact.last.q, run.last.q, d);
    double tolerance = 1e-6;
    if (method == Method::mk1 || method == Method::semi_implicit) tolerance = 2e-2;
    if (method == Method::generalized_alpha) tolerance = 1e-3;
    if (method == Method::momentum_preserving || method == Method::variational) tolerance = 1e-4;
    for (const double x : d) EXPECT_NEAR(x, 0, tolerance) << name(method);
    EXPECT_LT(run.energy_drift, 20 * tolerance * run.energy_scale) << name(method);
    EXPECT_EQ(run.samples, 51) << name(method);
  }
}

TEST(Simulate, TheSameInputGivesTheSameBits) {
  const Tree tree = floating_tree();
  const State<double> start = floating_state(tree);
  for (const Method method : methods_of(ModelKind::tree)) {
    const Trajectories a = simulate_to_memory(tree, nothing(), start, options_of(method)),
                       b = simulate_to_memory(tree, nothing(), start, options_of(method));
    EXPECT_EQ(a.q, b.q) << name(method);
    EXPECT_EQ(a.v, b.v) << name(method);
  }
}

TEST(Simulate, ContinuesFromACheckpointToTheSameBits) {
  const Tree tree = floating_tree();
  const State<double> start = floating_state(tree);
  Forces forces = nothing();  // a force that switches within the run
  forces.joint_forces.push_back(
      {.velocity = 6, .force = samples({0, .21, .33}, {1, -1, 0}, Between::hold)});
  for (const Method method : methods_of(ModelKind::tree)) {
    SimulateOptions options = options_of(method);
    options.checkpoint_interval = method == Method::ida ? .02 : .1;
    std::vector<Checkpoint> saved;
    std::vector<std::vector<double>> rows;
    RunObserver observer;
    observer.sample = [&](const Sample& s) {
      rows.push_back({s.t, s.work, s.kinetic, s.potential, s.stored});
      rows.back().insert(rows.back().end(), s.q.begin(), s.q.end());
      rows.back().insert(rows.back().end(), s.v.begin(), s.v.end());
      rows.back().insert(rows.back().end(), s.a.begin(), s.a.end());
    };
    observer.checkpoint = [&](const Checkpoint& c) { saved.push_back(c); };
    const RunResult whole = simulate(tree, forces, start, options, observer);
    ASSERT_GE(saved.size(), 4u) << name(method);
    const auto all = rows;
    const std::vector<Checkpoint> points = saved;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (points[i].t == options.duration) continue;
      rows.clear();
      const RunResult rest = simulate(tree, forces, start, options, observer, &points[i]);
      EXPECT_EQ(rest.last.q, whole.last.q) << name(method);
      EXPECT_EQ(rest.last.v, whole.last.v) << name(method);
      EXPECT_EQ(rest.statistics.steps, whole.statistics.steps) << name(method);
      EXPECT_EQ(rest.energy_drift, whole.energy_drift) << name(method);
      EXPECT_EQ(rest.samples, whole.samples) << name(method);
      ASSERT_LT(rows.size(), all.size());
      EXPECT_TRUE(std::equal(rows.rbegin(), rows.rend(), all.rbegin())) << name(method);
    }
    SimulateOptions other = options_of(method == Method::mk3 ? Method::mk4 : Method::mk3);
    if (method == Method::automatic) continue;
    EXPECT_THROW(simulate(tree, forces, start, other, {}, &points[0]), Error);
  }
}

TEST(Simulate, LocatesEventsAndActsOnThem) {
  // A ball that bounces with restitution 0.5 from 1 m: times by the textbook.
  const Tree tree = TreeBuilder{}
                        .body("ball", {.mass = 1})
                        .joint("height", prismatic({.axis = {0, 0, 1}}))
                        .build();
  for (const Method method : {Method::mk5, Method::cf4, Method::cvode, Method::generalized_alpha}) {
    SimulateOptions options = options_of(method);
    options.duration = 1.2;
    if (method != Method::generalized_alpha) options.rtol = 1e-10;
    options.events.push_back(
        {.name = "ground",
         .value = [](double, std::span<const double> q, std::span<const double>) { return q[0]; },
         .direction = -1,
         .action =
             [](double, std::span<double> q, std::span<double> v) {
               q[0] = 0;
               v[0] *= -.5;
             }});
    std::vector<double> times;
    RunObserver observer;
    observer.event = [&](const EventRecord& e) { times.push_back(e.t); };
    const RunResult run = simulate(tree, nothing(), {{1.}, {0.}}, options, observer);
    ASSERT_EQ(run.ending, Ending::finished) << run.message;
    const double fall = std::sqrt(2 / 9.81);
    ASSERT_GE(times.size(), 2u);
    const double tolerance = method == Method::generalized_alpha ? 1e-6 : 1e-9;
    EXPECT_NEAR(times[0], fall, tolerance) << name(method);
    EXPECT_NEAR(times[1], 2 * fall, tolerance) << name(method);
    EXPECT_LT(run.energy_drift, 1e-5);

    options.duration = 1.5;  // infinitely many before 1.355 s
    const RunResult zeno = simulate(tree, nothing(), {{1.}, {0.}}, options);
    EXPECT_EQ(zeno.ending, Ending::not_converged) << name(method) << times.size();
    EXPECT_NEAR(zeno.t, 3 * fall, 1e-3) << name(method);

    options.events[0].terminal = true;
    const RunResult first = simulate(tree, nothing(), {{1.}, {0.}}, options);
    EXPECT_EQ(first.ending, Ending::event);
    EXPECT_NEAR(first.t, fall, tolerance);
    EXPECT_NE(first.message.find("ground"), std::string::npos);
  }
}

// Whatever the method and its tolerance, a ball does not fall through the floor that throws it back.
TEST(Simulate, BallsStayAboveTheFloor) {
  const Tree tree = TreeBuilder{}
                        .body("ball", {.mass = 1})
                        .joint("height", prismatic({.axis = {0, 0, 1}}))
                        .build();
  for (const Method method : methods_of(ModelKind::tree))
    for (const double restitution : {0., .05, .3, .5, .8}) {
      SCOPED_TRACE(std::string(name(method)) + " " + std::to_string(restitution));
      SimulateOptions options = options_of(method);
      options.duration = method == Method::mk1 ? 1.5 : 20;
      options.events.push_back(
          {.name = "ground",
           .value = [](double, std::span<const double> q, std::span<const double>) { return q[0]; },
           .direction = -1,
           .action =
               [restitution](double, std::span<double> q, std::span<double> v) {
                 q[0] = 0;
                 v[0] *= -restitution;
               }});
      const RunResult run = simulate(tree, nothing(), {{1.}, {0.}}, options);
      EXPECT_GT(run.last.q[0], -1e-4);
      if (method == Method::mk1) continue;  // of order one: it hops on, by its errors
      EXPECT_EQ(run.ending, Ending::not_converged) << run.message;
      EXPECT_NE(run.message.find("ground"), std::string::npos) << run.message;
    }
}

/// A ball whose bounces accumulate: from each checkpoint on the run ends the same, with other events
/// otherwise.
TEST(Simulate, ContinuesWithTheSameAndWithOtherEvents) {
  const Tree tree = TreeBuilder{}
                        .body("ball", {.mass = 1})
                        .joint("height", prismatic({.axis = {0, 0, 1}}))
                        .build();
  SimulateOptions options{.duration = 2, .rtol = 1e-10, .max_step = 1e-2};
  options.checkpoint_interval = 1e-3;
  options.events.push_back(
      {.name = "ground",
       .value = [](double, std::span<const double> q, std::span<const double>) { return q[0]; },
       .direction = -1,
       .action =
           [](double, std::span<double> q, std::span<double> v) {
             q[0] = 0;
             v[0] *= -.5;
           }});
  std::vector<Checkpoint> saved;
  RunObserver observer;
  observer.checkpoint = [&](const Checkpoint& c) { saved.push_back(c); };
  const RunResult whole = simulate(tree, nothing(), {{1.}, {0.}}, options, observer);
  ASSERT_EQ(whole.ending, Ending::not_converged) << whole.message;
  ASSERT_GT(saved.size(), 10u);
  for (const std::size_t k : {std::size_t(3), saved.size() / 2, saved.size() - 1}) {
    const RunResult rest = simulate(tree, nothing(), {{1.}, {0.}}, options, {}, &saved[k]);
    EXPECT_EQ(rest.ending, whole.ending);
    EXPECT_EQ(rest.t, whole.t) << k;
    EXPECT_EQ(rest.message, whole.message);
  }
  options.events.clear();
  const RunResult without = simulate(tree, nothing(), {{1.}, {0.}}, options, {}, &saved[3]);
  EXPECT_EQ(without.ending, Ending::finished);
  EXPECT_NEAR(without.last.q[0], 1 - 9.81 * 4 / 2, 1e-8);
}

TEST(Simulate, BalancesEnergyThroughEventsSwitchesAndLateSamples) {
  // A damped ball that bounces, pushed by a force that switches; sampled at every step and late.
  Tree tree = TreeBuilder{}
                  .body("ball", {.mass = 1})
                  .joint("height", prismatic({.axis = {0, 0, 1}}))
                  .damping(1)
                  .build();
  Forces forces = nothing();
  std::vector<double> times, values;
  for (int i = 0; i <= 10; ++i) times.push_back(.1 * i), values.push_back(i % 2 == 0 ? 20 : -20);
  forces.joint_forces.push_back({.velocity = 0, .force = samples(times, values, Between::hold)});
  for (const Method method : {Method::mk5, Method::cvode, Method::ida, Method::generalized_alpha}) {
    for (const bool late : {false, true}) {
      SimulateOptions options = options_of(method);
      options.duration = 1;
      options.sample_interval = 0;
      if (late) options.sample_times = {.7, .9, 1};
      options.events.push_back(
          {.name = "ground",
           .value = [](double, std::span<const double> q, std::span<const double>) { return q[0]; },
           .direction = -1,
           .action = [](double, std::span<double>, std::span<double> v) { v[0] *= -.9; }});
      RunObserver observer;
      double last = -1, lowest = 0;
      observer.sample = [&](const Sample& s) {
        EXPECT_GE(s.t, last) << name(method);
        last = s.t;
        lowest = std::min(lowest, s.q[0]);
      };
      const RunResult run = simulate(tree, forces, {{.2}, {-3.}}, options, observer);
      ASSERT_EQ(run.ending, Ending::finished) << name(method) << run.message;
      const bool coarse = method == Method::generalized_alpha || method == Method::ida;
      EXPECT_LT(run.energy_drift, (coarse ? 1e-3 : 1e-6) * run.energy_scale) << name(method);
      EXPECT_GT(lowest, -1e-8) << name(method);
    }
  }
}

TEST(Simulate, ComesToRestUnderForcesThatHoldEachOther) {
  Tree tree = pendulum();
  tree.dofs[0].damping = 1;
  Forces forces = nothing();
  forces.springs.push_back({.velocity = 0, .stiffness = 50, .rest = .5});
  for (const Method method : methods_of(ModelKind::tree)) {
    SimulateOptions options = options_of(method);
    options.duration = 60;
    options.sample_interval = 1;
    if (method == Method::mk1 || method == Method::mk2 || method == Method::generalized_alpha)
      options.rtol = 1e-4;
    const RunResult run = simulate(tree, forces, {{1.}, {0.}}, options);
    ASSERT_EQ(run.ending, Ending::finished) << name(method) << run.message;
    EXPECT_NEAR(50 * (run.last.q[0] - .5) + 9.81 * std::sin(run.last.q[0]), 0, .05) << name(method);
  }
}

TEST(Simulate, StartsAtAnyTime) {
  // Seconds of a calendar: their rounding is a fraction of a microsecond.
  const Tree tree = pendulum();
  Forces forces = nothing();
  forces.springs.push_back({.velocity = 0, .stiffness = 1e4, .rest = 0});
  for (const Method method : methods_of(ModelKind::tree)) {
    SimulateOptions options = options_of(method);
    if (method == Method::mk1) continue;  // needs steps of the size of that rounding
    options.start = 1.7e9;
    options.duration = .1;
    options.rtol = 1e-4;
    const RunResult run = simulate(tree, forces, {{.1}, {0.}}, options);
    EXPECT_EQ(run.ending, Ending::finished) << name(method) << ": " << run.message;
  }
}

TEST(Simulate, StopsWhenTold) {
  const Tree tree = pendulum();
  std::atomic<bool> stop = false;
  SimulateOptions options{.duration = 10};
  options.stop = &stop;
  RunObserver observer;
  observer.sample = [&](const Sample& s) { stop = s.t >= 2; };
  const RunResult run = simulate(tree, nothing(), {{1.}, {0.}}, options, observer);
  EXPECT_EQ(run.ending, Ending::stopped);
  EXPECT_GE(run.t, 2);
  EXPECT_LT(run.t, 3);
}

TEST(Simulate, TellsWhenAndWhereASolutionDiverges) {
  const Tree tree = planar_arm({1, 1, 1});
  Tree heavy = tree;
  for (Body& body : heavy.bodies) body.inertia = {.mass = 1, .com = {.5, 0, 0}};
  Forces forces = nothing();  // pushes ever harder
  forces.joint_forces.push_back(
      {.velocity = 2, .force = SignalFunction([](double, auto, std::span<const double> v) {
                        return 10 * v[2] * v[2] * v[2] + 1;
                      })});
  for (const Method method : methods_of(ModelKind::tree)) {
    SimulateOptions options = options_of(method);
    options.duration = 10;
    long samples = 0;
    double last = -1;
    RunObserver observer;
    observer.sample = [&](const Sample& s) {
      ++samples;
      last = s.t;
      for (const double x : s.q) ASSERT_TRUE(std::isfinite(x));
    };
    const RunResult run = simulate(heavy, forces, {{0, 0, .1}, {0, 0, 0}}, options, observer);
    EXPECT_NE(run.ending, Ending::finished) << name(method);
    EXPECT_GT(run.t, 0) << name(method);
    EXPECT_LT(run.t, 10) << name(method);
    EXPECT_NE(run.message.find("t = "), std::string::npos) << name(method);
    EXPECT_NE(run.message.find("joint 'j"), std::string::npos) << name(method) << run.message;
    EXPECT_EQ(last, run.t) << name(method);
    EXPECT_EQ(run.samples, samples);
  }
}

TEST(Simulate, NamesAFreedomWithoutInertia) {
  const Tree tree = pendulum(0);
  for (const Method method : methods_of(ModelKind::tree)) {
    const SimulateOptions options = options_of(method);
    if (options.formulation == Formulation::absolute) {
      EXPECT_THROW(simulate(tree, nothing(), {{1.}, {0.}}, options), Error);
      continue;
    }
    const RunResult run = simulate(tree, nothing(), {{1.}, {0.}}, options);
    EXPECT_EQ(run.ending, Ending::singular) << name(method);
    EXPECT_NE(run.message.find("'pivot'"), std::string::npos);
  }
}

/// A mass that falls freely, in the world or on a slide, from several heights.
TEST(Simulate, FallsFreelyByAllMethodsFromAnyHeight) {
  for (const bool on_slide : {true, false})
    for (const double height : {1e-3, .5, 1., 2., 1e3})
      for (const Method method : methods_of(ModelKind::tree)) {
        TreeBuilder builder;
        builder.body("mass", {.mass = 3, .about_com = {.2, .2, .2, 0, 0, 0}});
        const Tree tree = (on_slide ? builder.joint("slide", prismatic({.axis = {0, 0, 1}}))
                                    : builder.joint("free", free_joint()))
                              .build();
        State<double> start{neutral(tree), std::vector<double>(tree.nv, 0.)};
        const std::size_t up = tree.nq - 1;  // of a free joint, too
        start.q[up] = height;
        SimulateOptions options = options_of(method);
        options.duration = .3;
        if (method == Method::mk1) options.max_step = 1e-3;
        const RunResult run = simulate(tree, nothing(), start, options);
        const std::string what =
            std::string(name(method)) + (on_slide ? " slide " : " free ") + std::to_string(height);
        ASSERT_EQ(run.ending, Ending::finished) << what << run.message;
        const double fallen = 9.81 * .09 / 2;
        // Euler's methods err by g t h / 2.
        const bool first_order = method == Method::mk1 || method == Method::semi_implicit;
        const double tolerance = first_order ? 5e-3 : 1e-6 * std::max(1., height);
        EXPECT_NEAR(height - run.last.q[up], fallen, tolerance) << what;
        EXPECT_NEAR(run.last.v.back(), -9.81 * .3, tolerance) << what;
      }
}

/// Nothing moves, but time goes on and samples come.
TEST(Simulate, WeldedTreesRunByAllMethods) {
  const Tree tree = TreeBuilder{}.body("post", {.mass = 2}).joint("weld", fixed()).build();
  ASSERT_EQ(tree.nv, 0);
  for (const Method method : methods_of(ModelKind::tree)) {
    const RunResult run = simulate(tree, nothing(), {}, options_of(method));
    EXPECT_EQ(run.ending, Ending::finished) << name(method) << run.message;
    EXPECT_EQ(run.t, .5) << name(method);
    EXPECT_EQ(run.samples, 51) << name(method);
  }
}

TEST(Simulate, EndsAtALimitOfStepsAndSaysSo) {
  // Damping that only implicit methods stand.
  const Tree damped = TreeBuilder{}
                          .body("rod", {.mass = 1, .com = {0, 0, -1}})
                          .joint("pivot", revolute({.axis = {0, 1, 0}}))
                          .damping(1e13)
                          .build();
  const RunResult stiff = simulate(damped, nothing(), {{1.}, {1.}}, {.duration = .01});
  EXPECT_EQ(stiff.ending, Ending::step_limit) << stiff.message;
  EXPECT_NE(stiff.message.find("max_steps"), std::string::npos) << stiff.message;
  EXPECT_NE(stiff.message.find("'pivot'"), std::string::npos) << stiff.message;
  EXPECT_EQ(
      simulate(damped, nothing(), {{1.}, {1.}}, {.duration = .01, .method = Method::cvode}).ending,
      Ending::finished);
  for (const Method method : methods_of(ModelKind::tree)) {
    SimulateOptions options = options_of(method);
    options.max_steps = 3;
    const RunResult run = simulate(pendulum(), nothing(), {{1.}, {0.}}, options);
    EXPECT_EQ(run.ending, Ending::step_limit) << name(method);
    EXPECT_LT(run.t, .5);
  }
}

/// The steps before a checkpoint are part of the run: continued, it ends where it ended.
TEST(Simulate, ContinuedRunsCountTheStepsBefore) {
  for (const Method method : methods_of(ModelKind::tree)) {
    SimulateOptions options = options_of(method);
    options.max_steps = 8;
    options.checkpoint_interval = 1e-9;
    std::vector<Checkpoint> saved;
    RunObserver observer;
    observer.checkpoint = [&](const Checkpoint& c) { saved.push_back(c); };
    const RunResult whole = simulate(pendulum(), nothing(), {{1.}, {0.}}, options, observer);
    ASSERT_EQ(whole.ending, Ending::step_limit) << name(method);
    const std::vector<Checkpoint> points = saved;
    ASSERT_GE(points.size(), 2u) << name(method);
    for (const Checkpoint& point : points) {
      const RunResult rest =
          simulate(pendulum(), nothing(), {{1.}, {0.}}, options, observer, &point);
      EXPECT_EQ(rest.ending, Ending::step_limit) << name(method);
      EXPECT_EQ(rest.message, whole.message) << name(method);
      EXPECT_EQ(rest.t, whole.t) << name(method);
    }
  }
}

/// One step of a slide at rest may have a million samples.
TEST(Simulate, StopsAmongTheSamplesOfAStep) {
  std::atomic<bool> stop = false;
  long samples = 0;
  double last = -1;
  RunObserver observer;
  observer.sample = [&](const Sample& s) {
    last = s.t;
    if (++samples == 7) stop = true;
  };
  for (const Method method : {Method::mk5, Method::cvode, Method::ida}) {
    samples = 0;
    stop = false;
    SimulateOptions options = options_of(method);
    options.step = 0;
    options.sample_interval = 1e-7;
    options.stop = &stop;
    const RunResult run = simulate(pendulum(), nothing(), {{1.}, {0.}}, options, observer);
    EXPECT_EQ(run.ending, Ending::stopped);
    EXPECT_EQ(samples, 7) << name(method);
    EXPECT_EQ(run.samples, samples) << name(method);
    EXPECT_LE(last, run.t) << name(method);
    EXPECT_LT(run.t, last + 1e-7) << name(method);
  }
}

TEST(Simulate, RefusesWhatMakesNoSense) {
  const Tree tree = pendulum();
  const auto refuses = [&](const SimulateOptions& options, const State<double>& start) {
    EXPECT_THROW(simulate(tree, nothing(), start, options), Error);
  };
  const State<double> good{{1.}, {0.}};
  refuses({}, {{1., 2.}, {0.}});
  refuses({}, {{NAN}, {0.}});
  refuses({.duration = -1}, good);
  refuses({.duration = INFINITY}, good);
  refuses({.rtol = -1}, good);
  refuses({.rtol = 0, .atol = 0}, good);
  refuses({.step = NAN}, good);
  refuses({.sample_interval = -1}, good);
  refuses({.start = 1e30}, good);  // samples would never come to an end
  refuses({.sample_times = {1, 0}}, good);
  refuses({.method = Method::ida}, good);
  refuses({.method = Method::mk5, .formulation = Formulation::absolute}, good);
}

TEST(Simulate, SamplesWhereAskedAndEveryStep) {
  const Tree tree = pendulum();
  SimulateOptions options{.start = 2, .duration = 1};
  options.sample_times = {2, 2.123, 2.9, 3};
  EXPECT_EQ(simulate_to_memory(tree, nothing(), {{1.}, {0.}}, options).t, options.sample_times);
  options.sample_times.clear();
  options.sample_interval = 0;
  const Trajectories run = simulate_to_memory(tree, nothing(), {{1.}, {0.}}, options);
  EXPECT_EQ(run.t.size(), static_cast<std::size_t>(run.result.statistics.steps) + 1);
  EXPECT_EQ(run.t.front(), 2);
  EXPECT_EQ(run.t.back(), 3);
}

TEST(Simulate, AThousandBodiesNeedNoMemoryAsTimeGoesOn) {
  TreeBuilder builder;
  for (int i = 0; i < 1000; ++i) {
    builder.body(numbered("b", i),
                 {.mass = .01, .com = {0, 0, -.005}, .about_com = {1e-6, 1e-6, 1e-6, 0, 0, 0}});
    if (i > 0) builder.on(numbered("b", i - 1));
    builder.joint(numbered("j", i),
                  revolute({.axis = {i % 2 == 0 ? 1. : 0., i % 2 == 0 ? 0. : 1., 0}}),
                  body_screws(translation(Vec3<>{0, 0, i == 0 ? 0. : -.01})));
    builder.damping(1e-4);
  }
  const Tree tree = builder.build();
  State<double> start{std::vector<double>(1000, .001), std::vector<double>(1000, 0.)};
  SimulateOptions options{.duration = .05, .method = Method::semi_implicit, .step = 2e-5};
  options.sample_interval = .001;
  // What is allocated must not depend on how long it runs.
  long counts[2];
  for (const int k : {0, 1}) {
    options.duration = k == 0 ? .002 : .01;
    counts[k] = count_allocations([&] {
      const RunResult run = simulate(tree, nothing(), start, options);
      ASSERT_EQ(run.ending, Ending::finished) << run.message;
    });
  }
  EXPECT_EQ(counts[0], counts[1]);
}

}  // namespace
}  // namespace axode::test::simulate_runs
