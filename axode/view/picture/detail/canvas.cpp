#include "axode/view/picture/detail/canvas.hpp"

#include <algorithm>
#include <cmath>

namespace axode {

namespace {

double linear_of_byte(unsigned byte) {
  const double c = byte / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}
/// The sRGB byte of linear light, by table.
std::uint8_t byte_of(double linear) {
  constexpr int steps = 4096;
  static const std::vector<std::uint8_t> table = [] {
    std::vector<std::uint8_t> all;
    for (int k = 0; k <= steps; ++k) {
      const double c = static_cast<double>(k) / steps;
      const double s = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
      all.push_back(static_cast<std::uint8_t>(std::lround(255 * s)));
    }
    return all;
  }();
  return table[std::size_t(std::clamp(linear, 0.0, 1.0) * steps)];
}
std::array<std::uint8_t, 3> bytes_of(const std::array<double, 3>& rgb) {
  return {byte_of(rgb[0]), byte_of(rgb[1]), byte_of(rgb[2])};
}

/// Twice the area of the triangle a b p, in samples: > 0 if p is on the right of a -> b, y down.
struct Edge {
  double dx, dy, at_origin;
  bool owns_zero;
  Edge(const CanvasCorner& a, const CanvasCorner& b)
      : dx(a.y - b.y),
        dy(b.x - a.x),
        at_origin(a.x * b.y - a.y * b.x),
        owns_zero(dx > 0 || (dx == 0 && dy > 0)) {}
  double at(double x, double y) const { return dx * x + dy * y + at_origin; }
  bool holds(double value) const { return value > 0 || (value == 0 && owns_zero); }
  /// Narrows a range of x in row y to what may be inside, a sample more on each side.
  void narrow(int y, int& from, int& to) const {
    const double rest = dy * y + at_origin, x = -rest / dx;
    if (dx > 0 && x > from) from = x > to ? to + 1 : static_cast<int>(x) - 1;
    if (dx < 0 && x < to) to = x < from ? from - 1 : static_cast<int>(x) + 1;
    if (dx == 0 && rest < 0) to = from - 1;
  }
};

}  // namespace

std::array<double, 3> linear_rgb(unsigned rgb) {
  return {linear_of_byte(rgb >> 16 & 255U), linear_of_byte(rgb >> 8 & 255U),
          linear_of_byte(rgb & 255U)};
}

Canvas::Canvas(int width, int height, unsigned background, const Vec3<double>& to_eye)
    : width_(samples * width),
      height_(samples * height),
      to_eye_(to_eye),
      to_sun_(normalized(Vec3<double>{1, -2, 3})),
      gleam_(normalized(to_sun_ + to_eye)),
      nearness_(std::size_t(width_) * height_),
      rgb_(nearness_.size(), bytes_of(linear_rgb(background))),
      marked_(nearness_.size()) {}

/// A sky, a sun and a little gleam.
std::array<std::uint8_t, 3> Canvas::shaded(const Vec3<double>& normal, const Paint& paint) const {
  const double length = std::sqrt(squared_norm(normal));
  if (!(length > 0)) return bytes_of(paint.rgb);
  const Vec3<double> n = normal * ((dot(normal, to_eye_) < 0 ? -1 : 1) / length);
  const double sky = 0.5 + 0.5 * n.z, sun = std::max(0.0, dot(n, to_sun_));
  const double g = std::max(0.0, dot(n, gleam_)), g4 = g * g * g * g, g16 = g4 * g4 * g4 * g4;
  constexpr std::array<double, 3> ground{0.216, 0.279, 0.352};
  std::array<double, 3> light{};
  for (std::size_t k = 0; k < 3; ++k)
    light[k] = paint.rgb[k] * (0.6 * (ground[k] + (1 - ground[k]) * sky) + 0.58 * sun) +
               0.07 * g16 * g4 * g4;
  return bytes_of(light);
}

void Canvas::put(std::size_t at, float nearness, const std::array<std::uint8_t, 3>& rgb,
                 const Paint& paint) {
  if (paint.shadow) {
    marked_[at] = true;
    return;
  }
  if (paint.alpha >= 1) {
    rgb_[at] = rgb;
    if (!paint.on_top) nearness_[at] = nearness;
    return;
  }
  for (std::size_t k = 0; k < 3; ++k)
    rgb_[at][k] = static_cast<std::uint8_t>(
        std::lround(rgb_[at][k] + paint.alpha * (static_cast<int>(rgb[k]) - rgb_[at][k])));
}

void Canvas::triangle(const CanvasCorner& first, const CanvasCorner& second,
                      const CanvasCorner& third, const Paint& paint) {
  std::array<CanvasCorner, 3> c{first, second, third};
  for (CanvasCorner& corner : c) {
    corner.x = samples * corner.x - 0.5;  // samples are at whole numbers
    corner.y = samples * corner.y - 0.5;
    if (!(std::abs(corner.x) < 1e7 && std::abs(corner.y) < 1e7)) return;
  }
  double area = Edge(c[0], c[1]).at(c[2].x, c[2].y);
  if (area < 0) {
    std::swap(c[1], c[2]);
    area = -area;
  }
  if (!(area > 0)) return;
  const auto [left, right] = std::minmax({c[0].x, c[1].x, c[2].x});
  const auto [top, bottom] = std::minmax({c[0].y, c[1].y, c[2].y});
  const int x0 = std::max(0, static_cast<int>(std::ceil(left)));
  const int x1 = std::min(width_ - 1, static_cast<int>(std::floor(right)));
  const int y0 = std::max(0, static_cast<int>(std::ceil(top)));
  const int y1 = std::min(height_ - 1, static_cast<int>(std::floor(bottom)));
  const std::array<Edge, 3> edges{Edge{c[1], c[2]}, Edge{c[2], c[0]}, Edge{c[0], c[1]}};
  const std::array<std::uint8_t, 3> plain = bytes_of(paint.rgb);
  for (int y = y0; y <= y1; ++y) {
    int from = x0, to = x1;
    for (const Edge& edge : edges) edge.narrow(y, from, to);
    for (int x = std::max(from, x0); x <= std::min(to, x1); ++x) {
      std::array<double, 3> w{};
      for (std::size_t k = 0; k < 3; ++k) w[k] = edges[k].at(x, y);
      if (!edges[0].holds(w[0]) || !edges[1].holds(w[1]) || !edges[2].holds(w[2])) continue;
      for (double& weight : w) weight /= area;
      const std::size_t at = std::size_t(y) * width_ + x;
      const auto nearness =
          static_cast<float>(w[0] * c[0].nearness + w[1] * c[1].nearness + w[2] * c[2].nearness);
      if (!paint.on_top && nearness <= nearness_[at]) continue;
      put(at, nearness,
          paint.lit ? shaded(c[0].normal * w[0] + c[1].normal * w[1] + c[2].normal * w[2], paint)
                    : plain,
          paint);
    }
  }
}

void Canvas::line(const CanvasCorner& a, const CanvasCorner& b, double width, const Paint& paint) {
  const double dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy);
  if (!(length > 0) || !std::isfinite(length)) return;
  const double u = -dy / length * width / 2, v = dx / length * width / 2;
  const auto beside = [&](const CanvasCorner& p, double sign) {
    return CanvasCorner{p.x + sign * u, p.y + sign * v, p.nearness, {}};
  };
  triangle(beside(a, 1), beside(a, -1), beside(b, 1), paint);
  triangle(beside(b, 1), beside(a, -1), beside(b, -1), paint);
}

void Canvas::shade(double factor) {
  for (std::size_t at = 0; at < marked_.size(); ++at) {
    if (!marked_[at]) continue;
    marked_[at] = false;
    for (std::uint8_t& c : rgb_[at]) c = static_cast<std::uint8_t>(std::lround(c * factor));
  }
}

Picture Canvas::picture() const {
  Picture result{width(), height(), {}};
  result.rgb.reserve(3 * std::size_t(result.width) * result.height);
  const std::size_t row = width_;
  for (std::size_t y = 0; y < static_cast<std::size_t>(height_); y += samples)
    for (std::size_t x = 0; x < row; x += samples) {
      std::array<int, 3> sum{};
      for (std::size_t i = 0; i < samples; ++i)
        for (std::size_t k = 0; k < samples; ++k)
          for (std::size_t channel = 0; channel < 3; ++channel)
            sum[channel] += rgb_[(y + i) * row + x + k][channel];
      constexpr int all = samples * samples;
      for (const int s : sum) result.rgb.push_back(static_cast<std::uint8_t>((s + all / 2) / all));
    }
  return result;
}

}  // namespace axode
