// Of mechanism_dynamics.hpp: the power of what has no potential; motions without inertia.
#include <algorithm>
#include <cmath>

#include "axode/mechanism/dynamics/mechanism_dynamics.hpp"

namespace axode {
namespace {

struct MovingPoint {
  Vec3<double> position, velocity;
};
MovingPoint moving_point(const SE3<double>& T, const Twist<Rep::hybrid>& twist,
                         const Vec3<double>& local) {
  const Vec3<double> arm = T.R * local;
  return {T.p + arm, twist.linear + cross(twist.angular, arm)};
}

/// A null vector of the symmetric, positive semidefinite A, f x f, or nothing: elimination with the
/// largest pivot first.
std::vector<double> null_vector(std::vector<double> A, std::size_t f) {
  constexpr double rounding = 1e-13;
  std::vector<std::size_t> order(f);
  for (std::size_t i = 0; i < f; ++i) order[i] = i;
  const auto a = [&](std::size_t i, std::size_t j) -> double& {
    return A[order[i] * f + order[j]];
  };
  double most = 0;
  for (std::size_t k = 0; k < f; ++k) {
    std::size_t best = k;
    for (std::size_t i = k; i < f; ++i)
      if (a(i, i) > a(best, best)) best = i;
    std::swap(order[k], order[best]);
    most = std::max(most, a(k, k));
    if (!(a(k, k) > rounding * most)) {
      std::vector<double> x(f, 0.0);
      x[order[k]] = 1;
      for (std::size_t i = k; i-- > 0;) {
        double sum = 0;
        for (std::size_t j = i + 1; j <= k; ++j) sum += a(i, j) * x[order[j]];
        x[order[i]] = -sum / a(i, i);
      }
      return x;
    }
    for (std::size_t i = k + 1; i < f; ++i) {
      const double factor = a(i, k) / a(k, k);
      for (std::size_t j = k + 1; j < f; ++j) a(i, j) -= factor * a(k, j);
    }
  }
  return {};
}

/// Rows of unit length, for velocities in units of their sizes.
void scale_rows(std::span<const double> sizes, SparseRows& J) {
  for (int i = 0; i < J.rows; ++i) {
    const auto row = std::span(J.value).subspan(J.start[i], J.start[i + 1] - J.start[i]);
    double square = 0;
    for (std::size_t e = 0; e < row.size(); ++e) {
      row[e] *= sizes[J.column[J.start[i] + e]];
      square += row[e] * row[e];
    }
    if (square > 0)
      for (double& e : row) e /= std::sqrt(square);
  }
}
/// Whether J n = 0 truly: near singular positions null spaces are not sharp.
bool is_allowed(const SparseRows& J, std::span<const double> n, double size) {
  for (int i = 0; i < J.rows; ++i) {
    double sum = 0;
    for (int e = J.start[i]; e < J.start[i + 1]; ++e) sum += J.value[e] * n[J.column[e]];
    if (std::abs(sum) > 1e-10 * size) return false;
  }
  return true;
}
}  // namespace

bool MechanismDynamics::has_inertia(double t, std::span<const double> q) {
  constexpr int most = 200;
  const std::size_t n = still_.size();
  measure(t, q);
  system_->jacobian(t, q, rows_);
  scale_rows(sizes_, rows_);
  const int free = system_->equations().velocities() - system_->equations().rows();
  if (free > most) return true;
  const NullBasis basis = null_basis(rows_);
  const std::size_t f = basis.count;
  if (basis.count > most) return true;
  system_->mass(q, weight_);
  std::vector<double> N = basis.vectors, A(f * f), MN(n);
  for (std::size_t k = 0; k < f; ++k)
    for (std::size_t i = 0; i < n; ++i) N[k * n + i] *= sizes_[i];
  for (std::size_t k = 0; k < f; ++k) {
    weight_.multiply(std::span(N).subspan(k * n, n), MN);
    for (std::size_t j = 0; j < f; ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += N[j * n + i] * MN[i];
      A[j * f + k] = sum;
    }
  }
  const std::vector<double> x = null_vector(std::move(A), f);
  if (x.empty()) return true;
  std::size_t worst = 0;
  double largest = -1;
  for (std::size_t i = 0; i < n; ++i) {
    MN[i] = 0;
    for (std::size_t k = 0; k < f; ++k) MN[i] += basis.vectors[k * n + i] * x[k];
    if (std::abs(MN[i]) > (1 + 1e-6) * largest) {
      largest = std::abs(MN[i]);
      worst = i;
    }
  }
  if (!is_allowed(rows_, MN, largest)) return true;
  why_ = "the acceleration of coordinate '" + system_->equations().velocity_names[worst] +
         "' is not determined: it has neither inertia nor an equation";
  return false;
}

double MechanismDynamics::coordinate_power(double t, std::span<const double> v) const {
  const MechanismEquations& eq = system_->equations();
  const std::vector<CoordinateForce>& forces = eq.mechanism.coordinate_forces;
  double sum = 0;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const CoordinateForce& f = forces[i];
    if (f.damping == 0 && !f.force) continue;
    double rate = 0;
    for (const Scalar::Part& part : eq.scalars[eq.loads.coordinate_forces[i]].parts)
      rate += part.factor * v[part.v];
    sum += ((f.force ? f.force(t) : 0) - f.damping * rate) * rate;
  }
  return sum;
}

double MechanismDynamics::body_power(double t) const {
  const Mechanism& mech = system_->mechanism();
  double sum = 0;
  for (const PointSpring& s : mech.springs) {
    if (s.damping == 0 && !s.force) continue;
    const MovingPoint a = moving_point(poses_[s.body[0]], twists_[s.body[0]], s.point[0]);
    const MovingPoint b = moving_point(poses_[s.body[1]], twists_[s.body[1]], s.point[1]);
    const double length = norm(b.position - a.position);
    const double rate =
        length > 0 ? dot(b.position - a.position, b.velocity - a.velocity) / length : 0;
    sum += ((s.force ? s.force(t) : 0) - s.damping * rate) * rate;
  }
  for (const BodyLoad& load : mech.loads) {
    Vec6<double> all{load.torque, load.force};
    if (load.varying) all += load.varying(t);
    const Twist<Rep::hybrid>& twist = twists_[load.body];
    const MovingPoint p = moving_point(poses_[load.body], twist, load.point);
    sum += dot(all.linear, p.velocity) + dot(all.angular, twist.angular);
  }
  return sum;
}

double MechanismDynamics::power(double t, std::span<const double> q, std::span<const double> v,
                                std::span<const double> lambda) {
  if (!loaded_) return 0;
  const MechanismEquations& eq = system_->equations();
  system_->control(t, q, v);  // coordinate_power reads its forces
  double sum = coordinate_power(t, v);
  for (int i = 0; i < eq.rows(); ++i)
    if (const int d = eq.equations[i].driver; d >= 0)
      sum -= lambda[i] * eq.mechanism.drivers[d].motion(t).rate;
  if (eq.mechanism.springs.empty() && eq.mechanism.loads.empty()) return sum;
  system_->motion(q, v, poses_, twists_);
  return sum + body_power(t);
}

}  // namespace axode
