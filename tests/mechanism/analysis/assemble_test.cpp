#include "axode/mechanism/analysis/assemble.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "axode/core/error.hpp"
#include "axode/mechanism/analysis/follow.hpp"
#include "tests/mechanism/mechanisms.hpp"

namespace axode::test::assemble_mechanism {
namespace {

using namespace mechanisms;
using Outcome = Assembly::Outcome;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// A crank-rocker: crank 1, coupler 3.5, rocker 2.5, ground 4.
const FourBar crank_rocker{};

/// The angle of the rocker by the triangle of the pins 1, 2 and B, closed on the side of the mode.
double rocker_angle(const FourBar& f, double phi) {
  const double x = f.A[0] + f.L2 * std::cos(phi) - f.B[0];
  const double y = f.A[1] + f.L2 * std::sin(phi) - f.B[1];
  const double d = std::hypot(x, y);
  const double at_B = std::acos((d * d + f.L4 * f.L4 - f.L3 * f.L3) / (2 * d * f.L4));
  return std::remainder(std::atan2(y, x) - f.mode * at_B, 2 * M_PI);
}
/// Its rate by the crank's: the velocities of pin 2 along the coupler are equal.
double rocker_rate(const FourBar& f, double phi, double rate) {
  const double psi = rocker_angle(f, phi);
  const double x = f.B[0] + f.L4 * std::cos(psi) - f.A[0] - f.L2 * std::cos(phi);
  const double y = f.B[1] + f.L4 * std::sin(psi) - f.A[1] - f.L2 * std::sin(phi);
  return rate * f.L2 * (y * std::cos(phi) - x * std::sin(phi)) /
         (f.L4 * (y * std::cos(psi) - x * std::sin(psi)));
}

Mechanism driven(const FourBar& f, const TimeFunction& motion,
                 const std::string& coordinate = "A.angle") {
  Mechanism m = four_bar(f);
  add_driver(m, coordinate, motion);
  return m;
}
/// Two rods one after the other: pins "A" and "B".
Mechanism double_pendulum() {
  Mechanism m = empty_mechanism("double_pendulum", true);
  const int one = add_body(m, "one", planar_place({0, 0}, .3));
  const int two = add_body(m, "two", planar_place({1, .2}, .1));
  add_pin(m, "A", {0, one}, {0, 0}, {0, 0});
  add_pin(m, "B", {one, two}, {1, 0}, {0, 0});
  return m;
}

TimeValue read(MechanismSystem& system, const Assembly& found, const char* coordinate) {
  const Mechanism& m = system.mechanism();
  std::vector<SE3<double>> poses(m.bodies.size());
  std::vector<Twist<Rep::hybrid>> twists(poses.size());
  std::vector<Vec6<double>> rates(poses.size());
  system.motion(found.q, found.v, poses, twists);
  system.accelerations(found.q, found.v, found.a, rates);
  return measure(m, coordinate_index(m, coordinate), poses, twists, rates);
}
double angle_off(double a, double b) { return std::abs(std::remainder(a - b, 2 * M_PI)); }

/// check(system) for each formulation of the mechanism.
template <class Check>
void for_all(const Mechanism& m, const Check& check) {
  for (const FormulationOptions& how : formulations(m.is_planar)) {
    SCOPED_TRACE(label(how));
    MechanismSystem system(make_equations(m, how));
    check(system);
  }
}
void expect_words(const std::string& text, std::initializer_list<const char*> words) {
  for (const char* word : words) EXPECT_NE(text.find(word), std::string::npos) << text;
}

TEST(AssembleMechanism, ValuesFarFromTheReferenceStayOnItsBranch) {
  for (const double phi : {-2.5, -1.0, 1.0, 2.5, 4.333, 6.0})
    for (const auto& o : formulations(true)) {
      Mechanism m = four_bar(crank_rocker);
      m.initial[0] = phi;  // the turn that angles count from
      MechanismSystem system(make_equations(m, o));
      const Assembly found = assemble(system, {.values = {{"A.angle", phi}}});
      ASSERT_TRUE(found.is_assembled()) << label(o) << found.message;
      EXPECT_EQ(found.warning, "") << label(o) << phi;
      EXPECT_NEAR(
          std::remainder(read(system, found, "B.angle").value - rocker_angle(crank_rocker, phi),
                         2 * M_PI),
          0, 1e-9)
          << label(o) << phi;
    }
}

TEST(Assemble, FourBarsCloseAsTheirTrianglesDo) {
  for (const int mode : {1, -1})
    for (const double phi : {.5, -.7, 2.5, 3.1}) {
      const FourBar f{.mode = mode};
      for_all(driven(f, polynomial_in_time(phi, 2)), [&](MechanismSystem& system) {
        const Assembly found = assemble(system);
        ASSERT_TRUE(found.is_assembled()) << found.message;
        EXPECT_EQ(found.warning + found.message + found.remedy, "");
        EXPECT_LT(found.residual, 1e-12);
        EXPECT_NEAR(read(system, found, "A.angle").value, phi, 1e-12);
        const TimeValue rocker = read(system, found, "B.angle");
        EXPECT_LT(angle_off(rocker.value, rocker_angle(f, phi)), 1e-11);
        EXPECT_NEAR(rocker.rate, rocker_rate(f, phi, 2), 1e-10);
        const double h = 1e-5;
        EXPECT_NEAR(rocker.acceleration,
                    (rocker_rate(f, phi + h, 2) - rocker_rate(f, phi - h, 2)) / h, 1e-7);
      });
    }
}

/// Followed in time it comes where the equations at that time have their solution on the same branch.
TEST(Assemble, AtATimeItIsTheDirectSolution) {
  for (const double t : {-.7, .4, 3., 20.})
    for_all(driven(crank_rocker, polynomial_in_time(.5, 2)), [&](MechanismSystem& system) {
      const Assembly found = assemble(system, {.t = t});
      ASSERT_TRUE(found.is_assembled()) << found.message;
      EXPECT_EQ(found.t, t);
      const TimeValue rocker = read(system, found, "B.angle");
      EXPECT_LT(angle_off(rocker.value, rocker_angle(crank_rocker, .5 + 2 * t)), 1e-11);
      EXPECT_NEAR(rocker.rate, rocker_rate(crank_rocker, .5 + 2 * t, 2), 1e-10);
    });
}

TEST(Assemble, TheUnitOfLengthDoesNotMatter) {
  for (const double unit : {1e-4, 1e4}) {
    FourBar f{.B = {4 * unit, 0}, .L2 = unit, .L3 = 3.5 * unit, .L4 = 2.5 * unit};
    for_all(driven(f, polynomial_in_time(.5, 2)), [&](MechanismSystem& system) {
      const Assembly found = assemble(system, {.t = 20});
      ASSERT_TRUE(found.is_assembled()) << found.message;
      EXPECT_EQ(found.warning, "");
      EXPECT_LT(angle_off(read(system, found, "B.angle").value, rocker_angle(f, 40.5)), 1e-10);
    });
  }
}

TEST(Assemble, AGuessChoosesTheBranch) {
  const Mechanism m = driven(crank_rocker, constant_in_time(2.5));
  for (const int mode : {1, -1}) {
    const FourBar f{.mode = mode};
    for_all(m, [&](MechanismSystem& system) {
      std::vector<double> guess = system.from_poses(reference_poses(four_bar(f)));
      for (double& x : guess) x += .02;
      const Assembly found = assemble(system, {.guess = guess});
      ASSERT_TRUE(found.is_assembled()) << found.message;
      EXPECT_LT(angle_off(read(system, found, "B.angle").value, rocker_angle(f, 2.5)), 1e-11);
    });
  }
}

/// Spatial: each formulation finds the same poses, and its q with the seats of the system are these.
TEST(Assemble, SpatialLoopsAgreeInAllCoordinates) {
  // A Bennett linkage: sin(alpha) / a is the same for both pairs of links.
  const double a = 1, b = .8, alpha = .9, beta = std::asin(b * std::sin(alpha) / a);
  const double turn = std::sin((beta + alpha) / 2) / std::sin((beta - alpha) / 2);
  const auto other = [&](double theta) { return 2 * std::atan(turn / std::tan(theta / 2)); };
  const double theta = 1.1, wanted = 1.9;
  Mechanism m = revolute_loop({a, b, a, b}, {alpha, beta, alpha, beta},
                              {theta, other(theta), -theta, -other(theta)});
  add_driver(m, "J1.angle", polynomial_in_time(theta, wanted - theta));
  for_all(m, [&](MechanismSystem& system) {
    const Assembly found = assemble(system, {.t = 1});
    ASSERT_TRUE(found.is_assembled()) << found.message;
    EXPECT_LT(angle_off(read(system, found, "J1.angle").value, wanted), 1e-10);
    EXPECT_LT(angle_off(read(system, found, "J2.angle").value, other(wanted)), 1e-9);
  });
}

/// The rocker turns back where crank and coupler lie in a line: by the law of cosines.
TEST(Assemble, DeadPointsAreTold) {
  const double dead = std::acos(-(4 * 4 + 2.5 * 2.5 - 2.5 * 2.5) / (2 * 4 * 2.5));
  for_all(driven(crank_rocker, constant_in_time(3), "B.angle"), [&](MechanismSystem& system) {
    const Assembly found = assemble(system);
    ASSERT_EQ(found.outcome, Outcome::dead_point) << found.message;
    EXPECT_FALSE(found.is_closed());
    EXPECT_EQ(found.driver, 0);
    EXPECT_NEAR(found.reached, dead, 1e-6);
    EXPECT_EQ(found.wanted, 3);
    EXPECT_FALSE(found.q.empty());
    EXPECT_TRUE(found.v.empty());
    EXPECT_GT(found.residual, 1e-4);
    expect_words(found.message, {"'B.angle' cannot get to 3", "dead point"});
    expect_words(found.remedy, {"keep it on this side"});
  });
}

/// A double rocker: its crank cannot pass from one of its two ranges to the other.
TEST(Assemble, AnotherBranchIsAWarning) {
  const FourBar f{.L2 = 3.5, .L3 = 1, .L4 = 2};
  const double dead = std::acos((4 * 4 + 3.5 * 3.5 - 1) / (2 * 4 * 3.5));
  for_all(driven(f, constant_in_time(-.6)), [&](MechanismSystem& system) {
    const Assembly found = assemble(system);
    ASSERT_TRUE(found.is_assembled()) << found.message;
    expect_words(found.warning, {"another branch than that of the reference", "'A.angle'"});
    EXPECT_EQ(found.driver, 0);
    EXPECT_NEAR(found.reached, dead, 1e-6);
    EXPECT_NEAR(read(system, found, "A.angle").value, -.6, 1e-11);
  });
}

TEST(Assemble, WhatCannotBeMetIsNamed) {
  Mechanism m = driven(crank_rocker, constant_in_time(.5));
  m.joints[joint_index(m, "2")].point[0].x = .2;  // the coupler
  for_all(m, [](MechanismSystem& system) {
    const Assembly found = assemble(system);
    EXPECT_EQ(found.outcome, Outcome::geometry);
    expect_words(found.message, {"not even without its drivers"});
    expect_words(found.remedy, {"correct lengths"});
  });
  m = driven(crank_rocker, constant_in_time(.5));
  add_driver(m, "B.angle", constant_in_time(.5));
  for_all(m, [](MechanismSystem& system) {
    const Assembly found = assemble(system);
    EXPECT_EQ(found.outcome, Outcome::over_driven);
    expect_words(found.message, {"2 drivers for 1 degree of freedom", "the values disagree"});
  });
}

TEST(Assemble, RatesThatDisagreeLeaveThePosition) {
  Mechanism m = driven(crank_rocker, polynomial_in_time(.5, 1));
  const double psi = rocker_angle(crank_rocker, .5);
  add_driver(m, "B.angle", polynomial_in_time(psi, 7));
  for_all(m, [&](MechanismSystem& system) {
    const Assembly found = assemble(system);
    ASSERT_EQ(found.outcome, Outcome::no_motion) << found.message;
    EXPECT_TRUE(found.is_closed());
    EXPECT_TRUE(found.v.empty() && found.a.empty());
    EXPECT_LT(angle_off(measure(m, 3, poses_of(system, found.q)), psi), 1e-11);
    expect_words(found.message, {"'B.angle' moves nothing", "the rates disagree"});
    expect_words(found.remedy, {"make their rates agree"});
  });
}

TEST(Assemble, DriversThatCannotBeAreNamed) {
  Mechanism m = driven(crank_rocker, [](double t) { return TimeValue{std::log(t), 1 / t, 0}; });
  EXPECT_EQ(driver_problem(m, 1), "");
  expect_words(driver_problem(m, 0), {"driver 'A.angle'", "at t = 0 s, which is not finite"});
  for_all(m, [](MechanismSystem& system) {
    const Assembly bad = assemble(system);
    EXPECT_EQ(bad.outcome, Outcome::bad_driver);
    EXPECT_TRUE(bad.q.empty());
    EXPECT_EQ(bad.remedy, "correct the driver, or choose another time");
    const Assembly good = assemble(system, {.t = 2});  // not by way of t = 0
    ASSERT_TRUE(good.is_assembled()) << good.message;
    EXPECT_NEAR(read(system, good, "A.angle").value, std::log(2), 1e-12);
  });
  m = driven(crank_rocker, constant_in_time(1e13));
  expect_words(driver_problem(m, 0), {"too large to compute with"});
  m = four_bar(crank_rocker);
  m.coordinates.push_back({.name = "s",
                           .kind = MechanismCoordinate::Kind::distance,
                           .body = {0, 2},
                           .point = {Vec3<double>{2, 0, 0}, Vec3<double>{1, 0, 0}}});
  m.initial.push_back(none);
  m.initial_rate.push_back(none);
  add_driver(m, "s", constant_in_time(-1));
  expect_words(driver_problem(m, 0), {"'s' has the value -1", "is never negative"});
}

TEST(Assemble, NamedValuesAndRatesAreHeldExactly) {
  const double phi = .2;  // on the same side of the rocker's dead point as the reference
  for_all(four_bar(crank_rocker), [&](MechanismSystem& system) {
    for (const auto& [name, value, rate] :
         {std::tuple{"A.angle", phi, 1.5},
          {"B.angle", rocker_angle(crank_rocker, phi), rocker_rate(crank_rocker, phi, 1.5)}}) {
      const Assembly found = assemble(system, {.values = {{name, value}}, .rates = {{name, rate}}});
      ASSERT_TRUE(found.is_assembled()) << found.message;
      EXPECT_EQ(std::ssize(found.q), system.equations().numbers());
      const TimeValue crank = read(system, found, "A.angle");
      EXPECT_NEAR(crank.value, phi, 1e-10);
      EXPECT_NEAR(crank.rate, 1.5, 1e-9);
      EXPECT_NEAR(read(system, found, "B.angle").rate, rocker_rate(crank_rocker, phi, 1.5), 1e-9);
    }
    const Assembly far = assemble(system, {.values = {{"B.angle", 3}}});
    EXPECT_EQ(far.outcome, Outcome::dead_point);
    EXPECT_EQ(far.driver, -1);  // it is not a driver of the mechanism
    expect_words(far.message, {"'B.angle' cannot get to 3"});
  });
}

/// Starting values are where the search begins, or the start of a simulation: beside a driver, at
/// any time, also of equations without drivers.
TEST(Assemble, SimulationsStartWithStartingValuesAndRates) {
  Mechanism m = double_pendulum();
  m.initial = {none, .7};
  m.initial_rate = {none, -.3};
  Mechanism free = m;
  free.initial[0] = 2;
  free.initial_rate[0] = 2;
  add_driver(m, "A.angle", polynomial_in_time(1, 2));
  const auto check = [](MechanismSystem& system, double t) {
    const Assembly found = assemble(system, {.t = t, .hold_start = true});
    ASSERT_TRUE(found.is_assembled()) << found.message;
    for (const auto& [name, value, rate] : {std::tuple{"A.angle", 2., 2.}, {"B.angle", .7, -.3}}) {
      const TimeValue x = read(system, found, name);
      EXPECT_NEAR(x.value, value, 1e-11) << name;
      EXPECT_NEAR(x.rate, rate, 1e-11) << name;
    }
  };
  for_all(m, [&](MechanismSystem& system) { check(system, .5); });
  for_all(free, [&](MechanismSystem& system) { check(system, 0); });
  add_driver(free, "A.angle", constant_in_time(-1));
  MechanismSystem undriven(make_equations(free, {.with_drivers = false}));
  check(undriven, 0);
}

TEST(Assemble, StartingRatesThatCannotBeMetAreAWarningOrRefused) {
  Mechanism m = four_bar(crank_rocker);
  m.initial_rate[coordinate_index(m, "A.angle")] = 1;
  m.initial_rate[coordinate_index(m, "B.angle")] = 50;
  for_all(m, [](MechanismSystem& system) {
    const Assembly found = assemble(system);
    ASSERT_TRUE(found.is_assembled());
    expect_words(found.warning, {"the starting rates cannot be met"});
    EXPECT_NEAR(read(system, found, "A.angle").rate, 0, 1e-12);
    const Assembly start = assemble(system, {.hold_start = true});
    EXPECT_EQ(start.outcome, Outcome::no_motion);
    expect_words(start.message, {"the rates disagree"});
  });
}

TEST(Assemble, AStartingValueMayFollowFromADriver) {
  Mechanism m = driven(crank_rocker, polynomial_in_time(.5, 2));
  m.initial[coordinate_index(m, "B.angle")] = rocker_angle(crank_rocker, .5);
  for_all(m, [](MechanismSystem& system) {
    const Assembly found = assemble(system, {.hold_start = true});
    ASSERT_TRUE(found.is_assembled()) << found.message;
    EXPECT_NEAR(read(system, found, "B.angle").rate, rocker_rate(crank_rocker, .5, 2), 1e-9);
  });
}

TEST(Assemble, PathsBeginWithADriverHeld) {
  const Mechanism m = driven(crank_rocker, polynomial_in_time(.5, 2));
  for_all(m, [&](MechanismSystem& system) {
    const Assembly found = assemble_with_driver(system, 0, 2, .1);
    ASSERT_TRUE(found.is_assembled()) << found.message;
    EXPECT_TRUE(found.v.empty());
    EXPECT_LT(angle_off(measure(m, 3, poses_of(system, found.q)), rocker_angle(crank_rocker, 2)),
              1e-11);
    EXPECT_TRUE(follow_driver(system, 0, 2, 3, .1, found.q).complete);
    EXPECT_THROW((void)assemble_with_driver(system, 1, 2), Error);
  });
}

TEST(Assemble, MisuseIsRefused) {
  MechanismSystem system(make_equations(driven(crank_rocker, constant_in_time(.5)), {}));
  const auto refused = [&](const AssembleOptions& options, const char* words) {
    try {
      (void)assemble(system, options);
      ADD_FAILURE() << words;
    } catch (const Error& e) {
      expect_words(e.what(), {words});
    }
  };
  refused({.t = none}, "the time is not finite");
  refused({.guess = {1, 2}}, "the guess has 2 numbers, the system");
  refused({.guess = std::vector<double>(system.equations().numbers(), none)}, "not finite");
  refused({.values = {{"E.angle", 1}}}, "E.angle");
  refused({.values = {{"B.angle", none}}}, "value of 'B.angle': it is not finite");
  refused({.values = {{"B.angle", 1}, {"B.angle", 2}}}, "it is given twice; give it once");
  refused({.rates = {{"A.angle", 1}}}, "rate of 'A.angle': the coordinate has a driver");
}

TEST(Assemble, OutcomesHaveNames) {
  EXPECT_EQ(name(Outcome::assembled), "assembled");
  EXPECT_EQ(name(Outcome::dead_point), "dead_point");
  EXPECT_EQ(name(Outcome::no_motion), "no_motion");
}

}  // namespace
}  // namespace axode::test::assemble_mechanism
