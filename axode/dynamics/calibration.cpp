#include "axode/dynamics/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "axode/dynamics/sensitivity.inl"
#include "axode/error.hpp"
#include "axode/lie/eigen.hpp"
#include "axode/lie/rotation.hpp"

namespace axode {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

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

/// The residuals r and how they change, r(pi + d) = r - J d.
struct Linearization {
  VectorXd r;
  MatrixXd J;
  double cost() const { return r.squaredNorm(); }
};

struct Problem {
  const Tree& tree;
  Frame frame;
  std::span<const GeometricVariation> variations;
  std::span<const PoseMeasurement> measurements;
  CalibrationOptions options;
  std::vector<char> on_path;  ///< by body
  Eigen::Index rows() const { return options.position_only ? 3 : 6; }
};

/// d T_WF/dpi = T_WF hat(eta), for bodies on the way to the frame.
Vec6<double> frame_displacement(const Tree& tree, const Poses<double>& poses,
                                const SE3<double>& T_WF, const GeometricVariation& variation) {
  const Vec6<double> U = detail::moved_direction(tree, poses, variation);
  return Ad_inverse(inverse_times(poses.T_WB[variation.body], T_WF), U);
}

/// The rows of one measurement; J is left out if it is null.
void add_rows(const Problem& p, const Tree& tree, std::span<const GeometricVariation> variations,
              const Poses<double>& poses, const PoseMeasurement& m, Eigen::Index row, VectorXd& r,
              MatrixXd* J) {
  const double w_r = p.options.rotation_weight, w_t = p.options.translation_weight;
  const SE3<double> T_WF = poses.T_WB[p.frame.body] * p.frame.T_BF;
  const Vec3<double> off = m.T_WF.p - T_WF.p;
  Vec6<double> error{};
  Mat6<double> slope;  // log(exp(-eta) exp(error)) = error - slope eta
  if (p.options.position_only) {
    r.segment<3>(row) = w_t * view(off);
  } else {
    error = log(inverse_times(T_WF, m.T_WF));
    r.segment<3>(row) = w_r * view(error.angular);
    r.segment<3>(row + 3) = w_t * view(error.linear);
    slope = left_jacobian_inverse(error);
  }
  if (!J) return;
  for (std::size_t k = 0; k < variations.size(); ++k) {
    const auto column = static_cast<Eigen::Index>(k);
    if (!p.on_path[variations[k].body]) {
      J->block(row, column, p.rows(), 1).setZero();
      continue;
    }
    const Vec6<double> eta = frame_displacement(tree, poses, T_WF, variations[k]);
    if (p.options.position_only) {
      const Vec3<double> moved = T_WF.R * eta.linear;
      J->block<3, 1>(row, column) = w_t * view(moved);
    } else {
      const Vec6<double> change = slope * eta;
      J->block<3, 1>(row, column) = w_r * view(change.angular);
      J->block<3, 1>(row + 3, column) = w_t * view(change.linear);
    }
  }
}

Linearization linearize(const Problem& p, const VectorXd& pi, bool with_slopes) {
  const std::span<const double> numbers(pi.data(), pi.size());
  const Tree tree = apply(p.tree, p.variations, numbers);
  const std::vector<GeometricVariation> variations = variations_at(p.tree, p.variations, numbers);
  const auto rows = static_cast<Eigen::Index>(p.measurements.size()) * p.rows();
  Linearization l{VectorXd(rows), MatrixXd(with_slopes ? rows : 0, pi.size())};
  Poses<double> poses_there(tree);
  for (std::size_t k = 0; k < p.measurements.size(); ++k) {
    poses<double>(tree, p.measurements[k].q, poses_there);
    add_rows(p, tree, variations, poses_there, p.measurements[k],
             static_cast<Eigen::Index>(k) * p.rows(), l.r, with_slopes ? &l.J : nullptr);
  }
  return l;
}

/// J = U diag(sigma) V^T and U^T r, with those singular values that count.
struct Decomposition {
  VectorXd sigma, along;
  MatrixXd V;
  Eigen::Index rank = 0;

  /// The damped step in the combinations that have an effect.
  VectorXd step(double damping) const {
    const double d = damping * sigma[0] * sigma[0];
    const VectorXd s = sigma.head(rank);
    return V.leftCols(rank) *
           (s.array() * along.head(rank).array() / (s.array().square() + d)).matrix();
  }
  /// The part of pi that has no effect.
  VectorXd without_effect(const VectorXd& pi) const {
    const auto N = V.rightCols(V.cols() - rank);
    return N * (N.transpose() * pi);
  }
};

Decomposition decompose(const Linearization& l, double rank_tolerance) {
  const Eigen::HouseholderQR<MatrixXd> qr(l.J);
  const Eigen::Index n = std::min(l.J.rows(), l.J.cols());
  const MatrixXd R = qr.matrixQR().topRows(n).triangularView<Eigen::Upper>();
  const VectorXd c = (qr.householderQ().adjoint() * l.r).head(n);
  const Eigen::JacobiSVD<MatrixXd> svd(R, Eigen::ComputeThinU | Eigen::ComputeFullV);
  Decomposition d{svd.singularValues(), svd.matrixU().adjoint() * c, svd.matrixV(), 0};
  while (d.rank < n && d.sigma[d.rank] > rank_tolerance * d.sigma[0]) ++d.rank;
  return d;
}

/// What rounding leaves of the squares of residuals that are zero.
double rounding_floor(const Problem& p, const Linearization& l) {
  const double each =
      64 * epsilon<double> * std::max(p.options.rotation_weight, p.options.translation_weight);
  return static_cast<double>(l.r.size()) * each * each;
}

/// Damped Gauss-Newton steps until they are small; fills iterations and converged.
VectorXd fit(const Problem& p, CalibrationResult& result) {
  VectorXd pi = VectorXd::Zero(static_cast<Eigen::Index>(p.variations.size()));
  double damping = 0;
  while (result.iterations < p.options.iterations && !result.converged) {
    const Linearization l = linearize(p, pi, true);
    const Decomposition d = decompose(l, p.options.rank_tolerance);
    ++result.iterations;
    const double small = p.options.tolerance * (1 + pi.norm());
    if (d.rank == 0 || d.step(0).norm() <= small || l.cost() <= rounding_floor(p, l)) {
      if (d.rank > 0) pi += d.step(0);
      result.converged = true;
      break;
    }
    bool better = false;
    for (int attempt = 0; attempt < 12 && !better; ++attempt) {
      const VectorXd trial = pi + d.step(damping);
      better = linearize(p, trial, false).cost() < l.cost();
      if (better) pi = trial;
      damping = better ? (damping < 1e-6 ? 0 : damping / 10) : std::max(1e-4, 10 * damping);
    }
    // No step is better: the squares are least as far as rounding shows.
    if (!better) {
      result.converged = d.along.head(d.rank).squaredNorm() <= 1e-12 * l.cost();
      break;
    }
  }
  return pi;
}

/// Goes on to the shortest of the parameters that fit as well.
VectorXd shorten(const Problem& p, const VectorXd& fitted) {
  VectorXd pi = fitted;
  for (int k = 0; k < 20; ++k) {
    const Decomposition d = decompose(linearize(p, pi, true), p.options.rank_tolerance);
    if (d.rank == pi.size()) return fitted;
    const VectorXd step = d.step(0) - d.without_effect(pi);
    pi += step;
    if (step.norm() <= p.options.tolerance * (1 + pi.norm())) break;
  }
  const Linearization before = linearize(p, fitted, false), after = linearize(p, pi, false);
  return after.cost() <= (1 + 1e-9) * before.cost() + rounding_floor(p, before) ? pi : fitted;
}

void describe(const Problem& p, const VectorXd& pi, CalibrationResult& result) {
  const Linearization l = linearize(p, pi, true);
  const Decomposition d = decompose(l, p.options.rank_tolerance);
  const Eigen::Index n = pi.size(), r = d.rank;
  result.parameters.assign(pi.data(), pi.data() + n);
  result.rank = static_cast<int>(r);
  result.condition = r > 0 ? d.sigma[0] / d.sigma[r - 1] : 1;
  for (Eigen::Index k = r; k < n; ++k)
    result.null_space.emplace_back(d.V.col(k).data(), d.V.col(k).data() + n);

  const Eigen::Index spare = l.r.size() - r;
  const double variance = spare > 0 ? l.cost() / static_cast<double>(spare) : 0;
  for (Eigen::Index k = 0; k < n; ++k) {
    result.ambiguities.push_back(d.V.row(k).tail(n - r).norm());
    const bool free = result.ambiguities.back() > .01;
    if (free) result.not_identifiable.push_back(static_cast<int>(k));
    const double squares =
        (d.V.row(k).head(r).transpose().array() / d.sigma.head(r).array()).square().sum();
    result.standard_deviations.push_back(free ? std::numeric_limits<double>::infinity()
                                              : std::sqrt(variance * squares));
  }
  double rotation = 0, translation = 0;
  for (Eigen::Index row = 0; row < l.r.size(); row += p.rows()) {
    if (!p.options.position_only) rotation += l.r.segment<3>(row).squaredNorm();
    translation += l.r.segment<3>(row + p.rows() - 3).squaredNorm();
  }
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
  const VectorXd fitted = fit(p, result);
  describe(p, shorten(p, fitted), result);
  return result;
}

}  // namespace axode
