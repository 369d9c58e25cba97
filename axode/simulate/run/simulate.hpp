/// Simulation of any model: from an initial state, through forces, to samples, events and a verdict.
///
///   const RunResult result = simulate(tree, forces, {q, v}, {.duration = 10, .rtol = 1e-8}, observer);
///
/// The same for trees, mechanisms and flexible trees, and for all their methods. Times at which forces
/// switch are met exactly. The same input gives the same bits, also when continued from a checkpoint.
/// Nothing that can happen to a correct user throws: how it ended is in the result, with the time and the
/// joint, coordinate, equation or link.
/// Units: s, rad, m, N m, N, J.
/// Tests: tests/simulate/run/simulate_test.cpp, simulate_all_test.cpp, simulate_flexible_test.cpp,
/// mechanism/*_test.cpp
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "axode/integrate/stepper.hpp"
#include "axode/mechanism/equations/system.hpp"
#include "axode/model/state.hpp"
#include "axode/simulate/forces/control.hpp"
#include "axode/simulate/forces/forces.hpp"
#include "axode/simulate/run/method.hpp"
#include "axode/simulate/systems/flexible_system.hpp"

namespace axode {

/// A function of the state whose zeros are events. q and v are those of samples: of a mechanism the
/// coordinates and velocities of its system.
struct SimulationEvent {
  std::string name;
  std::function<double(double t, std::span<const double> q, std::span<const double> v)> value;
  int direction = 0;         ///< 1: only when it rises, -1: only when it falls
  bool terminal = false;     ///< ends the run
  double tolerance = 1e-10;  ///< of the time [s]
  /// May change the state at the event, such as an impact does; the integration starts again. Of a
  /// mechanism the nearest state that meets the equations is taken. It should bring to rest what has become
  /// slow: an event that comes again within ten tolerances is not seen.
  std::function<void(double t, std::span<double> q, std::span<double> v)> action = {};
};

/// Settings of mechanisms.
struct MechanismRunOptions {
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
};
/// Settings of flexible trees.
struct FlexibleRunOptions {
  FlexibleDynamicsOptions dynamics{};
  double small_deflection =
      0.1;  ///< of a tip in lengths of its link, of a section's rotation in rad
};

struct SimulateOptions {
  double start = 0, duration = 10;  ///< [s]
  Method method = Method::automatic;
  Formulation formulation = Formulation::relative;  ///< of trees
  double rtol = 1e-6,
         atol = 1e-9;  ///< atol of mechanisms: lengths in units of the size of the model
  /// Fixed step, or first step of methods with step control; of mechanisms all steps but IDA's have this
  /// length. 0: chosen, where fixed 1 ms, of flexible trees 0.1 ms: links vibrate at frequencies far above those
  /// at which joints move, and explicit methods are stable only for h omega < 2 or so.
  double step = 0;
  double max_step = 0;  ///< 0: any
  /// A run that needs more ends, those before a checkpoint counted; 0: a million per second of `duration`,
  /// from ten thousand to ten million, more where `step`, `max_step` or the interval of a control ask for them.
  long max_steps = 0;
  double sample_interval = 0.01;  ///< [s]; 0: every step; mechanisms: and where the run ends
  std::vector<double> sample_times = {};    ///< instead of an interval; increasing
  double checkpoint_interval = 0;           ///< [s] of simulated time; 0: none
  const std::atomic<bool>* stop = nullptr;  ///< ends the run when true
  std::vector<SimulationEvent> events = {};
  Control control{};  ///< instead of the controllers of the model
  MechanismRunOptions mechanism{};
  FlexibleRunOptions flexible{};
};

/// The state at a sample time, and what belongs to it.
struct Sample {
  double t = 0;
  /// Of all joints; of a mechanism those of its system at that moment: Euler angles may sit otherwise than
  /// at the start. NaN where there is no acceleration.
  std::span<const double> q, v, a;
  /// Joint forces of the Forces, losses of the tree left out; generalized forces of control and loads on
  /// a flexible tree; of a mechanism those of drivers and of control, by coordinate.
  std::span<const double> tau;
  double kinetic = 0;    ///< energy of bodies and drives [J]
  double potential = 0;  ///< of gravity; of a mechanism of springs, too
  double stored = 0;     ///< in springs, stops and contacts; in elastic links
  /// Done since the start by all that acts besides gravity; where energy of springs is counted as
  /// potential, or that of elastic links as stored, by all but these.
  double work = 0;
  std::span<const double> lambda{};  ///< multipliers of the equations of a mechanism
  /// Coordinates of a mechanism by name; angles go on over full turns, which are counted between samples
  /// as well. They begin where the coordinates of the system, drivers or starting values say.
  std::span<const TimeValue> coordinates{};
};
struct EventRecord {
  double t = 0;
  int event = 0;  ///< number in the options
};
/// All that continuing to the same bits needs.
struct Checkpoint {
  double t = 0;
  std::vector<double> numbers;
};

struct RunObserver {
  std::function<void(const Sample&)> sample = {};
  std::function<void(const EventRecord&)> event = {};
  std::function<void(const Checkpoint&)> checkpoint = {};
  /// After every accepted step.
  std::function<void(double t, const StepStatistics&)> progress = {};
};

enum class Ending : std::uint8_t {
  finished,
  stopped,  ///< by the flag
  event,    ///< a terminal one
  not_finite,
  step_underflow,
  not_converged,
  singular,    ///< a degree of freedom without inertia, or equations that cannot be met
  step_limit,  ///< more steps than max_steps are needed
  // Of mechanisms, at the start:
  not_assembled,         ///< no position near it meets the equations, or exact_start refused it
  inconsistent_velocity  ///< refused by exact_start, or no velocity meets the equations
};
std::string_view name(Ending ending) noexcept;

/// What only runs of mechanisms have.
struct MechanismRunFigures {
  long restarts = 0;  ///< other forms of equations, seats, independent velocities
  double position_error = 0, velocity_error = 0;  ///< largest |Phi|, |Phi_q v + Phi_t| at samples
  /// Largest part of Phi_q a = c left unmet, relative: > 1e-9 near singular positions only.
  double acceleration_residual = 0;
  bool sure_of_turns = true;  ///< that turns of angles were counted right
  int redundant = 0;          ///< rows that follow from the others at the start
  std::vector<int> left_out;  ///< redundant rows that generalized-alpha and IDA do without
};

struct [[nodiscard]] RunResult {
  Ending ending = Ending::finished;
  double t = 0;                       ///< of the last good state
  std::string message;                ///< what went wrong, when and where; empty if nothing did
  int joint = -1;                     ///< the body whose joint is named, of trees
  std::vector<std::string> warnings;  ///< such as deflections that are not small
  Method method = Method::automatic;  ///< the one taken
  StepStatistics statistics;
  long samples = 0;
  double energy_scale = 0;  ///< largest kinetic energy seen [J]
  /// Largest |E - E0 - work| seen at samples, E kinetic and potential, of flexible trees and stored [J].
  double energy_drift = 0;
  double cpu_seconds = 0;
  State<double> last;
  MechanismRunFigures mechanism;
  long fallbacks =
      0;  ///< evaluations by the exact equations of a flexible tree instead of the linear ones
};

// These throw Error on a state that is not of the model, options out of range, and a method that the kind of
// model or the formulation does not have. A checkpoint is continued with the model, forces, initial
// state and options it was made with: only method and sizes are checked. Methods of SUNDIALS start again at
// each checkpoint, and factorizations of mechanisms do, so that their results depend on the interval
// (mechanisms: in rounding). Exceptions of the observer pass through.

/// A tree. Throws also what check_forces refuses; in absolute coordinates also where a start finds no
/// acceleration.
RunResult simulate(const Tree& tree, const Forces& forces, const State<double>& initial,
                   const SimulateOptions& options = {}, const RunObserver& observer = {},
                   const Checkpoint* resume = nullptr);

/// A mechanism in any coordinates, by any of the ways to integrate constrained equations:
///
///   index 1   [M Phi_q^T; Phi_q 0](a, lambda) = (Q, c): with Baumgarte's stabilization, as
///             augmented Lagrangian, or with projections onto Phi and Phi_q v = -Phi_t
///   null space   q' = R z' + b,  R^T M R z'' = R^T (Q - M (R' z' + b')), z' independent velocities
///   index 3   generalized-alpha, Phi = 0 in each step                      [GarciaBayo ch. 5]
///   index 2, stabilised   generalized-alpha and IDA: Phi = 0 and Phi_q v = -Phi_t
///
/// The ordinary equations are integrated on the group of the coordinates by Munthe-Kaas methods of
/// order 5. Redundant equations are allowed in all of them; singular positions are passed by projections
/// and by the augmented Lagrangian. After each step equations may change their form and Euler angles their
/// seat. Cost: a factorisation per rate, O(n) for loops in a row; null space: O(n f + f^3), f degrees of
/// freedom.
RunResult simulate(MechanismSystem& system, const State<double>& initial,
                   const SimulateOptions& options = {}, const RunObserver& observer = {},
                   const Checkpoint* resume = nullptr);

/// A flexible tree, by the linear or the exact equations; q and v are those of all joints and modes
/// (flexible_tree.hpp). A linear mass matrix that is not positive definite ends the run with link, time and
/// smallest eigenvalue, or is counted where the run may fall back to the exact equations. A deflection
/// beyond small ones is a warning, once for each link.
RunResult simulate(const FlexibleTree& tree, const FlexibleForces& forces,
                   const State<double>& initial, const SimulateOptions& options = {},
                   const RunObserver& observer = {}, const Checkpoint* resume = nullptr);

// What simulate checks before it starts, thrown the same; they return the method it will take.

/// In relative coordinates `automatic` is cvode where there are contacts, which are stiff, else mk5.
Method check_simulation(const Tree& tree, const Forces& forces, const State<double>& initial,
                        const SimulateOptions& options);
/// `automatic` is projection.
Method check_simulation(const MechanismSystem& system, const State<double>& initial,
                        const SimulateOptions& options);
/// `automatic` is cvode, and adams for a relative tolerance below 1e-7, where its higher orders pay: stiff
/// control makes eigenvalues beyond those of the modes, which bind explicit methods to short steps.
Method check_simulation(const FlexibleTree& tree, const FlexibleForces& forces,
                        const State<double>& initial, const SimulateOptions& options);

/// All samples in memory, row by row.
struct Trajectories {
  std::vector<double> t;
  std::vector<std::vector<double>> q, v;
  RunResult result;
};
/// The same, keeping the samples.
Trajectories simulate_to_memory(const Tree& tree, const Forces& forces,
                                const State<double>& initial, const SimulateOptions& options = {});

}  // namespace axode
