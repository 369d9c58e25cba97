/// Runs a stepper to an end: samples, events, discontinuities, checkpoints, a flag to stop.
///
/// Samples come from dense output, so steps do not depend on them. An event is a change of sign of
/// g_i(t, x) in its direction, seen at a few points of each step and located on the dense output
/// [Chandrupatla]; events of one step are handled in the order of time, those within the tolerance
/// of the first together with it. The time before a discontinuity and the time after it are apart:
/// the last step ends one rounding before, the next begins at it, so a rate that switches at `t >=
/// t_s` is smooth in every step. A run ends where an event restarts it again and again at
/// intervals that shrink to the tolerance of its time, as the last bounces of a ball do, where the motion
/// through an event is stopped and comes to rest there, and where it needs too many steps. Cost beside the steps: one interpolation per sample, 4 per step with
/// events.
/// Tests: tests/integrate/integrate_test.cpp
#pragma once
#include <atomic>
#include <limits>
#include <span>
#include <vector>

#include "axode/integrate/stepper.hpp"

namespace axode {

/// When g_i changes its sign.
struct Event {
  int direction = 0;         ///< +1: rising only, -1: falling only
  bool terminal = false;     ///< ends the run
  double tolerance = 1e-10;  ///< of its time
  bool restart = false;      ///< the rate changes at it even if the state does not
};
/// What an event that restarts the run was like the last time.
struct EventPast {
  double restarted = -std::numeric_limits<double>::infinity();  ///< when
  double interval = std::numeric_limits<double>::infinity();    ///< since the time before
  double ratio = std::numeric_limits<double>::infinity();       ///< of that to the interval before
  double slope = 0;     ///< |dg_i/dt| before the restart; the largest, while it returned each time
  double beyond = 0;    ///< the sign of g_i behind the event
  double returned = 0;  ///< 1: g_i went back from there
};

/// What an observer did to the state after a step.
enum class Correction {
  unchanged,
  state,  ///< moved, as projections do
  equations,  ///< the rate is another one from there on, and numbers of the state may mean something else
  lost        ///< no state near it will do: the run fails
};

struct IntegratePlan {
  double origin =
      0;  ///< start of the whole run: samples and checkpoints are at origin + k interval
  bool resumed = false;                   ///< samples at the time of the start were given before
  double sample_interval = 0;             ///< 0: only at sample_times
  std::vector<double> sample_times{};     ///< rising
  std::vector<double> discontinuities{};  ///< rising; the step ends there and a new one is started
  std::vector<Event> events{};
  int event_checks = 4;            ///< points of a step at which signs are looked at
  double checkpoint_interval = 0;  ///< of simulated time; 0: none
  long max_steps = 0;              ///< 0: any number; see step_limit.hpp
  /// Looked at before each step and each sample: samples that are left of a step are not given then.
  const std::atomic<bool>* stop = nullptr;
};

struct [[nodiscard]] IntegrateResult {
  enum class Ending {
    finished,
    stopped,
    event,
    failed,
    accumulated,  ///< `event` came at ever shorter intervals, down to some ten tolerances, or rests
    step_limit
  };
  Ending ending = Ending::finished;
  StepVerdict verdict = StepVerdict::ok;  ///< of the last step
  double t = 0;
  std::vector<double> x{};  ///< the state at t
  int event = -1;           ///< the one that ended the run
  long events = 0;          ///< how many were handled
  long steps = 0;           ///< how many were tried, with those counted before in step_limit()
};

/// Runs the stepper, which was started or loaded, from its time to t_end. At the end its time and
/// state are those of the last good step, or of the event that ended the run. Those of the result are
/// the same, but where the run was stopped among the samples of a step: then they are those of the last
/// sample or event that was given.
///
/// The observer may have any of these (all times of one run in order):
///   void sample(double t, std::span<const double> x);
///   double event_value(int i, double t, std::span<const double> x);       g_i, needed for events
///   bool event(int i, double t, std::span<double> x);   may change x, which restarts the stepper;
///                                                       false ends the run
///   EventPast& event_past(int i);                       kept there, for runs that are continued
///   StepLimit& step_limit();                            kept there: a run that is continued counts on
///   double next_discontinuity(double t);                the first after t, or infinity
///   void begun(Stepper&);                               after the samples at the start
///   void checkpoint(Stepper&);                          after a step, its samples and events
///   void step(const Stepper&);                          after every step, before its events
///   void accepted(const Stepper&);                      after what remains of it
///   Correction correct(double t, std::span<double> x);  after that, unless an event has restarted the run:
///                                                       may change x, and what it means; the stepper begins
///                                                       again there, before the checkpoint
/// One-step methods with a member replace(x) keep the length of their steps where x was corrected.
/// Throws Error if an interval is negative or times are not in order. An event that comes again within
/// ten tolerances of one that restarted the run is not seen.
template <class System, Stepper<System> S, class Observer>
IntegrateResult integrate(System& system, S& stepper, double t_end, const IntegratePlan& plan,
                          Observer& observer);

/// Throws Error for a plan that cannot be followed.
void check_plan(const IntegratePlan& plan, double t, double t_end);

}  // namespace axode
#include "axode/integrate/detail/integrate.hpp"
