#include "axode/flexible/beam/mode_shape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "axode/flexible/beam/beam.hpp"
#include "axode/flexible/beam/detail/legendre.hpp"
#include "tests/flexible/reference_beams.hpp"
#include "tests/support/errors.hpp"

namespace axode::test::mode_shape {
namespace {

using nlohmann::json;

TEST(ModeShape, ReferencesAtTipAndMiddle) {
  for_reference_links([](const json& link, int number, const json& file) {
    const json& all = file.at("mode_integrals_unweighted").at("link" + std::to_string(number));
    const double L = link.at("L").get<double>();
    int torsion = 0, y = 0, z = 0;
    for (const BeamMode& mode : reference_modes(link)) {
      const bool turns = mode.direction == ModeDirection::torsion;
      const std::string key = turns ? "tx" : mode.direction == ModeDirection::bend_y ? "y" : "z";
      int& count = turns ? torsion : key == "y" ? y : z;
      const std::size_t k = count++;
      const double b = mode.shape.wave_number;
      for (const auto& [place, x] : {std::pair{"tip", L}, std::pair{"mid", L / 2}}) {
        const json& e = all.at(place);
        const ShapeValue v = shape_at(mode.shape, x);
        EXPECT_NEAR(v.value, e.at(key).at(k).get<double>(), 1e-13);
        EXPECT_NEAR(v.slope, e.at(key + "p").at(k).get<double>(), 1e-13 * b);
        if (turns) continue;
        EXPECT_NEAR(v.curvature, e.at(key + "pp").at(k).get<double>(), 1e-13 * b * b);
      }
    }
  });
}

ModeShape bending(double wave_number, double one_minus_sigma) {
  ModeShape shape{.kind = ModeShape::Kind::bending};
  shape.wave_number = wave_number;
  shape.one_minus_sigma = one_minus_sigma;
  return shape;
}

TEST(ModeShape, NoDigitsAreLostNearTheClamp) {
  // psi = z^2 - s z^3 / 3 + z^6 / 360 - ..., here with a heavy tip's s
  const double b = 1e-4, s = 3e4, z = b * 0.5;
  const ShapeValue v = shape_at(bending(b, 1 - s), 0.5);
  EXPECT_NEAR(v.value, z * z - s * z * z * z / 3, 2e-15 * z * z);
  EXPECT_NEAR(v.slope, b * (2 * z - s * z * z), 2e-15 * b * z);
  const ShapeValue root = shape_at(bending(3, 0.1), 0);
  EXPECT_EQ(root.value, 0);
  EXPECT_EQ(root.slope, 0);
  EXPECT_EQ(root.curvature, 18);
}

TEST(ModeShape, BothFormulasOfBendingAgree) {
  for (const double b : {1.9999999999, 2.0000000001}) {
    const ShapeValue v = shape_at(bending(b, -0.3), 1);
    EXPECT_NEAR(v.value, std::cosh(b) - std::cos(b) - 1.3 * (std::sinh(b) - std::sin(b)), 1e-14);
    EXPECT_NEAR(v.slope, b * (std::sinh(b) + std::sin(b) - 1.3 * (std::cosh(b) - std::cos(b))),
                1e-14);
  }
}

/// Of all kinds, at one length.
std::vector<ModeShape> all_kinds() {
  Beam beam;
  beam.length = 2;
  beam.material = {1, 1, 1};
  beam.root = solid_rectangle(0.1, 0.2);
  beam.tip = solid_rectangle(0.1, 0.1);
  ModeBoundary pins;
  pins.root = ModeBoundary::Root::pinned;
  std::vector<ModeShape> shapes{polynomial_shape(2, {0, 0, 3, -1, 0.5, 2})};
  for (const auto direction : {ModeDirection::torsion, ModeDirection::bend_z})
    for (const BeamMode& mode : beam_modes(beam, direction, 2)) shapes.push_back(mode.shape);
  shapes.push_back(beam_modes(beam, ModeDirection::bend_y, 2, pins)[1].shape);
  beam.tip = beam.root;
  for (const auto direction : {ModeDirection::torsion, ModeDirection::bend_z})
    for (const BeamMode& mode : beam_modes(beam, direction, 3)) shapes.push_back(mode.shape);
  shapes.push_back(beam_modes(beam, ModeDirection::bend_y, 2, pins)[1].shape);
  shapes.push_back(sampled_shape(2, {0, 0.4, 0.9, 1.5, 2}, {0, 0.1, 0.4, 0.3, 1}));
  return shapes;
}

TEST(ModeShape, DerivativesOfAllKinds) {
  constexpr double h = 1e-4;
  for (ModeShape shape : all_kinds()) {
    shape.scale *= 1.7;
    for (const double x : {0.21, 0.83, 1.3, 1.9}) {
      const ShapeValue a = shape_at(shape, x - 2 * h), b = shape_at(shape, x - h),
                       v = shape_at(shape, x), c = shape_at(shape, x + h),
                       d = shape_at(shape, x + 2 * h);
      const auto kind = static_cast<int>(shape.kind);
      EXPECT_NEAR(v.slope, (a.value - 8 * b.value + 8 * c.value - d.value) / (12 * h), 1e-9)
          << kind;
      EXPECT_NEAR(v.curvature, (a.slope - 8 * b.slope + 8 * c.slope - d.slope) / (12 * h), 1e-8)
          << kind;
    }
  }
}

/// The second mode of a cantilever at 41 places.
struct Sampled {
  ModeShape exact, spline;
};
Sampled sampled_mode() {
  Beam beam;
  beam.length = 3;
  beam.material = {1, 1, 1};
  beam.root = beam.tip = solid_circle(0.1);
  Sampled result{beam_modes(beam, ModeDirection::bend_y, 2)[1].shape, {}};
  std::vector<double> places, values;
  places.reserve(41);
  values.reserve(41);
  for (int i = 0; i <= 40; ++i) {
    places.push_back(3 * i / 40.0);
    values.push_back(shape_at(result.exact, places.back()).value);
  }
  result.spline = sampled_shape(3, places, values);
  return result;
}

TEST(ModeShape, SamplesOfAModeHaveItsIntegrals) {
  const auto [exact, spline] = sampled_mode();
  const GaussRule rule = composite_rule(40, 8);
  std::array<double, 3> e{}, s{};
  for (std::size_t i = 0; i < rule.x.size(); ++i) {
    const ShapeValue a = shape_at(exact, 3 * rule.x[i]), b = shape_at(spline, 3 * rule.x[i]);
    EXPECT_NEAR(a.value, b.value, 1e-6);
    const auto add = [&](std::array<double, 3>& sum, const ShapeValue& v) {
      sum[0] += rule.weight[i] * v.value * v.value;
      sum[1] += rule.weight[i] * v.slope * v.slope;
      sum[2] += rule.weight[i] * v.curvature * v.curvature;
    };
    add(e, a);
    add(s, b);
  }
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(s[k] / e[k], 1, 1e-6) << k;
}

TEST(ModeShape, SamplesJoinSmoothlyAndReproducePolynomials) {
  const ModeShape spline = sampled_mode().spline;
  for (std::size_t i = 1; i + 1 < spline.places.size(); ++i) {
    const double x = spline.places[i];
    const ShapeValue a = shape_at(spline, x - 1e-12), b = shape_at(spline, x + 1e-12);
    EXPECT_EQ(shape_at(spline, x).value, spline.numbers[i]);
    EXPECT_NEAR(a.slope, b.slope, 1e-9);
    EXPECT_NEAR(a.curvature, b.curvature, 1e-8);
  }
  const std::vector<double> places{0, 0.1, 0.25, 0.5, 0.6, 0.8, 0.9, 1};
  std::vector<double> values;
  values.reserve(places.size());
  for (const double x : places) values.push_back(x * x * (1 - x * x * x));
  const ModeShape fifth = sampled_shape(1, places, values);
  for (const double x : {0.0, 0.03, 0.3, 0.77, 1.0}) {
    EXPECT_NEAR(shape_at(fifth, x).value, x * x * (1 - x * x * x), 1e-14);
    EXPECT_NEAR(shape_at(fifth, x).curvature, 2 - 20 * x * x * x, 1e-11);
  }
  const ModeShape line = sampled_shape(1, {0, 0.5, 1}, {0, 0.5, 1}, false);
  EXPECT_NEAR(shape_at(line, 0).slope, 1, 1e-15) << "pinned shapes may turn the root";
}

TEST(ModeShape, Names) {
  EXPECT_EQ(name(ModeDirection::torsion), "torsion");
  EXPECT_EQ(name(ModeDirection::bend_z), "bend_z");
}

TEST(ModeShape, Refusals) {
  expect_says(message([] { sampled_shape(1, {0, 0.5, 1}, {0, 1}); }), "3 places but 2 values");
  expect_says(message([] { sampled_shape(1, {0, 1}, {0, 1}); }), "fewer than 3");
  expect_says(message([] { sampled_shape(1, {0, 0.7, 0.7, 1}, {0, 1, 1, 2}); }), "do not rise");
  expect_says(message([] { sampled_shape(2, {0, 0.5, 1}, {0, 1, 2}); }), "do not rise");
  expect_says(message([] { sampled_shape(1, {0, 0.5, 1}, {0.1, 1, 2}); }), "at the clamp");
  expect_says(message([] { sampled_shape(1, {0, 0.5, 1}, {0, NAN, 2}); }), "not a number");
  expect_says(message([] { polynomial_shape(0, {1}); }), "no length");
}

}  // namespace
}  // namespace axode::test::mode_shape
