// What meets the equations and is not meant: reversed axes, kept angles half a turn off.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "axode/mechanism/analysis/position.hpp"
#include "axode/mechanism/description/builder.hpp"
#include "tests/mechanism/mechanisms.hpp"

namespace axode::test::system_mirror {
namespace {

using mechanisms::formulations;
using mechanisms::label;
using mechanisms::reference_poses;

constexpr double half_turn = std::numbers::pi;

/// A body on one joint of the ground, axis z, angles from x.
Mechanism one_joint(PairType type) {
  PairGeometry g{.points = {{{0, 0, 0}, {0, 0, 0}}}, .axes = {{{0, 0, 1}, {0, 0, 1}}}};
  g.zero = {{{1, 0, 0}, {1, 0, 0}}};
  if (type == PairType::helical) g.pitch = .1;
  return MechanismBuilder("one")
      .body("b", {.mass = 1, .com = {.3, .2, .1}, .about_com = {.1, .1, .1, 0, 0, 0}})
      .joint("J", type, "world", "b", g)
      .build();
}

double largest_residual(MechanismSystem& system, std::span<const double> q) {
  std::vector<double> phi(system.constraints());
  system.position(0, q, phi);
  double largest = 0;
  for (const double r : phi) largest = std::max(largest, std::abs(r));
  return largest;
}

/// The body turned by half a turn about an axis: equations that are met must be told from those
/// that are meant.
void expect_told(PairType type, const Vec3<double>& turn, const char* words) {
  const Mechanism m = one_joint(type);
  for (const FormulationOptions& how : formulations(false)) {
    SCOPED_TRACE(label(how) + " " + std::string(name(type)));
    MechanismSystem system(make_equations(m, how));
    std::vector<SE3<double>> poses = reference_poses(m);
    EXPECT_FALSE(system.mirrored(0, system.from_poses(poses)).found);
    poses[1].R = exp(turn * half_turn);
    const std::vector<double> q = system.from_poses(poses);
    if (how.family != CoordinateFamily::reference_point) continue;  // shared vectors: no such poses
    EXPECT_LT(largest_residual(system, q), 1e-12);
    const MechanismSystem::Mirror mirror = system.mirrored(0, q);
    EXPECT_TRUE(mirror.found);
    EXPECT_NE(mirror.what.find(words), std::string::npos) << mirror.what;
    EXPECT_NE(mirror.what.find("'J'"), std::string::npos) << mirror.what;
  }
}

TEST(SystemMirror, AxesThatPointAgainstEachOther) {
  for (const PairType type : {PairType::weld, PairType::revolute, PairType::prismatic,
                              PairType::cylindrical, PairType::helical, PairType::planar})
    expect_told(type, {1, 0, 0}, "point against each other");
}

TEST(SystemMirror, KeptAnglesHalfATurnOff) {
  for (const PairType type : {PairType::weld, PairType::prismatic})
    expect_told(type, {0, 0, 1}, "half a turn off");
}

TEST(SystemMirror, SearchesGoOnFromThere) {
  const Mechanism m = one_joint(PairType::prismatic);
  for (const Vec3<double>& turn : {Vec3<double>{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) {
    MechanismSystem system(make_equations(m, {.family = CoordinateFamily::reference_point}));
    std::vector<SE3<double>> poses = reference_poses(m);
    poses[1].R = exp(turn * half_turn);
    std::vector<double> q = system.from_poses(poses);
    const PositionResult refused = solve_position(system, 0, q);
    EXPECT_TRUE(refused.converged ? !system.mirrored(0, q).found : refused.mirrored);
    EXPECT_EQ(refused.message.find("joint 'J'") != std::string::npos, refused.mirrored);
    q = system.from_poses(poses);
    EXPECT_TRUE(solve_position(system, 0, q, {.refuse_mirror = false}).converged);
  }
}

}  // namespace
}  // namespace axode::test::system_mirror
