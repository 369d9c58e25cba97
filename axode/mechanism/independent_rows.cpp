#include "axode/mechanism/independent_rows.hpp"

#include <algorithm>

#include "axode/mechanism/constrained_solve.hpp"

namespace axode {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

std::vector<int> independent_rows(MechanismSystem& system, double t, std::span<const double> q) {
  SparseRows J;
  system.jacobian(t, q, J);
  const std::vector<int> out = independent_components(null_basis(transposed(J)));
  std::vector<int> rows;
  for (int i = 0; i < J.rows; ++i)
    if (!std::ranges::binary_search(out, i)) rows.push_back(i);
  return rows;
}

IndependentRows::IndependentRows(MechanismSystem& system, std::vector<int> rows)
    : system_(&system), rows_(std::move(rows)), place_(at(system.constraints()), -1) {
  for (std::size_t k = 0; k < rows_.size(); ++k) place_[at(rows_[k])] = static_cast<int>(k);
  for (std::vector<double>* x : {&lambda_, &position_, &velocity_})
    x->assign(at(system.constraints()), 0.0);
}

ConstrainedPoint IndependentRows::widen(const ConstrainedPoint& p) {
  for (std::size_t k = 0; k < rows_.size(); ++k) lambda_[at(rows_[k])] = p.lambda[k];
  return {p.t, p.q, p.v, p.a, lambda_};
}

bool IndependentRows::residual(const ConstrainedPoint& p, const ConstrainedResidual& r) {
  if (!system_->residual(widen(p), {r.force, position_, velocity_})) return false;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    r.position[k] = position_[at(rows_[k])];
    r.velocity[k] = velocity_[at(rows_[k])];
  }
  return true;
}

void IndependentRows::constraint_rate(const ConstrainedPoint& p, std::span<double> result) {
  system_->constraint_rate(widen(p), velocity_);
  for (std::size_t k = 0; k < rows_.size(); ++k) result[k] = velocity_[at(rows_[k])];
}

void IndependentRows::tangent(const ConstrainedPoint& p, const TangentScale& scale,
                              SparseAssembly& m) {
  const int n = configuration().nv;
  if (constraints() == system_->constraints()) return system_->tangent(p, scale, m);
  whole_.begin(n + system_->constraints());
  system_->tangent(widen(p), scale, whole_);
  whole_.end();
  const auto place = [&](int i) {
    const int k = i < n ? i : place_[at(i - n)];
    return i < n || k < 0 ? k : n + k;
  };
  const SparseMatrix& A = whole_.matrix;
  for (int j = 0; j < A.size; ++j)
    for (int e = A.start[at(j)]; e < A.start[at(j) + 1]; ++e)
      if (const int row = place(A.row[at(e)]), column = place(j); row >= 0 && column >= 0)
        m.add(row, column, A.value[at(e)]);
}

std::vector<int> left_out_rows(const IndependentRows& system) {
  std::vector<int> out;
  const std::vector<int>& rows = system.rows();
  for (int i = 0; i < system.all_constraints(); ++i)
    if (!std::ranges::binary_search(rows, i)) out.push_back(i);
  return out;
}

}  // namespace axode
