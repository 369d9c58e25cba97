// What all methods of simulate_mechanism.hpp share: the start, samples, energies, how it ended.
//   energy drift = |T + V - W - (T + V)_0|,  W the work of what has no potential
#pragma once
#include "axode/integrate/sample_clock.hpp"
#include "axode/integrate/step_limit.hpp"
#include "axode/mechanism/analysis/turns.hpp"
#include "axode/mechanism/dynamics/independent_rows.hpp"
#include "axode/mechanism/dynamics/mechanism_dynamics.hpp"
#include "axode/simulate/mechanism/simulate_mechanism.hpp"

namespace axode::detail {

struct MechanismRun {
  MechanismSystem& system;
  const MechanismSimulateOptions& options;
  const std::function<void(const MechanismSample&)>& observer;
  MechanismDynamics dynamics;
  MechanismRunResult result{};
  SampleClock clock{};
  StepLimit limit{};
  bool project_samples = false;  ///< those between steps are off the equations
  double energy_0 = 0, last_sample = -std::numeric_limits<double>::infinity();
  std::vector<double> q{}, v{}, a{}, lambda{};  ///< of the sample at work
  TurnCounter turns{};
  std::vector<TimeValue> sampled{};
  std::vector<SE3<double>> poses{};
  std::vector<Twist<Rep::hybrid>> twists{};
  std::vector<Vec6<double>> rates{};
  StateUnits units{};  ///< integrators see lengths in the size of the model

  double t_end() const noexcept { return options.start + options.duration; }
  bool every_step() const noexcept {
    return options.sample_interval == 0 && options.sample_times.empty();
  }
  /// x = (q, v) in units, and what x says; more numbers of x are left alone.
  void to_units(std::span<const double> q_in, std::span<const double> v_in,
                std::span<double> x) const;
  void from_units(std::span<const double> x, std::span<double> q_out,
                  std::span<double> v_out) const;
  /// The state made consistent, the first sample; false: result says why not.
  bool begin(std::vector<double> q0, std::vector<double> v0);
  /// A sample of the state in q and v.
  void sample(double t, double work);
  /// The last sample, which no run goes without, and where it came.
  void end(double t, double work);
  /// Samples due up to t: read(at) makes q and v those at that time and returns the work. False if
  /// the run is stopped meanwhile: one step may have millions of them.
  template <class Read>
  bool give_samples(double t, Read&& read) {
    for (; clock.next() <= t; clock.advance()) {
      const double time = clock.next();
      if (is_told_to_stop(time)) return false;
      count_turns(time, read, max_halves);
      sample(time, read(time));
    }
    count_turns(t, read, max_halves);
    if (every_step()) sample(t, read(t));
    return true;
  }
  /// Turns of angles up to t, which is within the step: in parts where they turn far.
  template <class Read>
  void count_turns(double t, Read&& read, int halves) {
    if (!observer || !(t > turns.last_time())) return;
    read(t);
    std::vector<TimeValue> now = coordinates();
    if (halves > 0 && !turns.is_near(system.mechanism(), t, now)) {
      count_turns((turns.last_time() + t) / 2, read, halves - 1);
      count_turns(t, read, halves - 1);
      return;
    }
    turns.next(system.mechanism(), t, std::move(now));
  }
  static constexpr int max_halves = 12;
  /// Those of q and v with their rates.
  std::vector<TimeValue> coordinates();
  void begin_turns(double t);
  std::span<const TimeValue> with_turns(double t);
  bool fail(MechanismRunResult::Ending ending, double t, const std::string& what);
  bool fail(StepVerdict verdict, double t);
  bool is_told_to_stop(double t);
  /// Before a step from t: the user stops the run, or it needs too many steps.
  bool should_end(double t);
};

/// By an index-1 method or null space; by generalized-alpha or IDA.
void run_index_one(MechanismRun& run);
void run_null_space(MechanismRun& run);
void run_implicit(MechanismRun& run);

}  // namespace axode::detail
