#include "axode/dynamics/parameters/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "axode/core/error.hpp"
#include "axode/dynamics/parameters/detail/sensitivity.hpp"
#include "axode/lie/rotation.hpp"
#include "axode/linalg/singular_values.hpp"

namespace axode {

namespace {

void check(const Tree& tree, std::span<const GeometricVariation> variations,
           std::span<const PoseMeasurement> measurements, const CalibrationOptions& o) {
  const char* where = "calibrate";
  if (variations.empty()) throw Error("there are no parameters", where, "give some variations");
  if (measurements.empty()) throw Error("there are no measurements", where, "give some poses");
  for (const double x : {o.rotation_weight, o.translation_weight, o.tolerance, o.rank_tolerance})
    if (!(x > 0) || !is_finite(x))
      throw Error("a weight or tolerance is not positive", where, "give positive numbers");
  for (std::size_t k = 0; k < measurements.size(); ++k) {
    check_configuration(tree, measurements[k].q, "q of a measurement");
    const SE3<double>& T = measurements[k].T_WF;
    const bool rotation = is_finite(T.R.matrix) && orthogonality_error(T.R.matrix) < 1e-6 &&
                          determinant(T.R.matrix) > 0;
    if (!is_finite(T.p) || !(o.position_only || rotation))
      throw Error("the pose is none", "measurement " + std::to_string(k),
                  "give a rotation matrix and a finite position");
  }
}

/// a += factor b.
void add(std::span<double> a, double factor, std::span<const double> b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += factor * b[i];
}

/// The residuals r and how they change, r(pi + d) = r - J d.
struct Linearization {
  std::vector<double> r;
  DenseMatrix<double> J;
  double cost() const { return dot(r, r); }
};

struct Problem {
  const Tree& tree;
  Frame frame;
  std::span<const GeometricVariation> variations;
  std::span<const PoseMeasurement> measurements;
  CalibrationOptions options;
  std::vector<char> on_path;  ///< by body
  int rows() const { return options.position_only ? 3 : 6; }
};

/// d T_WF/dpi = T_WF hat(eta), for bodies on the way to the frame.
Vec6<double> frame_displacement(const Tree& tree, const Poses<double>& poses,
                                const SE3<double>& T_WF, const GeometricVariation& variation) {
  const Vec6<double> U = detail::moved_direction(tree, poses, variation);
  return Ad_inverse(inverse_times(poses.T_WB[variation.body], T_WF), U);
}

/// The rows of one measurement; those of J are left out if it has none.
void add_rows(const Problem& p, const Tree& tree, std::span<const GeometricVariation> variations,
              const Poses<double>& poses, const PoseMeasurement& m, int row, Linearization& l) {
  const double w_r = p.options.rotation_weight, w_t = p.options.translation_weight;
  const SE3<double> T_WF = poses.T_WB[p.frame.body] * p.frame.T_BF;
  Vec6<double> error{};
  Mat6<double> slope;  // log(exp(-eta) exp(error)) = error - slope eta
  if (p.options.position_only) {
    error.linear = m.T_WF.p - T_WF.p;
  } else {
    error = log(inverse_times(T_WF, m.T_WF));
    slope = left_jacobian_inverse(error);
  }
  // Weighted, angular part first; positions only: without it.
  const int skipped = 6 - p.rows();
  const auto weighted = [&](const Vec6<double>& a, int i) {
    return (i + skipped < 3 ? w_r : w_t) * a[i + skipped];
  };
  for (int i = 0; i < p.rows(); ++i) l.r[row + i] = weighted(error, i);
  if (l.J.rows == 0) return;
  for (int k = 0; k < l.J.columns; ++k) {
    if (!p.on_path[variations[k].body]) continue;
    const Vec6<double> eta = frame_displacement(tree, poses, T_WF, variations[k]);
    const Vec6<double> change =
        p.options.position_only ? Vec6<double>{{}, T_WF.R * eta.linear} : slope * eta;
    for (int i = 0; i < p.rows(); ++i) l.J(row + i, k) = weighted(change, i);
  }
}

Linearization linearize(const Problem& p, const std::vector<double>& pi, bool with_slopes) {
  const Tree tree = apply(p.tree, p.variations, pi);
  const std::vector<GeometricVariation> variations = variations_at(p.tree, p.variations, pi);
  const int rows = static_cast<int>(p.measurements.size()) * p.rows();
  Linearization l{std::vector<double>(rows),
                  zero_matrix(with_slopes ? rows : 0, static_cast<int>(pi.size()))};
  Poses<double> poses_there(tree);
  for (int k = 0; k < std::ssize(p.measurements); ++k) {
    poses<double>(tree, p.measurements[k].q, poses_there);
    add_rows(p, tree, variations, poses_there, p.measurements[k], k * p.rows(), l);
  }
  return l;
}

/// J = U diag(sigma) V^T and U^T r, with those singular values that count.
struct Decomposition {
  std::vector<double> sigma, along;
  DenseMatrix<double> V;  ///< vector k is row k
  int rank = 0;

  /// The damped step in the combinations that have an effect.
  std::vector<double> step(double damping) const {
    const double d = damping * sigma[0] * sigma[0];
    std::vector<double> result(V.columns, 0.0);
    for (int k = 0; k < rank; ++k)
      add(result, sigma[k] * along[k] / (sigma[k] * sigma[k] + d), V.row(k));
    return result;
  }
  /// The part of pi that has no effect.
  std::vector<double> without_effect(const std::vector<double>& pi) const {
    std::vector<double> result(V.columns, 0.0);
    for (int k = rank; k < V.rows; ++k) add(result, dot(V.row(k), pi), V.row(k));
    return result;
  }
};

Decomposition decompose(const Linearization& l, double rank_tolerance) {
  auto [sigma, U, V] = singular_decomposition(l.J, Vectors::thin, Vectors::full);
  Decomposition d{std::move(sigma), U * l.r, std::move(V)};
  while (d.rank < std::ssize(d.sigma) && d.sigma[d.rank] > rank_tolerance * d.sigma[0]) ++d.rank;
  return d;
}

/// What rounding leaves of the squares of residuals that are zero.
double rounding_floor(const Problem& p, const Linearization& l) {
  const double each =
      64 * epsilon<double> * std::max(p.options.rotation_weight, p.options.translation_weight);
  return static_cast<double>(l.r.size()) * each * each;
}

/// Damped Gauss-Newton steps until they are small; fills iterations and converged.
std::vector<double> fit(const Problem& p, CalibrationResult& result) {
  std::vector<double> pi(p.variations.size(), 0.0);
  double damping = 0;
  while (result.iterations < p.options.iterations && !result.converged) {
    const Linearization l = linearize(p, pi, true);
    const Decomposition d = decompose(l, p.options.rank_tolerance);
    ++result.iterations;
    const double small = p.options.tolerance * (1 + norm(pi));
    if (d.rank == 0 || norm(d.step(0)) <= small || l.cost() <= rounding_floor(p, l)) {
      if (d.rank > 0) add(pi, 1, d.step(0));
      result.converged = true;
      break;
    }
    bool better = false;
    for (int attempt = 0; attempt < 12 && !better; ++attempt) {
      std::vector<double> trial = pi;
      add(trial, 1, d.step(damping));
      better = linearize(p, trial, false).cost() < l.cost();
      if (better) pi = trial;
      damping = better ? (damping < 1e-6 ? 0 : damping / 10) : std::max(1e-4, 10 * damping);
    }
    // No step is better: the squares are least as far as rounding shows.
    if (!better) {
      const std::span<const double> effective = std::span(d.along).first(d.rank);
      result.converged = dot(effective, effective) <= 1e-12 * l.cost();
      break;
    }
  }
  return pi;
}

/// Goes on to the shortest of the parameters that fit as well.
std::vector<double> shorten(const Problem& p, const std::vector<double>& fitted) {
  std::vector<double> pi = fitted;
  for (int k = 0; k < 20; ++k) {
    const Decomposition d = decompose(linearize(p, pi, true), p.options.rank_tolerance);
    if (d.rank == std::ssize(pi)) return fitted;
    std::vector<double> step = d.step(0);
    add(step, -1, d.without_effect(pi));
    add(pi, 1, step);
    if (norm(step) <= p.options.tolerance * (1 + norm(pi))) break;
  }
  const Linearization before = linearize(p, fitted, false), after = linearize(p, pi, false);
  return after.cost() <= (1 + 1e-9) * before.cost() + rounding_floor(p, before) ? pi : fitted;
}

void describe(const Problem& p, const std::vector<double>& pi, CalibrationResult& result) {
  const Linearization l = linearize(p, pi, true);
  const Decomposition d = decompose(l, p.options.rank_tolerance);
  const int n = static_cast<int>(pi.size()), r = d.rank;
  result.parameters = pi;
  result.rank = r;
  result.condition = r > 0 ? d.sigma[0] / d.sigma[r - 1] : 1;
  for (int k = r; k < n; ++k) result.null_space.emplace_back(d.V.row(k).begin(), d.V.row(k).end());

  const int rows = static_cast<int>(l.r.size()), spare = rows - r;
  const double variance = spare > 0 ? l.cost() / spare : 0;
  for (int i = 0; i < n; ++i) {
    double squares = 0, ambiguity = 0;
    for (int k = 0; k < r; ++k) squares += std::pow(d.V(k, i) / d.sigma[k], 2);
    for (int k = r; k < n; ++k) ambiguity += std::pow(d.V(k, i), 2);
    result.ambiguities.push_back(std::sqrt(ambiguity));
    const bool free = result.ambiguities.back() > .01;
    if (free) result.not_identifiable.push_back(i);
    result.standard_deviations.push_back(free ? std::numeric_limits<double>::infinity()
                                              : std::sqrt(variance * squares));
  }
  double rotation = 0, translation = 0;
  for (int i = 0; i < rows; ++i)
    (i % p.rows() < p.rows() - 3 ? rotation : translation) += l.r[i] * l.r[i];
  const auto count = static_cast<double>(p.measurements.size());
  result.rotation_residual = std::sqrt(rotation / count) / p.options.rotation_weight;
  result.translation_residual = std::sqrt(translation / count) / p.options.translation_weight;
}

}  // namespace

CalibrationResult calibrate(const Tree& tree, const FrameName& frame,
                            std::span<const GeometricVariation> variations,
                            std::span<const PoseMeasurement> measurements,
                            const CalibrationOptions& options) {
  Problem p{tree,    detail::measured_frame(tree, frame),    variations, measurements,
            options, std::vector<char>(tree.links.size(), 0)};
  check(tree, variations, measurements, options);
  for (const int i : detail::path_to(tree, p.frame.body)) p.on_path[i] = 1;
  CalibrationResult result;
  const std::vector<double> fitted = fit(p, result);
  describe(p, shorten(p, fitted), result);
  return result;
}

}  // namespace axode
