/// Equilibrium under constant forces, its stability and small oscillations about it.
///
///   Q(q) - Phi_q^T lambda = 0,  Phi(q) = 0                                  [GarciaBayo ch. 6]
///   H = R^T (V_qq + sum lambda_k Phi_k,qq) R > 0,   H z = omega^2 R^T M R z,   Phi_q R = 0
///
/// Cost: O(n^3) per iteration; up to about 1000 coordinates.
/// Tests: tests/mechanism/analysis/statics_test.cpp
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "axode/mechanism/equations/system.hpp"

namespace axode {

struct EquilibriumOptions {
  enum class Kind : std::uint8_t {
    stable,   ///< walks down to a minimum of the potential
    nearest,  ///< Newton: any equilibrium
  };
  Kind kind = Kind::stable;
  double tolerance = 1e-11;  ///< of forces left, relative to those acting
  int iterations = 200;
};
struct [[nodiscard]] EquilibriumResult {
  bool converged = false;
  int iterations = 0;
  std::vector<double> q, lambda;
  double residual = 0;  ///< largest force left along a degree of freedom [N, N m]
  double potential = 0;
  bool stable = false;
  int dofs = 0;
  std::vector<double> stiffness;    ///< eigenvalues of H, smallest first
  std::vector<double> frequencies;  ///< [rad/s]; of unstable directions -sqrt(-omega^2)
  std::string message;
};
EquilibriumResult equilibrium(MechanismSystem& system, double t, std::span<const double> q,
                              const EquilibriumOptions& options = {});
/// Stability and frequencies at a configuration in equilibrium.
void small_oscillations(MechanismSystem& system, double t, EquilibriumResult& result);

}  // namespace axode
