/// Simulation of a tree: from an initial state, through forces, to samples, events and a verdict.
///
///   const RunResult result = simulate(tree, forces, {q, v}, {.duration = 10, .rtol = 1e-8}, observer);
///
/// The same for all methods and both formulations: joint coordinates (relative), or all bodies in
/// SE(3) with joints as constraints (absolute). Times at which forces switch are met exactly. The same
/// input gives the same bits, also when continued from a checkpoint. Nothing that can happen to a
/// correct user throws: how it ended is told by the result, with the time and the joint.
/// Units: s, rad, m, N m, N, J.
/// Tests: tests/simulate/run/simulate_test.cpp
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "axode/integrate/stepper.hpp"
#include "axode/model/state.hpp"
#include "axode/simulate/forces/forces.hpp"
#include "axode/simulate/run/method.hpp"

namespace axode {

/// A function of the state whose zeros are wanted.
struct SimulationEvent {
  std::string name;
  std::function<double(double t, std::span<const double> q, std::span<const double> v)> value;
  int direction = 0;         ///< 1: only when it rises, -1: only when it falls
  bool terminal = false;     ///< ends the run
  double tolerance = 1e-10;  ///< of the time [s]
  /// May change the state at the event, such as an impact does; the integration starts anew. It should
  /// bring to rest what has become slow: an event that comes again within ten tolerances is not seen.
  std::function<void(double t, std::span<double> q, std::span<double> v)> action = {};
};

struct SimulateOptions {
  double start = 0, duration = 10;  ///< [s]
  Method method = Method::automatic;
  Formulation formulation = Formulation::relative;
  double rtol = 1e-6, atol = 1e-9;
  double step = 0;      ///< fixed step, or first step; 0: chosen, where fixed 1 ms
  double max_step = 0;  ///< 0: any
  /// A run that needs more ends, those before a checkpoint counted; 0: a million per second of `duration`,
  /// from ten thousand to ten million, more where `step` or `max_step` ask for them.
  long max_steps = 0;
  double sample_interval = 0.01;            ///< [s]; 0: every step
  std::vector<double> sample_times = {};    ///< instead of an interval; increasing
  double checkpoint_interval = 0;           ///< [s] of simulated time; 0: none
  const std::atomic<bool>* stop = nullptr;  ///< ends the run when true
  std::vector<SimulationEvent> events = {};
};

/// The state at a time asked for, and what belongs to it.
struct Sample {
  double t = 0;
  std::span<const double> q, v, a;  ///< of all joints
  std::span<const double> tau;      ///< joint forces of the Forces, losses of the tree left out
  double kinetic = 0;               ///< energy of bodies and drives [J]
  double potential = 0;             ///< of gravity
  double stored = 0;                ///< in springs, stops and contacts
  double work = 0;                  ///< done since the start by all that acts beside gravity
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
  singular,   ///< a freedom without inertia
  step_limit  ///< more steps than max_steps are needed
};
std::string_view name(Ending ending) noexcept;

struct RunResult {
  Ending ending = Ending::finished;
  double t = 0;         ///< of the last good state
  std::string message;  ///< what went wrong, when and at which joint; empty if nothing did
  int joint = -1;       ///< the body whose joint is named
  StepStatistics statistics;
  long samples = 0;
  double energy_scale = 0;  ///< largest kinetic energy seen [J]
  double energy_drift =
      0;  ///< largest |E - E0 - work| seen at samples, E kinetic and potential [J]
  double cpu_seconds = 0;
  State<double> last;
};

/// Throws Error on a state that is not of the tree, options out of range, a method that does not
/// exist for the formulation, and what check_forces refuses; in absolute coordinates also where a start
/// finds no acceleration. A checkpoint is continued with the tree, forces and options it was made with:
/// only method and size are checked. Methods of SUNDIALS start anew at each checkpoint, so that their
/// results depend on the interval. Exceptions of the observer pass through.
RunResult simulate(const Tree& tree, const Forces& forces, const State<double>& initial,
                   const SimulateOptions& options = {}, const RunObserver& observer = {},
                   const Checkpoint* resume = nullptr);

/// What simulate checks before it starts, thrown the same; returns the method it will take. In relative
/// coordinates `automatic` is cvode where there are contacts, which are stiff, else mk5.
Method check_simulation(const Tree& tree, const Forces& forces, const State<double>& initial,
                        const SimulateOptions& options);

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
