#include "axode/flexible/beam/ritz_modes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

namespace axode::test::ritz_modes {
namespace {

Beam beam_of(const SectionOutline& root, const SectionOutline& tip) {
  Beam beam;
  beam.length = 1.5;
  beam.material = {7e10, 2.6e10, 2700};
  beam.root = root;
  beam.tip = tip;
  return beam;
}

TEST(RitzModes, UniformBeamsHaveTheAnalyticFrequencies) {
  const Beam beam = beam_of(solid_rectangle(0.03, 0.05), solid_rectangle(0.03, 0.05));
  const double mass = 2700 * 0.0015 * 1.5;
  const std::array<ModeBoundary, 6> boundaries{
      {{},
       {ModeBoundary::Root::clamped, mass, 0},
       {ModeBoundary::Root::clamped, 1e6 * mass, 10 * mass},
       {ModeBoundary::Root::pinned, 0, 0},
       {ModeBoundary::Root::pinned, 3 * mass, 0.1 * mass},
       {ModeBoundary::Root::pinned, 1e6 * mass, 0}}};
  for (const ModeBoundary& boundary : boundaries)
    for (const auto direction : {ModeDirection::torsion, ModeDirection::bend_y,
                                 ModeDirection::bend_z, ModeDirection::axial}) {
      const bool bends = direction == ModeDirection::bend_y || direction == ModeDirection::bend_z;
      if (!bends && boundary.root == ModeBoundary::Root::pinned) continue;
      const auto exact = beam_modes(beam, direction, 5, boundary);
      const auto ritz = axode::ritz_modes(beam, direction, 5, boundary);
      for (std::size_t k = 0; k < 5; ++k) {
        EXPECT_NEAR(ritz[k].frequency / exact[k].frequency, 1,
                    boundary.tip_mass < 1e3 * mass ? 1e-12 : 1e-9)
            << name(direction) << k;
        // one shape, but for its scale: compare by the value near the root
        const double x = 0.08 * beam.length;
        const ShapeValue a = shape_at(exact[k].shape, x), b = shape_at(ritz[k].shape, x);
        const double scale = a.value / b.value;
        EXPECT_NEAR(b.slope * scale, a.slope, 1e-8 * std::abs(a.slope)) << name(direction) << k;
        EXPECT_GT(scale, 0) << "same sign";
      }
    }
}

TEST(RitzModes, PointedWedgeAndCone) {
  // Kirchhoff: J1(2k) I2(2k) + I1(2k) J2(2k) = 0 and the same of order 2; k^2 = w L^2 sqrt(mu/EI)
  struct Taper {
    SectionOutline root, tip;
    std::array<double, 3> squares;
  };
  const double e = 1e-5;
  const std::array<Taper, 2> tapers{
      {{solid_rectangle(0.03, 0.1),
        solid_rectangle(0.03, 0.1 * e),
        {5.3150994236536494, 15.20716795500512, 30.019809145655617}},
       {solid_circle(0.1),
        solid_circle(0.1 * e),
        {8.7192588550799152, 21.145662387868734, 38.453771227732636}}}};
  for (const Taper& taper : tapers) {
    const Beam beam = beam_of(taper.root, taper.tip);
    const auto modes = axode::ritz_modes(beam, ModeDirection::bend_z, 3);
    const Section s = section_of(taper.root);
    const double unit = std::sqrt(7e10 * s.Iy / (2700 * s.area)) / (1.5 * 1.5);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(modes[k].frequency / (unit * taper.squares[k]), 1, 10 * e) << k;
  }
}

using State = std::array<double, 4>;  ///< y, y', E I y'', (E I y'')'
/// The state at the tip of (E I y'')'' = w^2 mu y, by Runge's and Kutta's method from the clamp.
State shoot(const Beam& beam, double w, State y) {
  constexpr int steps = 4000;
  const double h = beam.length / steps;
  const auto rates = [&](double x, const State& s) {
    const Section section = section_at(beam, x);
    return State{s[1], s[2] / (beam.material.E * section.Iy), s[3],
                 w * w * beam.material.density * section.area * s[0]};
  };
  const auto plus = [](State a, const State& b, double f) {
    for (std::size_t i = 0; i < 4; ++i) a[i] += f * b[i];
    return a;
  };
  for (int i = 0; i < steps; ++i) {
    const double x = i * h;
    const State a = rates(x, y), b = rates(x + h / 2, plus(y, a, h / 2)),
                c = rates(x + h / 2, plus(y, b, h / 2)), d = rates(x + h, plus(y, c, h));
    y = plus(plus(plus(plus(y, a, h / 6), b, h / 3), c, h / 3), d, h / 6);
  }
  return y;
}
/// Zero at a frequency of the beam with a mass and an inertia at its tip.
double determinant(const Beam& beam, double w, const ModeBoundary& tip) {
  const auto conditions = [&](const State& start) {
    const State y = shoot(beam, w, start);
    return std::array<double, 2>{y[2] - w * w * tip.tip_inertia * y[1],
                                 y[3] + w * w * tip.tip_mass * y[0]};
  };
  const auto a = conditions({0, 0, 1, 0}), b = conditions({0, 0, 0, 1});
  return a[0] * b[1] - a[1] * b[0];
}

TEST(RitzModes, TaperedBeamsAsByShooting) {
  const std::array<std::pair<SectionOutline, SectionOutline>, 3> tapers{
      {{solid_rectangle(0.03, 0.1), solid_rectangle(0.03, 0.05)},
       {hollow_circle(0.1, 0.09), hollow_circle(0.04, 0.03)},
       {i_section(0.1, 0.2, 0.01, 0.006), i_section(0.08, 0.1, 0.008, 0.005)}}};
  for (const auto& [root, tip] : tapers)
    for (const ModeBoundary& boundary :
         {ModeBoundary{}, ModeBoundary{ModeBoundary::Root::clamped, 5, 0.2}}) {
      const Beam beam = beam_of(root, tip);
      for (const BeamMode& mode : axode::ritz_modes(beam, ModeDirection::bend_z, 3, boundary)) {
        const double below = determinant(beam, mode.frequency * (1 - 1e-9), boundary);
        const double above = determinant(beam, mode.frequency * (1 + 1e-9), boundary);
        EXPECT_LT(below * above, 0) << mode.frequency;
      }
    }
}

TEST(RitzModes, ShapesHaveUnitSizeAndAreOrthogonal) {
  const Beam beam = beam_of(hollow_circle(0.1, 0.09), hollow_circle(0.04, 0.03));
  for (const auto direction : {ModeDirection::torsion, ModeDirection::bend_y, ModeDirection::axial})
    for (const auto root : {ModeBoundary::Root::clamped, ModeBoundary::Root::pinned}) {
      if (direction != ModeDirection::bend_y && root == ModeBoundary::Root::pinned) continue;
      const ModeBoundary boundary{root, 4, 0.1};
      const auto modes = axode::ritz_modes(beam, direction, 4, boundary);
      check_modes(beam, modes, boundary, "");
      const Orthogonality o = orthogonality(beam, modes, boundary);
      EXPECT_LT(o.mass, 1e-10) << name(direction);
      EXPECT_LT(o.stiffness, 1e-10) << name(direction);
      for (const BeamMode& mode : modes) {
        double largest = 0;
        for (int i = 0; i <= 1000; ++i)
          largest = std::max(largest, std::abs(shape_at(mode.shape, 1.5e-3 * i).value));
        EXPECT_NEAR(largest, 1, 1e-3);
      }
    }
}

TEST(RitzModes, ConicalShaftsInClosedForm) {
  // u from the apex, a at the root, c at the tip. Torsion, J ~ u^4: p = (A j1(ku) + B y1(ku)) / u;
  // axial, A ~ u^2: p = sin k(a - u) / u.
  const Beam beam = beam_of(solid_circle(0.1), solid_circle(0.05));
  const double a = 3, c = 1.5;
  for (const BeamMode& mode : axode::ritz_modes(beam, ModeDirection::torsion, 4)) {
    const double k = mode.frequency / std::sqrt(2.6e10 / 2700);
    const double left = std::sph_bessel(1, k * a) * std::sph_neumann(2, k * c);
    const double right = std::sph_neumann(1, k * a) * std::sph_bessel(2, k * c);
    EXPECT_NEAR(left, right, 1e-11);
  }
  double number = 0;
  for (const BeamMode& mode : axode::ritz_modes(beam, ModeDirection::axial, 4)) {
    const double k = mode.frequency / std::sqrt(7e10 / 2700);
    EXPECT_NEAR(std::sin(k * 1.5) + k * c * std::cos(k * 1.5), 0, 1e-10);
    number += 1;  // one root in each half turn: none left out
    EXPECT_GT(k * 1.5, (number - 0.5) * std::numbers::pi);
    EXPECT_LT(k * 1.5, number * std::numbers::pi);
  }
}

}  // namespace
}  // namespace axode::test::ritz_modes
