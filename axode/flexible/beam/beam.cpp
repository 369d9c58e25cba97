#include "axode/flexible/beam/beam.hpp"

#include <algorithm>
#include <cmath>

#include "axode/core/error.hpp"
#include "axode/flexible/beam/detail/beam_roots.hpp"
#include "axode/flexible/beam/modal_invariants.hpp"
#include "axode/flexible/beam/ritz_modes.hpp"
#include "axode/model/bounds.hpp"

namespace axode {

namespace {

void check_section(const Section& section, const std::string& where) {
  detail::check_positive_number(section.area, "the area of the section", where);
  detail::check_positive_number(section.Iy, "Iy of the section", where);
  detail::check_positive_number(section.Iz, "Iz of the section", where);
  detail::check_positive_number(section.torsion, "the torsion constant of the section", where);
}

bool bends(ModeDirection direction) {
  return direction == ModeDirection::bend_y || direction == ModeDirection::bend_z;
}

BeamMode bending_mode(const Beam& beam, ModeDirection direction, int number,
                      const ModeBoundary& boundary) {
  const Section section = section_of(beam.root);
  const double L = beam.length, mu = beam.material.density * section.area;
  const TipRatios tip{boundary.tip_mass / (mu * L), boundary.tip_inertia / (mu * L * L * L)};
  const bool clamped = boundary.root == ModeBoundary::Root::clamped;
  const double z = clamped ? clamped_root(number, tip) : pinned_root(number, tip);
  ModeShape shape{.kind = clamped ? ModeShape::Kind::bending : ModeShape::Kind::pinned};
  shape.length = L;
  shape.wave_number = z / L;
  if (clamped)
    shape.one_minus_sigma = clamped_one_minus_sigma(z, tip.mass);
  else
    shape.tip_sinh = pinned_tip_sinh(z, tip.mass);
  const double I = direction == ModeDirection::bend_y ? section.Iz : section.Iy;
  const double b = shape.wave_number;
  return {direction, shape, b * b * std::sqrt(beam.material.E * I / mu)};
}

BeamMode rod_mode(const Beam& beam, ModeDirection direction, int number,
                  const ModeBoundary& boundary) {
  const Section section = section_of(beam.root);
  const Material& m = beam.material;
  const bool turns = direction == ModeDirection::torsion;
  const double inertia = m.density * (turns ? section.polar() : section.area);
  const double stiffness = turns ? m.G * section.torsion : m.E * section.area;
  const double tip = turns ? boundary.tip_inertia : boundary.tip_mass;
  ModeShape shape{.kind = ModeShape::Kind::sine};
  shape.length = beam.length;
  shape.wave_number = rod_root(number, tip / (inertia * beam.length)) / beam.length;
  return {direction, shape, shape.wave_number * std::sqrt(stiffness / inertia)};
}

void check_boundary(ModeDirection direction, int count, const ModeBoundary& boundary) {
  constexpr int most = 100;  // exponentials of higher modes leave the range of numbers
  if (count < 1 || count > most)
    throw Error(std::to_string(count) + " modes", "beam_modes", "ask for 1 to 100");
  for (const double tip : {boundary.tip_mass, boundary.tip_inertia})
    if (!(tip >= 0) || !std::isfinite(tip))
      throw Error("the mass or inertia at the tip is " + std::to_string(tip), "beam_modes",
                  "give zero or a positive number");
  if (!bends(direction) && boundary.root == ModeBoundary::Root::pinned)
    throw Error(std::string(name(direction)) + " modes of a pinned root", "beam_modes",
                "only bending knows a pinned root: clamp the others");
}

/// Largest |a_jk| / sqrt(a_jj a_kk) of modes of one direction.
double largest_cosine(const std::vector<BeamMode>& modes, const std::vector<double>& A) {
  const std::size_t n = modes.size();
  double largest = 0;
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < j; ++k)
      if (modes[j].direction == modes[k].direction)
        largest =
            std::max(largest, std::abs(A[j * n + k]) / std::sqrt(A[j * n + j] * A[k * n + k]));
  return largest;
}

}  // namespace

Section section_at(const Beam& beam, double x) {
  return section_between(beam.root, beam.tip, x / beam.length);
}
bool is_uniform(const Beam& beam) noexcept { return beam.root == beam.tip; }

void check_beam(const Beam& beam, const std::string& where) {
  detail::check_positive_number(beam.length, "the length", where);
  detail::check_length(beam.length, "the length", where);
  detail::check_length(1 / beam.length, "the inverse of the length", where);
  detail::check_positive_number(beam.material.E, "Young's modulus", where);
  detail::check_positive_number(beam.material.G, "the shear modulus", where);
  detail::check_positive_number(beam.material.density, "the density", where);
  if (beam.root.kind != beam.tip.kind)
    throw Error("the sections at root and tip are of different kinds", where,
                "taper between two outlines of one kind, or give numbers");
  check_section(section_of(beam.root), where);
  check_section(section_of(beam.tip), where);
}

std::vector<BeamMode> beam_modes(const Beam& beam, ModeDirection direction, int count,
                                 const ModeBoundary& boundary) {
  check_beam(beam, "beam_modes");
  check_boundary(direction, count, boundary);
  if (!is_uniform(beam)) return ritz_modes(beam, direction, count, boundary);
  std::vector<BeamMode> modes;
  modes.reserve(count);
  for (int number = 1; number <= count; ++number)
    modes.push_back(bends(direction) ? bending_mode(beam, direction, number, boundary)
                                     : rod_mode(beam, direction, number, boundary));
  return modes;
}

Orthogonality orthogonality(const Beam& beam, const std::vector<BeamMode>& modes,
                            const ModeBoundary& boundary) {
  const ModalInvariants m = modal_invariants(beam, modes);
  std::vector<double> mass = m.product;
  const std::size_t n = modes.size();
  std::vector<ShapeValue> tip;
  tip.reserve(n);
  for (const BeamMode& mode : modes) tip.push_back(shape_at(mode.shape, beam.length));
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < n; ++k) {
      const double values = tip[j].value * tip[k].value, slopes = tip[j].slope * tip[k].slope;
      double& entry = mass[j * n + k];
      if (modes[j].direction == ModeDirection::torsion)
        entry = m.angle_product[0][j * n + k] + boundary.tip_inertia * values;
      else
        entry += boundary.tip_mass * values +
                 (bends(modes[j].direction) ? boundary.tip_inertia * slopes : 0.0);
    }
  return {largest_cosine(modes, mass), largest_cosine(modes, m.stiffness)};
}

void check_modes(const Beam& beam, const std::vector<BeamMode>& modes, const ModeBoundary& boundary,
                 const std::string& where) {
  constexpr int places = 64;
  constexpr double tolerance = 1e-8;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const ModeShape& shape = modes[k].shape;
    const auto refuse = [&](const std::string& problem, const std::string& remedy) {
      throw Error("mode " + std::to_string(k + 1) + " (" + std::string(name(modes[k].direction)) +
                      "): " + problem,
                  where, remedy);
    };
    if (!(std::abs(shape.length - beam.length) <= 1e-9 * beam.length))
      refuse("the shape is " + std::to_string(shape.length) + " m long", "make it for this beam");
    double largest = 0;
    for (int i = 0; i <= places; ++i) {
      const ShapeValue value = shape_at(shape, beam.length * i / places);
      if (!std::isfinite(value.value + value.slope + value.curvature))
        refuse("the shape is not finite", "check its numbers");
      largest = std::max(largest, std::abs(value.value));
    }
    if (largest == 0) refuse("the shape is zero", "give one that moves");
    const ShapeValue root = shape_at(shape, 0);
    if (std::abs(root.value) > tolerance * largest)
      refuse("it moves the root", "let the shape be zero at x = 0");
    const bool clamped = boundary.root == ModeBoundary::Root::clamped;
    if (bends(modes[k].direction) && clamped &&
        std::abs(root.slope) * beam.length > tolerance * largest)
      refuse("it turns the clamped root", "let the slope be zero at x = 0, or pin the root");
  }
}

}  // namespace axode
