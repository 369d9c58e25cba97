#include <gtest/gtest.h>

#include "axode/core/error.hpp"
#include "axode/flexible/tree/builder.hpp"
#include "axode/simulate/run/simulate.hpp"
#include "tests/simulate/flexible_runs.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::simulate_flexible {
namespace {

struct Errors {
  double q = 0, v = 0, tau = 0;
  std::size_t samples = 0;
};
double largest_difference(std::span<const double> a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < b.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}
/// Runs a manoeuvre and compares all samples with those of the reference.
RunResult run(const FlexibleManoeuvre& m, SimulateOptions options, Errors& errors) {
  const nlohmann::json& expected = m.reference[std::string(name(options.flexible.dynamics.model))];
  options.sample_times = flat(expected["t"]);
  options.duration = options.sample_times.back();
  return axode::simulate(
      m.tree, m.forces, {m.q, m.v}, options, {.sample = [&](const Sample& s) {
        const std::size_t k = errors.samples++;
        errors.q = std::max(errors.q, largest_difference(s.q, flat(expected["q"][k])));
        errors.v = std::max(errors.v, largest_difference(s.v, flat(expected["u"][k])));
        errors.tau = std::max(errors.tau, largest_difference(s.tau, flat(expected["tau"][k])));
      }});
}

TEST(SimulateFlexible, TrajectoriesMeetReferences) {
  for (const std::string chain : {"pendulum1", "arm4"})
    for (const FlexibleModel model : {FlexibleModel::linear, FlexibleModel::nonlinear}) {
      SCOPED_TRACE(chain + " " + std::string(name(model)));
      const FlexibleManoeuvre m = reference_manoeuvre(chain);
      Errors errors;
      const RunResult result = run(m,
                                   {.method = Method::adams,
                                    .rtol = 3e-9,
                                    .atol = 3e-11,
                                    .flexible = {.dynamics = {model, {}, false}}},
                                   errors);
      EXPECT_EQ(result.ending, Ending::finished) << result.message;
      EXPECT_EQ(errors.samples, m.reference["linear"]["t"].size());
      EXPECT_LT(errors.q, 1e-7);
      EXPECT_LT(errors.v, 1e-4);
      EXPECT_LT(errors.tau, 1);  // gains of 1e4 on errors of 1e-4
      // The exact equations keep the balance of energy and work, also while control acts; the
      // linear ones only to second order in the deflections.
      if (model == FlexibleModel::nonlinear)
        EXPECT_LT(result.energy_drift, 1e-8 * result.energy_scale);
      else
        EXPECT_LT(result.energy_drift, 1e-3 * result.energy_scale);
    }
}

TEST(SimulateFlexible, EveryMethodButMomentumRuns) {
  const FlexibleManoeuvre m = reference_manoeuvre("pendulum1");
  for (const Method method : methods_of(ModelKind::flexible_tree)) {
    SCOPED_TRACE(std::string(name(method)));
    SimulateOptions options{.duration = .1, .method = method, .rtol = 1e-7, .atol = 1e-10};
    options.flexible.dynamics.model = FlexibleModel::nonlinear;
    const bool first_order = method == Method::mk1 || method == Method::semi_implicit;
    if (method == Method::mk1) options.rtol = 1e-4, options.atol = 1e-6;
    if (has_fixed_step(method)) options.step = 1e-5;
    const RunResult result = axode::simulate(m.tree, m.forces, {m.q, m.v}, options);
    EXPECT_EQ(result.ending, Ending::finished) << result.message;
    const std::vector<double> q = flat(m.reference["nonlinear"]["q"][1]);
    EXPECT_LT(largest_difference(result.last.q, q), first_order ? 1e-4 : 2e-6);
    EXPECT_LT(result.energy_drift, (first_order ? 2e-2 : 2e-4) * result.energy_scale);
  }
  const SimulateOptions momenta{.method = Method::momentum_preserving};
  expect_says(message([&] {
                (void)axode::simulate(m.tree, m.forces, {m.q, m.v}, momenta);
              }),
              "choose mk1 to mk5");
}

/// A weight on a vertical slide, from several heights, by both models.
TEST(SimulateFlexible, FallsFreelyByAllMethodsFromAnyHeight) {
  const FlexibleTree tree = FlexibleBuilder("slide")
                                .rigid("weight", "world", {}, {.mass = 3})
                                .prismatic({0, 0, 1})
                                .build();
  for (const double height : {1e-3, .5, 1., 2., 1e3})
    for (const FlexibleModel model : {FlexibleModel::linear, FlexibleModel::nonlinear})
      for (const Method method : methods_of(ModelKind::flexible_tree)) {
        const bool first_order = method == Method::mk1 || method == Method::semi_implicit;
        SimulateOptions options{.duration = .3, .method = method, .rtol = 1e-9};
        options.atol = 1e-9;
        if (method == Method::mk1) options.rtol = options.atol = 1e-2, options.max_step = 1e-3;
        if (has_fixed_step(method)) options.step = 1e-3;
        options.flexible.dynamics.model = model;
        const RunResult run = axode::simulate(tree, {}, {{height}, {0}}, options);
        ASSERT_EQ(run.ending, Ending::finished) << name(method) << run.message;
        const double tolerance = first_order ? 5e-3 : 1e-6 * std::max(1., height);
        EXPECT_NEAR(height - run.last.q[0], 9.81 * .09 / 2, tolerance) << name(method) << height;
        EXPECT_NEAR(run.last.v[0], -9.81 * .3, tolerance) << name(method) << height;
      }
}

TEST(SimulateFlexible, WeldedTreesRunByAllMethods) {
  const FlexibleTree tree =
      FlexibleBuilder("post").rigid("post", "world", {}, {.mass = 3}).fixed().build();
  ASSERT_EQ(tree.size, 0);
  for (const Method method : methods_of(ModelKind::flexible_tree)) {
    const RunResult run = axode::simulate(tree, {}, {{}, {}}, {.duration = .5, .method = method});
    EXPECT_EQ(run.ending, Ending::finished) << name(method) << run.message;
    EXPECT_EQ(run.samples, 51) << name(method);
  }
}

TEST(SimulateFlexible, EndsAtALimitOfStepsAndSaysSo) {
  const FlexibleManoeuvre m = reference_manoeuvre("pendulum1");
  for (const Method method : methods_of(ModelKind::flexible_tree)) {
    const RunResult run = axode::simulate(m.tree, m.forces, {m.q, m.v},
                                          {.duration = .5, .method = method, .max_steps = 3});
    EXPECT_EQ(run.ending, Ending::step_limit) << name(method) << run.message;
    EXPECT_NE(run.message.find("max_steps"), std::string::npos) << run.message;
  }
}

TEST(SimulateFlexible, StopsAmongTheSamplesOfAStep) {
  const FlexibleManoeuvre m = reference_manoeuvre("pendulum1");
  std::atomic<bool> stop = false;
  long samples = 0;
  double last = -1;
  const RunResult run = axode::simulate(m.tree, m.forces, {m.q, m.v},
                                        {.duration = .5, .sample_interval = 1e-9, .stop = &stop},
                                        {.sample = [&](const Sample& s) {
                                          last = s.t;
                                          if (++samples == 7) stop = true;
                                        }});
  EXPECT_EQ(run.ending, Ending::stopped);
  EXPECT_LE(samples, 8);
  EXPECT_EQ(run.samples, samples);
  EXPECT_LE(last, run.t);
  EXPECT_LT(run.t, last + 1e-9);
}

TEST(SimulateFlexible, LossOfDefinitenessIsToldAndFallingBackCompletes) {
  const FlexibleManoeuvre m = light_hub();
  SimulateOptions options{.duration = 3.2, .method = Method::adams};
  const RunResult lost = axode::simulate(m.tree, m.forces, {m.q, m.v}, options);
  EXPECT_EQ(lost.ending, Ending::singular);
  EXPECT_NEAR(lost.t, 3.064, .003);
  expect_says(lost.message, "at t = 3.06");
  expect_says(lost.message, "positive definite at link 'link");
  expect_says(lost.message, "smallest eigenvalue is ");

  options.flexible.dynamics.fall_back = true;
  const RunResult back = axode::simulate(m.tree, m.forces, {m.q, m.v}, options);
  EXPECT_EQ(back.ending, Ending::finished) << back.message;
  EXPECT_GT(back.fallbacks, 0);
  ASSERT_FALSE(back.warnings.empty());
  expect_says(back.warnings.back(), "took the exact equations");
  options.flexible.dynamics = {FlexibleModel::nonlinear, {}, false};
  const RunResult exact = axode::simulate(m.tree, m.forces, {m.q, m.v}, options);
  EXPECT_EQ(exact.ending, Ending::finished) << exact.message;
  EXPECT_LT(largest_difference(back.last.q, exact.last.q), .01);

  const FlexibleManoeuvre other = light_hub(SectionRotation::zyx);
  options.flexible.dynamics = {};
  const RunResult zyx = axode::simulate(other.tree, other.forces, {other.q, other.v}, options);
  EXPECT_EQ(zyx.ending, Ending::finished) << zyx.message;
}

TEST(SimulateFlexible, SwitchesAreMetExactly) {
  // A target that switches within a step of any method: errors stay those of a smooth run.
  const FlexibleManoeuvre m = reference_manoeuvre("arm4");
  Errors errors;
  FlexibleManoeuvre cut = m;
  cut.reference["linear"]["t"] = {0., .1, .2, .3, .4, .5, .6};
  const RunResult result = run(cut, {.method = Method::cvode, .rtol = 1e-8, .atol = 1e-10}, errors);
  EXPECT_EQ(result.ending, Ending::finished);
  EXPECT_LT(errors.q, 1e-7);
  EXPECT_LT(errors.tau, 1);  // at .5 s that of the new target
}

TEST(SimulateFlexible, PrescribedJointFollowsItsFunction) {
  FlexibleManoeuvre m = reference_manoeuvre("pendulum1");
  m.forces.control = {};
  m.forces.prescribed = {
      {.coordinate = 0, .motion = [](double t) {
         return TimeValue{.3 * std::sin(5 * t), 1.5 * std::cos(5 * t), -7.5 * std::sin(5 * t)};
       }}};
  for (const Method method : {Method::mk5, Method::arkode, Method::generalized_alpha}) {
    SCOPED_TRACE(std::string(name(method)));
    SimulateOptions options{
        .duration = .5, .method = method, .rtol = 1e-8, .atol = 1e-11, .sample_interval = .05};
    if (method == Method::generalized_alpha) options.rtol = 1e-6, options.atol = 1e-9;
    options.flexible.dynamics.model = FlexibleModel::nonlinear;
    std::vector<double> last;
    const RunResult result =
        axode::simulate(m.tree, m.forces, {m.q, m.v}, options, {.sample = [&](const Sample& s) {
                          EXPECT_NEAR(s.q[0], .3 * std::sin(5 * s.t), 1e-15);
                          EXPECT_NEAR(s.v[0], 1.5 * std::cos(5 * s.t), 1e-15);
                          last.assign(s.tau.begin(), s.tau.end());
                        }});
    EXPECT_EQ(result.ending, Ending::finished) << result.message;
    // The force it needs does all the work.
    EXPECT_GT(std::abs(last[0]), 1);
    const double bound = method == Method::generalized_alpha ? 1e-4 : 1e-6;
    EXPECT_LT(result.energy_drift, bound * result.energy_scale);
  }
  EXPECT_THROW(axode::simulate(m.tree, m.forces, {m.q, m.v}, {.method = Method::variational}),
               Error);
}

TEST(SimulateFlexible, LargeDeflectionsAreToldOnce) {
  FlexibleManoeuvre m = reference_manoeuvre("pendulum1");
  m.forces.control = {};
  m.forces.loads = {{.link = 0, .station = 3, .wrench = {{}, {0, 8000, 0}}, .follows = true}};
  SimulateOptions options{.duration = .2};
  options.flexible.dynamics.model = FlexibleModel::nonlinear;
  const RunResult result = axode::simulate(m.tree, m.forces, {m.q, m.v}, options);
  ASSERT_EQ(result.warnings.size(), 1U);
  expect_says(result.warnings[0], "deflections of link 'link1' are no longer small");
  options.flexible.small_deflection = 10;
  EXPECT_TRUE(axode::simulate(m.tree, m.forces, {m.q, m.v}, options).warnings.empty());
}

TEST(SimulateFlexible, StopsAtTheFlagAndSamplesEveryStep) {
  const FlexibleManoeuvre m = reference_manoeuvre("pendulum1");
  std::atomic<bool> stop = false;
  long samples = 0;
  const RunResult result = axode::simulate(m.tree, m.forces, {m.q, m.v},
                                           {.duration = 1, .sample_interval = 0, .stop = &stop},
                                           {.sample = [&](const Sample& s) {
                                             ++samples;
                                             if (s.t > .1) stop = true;
                                           }});
  EXPECT_EQ(result.ending, Ending::stopped);
  EXPECT_LT(result.t, .2);
  EXPECT_EQ(samples, result.statistics.steps + 1);
  EXPECT_EQ(samples, result.samples);
}

TEST(SimulateFlexible, RefusesWhatCannotBe) {
  const FlexibleManoeuvre m = reference_manoeuvre("pendulum1");
  const auto error = [&](const SimulateOptions& options) {
    return message([&] { (void)axode::simulate(m.tree, m.forces, {m.q, m.v}, options); });
  };
  expect_says(error({.duration = -1}), "duration");
  expect_says(error({.rtol = -1}), "tolerances");
  expect_says(error({.sample_interval = 1e-15}), "1e12");
  expect_says(error({.duration = 1, .sample_times = {2}}), "outside");
  expect_says(error({.flexible = {.small_deflection = 0}}), "deflections");
  EXPECT_THROW(axode::simulate(m.tree, m.forces, {{0}, m.v}), Error);
  EXPECT_THROW(axode::simulate(m.tree, m.forces, {{0, 0, NAN}, m.v}), Error);
}

}  // namespace
}  // namespace axode::test::simulate_flexible
