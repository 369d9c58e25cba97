#include "axode/integrate/integrate.hpp"

#include <gtest/gtest.h>

#include "axode/core/error.hpp"
#include "axode/integrate/steppers/commutator_free.hpp"
#include "axode/integrate/steppers/munthe_kaas.hpp"
#include "axode/integrate/steppers/semi_implicit_euler.hpp"
#include "axode/integrate/steppers/variational.hpp"
#include "tests/integrate/test_systems.hpp"

namespace axode::test::integrate {

using axode::integrate;  // hides the namespace
using Ending = IntegrateResult::Ending;

/// Height and speed of a ball.
struct Ball {
  LieGroup line = LieGroup().real(2);
  const LieGroup& group() const { return line; }
  static bool rate(double, In1 x, Out1 r) { return r[0] = x[1], r[1] = -9.81, true; }
};
struct Bounces {
  std::vector<double> times;
  static double event_value(int, double, In1 x) { return x[0]; }
  bool event(int, double t, Out1 x) {
    times.push_back(t);
    x[0] = 0;
    x[1] *= -0.8;
    return true;
  }
};

TEST(Integrate, BouncingBallMeetsItsTimes) {
  for (const int direction : {-1, 0}) {
    Ball ball;
    MuntheKaas stepper(ball.group(), 5, {.rtol = 1e-12, .atol = 1e-13});
    stepper.start(ball, 0, Reals{1, 0});
    Bounces bounces;
    const IntegrateResult result =
        integrate(ball, stepper, 3.8, {.events = {{.direction = direction}}}, bounces);
    EXPECT_EQ(result.ending, Ending::finished);
    ASSERT_GE(bounces.times.size(), 10u);
    EXPECT_EQ(result.events, static_cast<long>(bounces.times.size()));
    double t = std::sqrt(2 / 9.81), speed = 9.81 * t;
    for (const double bounce : bounces.times) {
      EXPECT_NEAR(bounce, t, 1e-10);
      speed *= 0.8;
      t += 2 * speed / 9.81;
    }
  }
}

/// A run to behind the time by which infinitely many bounces have come must end, say so, and not miss
/// the floor before.
template <class S>
void expect_accumulation(S stepper, double restitution, double start, const char* what) {
  Ball ball;
  struct Floor {
    double restitution;
    long bounces = 0;
    double event_value(int, double, In1 x) { return x[0]; }
    bool event(int, double, Out1 x) {
      ++bounces;
      x[0] = 0;
      x[1] *= -restitution;
      return true;
    }
  } floor{restitution};
  stepper.start(ball, start, Reals{1, 0});
  const double fall = std::sqrt(2 / 9.81);
  const double limit = start + fall * (1 + 2 * restitution / (1 - restitution));
  const IntegrateResult result = integrate(
      ball, stepper, limit + 10, {.events = {{.direction = -1}}, .max_steps = 100000}, floor);
  EXPECT_EQ(result.ending, Ending::accumulated) << what << ' ' << restitution;
  EXPECT_EQ(result.event, 0);
  EXPECT_NEAR(result.t, limit, 1e-3 * fall) << what << ' ' << restitution;
  EXPECT_EQ(result.t, stepper.time());
  EXPECT_NEAR(stepper.state()[0], 0, 1e-6);
  EXPECT_EQ(result.events, floor.bounces);
  EXPECT_LT(floor.bounces, 1000);
}

TEST(Integrate, EventsThatAccumulateEndTheRun) {
  const LieGroup group = Ball{}.group();
  for (const double start : {0., 100.})
    for (const double restitution : {0., 1e-9, .02, .05, .2, .3, .5, .8, .95}) {
      expect_accumulation(MuntheKaas(group, 5, {.rtol = 1e-10, .atol = 1e-12}), restitution, start,
                          "mk5");
      for (const int order : {2, 3, 4})
        expect_accumulation(MuntheKaas(group, order, {.step = 1e-2}, false), restitution, start,
                            "mk");
      expect_accumulation(CommutatorFree(group, {.step = 1e-2}, false), restitution, start, "cf4");
    }
}

// An event that stops the motion through it and lets it go on is none of these.
TEST(Integrate, MotionThatGoesOnThroughAnEventDoesNotAccumulate) {
  Ball ball;
  struct Net {
    long caught = 0;
    static double event_value(int, double, In1 x) { return x[0]; }
    bool event(int, double, Out1 x) {
      ++caught;
      x[1] *= 1e-4;
      return true;
    }
  } net;
  MuntheKaas stepper(ball.group(), 5, {.rtol = 1e-10, .atol = 1e-12});
  stepper.start(ball, 0, Reals{1, 0});
  const IntegrateResult result = integrate(ball, stepper, 2, {.events = {{.direction = -1}}}, net);
  EXPECT_EQ(result.ending, Ending::finished);
  EXPECT_EQ(net.caught, 1);
}

// Nor is a short time between two bounces, located roughly, before a longer one.
TEST(Integrate, RoughlyLocatedBouncesGoOn) {
  Ball ball;
  struct Floor {
    static double event_value(int, double, In1 x) { return x[0]; }
    static bool event(int, double, Out1 x) {
      x[0] = 0;
      x[1] *= -.5;
      return true;
    }
  } floor;
  MuntheKaas stepper(ball.group(), 5, {.rtol = 1e-10, .atol = 1e-12});
  stepper.start(ball, 0, Reals{1, 0});
  const IntegrateResult result =
      integrate(ball, stepper, 1.2, {.events = {{.direction = -1, .tolerance = 1e-3}}}, floor);
  EXPECT_EQ(result.ending, Ending::finished);
  EXPECT_GE(result.events, 3);
}

// Three balls that hit at once, and one that does not end the run: these do not accumulate.
TEST(Integrate, EventsAtOneTimeDoNotAccumulate) {
  Ball ball;
  struct Floors {
    int bounces = 0;
    static double event_value(int, double, In1 x) { return x[0]; }
    bool event(int i, double, Out1 x) {
      ++bounces;
      if (i == 3) x[1] = std::abs(x[1]);
      return true;
    }
  } floors;
  MuntheKaas stepper(ball.group(), 5, {.rtol = 1e-10, .atol = 1e-12});
  stepper.start(ball, 0, Reals{1, 0});
  const Event falling{.direction = -1, .restart = true};
  const IntegrateResult result =
      integrate(ball, stepper, 2, {.events = {falling, falling, falling, falling}}, floors);
  EXPECT_EQ(result.ending, Ending::finished);
  EXPECT_EQ(floors.bounces, 8);
}

// An elastic ball, located roughly: the time between bounces stays the same.
TEST(Integrate, ElasticBouncesDoNotAccumulate) {
  Ball ball;
  struct Floor {
    static double event_value(int, double, In1 x) { return x[0]; }
    static bool event(int, double, Out1 x) {
      x[0] = 0;
      x[1] = std::abs(x[1]);
      return true;
    }
  } floor;
  MuntheKaas stepper(ball.group(), 5, {.rtol = 1e-10, .atol = 1e-12});
  stepper.start(ball, 0, Reals{1, 0});
  const IntegrateResult result =
      integrate(ball, stepper, 10, {.events = {{.direction = -1, .tolerance = 1e-3}}}, floor);
  EXPECT_EQ(result.ending, Ending::finished);
  EXPECT_EQ(result.events, 11);
}

/// x' = 1, or what its mode says.
struct Ramp {
  LieGroup line = LieGroup().real(1);
  double slope = 1;
  const LieGroup& group() const { return line; }
  bool rate(double, In1, Out1 r) const { return r[0] = slope, true; }
};

// A clock that sets the state back every 5 ms, 500 tolerances.
TEST(Integrate, TicksDoNotAccumulate) {
  struct Clock {
    static double event_value(int, double, In1 x) { return x[0] - .005; }
    static bool event(int, double, Out1 x) { return x[0] = 0, true; }
  } clock;
  Ramp ramp;
  MuntheKaas stepper(ramp.group(), 3, {.step = .012}, false);
  stepper.start(ramp, 0, Reals{0});
  const IntegrateResult result =
      integrate(ramp, stepper, .4975, {.events = {{.direction = 1, .tolerance = 1e-5}}}, clock);
  EXPECT_EQ(result.ending, Ending::finished);
  EXPECT_EQ(result.events, 99);
}

// One step spans all events and samples; they come in the order of time.
TEST(Integrate, EventsOfOneStepComeInOrder) {
  struct Observer {
    std::vector<std::pair<double, int>> seen;  // samples are -1
    void sample(double t, In1 x) {
      seen.emplace_back(t, -1);
      EXPECT_NEAR(x[0], t, 1e-14);
    }
    static double event_value(int i, double, In1 x) {
      return std::array{0.37, 0.11, 0.2, 0.2}[i] - x[0];
    }
    bool event(int i, double t, Out1) { return seen.emplace_back(t, i), true; }
  } observer;
  Ramp ramp;
  MuntheKaas stepper(ramp.group(), 3, {.step = 1}, false);
  stepper.start(ramp, 0, Reals{0});
  const IntegratePlan plan{.sample_interval = 0.25, .events = {{}, {}, {}, {}}};
  EXPECT_EQ(integrate(ramp, stepper, 1, plan, observer).events, 4);
  const std::vector<std::pair<double, int>> expected{{0, -1},   {0.11, 1},  {0.2, 2},
                                                     {0.2, 3},  {0.25, -1}, {0.37, 0},
                                                     {0.5, -1}, {0.75, -1}, {1, -1}};
  ASSERT_EQ(observer.seen.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(observer.seen[i].first, expected[i].first, 1e-11);
    EXPECT_EQ(observer.seen[i].second, expected[i].second);
  }
  EXPECT_EQ(stepper.statistics().steps, 1);
}

TEST(Integrate, TerminalEventEndsTheRunThere) {
  struct Observer {
    double last = -1;
    void sample(double t, In1) { last = t; }
    static double event_value(int, double, In1 x) { return x[0] - 0.6; }
  } observer;
  Ramp ramp;
  MuntheKaas stepper(ramp.group(), 3, {.step = 1}, false);
  stepper.start(ramp, 0, Reals{0});
  const IntegrateResult result = integrate(
      ramp, stepper, 5, {.sample_interval = 0.25, .events = {{.direction = 1, .terminal = true}}},
      observer);
  EXPECT_EQ(result.ending, Ending::event);
  EXPECT_EQ(result.event, 0);
  EXPECT_NEAR(result.t, 0.6, 1e-10);
  EXPECT_EQ(stepper.time(), result.t);
  EXPECT_NEAR(stepper.state()[0], 0.6, 1e-10);
  EXPECT_EQ(observer.last, 0.5);
}

// A switch with hysteresis: the state stays, the rate changes. Turns at 1, 2 (falling to 0), 3, ...
TEST(Integrate, EventsThatChangeTheSystemRestart) {
  Ramp ramp;
  struct Switch {
    Ramp& of;
    std::vector<double> times{};
    static double event_value(int i, double, In1 x) { return x[0] - (i == 0 ? 1 : 0); }
    bool event(int i, double t, Out1) {
      times.push_back(t);
      of.slope = i == 0 ? -1 : 1;
      return true;
    }
  } observer{ramp};
  MuntheKaas stepper(ramp.group(), 5, {.step = 0.7}, false);
  stepper.start(ramp, 0, Reals{0.25});
  const IntegratePlan plan{
      .events = {{.direction = 1, .restart = true}, {.direction = -1, .restart = true}}};
  (void)integrate(ramp, stepper, 10, plan, observer);
  ASSERT_EQ(observer.times.size(), 10u);
  for (std::size_t i = 0; i < 10; ++i)
    EXPECT_NEAR(observer.times[i], 0.75 + static_cast<double>(i), 1e-9);
}

// The rate jumps at 0.5 and 0.7: no step may see both sides.
TEST(Integrate, DiscontinuitiesAreMetExactly) {
  struct Jumping {
    LieGroup line = LieGroup().real(1);
    const LieGroup& group() const { return line; }
    static bool rate(double t, In1, Out1 r) { return r[0] = t < 0.5 ? 1 : t < 0.7 ? -2 : 3, true; }
  } system;
  struct Observer {
    std::vector<double> values, times;
    void sample(double t, In1 x) { times.push_back(t), values.push_back(x[0]); }
    static double next_discontinuity(double t) { return t < 0.7 ? 0.7 : INFINITY; }
  };
  for (const int order : {1, 4, 5})
    for (const bool adaptive : {false, true}) {
      Observer observer;
      MuntheKaas stepper(system.group(), order, {.rtol = 1e-3, .step = 0.3}, adaptive);
      stepper.start(system, 0, Reals{0});
      (void)integrate(system, stepper, 1, {.sample_times = {0.5, 0.6, 1}, .discontinuities = {0.5}},
                      observer);
      ASSERT_EQ(observer.times, (std::vector<double>{0.5, 0.6, 1}));
      EXPECT_NEAR(observer.values[0], 0.5, 2e-15);
      EXPECT_NEAR(observer.values[1], 0.3, 2e-15);
      EXPECT_NEAR(observer.values[2], 1.0, 2e-15);
      EXPECT_EQ(stepper.statistics().rejected, 0);
    }
}

struct Recorder {
  std::vector<double> times{}, values{};
  std::vector<std::vector<double>> checkpoints{};
  void sample(double t, In1 x) {
    times.push_back(t);
    values.insert(values.end(), x.begin(), x.end());
  }
  template <class S>
  void checkpoint(S& stepper) {
    stepper.save(checkpoints.emplace_back());
  }
};

template <class S>
void check_checkpoints(const S& fresh) {
  HeavyTop top = HeavyTop::of_terze();
  Recorder plain, saving;
  S a = fresh, b = fresh;
  a.start(top, 0, HeavyTop::start_of_terze());
  b.start(top, 0, HeavyTop::start_of_terze());
  IntegratePlan plan{.sample_interval = 0.003};
  (void)integrate(top, a, 0.2, plan, plain);
  plan.checkpoint_interval = 0.05;
  (void)integrate(top, b, 0.2, plan, saving);
  EXPECT_EQ(plain.times, saving.times);
  EXPECT_EQ(plain.values, saving.values);
  EXPECT_EQ(plain.times.size(), 67u);
  ASSERT_GE(saving.checkpoints.size(), 3u);
  for (const std::vector<double>& numbers : saving.checkpoints) {
    S resumed = fresh;
    resumed.load(top, numbers);
    if (resumed.time() == 0.2) continue;  // the one at the end
    Recorder rest;
    plan.resumed = true;
    (void)integrate(top, resumed, 0.2, plan, rest);
    const std::size_t n = rest.values.size();
    ASSERT_GT(n, 0u);
    EXPECT_TRUE(std::equal(rest.values.begin(), rest.values.end(),
                           plain.values.end() - static_cast<std::ptrdiff_t>(n)));
    EXPECT_EQ(rest.times.front(), plain.times[plain.times.size() - rest.times.size()]);
  }
}

TEST(Integrate, CheckpointsDoNotChangeSamplesAndResume) {
  const HeavyTop top = HeavyTop::of_terze();
  check_checkpoints(MuntheKaas(top.group(), 5, {.rtol = 1e-7}));
  check_checkpoints(MuntheKaas(top.group(), 4, {.step = 1e-3}, false));
  check_checkpoints(SemiImplicitEuler(top.group(), top.configuration(), {.step = 1e-3}));
  check_checkpoints(Variational(top.group(), top.configuration(), {.step = 1e-3}));
}

/// A ramp whose state is taken back by 1, and whose slope is 2 from there on if `correction` says so.
template <class S>
void expect_corrections(S stepper, Correction correction) {
  struct Slope {
    LieGroup line = LieGroup().real(1);
    double slope = 1;
    const LieGroup& group() const { return line; }
    bool rate(double, In1, Out1 r) { return r[0] = slope, true; }
  } system;
  struct Observer {
    Slope& system;
    Correction correction;
    std::vector<std::pair<double, double>> seen, checkpoints;
    std::vector<double> events;
    void sample(double t, In1 x) { seen.emplace_back(t, x[0]); }
    double event_value(int, double, In1 x) { return x[0] - 0.25; }
    bool event(int, double t, Out1) { return events.push_back(t), true; }
    void checkpoint(S& s) { checkpoints.emplace_back(s.time(), s.state()[0]); }
    Correction correct(double, Out1 x) {
      if (x[0] < 1 - 1e-9) return Correction::unchanged;
      if (correction == Correction::lost) return correction;
      x[0] -= 1;
      if (correction == Correction::equations) system.slope = 2;
      return correction;
    }
  } observer{system, correction, {}, {}, {}};
  stepper.start(system, 0, Reals{0});
  const IntegrateResult result = integrate(
      system, stepper, 2,
      {.sample_interval = 0.5, .events = {{.direction = 1}}, .checkpoint_interval = 1}, observer);
  if (correction == Correction::lost) {
    EXPECT_EQ(result.ending, Ending::failed);
    EXPECT_EQ(result.verdict, StepVerdict::not_converged);
    EXPECT_NEAR(result.t, 1, 1e-12);
    return;
  }
  ASSERT_EQ(result.ending, Ending::finished);
  ASSERT_EQ(observer.seen.size(), 5U);  // the sample at 1 s is the state before it is corrected
  const bool faster = correction == Correction::equations;
  const double expected[] = {0, .5, 1, faster ? 1. : .5, 1};
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(observer.seen[k].second, expected[k], 1e-9) << k;
  // The checkpoint is the state from there on.
  ASSERT_EQ(observer.checkpoints.size(), 2U);
  EXPECT_NEAR(observer.checkpoints[0].second, 0, 1e-9);
  ASSERT_EQ(observer.events.size(), faster ? 3U : 2U);
  EXPECT_NEAR(observer.events[1], faster ? 1.125 : 1.25, 1e-9);
}

TEST(Integrate, ObserversCorrectTheStateAndTheEquations) {
  const LieGroup line = LieGroup().real(1);
  for (const Correction correction : {Correction::state, Correction::equations, Correction::lost}) {
    expect_corrections(MuntheKaas(line, 3, {.step = .125}, false), correction);
    expect_corrections(CommutatorFree(line, {.step = .125}, false), correction);
  }
}

TEST(Integrate, StopsWhenTold) {
  std::atomic<bool> stop = false;
  struct Observer {
    std::atomic<bool>& flag;
    int steps = 0;
    void step(const MuntheKaas&) {
      if (++steps == 5) flag = true;
    }
  } observer{stop};
  Ramp ramp;
  MuntheKaas stepper(ramp.group(), 1, {.step = 0.1}, false);
  stepper.start(ramp, 0, Reals{0});
  const IntegrateResult result = integrate(ramp, stepper, 5, {.stop = &stop}, observer);
  EXPECT_EQ(result.ending, Ending::stopped);
  EXPECT_NEAR(result.t, 0.5, 1e-15);
}

// One step may have a million samples: the flag is seen between them.
TEST(Integrate, StopsAmongTheSamplesOfAStep) {
  std::atomic<bool> stop = false;
  struct Observer {
    std::atomic<bool>& flag;
    int samples = 0;
    double last = -1;
    void sample(double t, In1) {
      last = t;
      if (++samples == 5) flag = true;
    }
  } observer{stop};
  Ramp ramp;
  MuntheKaas stepper(ramp.group(), 1, {.step = 1}, false);
  stepper.start(ramp, 0, Reals{0});
  const IntegrateResult result =
      integrate(ramp, stepper, 1, {.sample_interval = 1e-3, .stop = &stop}, observer);
  EXPECT_EQ(result.ending, Ending::stopped);
  EXPECT_EQ(observer.samples, 5);
  EXPECT_EQ(result.t, observer.last);
  ASSERT_EQ(result.x.size(), 1u);
  EXPECT_NEAR(result.x[0], result.t, 1e-15);
}

TEST(Integrate, FailureOfAStepIsTold) {
  struct Wall {
    LieGroup line = LieGroup().real(1);
    const LieGroup& group() const { return line; }
    static bool rate(double t, In1, Out1 r) { return r[0] = 1, t < 0.55; }
  } wall;
  struct Nothing {
  } nothing;
  MuntheKaas stepper(wall.group(), 5, {});
  stepper.start(wall, 0, Reals{0});
  const IntegrateResult result = integrate(wall, stepper, 1, {}, nothing);
  EXPECT_EQ(result.ending, Ending::failed);
  EXPECT_EQ(result.verdict, StepVerdict::no_rate);
  EXPECT_NEAR(result.t, 0.55, 1e-12);
}

TEST(Integrate, MisuseIsTold) {
  Ramp ramp;
  struct Nothing {
  } nothing;
  MuntheKaas stepper(ramp.group(), 5, {});
  stepper.start(ramp, 1, Reals{0});
  EXPECT_THROW(integrate(ramp, stepper, 0, {}, nothing), Error);
  EXPECT_THROW(integrate(ramp, stepper, NAN, {}, nothing), Error);
  EXPECT_THROW(integrate(ramp, stepper, 2, {.sample_interval = -1}, nothing), Error);
  EXPECT_THROW(integrate(ramp, stepper, 2, {.max_steps = -1}, nothing), Error);
  EXPECT_THROW(integrate(ramp, stepper, 2, {.sample_times = {2, 1}}, nothing), Error);
  EXPECT_THROW(integrate(ramp, stepper, 2, {.events = {{.tolerance = 0}}}, nothing), Error);
}

}  // namespace axode::test::integrate
