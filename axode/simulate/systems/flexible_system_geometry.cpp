// What geometric and implicit integrators ask of a flexible tree beside its accelerations.
#include <algorithm>
#include <cmath>
#include <limits>

#include "axode/core/finite.hpp"
#include "axode/linalg/cholesky.hpp"
#include "axode/linalg/dense.hpp"
#include "axode/linalg/eigenvalues.hpp"
#include "axode/simulate/systems/flexible_system.hpp"

namespace axode {

namespace {

/// Of differences, relative to numbers of size 1.
constexpr double one_sided = 1e-7, two_sided = 1e-5;

}  // namespace

bool FlexibleSystem::momentum(std::span<const double> q, std::span<const double> v,
                              std::span<double> p) {
  equations().evaluate(q, v, Effect::velocity);
  multiply(equations().mass(), v, p);
  return all_finite(p);
}

bool FlexibleSystem::lagrangian_rate(double t, std::span<const double> q, std::span<const double> v,
                                     std::span<double> g) {
  const double largest = max_abs(v);
  std::fill(g.begin(), g.end(), 0.);
  if (largest > 0) {  // the rate of M by its difference along v
    const double h = two_sided / std::max(1., largest);
    for (const double side : {h, -h}) {
      for (std::size_t i = 0; i < q.size(); ++i) q_[i] = q[i] + side * v[i];
      if (!momentum(q_, v, scratch_)) return false;
      for (std::size_t i = 0; i < g.size(); ++i) g[i] += scratch_[i] / (2 * side);
    }
  }
  place(t, q, v);
  if (!evaluate(t)) return false;
  multiply(equations().mass(), rates_, scratch_);
  for (std::size_t i = 0; i < g.size(); ++i) g[i] += scratch_[i];
  return true;
}

FlexibleSystem::Definiteness FlexibleSystem::definiteness() {
  Definiteness result;
  if (dynamics_.options().model == FlexibleModel::nonlinear) return result;
  const std::size_t n = q_.size();
  dynamics_.evaluate(q_, v_, Effect::velocity);
  exact_.evaluate(q_, v_, Effect::velocity);
  factor_.assign(dynamics_.mass().begin(), dynamics_.mass().end());
  exact_factor_.assign(exact_.mass().begin(), exact_.mass().end());
  factor_q_.clear();
  for (const int k : prescribed_)  // whose masses do not matter
    for (std::size_t i = 0; i < n; ++i)
      for (std::vector<double>* M : {&factor_, &exact_factor_})
        (*M)[i * n + k] = (*M)[std::size_t(k) * n + i] = i == std::size_t(k) ? 1 : 0;
  for (std::vector<double>* M : {&exact_factor_, &factor_})
    if (const CholeskyOutcome found = cholesky(*M, tree_->size); !found.ok())
      return {0, found.failed_row};
  for (std::size_t i = 0; i < n; ++i) {  // diagonals are inverse
    const double ratio = exact_factor_[i * (n + 1)] / factor_[i * (n + 1)];
    if (ratio * ratio < result.left) result = {ratio * ratio, static_cast<int>(i)};
  }
  return result;
}

double FlexibleSystem::smallest_mass() {
  const int n = tree_->size;
  dynamics_.evaluate(q_, v_, Effect::velocity);
  const SymmetricModes modes =
      symmetric_modes({n, n, {dynamics_.mass().begin(), dynamics_.mass().end()}});
  return modes.solved ? modes.values.front() : std::numeric_limits<double>::quiet_NaN();
}

bool FlexibleSystem::solve_mass(std::span<const double> q, std::span<double> r) {
  if (factor_q_.size() != q.size() || !std::equal(q.begin(), q.end(), factor_q_.begin())) {
    std::fill(column_.begin(), column_.end(), 0.);
    equations().evaluate(q, column_, Effect::velocity);
    factor_.assign(equations().mass().begin(), equations().mass().end());
    factor_q_.assign(q.begin(), q.end());
    if (!cholesky(factor_, tree_->size).ok()) {
      factor_q_.clear();
      return false;
    }
  }
  cholesky_solve(factor_, tree_->size, r);
  return true;
}

bool FlexibleSystem::residual(const ConstrainedPoint& at_, const ConstrainedResidual& r) {
  place(at_.t, at_.q, at_.v);
  if (!evaluate(at_.t)) return false;
  for (std::size_t i = 0; i < rates_.size(); ++i) scratch_[i] = at_.a[i] - rates_[i];
  multiply(equations().mass(), scratch_, r.force);
  // Prescribed joints meet their acceleration, whatever the others do.
  for (const int k : prescribed_)
    r.force[k] = equations().mass()[std::size_t(k) * (q_.size() + 1)] * scratch_[k];
  return true;
}

void FlexibleSystem::tangent(const ConstrainedPoint& at_, const TangentScale& scale,
                             SparseAssembly& matrix) {
  const std::size_t n = q_.size();
  tangent_.assign(n * n, 0.);
  base_.resize(std::max(base_.size(), n));
  const std::span<double> base = std::span(base_).first(n), moved = std::span(moved_).first(n);
  const bool known = residual(at_, {base, {}, {}});
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      tangent_[i * n + j] = scale.mass * equations().mass()[i * n + j];
  for (const int k : prescribed_)
    for (std::size_t j = 0; j < n; ++j)
      if (j != std::size_t(k)) tangent_[std::size_t(k) * n + j] = 0;
  for (std::size_t i = 0; i < n; ++i) tangent_[i * (n + 1)] += scale.identity;
  state_.assign(at_.q.begin(), at_.q.end());
  state_.insert(state_.end(), at_.v.begin(), at_.v.end());
  ConstrainedPoint point = at_;
  point.q = std::span(state_).first(n);
  point.v = std::span(state_).subspan(n, n);
  for (std::size_t j = 0; known && j < 2 * n; ++j) {
    const double factor = j < n ? scale.stiffness : scale.damping;
    if (factor == 0) continue;
    const double before = state_[j];
    state_[j] += one_sided * std::max(1., std::abs(before));
    if (residual(point, {moved, {}, {}}))
      for (std::size_t i = 0; i < n; ++i)
        tangent_[i * n + j % n] += factor * (moved[i] - base[i]) / (state_[j] - before);
    state_[j] = before;
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      matrix.add(static_cast<int>(i), static_cast<int>(j), tangent_[i * n + j]);
}

}  // namespace axode
