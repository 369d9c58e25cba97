/// A mechanism with its redundant equations left out, for integrators that need independent ones.
///
/// Which rows may go is told by the null space of Phi_q^T at one configuration: those in which its
/// vectors are largest. In another configuration the choice may be bad: the matrix is then
/// singular, and the integrator says so. Cost beside the system's: a copy of the tangent matrix.
/// Tests: tests/mechanism/independent_rows_test.cpp
#pragma once
#include <span>
#include <vector>

#include "axode/mechanism/system.hpp"

namespace axode {

/// Rows of the system that are independent at q, rising.
std::vector<int> independent_rows(MechanismSystem& system, double t, std::span<const double> q);

class IndependentRows {
 public:
  IndependentRows(MechanismSystem& system, std::vector<int> rows);
  const std::vector<int>& rows() const noexcept { return rows_; }
  const LieGroup& configuration() const noexcept { return system_->configuration(); }
  int constraints() const noexcept { return static_cast<int>(rows_.size()); }
  int all_constraints() const noexcept { return static_cast<int>(place_.size()); }
  bool residual(const ConstrainedPoint& p, const ConstrainedResidual& r);
  void constraint_rate(const ConstrainedPoint& p, std::span<double> result);
  void tangent(const ConstrainedPoint& p, const TangentScale& scale, SparseAssembly& m);

 private:
  ConstrainedPoint widen(const ConstrainedPoint& p);
  MechanismSystem* system_;
  std::vector<int> rows_, place_;  ///< place_: by row of the system, -1: left out
  std::vector<double> lambda_, position_, velocity_;
  SparseAssembly whole_;
};
/// Rows that are not in it.
std::vector<int> left_out_rows(const IndependentRows& system);

}  // namespace axode
