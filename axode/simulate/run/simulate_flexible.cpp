#include "axode/simulate/run/simulate_flexible.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "axode/core/error.hpp"
#include "axode/core/finite.hpp"
#include "axode/integrate/steppers/commutator_free.hpp"
#include "axode/integrate/steppers/generalized_alpha.hpp"
#include "axode/integrate/steppers/munthe_kaas.hpp"
#include "axode/integrate/steppers/semi_implicit_euler.hpp"
#include "axode/integrate/steppers/variational.hpp"
#include "axode/integrate/sundials/ida.hpp"
#include "axode/integrate/sundials/sundials.hpp"
#include "axode/simulate/run/detail/flexible_run.hpp"

namespace axode {

namespace {

constexpr double default_flexible_step = 1e-4;

void require_option(bool holds, const char* problem, const char* remedy) {
  if (!holds) throw Error(problem, "simulate", remedy);
}

/// The coordinate that moves fastest.
std::string fastest_coordinate(const FlexibleTree& tree, std::span<const double> v) {
  const auto most = std::max_element(v.begin(), v.end(),
                                     [](double a, double b) { return std::abs(a) < std::abs(b); });
  return fmt::format("'{}' moves fastest, {:.6g} 1/s", tree.coordinate_names[most - v.begin()],
                     *most);
}

/// The link whose joint or mode a coordinate is.
int link_of(const FlexibleTree& tree, int coordinate) {
  const auto owner = std::find_if(tree.links.begin(), tree.links.end(), [&](const FlexibleLink& l) {
    return coordinate == l.coordinate ||
           (coordinate >= l.first_mode && coordinate < l.first_mode + l.invariants.modes);
  });
  return static_cast<int>(owner - tree.links.begin());
}

void check_options(const FlexibleSimulateOptions& o) {
  constexpr double most = 1e12;
  const auto is_length = [](double x) { return std::isfinite(x) && x >= 0; };
  const auto few = [&](double interval) { return interval == 0 || o.duration / interval <= most; };
  require_option(std::isfinite(o.start), "the start is not a time",
                 "give a finite number of seconds");
  require_option(is_length(o.duration), "the duration is not a time", "give seconds, zero or more");
  require_option(is_length(o.rtol) && is_length(o.atol) && o.rtol + o.atol > 0,
                 "tolerances must not be negative, nor both zero", "give rtol such as 1e-6");
  require_option(is_length(o.step) && is_length(o.max_step), "a step is negative or not a number",
                 "give seconds, or 0 for the default");
  require_option(is_length(o.sample_interval),
                 "the interval of samples is negative or not a number", "give seconds, or 0");
  require_option(few(o.sample_interval) && few(o.step) && few(o.max_step),
                 "more than 1e12 samples or steps are asked for", "give a longer interval");
  require_option(o.max_steps >= 0, "max_steps is negative",
                 "give a number of steps, 0 for the default");
  require_option(std::is_sorted(o.sample_times.begin(), o.sample_times.end()),
                 "sample times do not increase", "sort them");
  require_option(o.sample_times.empty() || (o.sample_times.front() >= o.start &&
                                            o.sample_times.back() <= o.start + o.duration),
                 "a sample time is outside the run", "leave it out, or let the run be longer");
  require_option(o.small_deflection > 0, "the bound of small deflections is not positive",
                 "give a fraction of the length such as 0.1");
}

StepOptions step_options(const FlexibleSimulateOptions& o, Method method) {
  StepOptions result{.rtol = o.rtol, .atol = o.atol, .step = o.step};
  if (o.max_step > 0) result.max_step = o.max_step;
  if (o.step == 0 && has_fixed_step(method)) result.step = default_flexible_step;
  return result;
}

FlexibleRunResult run_method(const detail::FlexibleTask& task) {
  FlexibleSystem system(task.tree, task.forces, task.options.dynamics);
  const StepOptions options = step_options(task.options, task.method);
  const auto sundials = [&](SundialsMethod method) {
    return detail::run_flexible<true>(task, system, Sundials(system.group(), method, options));
  };
  switch (task.method) {
    case Method::cf4:
      return detail::run_flexible<true>(task, system,
                                        CommutatorFree(system.group(), options, false));
    case Method::semi_implicit:
      return detail::run_flexible<true>(
          task, system, SemiImplicitEuler(system.group(), system.configuration(), options));
    case Method::variational:
      return detail::run_flexible<true>(
          task, system, Variational(system.group(), system.configuration(), options));
    case Method::cvode:
      return sundials(SundialsMethod::bdf);
    case Method::adams:
      return sundials(SundialsMethod::adams);
    case Method::arkode:
      return sundials(SundialsMethod::dirk);
    case Method::generalized_alpha:
      return detail::run_flexible<false>(task, system, GeneralizedAlpha({.step = options}));
    case Method::ida:
      return detail::run_flexible<false>(task, system, Ida(options));
    default: {
      const int order = static_cast<int>(task.method) - static_cast<int>(Method::mk1) + 1;
      return detail::run_flexible<true>(task, system, MuntheKaas(system.group(), order, options));
    }
  }
}

}  // namespace

namespace detail {

/// True and told if the mass matrix is what failed: lost, or so near to it that no step is short
/// enough.
static bool explain_mass(const FlexibleTask& task, FlexibleSystem& system,
                         FlexibleRunResult& result) {
  constexpr double nearly_lost = 0.1;
  const bool linear = task.options.dynamics.model == FlexibleModel::linear;
  MassLoss loss = system.dynamics().loss();
  if (loss.coordinate < 0 || system.failed_at() < result.t) {
    system.place(result.t, result.q, result.v);
    const FlexibleSystem::Definiteness now = system.definiteness();
    if (now.left > nearly_lost) return false;
    loss = {now.coordinate, link_of(task.tree, now.coordinate), system.smallest_mass()};
  }
  result.ending = Ending::singular;
  result.message = fmt::format(
      "at t = {:.6g} s: the {} mass matrix {} positive definite at link '{}' (coordinate '{}'), "
      "its "
      "smallest eigenvalue is {:.3g}; {}",
      result.t, name(task.options.dynamics.model),
      loss.smallest_eigenvalue > 0 ? "is hardly" : "is not", task.tree.links[loss.link].name,
      task.tree.coordinate_names[loss.coordinate], loss.smallest_eigenvalue,
      linear ? "take the exact equations (model nonlinear), let the run fall back to them, or keep "
               "the "
               "largest deflections exact"
             : "give the link a mass");
  return true;
}

void explain_limit(const FlexibleTask& task, const StepLimit& limit, FlexibleRunResult& result) {
  result.ending = Ending::step_limit;
  result.message = fmt::format(
      "at t = {:.6g} s, after {}; {}; check "
      "forces, damping and stiffness, take a method for stiff systems (cvode, arkode), or raise "
      "max_steps",
      result.t, limit_text(limit, result.t), fastest_coordinate(task.tree, result.v));
}

void explain_failure(const FlexibleTask& task, StepVerdict verdict, FlexibleSystem& system,
                     FlexibleRunResult& result) {
  if (explain_mass(task, system, result)) return;
  const std::string when = fmt::format("at t = {:.6g} s: ", result.t);
  const std::string moving = fastest_coordinate(task.tree, result.v);
  switch (verdict) {
    case StepVerdict::step_underflow:
      result.ending = Ending::step_underflow;
      result.message = when + "the tolerance is not met by the smallest step; " + moving +
                       "; loosen rtol or take a method for stiff systems (arkode, cvode)";
      break;
    case StepVerdict::not_converged:
      result.ending = Ending::not_converged;
      result.message = when + "the equations of a step were not solved; " + moving +
                       "; take a smaller step or another method";
      break;
    default:
      result.ending = Ending::not_finite;
      result.message = when +
                       "the solution diverges, numbers are no longer finite or beyond all "
                       "bounds; " +
                       moving + "; take a smaller step or a method with step control";
  }
}

}  // namespace detail

Method check_flexible_simulation(const FlexibleTree& tree, const FlexibleForces& forces,
                                 std::span<const double> q, std::span<const double> v,
                                 const FlexibleSimulateOptions& options) {
  check_options(options);
  check_forces(tree, forces);
  for (const auto& numbers : {q, v}) {
    if (static_cast<int>(numbers.size()) != tree.size)
      throw Error(
          fmt::format("a state of {} numbers for {} coordinates", numbers.size(), tree.size),
          tree.name, "give q and v of all joints and modes");
    if (!all_finite(numbers))
      throw Error("a number of the state is not finite", tree.name, "give finite q and v");
  }
  const bool accurate = options.rtol < 1e-7 || options.atol < 1e-7;
  const Method method = options.method != Method::automatic ? options.method
                        : accurate                          ? Method::adams
                                                            : Method::cvode;
  if (method == Method::momentum_preserving)
    throw Error(
        "method 'momentum-preserving' keeps momenta of rigid bodies, which elastic links have not",
        "simulate",
        "choose mk1 to mk5, cf4, semi-implicit, variational, cvode, adams, arkode, "
        "generalized-alpha or ida");
  if (method == Method::variational && !forces.prescribed.empty())
    throw Error("method 'variational' knows no prescribed joints", "simulate",
                "choose another method such as mk5 or arkode");
  return method;
}

FlexibleRunResult simulate_flexible(const FlexibleTree& tree, const FlexibleForces& forces,
                                    std::vector<double> q, std::vector<double> v,
                                    const FlexibleSimulateOptions& options,
                                    const std::function<void(const FlexibleSample&)>& observer) {
  const Method method = check_flexible_simulation(tree, forces, q, v, options);
  const std::clock_t started = std::clock();
  FlexibleRunResult result =
      run_method({tree, forces, std::move(q), std::move(v), options, observer, method});
  result.cpu_seconds = static_cast<double>(std::clock() - started) / CLOCKS_PER_SEC;
  return result;
}

}  // namespace axode
