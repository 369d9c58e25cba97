/// Simulation of a flexible tree: from an initial state, through control and loads, to samples and
/// a verdict, by the linear or the exact equations.
///
///   const FlexibleRunResult result =
///       simulate_flexible(tree, forces, q, v, {.duration = 6, .rtol = 1e-8}, observer);
///
/// Coordinates and rates of all joints and modes (flexible_tree.hpp); times at which targets,
/// signals and prescribed motions switch are met exactly. A linear mass matrix that is not positive
/// definite ends the run with link, time and smallest eigenvalue, or is counted where the run may
/// fall back to the exact equations. Deflections beyond small ones are told once for each link.
/// Units: s, rad, m, N m, N, J.
/// Tests: tests/simulate/run/simulate_flexible_test.cpp
#pragma once
#include <functional>
#include <string>

#include "axode/simulate/run/simulate.hpp"
#include "axode/simulate/systems/flexible_system.hpp"

namespace axode {

struct FlexibleSimulateOptions {
  double start = 0, duration = 1;     ///< [s]
  Method method = Method::automatic;  ///< automatic: cvode or adams
  double rtol = 1e-6, atol = 1e-6;
  double step = 0;      ///< fixed step, or first step; 0: chosen, where fixed 0.1 ms
  double max_step = 0;  ///< 0: any
  /// A run that needs more ends; 0: a million per second of `duration`, from ten thousand to one million,
  /// more where `step` or `max_step` ask for them.
  long max_steps = 0;
  double sample_interval = 0.01;          ///< [s]; 0: every step
  std::vector<double> sample_times = {};  ///< instead of an interval; increasing
  FlexibleDynamicsOptions dynamics{};
  const std::atomic<bool>* stop = nullptr;  ///< ends the run when true
  double small_deflection =
      0.1;  ///< of a tip in lengths of its link, of a section's rotation in rad
};

/// The state at a time asked for, and what belongs to it.
struct FlexibleSample {
  double t = 0;
  std::span<const double> q, v, rates;  ///< of all coordinates; rates: v'
  std::span<const double> tau;          ///< generalized forces of control, loads, ...
  double kinetic = 0, gravity = 0, elastic = 0, work = 0;  ///< [J]
};

struct FlexibleRunResult {
  Ending ending = Ending::finished;
  double t = 0;         ///< of the last good state
  std::string message;  ///< what went wrong, when and at which link; empty if nothing did
  std::vector<std::string> warnings;  ///< such as deflections that are not small
  Method method = Method::automatic;  ///< the one taken
  StepStatistics statistics;
  long samples = 0;
  long fallbacks = 0;  ///< evaluations by the exact equations instead of the linear ones
  double energy_drift =
      0;  ///< largest |E - E0 - work| at samples, E of motion, gravity and elasticity
  double energy_scale = 0;  ///< largest kinetic energy seen [J]
  double cpu_seconds = 0;
  std::vector<double> q, v;  ///< at the end
};

/// Throws Error on states and forces that are not of the tree, options out of range and methods
/// that do not exist here. Exceptions of the observer pass through.
FlexibleRunResult simulate_flexible(
    const FlexibleTree& tree, const FlexibleForces& forces, std::vector<double> q,
    std::vector<double> v, const FlexibleSimulateOptions& options = {},
    const std::function<void(const FlexibleSample&)>& observer = {});

/// What simulate_flexible checks before it starts, thrown the same; returns the method it will
/// take. All methods exist but momentum_preserving, which keeps momenta of rigid bodies. `automatic` is cvode,
/// and adams for tolerances below 1e-7, where its higher orders pay: stiff control makes eigenvalues
/// beyond those of the modes, which bind explicit methods to short steps.
Method check_flexible_simulation(const FlexibleTree& tree, const FlexibleForces& forces,
                                 std::span<const double> q, std::span<const double> v,
                                 const FlexibleSimulateOptions& options);

}  // namespace axode
