// Mechanisms as models of run_loop.hpp: the start, samples, energies, turns of angles, how it ended.
//   energy drift = |T + V - W - (T + V)_0|,  W the work of what has no potential
#pragma once
#include <algorithm>
#include <limits>
#include <utility>

#include "axode/mechanism/analysis/turns.hpp"
#include "axode/mechanism/dynamics/independent_rows.hpp"
#include "axode/mechanism/dynamics/mechanism_dynamics.hpp"
#include "axode/simulate/run/detail/run_loop.hpp"

namespace axode::detail {

/// What the methods have in common. Derived: what a state of the integrator means, look, put, correct.
struct MechanismModel {
  static constexpr bool samples_the_end = true;
  const RunTask& task;
  MechanismSystem& system;
  MechanismDynamics dynamics;
  StateUnits units{};  ///< integrators see lengths in the size of the model
  std::vector<double> q_{}, v_{}, a{}, lambda{};  ///< of the state looked at
  std::vector<double> tau{};                      ///< of drivers and control, by coordinate
  MechanismRunFigures figures{};
  bool project_samples = false;  ///< those between steps are off the equations
  std::string why_not{};         ///< where a stepper could not start, or equations were lost
  TurnCounter turns{};
  std::vector<TimeValue> sampled{};
  std::vector<SE3<double>> poses{};
  std::vector<Twist<Rep::hybrid>> twists{};
  std::vector<Vec6<double>> rates{};

  MechanismModel(const RunTask& of, MechanismSystem& with);

  /// The start made consistent: becomes q(), v(); false: result says why not.
  bool begin(const State<double>& initial, RunResult& result);

  const std::vector<double>& q() const noexcept { return q_; }
  const std::vector<double>& v() const noexcept { return v_; }
  double fill(double t, Sample& s);
  double energy(double t) { return system.kinetic_energy(q_, v_) + system.potential_energy(t, q_); }
  bool does_work() const noexcept { return dynamics.does_work(); }
  double power(double t);
  template <class F>
  void see_controlled(F&& f) {
    const MechanismSystem::ControlView seen = system.control_state(q_, v_);
    f(seen.value, seen.rate);
  }
  static double next_discontinuity(double) { return std::numeric_limits<double>::infinity(); }
  static void stepped(double, std::span<const double>) {}
  /// Turns of angles up to t, which is within the step: in parts where they turn far.
  template <class Read>
  void follow(double t, Read&& read) {
    constexpr int max_halves = 12;
    if (task.observer.sample) count_turns(t, read, max_halves);
  }
  template <class Read>
  void count_turns(double t, Read& read, int halves) {
    if (!(t > turns.last_time())) return;
    read(t);
    std::vector<TimeValue> now = coordinates();
    if (halves > 0 && !turns.is_near(system.mechanism(), t, now)) {
      count_turns((turns.last_time() + t) / 2, read, halves - 1);
      count_turns(t, read, halves - 1);
      return;
    }
    turns.next(system.mechanism(), t, std::move(now));
  }
  void save(std::vector<double>& numbers);
  void load(SavedNumbers& saved);
  long factorizations() const noexcept { return dynamics.factorizations(); }
  void explain(StepVerdict verdict, RunResult& result) const;
  void explain_limit(const StepLimit& limit, RunResult& result);
  void finish(RunResult& result);

  /// x = (q, v) in units, and what x says; more numbers of x are left alone.
  void to_units(std::span<const double> q, std::span<const double> v, std::span<double> x) const;
  void from_units(std::span<const double> x, std::span<double> q, std::span<double> v) const;
  /// After an action: q_ and v_ become the nearest state that meets the equations. Throws Error if there
  /// is none.
  void meet_equations(double t, std::span<const double> q, std::span<const double> v);
  /// Forms and seats are chosen again where they should be; whether they were.
  bool refresh();

 private:
  /// Those of q_ and v_ with their rates.
  std::vector<TimeValue> coordinates();
  void find_driving_forces(double t);
  void begin_turns(double t);
  std::span<const TimeValue> with_turns(double t);
};

/// Only those that have velocities; by an index-1 method, also with none.
RunResult run_index_one(const RunTask& task, MechanismSystem& system, const State<double>& initial);
RunResult run_null_space(const RunTask& task, MechanismSystem& system,
                         const State<double>& initial);
RunResult run_implicit(const RunTask& task, MechanismSystem& system, const State<double>& initial);

}  // namespace axode::detail
