/// Control in the three kinds of model: a function does what the same law in the model does, its work is in the
/// balance of energy, and a sampled one is held and continues to the same bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "axode/mechanism/analysis/assemble.hpp"
#include "axode/mechanism/description/builder.hpp"
#include "axode/mechanism/equations/formulate.hpp"
#include "axode/model/builder.hpp"
#include "axode/simulate/run/simulate.hpp"
#include "tests/simulate/flexible_runs.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::control_runs {
namespace {

using List = std::vector<double>;
constexpr double stiffness = 80, damping = 5, rest = .35;

struct Samples {
  List t;
  std::vector<List> rows, tau;
  std::vector<Checkpoint> checkpoints;
  RunResult result;

  RunObserver observer() {
    return {.sample =
                [this](const Sample& s) {
                  t.push_back(s.t);
                  rows.emplace_back(s.q.begin(), s.q.end());
                  if (!s.coordinates.empty()) {
                    rows.back().clear();
                    for (const TimeValue& x : s.coordinates) rows.back().push_back(x.value);
                  }
                  tau.emplace_back(s.tau.begin(), s.tau.end());
                },
            .checkpoint = [this](const Checkpoint& c) { checkpoints.push_back(c); }};
  }
};

double difference(const Samples& a, const Samples& b) {
  EXPECT_EQ(a.t, b.t);
  double most = 0;
  for (std::size_t i = 0; i < a.rows.size() && i < b.rows.size(); ++i)
    for (std::size_t k = 0; k < a.rows[i].size(); ++k)
      most = std::max(most, std::abs(a.rows[i][k] - b.rows[i][k]));
  return most;
}

// --- mechanisms -------------------------------------------------------------------------------------

MechanismBuilder slider_crank() {
  MechanismBuilder builder("slider crank", Space::planar);
  builder.body("crank", Inertia<double>{1, {.05, 0, 0}, {.zz = .01}})
      .body("rod", Inertia<double>{.8, {.15, 0, 0}, {.zz = .02}})
      .body("slider", Inertia<double>{2, {0, 0, 0}, {.zz = .01}})
      .joint("A", PairType::revolute, "world", "crank", {.points = {{{0, 0, 0}, {0, 0, 0}}}})
      .joint("B", PairType::revolute, "crank", "rod", {.points = {{{.1, 0, 0}, {0, 0, 0}}}})
      .joint("C", PairType::revolute, "rod", "slider", {.points = {{{.3, 0, 0}, {0, 0, 0}}}})
      .joint("guide", PairType::prismatic, "world", "slider",
             {.points = {{{0, 0, 0}, {0, 0, 0}}}, .axes = {{{1, 0, 0}, {1, 0, 0}}}})
      .start("A.angle", 1, 2);
  return builder;
}
constexpr const char* slide = "guide.distance";

Control pd_of(const Mechanism& m) {
  return pd_control(m, {coordinate_index(m, slide)}, {rest}, stiffness, damping);
}

Samples run_mechanism(const Mechanism& m, FormulationOptions how, const SimulateOptions& options,
                      const Checkpoint* from = nullptr) {
  how.controlled = options.control.coordinates;
  MechanismSystem system(make_equations(m, how));
  const Assembly start = assemble(system, {.hold_start = true});
  EXPECT_TRUE(start.is_assembled()) << start.message;
  Samples samples;
  samples.result = axode::simulate(system, {start.q, start.v}, options, samples.observer(), from);
  return samples;
}

const std::array<FormulationOptions, 3> families{{{.family = CoordinateFamily::relative},
                                                  {.family = CoordinateFamily::reference_point},
                                                  {.family = CoordinateFamily::natural}}};

/// The slider is led by the spring and damper that the mechanism could have there.
TEST(ControlRun, SliderAsWithTheSpringAndDamperOfTheMechanism) {
  const Mechanism plain = slider_crank().build();
  const Mechanism sprung =
      slider_crank()
          .force(slide, {.stiffness = stiffness, .rest = rest, .damping = damping})
          .build();
  for (const FormulationOptions& family : families)
    for (const Method method :
         {Method::projection, Method::baumgarte, Method::augmented_lagrangian, Method::null_space,
          Method::generalized_alpha, Method::generalized_alpha_stabilized, Method::ida}) {
      SimulateOptions options{.duration = .5, .method = method, .rtol = 1e-9, .atol = 1e-11};
      options.step = 1e-3;  // what springs store is work here, on which steps would depend
      const Samples expected = run_mechanism(sprung, family, options);
      options.control = pd_of(plain);
      const Samples found = run_mechanism(plain, family, options);
      const std::string what(std::string(name(family.family)) + " " + std::string(name(method)));
      ASSERT_EQ(found.result.ending, Ending::finished) << what << found.result.message;
      const bool implicit = method == Method::ida || method == Method::generalized_alpha ||
                            method == Method::generalized_alpha_stabilized;
      // Newton's iteration ends elsewhere within its tolerance: its slopes are differences.
      EXPECT_LT(difference(expected, found), implicit ? 1e-6 : 1e-12) << what;
    }
}

TEST(ControlRun, WorkOfAMechanismBalancesItsEnergy) {
  const Mechanism plain = slider_crank().build();
  SimulateOptions options{.duration = 1, .rtol = 1e-10, .atol = 1e-12};
  options.control = pd_of(plain);
  for (const FormulationOptions& family : families)
    for (const Method method : {Method::projection, Method::null_space}) {
      options.method = method;
      const RunResult result = run_mechanism(plain, family, options).result;
      EXPECT_LT(result.energy_drift, 1e-8 * result.energy_scale) << name(family.family);
    }
}

/// A control of zero takes the spring away; tau is what the control gives.
TEST(ControlRun, ReplacesTheForcesOfTheMechanismOnItsCoordinates) {
  const Mechanism plain = slider_crank().build();
  const Mechanism sprung =
      slider_crank()
          .force(slide, {.stiffness = stiffness, .rest = rest, .damping = damping})
          .build();
  for (const FormulationOptions& family : families) {
    SimulateOptions options{.duration = .3, .rtol = 1e-9};
    const Samples free = run_mechanism(plain, family, options);
    options.control.force = [](double, std::span<const double>, std::span<const double>,
                               std::span<double> force) { force[0] = 0; };
    EXPECT_LT(difference(free, run_mechanism(sprung, family, options)), 1e-8);
    options.control = pd_of(plain);
    const Samples led = run_mechanism(plain, family, options);
    const std::size_t c = coordinate_index(plain, slide);
    EXPECT_NE(led.tau[5][c], 0);
    EXPECT_EQ(led.tau[5][0], 0);
    MechanismSystem system(make_equations(sprung, family));
    const Assembly start = assemble(system, {.hold_start = true});
    options.control.coordinates.clear();
    (void)axode::simulate(system, {start.q, start.v}, options);
    EXPECT_EQ(system.mechanism().coordinate_forces.at(0).stiffness, stiffness);  // its own again
  }
}

TEST(ControlRun, ErrorsNameTheCoordinate) {
  const Mechanism plain = slider_crank().build();
  MechanismSystem system(make_equations(plain, {.family = CoordinateFamily::natural}));
  const Assembly start = assemble(system, {.hold_start = true});
  const auto says = [&](std::vector<int> coordinates, const char* words) {
    SimulateOptions options{.duration = .1};
    options.control = {[](double, auto, auto, auto) {}, 0, std::move(coordinates)};
    expect_says(message([&] {
                  (void)axode::simulate(system, {start.q, start.v}, options);
                }),
                words);
  };
  says({coordinate_index(plain, slide)}, "do not have the coordinate 'guide.distance'");
  says({99}, "99 is not the number of a coordinate");
  says({}, "acts on no coordinate");
}

// --- trees ------------------------------------------------------------------------------------------

Tree arm() {
  return TreeBuilder{}
      .body("upper", {.mass = 2, .com = {0, 0, -.2}, .about_com = {.02, .03, .01}})
      .joint("shoulder", revolute({.axis = {0, 1, 0}, .point = {0, 0, 0}}))
      .body("lower", {.mass = 1, .com = {0, 0, -.6}, .about_com = {.02, .03, .01}})
      .on("upper")
      .joint("elbow", revolute({.axis = {0, 1, 0}, .point = {0, 0, -.4}}))
      .build();
}
void lead(double, std::span<const double> q, std::span<const double> v, std::span<double> force) {
  for (std::size_t k = 0; k < force.size(); ++k) force[k] = 40 * (.5 - q[k]) - 6 * v[k];
}
Samples run_tree(const Forces& forces, const SimulateOptions& options,
                 const Checkpoint* from = nullptr) {
  Samples samples;
  const Tree tree = arm();
  samples.result =
      axode::simulate(tree, forces, {{.3, -.2}, {0, 1}}, options, samples.observer(), from);
  return samples;
}

TEST(ControlRun, TreeAsWithItsPdController) {
  const Tree tree = arm();
  Forces pd, idle;
  pd.controllers = {pd_controller(tree, 40, 6, {.5, .5})};
  idle.controllers = {pd_controller(tree, 900, 90, {2, 2})};  // replaced
  for (const Method method : {Method::mk5, Method::cvode, Method::generalized_alpha}) {
    SimulateOptions options{.duration = .5, .method = method, .rtol = 1e-9, .atol = 1e-11};
    if (method == Method::generalized_alpha) options.formulation = Formulation::absolute;
    const Samples expected = run_tree(pd, options);
    options.control.force = lead;
    const Samples found = run_tree(idle, options);
    ASSERT_EQ(found.result.ending, Ending::finished) << found.result.message;
    EXPECT_LT(difference(expected, found), method == Method::mk5 ? 1e-12 : 1e-6) << name(method);
    EXPECT_LT(found.result.energy_drift, 1e-5 * found.result.energy_scale) << name(method);
  }
}

// --- flexible trees ---------------------------------------------------------------------------------

Samples run_flexible(const FlexibleManoeuvre& m, const SimulateOptions& options,
                     const Checkpoint* from = nullptr) {
  Samples samples;
  samples.result = axode::simulate(m.tree, m.forces, {m.q, m.v}, options, samples.observer(), from);
  return samples;
}

TEST(ControlRun, FlexibleTreeAsWithItsPdControl) {
  const FlexibleManoeuvre m = reference_manoeuvre("arm4");
  const FlexibleControl& pd = m.forces.control;
  SimulateOptions options{.duration = .05, .rtol = 1e-8, .atol = 1e-10};
  const Samples expected = run_flexible(m, options);
  options.control.force = [&pd](double, std::span<const double> q, std::span<const double> v,
                                std::span<double> force) {
    for (std::size_t k = 0; k < force.size(); ++k)
      force[k] = pd.kp[k] * (pd.targets[0][k] - q[k]) - pd.kd[k] * v[k];
  };
  const Samples found = run_flexible(m, options);
  EXPECT_EQ(found.result.ending, Ending::finished) << found.result.message;
  EXPECT_LT(difference(expected, found), 1e-8);
}

// --- sampled ----------------------------------------------------------------------------------------

using RunCase = std::function<Samples(const SimulateOptions&, const Checkpoint*)>;
struct Case {
  std::string name;
  RunCase run;
  Method method = Method::automatic;
  std::vector<int> coordinates{};
};
std::vector<Case> cases() {
  const Mechanism plain = slider_crank().build();
  const FlexibleManoeuvre m = reference_manoeuvre("pendulum1");
  const auto tree = [](const SimulateOptions& o, const Checkpoint* from) {
    return run_tree({}, o, from);
  };
  const auto flexible = [m](const SimulateOptions& o, const Checkpoint* from) {
    return run_flexible(m, o, from);
  };
  std::vector<Case> all{{"tree", tree, Method::mk5},
                        {"tree semi-implicit", tree, Method::semi_implicit},
                        {"flexible", flexible, Method::mk5}};
  for (const FormulationOptions& family : families)
    for (const Method method : {Method::projection, Method::null_space, Method::generalized_alpha})
      all.push_back({"mechanism " + std::string(name(family.family)),
                     [plain, family](const SimulateOptions& o, const Checkpoint* from) {
                       return run_mechanism(plain, family, o, from);
                     },
                     method,
                     {coordinate_index(plain, slide)}});
  return all;
}

/// Called at start + k interval, once each, in order, with the state there.
TEST(ControlRun, SampledOnesAreCalledOncePerInterval) {
  for (const Case& c : cases()) {
    List times, seen;
    SimulateOptions options{.duration = .05, .method = c.method, .sample_interval = .01};
    options.control = {
        [&](double t, std::span<const double> q, std::span<const double>, std::span<double> force) {
          times.push_back(t);
          seen.push_back(q[0]);
          std::ranges::fill(force, 1);
        },
        .01, c.coordinates};
    const Samples run = c.run(options, nullptr);
    ASSERT_EQ(run.result.ending, Ending::finished) << c.name << run.result.message;
    ASSERT_EQ(times.size(), 5U) << c.name;
    const std::size_t column = c.coordinates.empty() ? 0 : c.coordinates[0];
    for (std::size_t k = 0; k < times.size(); ++k) {
      EXPECT_DOUBLE_EQ(times[k], .01 * double(k)) << c.name;
      EXPECT_NEAR(seen[k], run.rows[k][column], 1e-8) << c.name << " " << k;
    }
  }
}

TEST(ControlRun, SampledOnesContinueToTheSameBits) {
  for (const Case& c : cases()) {
    SimulateOptions options{
        .duration = .06, .method = c.method, .sample_interval = .01, .checkpoint_interval = .015};
    options.control = {
        [](double, std::span<const double> q, std::span<const double> v, std::span<double> force) {
          for (double& f : force) f = 20 * (.2 - q[0]) - v[0];
        },
        .02, c.coordinates};
    const Samples whole = c.run(options, nullptr);
    ASSERT_EQ(whole.result.ending, Ending::finished) << c.name << whole.result.message;
    ASSERT_GT(whole.checkpoints.size(), 2U);
    for (const Checkpoint& checkpoint : whole.checkpoints) {
      const Samples rest = c.run(options, &checkpoint);
      EXPECT_EQ(rest.result.last.q, whole.result.last.q) << c.name << " " << checkpoint.t;
      EXPECT_EQ(rest.result.last.v, whole.result.last.v) << c.name << " " << checkpoint.t;
    }
  }
}

}  // namespace
}  // namespace axode::test::control_runs
