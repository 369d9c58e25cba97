#include "axode/io/mechanism/mechanism_run.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "axode/mechanism/analysis/motion_analysis.hpp"
#include "axode/mechanism/analysis/position.hpp"
#include "axode/mechanism/description/builder.hpp"
#include "axode/mechanism/equations/formulate.hpp"

namespace axode::test::mechanism_run {
namespace {

constexpr double mass = 2, length = 0.5, inertia = 0.3, rate = 40, g = 9.81;

constexpr std::array families{CoordinateFamily::relative, CoordinateFamily::reference_point,
                              CoordinateFamily::natural};

/// A rod turned about one end by a motor, in the plane.
Mechanism driven_rod(const TimeFunction& motion = polynomial_in_time(0.2, rate)) {
  return MechanismBuilder("rod", Space::planar)
      .body("rod", Inertia<double>{mass, {length, 0, 0}, {.zz = inertia}})
      .joint("A", PairType::revolute, "world", "rod", {.points = {{{0, 0, 0}, {0, 0, 0}}}})
      .drive("A.angle", motion)
      .start("A.angle", 0.2)
      .build();
}

Run run_of(const Mechanism& mechanism, CoordinateFamily family,
           const SimulateOptions& how = {.duration = 1}) {
  MechanismSystem system(make_equations(mechanism, {.family = family}));
  std::vector<SE3<double>> poses(2);
  poses[1].R = exp(Vec3<double>{0, 0, 0.2});
  std::vector<double> q = system.from_poses(poses);
  EXPECT_TRUE(solve_position(system, 0, q).converged);
  std::vector<double> v(system.equations().velocities());
  EXPECT_TRUE(solve_velocity(system, 0, q, v).consistent);
  Run run;
  run.metadata = run_metadata(mechanism);
  MechanismSampler sampler(system);
  const auto result = axode::simulate(
      system, {q, v}, how, {.sample = [&](const Sample& s) { append(run, sampler.take(s)); }});
  EXPECT_EQ(result.ending, Ending::finished) << result.message;
  EXPECT_TRUE(result.mechanism.sure_of_turns);
  return run;
}

/// Torque of the motor and force of the bearing by Newton and Euler.
TEST(MechanismRun, CoordinatesDriversReactionsAndPosesOfADrivenRod) {
  const Mechanism mechanism = driven_rod();
  for (const CoordinateFamily family : families) {
    const axode::Run run = run_of(mechanism, family);
    ASSERT_EQ(run.times.size(), 101U);
    ASSERT_EQ(run.extras.size(), 3U);
    for (std::size_t i = 0; i < run.times.size(); ++i) {
      const double angle = 0.2 + rate * run.times[i], c = std::cos(angle), s = std::sin(angle);
      EXPECT_NEAR(run.q[i], angle, 1e-9);  // over six full turns
      EXPECT_NEAR(run.v[i], rate, 1e-9);
      EXPECT_NEAR(run.a[i], 0, 1e-6);
      EXPECT_NEAR(run.tau[i], mass * g * length * c, 1e-5);
      const double* reaction = &run.extras[1][6 * i];
      EXPECT_NEAR(reaction[3], -mass * length * rate * rate * c, 1e-5);
      EXPECT_NEAR(reaction[4], -mass * length * rate * rate * s + mass * g, 1e-5);
      EXPECT_EQ(reaction[0], 0);
      const double* pose = &run.extras[0][7 * i];
      EXPECT_NEAR(pose[0] * pose[0] - pose[3] * pose[3], c, 1e-9);
      EXPECT_NEAR(2 * pose[0] * pose[3], s, 1e-9);
      EXPECT_LT(run.extras[2][2 * i], 1e-9);
      EXPECT_LT(run.extras[2][2 * i + 1], 1e-7);
    }
  }
}

/// Rates and accelerations at such samples do not say how often the rod turned between them.
TEST(MechanismRun, TurnsAreWholeWithSamplesFarApart) {
  const auto motion = [](double t) {
    return TimeValue{0.2 + 25 * t + 6 * std::sin(7 * t), 25 + 42 * std::cos(7 * t),
                     -294 * std::sin(7 * t)};
  };
  for (const CoordinateFamily family : families) {
    const axode::Run run =
        run_of(driven_rod(motion), family, {.duration = 3, .sample_interval = 1.5});
    ASSERT_EQ(run.times.size(), 3U);
    for (std::size_t i = 0; i < run.times.size(); ++i) {
      const TimeValue expected = motion(run.times[i]);
      EXPECT_NEAR(run.q[i], expected.value, 1e-6);
      EXPECT_NEAR(run.v[i], expected.rate, 1e-5);
    }
  }
}

TEST(MechanismRun, NamesAndUnits) {
  const RunMetadata m = run_metadata(driven_rod());
  EXPECT_EQ(m.model_name, "rod");
  EXPECT_EQ(m.q_names, std::vector<std::string>{"A.angle"});
  EXPECT_EQ(m.tau_units, std::vector<std::string>{"N m"});
  ASSERT_EQ(m.extras.size(), 3U);
  EXPECT_EQ(m.extras[0].names.size(), 7U);
  EXPECT_EQ(m.extras[1].names[5], "A.fz");
  EXPECT_EQ(m.extras[1].units[5], "N");
}

}  // namespace
}  // namespace axode::test::mechanism_run
