#include "axode/flexible/tree/modal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "axode/core/error.hpp"
#include "axode/core/finite.hpp"
#include "axode/flexible/tree/tangent.hpp"
#include "axode/linalg/cholesky.hpp"
#include "axode/linalg/dense_solve.hpp"
#include "axode/linalg/eigenvalues.hpp"

namespace axode {
namespace {

using Matrix = DenseMatrix<double>;
using Vector = std::vector<double>;

Matrix square(const FlexibleTree& tree, const std::vector<double>& a) {
  return {tree.size, tree.size, a};
}
/// a += b.
void add(std::span<double> a, std::span<const double> b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
}
/// The rows and columns from `first` on.
Matrix corner(const Matrix& A, int first) {
  Matrix result = zero_matrix(A.rows - first, A.columns - first);
  for (int i = 0; i < result.rows; ++i)
    std::ranges::copy(A.row(first + i).subspan(first), result.row(i).begin());
  return result;
}
void check_sizes(const FlexibleTree& tree, std::span<const double> a, const char* what) {
  if (std::ssize(a) == tree.size) return;
  throw Error(fmt::format("{} numbers of {} for {} coordinates", a.size(), what, tree.size),
              tree.name, "give one for each coordinate, joints first");
}
/// The gains as a diagonal of all coordinates; none: zero.
Vector gains(const FlexibleTree& tree, const std::vector<double>& given, const char* what) {
  Vector all(tree.size, 0.0);
  if (given.empty()) return all;
  if (std::ssize(given) != tree.joints)
    throw Error(fmt::format("{} gains {} for {} joints", given.size(), what, tree.joints),
                tree.name, "give one for each joint");
  std::ranges::copy(given, all.begin());
  return all;
}
/// K and the derivative of gravity's forces, at rest.
Matrix stiffness_at(TangentEquations& equations, std::span<const double> q, bool gravity) {
  const FlexibleTree& tree = equations.tree();
  Matrix K = square(tree, tree.stiffness);
  for (int k = 0; gravity && k < tree.size; ++k) {
    const FlexibleTangent& by_q = equations(q, {}, {k, false}, Effect::gravity);
    for (int i = 0; i < tree.size; ++i) K(i, k) += by_q.forces_rate[i];
  }
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
  const Matrix stiffness = square(tree, tree.stiffness);
  Vector force;
  const auto evaluate_force = [&] {
    force = stiffness * result.q;
    add(force, equations(result.q, {}, {}, Effect::gravity).forces);
  };
  evaluate_force();
  result.converged = modes == 0;
  double before = INFINITY;
  while (!result.converged && result.iterations++ < most) {
    const Matrix K = stiffness_at(equations, result.q, true);
    const Vector step =
        solve_linear(corner(K, joints), std::span<const double>(force).subspan(joints));
    if (!all_finite(step)) break;
    const std::span<double> bent = std::span(result.q).subspan(joints);
    for (int k = 0; k < modes; ++k) bent[k] -= step[k];
    evaluate_force();
    // quadratic convergence: steps of rounding size no longer fall
    const double size = max_abs(step), scale = max_abs(bent);
    result.converged =
        size <= 1e-15 * scale || (size <= 1e-11 * scale && size >= before / 4) || size == 0;
    before = size;
  }
  result.joint_forces.assign(force.begin(), force.begin() + joints);
  return result;
}

namespace {

/// The static deflection and the forces that hold the joints there.
bool settle(const FlexibleTree& tree, FlexibleModel model, FlexibleLinearization& l) {
  StaticDeflection rest = static_deflection(tree, l.q, model);
  if (!rest.converged) {
    l.message = "no static deflection was found";
    l.remedy = "give q with its deflection, and the forces tau";
    return false;
  }
  l.q = std::move(rest.q);
  std::ranges::copy(rest.joint_forces, l.tau.begin());
  return true;
}

/// v' = M^-1 (tau - forces - K q - D v), and the Cholesky factor of M; false: not positive definite.
bool accelerations_at(TangentEquations& equations, FlexibleLinearization& l, Vector& factor) {
  const FlexibleTree& tree = equations.tree();
  const FlexibleTangent& here = equations(l.q, l.v, {}, Effect::all);
  l.M = square(tree, here.mass);
  l.a = l.tau;
  const Vector bending = square(tree, tree.stiffness) * l.q,
               friction = square(tree, tree.damping) * l.v;
  for (int i = 0; i < tree.size; ++i) l.a[i] -= here.forces[i] + bending[i] + friction[i];
  factor = here.mass;
  if (!cholesky(factor, tree.size).ok()) return false;
  cholesky_solve(factor, tree.size, l.a);
  return all_finite(l.a);
}

/// K = d(M a + forces)/dq and D = d(forces)/dv, with those of the material and of the servos.
void slopes_at(TangentEquations& equations, const FlexibleLinearizeOptions& options,
               FlexibleLinearization& l) {
  const FlexibleTree& tree = equations.tree();
  const Vector kp = gains(tree, options.kp, "kp"), kd = gains(tree, options.kd, "kd");
  l.K = square(tree, tree.stiffness);
  l.D = square(tree, tree.damping);
  for (int k = 0; k < tree.size; ++k) {
    const FlexibleTangent& by_q = equations(l.q, l.v, {k, false}, Effect::all);
    const Vector inertial = square(tree, by_q.mass_rate) * l.a;
    for (int i = 0; i < tree.size; ++i) l.K(i, k) += inertial[i] + by_q.forces_rate[i];
    l.K(k, k) += kp[k];
    const FlexibleTangent& by_v = equations(l.q, l.v, {k, true}, Effect::all);
    for (int i = 0; i < tree.size; ++i) l.D(i, k) += by_v.forces_rate[i];
    l.D(k, k) += kd[k];
  }
}

/// A = [0, 1; -M^-1 K, -M^-1 D], B = [0; M^-1].
void state_equations(const Vector& factor, FlexibleLinearization& l) {
  const int n = l.M.rows;
  l.A = zero_matrix(2 * n, 2 * n);
  l.B = zero_matrix(2 * n, n);
  Vector column(n);
  const auto set_column = [&](DenseMatrix<double>& target, int k, double sign) {
    cholesky_solve(factor, n, column);
    for (int i = 0; i < n; ++i) target(n + i, k) = sign * column[i];
  };
  for (int k = 0; k < n; ++k) {
    l.A(k, n + k) = 1;
    for (int i = 0; i < n; ++i) column[i] = l.K(i, k);
    set_column(l.A, k, -1);
    for (int i = 0; i < n; ++i) column[i] = l.D(i, k);
    set_column(l.A, n + k, -1);
    std::ranges::fill(column, 0.0);
    column[k] = 1;
    set_column(l.B, k, 1);
  }
}

}  // namespace

FlexibleLinearization linearize(const FlexibleTree& tree, std::span<const double> q,
                                std::span<const double> v,
                                const FlexibleLinearizeOptions& options) {
  check_sizes(tree, q, "q");
  check_sizes(tree, v, "v");
  FlexibleLinearization l{.q = {q.begin(), q.end()}, .v = {v.begin(), v.end()}, .tau = options.tau};
  if (options.tau.empty()) {
    l.tau.assign(tree.size, 0);
    const bool still = std::ranges::all_of(v, [](double x) { return x == 0; });
    if (still && !settle(tree, options.dynamics.model, l)) return l;
  }
  check_sizes(tree, l.tau, "tau");
  TangentEquations equations(tree, options.dynamics.model, options.dynamics.exact_coordinates);
  Vector factor;
  if (accelerations_at(equations, l, factor)) {
    slopes_at(equations, options, l);
    state_equations(factor, l);
    l.solved = all_finite(l.A.values) && all_finite(l.B.values);
  }
  if (!l.solved) {
    l.message = "the mass matrix is not positive definite here, or a number is not finite";
    l.remedy = "choose smaller deflections, or the nonlinear equations";
  }
  return l;
}

namespace {

/// M x'' + D x' + K x = 0 in the coordinates that move.
struct Oscillations {
  std::vector<int> moving;
  Matrix M, D, K;
  SymmetricModes bound;  ///< of M and the symmetric part of K
  double fastest = 0;    ///< bound of the frequencies, for what counts as zero
};
constexpr double rounding = 1e-7;  // frequencies come from squares: half of the digits

/// Entries of a vector of moving coordinates put to their places, the largest made 1.
FlexibleMode mode_of(const Oscillations& o, int size, std::span<const std::complex<double>> x,
                     std::complex<double> eigenvalue) {
  FlexibleMode mode;
  mode.eigenvalue = eigenvalue;
  mode.frequency = std::abs(eigenvalue);
  mode.damping_ratio = mode.frequency > 0 ? -eigenvalue.real() / mode.frequency : 0;
  mode.shape.assign(size, 0);
  mode.quadrature.assign(size, 0);
  const std::complex<double> largest =
      *std::ranges::max_element(x, {}, [](const auto& a) { return std::abs(a); });
  double out_of_phase = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::complex<double> value = x[i] / largest;
    const int place = o.moving[i];
    mode.shape[place] = value.real();
    mode.quadrature[place] = value.imag();
    out_of_phase = std::max(out_of_phase, std::abs(value.imag()));
  }
  if (out_of_phase < 1e-12) mode.quadrature.clear();
  return mode;
}

/// Modes of the symmetric problem without damping; `only_zero`: those of rigid bodies.
void undamped_modes(const Oscillations& o, int size, bool only_zero,
                    std::vector<FlexibleMode>& modes) {
  const int n = o.M.rows;
  for (int k = 0; k < n; ++k) {
    const double square = o.bound.values[k], size_of = std::sqrt(std::abs(square));
    const bool zero = size_of <= rounding * o.fastest;
    if (only_zero && !zero) continue;
    const std::complex<double> eigenvalue = zero         ? 0.0
                                            : square > 0 ? std::complex<double>(0, size_of)
                                                         : size_of;
    const std::span<const double> x = o.bound.vectors.row(k);
    modes.push_back(
        mode_of(o, size, std::vector<std::complex<double>>(x.begin(), x.end()), eigenvalue));
  }
}

/// Modes of the first-order form [0 s; -K/s, -D] in the coordinates y of the symmetric problem,
/// x = X y with X^T M X = 1.
bool damped_modes(const Oscillations& o, int size, std::vector<FlexibleMode>& modes) {
  const int n = o.M.rows;
  const Matrix &X_transposed = o.bound.vectors, X = transpose(X_transposed);
  const Matrix K = X_transposed * (o.K * X), D = X_transposed * (o.D * X);
  const double s = o.fastest > 0 ? o.fastest : 1;
  Matrix A = zero_matrix(2 * n, 2 * n);
  for (int i = 0; i < n; ++i) {
    A(i, n + i) = s;
    for (int j = 0; j < n; ++j) {
      A(n + i, j) = -K(i, j) / s;
      A(n + i, n + j) = -D(i, j);
    }
  }
  const GeneralModes found = general_modes(A);
  for (int k = 0; k < std::ssize(found.values); ++k) {
    const std::complex<double> value = found.values[k];
    if (value.imag() < 0 || std::abs(value) <= rounding * o.fastest) continue;
    std::vector<std::complex<double>> x(n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) x[i] += X(i, j) * found.vectors(k, j);
    modes.push_back(mode_of(o, size, x, value));
  }
  return found.solved;
}

Oscillations oscillations(TangentEquations& equations, std::span<const double> q,
                          const FlexibleModesOptions& options) {
  using Joints = FlexibleModesOptions::Joints;
  const FlexibleTree& tree = equations.tree();
  Matrix K = stiffness_at(equations, q, options.gravity);
  Matrix D = options.damping ? square(tree, tree.damping) : zero_matrix(tree.size, tree.size);
  if (options.joints == Joints::servo) {
    const Vector kp = gains(tree, options.kp, "kp"), kd = gains(tree, options.kd, "kd");
    for (int i = 0; i < tree.size; ++i) {
      K(i, i) += kp[i];
      D(i, i) += kd[i];
    }
  }
  const Matrix M = square(tree, equations(q, {}, {}, Effect::gravity).mass);
  const int first = options.joints == Joints::locked ? tree.joints : 0;
  Oscillations o;
  for (int i = first; i < tree.size; ++i) o.moving.push_back(i);
  o.M = corner(M, first);
  o.K = corner(K, first);
  o.D = corner(D, first);
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
  Matrix symmetric_K = o.K + transpose(o.K);
  for (double& k : symmetric_K.values) k /= 2;
  o.bound = symmetric_modes(symmetric_K, o.M);
  if (!o.bound.solved) {
    result.message = "the mass matrix is not positive definite, or a number is not finite";
    return result;
  }
  const std::vector<double>& squares = o.bound.values;
  o.fastest = std::sqrt(std::max(std::abs(squares.front()), std::abs(squares.back())));
  const bool symmetric = options.model == FlexibleModel::nonlinear && max_abs(o.D.values) == 0;
  undamped_modes(o, tree.size, !symmetric, result.modes);
  result.solved = symmetric || damped_modes(o, tree.size, result.modes);
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
