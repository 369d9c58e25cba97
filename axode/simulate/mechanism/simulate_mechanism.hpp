/// Runs of mechanisms in any coordinates, by any of the ways to integrate constrained equations.
///
///   index 1   [M Phi_q^T; Phi_q 0](a, lambda) = (Q, c): with Baumgarte's stabilization, as
///             augmented Lagrangian, or with projections onto Phi and Phi_q v = -Phi_t
///   null space   q' = R z' + b,  R^T M R z'' = R^T (Q - M (R' z' + b')), z' independent velocities
///   index 3   generalized-alpha, Phi = 0 in each step                      [GarciaBayo ch. 5]
///   index 2, stabilised   generalized-alpha and IDA: Phi = 0 and Phi_q v = -Phi_t
///
/// The ordinary equations are integrated on the group of the coordinates by Munthe-Kaas methods of
/// order 5 with error control. Redundant equations are allowed in all of them; singular positions
/// are passed by projections and by the augmented Lagrangian. After each step equations may change
/// their form and Euler angles their seat.
/// Cost: a factorisation per rate, O(n) for loops in a row; null space: O(n f + f^3), f freedoms.
/// Tests: tests/simulate/mechanism/simulate_mechanism_test.cpp
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "axode/integrate/stepper.hpp"
#include "axode/mechanism/equations/system.hpp"

namespace axode {

enum class MechanismMethod : std::uint8_t {
  automatic,  ///< projection
  baumgarte,
  projection,
  augmented_lagrangian,
  null_space,
  generalized_alpha,             ///< direct, index 3: velocities meet Phi_q v = -Phi_t to h^2
  generalized_alpha_stabilized,  ///< index 2: positions and velocities meet the equations
  ida,
};
/// The name in files and commands, such as "null_space".
std::string_view name(MechanismMethod method) noexcept;
/// The reverse; '-' stands for '_' as well. Throws Error naming those that exist.
MechanismMethod mechanism_method_named(std::string_view wanted);

struct MechanismSimulateOptions {
  double start = 0, duration = 1;  ///< [s]
  MechanismMethod method = MechanismMethod::automatic;
  double rtol = 1e-8, atol = 1e-10;  ///< atol: of lengths in units of the size of the model
  /// > 0: all steps have this length [s]; IDA: the first one.
  double step = 0;
  double max_step = std::numeric_limits<double>::infinity();
  /// A run that needs more ends; 0: a million per second of `duration`, from ten thousand to one million,
  /// more where `step` or `max_step` ask for them.
  long max_steps = 0;
  /// Samples at start + k interval, at the times given, and where the run ends; 0 and none: after
  /// each step.
  double sample_interval = 0.01;
  std::vector<double> sample_times{};
  /// Positions and velocities of the start that miss the equations are refused, naming the
  /// equation; else the nearest ones are taken.
  bool exact_start = false;
  double start_tolerance = 1e-8;  ///< of exact_start, in the units of the equations
  double baumgarte_alpha = 20, baumgarte_beta = 20;  ///< [1/s]
  /// Augmented Lagrangian: c - 2 Omega mu Phi' - Omega^2 Phi; penalty 0: chosen by the masses.
  double penalty = 0, omega = 10, mu = 1;
  int max_iterations = 30;             ///< of the augmented Lagrangian
  double iteration_tolerance = 1e-12;  ///< relative, of Phi_q a = c
  bool project = true;                 ///< augmented Lagrangian: with projections after each step
  double spectral_radius = 0.8;        ///< generalized-alpha
  /// Looked at before each step and each sample.
  const std::atomic<bool>* stop = nullptr;
};

struct MechanismSample {
  double t = 0;
  std::span<const double> q, v, a, lambda;
  /// Of the mechanism; angles go on over full turns, which are counted between samples as well. They
  /// begin where the coordinates of the system, drivers or starting values say.
  std::span<const TimeValue> coordinates{};
  double kinetic = 0, potential = 0;  ///< [J]
  double work =
      0;  ///< [J] of drivers, dampers, loads and forces that depend on time, since the start
};

struct MechanismRunResult {
  enum class Ending : std::uint8_t {
    finished,
    stopped,        ///< by the flag
    not_assembled,  ///< no position near the start meets the equations, or exact_start refused it
    inconsistent_velocity,  ///< refused by exact_start, or no velocity meets the equations
    singular,               ///< accelerations are not determined, or equations cannot be met
    not_converged,          ///< steps became too short, or an implicit step was not solved
    not_finite,
    step_limit,  ///< more steps than max_steps are needed
  };
  Ending ending = Ending::finished;
  double t = 0;         ///< reached [s]
  std::string message;  ///< empty when finished
  std::vector<double> q, v;
  StepStatistics statistics;
  long samples = 0,
       restarts = 0;  ///< restarts: other forms of equations, seats, independent velocities
  /// Largest change of kinetic + potential - work since the start, and largest kinetic energy [J].
  double energy_drift = 0, energy_scale = 0;
  double position_error = 0, velocity_error = 0;  ///< largest |Phi|, |Phi_q v + Phi_t| at samples
  /// Largest part of Phi_q a = c left unmet, relative: > 1e-9 near singular positions only.
  double acceleration_residual = 0;
  bool sure_of_turns = true;  ///< that turns of angles were counted right
  int redundant = 0;          ///< rows that follow from the others at the start
  std::vector<int> left_out;  ///< redundant rows that generalized-alpha and IDA do without
};
std::string_view name(MechanismRunResult::Ending ending) noexcept;

/// Runs the system from (q, v); the observer may be empty. In each sample q and v are those of the
/// system at that moment: Euler angles may sit otherwise than at the start. Throws Error on wrong
/// sizes and options.
MechanismRunResult simulate_mechanism(
    MechanismSystem& system, std::vector<double> q, std::vector<double> v,
    const MechanismSimulateOptions& options,
    const std::function<void(const MechanismSample&)>& observer = {});

}  // namespace axode
