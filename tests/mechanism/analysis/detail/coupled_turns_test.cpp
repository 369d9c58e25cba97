#include "axode/mechanism/analysis/detail/coupled_turns.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "axode/mechanism/analysis/assembly_modes.hpp"
#include "axode/mechanism/analysis/start_poses.hpp"
#include "tests/mechanism/mechanisms.hpp"

namespace axode::test::coupled_turns {
namespace {

using namespace mechanisms;
constexpr double turn = 2 * std::numbers::pi;

int x_of(const MechanismEquations& eq, const char* name) {
  return eq.scalars[eq.mixed[coordinate_index(eq.mechanism, name)]].parts[0].x;
}

/// A rod on a pin with gears at both ends, of which the first turns about the pin too; the angles of
/// rod and first gear in the world are driven: the second gear is where the mesh has it.
Mechanism gear_pair(double ratio, double offset, double rod, double gear) {
  Mechanism m = empty_mechanism("gears", true);
  const int arm = add_body(m, "rod", planar_place({0, 0}, rod));
  const int first = add_body(m, "first", planar_place({0, 0}, gear));
  const int second = add_body(m, "second", planar_place({std::cos(rod), std::sin(rod)}, 0));
  add_pin(m, "A", {0, arm}, {0, 0}, {0, 0});
  add_pin(m, "1", {arm, first}, {0, 0}, {0, 0});
  add_pin(m, "2", {arm, second}, {1, 0}, {0, 0});
  m.coordinates.push_back({.name = "psi",
                           .kind = MechanismCoordinate::Kind::angle,
                           .body = {0, first},
                           .is_angle = true});
  m.initial.resize(m.coordinates.size(), std::nan(""));
  m.initial_rate = m.initial;
  m.couplings.push_back({"mesh", {{1, ratio}, {2, 1}}, offset});
  add_driver(m, "A.angle", constant_in_time(rod));
  add_driver(m, "psi", constant_in_time(gear));
  return m;
}

TEST(CoupledTurns, NaturalCoordinatesAreHeldToTheDifferencesOfAngles) {
  const Mechanism m = gear_pair(2.25, .3, .25, -.1);
  MechanismSystem natural(make_equations(m, {.family = CoordinateFamily::natural}));
  const MechanismEquations& eq = natural.equations();
  const CoupledTurns turns = axode::coupled_turns(eq);
  EXPECT_EQ(turns.relations.size(), 4U);
  std::vector<double> q = natural.from_poses(axode::start_poses(m));
  EXPECT_TRUE(turns_agree(turns, eq, q));
  const auto turned = [&](const char* name, double by) {
    q[x_of(eq, name)] += by * turn;
    return turns_agree(turns, eq, q);
  };
  EXPECT_TRUE(turned("2.angle", 3));  // of the gear alone: no other angle knows it
  EXPECT_FALSE(turned("1.angle", 1));
  EXPECT_TRUE(turned("psi", 1));
  EXPECT_FALSE(turned("A.angle", -1));
  EXPECT_TRUE(turned("1.angle", 1));
  // Others have the angles of bodies as coordinates: nothing can disagree.
  for (const auto family : {CoordinateFamily::reference_point, CoordinateFamily::relative})
    EXPECT_TRUE(axode::coupled_turns(make_equations(m, {.family = family})).relations.empty());
}

TEST(CoupledTurns, AnglesThatAreNotDrivenAreTurnedToAgree) {
  const Mechanism m = gear_pair(2.25, .3, .25, -.1);
  MechanismSystem natural(make_equations(m, {.family = CoordinateFamily::natural}));
  const MechanismEquations& eq = natural.equations();
  const CoupledTurns turns = axode::coupled_turns(eq);
  const std::vector<double> start = natural.from_poses(axode::start_poses(m));
  std::vector<double> q = start, wanted = start;
  const auto turned = [&](std::vector<double>& list, const char* name, double by) {
    list[x_of(eq, name)] += by * turn;
  };
  turned(q, "psi", 2);
  turned(q, "A.angle", -1);
  wanted = q;
  turned(wanted, "1.angle", 3);
  turn_to_agree(turns, eq, q);
  for (std::size_t k = 0; k < q.size(); ++k) EXPECT_NEAR(q[k], wanted[k], 1e-12) << k;
  EXPECT_TRUE(turns_agree(turns, eq, q));
}

TEST(CoupledTurns, WithoutCouplingsTurnsDoNotCount) {
  Mechanism m = gear_pair(2.25, .3, .25, -.1);
  m.couplings.clear();
  const CoupledTurns turns =
      axode::coupled_turns(make_equations(m, {.family = CoordinateFamily::natural}));
  EXPECT_TRUE(turns.relations.empty() && turns.couplings.empty());
}

/// A slider carries a pinion and is carried by another: kept angles are part of the way round.
TEST(CoupledTurns, PrismaticJointsKeepTheirTurn) {
  Mechanism m = empty_mechanism("slides", true);
  const int slider = add_body(m, "slider", planar_place({0, 0}, 0));
  const int arm = add_body(m, "arm", planar_place({0, 0}, .5));
  add_joint(m, {.name = "P",
                .type = PairType::prismatic,
                .body = {0, slider},
                .axis = {Vec3<double>{1, 0, 0}, Vec3<double>{1, 0, 0}}});
  add_pin(m, "B", {slider, arm}, {0, 0}, {0, 0});
  m.coordinates.push_back({.name = "psi",
                           .kind = MechanismCoordinate::Kind::angle,
                           .body = {0, arm},
                           .is_angle = true});
  m.initial.resize(m.coordinates.size(), std::nan(""));
  m.initial_rate = m.initial;
  m.couplings.push_back({"rack", {{0, 1}, {1, .2}}, .1});
  add_driver(m, "psi", constant_in_time(.5));
  MechanismSystem system(make_equations(m, {.family = CoordinateFamily::natural}));
  const CoupledTurns turns = axode::coupled_turns(system.equations());
  std::vector<double> q = system.from_poses(axode::start_poses(m));
  EXPECT_TRUE(turns_agree(turns, system.equations(), q));
  q[x_of(system.equations(), "B.angle")] += turn;
  EXPECT_FALSE(turns_agree(turns, system.equations(), q));
}

TEST(CoupledTurns, TurnsLeavePosesAndMeetTheCouplingAsWellAsTheyCan) {
  Mechanism m = gear_pair(1.5, .3, .25, -.1);
  m.drivers.clear();
  for (const auto& o : formulations(true)) {
    MechanismSystem system(make_equations(m, o));
    std::vector<double> q = system.from_poses(axode::start_poses(m));
    const auto before = poses_of(system, q);
    const std::vector<double> old = q;
    const CoupledTurns turns = axode::coupled_turns(system.equations());
    ASSERT_EQ(turns.couplings.size(), 1U);
    turn_coupled(turns, system.equations(), q, [] { return 3; });
    EXPECT_NE(q, old) << label(o);
    const auto after = poses_of(system, q);
    for (std::size_t b = 0; b < before.size(); ++b)
      EXPECT_LT(max_abs(before[b].R.matrix - after[b].R.matrix), 1e-13) << label(o);
    std::vector<double> phi(system.constraints());
    system.position(0, q, phi);
    const double factor = std::abs(turns.couplings[0].free.back().factor);
    EXPECT_LE(std::abs(phi[turns.couplings[0].row]), factor * turn / 2 + 1e-12) << label(o);
  }
}

/// Drivers say turns too: their gears have one place, and after a turn of the first another.
TEST(CoupledTurns, DrivenGearsHaveOneMode) {
  for (const double gear : {-.1, -.1 + turn}) {
    const Mechanism m = gear_pair(2.25, .3, .25, gear);
    for (auto o : formulations(true))
      for (const bool all_mixed : {false, true}) {
        if (all_mixed) o.mixed = {0, 1, 2, 3};
        MechanismSystem system(make_equations(m, o));
        const AssemblyResult r = axode::assembly_modes(
            system, 0, system.from_poses(axode::start_poses(m)), {.hits = 3, .successes = 30});
        ASSERT_EQ(r.modes.size(), 1U) << label(o) << all_mixed << r.message;
        // From the ground: psi_2 = rod + offset - ratio (gear - rod).
        const double psi = .25 + .3 - 2.25 * (gear - .25);
        const Vec3<double> x = r.modes[0].poses[3].R.matrix.x;
        EXPECT_NEAR(x.x, std::cos(psi), 1e-9) << label(o) << all_mixed;
        EXPECT_NEAR(x.y, std::sin(psi), 1e-9) << label(o) << all_mixed;
      }
  }
}

}  // namespace
}  // namespace axode::test::coupled_turns
