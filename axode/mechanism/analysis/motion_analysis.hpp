/// Velocities and accelerations that the equations allow:
///
///   Phi_q v = -Phi_t,   Phi_q a = c                                         [GarciaBayo ch. 3]
///
/// nearest to those wished. One factorisation serves both. Cost: O(fill).
/// Tests: tests/mechanism/analysis/motion_analysis_test.cpp
#pragma once
#include <span>
#include <string>

#include "axode/linalg/rank.hpp"
#include "axode/mechanism/equations/system.hpp"

namespace axode {

struct [[nodiscard]] MotionResult {
  bool consistent = false;  ///< such a motion exists
  bool unique = false;      ///< it is the only one
  double residual = 0;      ///< largest |Phi_q v + Phi_t|
  int rank = 0;             ///< of Phi_q; -1 where not counted (large, not square and regular)
  std::string message;      ///< equations in conflict, or degrees of freedom left
};

/// Work kept from call to call: patterns and factors.
struct MotionWork {
  SparseRows J;
  LeastNorm solver;
  std::vector<double> right, x;
  int choices = -1;
};

/// v in: wished, out: nearest that meets Phi_q v = -Phi_t.
MotionResult solve_velocity(MechanismSystem& system, double t, std::span<const double> q,
                            std::span<double> v);
/// a in: wished, out: nearest with Phi_q a = c(v).
MotionResult solve_acceleration(MechanismSystem& system, double t, std::span<const double> q,
                                std::span<const double> v, std::span<double> a);
/// Both, with one factorisation and work that may be kept.
MotionResult solve_motion(MechanismSystem& system, double t, std::span<const double> q,
                          std::span<double> v, std::span<double> a, MotionWork& work);

}  // namespace axode
