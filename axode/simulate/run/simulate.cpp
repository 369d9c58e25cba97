#include "axode/simulate/run/simulate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "axode/integrate/sample_clock.hpp"
#include "axode/simulate/run/detail/run_loop.hpp"

namespace axode {

namespace {

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

}  // namespace

std::string_view name(Ending ending) noexcept {
  constexpr std::array<std::string_view, 10> names{
      "finished",      "stopped",  "event",      "not finite",    "step underflow",
      "not converged", "singular", "step limit", "not assembled", "inconsistent velocity"};
  return names[std::size_t(ending)];
}

namespace detail {

std::string six_digits(double x) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", x);
  return text.data();
}

void check_options(const SimulateOptions& o) {
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
  require(o.control.force || (o.control.interval == 0 && o.control.coordinates.empty()),
          "there is an interval or coordinates of control, but no control", "set its `force`");
  if (o.control.force) control_of(o, 0);
  for (const SimulationEvent& e : o.events)
    require(static_cast<bool>(e.value), "an event has no function", "set its `value`");
}

namespace {
/// No step is longer than an interval of control; 0: any.
double longest_step(const SimulateOptions& o) {
  const double held = o.control.force ? o.control.interval : 0;
  return held > 0 && (o.max_step == 0 || held < o.max_step) ? held : o.max_step;
}
}  // namespace

std::optional<ControlForce> control_of(const SimulateOptions& options, int size) {
  if (!options.control.force) return {};
  return ControlForce(options.control, size, options.start, options.duration);
}

StepOptions step_options(const RunTask& task) {
  const SimulateOptions& o = task.options;
  StepOptions result{.rtol = o.rtol, .atol = o.atol, .step = o.step};
  if (o.max_step > 0) result.max_step = o.max_step;
  if (o.step == 0 && has_fixed_step(task.method)) result.step = task.fixed_step;
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
                                   : default_max_steps(o.duration, o.step, longest_step(o),
                                                       share_of_steps(many_steps, o.duration));
  plan.stop = o.stop;
  for (const SimulationEvent& e : o.events)
    plan.events.push_back({.direction = e.direction,
                           .terminal = e.terminal,
                           .tolerance = e.tolerance,
                           .restart = static_cast<bool>(e.action)});
  return plan;
}

bool is_sampled(const RunTask& task, const IntegratePlan& plan, double t) {
  SampleClock clock{plan.origin, plan.sample_interval, task.end(), plan.sample_times};
  clock.begin(t, false);
  return task.every_step() || clock.next() == t;
}

void explain_event(const RunTask& task, int event, bool without_end, RunResult& result) {
  const std::string which = "event '" + task.options.events[event].name + "'";
  result.ending = without_end ? Ending::not_converged : Ending::event;
  result.message = "at t = " + six_digits(result.t) + " s: " + which +
                   (without_end ? " happens again and again in no time; let its action bring the "
                                  "system to rest, or make it terminal"
                                : " ended the run");
}

// --- checkpoints ------------------------------------------------------------------------------------

double SavedNumbers::take() {
  if (numbers_->empty())
    throw Error("the checkpoint has too few numbers", "simulate",
                "resume with the model and options of the first run");
  const double first = numbers_->front();
  *numbers_ = numbers_->subspan(1);
  return first;
}

std::vector<double> SavedNumbers::take_list() {
  const double n = take();
  if (!(n >= 0 && n <= static_cast<double>(numbers_->size())))
    throw Error("a count of the checkpoint is out of range", "simulate", "take an earlier one");
  const std::span<const double> list = numbers_->first(static_cast<std::size_t>(n));
  *numbers_ = numbers_->subspan(list.size());
  return {list.begin(), list.end()};
}

void SavedNumbers::take_into(std::span<double> list) {
  const std::vector<double> saved = take_list();
  if (saved.size() != list.size())
    throw Error("the checkpoint is that of another model", "simulate",
                "resume with the model and options of the first run");
  std::ranges::copy(saved, list.begin());
}

void save_list(std::span<const double> list, std::vector<double>& numbers) {
  numbers.push_back(static_cast<double>(list.size()));
  numbers.insert(numbers.end(), list.begin(), list.end());
}

void save(const RunTask& task, double t, const Tally& tally, const StepStatistics& counts,
          std::vector<double>& numbers) {
  numbers = {static_cast<double>(task.method),
             tally.energy_0,
             tally.drift,
             tally.scale,
             tally.work,
             tally.samples,
             static_cast<double>(counts.steps),
             static_cast<double>(counts.rejected),
             static_cast<double>(counts.rates),
             static_cast<double>(counts.jacobians),
             static_cast<double>(counts.factorizations),
             static_cast<double>(counts.iterations),
             static_cast<double>(tally.limit.steps),
             static_cast<double>(tally.limit.looked_at),
             tally.limit.looked_time,
             static_cast<double>(tally.events.size())};
  for (const EventPast& past : tally.events)
    numbers.insert(numbers.end(), {past.restarted, past.interval, past.ratio, past.slope,
                                   past.beyond, past.returned});
  if (task.control && task.control->is_sampled()) save_list(task.control->saved(t), numbers);
}

Tally tally_from(const RunTask& task, std::span<const double>& numbers) {
  constexpr std::size_t fixed = 16, first_count = 6, per_event = 6;
  const std::span<const double> n = numbers;
  if (n.size() < fixed || n[0] != static_cast<double>(task.method))
    throw Error("the checkpoint is that of another method", "simulate",
                "resume with the options of the first run");
  for (std::size_t i = first_count; i < fixed; ++i)
    if (!(std::abs(n[i]) < 1e15))
      throw Error("a count of the checkpoint is out of range", "simulate", "take an earlier one");
  const auto count = [&](std::size_t i) { return static_cast<long>(n[i]); };
  Tally tally{n[1], n[2], n[3],
              n[4], n[5], {count(6), count(7), count(8), count(9), count(10), count(11)},
              {},   {}};
  tally.limit = {.steps = count(12), .looked_at = count(13), .looked_time = n[14]};
  const long events = count(fixed - 1);
  if (events < 0 || std::size_t(events) > (n.size() - fixed) / per_event ||
      tally.limit.looked_at < 0 || tally.limit.steps < tally.limit.looked_at)
    throw Error("a count of the checkpoint is out of range", "simulate", "take an earlier one");
  for (long k = 0; k < events; ++k) {
    const std::span<const double> past = n.subspan(fixed + per_event * std::size_t(k), per_event);
    tally.events.push_back({past[0], past[1], past[2], past[3], past[4], past[5]});
  }
  if (tally.events.size() != task.options.events.size())  // a run may go on with other events
    tally.events.assign(task.options.events.size(), {});
  numbers = n.subspan(fixed + per_event * std::size_t(events));
  if (task.control && task.control->is_sampled()) {
    SavedNumbers saved(numbers);
    task.control->load(task.resume->t, saved.take_list());
  }
  return tally;
}

}  // namespace detail
}  // namespace axode
