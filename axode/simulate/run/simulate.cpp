#include "axode/simulate/run/simulate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "axode/dynamics/errors.hpp"
#include "axode/simulate/run/detail/run_loop.hpp"

namespace axode {

namespace {

constexpr double default_fixed_step = 1e-3;

std::string number(double x) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", x);
  return text.data();
}

void require(bool holds, const char* problem, const char* remedy) {
  if (!holds) throw Error(problem, "simulate", remedy);
}

/// Throws LimitError if intervals are so short that a run would not end.
void require_fewer(double duration, double interval, const char* what) {
  constexpr double most = 1e12;
  if (interval > 0 && duration / interval > most)
    throw LimitError("more than 1e12 " + std::string(what) + " are asked for", "simulate",
                     "give a longer interval");
}

void check_options(const Tree& tree, const State<double>& initial, const SimulateOptions& o) {
  check_configuration(tree, initial.q);
  check_velocity(tree, initial.v);
  detail::check_couplings(tree, initial.q, initial.v, "simulate");
  require(std::isfinite(o.start), "the start is not a time", "give a finite number of seconds");
  require(std::isfinite(o.duration) && o.duration >= 0, "the duration is not a time",
          "give a number of seconds, zero or more");
  const auto is_length = [](double x) { return std::isfinite(x) && x >= 0; };
  require(is_length(o.rtol) && is_length(o.atol) && o.rtol + o.atol > 0,
          "tolerances must not be negative, nor both zero", "give rtol such as 1e-6");
  require(is_length(o.step) && is_length(o.max_step), "a step is negative or not a number",
          "give seconds, or 0 for the default");
  require(is_length(o.sample_interval) && is_length(o.checkpoint_interval),
          "an interval is negative or not a number", "give seconds, or 0");
  const double latest = std::max(std::abs(o.start), std::abs(o.start + o.duration));
  const double sampled = o.sample_times.empty() ? o.sample_interval : 0;
  for (const double interval : {sampled, o.checkpoint_interval})
    require(interval == 0 || latest + interval > latest,
            "an interval is lost in the rounding of the time", "start nearer to 0");
  require(std::is_sorted(o.sample_times.begin(), o.sample_times.end()),
          "sample times do not increase", "sort them");
  require(o.sample_times.empty() ||
              (o.sample_times.front() >= o.start && o.sample_times.back() <= o.start + o.duration),
          "a sample time is outside the run", "leave it out, or let the run be longer");
  require_fewer(o.duration, o.sample_interval, "samples");
  require_fewer(o.duration, o.checkpoint_interval, "checkpoints");
  require_fewer(o.duration, o.step, "steps");
  require_fewer(o.duration, o.max_step, "steps");
  require(o.max_steps >= 0, "max_steps is negative", "give a number of steps, 0 for the default");
  for (const SimulationEvent& e : o.events)
    require(static_cast<bool>(e.value), "an event has no function", "set its `value`");
}

/// The joint with the largest of the numbers, by velocity.
int wildest_joint(const Tree& tree, const std::vector<double>& numbers, double& size) {
  int joint = -1;
  size = -1;
  for (int i = 0; i < tree.size(); ++i) {
    const Link& link = tree.links[i];
    for (int k = link.v; k < link.v + link.nv; ++k) {
      const double x = std::abs(numbers[k]);
      if (x > size) size = x, joint = i;
    }
  }
  return joint;
}

std::string joint_text(const Tree& tree, int joint) {
  return joint < 0 ? "the tree" : "joint '" + tree.bodies[joint].joint_name + "'";
}

int first_not_finite(const Tree& tree, const std::vector<double>& numbers) {
  for (int i = 0; i < tree.size(); ++i) {
    const Link& link = tree.links[i];
    for (int k = link.v; k < link.v + link.nv; ++k)
      if (!std::isfinite(numbers[k])) return i;
  }
  return -1;
}

}  // namespace

std::string_view name(Ending ending) noexcept {
  constexpr std::array<std::string_view, 8> names{"finished",   "stopped",        "event",
                                                  "not finite", "step underflow", "not converged",
                                                  "singular",   "step limit"};
  return names[std::size_t(ending)];
}

namespace detail {

StepOptions step_options(const RunTask& task) {
  const SimulateOptions& o = task.options;
  StepOptions result{.rtol = o.rtol, .atol = o.atol, .step = o.step};
  if (o.max_step > 0) result.max_step = o.max_step;
  if (o.step == 0 && has_fixed_step(task.method)) result.step = default_fixed_step;
  return result;
}

IntegratePlan integrate_plan(const RunTask& task) {
  const SimulateOptions& o = task.options;
  IntegratePlan plan;
  plan.origin = o.start;
  if (o.sample_times.empty()) plan.sample_interval = o.sample_interval;
  plan.sample_times = o.sample_times;
  plan.checkpoint_interval = task.observer.checkpoint ? o.checkpoint_interval : 0;
  plan.max_steps = o.max_steps > 0 ? o.max_steps
                                   : default_max_steps(o.duration, o.step, o.max_step,
                                                       share_of_steps(many_steps, o.duration));
  plan.stop = o.stop;
  for (const SimulationEvent& e : o.events)
    plan.events.push_back({.direction = e.direction,
                           .terminal = e.terminal,
                           .tolerance = e.tolerance,
                           .restart = static_cast<bool>(e.action)});
  return plan;
}

void explain_failure(const RunTask& task, StepVerdict verdict, TreeSystem& at, RunResult& result) {
  const std::string when = "at t = " + number(result.t) + " s";
  const bool evaluated = at.evaluate(result.t);
  double size = 0;
  const bool wild = verdict == StepVerdict::not_finite || verdict == StepVerdict::no_rate;
  result.joint = at.singular_body() >= 0
                     ? at.singular_body()
                     : wildest_joint(task.tree, wild ? at.all_v() : at.all_a(), size);
  const std::string joint = joint_text(task.tree, result.joint);
  const std::string accelerating = joint + (wild ? " moves fastest, " : " accelerates most, ") +
                                   number(size) + (wild ? " rad/s or m/s" : " rad/s^2 or m/s^2");
  if (!evaluated && at.singular_body() >= 0) {
    result.ending = Ending::singular;
    result.message = when + ": " + joint +
                     " has a freedom that moves no inertia; give its body a mass or its drive an "
                     "armature";
    return;
  }
  if (const int pushed = first_not_finite(task.tree, at.joint_forces()); pushed >= 0) {
    result.ending = Ending::not_finite;
    result.joint = pushed;
    result.message = when + ": the force on joint '" + task.tree.bodies[pushed].joint_name +
                     "' is not a number; check the expressions and functions that act on it";
    return;
  }
  switch (verdict) {
    case StepVerdict::step_underflow:
      result.ending = Ending::step_underflow;
      result.message =
          when + ": the tolerance is not met by the smallest step; " + accelerating +
          "; loosen rtol, soften the forces or take a method for stiff systems (cvode)";
      break;
    case StepVerdict::not_converged:
      result.ending = Ending::not_converged;
      result.message = when + ": the equations of a step were not solved; " + accelerating +
                       "; take a smaller step or another method";
      break;
    default:
      result.ending = Ending::not_finite;
      result.message =
          when + ": the solution diverges, numbers are no longer finite or beyond all bounds; " +
          accelerating + "; take a smaller step or a method with step control";
  }
}

void explain_limit(const RunTask& task, TreeSystem& at, const StepLimit& limit, RunResult& result) {
  double size = 0;
  if (at.evaluate(result.t)) result.joint = wildest_joint(task.tree, at.all_a(), size);
  result.ending = Ending::step_limit;
  result.message = "at t = " + number(result.t) + " s, after " + limit_text(limit, result.t) +
                   "; " + joint_text(task.tree, result.joint) + " accelerates most, " +
                   number(size) +
                   " rad/s^2 or m/s^2; check forces, damping and masses, take a method for stiff "
                   "systems (cvode), or raise max_steps";
}

void explain_event(const RunTask& task, int event, bool without_end, RunResult& result) {
  const std::string which = "event '" + task.options.events[event].name + "'";
  result.ending = without_end ? Ending::not_converged : Ending::event;
  result.message = "at t = " + number(result.t) + " s: " + which +
                   (without_end ? " happens again and again in no time; let its action bring the "
                                  "system to rest, or make it terminal"
                                : " ended the run");
}

}  // namespace detail

Method check_simulation(const Tree& tree, const Forces& forces, const State<double>& initial,
                        const SimulateOptions& options) {
  check_options(tree, initial, options);
  check_forces(tree, forces);
  if (options.method == Method::automatic && options.formulation == Formulation::relative &&
      !forces.contacts.empty())
    return Method::cvode;
  return method_for(options.method, options.formulation);
}

RunResult simulate(const Tree& tree, const Forces& forces, const State<double>& initial,
                   const SimulateOptions& options, const RunObserver& observer,
                   const Checkpoint* resume) {
  const Method method = check_simulation(tree, forces, initial, options);
  const detail::RunTask task{tree, forces, initial, options, observer, resume, method};
  switch (method) {
    case Method::momentum_preserving:
    case Method::variational:
      return detail::run_geometric(task);
    case Method::cvode:
    case Method::adams:
    case Method::arkode:
      return detail::run_sundials(task);
    case Method::generalized_alpha:
    case Method::ida:
      return detail::run_absolute(task);
    default:
      return detail::run_explicit(task);
  }
}

Trajectories simulate_to_memory(const Tree& tree, const Forces& forces,
                                const State<double>& initial, const SimulateOptions& options) {
  Trajectories all;
  RunObserver observer;
  observer.sample = [&](const Sample& s) {
    all.t.push_back(s.t);
    all.q.emplace_back(s.q.begin(), s.q.end());
    all.v.emplace_back(s.v.begin(), s.v.end());
  };
  all.result = simulate(tree, forces, initial, options, observer);
  return all;
}

}  // namespace axode
