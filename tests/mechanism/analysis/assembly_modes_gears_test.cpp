#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "axode/io/mechanism/mechanism_file.hpp"
#include "axode/mechanism/analysis/assembly_modes.hpp"
#include "axode/mechanism/analysis/start_poses.hpp"
#include "tests/mechanism/mechanisms.hpp"

namespace axode::test::assembly_modes_gears {
namespace {

using namespace mechanisms;
constexpr double turn = 2 * std::numbers::pi;

Mechanism model(const char* file) {
  return load_mechanism(std::string(AXODE_TEST_DATA "/../../examples/mechanisms/") + file);
}
/// All of them, and natural coordinates with every coordinate added.
std::vector<FormulationOptions> all_formulations(const Mechanism& m) {
  std::vector<FormulationOptions> all = formulations(m.is_planar);
  all.push_back({.family = CoordinateFamily::natural});
  for (int c = 0; c < static_cast<int>(m.coordinates.size()); ++c) all.back().mixed.push_back(c);
  return all;
}

/// The geared five-bar has one unknown: the angle of rod 3, from which the gears make that of rod 4
/// and rod 5 has to reach its tip. It comes back to the same poses after four turns, as the ratio is
/// 5 : 4.
std::vector<double> five_bar_angles(double crank) {
  const auto gap = [&](double psi) {
    const double psi4 = psi + 0.675 - 1.25 * (crank - psi);
    const double x = 0.8 * std::cos(crank) + 0.9 * std::cos(psi) + std::cos(psi4) - 2.6;
    const double y = 0.8 * std::sin(crank) + 0.9 * std::sin(psi) + std::sin(psi4);
    return x * x + y * y - 1.5 * 1.5;
  };
  std::vector<double> roots;
  constexpr int steps = 40000;
  for (int k = 0; k < steps; ++k) {
    double low = 4 * turn * k / steps, high = 4 * turn * (k + 1) / steps;
    if (gap(low) * gap(high) > 0) continue;
    for (int n = 0; n < 60; ++n) {
      const double middle = (low + high) / 2;
      (gap(low) * gap(middle) > 0 ? low : high) = middle;
    }
    roots.push_back(low);
  }
  return roots;
}
bool has(const std::vector<double>& roots, double crank, const AssemblyMode& mode) {
  const auto along = [](double psi, const SE3<double>& T) {
    return std::hypot(std::cos(psi) - T.R.matrix.x.x, std::sin(psi) - T.R.matrix.x.y) < 1e-8;
  };
  return std::ranges::any_of(roots, [&](double psi) {
    return along(psi, mode.poses[2]) && along(psi + 0.675 - 1.25 * (crank - psi), mode.poses[3]);
  });
}

TEST(AssemblyModesGears, FiveBarHasThoseOfAllTurns) {
  const Mechanism m = model("problem_2_08_geared_five_bar.json");
  const std::vector<double> roots = five_bar_angles(1.2);
  ASSERT_EQ(roots.size(), 10U);
  for (const auto& o : all_formulations(m)) {
    MechanismSystem system(make_equations(m, o));
    const AssemblyResult r = axode::assembly_modes(
        system, 0, system.from_poses(axode::start_poses(m)), {.hits = 3, .successes = 30});
    EXPECT_EQ(r.modes.size(), roots.size()) << label(o) << r.message;
    EXPECT_TRUE(r.complete) << label(o) << r.message;
    for (const AssemblyMode& mode : r.modes) EXPECT_TRUE(has(roots, 1.2, mode)) << label(o);
  }
}

/// By moving the crank some of them are reached, the same in all coordinates.
TEST(AssemblyModesGears, FiveBarIsFollowedOverTurns) {
  const Mechanism m = model("problem_2_08_geared_five_bar.json");
  const std::vector<double> roots = five_bar_angles(1.2);
  std::size_t reached = 0;
  for (const auto& o : all_formulations(m)) {
    MechanismSystem system(make_equations(m, o));
    const AssemblyResult r =
        axode::assembly_modes(system, 0, system.from_poses(axode::start_poses(m)),
                              {.method = AssemblyMethod::continuation});
    EXPECT_TRUE(r.closed_curve) << label(o) << r.message;
    EXPECT_GE(r.modes.size(), 2U) << label(o);
    if (reached == 0) reached = r.modes.size();
    EXPECT_EQ(r.modes.size(), reached) << label(o) << r.message;
    for (const AssemblyMode& mode : r.modes) EXPECT_TRUE(has(roots, 1.2, mode)) << label(o);
  }
}

/// Rod and first gear are driven, turns and all: there is one place for the second.
TEST(AssemblyModesGears, DrivenPairHasOne) {
  const Mechanism m = model("problem_2_06_gear_pair.json");
  for (const auto& o : all_formulations(m)) {
    MechanismSystem system(make_equations(m, o));
    const AssemblyResult r = axode::assembly_modes(
        system, 0, system.from_poses(axode::start_poses(m)), {.hits = 3, .successes = 30});
    ASSERT_EQ(r.modes.size(), 1U) << label(o) << r.message;
    EXPECT_NEAR(std::atan2(r.modes[0].poses[3].R.matrix.x.y, r.modes[0].poses[3].R.matrix.x.x),
                0.25 - 0.8875 - 2.25 * (-0.1 - 0.25), 1e-9);
  }
}

}  // namespace
}  // namespace axode::test::assembly_modes_gears
