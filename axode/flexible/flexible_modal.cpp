#include "axode/flexible/flexible_modal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "axode/error.hpp"
#include "axode/flexible/flexible_tangent.hpp"
#include "axode/lie/eigen.hpp"
#include "axode/lie/eigen_solvers.hpp"

namespace axode {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

Eigen::Map<const Rows> square(const FlexibleTree& tree, const std::vector<double>& a) {
  return {a.data(), tree.size, tree.size};
}
Eigen::Map<const Vector> vector(std::span<const double> a) {
  return {a.data(), static_cast<Eigen::Index>(a.size())};
}
void check_sizes(const FlexibleTree& tree, std::span<const double> a, const char* what) {
  if (std::ssize(a) == tree.size) return;
  throw Error(fmt::format("{} numbers of {} for {} coordinates", a.size(), what, tree.size),
              tree.name, "give one for each coordinate, joints first");
}
/// The gains as a diagonal of all coordinates; none: zero.
Vector gains(const FlexibleTree& tree, const std::vector<double>& given, const char* what) {
  Vector all = Vector::Zero(tree.size);
  if (given.empty()) return all;
  if (std::ssize(given) != tree.joints)
    throw Error(fmt::format("{} gains {} for {} joints", given.size(), what, tree.joints),
                tree.name, "give one for each joint");
  all.head(tree.joints) = vector(given);
  return all;
}
/// K and the derivative of gravity's forces, at rest.
Rows stiffness_at(TangentEquations& equations, std::span<const double> q, bool gravity) {
  const FlexibleTree& tree = equations.tree();
  Rows K = square(tree, tree.stiffness);
  for (int k = 0; gravity && k < tree.size; ++k)
    K.col(k) += vector(equations(q, {}, {k, false}, Effect::gravity).forces_rate);
  return K;
}

}  // namespace

StaticDeflection static_deflection(const FlexibleTree& tree, std::span<const double> q,
                                   FlexibleModel model) {
  check_sizes(tree, q, "q");
  StaticDeflection result;
  result.q.assign(q.begin(), q.end());
  TangentEquations equations(tree, model);
  const int n = tree.size, joints = tree.joints, modes = n - joints;
  constexpr int most = 50;
  Vector force(n);
  const auto evaluate_force = [&] {
    force = vector(equations(result.q, {}, {}, Effect::gravity).forces);
    force += square(tree, tree.stiffness) * vector(result.q);
  };
  evaluate_force();
  result.converged = modes == 0;
  double before = INFINITY;
  while (!result.converged && result.iterations++ < most) {
    const Rows K = stiffness_at(equations, result.q, true);
    const Vector step =
        Rows(K.bottomRightCorner(modes, modes)).partialPivLu().solve(force.tail(modes));
    if (!step.allFinite()) break;
    Eigen::Map<Vector>(result.q.data(), n).tail(modes) -= step;
    evaluate_force();
    // quadratic convergence: steps of rounding size no longer fall
    const double size = step.cwiseAbs().maxCoeff();
    const double scale = vector(result.q).tail(modes).cwiseAbs().maxCoeff();
    result.converged =
        size <= 1e-15 * scale || (size <= 1e-11 * scale && size >= before / 4) || size == 0;
    before = size;
  }
  result.joint_forces.assign(force.data(), force.data() + joints);
  return result;
}

FlexibleStateSpace flexible_state_space(const FlexibleTree& tree, std::span<const double> q,
                                        std::span<const double> u, std::span<const double> tau,
                                        const FlexibleStateOptions& options) {
  check_sizes(tree, q, "q");
  check_sizes(tree, u, "u");
  check_sizes(tree, tau, "tau");
  const Vector kp = gains(tree, options.kp, "kp"), kd = gains(tree, options.kd, "kd");
  const Eigen::Index n = tree.size;
  FlexibleStateSpace result;
  result.size = tree.size;
  TangentEquations equations(tree, options.dynamics.model, options.dynamics.exact_coordinates);
  const auto K = square(tree, tree.stiffness), D = square(tree, tree.damping);
  const FlexibleTangent& here = equations(q, u, {}, Effect::all);
  const Eigen::LLT<Eigen::MatrixXd> factor(square(tree, here.mass));
  const Vector rates =
      factor.solve(vector(tau) - vector(here.forces) - K * vector(q) - D * vector(u));
  if (factor.info() != Eigen::Success || !rates.allFinite()) return result;
  Rows A = Rows::Zero(2 * n, 2 * n), B = Rows::Zero(2 * n, n);
  A.topRightCorner(n, n).setIdentity();
  for (int k = 0; k < tree.size; ++k) {
    const FlexibleTangent& by_q = equations(q, u, {k, false}, Effect::all);
    Vector force = vector(by_q.forces_rate) + square(tree, by_q.mass_rate) * rates + K.col(k);
    force[k] += kp[k];
    A.col(k).tail(n) = -factor.solve(force);
    force = vector(equations(q, u, {k, true}, Effect::all).forces_rate) + D.col(k);
    force[k] += kd[k];
    A.col(n + k).tail(n) = -factor.solve(force);
  }
  B.bottomRows(n) = factor.solve(Eigen::MatrixXd::Identity(n, n));
  result.solved = A.allFinite() && B.allFinite();
  result.A.assign(A.data(), A.data() + A.size());
  result.B.assign(B.data(), B.data() + B.size());
  result.rates.assign(rates.data(), rates.data() + n);
  return result;
}

std::vector<std::complex<double>> spectrum(const FlexibleStateSpace& system) {
  std::vector<std::complex<double>> values = general_modes(system.A, 2 * system.size).values;
  std::ranges::stable_sort(values, {}, [](const auto& w) { return std::abs(w); });
  return values;
}

namespace {

/// M x'' + D x' + K x = 0 in the coordinates that move, with the factor of M.
struct Oscillations {
  std::vector<int> moving;
  Eigen::MatrixXd M, D, K;
  double fastest = 0;  ///< bound of the frequencies, for what counts as zero
};
constexpr double rounding = 1e-7;  // frequencies come from squares: half of the digits

/// Entries of a vector of moving coordinates put to their places, the largest made 1.
FlexibleMode mode_of(const Oscillations& o, int size, const Eigen::VectorXcd& x,
                     std::complex<double> eigenvalue) {
  FlexibleMode mode;
  mode.eigenvalue = eigenvalue;
  mode.frequency = std::abs(eigenvalue);
  mode.damping_ratio = mode.frequency > 0 ? -eigenvalue.real() / mode.frequency : 0;
  mode.shape.assign(size, 0);
  mode.quadrature.assign(size, 0);
  Eigen::Index largest = 0;
  x.cwiseAbs().maxCoeff(&largest);
  double out_of_phase = 0;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const std::complex<double> value = x[i] / x[largest];
    const std::size_t place = o.moving[static_cast<int>(i)];
    mode.shape[place] = value.real();
    mode.quadrature[place] = value.imag();
    out_of_phase = std::max(out_of_phase, std::abs(value.imag()));
  }
  if (out_of_phase < 1e-12) mode.quadrature.clear();
  return mode;
}

std::vector<double> list_of(const Eigen::MatrixXd& a) { return {a.data(), a.data() + a.size()}; }

/// Modes of the symmetric problem without damping; `only_zero`: those of rigid bodies.
bool undamped_modes(const Oscillations& o, int size, bool only_zero,
                    std::vector<FlexibleMode>& modes) {
  const int n = static_cast<int>(o.M.rows());
  const SymmetricModes found =
      symmetric_modes(list_of((o.K + o.K.transpose()) / 2), list_of(o.M), n);
  for (int k = 0; found.solved && k < n; ++k) {
    const double square = found.values[k], size_of = std::sqrt(std::abs(square));
    const bool zero = size_of <= rounding * o.fastest;
    if (only_zero && !zero) continue;
    const std::complex<double> eigenvalue = zero         ? 0.0
                                            : square > 0 ? std::complex<double>(0, size_of)
                                                         : size_of;
    const Eigen::Map<const Vector> x(&found.vectors[std::size_t(k) * n], n);
    modes.push_back(mode_of(o, size, x.cast<std::complex<double>>(), eigenvalue));
  }
  return found.solved;
}

/// Modes of the first-order form [0 s; -K/s, -D], in coordinates of unit mass.
bool damped_modes(const Oscillations& o, int size, std::vector<FlexibleMode>& modes) {
  const Eigen::Index n = o.M.rows();
  const Eigen::LLT<Eigen::MatrixXd> factor(o.M);
  const auto unit_mass = [&](const Eigen::MatrixXd& a) -> Eigen::MatrixXd {
    const Eigen::MatrixXd half = factor.matrixL().solve(a);
    return factor.matrixL().solve(half.transpose()).transpose();
  };
  const double s = o.fastest > 0 ? o.fastest : 1;
  Rows A = Rows::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).diagonal().setConstant(s);
  A.bottomLeftCorner(n, n) = -unit_mass(o.K) / s;
  A.bottomRightCorner(n, n) = -unit_mass(o.D);
  const GeneralModes found =
      general_modes({A.data(), A.data() + A.size()}, static_cast<int>(2 * n));
  for (std::size_t k = 0; k < found.values.size(); ++k) {
    const std::complex<double> value = found.values[k];
    if (value.imag() < 0 || std::abs(value) <= rounding * o.fastest) continue;
    const Eigen::VectorXcd y =
        Eigen::Map<const Eigen::VectorXcd>(&found.vectors[k * 2 * std::size_t(n)], n);
    Eigen::VectorXcd x(n);
    x.real() = factor.matrixU().solve(Vector(y.real()));
    x.imag() = factor.matrixU().solve(Vector(y.imag()));
    modes.push_back(mode_of(o, size, x, value));
  }
  return found.solved;
}

Oscillations oscillations(TangentEquations& equations, std::span<const double> q,
                          const FlexibleModesOptions& options) {
  using Joints = FlexibleModesOptions::Joints;
  const FlexibleTree& tree = equations.tree();
  Rows K = stiffness_at(equations, q, options.gravity);
  Rows D = Rows::Zero(tree.size, tree.size);
  if (options.damping) D = square(tree, tree.damping);
  if (options.joints == Joints::servo) {
    K.diagonal() += gains(tree, options.kp, "kp");
    D.diagonal() += gains(tree, options.kd, "kd");
  }
  const Rows M = square(tree, equations(q, {}, {}, Effect::gravity).mass);
  const int first = options.joints == Joints::locked ? tree.joints : 0, n = tree.size - first;
  Oscillations o;
  for (int i = first; i < tree.size; ++i) o.moving.push_back(i);
  o.M = M.bottomRightCorner(n, n);
  o.K = K.bottomRightCorner(n, n);
  o.D = D.bottomRightCorner(n, n);
  return o;
}

}  // namespace

FlexibleModesResult find_flexible_modes(const FlexibleTree& tree, std::span<const double> q,
                                        const FlexibleModesOptions& options) {
  check_sizes(tree, q, "q");
  FlexibleModesResult result;
  result.q.assign(q.begin(), q.end());
  if (options.settle && options.gravity) {
    StaticDeflection rest = static_deflection(tree, q, options.model);
    result.q = std::move(rest.q);
    if (!rest.converged) {
      result.message = "no static deflection was found: gravity is too much for the stiffness";
      return result;
    }
  }
  TangentEquations equations(tree, options.model);
  Oscillations o = oscillations(equations, result.q, options);
  const int n = static_cast<int>(o.moving.size());
  result.solved = n == 0;
  if (n == 0) return result;
  const SymmetricModes bound =
      symmetric_modes(list_of((o.K + o.K.transpose()) / 2), list_of(o.M), n);
  if (!bound.solved) {
    result.message = "the mass matrix is not positive definite, or a number is not finite";
    return result;
  }
  o.fastest = std::sqrt(std::max(std::abs(bound.values.front()), std::abs(bound.values.back())));
  const bool symmetric = options.model == FlexibleModel::nonlinear && o.D.isZero(0);
  result.solved = undamped_modes(o, tree.size, !symmetric, result.modes) &&
                  (symmetric || damped_modes(o, tree.size, result.modes));
  if (!result.solved) result.message = "the eigenvalues did not converge";
  std::ranges::stable_sort(result.modes, {}, &FlexibleMode::frequency);
  return result;
}

std::vector<FlexibleMode> flexible_modes(const FlexibleTree& tree, std::span<const double> q,
                                         const FlexibleModesOptions& options) {
  FlexibleModesResult result = find_flexible_modes(tree, q, options);
  if (!result.solved) throw Error(result.message, tree.name, "choose another pose or model");
  return std::move(result.modes);
}

}  // namespace axode
