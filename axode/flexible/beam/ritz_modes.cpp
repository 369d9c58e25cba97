#include "axode/flexible/beam/ritz_modes.hpp"

#include <algorithm>
#include <cmath>

#include "axode/core/error.hpp"
#include "axode/flexible/beam/detail/legendre.hpp"
#include "axode/linalg/eigenvalues.hpp"

namespace axode {

namespace {

/// Values of the trial functions at one place, x/L from 0 to 1.
struct Trial {
  std::vector<double> value, slope, strain;  ///< derivatives with respect to x/L
};
Trial trial_at(int terms, int integrations, double s) {
  LegendreTable table = legendre_table(terms, s);
  const bool bends = integrations == 2;
  return {std::move(table.rows[bends ? 0 : 1]), bends ? std::move(table.rows[1]) : table.rows[2],
          std::move(table.rows[2])};
}

/// Mass and stiffness per length of a direction, and what hangs at the tip.
struct Law {
  double mass = 0, stiffness = 0;
};
Law law_at(const Beam& beam, ModeDirection direction, double s) {
  const Section section = section_at(beam, s * beam.length);
  const Material& m = beam.material;
  const double mu = m.density * section.area;
  switch (direction) {
    case ModeDirection::torsion:
      return {m.density * section.polar(), m.G * section.torsion};
    case ModeDirection::bend_y:
      return {mu, m.E * section.Iz};
    case ModeDirection::bend_z:
      return {mu, m.E * section.Iy};
    case ModeDirection::axial:
      return {mu, m.E * section.area};
  }
  return {};
}

struct Problem {
  const Beam& beam;
  ModeDirection direction;
  ModeBoundary boundary;
  int terms;
  bool bends() const {
    return direction == ModeDirection::bend_y || direction == ModeDirection::bend_z;
  }
  int integrations() const { return bends() ? 2 : 1; }
  bool rotates() const { return bends() && boundary.root == ModeBoundary::Root::pinned; }
  double tip_mass() const {  // on the square of the value at the tip
    return direction == ModeDirection::torsion ? boundary.tip_inertia : boundary.tip_mass;
  }
  double tip_inertia() const {  // on the square of the slope, d/d(x/L)
    return bends() ? boundary.tip_inertia / (beam.length * beam.length) : 0.0;
  }
};

/// The share of the rigid rotation x/L that makes each trial function orthogonal to it.
std::vector<double> rotations(const Problem& p, const GaussRule& rule) {
  std::vector<double> with(p.terms, 0.0);
  if (!p.rotates()) return with;
  double itself = 0;
  const auto add = [&](const std::vector<double>& f, double weight, double rigid) {
    itself += weight * rigid * rigid;
    for (std::size_t n = 0; n < with.size(); ++n) with[n] -= weight * rigid * f[n];
  };
  for (std::size_t i = 0; i < rule.x.size(); ++i) {
    const double s = rule.x[i], mass = law_at(p.beam, p.direction, s).mass * p.beam.length;
    add(trial_at(p.terms, 2, s).value, rule.weight[i] * mass, s);
  }
  const Trial tip = trial_at(p.terms, 2, 1);
  add(tip.value, p.tip_mass(), 1);
  add(tip.slope, p.tip_inertia(), 1);
  for (double& w : with) w /= itself;
  return with;
}

void add_square(const std::vector<double>& f, double weight, std::vector<double>& A) {
  for (std::size_t j = 0; j < f.size(); ++j)
    for (std::size_t k = 0; k < f.size(); ++k) A[j * f.size() + k] += weight * f[j] * f[k];
}

struct Solution {
  SymmetricModes modes;           ///< of M y = y / w^2 K
  std::vector<double> rotations;  ///< of the trial functions
};
Solution solve(const Problem& p) {
  const GaussRule rule = gauss_rule(p.terms + 16);  // exact for the polynomial sections
  const double L = p.beam.length;
  const int n = p.terms;
  DenseMatrix<double> M = zero_matrix(n, n), K = zero_matrix(n, n);
  const std::vector<double> turn = rotations(p, rule);
  const auto turned = [&](std::vector<double> f, double rigid) {
    for (int k = 0; k < n; ++k) f[k] += rigid * turn[k];
    return f;
  };
  for (std::size_t i = 0; i < rule.x.size(); ++i) {
    const double s = rule.x[i];
    const Trial trial = trial_at(p.terms, p.integrations(), s);
    const Law law = law_at(p.beam, p.direction, s);
    add_square(turned(trial.value, s), rule.weight[i] * law.mass * L, M.values);
    add_square(trial.strain, rule.weight[i] * law.stiffness / std::pow(L, p.bends() ? 3 : 1),
               K.values);
  }
  const Trial tip = trial_at(p.terms, p.integrations(), 1);
  add_square(turned(tip.value, 1), p.tip_mass(), M.values);
  add_square(turned(tip.slope, 1), p.tip_inertia(), M.values);
  return {symmetric_modes(M, K), turn};
}

double frequency(const Solution& solution, std::size_t k) {
  const auto& values = solution.modes.values;  // rising
  return 1 / std::sqrt(values[values.size() - 1 - k]);
}

/// Rounding is that of the lowest mode: under a heavy tip, which makes it very low, the others
/// cannot settle to all digits.
double noise(const std::vector<double>& frequencies, std::size_t k) {
  const double ratio = frequencies[k] / frequencies[0];
  return 1 + 1e-3 * ratio * ratio;
}

/// Unit largest value, positive strain (pinned: slope) at the root.
void normalise(ModeShape& shape) {
  constexpr int places = 200;
  double largest = 0;
  for (int i = 0; i <= places; ++i)
    largest = std::max(largest, std::abs(shape_at(shape, shape.length * i / places).value));
  const ShapeValue root = shape_at(shape, 0);
  const double rising =
      shape.root_slope != 0 || shape.integrations == 1 ? root.slope : root.curvature;
  shape.scale = std::copysign(1 / largest, rising);
}

BeamMode mode_of(const Problem& p, const Solution& solution, std::size_t k) {
  const int n = p.terms;
  const std::span<const double> vector = solution.modes.vectors.row(n - 1 - static_cast<int>(k));
  ModeShape shape{.kind = ModeShape::Kind::legendre};
  shape.length = p.beam.length;
  shape.integrations = p.integrations();
  shape.numbers.assign(vector.begin(), vector.end());
  for (int j = 0; j < n; ++j)
    shape.root_slope += solution.rotations[j] * shape.numbers[j] / p.beam.length;
  normalise(shape);
  return {p.direction, shape, frequency(solution, k)};
}

}  // namespace

std::vector<BeamMode> ritz_modes(const Beam& beam, ModeDirection direction, int count,
                                 const ModeBoundary& boundary) {
  constexpr int max_terms = 200;
  constexpr double settled = 1e-11;
  std::vector<double> before;
  for (int terms = 2 * count + 12;; terms += terms / 2) {
    if (terms > max_terms)
      throw Error("frequencies do not settle", "ritz_modes",
                  "ask for fewer modes or make the taper less sharp");
    const Problem problem{beam, direction, boundary, terms};
    const Solution solution = solve(problem);
    bool done = solution.modes.solved && !before.empty();
    std::vector<double> now;
    now.reserve(count);
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
      now.push_back(solution.modes.solved ? frequency(solution, k) : 0.0);
      done = done && std::abs(now[k] - before[k]) <= settled * now[k] * noise(now, k);
    }
    if (done) {
      std::vector<BeamMode> modes;
      modes.reserve(now.size());
      for (std::size_t k = 0; k < now.size(); ++k) modes.push_back(mode_of(problem, solution, k));
      return modes;
    }
    before = now;
  }
}

}  // namespace axode
