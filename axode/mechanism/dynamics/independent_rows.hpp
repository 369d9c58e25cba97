/// A mechanism with its redundant equations left out, for integrators that need independent ones.
///
/// Which rows may go is told by the null space of Phi_q^T at one configuration: those in which its
/// vectors are largest. In another configuration the choice may be bad: the matrix is then
/// singular, and the integrator says so. All may be in units of the size of the model, so that
/// tolerances mean the same in small and large ones. Cost beside the system's: a copy of the
/// tangent matrix.
/// Tests: tests/mechanism/dynamics/independent_rows_test.cpp
#pragma once
#include <span>
#include <vector>

#include "axode/mechanism/equations/system.hpp"

namespace axode {

/// Units of numbers of a state, of velocities, of equations and of energy. Empty, the default: 1.
struct StateUnits {
  std::vector<double> q, v, row;
  double energy = 1;
};
/// Those of velocities are given; angles and attitudes must have 1. Of equations: what they change
/// by when a coordinate in them changes by its unit, at q.
StateUnits state_units(MechanismSystem& system, double t, std::span<const double> q,
                       std::span<const double> of_velocities);

/// Rows of the system that are independent at q, rising.
std::vector<int> independent_rows(MechanismSystem& system, double t, std::span<const double> q,
                                  const StateUnits& units = {});

class IndependentRows {
 public:
  IndependentRows(MechanismSystem& system, std::vector<int> rows, StateUnits units = {});
  const std::vector<int>& rows() const noexcept { return rows_; }
  const LieGroup& configuration() const noexcept { return system_->configuration(); }
  int constraints() const noexcept { return static_cast<int>(rows_.size()); }
  int all_constraints() const noexcept { return static_cast<int>(place_.size()); }
  bool residual(const ConstrainedPoint& p, const ConstrainedResidual& r);
  void constraint_rate(const ConstrainedPoint& p, std::span<double> result);
  void tangent(const ConstrainedPoint& p, const TangentScale& scale, SparseAssembly& m);

 private:
  ConstrainedPoint widen(const ConstrainedPoint& p);
  /// By velocities, which have units where there is no equation, too.
  bool has_units() const noexcept { return !units_.v.empty(); }
  StateUnits units_;
  std::vector<double> q_, v_, a_;  ///< without units
  MechanismSystem* system_;
  std::vector<int> rows_, place_;  ///< place_: by row of the system, -1: left out
  std::vector<double> lambda_, position_, velocity_;
  SparseAssembly whole_;
};
/// Rows that are not in it.
std::vector<int> left_out_rows(const IndependentRows& system);

}  // namespace axode
