// The beam that is spun up [KaneRyanBanerjee1987; SimoVuQuoc1986]: by centrifugal forces it becomes
// stiffer, which equations without shortening do not know.
#include <gtest/gtest.h>

#include "tests/simulate/flexible_runs.hpp"

namespace axode::test::spin_up {
namespace {

constexpr double pi = 3.14159265358979323846, L = 10;

/// 6 rad/s are reached after 15 s.
TimeValue spin(double t) {
  const double T = 15, w = 2 * pi / T;
  if (t >= T) return {6 * t - 45, 6, 0};
  return {6 / T * (t * t / 2 + (std::cos(w * t) - 1) / (w * w)), 6 / T * (t - std::sin(w * t) / w),
          6 / T * (1 - std::cos(w * t))};
}

struct Spun {
  RunResult result;
  double max_lag = 0, when = 0, last_lag = 0, extension = 0;
};
Spun run(bool stiffening, FlexibleModel model, double duration) {
  const SectionOutline section = section_numbers({4e-4, 2e-7, 2e-7, 4e-7});
  const Beam beam{L, {7e10, 2.7e10, 3000}, section, section};
  FlexibleTree tree = polynomial_beam(beam, 3, FlexibleLink::Joint::revolute);
  tree.gravity = {};
  tree.stiffening = stiffening;
  // Centrifugal force stretches as x - x^3/(3 L^2).
  for (const std::vector<double>& c : {std::vector<double>{0, 1}, {0, 0, 0, 1}})
    tree.links[0].modes.push_back({ModeDirection::axial, polynomial_shape(L, c), 0});
  tree = complete(tree);
  FlexibleForces forces;
  forces.prescribed = {{.coordinate = 0, .motion = spin, .switches = {15}}};
  SimulateOptions options{.duration = duration, .method = Method::arkode, .sample_interval = .05};
  options.flexible.dynamics.model = model;
  Spun spun;
  const std::vector<double> rest(tree.size);
  spun.result = axode::simulate(
      tree, forces, {rest, rest}, options, {.sample = [&](const Sample& s) {
        const double lag = -(s.q[1] + s.q[2] + s.q[3]);  // all shapes are 1 at the tip
        if (lag > spun.max_lag) spun.max_lag = lag, spun.when = s.t;
        spun.last_lag = s.t > 15 ? std::max(spun.last_lag, std::abs(lag)) : 0;
        spun.extension = s.q[4] + s.q[5];
      }});
  return spun;
}

TEST(SpinUp, StiffenedBeamLagsAndComesBack) {
  for (const FlexibleModel model : {FlexibleModel::linear, FlexibleModel::nonlinear}) {
    const Spun spun = run(true, model, 20);
    EXPECT_EQ(spun.result.ending, Ending::finished) << spun.result.message;
    EXPECT_NEAR(spun.max_lag, .58, .06);  // literature: about 0.6 m near 7 s
    EXPECT_NEAR(spun.when, 7, .7);
    EXPECT_LT(spun.last_lag, .02);
    EXPECT_NEAR(spun.extension, 5.142857e-4, 1e-6);  // rho A w^2 L^3 / (3 E A)
  }
}

TEST(SpinUp, WithoutShorteningItFails) {
  const Spun spun = run(false, FlexibleModel::linear, 15);
  EXPECT_GT(spun.max_lag, 5);  // half its length and growing: faster than its lowest frequency
}

}  // namespace
}  // namespace axode::test::spin_up
