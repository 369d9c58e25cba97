#include "axode/mechanism/statics.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "axode/error.hpp"
#include "axode/lie/eigen.hpp"
#include "axode/lie/rotation.hpp"
#include "axode/mechanism/position.hpp"
#include "axode/mechanism/rank.hpp"

namespace axode {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

struct Eigenpairs {
  Vector values;
  Matrix vectors;
};
/// Symmetric, by Jacobi's rotations, smallest value first.
Eigenpairs eigenpairs(Matrix A) {
  const Eigen::Index n = A.rows();
  Matrix V = Matrix::Identity(n, n);
  for (int sweep = 0; sweep < 60; ++sweep) {
    double off = 0;
    for (Eigen::Index p = 0; p < n; ++p)
      for (Eigen::Index r = p + 1; r < n; ++r) {
        off = std::max(off, std::abs(A(p, r)));
        Eigen::JacobiRotation<double> rotation;
        if (!rotation.makeJacobi(A, p, r)) continue;
        A.applyOnTheLeft(p, r, rotation.adjoint());
        A.applyOnTheRight(p, r, rotation);
        V.applyOnTheRight(p, r, rotation);
      }
    if (off <= 1e-15 * A.cwiseAbs().maxCoeff()) break;
  }
  std::vector<Eigen::Index> order(n);
  for (Eigen::Index k = 0; k < n; ++k) order[k] = k;
  std::ranges::sort(order, {}, [&](Eigen::Index k) { return A(k, k); });
  Eigenpairs result{Vector(n), Matrix(n, n)};
  for (Eigen::Index k = 0; k < n; ++k) {
    result.values[k] = A(order[k], order[k]);
    result.vectors.col(k) = V.col(order[k]);
  }
  return result;
}

/// Forces and stiffness along the freedoms of a configuration.
struct Freedoms {
  Matrix R;      ///< orthonormal
  Vector Q;      ///< all forces
  Vector force;  ///< R^T Q
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

Freedoms freedoms_at(MechanismSystem& system, double t, std::span<const double> q) {
  Freedoms f;
  const int n = system.equations().velocities();
  if (n > 1000)
    throw LimitError(std::to_string(n) + " coordinates", "equilibrium",
                     "equilibria are found for up to 1000");
  SparseRows J;
  system.jacobian(t, q, J);
  std::vector<double> zero(n, 0.0), Q(n);
  system.forces(t, q, zero, Q);
  f.lambda.resize(J.rows);
  LeastNorm solver;
  solver.factor(J);
  solver.solve_transposed(Q, f.lambda);
  const auto basis = null_space(J);
  f.R.resize(n, static_cast<Eigen::Index>(basis.size()));
  for (std::size_t k = 0; k < basis.size(); ++k)
    f.R.col(static_cast<Eigen::Index>(k)) = Eigen::Map<const Vector>(basis[k].data(), n);
  f.Q = Eigen::Map<const Vector>(Q.data(), n);
  f.force = f.R.transpose() * f.Q;
  f.scale = std::max(n > 0 ? f.Q.cwiseAbs().maxCoeff() : 0, largest_force(system, t, q));
  SparseAssembly tangent;
  tangent.begin(n + J.rows);
  const ConstrainedPoint point{.t = t, .q = q, .v = zero, .a = zero, .lambda = f.lambda};
  system.tangent(point, TangentScale{.stiffness = 1}, tangent);
  tangent.end();
  Matrix K = Matrix::Zero(n, n);
  const SparseMatrix& T = tangent.matrix;
  for (int j = 0; j < n; ++j)
    for (int k = T.start[j]; k < T.start[j + 1]; ++k)
      if (T.row[k] < n) K(T.row[k], j) = T.value[k];
  const Matrix H = f.R.transpose() * K * f.R;
  f.H = (H + H.transpose()) / 2;
  return f;
}

/// The step along freedoms: Newton, or down the potential with stiffness made positive.
Vector wanted_step(const Freedoms& f, bool down) {
  const Eigenpairs e = eigenpairs(f.H);
  Vector z = e.vectors.transpose() * f.force;
  const double largest = e.values.cwiseAbs().maxCoeff();
  // Nothing stiff at all: forces alone set a bound, and steps are finite.
  const double least = std::max({1e-9 * largest, 1e-12 * f.scale, 1e-290});
  for (Eigen::Index k = 0; k < z.size(); ++k) {
    double h = e.values[k];
    if (down) {
      // On top of a hill there is no force: a little push.
      if (h < -least && std::abs(z[k]) < 1e-6 * largest) z[k] = 1e-2 * largest;
      h = std::abs(h);
    }
    z[k] /= std::abs(h) < least ? std::copysign(least, h) : h;
  }
  return f.R * (e.vectors * z);
}

struct Walk {
  MechanismSystem& system;
  double t;
  bool down;
  std::vector<double> trial{}, moved{};

  /// Moves q; returns false if no step helps.
  bool step(std::vector<double>& q, const Freedoms& f, double size) {
    Vector dq = wanted_step(f, down);
    if (!dq.allFinite()) return false;
    const std::vector<SO3<double>> seats = system.seats();
    const double longest = dq.cwiseAbs().maxCoeff();
    if (longest > 0.3 * size) dq *= 0.3 * size / longest;
    trial.resize(q.size());
    moved.resize(dq.size());
    const PositionOptions close{.refuse_mirror = false, .count_rank = false};
    for (double factor = 1; factor > 1e-6; factor /= 2) {
      for (std::size_t k = 0; k < moved.size(); ++k)
        moved[k] = factor * dq[static_cast<Eigen::Index>(k)];
      plus(system.configuration(), q, moved, trial);
      system.seat(seats);  // a trial before may have changed them
      if (!solve_position(system, t, trial, close).converged) continue;
      if (has_moved(seats)) {
        // q is written in the new seats; the step is made from there.
        q = reseated(q, seats);
        return true;
      }
      const Freedoms there = freedoms_at(system, t, trial);
      const double before = f.force.norm(), after = there.force.norm();
      bool accept = after < 0.9 * before;
      if (down) {
        difference(system.configuration(), q, trial, moved);
        const Eigen::Map<const Vector> d(moved.data(), dq.size());
        // Work of all forces on the way, by the mean of both ends.
        const double work = (f.Q.dot(d) + there.Q.dot(d)) / 2, expected = factor * f.Q.dot(dq);
        const bool is_convex = eigenpairs(f.H).values.minCoeff() > 0;
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

void set_forces(const Freedoms& f, EquilibriumResult& result) {
  result.freedoms = static_cast<int>(f.R.cols());
  result.lambda = f.lambda;
  result.residual = f.force.size() > 0 ? f.force.cwiseAbs().maxCoeff() : 0;
}

}  // namespace

void small_oscillations(MechanismSystem& system, double t, EquilibriumResult& result) {
  const Freedoms f = freedoms_at(system, t, result.q);
  set_forces(f, result);
  result.stiffness.clear();
  result.frequencies.clear();
  result.stable = true;
  if (f.R.cols() == 0) return;
  const Eigenpairs e = eigenpairs(f.H);
  result.stiffness.assign(e.values.begin(), e.values.end());
  result.stable = e.values[0] > 1e-9 * e.values.cwiseAbs().maxCoeff();
  SparseRows M;
  system.mass(result.q, M);
  Matrix MR(f.R.rows(), f.R.cols());
  for (Eigen::Index k = 0; k < f.R.cols(); ++k)
    M.multiply({f.R.col(k).data(), std::size_t(f.R.rows())},
               {MR.col(k).data(), std::size_t(f.R.rows())});
  const Matrix mass = f.R.transpose() * MR;
  const Eigen::LLT<Matrix> factor((mass + mass.transpose()) / 2);
  if (factor.info() != Eigen::Success) {
    result.message += " no frequencies: a freedom moves no mass";
    return;
  }
  Matrix A = factor.matrixL().solve(f.H);
  A = factor.matrixL().solve(Matrix(A.transpose()));
  for (const double square : eigenpairs((A + A.transpose()) / 2).values)
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
    const Freedoms f = freedoms_at(system, t, result.q);
    set_forces(f, result);
    result.converged = f.R.cols() == 0 || result.residual <= options.tolerance * f.scale;
    const bool is_hill = down && result.converged && f.R.cols() > 0 &&
                         eigenpairs(f.H).values[0] < -1e-9 * f.H.cwiseAbs().maxCoeff();
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
