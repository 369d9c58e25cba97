#include "axode/mechanism/dynamics/independent_rows.hpp"

#include <algorithm>
#include <cmath>

#include "axode/linalg/constrained_solve.hpp"

namespace axode {
namespace {}  // namespace

std::vector<int> independent_rows(MechanismSystem& system, double t, std::span<const double> q,
                                  const StateUnits& units) {
  SparseRows J;
  system.jacobian(t, q, J);
  if (!units.row.empty())
    for (int i = 0; i < J.rows; ++i)
      for (int e = J.start[i]; e < J.start[i + 1]; ++e)
        J.value[e] *= units.v[J.column[e]] / units.row[i];
  const std::vector<int> out = independent_components(null_basis(transposed(J)));
  std::vector<int> rows;
  for (int i = 0; i < J.rows; ++i)
    if (!std::ranges::binary_search(out, i)) rows.push_back(i);
  return rows;
}

StateUnits state_units(MechanismSystem& system, double t, std::span<const double> q,
                       std::span<const double> of_velocities) {
  const LieGroup& group = system.configuration();
  StateUnits units{std::vector<double>(group.nx, 1.0), {}, {}, 0};
  units.v.assign(of_velocities.begin(), of_velocities.end());
  for (const auto& [kind, x, v, count] : group.factors) {
    if (kind == LieGroup::Kind::real) {
      std::copy_n(units.v.begin() + v, count, units.q.begin() + x);
      continue;
    }
    std::fill_n(units.v.begin() + v, 3, 1.0);
    if (kind == LieGroup::Kind::so3 || kind == LieGroup::Kind::so3_left) continue;
    std::fill_n(units.v.begin() + v + 3, 3, units.v[v + 3]);
    std::fill_n(units.q.begin() + x + 4, 3, units.v[v + 3]);
  }
  SparseRows J, M;
  system.jacobian(t, q, J);
  system.mass(q, M);
  units.row.assign(J.rows, 0.0);
  for (int i = 0; i < J.rows; ++i)
    for (int e = J.start[i]; e < J.start[i + 1]; ++e)
      units.row[i] = std::max(units.row[i], std::abs(J.value[e]) * units.v[J.column[e]]);
  const double most = J.rows > 0 ? *std::ranges::max_element(units.row) : 0;
  for (double& unit : units.row)  // rows of nothing but rounding
    if (!(unit > 1e-14 * most)) unit = most > 0 ? most : 1;
  for (int i = 0; i < M.rows; ++i)
    for (int e = M.start[i]; e < M.start[i + 1]; ++e)
      if (M.column[e] == i)
        units.energy = std::max(units.energy, M.value[e] * units.v[i] * units.v[i]);
  if (!(units.energy > 0)) units.energy = 1;
  return units;
}

IndependentRows::IndependentRows(MechanismSystem& system, std::vector<int> rows, StateUnits units)
    : units_(std::move(units)),
      q_(units_.q.size()),
      v_(units_.v.size()),
      a_(units_.v.size()),
      system_(&system),
      rows_(std::move(rows)),
      place_(system.constraints(), -1) {
  for (std::size_t k = 0; k < rows_.size(); ++k) place_[rows_[k]] = static_cast<int>(k);
  for (std::vector<double>* x : {&lambda_, &position_, &velocity_})
    x->assign(system.constraints(), 0.0);
}

ConstrainedPoint IndependentRows::widen(const ConstrainedPoint& p) {
  for (std::size_t k = 0; k < rows_.size(); ++k) lambda_[rows_[k]] = p.lambda[k];
  if (!has_units()) return {p.t, p.q, p.v, p.a, lambda_};
  for (const int i : rows_) lambda_[i] *= units_.energy / units_.row[i];
  std::ranges::transform(p.q, units_.q, q_.begin(), std::multiplies<>{});
  std::ranges::transform(p.v, units_.v, v_.begin(), std::multiplies<>{});
  std::ranges::transform(p.a, units_.v, a_.begin(), std::multiplies<>{});
  return {p.t, q_, v_, a_, lambda_};
}

bool IndependentRows::residual(const ConstrainedPoint& p, const ConstrainedResidual& r) {
  if (!system_->residual(widen(p), {r.force, position_, velocity_})) return false;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    r.position[k] = position_[rows_[k]];
    r.velocity[k] = velocity_[rows_[k]];
  }
  if (!has_units()) return true;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    r.position[k] /= units_.row[rows_[k]];
    r.velocity[k] /= units_.row[rows_[k]];
  }
  for (std::size_t k = 0; k < v_.size(); ++k) r.force[k] *= units_.v[k] / units_.energy;
  return true;
}

void IndependentRows::constraint_rate(const ConstrainedPoint& p, std::span<double> result) {
  system_->constraint_rate(widen(p), velocity_);
  for (std::size_t k = 0; k < rows_.size(); ++k)
    result[k] = velocity_[rows_[k]] / (has_units() ? units_.row[rows_[k]] : 1);
}

void IndependentRows::tangent(const ConstrainedPoint& p, const TangentScale& scale,
                              SparseAssembly& m) {
  const int n = configuration().nv;
  if (!has_units() && constraints() == system_->constraints()) return system_->tangent(p, scale, m);
  whole_.begin(n + system_->constraints());
  system_->tangent(widen(p), scale, whole_);
  whole_.end();
  const auto place = [&](int i) {
    const int k = i < n ? i : place_[i - n];
    return i < n || k < 0 ? k : n + k;
  };
  // Forces are in units of energy, divided by those of velocities.
  const auto of_column = [&](int j) {
    return j < n ? units_.v[j] : units_.energy / units_.row[j - n];
  };
  const auto of_row = [&](int i) {
    return i < n ? units_.v[i] / units_.energy : 1 / units_.row[i - n];
  };
  const SparseMatrix& A = whole_.matrix;
  for (int j = 0; j < A.size; ++j)
    for (int e = A.start[j]; e < A.start[j + 1]; ++e)
      if (const int row = place(A.row[e]), column = place(j); row >= 0 && column >= 0)
        m.add(row, column, A.value[e] * (has_units() ? of_row(A.row[e]) * of_column(j) : 1));
}

std::vector<int> left_out_rows(const IndependentRows& system) {
  std::vector<int> out;
  const std::vector<int>& rows = system.rows();
  for (int i = 0; i < system.all_constraints(); ++i)
    if (!std::ranges::binary_search(rows, i)) out.push_back(i);
  return out;
}

}  // namespace axode
