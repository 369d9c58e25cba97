#include "axode/flexible/beam/modal_invariants.hpp"

#include <algorithm>
#include <cmath>

#include "axode/core/error.hpp"

namespace axode {

namespace {

int kind(const BeamMode& mode) { return static_cast<int>(mode.direction); }

bool bends(const BeamMode& mode) {
  return mode.direction == ModeDirection::bend_y || mode.direction == ModeDirection::bend_z;
}
double angle_of(const BeamMode& mode, const ShapeValue& shape) {
  switch (mode.direction) {
    case ModeDirection::torsion:
      return shape.value;
    case ModeDirection::bend_y:
      return shape.slope;
    case ModeDirection::bend_z:
      return -shape.slope;
    case ModeDirection::axial:
      return 0;
  }
  return 0;
}

/// Weight of the rule on [0, 1], shapes and section at one place.
struct Place {
  double weight = 0;
  StationModes modes;  ///< without shortening
  std::vector<ShapeValue> shapes;
  Section section;
};
Place place_at(const Beam& beam, const std::vector<BeamMode>& modes, double x, double weight) {
  Place place{weight, {x, {}, {}, {}}, {}, section_at(beam, x)};
  place.shapes.reserve(modes.size());
  place.modes.displacement.reserve(modes.size());
  place.modes.angle.reserve(modes.size());
  for (const BeamMode& mode : modes) {
    const ShapeValue shape = shape_at(mode.shape, x);
    const bool turns_only = mode.direction == ModeDirection::torsion;
    place.shapes.push_back(shape);
    place.modes.displacement.push_back(turns_only ? 0.0 : shape.value);
    place.modes.angle.push_back(angle_of(mode, shape));
  }
  return place;
}

/// Adds weight psi_j' psi_k' of the modes that bend in one plane.
void add_shortening(const std::vector<BeamMode>& modes, const std::vector<ShapeValue>& shapes,
                    double weight, std::vector<double>& sum) {
  const std::size_t n = modes.size();
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < n; ++k)
      if (bends(modes[j]) && modes[j].direction == modes[k].direction)
        sum[j * n + k] += weight * shapes[j].slope * shapes[k].slope;
}
/// integral of psi_j' psi_k' from a to b, added to sum.
void integrate_shortening(const std::vector<BeamMode>& modes, double a, double b,
                          std::vector<double>& sum) {
  static const GaussRule rule = gauss_rule(16);
  std::vector<ShapeValue> shapes(modes.size());
  for (std::size_t i = 0; i < rule.x.size(); ++i) {
    const double x = a + (b - a) * rule.x[i];
    std::transform(modes.begin(), modes.end(), shapes.begin(),
                   [&](const BeamMode& mode) { return shape_at(mode.shape, x); });
    add_shortening(modes, shapes, (b - a) * rule.weight[i], sum);
  }
}

void add_mass(const Place& at_x, double mu, ModalInvariants& to) {
  const auto& psi = at_x.modes.displacement;
  const double x = at_x.modes.x;
  to.mass += mu;
  to.first_moment += mu * x;
  to.second_moment += mu * x * x;
  for (std::size_t j = 0; j < psi.size(); ++j) {
    to.mean[j] += mu * psi[j];
    to.lever[j] += mu * x * psi[j];
    for (std::size_t k = 0; k < psi.size(); ++k)
      to.product[j * psi.size() + k] += mu * psi[j] * psi[k];
  }
}

void add_rotary(const Place& at_x, const Vec3<>& inertia, ModalInvariants& to) {
  const auto& alpha = at_x.modes.angle;
  to.rotary += inertia;
  for (int c = 0; c < 3; ++c) {
    for (std::size_t j = 0; j < alpha.size(); ++j) {
      to.angle[c][j] += inertia[c] * alpha[j];
      for (std::size_t k = 0; k < alpha.size(); ++k)
        to.angle_product[c][j * alpha.size() + k] += inertia[c] * alpha[j] * alpha[k];
    }
    std::size_t index = 0;
    for (int t = to.first[0]; t < to.first[1]; ++t)
      for (int y = to.first[1]; y < to.first[2]; ++y)
        for (int z = to.first[2]; z < to.first[3]; ++z)
          to.angle_triple[c][index++] += inertia[c] * alpha[t] * alpha[y] * alpha[z];
  }
}

/// K, with axial modes: E A psi' psi'.
void add_stiffness(const Beam& beam, const std::vector<BeamMode>& modes, const Place& at_x,
                   double dx, std::vector<double>& K) {
  const Section& s = at_x.section;
  const double E = beam.material.E;
  // G I_t psi_x' psi_x', E I_z psi_y'' psi_y'', E I_y psi_z'' psi_z''
  // [CibicikEgeland (112), corrected: docs/errata.md]
  const std::array<double, 4> modulus{beam.material.G * s.torsion, E * s.Iz, E * s.Iy, E * s.area};
  const std::size_t n = modes.size();
  const auto strain = [&](std::size_t k) {
    return bends(modes[k]) ? at_x.shapes[k].curvature : at_x.shapes[k].slope;
  };
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < n; ++k)
      if (modes[j].direction == modes[k].direction)
        K[j * n + k] += dx * modulus[kind(modes[j])] * strain(j) * strain(k);
}

ModalInvariants empty_invariants(const Beam& beam, const std::vector<BeamMode>& modes) {
  for (std::size_t k = 1; k < modes.size(); ++k)
    if (kind(modes[k]) < kind(modes[k - 1]))
      throw Error("mode " + std::to_string(k + 1) + " (" + std::string(name(modes[k].direction)) +
                      ") stands after " + std::string(name(modes[k - 1].direction)),
                  "modal_invariants", "order modes: torsion, bend_y, bend_z, axial");
  ModalInvariants result;
  result.modes = static_cast<int>(modes.size());
  result.length = beam.length;
  for (int d = 0; d < 4; ++d)
    result.first[d + 1] = static_cast<int>(
        std::count_if(modes.begin(), modes.end(), [&](const auto& m) { return kind(m) <= d; }));
  const std::size_t n = modes.size();
  for (auto* list : {&result.mean, &result.lever}) list->assign(n, 0.0);
  for (auto* square :
       {&result.product, &result.stiffness, &result.shortening, &result.shortening_lever})
    square->assign(n * n, 0.0);
  const auto& f = result.first;
  const std::size_t triples = std::size_t(f[1] - f[0]) * (f[2] - f[1]) * std::size_t(f[3] - f[2]);
  for (auto& list : result.angle) list.assign(n, 0.0);
  for (auto& square : result.angle_product) square.assign(n * n, 0.0);
  for (auto& list : result.angle_triple) list.assign(triples, 0.0);
  return result;
}

std::vector<ModalInvariants::Node> gauss_nodes(const Beam& beam, const std::vector<BeamMode>& modes,
                                               int most) {
  const GaussRule rule = gauss_rule(std::max(16, 12 + 4 * most));
  std::vector<ModalInvariants::Node> nodes;
  nodes.reserve(rule.x.size());
  std::vector<double> shortening(modes.size() * modes.size(), 0.0);
  double before = 0;
  for (std::size_t i = 0; i < rule.x.size(); ++i) {
    const double x = beam.length * rule.x[i];
    Place place = place_at(beam, modes, x, beam.length * rule.weight[i]);
    integrate_shortening(modes, before, x, shortening);
    before = x;
    place.modes.shortening = shortening;
    const double density = place.weight * beam.material.density;
    const Section& s = place.section;
    nodes.push_back(
        {std::move(place.modes), density * s.area, density * Vec3<>{s.polar(), s.Iy, s.Iz}});
  }
  return nodes;
}

}  // namespace

StationModes station_modes(const Beam& beam, const std::vector<BeamMode>& modes, double x) {
  StationModes result = place_at(beam, modes, x, 1).modes;
  result.shortening.assign(modes.size() * modes.size(), 0.0);
  constexpr int panels = 8;
  for (int i = 0; i < panels; ++i)
    integrate_shortening(modes, x * i / panels, x * (i + 1) / panels, result.shortening);
  return result;
}

ModalInvariants modal_invariants(const Beam& beam, const std::vector<BeamMode>& modes) {
  ModalInvariants result = empty_invariants(beam, modes);
  const auto& f = result.first;
  const int most = std::max({f[1] - f[0], f[2] - f[1], f[3] - f[2], f[4] - f[3]});
  const GaussRule rule = composite_rule(std::max(8, most), 16);
  const double L = beam.length, rho = beam.material.density;
  std::vector<double> so_far(modes.size() * modes.size(), 0.0);
  double before = 0;
  for (std::size_t i = 0; i < rule.x.size(); ++i) {
    const Place place = place_at(beam, modes, L * rule.x[i], L * rule.weight[i]);
    const Section& s = place.section;
    const double mu = place.weight * rho * s.area, x = place.modes.x;
    add_mass(place, mu, result);
    add_rotary(place, place.weight * rho * Vec3<>{s.polar(), s.Iy, s.Iz}, result);
    add_stiffness(beam, modes, place, place.weight, result.stiffness);
    integrate_shortening(modes, before, x, so_far);
    before = x;
    for (std::size_t jk = 0; jk < so_far.size(); ++jk) {
      result.shortening[jk] += mu * so_far[jk];
      result.shortening_lever[jk] += mu * x * so_far[jk];
    }
  }
  result.nodes = gauss_nodes(beam, modes, most);
  return result;
}

}  // namespace axode
