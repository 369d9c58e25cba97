#include "axode/flexible/beam/mode_shape.hpp"

#include <algorithm>
#include <cmath>

#include "axode/flexible/beam/detail/beam_roots.hpp"
#include "axode/flexible/beam/detail/legendre.hpp"

namespace axode {

namespace {

ShapeValue bending(const ModeShape& shape, double x) {
  const double b = shape.wave_number, z = b * x, d = shape.one_minus_sigma, s = 1 - d;
  if (std::abs(z) <= 2) {
    const auto f = duncan_functions(z);
    return {2 * (f[2] - s * f[3]), 2 * b * (f[1] - s * f[2]), 2 * b * b * (f[0] - s * f[1])};
  }
  const double rising = std::exp(z) * d / 2, falling = std::exp(-z) * (2 - d) / 2;
  const double c = std::cos(z), n = std::sin(z);
  return {rising + falling - c + s * n, b * (rising - falling + n + s * c),
          b * b * (rising + falling + c - s * n)};
}

ShapeValue pinned(const ModeShape& shape, double x) {
  const double b = shape.wave_number, z = b * x, end = b * shape.length;
  // sinh z / sinh bL and cosh z / sinh bL by exponentials that do not overflow
  const double common = shape.tip_sinh * std::exp(z - end) / -std::expm1(-2 * end);
  const double sh = -common * std::expm1(-2 * z), ch = common * (1 + std::exp(-2 * z));
  const double c = std::cos(z), n = std::sin(z);
  return {n + sh, b * (c + ch), b * b * (sh - n)};
}

ShapeValue sine(const ModeShape& shape, double x) {
  const double k = shape.wave_number, n = std::sin(k * x);
  return {n, k * std::cos(k * x), -k * k * n};
}

ShapeValue polynomial(const ModeShape& shape, double x) {
  const double s = x / shape.length;
  double value = 0, slope = 0, half_curvature = 0;
  for (std::size_t n = shape.numbers.size(); n-- > 0;) {
    half_curvature = half_curvature * s + slope;
    slope = slope * s + value;
    value = value * s + shape.numbers[n];
  }
  return {value, slope / shape.length, 2 * half_curvature / (shape.length * shape.length)};
}

ShapeValue legendre(const ModeShape& shape, double x) {
  const double s = x / shape.length, L = shape.length;
  const LegendreTable table = legendre_table(static_cast<int>(shape.numbers.size()), s);
  // rows of the table from what the series is the derivative of, to the second derivative of psi
  const auto sum = [&](int derivative) {
    const std::vector<double>& f = table.rows[derivative - shape.integrations + 2];
    double total = 0;
    for (std::size_t n = 0; n < shape.numbers.size(); ++n) total += shape.numbers[n] * f[n];
    return total;
  };
  return {shape.root_slope * x + sum(0), shape.root_slope + sum(1) / L, sum(2) / (L * L)};
}

/// The polynomial of degree 5 with the value, slope and curvature of both ends of the interval.
ShapeValue spline(const ModeShape& shape, double x) {
  const auto& places = shape.places;
  const auto after = std::upper_bound(places.begin() + 1, places.end() - 1, x);
  const std::size_t i = (after - places.begin()) - 1;
  const double h = places[i + 1] - places[i], s = (x - places[i]) / h;
  const double a0 = shape.numbers[i], a1 = h * shape.slopes[i],
               a2 = h * h * shape.curvatures[i] / 2;
  // what the far end lacks, if only the near one counts
  const double v = shape.numbers[i + 1] - (a0 + a1 + a2);
  const double d = h * shape.slopes[i + 1] - (a1 + 2 * a2);
  const double c = h * h * shape.curvatures[i + 1] - 2 * a2;
  const double a3 = 10 * v - 4 * d + c / 2, a4 = -15 * v + 7 * d - c, a5 = 6 * v - 3 * d + c / 2;
  return {a0 + s * (a1 + s * (a2 + s * (a3 + s * (a4 + s * a5)))),
          (a1 + s * (2 * a2 + s * (3 * a3 + s * (4 * a4 + s * 5 * a5)))) / h,
          (2 * a2 + s * (6 * a3 + s * (12 * a4 + s * 20 * a5))) / (h * h)};
}

}  // namespace

std::string_view name(ModeDirection direction) noexcept {
  switch (direction) {
    case ModeDirection::torsion:
      return "torsion";
    case ModeDirection::bend_y:
      return "bend_y";
    case ModeDirection::bend_z:
      return "bend_z";
    case ModeDirection::axial:
      return "axial";
  }
  return "";
}

ShapeValue shape_at(const ModeShape& shape, double x) {
  const ShapeValue v = [&] {
    switch (shape.kind) {
      case ModeShape::Kind::bending:
        return bending(shape, x);
      case ModeShape::Kind::pinned:
        return pinned(shape, x);
      case ModeShape::Kind::sine:
        return sine(shape, x);
      case ModeShape::Kind::polynomial:
        return polynomial(shape, x);
      case ModeShape::Kind::legendre:
        return legendre(shape, x);
      case ModeShape::Kind::samples:
        return spline(shape, x);
    }
    return ShapeValue{};
  }();
  return {shape.scale * v.value, shape.scale * v.slope, shape.scale * v.curvature};
}

}  // namespace axode
