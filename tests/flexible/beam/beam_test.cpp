#include "axode/flexible/beam/beam.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "axode/flexible/beam/modal_invariants.hpp"
#include "tests/flexible/reference_beams.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::beam {
namespace {

using nlohmann::json;
using Root = ModeBoundary::Root;

Beam steel_bar() {
  Beam beam;
  beam.length = 2;
  beam.material = {2.1e11, 8.1e10, 7850};
  beam.root = beam.tip = solid_rectangle(0.02, 0.04);
  return beam;
}

TEST(Beam, ModesOfTheReferences) {
  for_reference_links([](const json& link, int, const json&) {
    const Beam beam = reference_beam(link);
    const auto given = reference_modes(link);
    for (const auto direction :
         {ModeDirection::torsion, ModeDirection::bend_y, ModeDirection::bend_z}) {
      const char* key = direction == ModeDirection::bend_y ? "y" : "z";
      ModeBoundary boundary;
      if (direction != ModeDirection::torsion) {
        boundary.tip_mass = link.at(std::string("tipmass_") + key).get<double>();
        boundary.tip_inertia = link.at(std::string("tipinertia_") + key).get<double>();
      }
      const auto modes = beam_modes(beam, direction, 4, boundary);
      std::size_t k = 0;
      for (const BeamMode& mode : given) {
        if (mode.direction != direction) continue;
        const ModeShape &a = modes[k].shape, &b = mode.shape;
        EXPECT_NEAR(a.wave_number, b.wave_number, 1e-14 * b.wave_number);
        EXPECT_NEAR(a.one_minus_sigma, b.one_minus_sigma, 1e-14);
        ++k;
      }
    }
  });
}

TEST(Beam, DeLucaAndSicilianosArm) {  // [DeLucaSiciliano1991]
  const json data = read_json("flexible/published.json").at("deluca_siciliano_1991_two_link");
  const json& expected = data.at("more_digits");
  Beam beam;  // rho A = 0.2 kg/m, E I = 1 N m^2
  beam.length = 0.5;
  beam.material = {1, 1, 0.2};
  beam.root = beam.tip = section_numbers({1, 1, 1, 1});
  const double Jo = 0.1 * 0.25 / 3;
  const std::array<ModeBoundary, 2> links{
      {{Root::clamped, 1.2, 0.1 + Jo + 0.0005 + 0.1 * 0.25}, {Root::clamped, 0.1, 0.0005}}};
  for (std::size_t i = 0; i < 2; ++i) {
    const ModeBoundary& tip = links[i];
    auto modes = beam_modes(beam, ModeDirection::bend_y, 2, tip);
    for (std::size_t k = 0; k < 2; ++k) {
      const auto number = [&](const char* key) {
        return expected.at(key).at(i).at(k).get<double>();
      };
      const double f = modes[k].frequency / (2 * std::numbers::pi);
      EXPECT_NEAR(f / number("f_Hz"), 1, 1e-11);
      EXPECT_NEAR(modes[k].shape.wave_number * 0.5, number("beta_l"), 1e-11);
      const auto m = axode::modal_invariants(beam, {modes[k]});
      const ShapeValue end = shape_at(modes[k].shape, 0.5);
      const double mass = m.product[0] + tip.tip_mass * end.value * end.value +
                          tip.tip_inertia * end.slope * end.slope;
      const double scale = std::sqrt(0.1 / mass);
      EXPECT_NEAR(scale * end.value, number("phi_e"), 6e-9);
      EXPECT_NEAR(scale * end.slope, number("phi_prime_e"), 6e-9);
      EXPECT_NEAR(scale * m.mean[0], number("v=int rho phi"), 6e-9);
      EXPECT_NEAR(scale * m.lever[0], number("w=int rho phi x"), 6e-9);
      const json& published = data.at("published");
      EXPECT_NEAR(f, published.at("f_Hz").at(i).at(k).get<double>(), 5.1e-3);
    }
  }
}

TEST(Beam, ModesAreOrthogonal) {
  const Beam beam = steel_bar();
  const double mass = 7850 * 0.0008 * 2, turn = 7850 * section_of(beam.root).polar() * 2;
  for (const auto root : {Root::clamped, Root::pinned})
    for (const double m : {0.0, 0.1, 10.0, 1e6})
      for (const double J : {0.0, 0.01, 1.0, 1e6})
        for (const auto direction : {ModeDirection::torsion, ModeDirection::bend_y,
                                     ModeDirection::bend_z, ModeDirection::axial}) {
          const bool bends =
              direction == ModeDirection::bend_y || direction == ModeDirection::bend_z;
          if (!bends && root == Root::pinned) continue;
          const double unit = bends ? mass * 4 : turn;
          const ModeBoundary boundary{root, m * mass, J * unit};
          const auto modes = beam_modes(beam, direction, 6, boundary);
          check_modes(beam, modes, boundary, "");
          const Orthogonality o = orthogonality(beam, modes, boundary);
          EXPECT_LT(o.mass, 1e-10) << name(direction) << ' ' << m << ' ' << J;
          EXPECT_LT(o.stiffness, 1e-10) << name(direction) << ' ' << m << ' ' << J;
        }
}

TEST(Beam, FrequenciesAreRayleighsQuotients) {
  const Beam beam = steel_bar();
  for (const ModeBoundary& boundary :
       {ModeBoundary{}, ModeBoundary{Root::clamped, 20, 3}, ModeBoundary{Root::pinned, 20, 3}})
    for (const auto direction : {ModeDirection::bend_y, ModeDirection::bend_z}) {
      const auto modes = beam_modes(beam, direction, 5, boundary);
      for (const BeamMode& mode : modes) {
        const auto m = axode::modal_invariants(beam, {mode});
        const ShapeValue end = shape_at(mode.shape, beam.length);
        const double mass = m.product[0] + boundary.tip_mass * end.value * end.value +
                            boundary.tip_inertia * end.slope * end.slope;
        EXPECT_NEAR(std::sqrt(m.stiffness[0] / mass) / mode.frequency, 1, 1e-11);
      }
    }
}

TEST(Beam, RodsWithTips) {
  const Beam beam = steel_bar();
  const double heavy = 1e5;  // a mass on a spring E A / L, or an inertia on G I_t / L
  const ModeBoundary boundary{Root::clamped, heavy, heavy};
  const Section s = section_of(beam.root);
  const double axial = beam_modes(beam, ModeDirection::axial, 1, boundary)[0].frequency;
  const double rod = 7850 * s.area * 2;
  EXPECT_NEAR(axial, std::sqrt(2.1e11 * s.area / 2 / (heavy + rod / 3)), 1e-6 * axial);
  const double torsion = beam_modes(beam, ModeDirection::torsion, 1, boundary)[0].frequency;
  EXPECT_NEAR(torsion, std::sqrt(8.1e10 * s.torsion / 2 / heavy), 1e-6 * torsion);
  const double free = beam_modes(beam, ModeDirection::torsion, 1)[0].frequency;
  EXPECT_NEAR(free, std::numbers::pi / 4 * std::sqrt(8.1e10 * s.torsion / (7850 * s.polar())),
              1e-12 * free);
}

TEST(Beam, PinnedModesLeaveTheRotationToTheJoint) {
  const Beam beam = steel_bar();
  const ModeBoundary boundary{Root::pinned, 5, 0.3};
  for (const BeamMode& mode : beam_modes(beam, ModeDirection::bend_y, 4, boundary)) {
    const auto m = axode::modal_invariants(beam, {mode});
    const ShapeValue end = shape_at(mode.shape, 2);
    EXPECT_NEAR(m.lever[0] + 5 * 2 * end.value + 0.3 * end.slope, 0, 1e-11);
    EXPECT_EQ(shape_at(mode.shape, 0).value, 0);
    EXPECT_EQ(shape_at(mode.shape, 0).curvature, 0);
  }
}

TEST(Beam, SectionsAlongATaper) {
  Beam beam = steel_bar();
  EXPECT_TRUE(is_uniform(beam));
  beam.tip = solid_rectangle(0.02, 0.02);
  EXPECT_FALSE(is_uniform(beam));
  EXPECT_EQ(section_at(beam, 0), section_of(beam.root));
  EXPECT_NEAR(section_at(beam, 1).area, 0.02 * 0.03, 1e-18);
}

TEST(Beam, Refusals) {
  const auto refused = [](auto change) {
    Beam beam = steel_bar();
    change(beam);
    return message([&] { check_beam(beam, "forearm"); });
  };
  expect_says(refused([](Beam& b) { b.length = -2; }), "forearm: the length is -2");
  expect_says(refused([](Beam& b) { b.material.density = 0; }), "the density");
  expect_says(refused([](Beam& b) { b.material.E = NAN; }), "Young's modulus");
  expect_says(refused([](Beam& b) { b.material.G = 0; }), "shear modulus");
  expect_says(refused([](Beam& b) { b.root = b.tip = {}; }), "the area");
  expect_says(refused([](Beam& b) { b.tip = solid_circle(0.1); }), "different kinds");
  const Beam beam = steel_bar();
  const auto modes = [&](ModeDirection direction, int count, const ModeBoundary& boundary) {
    return message([&] { beam_modes(beam, direction, count, boundary); });
  };
  expect_says(modes(ModeDirection::bend_y, 0, {}), "0 modes");
  expect_says(modes(ModeDirection::bend_y, 101, {}), "1 to 100");
  expect_says(modes(ModeDirection::bend_y, 1, {Root::clamped, -1, 0}), "at the tip is -1");
  expect_says(modes(ModeDirection::torsion, 1, {Root::pinned, 0, 0}), "clamp the others");
}

TEST(Beam, ShapesThatDoNotFitAreRefused) {
  const Beam beam = steel_bar();
  const auto check = [&](const ModeShape& shape, const ModeBoundary& boundary = {}) {
    check_modes(beam, {{ModeDirection::bend_z, shape, 0}}, boundary, "forearm");
  };
  const auto refused = [&](const ModeShape& shape) { return message([&] { check(shape); }); };
  expect_says(refused(polynomial_shape(2, {0.1, 0, 1})), "it moves the root");
  expect_says(refused(polynomial_shape(2, {0, 1})), "it turns the clamped root");
  expect_says(refused(polynomial_shape(1, {0, 0, 1})), "1.000000 m long");
  expect_says(refused(polynomial_shape(2, {0, 0, 0})), "the shape is zero");
  expect_says(refused(polynomial_shape(2, {0, 0, NAN})), "not finite");
  check(polynomial_shape(2, {0, 0, 1}));
  check(polynomial_shape(2, {0, 1}), {Root::pinned, 0, 0});
}

}  // namespace
}  // namespace axode::test::beam
