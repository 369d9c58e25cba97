#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "axode/core/error.hpp"
#include "axode/core/finite.hpp"
#include "axode/flexible/beam/mode_shape.hpp"

namespace axode {

namespace {

/// Newton's polynomial: divided differences at places.
struct Newton {
  std::vector<double> places, differences;
};
/// Through values; where the first two places are one, with slope 0 there.
Newton newton_polynomial(std::vector<double> places, std::vector<double> values) {
  Newton result{std::move(places), std::move(values)};
  auto& [x, f] = result;
  for (std::size_t order = 1; order < x.size(); ++order)
    for (std::size_t i = x.size() - 1; i >= order; --i) {
      const double h = x[i] - x[i - order];
      f[i] = h == 0 ? 0.0 : (f[i] - f[i - 1]) / h;
    }
  return result;
}
ShapeValue value_at(const Newton& newton, double x) {
  double value = 0, slope = 0, half_curvature = 0;
  for (std::size_t i = newton.places.size(); i-- > 0;) {
    const double h = x - newton.places[i];
    half_curvature = half_curvature * h + slope;
    slope = slope * h + value;
    value = value * h + newton.differences[i];
  }
  return {value, slope, 2 * half_curvature};
}

/// The polynomial through the seven places nearest to number i.
Newton around(const ModeShape& shape, std::size_t i, bool clamped) {
  constexpr std::size_t most = 7;
  const std::size_t all = shape.places.size(), size = std::min(most, all);
  const std::size_t first = std::min(i - std::min(i, size / 2), all - size);
  const auto cut = [&](const std::vector<double>& list) {
    const auto start = list.begin() + static_cast<std::ptrdiff_t>(first);
    std::vector<double> part(start, start + static_cast<std::ptrdiff_t>(size));
    if (clamped && first == 0) part.insert(part.begin(), part.front());
    return part;
  };
  return newton_polynomial(cut(shape.places), cut(shape.numbers));
}

void check_samples(const ModeShape& shape, bool clamped) {
  const std::vector<double>&x = shape.places, &y = shape.numbers;
  const auto refuse = [](const std::string& problem, const std::string& remedy) {
    throw Error(problem, "sampled_shape", remedy);
  };
  if (!(shape.length > 0)) refuse("the length is not positive", "give it in metres");
  if (x.size() != y.size())
    refuse(std::to_string(x.size()) + " places but " + std::to_string(y.size()) + " values",
           "give one value for each place");
  if (x.size() < 3) refuse("fewer than 3 places", "give 3 or more, better 20");
  if (!all_finite(x) || !all_finite(y))
    refuse("a place or value is not a number", "give finite numbers");
  const double slack = 1e-9 * shape.length;
  if (std::adjacent_find(x.begin(), x.end(), std::greater_equal<>()) != x.end() ||
      std::abs(x.front()) > slack || std::abs(x.back() - shape.length) > slack)
    refuse("the places do not rise from 0 to the length", "sort them, with both ends");
  double largest = 0;
  for (const double value : y) largest = std::max(largest, std::abs(value));
  if (clamped && std::abs(y.front()) > 1e-9 * largest)
    refuse("the value at the clamp is " + std::to_string(y.front()), "let it be 0");
}

}  // namespace

ModeShape polynomial_shape(double length, std::vector<double> coefficients) {
  if (!(length > 0) || coefficients.empty())
    throw Error("no length or no coefficients", "polynomial_shape", "give both");
  ModeShape shape{.kind = ModeShape::Kind::polynomial};
  shape.length = length;
  shape.numbers = std::move(coefficients);
  return shape;
}

ModeShape sampled_shape(double length, std::vector<double> places, std::vector<double> values,
                        bool clamped) {
  ModeShape shape{.kind = ModeShape::Kind::samples};
  shape.length = length;
  shape.places = std::move(places);
  shape.numbers = std::move(values);
  check_samples(shape, clamped);
  if (clamped) shape.numbers.front() = 0;
  shape.slopes.reserve(shape.places.size());
  shape.curvatures.reserve(shape.places.size());
  for (std::size_t i = 0; i < shape.places.size(); ++i) {
    const ShapeValue local = value_at(around(shape, i, clamped), shape.places[i]);
    shape.slopes.push_back(clamped && i == 0 ? 0.0 : local.slope);
    shape.curvatures.push_back(local.curvature);
  }
  return shape;
}

}  // namespace axode
