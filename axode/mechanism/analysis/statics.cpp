#include "axode/mechanism/analysis/statics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "axode/core/error.hpp"
#include "axode/core/finite.hpp"
#include "axode/lie/rotation.hpp"
#include "axode/linalg/dense.hpp"
#include "axode/linalg/eigenvalues.hpp"
#include "axode/linalg/rank.hpp"
#include "axode/mechanism/analysis/position.hpp"

namespace axode {
namespace {

using Matrix = DenseMatrix<double>;
using Vector = std::vector<double>;

/// Symmetric, smallest value first; NaN if A is not finite.
SymmetricModes eigenpairs(const Matrix& A) {
  SymmetricModes result = symmetric_modes(A);
  if (result.solved) return result;
  const double none = std::numeric_limits<double>::quiet_NaN();
  return {false, Vector(A.rows, none), {A.rows, A.rows, Vector(A.values.size(), none)}};
}
Matrix symmetric_part(const Matrix& A) {
  Matrix result = A + transpose(A);
  for (double& a : result.values) a /= 2;
  return result;
}

/// Forces and stiffness along the degrees of freedom of a configuration.
struct FreeDirections {
  Matrix R;      ///< orthonormal rows
  Vector Q;      ///< all forces
  Vector force;  ///< R Q
  Matrix H;      ///< stiffness along R
  std::vector<double> lambda;
  double scale = 0;  ///< of the forces that balance
};

/// The largest single force: where nothing is constrained their sum vanishes in equilibrium, and is
/// no measure of them.
double largest_force(MechanismSystem& system, double t, std::span<const double> q) {
  const Mechanism& m = system.mechanism();
  std::vector<SE3<double>> poses(m.bodies.size());
  system.poses(q, poses);
  double largest = 0;
  for (std::size_t b = 1; b < m.bodies.size(); ++b)
    largest = std::max(largest, m.bodies[b].inertia.mass * norm(m.gravity));
  for (const PointSpring& s : m.springs) {
    const double l = norm(poses[s.body[1]] * s.point[1] - poses[s.body[0]] * s.point[0]);
    largest = std::max(largest, std::abs(s.stiffness * (l - s.length)));
    if (s.force) largest = std::max(largest, std::abs(s.force(t)));
  }
  for (const BodyLoad& load : m.loads) {
    Vec6<double> sum{load.torque, load.force};
    if (load.varying) sum = sum + load.varying(t);
    largest = std::max(largest, max_abs(sum));
  }
  for (const CoordinateForce& f : m.coordinate_forces)
    if (f.force) largest = std::max(largest, std::abs(f.force(t)));
  return largest;
}

FreeDirections dofs_at(MechanismSystem& system, double t, std::span<const double> q) {
  FreeDirections f;
  const int n = system.equations().velocities();
  if (n > 1000)
    throw LimitError(std::to_string(n) + " coordinates", "equilibrium",
                     "equilibria are found for up to 1000");
  SparseRows J;
  system.jacobian(t, q, J);
  const Vector zero(n, 0.0);
  f.Q.resize(n);
  system.forces(t, q, zero, f.Q);
  f.lambda.resize(J.rows);
  LeastNorm solver;
  solver.factor(J);
  solver.solve_transposed(f.Q, f.lambda);
  SparseRows motions;
  system.motion_jacobian(t, q, motions);
  const auto basis = null_space(motions);
  f.R = zero_matrix(static_cast<int>(basis.size()), n);
  for (int k = 0; k < f.R.rows; ++k) std::ranges::copy(basis[k], f.R.row(k).begin());
  f.force = f.R * f.Q;
  f.scale = std::max(max_abs(f.Q), largest_force(system, t, q));
  SparseAssembly tangent;
  tangent.begin(n + J.rows);
  const ConstrainedPoint point{.t = t, .q = q, .v = zero, .a = zero, .lambda = f.lambda};
  system.tangent(point, TangentScale{.stiffness = 1}, tangent);
  tangent.end();
  Matrix K = zero_matrix(n, n);
  const SparseMatrix& T = tangent.matrix;
  for (int j = 0; j < n; ++j)
    for (int k = T.start[j]; k < T.start[j + 1]; ++k)
      if (T.row[k] < n) K(T.row[k], j) = T.value[k];
  f.H = symmetric_part(f.R * (K * transpose(f.R)));
  return f;
}

/// The step along degrees of freedom: Newton, or down the potential with stiffness made positive.
Vector wanted_step(const FreeDirections& f, bool down) {
  const SymmetricModes e = eigenpairs(f.H);
  const Matrix& X = e.vectors;
  Vector z = X * f.force;
  const double largest = max_abs(e.values);
  // Nothing stiff at all: forces alone set a bound, and steps are finite.
  const double least = std::max({1e-9 * largest, 1e-12 * f.scale, 1e-290});
  for (std::size_t k = 0; k < z.size(); ++k) {
    double h = e.values[k];
    if (down) {
      // On top of a hill there is no force: a little push.
      if (h < -least && std::abs(z[k]) < 1e-6 * largest) z[k] = 1e-2 * largest;
      h = std::abs(h);
    }
    z[k] /= std::abs(h) < least ? std::copysign(least, h) : h;
  }
  return transpose(f.R) * (transpose(X) * z);
}

struct Walk {
  MechanismSystem& system;
  double t;
  bool down;
  std::vector<double> trial{}, moved{};

  /// Moves q; returns false if no step helps.
  bool step(std::vector<double>& q, const FreeDirections& f, double size) {
    Vector dq = wanted_step(f, down);
    if (!all_finite(dq)) return false;
    const std::vector<SO3<double>> seats = system.seats();
    const double longest = max_abs(dq);
    if (longest > 0.3 * size)
      for (double& x : dq) x *= 0.3 * size / longest;
    trial.resize(q.size());
    moved.resize(dq.size());
    const PositionOptions close{.refuse_mirror = false, .count_rank = false};
    for (double factor = 1; factor > 1e-6; factor /= 2) {
      for (std::size_t k = 0; k < moved.size(); ++k) moved[k] = factor * dq[k];
      plus(system.configuration(), q, moved, trial);
      system.seat(seats);  // a trial before may have changed them
      if (!solve_position(system, t, trial, close).converged) continue;
      if (has_moved(seats)) {
        // q is written in the new seats; the step is made from there.
        q = reseated(q, seats);
        return true;
      }
      const FreeDirections there = dofs_at(system, t, trial);
      const double before = norm(f.force), after = norm(there.force);
      bool accept = after < 0.9 * before;
      if (down) {
        difference(system.configuration(), q, trial, moved);
        // Work of all forces on the way, by the mean of both ends.
        const double work = (dot(f.Q, moved) + dot(there.Q, moved)) / 2;
        const double expected = factor * dot(f.Q, dq);
        const bool is_convex = eigenpairs(f.H).values.front() > 0;
        accept = (is_convex && after < 0.5 * before) || work > 1e-4 * std::max(expected, 0.0);
      }
      if (accept) {
        q = trial;
        return true;
      }
    }
    system.seat(seats);
    return false;
  }
  bool has_moved(std::span<const SO3<double>> seats) const {
    const std::vector<SO3<double>> now = system.seats();
    for (std::size_t b = 0; b < now.size(); ++b)
      if (max_abs(now[b].matrix - seats[b].matrix) > 0) return true;
    return false;
  }
  /// q, which refers to `seats`, in those of the system.
  std::vector<double> reseated(std::vector<double> q, std::span<const SO3<double>> seats) {
    const std::vector<SO3<double>> now = system.seats();
    std::vector<SE3<double>> poses(system.mechanism().bodies.size());
    system.seat(seats);
    system.poses(q, poses);
    system.seat(now);
    for (std::size_t b = 0; b < now.size(); ++b) {
      const BodyCoordinates& body = system.equations().bodies[b];
      if (body.kind != BodyCoordinates::Kind::euler_angles) continue;
      const Vec3<double> angles = to_euler_angles(poses[b].R * now[b], {2, 0, 2}).angles;
      for (int k = 0; k < 3; ++k) q[body.x + 3 + k] = angles[k];
    }
    return q;
  }
};

void set_forces(const FreeDirections& f, EquilibriumResult& result) {
  result.dofs = f.R.rows;
  result.lambda = f.lambda;
  result.residual = max_abs(f.force);
}

}  // namespace

void small_oscillations(MechanismSystem& system, double t, EquilibriumResult& result) {
  const FreeDirections f = dofs_at(system, t, result.q);
  set_forces(f, result);
  result.stiffness.clear();
  result.frequencies.clear();
  result.stable = true;
  if (f.R.rows == 0) return;
  const std::vector<double> values = eigenpairs(f.H).values;
  result.stiffness = values;
  result.stable = values[0] > 1e-9 * max_abs(values);
  SparseRows M;
  system.mass(result.q, M);
  Matrix RM = zero_matrix(f.R.rows, f.R.columns);
  for (int k = 0; k < f.R.rows; ++k) M.multiply(f.R.row(k), RM.row(k));
  const Matrix mass = symmetric_part(RM * transpose(f.R));
  const SymmetricModes modes = symmetric_modes(f.H, mass);
  if (!modes.solved) {
    result.message += " no frequencies: a degree of freedom moves no mass";
    return;
  }
  for (const double square : modes.values)
    result.frequencies.push_back(std::copysign(std::sqrt(std::abs(square)), square));
}

EquilibriumResult equilibrium(MechanismSystem& system, double t, std::span<const double> q,
                              const EquilibriumOptions& options) {
  EquilibriumResult result;
  result.q.assign(q.begin(), q.end());
  const PositionResult closed = solve_position(system, t, result.q);
  if (!closed.converged) {
    result.message = closed.message;
    return result;
  }
  const bool down = options.kind == EquilibriumOptions::Kind::stable;
  Walk walk{.system = system, .t = t, .down = down};
  const double size = std::max(model_size(system.mechanism()), 1.0);
  for (;; ++result.iterations) {
    const FreeDirections f = dofs_at(system, t, result.q);
    set_forces(f, result);
    result.converged = f.R.rows == 0 || result.residual <= options.tolerance * f.scale;
    const bool is_hill = down && result.converged && f.R.rows > 0 &&
                         eigenpairs(f.H).values[0] < -1e-9 * max_abs(f.H.values);
    if (is_hill) result.converged = false;
    if (result.converged || result.iterations >= options.iterations) break;
    if (walk.step(result.q, f, size)) continue;
    result.converged = !is_hill && result.residual <= 1e3 * options.tolerance * f.scale;
    break;
  }
  result.potential = system.potential_energy(t, result.q);
  small_oscillations(system, t, result);
  if (!result.converged)
    result.message = "no equilibrium found: " + std::to_string(result.residual) +
                     " N or N m are left after " + std::to_string(result.iterations) +
                     " iterations" + result.message;
  return result;
}

}  // namespace axode
