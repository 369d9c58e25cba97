#include "axode/integrate/constrained.hpp"

#include <algorithm>
#include <cmath>

#include "axode/linalg/largest.hpp"

namespace axode {

using detail::largest;

namespace {

void prepare(const ConstrainedView& system, ConstrainedWork& w) {
  w.force.resize(system.nv());
  w.position.resize(system.constraints);
  w.velocity.resize(system.constraints);
  w.zero_a.assign(system.nv(), 0.0);
  w.zero_lambda.assign(system.constraints, 0.0);
  w.right.resize(system.nv() + system.constraints);
  w.x.resize(system.nx());
}

}  // namespace

bool consistent_acceleration(const ConstrainedView& system, double t, std::span<const double> q,
                             std::span<const double> v, std::span<double> a,
                             std::span<double> lambda, ConstrainedWork& w) {
  prepare(system, w);
  const ConstrainedPoint point{t, q, v, w.zero_a, w.zero_lambda};
  if (!system.residual(point, {w.force, w.position, w.velocity})) return false;
  system.constraint_rate(point, w.velocity);
  system.tangent(point, {.mass = 1}, w.tangent);
  if (!w.lu.factor(w.tangent.matrix)) return false;
  const auto second = w.right.begin() + system.nv();
  std::ranges::transform(w.force, w.right.begin(), std::negate<>{});
  std::ranges::transform(w.velocity, second, std::negate<>{});
  w.lu.solve(w.right);
  std::copy(w.right.begin(), second, a.begin());
  std::copy(second, w.right.end(), lambda.begin());
  return std::isfinite(largest(w.right));
}

bool project_velocity(const ConstrainedView& system, double t, std::span<const double> q,
                      std::span<double> v, ConstrainedWork& w) {
  prepare(system, w);
  const ConstrainedPoint point{t, q, v, w.zero_a, w.zero_lambda};
  system.tangent(point, {.identity = 1}, w.tangent);
  if (!w.lu.factor(w.tangent.matrix)) return false;
  for (int pass = 0; pass < 2; ++pass) {  // the second for rounding
    if (!system.residual(point, {w.force, w.position, w.velocity})) return false;
    std::fill_n(w.right.begin(), system.nv(), 0.0);
    std::ranges::transform(w.velocity, w.right.begin() + system.nv(), std::negate<>{});
    w.lu.solve(w.right);
    for (int k = 0; k < system.nv(); ++k) v[k] += w.right[k];
  }
  return std::isfinite(largest(v));
}

ProjectionResult project_position(const ConstrainedView& system, double t, std::span<double> q,
                                  ConstrainedWork& w, double tolerance, int max_iterations) {
  prepare(system, w);
  ProjectionResult result;
  const ConstrainedPoint point{t, q, w.zero_a, w.zero_a, w.zero_lambda};
  for (;; ++result.iterations) {
    if (!system.residual(point, {w.force, w.position, w.velocity})) return result;
    result.residual = largest(w.position);
    result.converged = result.residual <= tolerance;
    if (result.converged || result.iterations == max_iterations || !std::isfinite(result.residual))
      return result;
    system.tangent(point, {.identity = 1}, w.tangent);
    if (!w.lu.factor(w.tangent.matrix)) return result;
    std::fill_n(w.right.begin(), system.nv(), 0.0);
    std::ranges::transform(w.position, w.right.begin() + system.nv(), std::negate<>{});
    w.lu.solve(w.right);
    plus(*system.group, q, {w.right.data(), std::size_t(system.nv())}, q);
  }
}

bool make_consistent(const ConstrainedView& system, double t, std::span<double> x,
                     ConstrainedWork& w) {
  constexpr double met = 1e-12;
  prepare(system, w);
  const std::span<double> q = x.first(system.nx()), v = x.subspan(system.nx());
  const ConstrainedPoint point{t, q, v, w.zero_a, w.zero_lambda};
  const ConstrainedResidual residual{w.force, w.position, w.velocity};
  if (!system.residual(point, residual)) return false;
  if (largest(w.position) > met && !project_position(system, t, q, w).converged) return false;
  if (!system.residual(point, residual)) return false;
  return largest(w.velocity) <= met * (1 + largest(v)) || project_velocity(system, t, q, v, w);
}

}  // namespace axode
