/// The position problem: coordinates that meet Phi(q, t) = 0 from a guess that does not.
///
///   dq = -J^T (J J^T + mu 1)^-1 Phi        mu = 0: Newton, Gauss-Newton of least change
///
/// on the group of the coordinates, with mu falling as |Phi|^2, so that convergence stays quadratic
/// where equations are redundant [FanYuan2005]. Residuals are judged by the size of the model. Cost:
/// one sparse factorisation per iteration.
/// Tests: tests/mechanism/analysis/position_test.cpp
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "axode/mechanism/equations/system.hpp"

namespace axode {

enum class PositionMethod : std::uint8_t {
  automatic,            ///< minimum_norm, then Levenberg-Marquardt when it stalls
  newton,               ///< full steps
  levenberg_marquardt,  ///< damped: from any guess
  minimum_norm,         ///< steps of least length, shortened where they do not help
};
struct PositionOptions {
  PositionMethod method = PositionMethod::automatic;
  double tolerance = 1e-12;  ///< of Phi, relative to the size of the model
  int iterations = 200;
  bool refuse_mirror = true;  ///< searches on from mirror images of bodies
  bool count_rank = true;
};
struct [[nodiscard]] PositionResult {
  bool converged = false, mirrored = false;
  int iterations = 0;
  double residual = 0;          ///< largest |Phi| left, in the equation's unit by size of the model
  int rank = 0;                 ///< of the Jacobian there; -1 where not counted
  int worst = -1;               ///< equation with the largest residual
  std::vector<int> conflict{};  ///< no assembly: equations it is in conflict with, worst first
  std::string message;
};

/// Moves q to the nearest configuration that meets all equations at time t. Calls refresh: forms of
/// equations and seats of Euler angles may change, and q with them. Not converged: `message` says
/// why: no assembly (a least residual above zero), iterations, or a mirror image. Throws Error if q
/// has a wrong size or is not finite.
PositionResult solve_position(MechanismSystem& system, double t, std::span<double> q,
                              const PositionOptions& options = {});

/// Angles of drivers, and those that joints keep between bodies, may be full turns off what equations
/// say: such coordinates are turned on. It is the same configuration, and a search need not turn
/// bodies to get there, where it would meet other modes first.
void unwind_turns(MechanismSystem& system, double t, std::span<double> q);

/// A length that tells how large the mechanism is [m]: of its bodies and their distances.
double model_size(const Mechanism& mechanism) noexcept;
/// By velocity: the size of the model for lengths, 1 for angles and directions.
std::vector<double> velocity_scales(const MechanismSystem& system);
/// What a residual of each equation is measured by: the change of it when coordinates change by
/// their scales, at least.
void equation_scales(std::span<const double> by_velocity, const SparseRows& J,
                     std::span<double> scale);
/// "'name' of joint 'x'".
std::string equation_label(const MechanismSystem& system, int row);

}  // namespace axode
