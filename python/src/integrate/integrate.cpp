/// Differential equations on Lie groups whose right side is a Python function: axode/integrate.
#include "axode/integrate/integrate.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "axode/core/error.hpp"
#include "axode/integrate/step_limit.hpp"
#include "axode/integrate/steppers/commutator_free.hpp"
#include "axode/integrate/steppers/munthe_kaas.hpp"
#include "axode/integrate/sundials/sundials.hpp"
#include "src/integrate/integrate.hpp"
#include "src/shared/callbacks.hpp"
#include "src/shared/errors.hpp"
#include "src/simulate/simulate.hpp"

namespace axode::python {
namespace {

/// x' = f(t, x), f a Python function, with its derivative from Python or by differences.
struct PyFlow {
  PyFlow(const LieGroup& of, PyFunction right_side, std::optional<PyFunction> derivative)
      : group_(of),
        f(std::move(right_side)),
        df(std::move(derivative)),
        d(of.nv),
        moved(of.nx),
        low(d.size()),
        high(d.size()) {}
  const LieGroup& group() const noexcept { return group_; }
  bool rate(double t, std::span<const double> x, std::span<double> r) {
    const std::size_t shape[] = {d.size()};
    return RunErrors::current()->guard([&] { f.numbers(t, x, shape, r); });
  }
  /// Row by row.
  bool jacobian(double t, std::span<const double> x, std::span<double> A) {
    const std::size_t n = d.size();
    if (df) {
      const std::size_t shape[] = {n, n};
      return RunErrors::current()->guard([&] { df->numbers(t, x, shape, A); });
    }
    for (std::size_t k = 0; k < n; ++k) {
      const double h = 6e-6 * step_scale(x, k);  // cube root of round-off
      const auto side = [&](double sign, std::vector<double>& result) {
        std::fill(d.begin(), d.end(), 0.0);
        d[k] = sign * h;
        plus(group_, x, d, moved);
        return rate(t, moved, result);
      };
      if (!side(-1, low) || !side(1, high)) return false;
      for (std::size_t j = 0; j < n; ++j) A[j * n + k] = (high[j] - low[j]) / (2 * h);
    }
    return true;
  }
  /// Size of the number that velocity k moves; of rotations and displacements 1.
  double step_scale(std::span<const double> x, std::size_t k) const {
    for (const LieGroup::Factor& factor : group_.factors) {
      const std::size_t v = factor.v;
      if (factor.kind == LieGroup::Kind::real && k >= v && k < v + factor.count)
        return std::max(1.0, std::abs(x[factor.x + k - v]));
    }
    return 1;
  }
  LieGroup group_;
  PyFunction f;
  std::optional<PyFunction> df;
  std::vector<double> d, moved, low, high;
};

struct FlowEvent {
  Event event;
  PyFunction value;
  std::optional<PyFunction> action;
};

struct FlowObserver {
  RunErrors& errors;
  const LieGroup& group;
  std::vector<FlowEvent>& events;
  bool every_step;
  std::vector<double> times{}, states{};
  std::vector<std::pair<double, int>> happened{};

  void sample(double t, std::span<const double> x) {
    errors.check_signals();  // one step may have many samples
    if (errors.failed()) return;
    times.push_back(t);
    states.insert(states.end(), x.begin(), x.end());
  }
  double event_value(int i, double t, std::span<const double> x) {
    double value = std::numeric_limits<double>::quiet_NaN();
    errors.guard([&] { value = events[i].value.number(t, x); });
    return value;
  }
  bool event(int i, double t, std::span<double> x) {
    const FlowEvent& e = events[i];
    happened.emplace_back(t, i);
    if (e.action) {
      errors.guard([&] {
        const std::size_t shape[] = {x.size()};
        std::vector<double> changed(x.size());
        e.action->numbers(t, x, shape, changed);
        check_state(group, changed, e.action->name().c_str());
        std::copy(changed.begin(), changed.end(), x.begin());
      });
    }
    return !e.event.terminal;
  }
  template <class Stepper>
  void accepted(const Stepper& stepper) {
    if (every_step) sample(stepper.time(), stepper.state());
    errors.check_signals();
  }
};

struct Outcome {
  IntegrateResult result;
  StepStatistics statistics;
  std::vector<double> last;
};

template <class Stepper>
Outcome run_flow(PyFlow& flow, Stepper&& stepper, double start, double end,
                 const std::vector<double>& x, const IntegratePlan& plan, FlowObserver& observer) {
  stepper.start(flow, start, x);
  if (observer.every_step) observer.sample(start, x);
  Outcome outcome;
  outcome.result = integrate(flow, stepper, end, plan, observer);
  if (observer.times.empty() || observer.times.back() < outcome.result.t)
    if (outcome.result.ending != IntegrateResult::Ending::finished)
      observer.sample(outcome.result.t, outcome.result.x);
  outcome.statistics = stepper.statistics();
  outcome.last = outcome.result.x;
  return outcome;
}

Outcome run_method(PyFlow& flow, const std::string& method, const StepOptions& steps, bool adaptive,
                   double start, double end, const std::vector<double>& x,
                   const IntegratePlan& plan, FlowObserver& observer) {
  const int which = choice(method, "method",
                           {"mk1", "mk2", "mk3", "mk4", "mk5", "cf4", "cvode", "adams", "arkode"});
  if (which >= 6 && !adaptive)
    throw Error("has no fixed step", method.c_str(), "take mk1 to mk5 or cf4");
  if (which < 5)
    return run_flow(flow, MuntheKaas(flow.group(), which + 1, steps, adaptive), start, end, x, plan,
                    observer);
  if (which == 5)
    return run_flow(flow, CommutatorFree(flow.group(), steps, adaptive), start, end, x, plan,
                    observer);
  return run_flow(flow, Sundials(flow.group(), static_cast<SundialsMethod>(which - 6), steps),
                  start, end, x, plan, observer);
}

const char* ending_name(const IntegrateResult& r) {
  switch (r.ending) {
    case IntegrateResult::Ending::finished:
      return "finished";
    case IntegrateResult::Ending::stopped:
      return "stopped";
    case IntegrateResult::Ending::event:
      return "event";
    case IntegrateResult::Ending::accumulated:
      return "events accumulate";
    case IntegrateResult::Ending::step_limit:
      return "step limit";
    default:
      break;
  }
  switch (r.verdict) {
    case StepVerdict::step_underflow:
      return "step underflow";
    case StepVerdict::not_converged:
      return "not converged";
    default:
      return "not finite";
  }
}

template <class T>
T member(const nb::dict& from, const char* key) {
  const nb::object value = from[key];
  T result{};
  if (!nb::try_cast(value, result))
    throw nb::type_error((std::string(key) + ": not of the right type").c_str());
  return result;
}

IntegratePlan plan_from(const nb::dict& options, double start) {
  IntegratePlan plan;
  plan.origin = start;
  const nb::object times = options["sample_times"], jumps = options["discontinuities"];
  if (!times.is_none()) plan.sample_times = vector(times, "sample_times");
  if (times.is_none()) plan.sample_interval = member<double>(options, "sample_interval");
  plan.discontinuities = vector(jumps, "discontinuities");
  return plan;
}

void integrate_flow(nb::handle f, nb::handle x0, double end, const LieGroup& group,
                    const nb::dict& options, nb::handle jacobian, const nb::list& events,
                    nb::dict to) {
  const std::vector<double> x = vector(x0, "x0");
  if (x.size() != static_cast<std::size_t>(group.nx))
    throw Error("has " + std::to_string(x.size()) + " numbers where the group has " +
                    std::to_string(group.nx),
                "x0");
  check_state(group, x, "x0");
  const auto start = member<double>(options, "start");
  if (!std::isfinite(start) || !std::isfinite(end) || end < start)
    throw Error("is not a time after the start", "t_end");
  std::optional<PyFunction> derivative;
  if (!jacobian.is_none()) derivative.emplace(jacobian, "jacobian");
  PyFlow flow(group, PyFunction(f, "f"), derivative);
  IntegratePlan plan = plan_from(options, start);
  std::vector<FlowEvent> watched;
  for (nb::handle from : events) {
    const nb::object name = from.attr("name"), value = from.attr("value"),
                     direction = from.attr("direction"), terminal = from.attr("terminal"),
                     tolerance = from.attr("tolerance"), action = from.attr("action");
    const std::string text = "event '" + text_from(name, "events") + "'";
    FlowEvent e{{.direction = nb::cast<int>(direction),
                 .terminal = nb::cast<bool>(terminal),
                 .tolerance = nb::cast<double>(tolerance)},
                PyFunction(value, text),
                {}};
    if (!action.is_none()) e.action.emplace(action, "action of " + text);
    e.event.restart = e.action.has_value();
    plan.events.push_back(e.event);
    watched.push_back(std::move(e));
  }
  StepOptions steps{.rtol = member<double>(options, "rtol"),
                    .atol = member<double>(options, "atol"),
                    .step = member<double>(options, "step")};
  steps.max_step = member<double>(options, "max_step");
  plan.max_steps = steps_argument(options["max_steps"]);
  if (plan.max_steps == 0)
    plan.max_steps = default_max_steps(end - start, steps.step, steps.max_step, many_steps);
  const bool adaptive = !member<bool>(options, "fixed_step");
  check_interval(plan.sample_interval, start, end, "sample_interval");
  check_interval(steps.step, start, end, "step");
  const auto method = member<std::string>(options, "method");

  RunErrors errors;
  plan.stop = errors.stop();
  FlowObserver observer{errors, flow.group(), watched,
                        plan.sample_interval == 0 && plan.sample_times.empty()};
  Outcome outcome;
  bool known = false;
  {
    const GilRelease release;
    try {
      outcome = run_method(flow, method, steps, adaptive, start, end, x, plan, observer);
      known = true;
    } catch (...) {
      errors.keep(std::current_exception());
    }
  }
  if (!known && observer.times.empty()) errors.rethrow();
  to["t"] = array(observer.times);
  to["x"] = matrix(observer.states, observer.times.size(), x.size());
  nb::list happened;
  for (const auto& [t, i] : observer.happened) happened.append(nb::make_tuple(t, i));
  to["events"] = happened;
  to["known"] = known;
  const StepStatistics& s = outcome.statistics;
  to["ending"] = nb::str(ending_name(outcome.result));
  to["last_t"] = outcome.result.t;
  to["event"] = outcome.result.event;
  to["last"] = array(outcome.last);
  to["statistics"] =
      nb::make_tuple(s.steps, s.rejected, s.rates, s.jacobians, s.factorizations, s.iterations);
  errors.rethrow();
}

}  // namespace

void bind_integrate(nb::module_& m) {
  bind_lie_group(m);
  m.def("_integrate", &integrate_flow, nb::arg("f"), nb::arg("x0"), nb::arg("t_end"),
        nb::arg("group"), nb::arg("options"), nb::arg("jacobian").none(), nb::arg("events"),
        nb::arg("to"));
}

}  // namespace axode::python
