#include "axode/view/picture/detail/canvas.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace axode::test::canvas {
namespace {

std::array<int, 3> pixel(const Picture& picture, int x, int y) {
  const std::uint8_t* at = &picture.rgb[std::size_t(3 * (y * picture.width + x))];
  return {at[0], at[1], at[2]};
}
const Vec3<double> up{0, 0, 1};
const Paint red{{1, 0, 0}}, green{{0, 1, 0}};

TEST(Canvas, CoversThePixelsOfATriangle) {
  Canvas canvas(20, 10, 0xffffff, up);
  canvas.triangle({2, 1, 1, {}}, {12, 1, 1, {}}, {2, 9, 1, {}}, red);
  const Picture picture = canvas.picture();
  EXPECT_EQ(picture.rgb.size(), 600U);
  EXPECT_EQ(pixel(picture, 2, 1), (std::array{255, 0, 0}));
  EXPECT_EQ(pixel(picture, 4, 4), (std::array{255, 0, 0}));
  EXPECT_EQ(pixel(picture, 1, 4), (std::array{255, 255, 255}));
  EXPECT_EQ(pixel(picture, 11, 8), (std::array{255, 255, 255}));
  double covered = 0;
  for (std::size_t k = 1; k < picture.rgb.size(); k += 3) covered += 1 - picture.rgb[k] / 255.0;
  EXPECT_NEAR(covered, 40, 1);  // its area
}

/// A fan of triangles around a point: no sample is missed, none is painted twice.
TEST(Canvas, SharedEdgesBelongToOne) {
  Canvas canvas(40, 40, 0x000000, up);
  Paint half{{1, 1, 1}, 0.5};
  const auto rim = [](int k) {
    const double angle = 2 * 3.141592653589793 * (k % 13) / 13;
    return CanvasCorner{20.123 + 60 * std::cos(angle), 19.5 + 60 * std::sin(angle), 1, {}};
  };
  for (int k = 0; k < 13; ++k) canvas.triangle({20.5, 20.5, 1, {}}, rim(k), rim(k + 1), half);
  for (const std::uint8_t c : canvas.picture().rgb) EXPECT_EQ(c, 128);
}

TEST(Canvas, TheNearestIsSeen) {
  const CanvasCorner a{0, 0, 1, {}}, b{20, 0, 1, {}}, c{0, 20, 1, {}};
  const auto at = [](CanvasCorner corner, double nearness) {
    corner.nearness = nearness;
    return corner;
  };
  for (const bool red_first : {true, false}) {
    Canvas canvas(10, 10, 0xffffff, up);
    if (red_first) canvas.triangle(a, b, c, red);
    canvas.triangle(at(a, 2), at(b, 2), at(c, 0.1), green);  // in front at the top only
    if (!red_first) canvas.triangle(a, b, c, red);
    const Picture picture = canvas.picture();
    EXPECT_EQ(pixel(picture, 1, 1), (std::array{0, 255, 0}));
    EXPECT_EQ(pixel(picture, 5, 9), (std::array{0, 255, 0}));
    // 2 - 1.9 y / 20 = 1 at y = 10.5.
    Canvas higher(10, 20, 0xffffff, up);
    higher.triangle(a, b, c, red);
    higher.triangle(at(a, 2), at(b, 2), at(c, 0.1), green);
    EXPECT_EQ(pixel(higher.picture(), 1, 9), (std::array{0, 255, 0}));
    EXPECT_EQ(pixel(higher.picture(), 1, 11), (std::array{255, 0, 0}));
  }
}

TEST(Canvas, IsLitFromAbove) {
  const auto light = [](const Vec3<double>& normal) {
    Canvas canvas(4, 4, 0, up);
    canvas.triangle({0, 0, 1, normal}, {20, 0, 1, normal}, {0, 20, 1, normal},
                    {{0.5, 0.5, 0.5}, 1, true});
    return pixel(canvas.picture(), 1, 1)[1];
  };
  EXPECT_GT(light({0, 0, 1}), light({1, 0, 0.1}));
  EXPECT_GT(light({0, -1, 1}), light({0, 1, 1}));       // the sun is at -y
  EXPECT_EQ(light({0, 0.3, 1}), light({0, -0.3, -1}));  // from either side
}

TEST(Canvas, LinesHaveTheirWidth) {
  Canvas canvas(30, 30, 0xffffff, up);
  canvas.line({5, 15, 1, {}}, {25, 15, 1, {}}, 2, {{0, 0, 0}});
  const Picture picture = canvas.picture();
  EXPECT_EQ(pixel(picture, 10, 14), (std::array{0, 0, 0}));
  EXPECT_EQ(pixel(picture, 10, 15), (std::array{0, 0, 0}));
  EXPECT_EQ(pixel(picture, 10, 13), (std::array{255, 255, 255}));
  EXPECT_EQ(pixel(picture, 10, 16), (std::array{255, 255, 255}));
  EXPECT_EQ(pixel(picture, 4, 15), (std::array{255, 255, 255}));
}

TEST(Canvas, ShadowsDoNotAddUp) {
  Canvas canvas(4, 4, 0xffffff, up);
  Paint shadow;
  shadow.shadow = true;
  for (int k = 0; k < 3; ++k)
    canvas.triangle({0, 0, 1, {}}, {20, 0, 1, {}}, {0, 20, 1, {}}, shadow);
  canvas.shade(0.8);
  canvas.shade(0.8);
  EXPECT_EQ(pixel(canvas.picture(), 2, 2), (std::array{204, 204, 204}));
}

TEST(Canvas, LettersDiffer) {
  std::vector<Picture> seen;
  for (const char letter : std::string_view("0123456789.-=ts")) {
    Canvas canvas(20, 20, 0xffffff, up);
    Paint ink;
    ink.on_top = true;
    canvas.text(std::string_view(&letter, 1), 5, 17, 12, ink);
    const Picture picture = canvas.picture();
    for (const Picture& other : seen) EXPECT_NE(picture.rgb, other.rgb) << letter;
    seen.push_back(picture);
  }
}

TEST(Canvas, BearsCornersFarOutside) {
  Canvas canvas(4, 4, 0xffffff, up);
  canvas.triangle({NAN, 0, 1, {}}, {20, 0, 1, {}}, {0, 20, 1, {}}, red);
  canvas.triangle({1e300, 0, 1, {}}, {20, -std::numeric_limits<double>::infinity(), 1, {}},
                  {0, 20, 1, {}}, red);
  canvas.triangle({-9e5, -9e5, 1, {}}, {9e5, -9e5, 1, {}}, {0, 9e5, 1, {}}, green);
  EXPECT_EQ(pixel(canvas.picture(), 1, 1), (std::array{0, 255, 0}));
}

}  // namespace
}  // namespace axode::test::canvas
