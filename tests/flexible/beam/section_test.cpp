#include "axode/flexible/beam/section.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "tests/support/errors.hpp"

namespace axode::test::section {
namespace {

using std::numbers::pi;

TEST(Section, Circles) {
  const Section disc = section_of(solid_circle(0.2));
  EXPECT_NEAR(disc.area, pi * 0.01, 1e-17);
  EXPECT_NEAR(disc.Iy, pi * 1e-4 / 4, 1e-19);
  EXPECT_NEAR(disc.torsion, disc.polar(), 1e-19);
  const Section tube = section_of(hollow_circle(0.2, 0.16));
  const Section hole = section_of(solid_circle(0.16));
  EXPECT_NEAR(tube.area, disc.area - hole.area, 1e-17);
  EXPECT_NEAR(tube.Iz, disc.Iz - hole.Iz, 1e-19);
  EXPECT_NEAR(tube.torsion, disc.torsion - hole.torsion, 1e-19);
  const double r = 0.1, t = 1e-7;  // thin wall: J = 2 pi r^3 t, of its middle line
  const Section thin = section_of(hollow_circle(2 * r + t, 2 * r - t));
  EXPECT_NEAR(thin.torsion / (2 * pi * r * r * r * t), 1, 1e-8);
}

/// The published series without the closed sum, in its plain form.
double torsion_series(double a, double b) {
  double sum = 0;
  for (int n = 399; n >= 1; n -= 2) sum += std::tanh(n * pi * a / (2 * b)) / std::pow(n, 5);
  return a * b * b * b / 3 * (1 - 192 * b / (std::pow(pi, 5) * a) * sum);
}

TEST(Section, RectanglesTorsion) {
  const Section square = section_of(solid_rectangle(1, 1));
  EXPECT_NEAR(square.torsion, 0.14057701495515372, 2e-16);
  EXPECT_NEAR(section_of(solid_rectangle(2, 1)).torsion, 0.45736335423914153, 4e-16)
      << "0.229 a b^3";
  for (const double a : {1.0, 1.3, 2.0, 5.0, 40.0, 1e4}) {
    EXPECT_NEAR(section_of(solid_rectangle(a, 1)).torsion / torsion_series(a, 1), 1, 1e-11);
    EXPECT_EQ(section_of(solid_rectangle(a, 1)).torsion, section_of(solid_rectangle(1, a)).torsion);
  }
  const Section s = section_of(solid_rectangle(0.2, 0.3));
  EXPECT_NEAR(s.area, 0.06, 1e-16);
  EXPECT_NEAR(s.Iy, 0.2 * 0.027 / 12, 1e-18) << "z^2: height cubed";
  EXPECT_NEAR(s.Iz, 0.3 * 0.008 / 12, 1e-18);
}

TEST(Section, BoxAndProfile) {
  const Section box = section_of(hollow_rectangle(0.1, 0.2, 0.01));
  EXPECT_NEAR(box.area, 0.1 * 0.2 - 0.08 * 0.18, 1e-17);
  EXPECT_NEAR(box.Iy, (0.1 * 8e-3 - 0.08 * std::pow(0.18, 3)) / 12, 1e-18);
  EXPECT_NEAR(box.Iz, (0.2 * 1e-3 - 0.18 * std::pow(0.08, 3)) / 12, 1e-18);
  const double middle = 0.09 * 0.19;  // Bredt: 4 A^2 t / s
  EXPECT_NEAR(box.torsion, 4 * middle * middle * 0.01 / (2 * (0.09 + 0.19)), 1e-18);
  const Section profile = section_of(i_section(0.1, 0.2, 0.01, 0.006));
  EXPECT_NEAR(profile.area, 2 * 0.1 * 0.01 + 0.18 * 0.006, 1e-17);
  const double by_parts =
      2 * (0.1 * 1e-6 / 12 + 0.001 * 0.095 * 0.095) + 0.006 * std::pow(0.18, 3) / 12;
  EXPECT_NEAR(profile.Iy, by_parts, 1e-18);
  EXPECT_NEAR(profile.Iz, 2 * 0.01 * 1e-3 / 12 + 0.18 * 0.216e-6 / 12, 1e-19);
  EXPECT_NEAR(profile.torsion, (2 * 0.1 * 1e-6 + 0.19 * 0.216e-6) / 3, 1e-19);
}

TEST(Section, Between) {
  const Section half = section_between(solid_circle(0.2), solid_circle(0.1), 0.5);
  EXPECT_NEAR(half.area, section_of(solid_circle(0.15)).area, 1e-17);
  const SectionOutline a = section_numbers(section_of(solid_circle(0.2)));
  const SectionOutline b = section_numbers(section_of(solid_circle(0.1)));
  EXPECT_NEAR(section_between(a, b, 0.5).area, half.area, 1e-16) << "numbers as if scaled";
  EXPECT_NEAR(section_between(a, b, 0.5).Iy, half.Iy, 1e-18);
  EXPECT_EQ(section_between(a, b, 0).area, a.given.area);
  EXPECT_EQ(section_between(a, a, 0.4), a.given);
}

TEST(Section, Refusals) {
  expect_says(message([] { solid_circle(-1); }), "the diameter is -1");
  expect_says(message([] { solid_circle(std::numeric_limits<double>::quiet_NaN()); }), "diameter");
  expect_says(message([] { hollow_circle(0.1, 0.2); }), "outer diameter first");
  expect_says(message([] { solid_rectangle(0.1, 0); }), "the height");
  expect_says(message([] { hollow_rectangle(0.1, 0.2, 0.05); }), "no hole");
  expect_says(message([] { i_section(0.1, 0.2, 0.1, 0.01); }), "flanges");
  expect_says(message([] { section_numbers({1, 1, -1, 1}); }), "Iz");
  expect_says(message([] { section_numbers({1, 1, 1, 2.1}); }), "above Iy + Iz");
  expect_says(message([] { section_between(solid_circle(1), solid_rectangle(1, 1), 0); }),
              "different kinds");
}

}  // namespace
}  // namespace axode::test::section
