#include "axode/mechanism/analysis/follow.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "axode/core/error.hpp"
#include "tests/mechanism/mechanisms.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/near.hpp"

namespace axode::test::follow {
namespace {

using namespace mechanisms;

TEST(Follow, CrankTurnsFullyOnItsBranch) {
  const auto set = read_json("mechanisms/planar_fourbar.json")["sets"][0];
  FourBar f = four_bar_of(set["params"]);
  f.phi = 0.1;
  Mechanism m = four_bar(f);
  add_driver(m, "A.angle", constant_in_time(0.1));
  for (const auto& o : formulations(true)) {
    MechanismSystem system(make_equations(m, o));
    const auto q = system.from_poses(reference_poses(m));
    const FollowResult r = follow_driver(system, 0, 0.1, 0.1 + 4 * M_PI, 0, q);
    ASSERT_TRUE(r.complete) << label(o) << r.message;
    EXPECT_EQ(r.points.size(), 101U);
    EXPECT_TRUE(r.events.empty());
    const auto curve = path_of_point(system, r, 2, in_plane(point2(set["params"]["cp"])));
    expect_near(curve.back(), in_plane(point2(set["states"][0]["modes"][0]["pos"]["P"])), 1e-9,
                label(o));
    expect_near(curve[50], curve[100], 1e-10, label(o));
    // Velocity and acceleration by the driver, against the reference with its rate.
    const auto input = path_of_coordinate(r, coordinate_index(m, "A.angle"));
    EXPECT_NEAR(input.back().value, 0.1 + 4 * M_PI, 1e-9);
    EXPECT_NEAR(input.back().rate, 1, 1e-10);
    EXPECT_NEAR(input.back().acceleration, 0, 1e-10);
    const auto output = path_of_coordinate(r, coordinate_index(m, "B.angle"));
    const double rate = set["states"][0]["modes"][0]["vel"]["ref_psi"][2];
    const double omega = number(set["params"], "omega"), alpha = number(set["params"], "alpha");
    EXPECT_NEAR(output[0].rate * omega, rate, 1e-10) << label(o);
    const double acceleration = set["states"][0]["modes"][0]["acc"]["ref_psi"][2];
    EXPECT_NEAR(output[0].acceleration * omega * omega + output[0].rate * alpha, acceleration,
                1e-9 * (1 + std::abs(acceleration)))
        << label(o);
  }
}

/// However far apart the points are, and both ways: of a crank and a rocker that all turn around
/// (drag link), and of one that swings.
TEST(Follow, CountsTurnsBetweenFarApartPoints) {
  FourBar f;
  f.phi = 0.1;
  for (const bool back : {false, true}) {
    Mechanism m = four_bar(f);
    add_driver(m, "A.angle", constant_in_time(0.1));
    const double to = 0.1 + (back ? -100 : 100);
    for (const auto& o : formulations(true)) {
      MechanismSystem system(make_equations(m, o));
      const auto q = system.from_poses(reference_poses(m));
      const FollowResult near = follow_driver(system, 0, 0.1, to, 0, q, {.step = 0.5});
      const FollowResult far = follow_driver(system, 0, 0.1, to, 0, q, {.step = 20});
      ASSERT_TRUE(near.complete && far.complete) << label(o) << near.message << far.message;
      ASSERT_EQ(far.points.size(), 6u) << label(o);
      for (std::size_t k = 0; k < far.points.size(); ++k) {
        const auto& there = far.points[k].coordinates;
        const auto& here = near.points[40 * k].coordinates;
        EXPECT_NEAR(there[coordinate_index(m, "A.angle")].value, far.points[k].driver, 1e-9);
        for (std::size_t c = 0; c < there.size(); ++c)
          EXPECT_NEAR(there[c].value, here[c].value, 1e-8) << label(o) << m.coordinates[c].name;
      }
    }
  }
}

TEST(Follow, GivesUpAfterTooManyStepsAndStopsWhenTold) {
  FourBar f;
  f.phi = 0.1;
  Mechanism m = four_bar(f);
  add_driver(m, "A.angle", constant_in_time(0.1));
  MechanismSystem system(make_equations(m, {.family = CoordinateFamily::relative}));
  const auto q = system.from_poses(reference_poses(m));
  const FollowResult few =
      follow_driver(system, 0, 0.1, 1, 0, q, {.tolerance = 1e-8, .max_steps = 7});
  EXPECT_FALSE(few.complete);
  EXPECT_EQ(few.steps + few.refused, 7);
  ASSERT_EQ(few.events.size(), 1U);
  EXPECT_EQ(few.events[0].kind, FollowEvent::Kind::lost);
  EXPECT_NE(few.message.find("max_steps"), std::string::npos) << few.message;
  int asked = 0;
  const FollowResult stopped =
      follow_driver(system, 0, 0.1, 1, 0, q, {.should_stop = [&] { return ++asked > 5; }});
  EXPECT_FALSE(stopped.complete);
  EXPECT_EQ(asked, 6);
  EXPECT_NE(stopped.message.find("stopped"), std::string::npos) << stopped.message;
}

TEST(Follow, DeadPointsAreWhereTheyShouldBe) {
  const auto data = read_json("mechanisms/planar_fourbar.json");
  ASSERT_FALSE(data["sets"].empty());
  for (const auto& set : data["sets"]) {
    if (set["limit_half_angle_stretched"].is_null()) continue;
    FourBar f = four_bar_of(set["params"]);
    f.phi = 0.5;
    Mechanism m = four_bar(f);
    add_driver(m, "A.angle", constant_in_time(0.5));
    for (const auto& o : formulations(true)) {
      MechanismSystem system(make_equations(m, o));
      const auto q = system.from_poses(reference_poses(m));
      const FollowResult r = follow_driver(system, 0, 0.5, 3, 0, q);
      EXPECT_FALSE(r.complete);
      ASSERT_FALSE(r.events.empty()) << label(o);
      EXPECT_EQ(r.events.back().kind, FollowEvent::Kind::dead_point) << r.message;
      EXPECT_NEAR(r.events.back().driver, number(set, "limit_half_angle_stretched"), 1e-9)
          << label(o) << r.message;
      EXPECT_NE(r.message.find("dead point at 'A.angle'"), std::string::npos);
    }
  }
}

TEST(Follow, ParallelogramGoesThroughItsBranchPoint) {
  Mechanism m = n_four_bar(1, 0.5);
  for (const auto& o : formulations(true)) {
    MechanismSystem system(make_equations(m, o));
    const auto q = system.from_poses(reference_poses(m));
    const FollowResult r = follow_driver(system, 0, 0.5, 4.0, 0, q, {.step = 0.11});
    EXPECT_TRUE(r.complete) << label(o) << r.message;
    ASSERT_FALSE(r.events.empty()) << label(o);
    EXPECT_EQ(r.events[0].kind, FollowEvent::Kind::branch);
    EXPECT_NEAR(r.events[0].driver, M_PI, 1e-3) << label(o);
    // It stays a parallelogram.
    const auto poses = poses_of(system, r.points.back().q);
    expect_near(poses[1].R.matrix, poses[2].R.matrix, 1e-8, label(o));
  }
}

/// Rates of all points against values: x1 - x0 = h (v0 + v1) / 2 - h^2 (a1 - a0) / 12 + O(h^5), also
/// next to a branch point, which is searched for on the way.
TEST(Follow, RatesAreThoseOfThePath) {
  const Mechanism m = n_four_bar(1, 0.5);
  for (const auto& o : formulations(true)) {
    MechanismSystem system(make_equations(m, o));
    const auto q = system.from_poses(reference_poses(m));
    const FollowResult r = follow_driver(system, 0, 0.5, 4.0, 0, q);
    ASSERT_TRUE(r.complete) << label(o) << r.message;
    ASSERT_FALSE(r.events.empty()) << label(o);
    std::vector<double> step(r.points[0].v.size());
    for (std::size_t k = 1; k < r.points.size(); ++k) {
      const FollowPoint &a = r.points[k - 1], &b = r.points[k];
      const double h = b.driver - a.driver;
      difference(system.configuration(), a.q, b.q, step);
      for (std::size_t i = 0; i < step.size(); ++i)
        EXPECT_NEAR(step[i], h * (a.v[i] + b.v[i]) / 2 - h * h / 12 * (b.a[i] - a.a[i]), 1e-8)
            << label(o) << " at " << b.driver;
    }
  }
}

TEST(Follow, WorkspaceOfFiveBars) {
  Mechanism m = empty_mechanism("five_bar", true);
  // Two cranks of length 1 at distance 2, two links of 1.5.
  const int left = add_body(m, "left", planar_place({0, 0}, 2.0));
  const int right = add_body(m, "right", planar_place({2, 0}, 1.0));
  const int one = add_body(m, "one", planar_place({-0.4, 0.9}, 0.6));
  const int two = add_body(m, "two", planar_place({2.5, 0.84}, 2.5));
  add_pin(m, "A", {0, left}, {0, 0}, {0, 0});
  add_pin(m, "B", {0, right}, {2, 0}, {0, 0});
  add_pin(m, "C", {left, one}, {1, 0}, {0, 0});
  add_pin(m, "D", {right, two}, {1, 0}, {0, 0});
  add_pin(m, "E", {one, two}, {1.5, 0}, {1.5, 0});
  add_driver(m, "A.angle", constant_in_time(2));
  add_driver(m, "B.angle", constant_in_time(1));
  MechanismSystem system(make_equations(m, {.family = CoordinateFamily::reference_point}));
  const WorkspaceResult r = sweep_workspace(system, {0, 1}, {0, M_PI}, {0, M_PI}, {9, 9}, 0,
                                            system.from_poses(reference_poses(m)));
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t j = 0; j < 9; ++j) {
      const double dx = 2 + std::cos(r.second[j]) - std::cos(r.first[i]);
      const double dy = std::sin(r.second[j]) - std::sin(r.first[i]);
      EXPECT_EQ(r.reachable[9 * i + j] != 0, std::hypot(dx, dy) < 3) << i << " " << j;
    }
}

/// Two arms about x and y: nutations of Euler angles pass zero, and seats change on the way.
Mechanism two_arms() {
  Mechanism m = empty_mechanism("two_arms", false);
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0};
  const SE3<double> first{exp(x * 0.5), {}}, second = first * SE3<double>{exp(y * 0.4), {0, 1, 0}};
  const int one = add_body(m, "one", first), two = add_body(m, "two", second);
  MechanismJoint a = axis_joint("A", PairType::revolute, {0, one}, {}, {}, x, x);
  MechanismJoint b = axis_joint("B", PairType::revolute, {one, two}, {0, 1, 0}, {}, y, y);
  a.zero = {y, y};
  b.zero = {x, x};
  add_joint(m, a);
  add_joint(m, b);
  add_driver(m, "A.angle", constant_in_time(0.5));
  add_driver(m, "B.angle", constant_in_time(0.4));
  return m;
}

TEST(Follow, EulerAnglesKeepTheirSeats) {
  const Mechanism m = two_arms();
  for (const auto& o : formulations(false)) {
    MechanismSystem system(make_equations(m, o));
    const auto q = system.from_poses(reference_poses(m));
    const FollowResult r = follow_driver(system, 0, 0.5, 0.5 + 2 * M_PI, 0, q);
    ASSERT_TRUE(r.complete) << label(o) << r.message;
    const auto tip = path_of_point(system, r, 2, {1, 0, 0});
    const auto angle = path_of_coordinate(r, coordinate_index(m, "A.angle"));
    for (std::size_t k = 0; k < r.points.size(); ++k) {
      const double s = r.points[k].driver;
      const SE3<double> first{exp(Vec3<double>{s, 0, 0}), {}};
      const SE3<double> second = first * SE3<double>{exp(Vec3<double>{0, 0.4, 0}), {0, 1, 0}};
      expect_near(tip[k], second * Vec3<double>{1, 0, 0}, 1e-9, label(o));
      EXPECT_NEAR(angle[k].value, s, 1e-9) << label(o);
      EXPECT_NEAR(angle[k].rate, 1, 1e-9) << label(o);
      EXPECT_NEAR(angle[k].acceleration, 0, 1e-8) << label(o);
    }
    // The caller's q means what it did.
    expect_near(poses_of(system, q)[2].p, m.bodies[2].pose.p, 1e-12, label(o));
    const WorkspaceResult w = sweep_workspace(system, {0, 1}, {-3, 3}, {-3, 3}, {13, 13}, 0, q);
    EXPECT_EQ(w.count, 169) << label(o);
    EXPECT_TRUE(w.complete) << label(o);
  }
}

/// What was found until then is kept.
TEST(Follow, WorkspaceIsLeftWhenToldTo) {
  const Mechanism m = two_arms();
  MechanismSystem system(make_equations(m, {.family = CoordinateFamily::reference_point}));
  const auto q = system.from_poses(reference_poses(m));
  for (const int pairs : {0, 1, 20}) {
    int asked = 0;
    const WorkspaceResult w = sweep_workspace(system, {0, 1}, {-3, 3}, {-3, 3}, {13, 13}, 0, q,
                                              [&] { return asked++ == pairs; });
    EXPECT_FALSE(w.complete);
    EXPECT_EQ(asked, pairs + 1);
    EXPECT_LE(w.count, pairs);
    EXPECT_GE(w.count, std::min(pairs, 1));
    EXPECT_EQ(std::count(w.reachable.begin(), w.reachable.end(), 1), w.count);
  }
}

/// Equations in sines and cosines are met half a turn off as well: steps are short and checked.
TEST(Follow, LongStepsStayOnTheBranch) {
  FourBar f;
  Mechanism m = four_bar(f);
  add_driver(m, "A.angle", constant_in_time(f.phi));
  std::vector<FormulationOptions> all = formulations(true);
  for (int c = 0; c < 4; ++c) all.push_back({.family = CoordinateFamily::natural, .mixed = {c}});
  for (const auto& o : all) {
    MechanismSystem system(make_equations(m, o));
    const auto q = system.from_poses(reference_poses(m));
    for (const int steps : {1, 2, 3, 5, 7}) {
      const double turn = 2 * M_PI;
      const FollowResult r =
          follow_driver(system, 0, f.phi, f.phi + turn, 0, q, {.step = turn / steps});
      ASSERT_TRUE(r.complete) << label(o) << r.message;
      ASSERT_EQ(r.points.size(), static_cast<std::size_t>(steps + 1));
      for (const FollowPoint& p : r.points) {
        FourBar there = f;
        there.phi = p.driver;
        const auto poses = poses_of(system, p.q);
        const auto expected = reference_poses(four_bar(there));
        for (std::size_t b = 1; b < poses.size(); ++b) {
          expect_near(poses[b].p, expected[b].p, 1e-8, label(o));
          expect_near(poses[b].R.matrix, expected[b].R.matrix, 1e-8, label(o));
        }
      }
    }
  }
}

TEST(Follow, NoRange) {
  FourBar f;
  Mechanism m = four_bar(f);
  add_driver(m, "A.angle", constant_in_time(f.phi));
  MechanismSystem system(make_equations(m, {.family = CoordinateFamily::natural}));
  const auto q = system.from_poses(reference_poses(m));
  const FollowResult r = follow_driver(system, 0, f.phi, f.phi, 0, q);
  EXPECT_TRUE(r.complete);
  EXPECT_EQ(r.points.size(), 1U);
  EXPECT_THROW(follow_driver(system, 0, f.phi, NAN, 0, q), Error);
  EXPECT_THROW(follow_driver(system, 0, 0, 1, 0, q, {.step = 1e-12}), Error);
}

}  // namespace
}  // namespace axode::test::follow
