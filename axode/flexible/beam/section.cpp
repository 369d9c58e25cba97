#include "axode/flexible/beam/section.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "axode/core/error.hpp"

namespace axode {

namespace {

using Kind = SectionOutline::Kind;

void check_size(double size, const char* what, const char* where) {
  if (!(size > 0) || !std::isfinite(size))
    throw Error(std::string(what) + " is " + std::to_string(size), where,
                "give a positive number of metres");
}

/// Roark, but by the series: a b^3 / 3 (1 - 192 b / (std::numbers::pi^5 a) sum of tanh(n std::numbers::pi a / 2b) / n^5, n
/// odd), a >= b. The terms fall as 1/n^5 and tanh is soon 1: the rest is that of the zeta function.
double rectangle_torsion(double width, double height) {
  const double a = std::max(width, height), b = std::min(width, height);
  double sum = 31.0 / 32 * 1.0369277551433699263;  // all odd 1/n^5
  for (int n = 1; n <= 15; n += 2) {               // e^-47 at 15: below rounding
    const double z = n * std::numbers::pi * a / (2 * b), n5 = std::pow(n, 5);
    sum -= 2 / (std::exp(2 * z) + 1) / n5;  // 1 - tanh
  }
  return a * b * b * b / 3 * (1 - 192 * b / (std::pow(std::numbers::pi, 5) * a) * sum);
}

Section rectangle(double width, double height) {
  return {width * height, width * std::pow(height, 3) / 12, height * std::pow(width, 3) / 12,
          rectangle_torsion(width, height)};
}
Section circle(double outer, double inner) {
  const double area = std::numbers::pi / 4 * (outer - inner) * (outer + inner);
  const double I = area / 16 * (outer * outer + inner * inner);
  return {area, I, I, 2 * I};
}
Section box(double width, double height, double wall) {
  const Section o = rectangle(width, height), i = rectangle(width - 2 * wall, height - 2 * wall);
  const double w = width - wall, h = height - wall;  // of the middle line
  return {o.area - i.area, o.Iy - i.Iy, o.Iz - i.Iz, 2 * w * w * h * h * wall / (w + h)};
}
Section i_profile(double width, double height, double flange, double web) {
  const double inside = height - 2 * flange;
  const double Iy = (width * std::pow(height, 3) - (width - web) * std::pow(inside, 3)) / 12;
  const double Iz = (2 * flange * std::pow(width, 3) + inside * std::pow(web, 3)) / 12;
  const double torsion =
      (2 * width * std::pow(flange, 3) + (height - flange) * std::pow(web, 3)) / 3;
  return {2 * width * flange + inside * web, Iy, Iz, torsion};
}

double by_root(double a, double b, double s, double power) {
  return std::pow((1 - s) * std::pow(a, 1 / power) + s * std::pow(b, 1 / power), power);
}

}  // namespace

SectionOutline section_numbers(const Section& section) {
  const char* where = "section_numbers";
  check_size(section.area, "the area", where);
  check_size(section.Iy, "Iy", where);
  check_size(section.Iz, "Iz", where);
  check_size(section.torsion, "the torsion constant", where);
  if (section.torsion > section.polar() * (1 + 1e-9))
    throw Error("the torsion constant is above Iy + Iz, which only a circle reaches", where,
                "give Saint-Venant's constant");
  return {Kind::numbers, {}, section};
}
SectionOutline solid_circle(double diameter) {
  check_size(diameter, "the diameter", "solid_circle");
  return {Kind::circle, {diameter}, {}};
}
SectionOutline hollow_circle(double outer_diameter, double inner_diameter) {
  check_size(outer_diameter, "the outer diameter", "hollow_circle");
  check_size(inner_diameter, "the inner diameter", "hollow_circle");
  if (inner_diameter >= outer_diameter)
    throw Error("the inner diameter is not below the outer one", "hollow_circle",
                "give the outer diameter first");
  return {Kind::tube, {outer_diameter, inner_diameter}, {}};
}
SectionOutline solid_rectangle(double width, double height) {
  check_size(width, "the width", "solid_rectangle");
  check_size(height, "the height", "solid_rectangle");
  return {Kind::rectangle, {width, height}, {}};
}
SectionOutline hollow_rectangle(double width, double height, double wall) {
  check_size(width, "the width", "hollow_rectangle");
  check_size(height, "the height", "hollow_rectangle");
  check_size(wall, "the wall", "hollow_rectangle");
  if (2 * wall >= std::min(width, height))
    throw Error("the walls leave no hole", "hollow_rectangle",
                "make the wall thinner than half the width and height, or use solid_rectangle");
  return {Kind::box, {width, height, wall}, {}};
}
SectionOutline i_section(double width, double height, double flange, double web) {
  check_size(width, "the width", "i_section");
  check_size(height, "the height", "i_section");
  check_size(flange, "the flange", "i_section");
  check_size(web, "the web", "i_section");
  if (2 * flange >= height || web >= width)
    throw Error("the flanges or the web fill the section", "i_section",
                "make flanges thinner than half the height and the web thinner than the width");
  return {Kind::i_profile, {width, height, flange, web}, {}};
}

Section section_of(const SectionOutline& outline) {
  const auto& [a, b, c, d] = outline.sizes;
  switch (outline.kind) {
    case Kind::numbers:
      return outline.given;
    case Kind::circle:
      return circle(a, 0);
    case Kind::tube:
      return circle(a, b);
    case Kind::rectangle:
      return rectangle(a, b);
    case Kind::box:
      return box(a, b, c);
    case Kind::i_profile:
      return i_profile(a, b, c, d);
  }
  return {};
}

Section section_between(const SectionOutline& a, const SectionOutline& b, double s) {
  if (a.kind != b.kind)
    throw Error("the sections at the ends are of different kinds", "section_between",
                "taper between two outlines of one kind, or give numbers");
  if (a == b) return section_of(a);
  if (a.kind == Kind::numbers)
    return {by_root(a.given.area, b.given.area, s, 2), by_root(a.given.Iy, b.given.Iy, s, 4),
            by_root(a.given.Iz, b.given.Iz, s, 4), by_root(a.given.torsion, b.given.torsion, s, 4)};
  SectionOutline between = a;
  for (std::size_t i = 0; i < a.sizes.size(); ++i)
    between.sizes[i] = (1 - s) * a.sizes[i] + s * b.sizes[i];
  return section_of(between);
}

}  // namespace axode
