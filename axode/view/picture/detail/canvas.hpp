/// A picture in the making: shaded triangles with a depth for each sample, nine samples to a pixel.
/// Tests: tests/view/picture/detail/canvas_test.cpp
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "axode/lie/vec3.hpp"
#include "axode/view/picture/png.hpp"

namespace axode {

/// A corner on the canvas: pixels from the left and from the top, 1 / distance, normal in the world.
struct CanvasCorner {
  double x = 0, y = 0, nearness = 0;
  Vec3<double> normal{};
};
struct Paint {
  std::array<double, 3> rgb{};  ///< linear
  double alpha = 1;             ///< below 1 it hides nothing that is drawn later
  bool lit = false;             ///< shaded by its normals, from either side
  bool on_top = false;          ///< nothing hides it
  bool shadow = false;          ///< no colour: marks samples that shade() makes darker
};
/// The linear colour of 0xrrggbb.
std::array<double, 3> linear_rgb(unsigned rgb);

class Canvas {
 public:
  /// `to_eye`: from what is drawn to who sees it, a unit vector.
  Canvas(int width, int height, unsigned background, const Vec3<double>& to_eye);
  int width() const noexcept { return width_ / samples; }
  int height() const noexcept { return height_ / samples; }

  /// Pixels and samples of an edge that two triangles share belong to one of them.
  void triangle(const CanvasCorner& first, const CanvasCorner& second, const CanvasCorner& third,
                const Paint& paint);
  /// A line of that width in pixels.
  void line(const CanvasCorner& a, const CanvasCorner& b, double width, const Paint& paint);
  /// Digits, '.', '-', '=', 't', 's' and blanks, with lower left corner and height in pixels.
  void text(std::string_view text, double x, double y, double height, const Paint& paint);
  /// Makes marked samples darker by that factor, and unmarks them.
  void shade(double factor);
  Picture picture() const;

 private:
  static constexpr int samples = 3;  ///< along each side of a pixel
  void put(std::size_t at, float nearness, const std::array<std::uint8_t, 3>& rgb,
           const Paint& paint);
  std::array<std::uint8_t, 3> shaded(const Vec3<double>& normal, const Paint& paint) const;

  int width_, height_;
  Vec3<double> to_eye_, to_sun_, gleam_;
  std::vector<float> nearness_;
  std::vector<std::array<std::uint8_t, 3>> rgb_;
  std::vector<bool> marked_;
};

}  // namespace axode
