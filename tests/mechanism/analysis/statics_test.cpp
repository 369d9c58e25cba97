#include "axode/mechanism/analysis/statics.hpp"

#include <gtest/gtest.h>

#include "tests/mechanism/mechanisms.hpp"
#include "tests/support/json_data.hpp"

namespace axode::test::statics {
namespace {

using namespace mechanisms;

TEST(Statics, FourBarEquilibria) {
  const auto data = read_json("mechanisms/fourbar_statics_invdyn.json");
  ASSERT_FALSE(data["cases"].empty());
  for (const auto& c : data["cases"])
    for (const auto& e : c["equilibria"]) {
      FourBar f = four_bar_of(c["params"]);
      f.phi = number(e, "q") + 0.1;
      const Mechanism m = four_bar(f);
      for (const auto& o : formulations(true)) {
        MechanismSystem system(make_equations(m, o));
        const auto start = system.from_poses(reference_poses(m));
        const EquilibriumResult r =
            equilibrium(system, 0, start,
                        {.kind = e["stable"] ? EquilibriumOptions::Kind::stable
                                             : EquilibriumOptions::Kind::nearest});
        ASSERT_TRUE(r.converged) << label(o) << r.message;
        const double angle = measure(m, 0, poses_of(system, r.q));
        EXPECT_NEAR(std::remainder(angle - number(e, "q"), 2 * M_PI), 0, 1e-9) << label(o);
        EXPECT_EQ(r.stable, e["stable"].get<bool>()) << label(o);
        EXPECT_NEAR(r.potential, number(e, "V"), 1e-8) << label(o);
        ASSERT_EQ(r.frequencies.size(), 1U);
        if (e["stable"]) {
          EXPECT_NEAR(r.frequencies[0], number(e, "small_oscillation_omega"), 1e-7) << label(o);
        } else {
          EXPECT_LT(r.frequencies[0], 0);
        }
      }
    }
}

TEST(Statics, WalksDownFromAnywhere) {
  const auto c = read_json("mechanisms/fourbar_statics_invdyn.json")["cases"][0];
  for (const double phi : {0.3, 1.3345185437619573, 2.5, 5.8}) {
    FourBar f = four_bar_of(c["params"]);
    f.phi = phi;
    const Mechanism m = four_bar(f);
    for (const auto& o : formulations(true)) {
      MechanismSystem system(make_equations(m, o));
      const EquilibriumResult r = equilibrium(system, 0, system.from_poses(reference_poses(m)));
      ASSERT_TRUE(r.converged) << label(o) << phi << r.message;
      EXPECT_TRUE(r.stable) << label(o) << phi;
      EXPECT_NEAR(r.potential, number(c["equilibria"][1], "V"), 1e-8) << label(o) << phi;
    }
  }
}

TEST(Statics, SpringHoldsAPendulum) {
  Mechanism m = empty_mechanism("pendulum", true);
  m.gravity = {0, -10, 0};
  const int bar = add_body(m, "bar", planar_place({0, 0}, 0.2), planar_inertia(1, {1, 0}, 0.5));
  add_pin(m, "A", {0, bar}, {0, 0}, {0, 0});
  m.coordinate_forces.push_back({.name = "k", .coordinate = 0, .stiffness = 50});
  for (const auto& o : formulations(true)) {
    MechanismSystem system(make_equations(m, o));
    const EquilibriumResult r = equilibrium(system, 0, system.from_poses(reference_poses(m)));
    ASSERT_TRUE(r.converged) << label(o) << r.message;
    const double angle = measure(m, 0, poses_of(system, r.q));
    EXPECT_NEAR(-50 * angle - 10 * std::cos(angle), 0, 1e-8);
    ASSERT_EQ(r.frequencies.size(), 1U);
    EXPECT_NEAR(r.frequencies[0], std::sqrt((50 - 10 * std::sin(angle)) / 1.5), 1e-8) << label(o);
  }
}

/// A spring from the tip of a pendulum to a hook above, and a load at its tip: the potential by the
/// law of cosines. Forces at points that turn have slopes in every formulation.
TEST(Statics, SpringAndLoadAtTheTip) {
  Mechanism m = empty_mechanism("pendulum", true);
  m.gravity = {0, -10, 0};
  const double k = 40, rest = 1, reach = 2, hook = 3, load = -5;
  const int bar = add_body(m, "bar", planar_place({0, 0}, 0.2), planar_inertia(1, {1, 0}, 0.5));
  add_pin(m, "A", {0, bar}, {0, 0}, {0, 0});
  m.springs.push_back({.name = "k",
                       .body = {0, bar},
                       .point = {Vec3<double>{0, hook, 0}, Vec3<double>{reach, 0, 0}},
                       .stiffness = k,
                       .length = rest});
  m.loads.push_back({.name = "load", .body = bar, .point = {reach, 0, 0}, .force = {0, load, 0}});
  for (const auto& o : formulations(true)) {
    MechanismSystem system(make_equations(m, o));
    const EquilibriumResult r = equilibrium(system, 0, system.from_poses(reference_poses(m)));
    ASSERT_TRUE(r.converged) << label(o) << r.message;
    const double angle = measure(m, 0, poses_of(system, r.q));
    // l^2 = reach^2 + hook^2 - 2 reach hook sin(angle)
    const double l = std::sqrt(reach * reach + hook * hook - 2 * reach * hook * std::sin(angle));
    const double l1 = -reach * hook * std::cos(angle) / l;
    const double l2 = (reach * hook * std::sin(angle) - l1 * l1) / l;
    EXPECT_NEAR(k * (l - rest) * l1 + (10 - load * reach) * std::cos(angle), 0, 1e-8) << label(o);
    const double stiffness =
        k * (l1 * l1 + (l - rest) * l2) - (10 - load * reach) * std::sin(angle);
    ASSERT_EQ(r.frequencies.size(), 1U);
    EXPECT_NEAR(r.frequencies[0], std::sqrt(stiffness / 1.5), 1e-7) << label(o);
  }
}

/// A weight on an inclined slide, nothing stiff: it slides forever, and that is said.
TEST(Statics, NothingStiffIsNoEquilibrium) {
  Mechanism m = empty_mechanism("slide", true);
  m.gravity = {0, -9.81, 0};
  const int block = add_body(m, "block", planar_place({0, 0}, 0));
  MechanismJoint slide{.name = "S", .type = PairType::prismatic, .body = {0, block}};
  slide.axis = {Vec3<double>{1, 1, 0}, Vec3<double>{1, 1, 0}};
  slide.zero = {Vec3<double>{1, 0, 0}, Vec3<double>{1, 0, 0}};
  add_joint(m, slide);
  using Kind = EquilibriumOptions::Kind;
  for (const auto& o : formulations(true))
    for (const Kind kind : {Kind::stable, Kind::nearest}) {
      MechanismSystem system(make_equations(m, o));
      const auto q = system.from_poses(reference_poses(m));
      const EquilibriumResult r = equilibrium(system, 0, q, {.kind = kind});
      EXPECT_FALSE(r.converged) << label(o);
      EXPECT_NE(r.message.find("no equilibrium"), std::string::npos) << label(o) << r.message;
      for (const double x : r.q) EXPECT_TRUE(std::isfinite(x)) << label(o);
    }
}

/// A pendulum about x on an arm about y: on its way down nutations of Euler angles pass zero, and
/// seats change, also by trials that are refused.
TEST(Statics, EulerAnglesAreSeatedOnTheWay) {
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0};
  const Inertia<double> bar{1, {0, 0.5, 0}, Sym3<double>::diagonal({.1, .1, .1})};
  for (const double angle : {-2.9, -1.0, 0.1, 1.2, 1.6, 3.0}) {
    Mechanism m = empty_mechanism("pendulum", false);
    m.gravity = {0, 0, -9.81};
    const SE3<double> first{exp(y * 0.7), {}};
    const int arm = add_body(m, "arm", first, bar);
    const int hung = add_body(m, "hung", first * SE3<double>{exp(x * angle), {0, 1, 0}}, bar);
    add_joint(m, axis_joint("A", PairType::revolute, {0, arm}, {}, {}, y, y));
    add_joint(m, axis_joint("B", PairType::revolute, {arm, hung}, {0, 1, 0}, {}, x, x));
    for (const auto& o : formulations(false)) {
      MechanismSystem system(make_equations(m, o));
      const auto q = system.from_poses(reference_poses(m));
      const EquilibriumResult r = equilibrium(system, 0, q);
      ASSERT_TRUE(r.converged) << label(o) << angle << r.message;
      const auto poses = poses_of(system, r.q);
      EXPECT_NEAR((poses[2] * bar.com).z, -0.5, 1e-9) << label(o) << angle;
      EXPECT_TRUE(r.stable) << label(o);
    }
  }
}

}  // namespace
}  // namespace axode::test::statics
