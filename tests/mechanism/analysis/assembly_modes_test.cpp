#include "axode/mechanism/analysis/assembly_modes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "axode/core/error.hpp"
#include "axode/io/mechanism/mechanism_file.hpp"
#include "axode/lie/rotation.hpp"
#include "tests/mechanism/mechanisms.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/near.hpp"
#include "tests/support/sanitized.hpp"

namespace axode::test::assembly_modes {
namespace {

using namespace mechanisms;

AssemblyResult modes_of(const Mechanism& m, const FormulationOptions& o,
                        const AssemblyOptions& options = {}) {
  MechanismSystem system(make_equations(m, o));
  return axode::assembly_modes(system, 0, system.from_poses(reference_poses(m)), options);
}

/// Searches are long with sanitizers: one formulation then.
template <class List>
List few(List all) {
  if (is_sanitized()) all.resize(1);
  return all;
}

TEST(AssemblyModes, FourBarHasTwo) {
  const auto set = read_json("mechanisms/planar_fourbar.json")["sets"][0];
  FourBar f = four_bar_of(set["params"]);
  f.phi = set["states"][0]["phi"];
  Mechanism m = four_bar(f);
  add_driver(m, "A.angle", constant_in_time(f.phi));
  for (const auto& o : formulations(true)) {
    const AssemblyResult r = modes_of(m, o);
    ASSERT_EQ(r.modes.size(), 2U) << label(o) << r.message;
    EXPECT_TRUE(r.complete) << r.message;
    EXPECT_LT(r.unseen, 1e-3);
    for (const auto& mode : set["states"][0]["modes"]) {
      double nearest = 1;
      for (const AssemblyMode& found : r.modes) {
        const Vec3<double> two = found.poses[3] * Vec3<double>{f.L4, 0, 0};
        nearest = std::min(nearest, norm(two - in_plane(point2(mode["pos"]["2"]))));
      }
      EXPECT_LT(nearest, 1e-10);
    }
  }
}

TEST(AssemblyModes, RrprHasTwoForEachSide) {
  const auto data = read_json("mechanisms/planar_rrpr.json");
  ASSERT_FALSE(data["sets"].empty());
  for (const auto& set : data["sets"]) {
    const auto& state = set["states"][0];
    if (!state.contains("modes")) continue;
    for (const int sigma : {1, -1}) {
      Mechanism m = rrpr(set["params"], state["phi"], sigma);
      add_driver(m, "A.angle", constant_in_time(state["phi"]));
      std::size_t expected = 0;
      for (const auto& mode : state["modes"]) expected += mode["sigma"] == sigma ? 1U : 0U;
      const AssemblyResult r = modes_of(m, {.family = CoordinateFamily::reference_point});
      EXPECT_EQ(r.modes.size(), expected) << r.message;
      for (const AssemblyMode& found : r.modes) {
        double nearest = 1;
        const Vec3<double> three = found.poses[3] * Vec3<double>{number(set["params"], "L4"), 0, 0};
        for (const auto& mode : state["modes"])
          nearest = std::min(nearest, norm(three - in_plane(point2(mode["pos"]["3"]))));
        EXPECT_LT(nearest, 1e-9);
      }
    }
  }
}

TEST(AssemblyModes, SixBarHasThoseOfTheReference) {
  const auto set = read_json("mechanisms/planar_sixbar.json")["sets"][0];
  for (const auto& state : set["states"]) {
    if (state["n_modes"] == 0) continue;
    Mechanism m = six_bar(set["params"], state["modes"][0]["pos"]);
    add_driver(m, "O.angle", constant_in_time(state["psi1"]));
    for (const auto& o : few(formulations(true))) {
      const AssemblyResult r = modes_of(m, o);
      EXPECT_EQ(r.modes.size(), state["n_modes"].get<std::size_t>()) << label(o) << r.message;
      for (const auto& mode : state["modes"]) {
        double nearest = 1;
        for (const AssemblyMode& found : r.modes)
          nearest = std::min(nearest, norm(found.poses[3].p - in_plane(point2(mode["pos"]["C"]))));
        EXPECT_LT(nearest, 1e-8);
      }
    }
  }
}

TEST(AssemblyModes, RscrHasTwoOrFour) {
  const auto data = read_json("mechanisms/spatial_rscr.json");
  ASSERT_FALSE(data["sets"].empty());
  for (const auto& set : data["sets"])
    for (const auto& state : set["states"]) {
      if (!state.contains("modes") || state["modes"].empty()) continue;
      Mechanism m = rscr(set, state["theta"], state["modes"][0]["pos"]["beta"]);
      add_driver(m, "R1.angle", constant_in_time(state["theta"]));
      const AssemblyResult r =
          modes_of(m, {.family = CoordinateFamily::reference_point}, {.starts = 600});
      EXPECT_EQ(r.modes.size(), state["modes"].size()) << r.message;
      for (const auto& mode : state["modes"]) {
        double nearest = 1;
        for (const AssemblyMode& found : r.modes)
          nearest = std::min(nearest, norm(found.poses[2].R.matrix.x - point3(mode["pos"]["u2"])));
        EXPECT_LT(nearest, 1e-8);
      }
    }
}

/// All real ones of 40 complex poses, found by continuation (scripts/derive/stewart_modes.py).
TEST(AssemblyModes, StewartPlatformHasAllItsPoses) {
  const auto data = read_json("mechanisms/stewart_modes.json");
  ASSERT_EQ(data["states"].size(), 5U);
  for (const auto& state : data["states"]) {
    const Mechanism m =
        stewart(data["params"], {{"r", state["modes"][0]["r"]}, {"legs", state["legs"]}});
    EXPECT_EQ(state["complex"], 40);
    for (const auto& o : few(formulations(false))) {
      const AssemblyResult r =
          modes_of(m, o, {.starts = 4000, .least_starts = 300, .hits = 3, .successes = 200});
      EXPECT_TRUE(r.complete) << label(o) << r.message;
      EXPECT_LT(r.unseen, 1e-3) << label(o);
      EXPECT_NEAR(r.estimated_modes, static_cast<double>(state["modes"].size()), 1e-9);
      EXPECT_EQ(r.modes.size(), state["modes"].size()) << label(o) << r.message;
      for (const auto& mode : state["modes"]) {
        const auto p = mode["p"].get<std::vector<double>>();
        const double half = std::acos(std::clamp(p[0], -1.0, 1.0));
        const SO3<double> R = exp(normalized(Vec3<double>{p[1], p[2], p[3]}) * (2 * half));
        double nearest = 1;
        for (const AssemblyMode& found : r.modes)
          nearest = std::min(nearest, norm(found.poses[1].p - point3(mode["r"])) +
                                          max_abs(found.poses[1].R.matrix - R.matrix));
        EXPECT_LT(nearest, 1e-9) << label(o) << mode.dump();
      }
    }
  }
}

/// The rarest of the eight is met by about one success of a thousand.
TEST(AssemblyModes, DefaultsFindRareModes) {
  const Mechanism m = load_mechanism(AXODE_TEST_DATA "/../../examples/mechanisms/stewart.json");
  for (const auto& o : few(formulations(false))) {
    MechanismSystem system(make_equations(m, o));
    const AssemblyResult r =
        axode::assembly_modes(system, 0, system.from_poses(reference_poses(m)));
    EXPECT_EQ(r.modes.size(), 8U) << label(o) << r.message;
    EXPECT_TRUE(r.complete) << label(o) << r.message;
    EXPECT_LT(r.missed, 0.02);
    EXPECT_NE(r.message.find("missed with a chance of"), std::string::npos) << r.message;
    // Euler angles mean the poses with their seats.
    for (const AssemblyMode& mode : r.modes) {
      system.seat(mode.seats);
      const auto poses = poses_of(system, mode.q);
      expect_near(poses[1].R.matrix, mode.poses[1].R.matrix, 1e-12, label(o));
      expect_near(poses[1].p, mode.poses[1].p, 1e-12, label(o));
    }
  }
}

/// Cranks that turn fully keep their mode; where the crank turns back, both are on one curve.
TEST(AssemblyModes, ContinuationFindsWhatIsConnected) {
  const auto data = read_json("mechanisms/planar_fourbar.json");
  int kept = 0, connected = 0;
  for (const auto& set : data["sets"]) {
    const auto& state = set["states"][0];
    if (!state["feasible"]) continue;
    const bool turns =
        set["limit_half_angle_stretched"].is_null() && set["limit_half_angle_folded"].is_null();
    (turns ? kept : connected) += 1;
    for (const auto& mode : state["modes"]) {
      FourBar f = four_bar_of(set["params"]);
      f.mode = mode["mode"];
      f.phi = state["phi"];
      Mechanism m = four_bar(f);
      add_driver(m, "A.angle", constant_in_time(f.phi));
      for (const auto& o : formulations(true)) {
        const AssemblyResult r = modes_of(m, o, {.method = AssemblyMethod::continuation});
        EXPECT_TRUE(r.closed_curve) << label(o) << r.message;
        EXPECT_FALSE(r.complete);
        ASSERT_EQ(r.modes.size(), turns ? 1U : 2U) << label(o) << r.message;
        EXPECT_EQ(r.dead_points, turns ? 0 : 2) << label(o) << r.message;
        EXPECT_NE(r.message.find("not reached"), std::string::npos);
        const auto at_once = [] { return true; };
        const AssemblyResult stopped =
            modes_of(m, o, {.method = AssemblyMethod::continuation, .should_stop = at_once});
        EXPECT_FALSE(stopped.closed_curve);
        EXPECT_EQ(stopped.modes.size(), 1U);
        const Vec3<double> two = r.modes[0].poses[3] * Vec3<double>{f.L4, 0, 0};
        EXPECT_LT(norm(two - in_plane(point2(mode["pos"]["2"]))), 1e-9) << label(o);
        if (turns) continue;
        const auto& other = state["modes"][mode == state["modes"][0] ? 1 : 0];
        const Vec3<double> there = r.modes[1].poses[3] * Vec3<double>{f.L4, 0, 0};
        EXPECT_LT(norm(there - in_plane(point2(other["pos"]["2"]))), 1e-9) << label(o);
      }
    }
  }
  EXPECT_GT(kept, 0);
  EXPECT_GT(connected, 0);
}

/// Modes on curves are among those of the reference; curves of a state cover all of them.
TEST(AssemblyModes, ContinuationInSpace) {
  const auto set = read_json("mechanisms/spatial_rscr.json")["sets"][0];
  const auto& state = set["states"][0];
  for (const auto& o : formulations(false)) {
    std::vector<int> curves;
    for (const auto& mode : state["modes"]) {
      Mechanism m = rscr(set, state["theta"], mode["pos"]["beta"]);
      add_driver(m, "R1.angle", constant_in_time(state["theta"]));
      const AssemblyResult r = modes_of(m, o, {.method = AssemblyMethod::continuation});
      EXPECT_TRUE(r.closed_curve) << label(o) << r.message;
      curves.push_back(static_cast<int>(r.modes.size()));
      for (const AssemblyMode& found : r.modes) {
        double nearest = 1;
        for (const auto& other : state["modes"])
          nearest = std::min(nearest, norm(found.poses[2].R.matrix.x - point3(other["pos"]["u2"])));
        EXPECT_LT(nearest, 1e-8) << label(o);
      }
    }
    // A curve with n modes is met from each of them.
    for (const int n : curves) EXPECT_EQ(std::ranges::count(curves, n) % n, 0) << label(o);
  }
}

TEST(AssemblyModes, ContinuationNeedsADriver) {
  EXPECT_THROW(modes_of(four_bar(FourBar{}), {.family = CoordinateFamily::natural},
                        {.method = AssemblyMethod::continuation}),
               Error);
}

TEST(AssemblyModes, NoneAndMovingAreToldApart) {
  Mechanism m = four_bar(FourBar{.B = {9, 0}});
  add_driver(m, "A.angle", constant_in_time(0.5));
  const AssemblyResult none =
      modes_of(m, {.family = CoordinateFamily::reference_point}, {.starts = 60});
  EXPECT_TRUE(none.modes.empty());
  const AssemblyResult moving =
      modes_of(four_bar(FourBar{}), {.family = CoordinateFamily::reference_point});
  EXPECT_FALSE(moving.isolated) << moving.message;
}

TEST(AssemblyModes, BodiesThatDifferAreThoseWhosePosesDo) {
  const auto mode = [](double x, double angle) {
    AssemblyMode made;
    made.poses = {SE3<double>{}, SE3<double>{{}, {1, 0, 0}},
                  SE3<double>{rotation_about<double>(2, angle), {x, 0, 0}}};
    return made;
  };
  using Bodies = std::vector<std::size_t>;
  EXPECT_EQ(bodies_that_differ({}), Bodies{});
  EXPECT_EQ(bodies_that_differ(std::vector{mode(2, 0), mode(2 + 1e-7, 1e-7)}), Bodies{});
  EXPECT_EQ(bodies_that_differ(std::vector{mode(2, 0), mode(2, 0), mode(2.1, 0)}), Bodies{2});
  EXPECT_EQ(bodies_that_differ(std::vector{mode(2, 0), mode(2, 1e-3)}), Bodies{2});
}

}  // namespace
}  // namespace axode::test::assembly_modes
