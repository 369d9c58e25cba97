// Simulation of flexible trees: checks, samples, the change of equations, how it ended, the steppers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

/// The coordinate with the largest velocity.
std::string fastest_coordinate(const FlexibleTree& tree, std::span<const double> v) {
  const auto most = std::max_element(v.begin(), v.end(),
                                     [](double a, double b) { return std::abs(a) < std::abs(b); });
  return fmt::format("'{}' has the largest velocity, {:.6g} 1/s",
                     tree.coordinate_names[most - v.begin()], *most);
}

/// The forces with the control instead of their PD control.
FlexibleForces with_control(FlexibleForces forces, ControlForce& control, int joints) {
  forces.control = {};
  forces.joint_forces.resize(joints, Signal(0.0));
  for (int k = 0; k < joints; ++k)
    forces.joint_forces[k].form =
        SignalFunction([&control, k, given = forces.joint_forces[k]](
                           double t, std::span<const double> q, std::span<const double> v) {
          return control.at(t, q, v)[k] + value<double>(given, {.t = t, .q = q, .v = v});
        });
  return forces;
}

/// The link whose joint or mode a coordinate is.
int link_of(const FlexibleTree& tree, int coordinate) {
  const auto owner = std::find_if(tree.links.begin(), tree.links.end(), [&](const FlexibleLink& l) {
    return coordinate == l.coordinate ||
           (coordinate >= l.first_mode && coordinate < l.first_mode + l.invariants.modes);
  });
  return static_cast<int>(owner - tree.links.begin());
}

}  // namespace

namespace detail {

template <bool ends_with_work>
FlexibleModelOfRun<ends_with_work>::FlexibleModelOfRun(const FlexibleTask& of,
                                                       FlexibleSystem& system)
    : task(of),
      stepping(system),
      at(of.tree, of.forces, of.options.flexible.dynamics),
      deflections(of.tree, of.options.flexible.small_deflection) {
  at.place(of.options.start, of.initial.q, of.initial.v);
  see_controlled([&](auto&& q, auto&& v) {
    if (of.control) of.control->see(q, v);
  });
}

template <bool ends_with_work>
std::vector<double> FlexibleModelOfRun<ends_with_work>::state() const {
  std::vector<double> x = at.q();
  x.insert(x.end(), at.v().begin(), at.v().end());
  if (has_work) x.push_back(0);
  return x;
}

template <bool ends_with_work>
double FlexibleModelOfRun<ends_with_work>::fill(double t, Sample& s) {
  const FlexibleDynamics::Energies energy = at.energies();
  const bool known = at.evaluate(t);
  if (!known) nothing.assign(at.q().size(), std::numeric_limits<double>::quiet_NaN());
  s.q = at.q();
  s.v = at.v();
  s.a = known ? at.rates() : nothing;
  s.tau = at.tau();
  s.kinetic = energy.kinetic;
  s.potential = energy.gravity;
  s.stored = energy.elastic;
  return s.kinetic + s.potential + s.stored;
}

template <bool ends_with_work>
double FlexibleModelOfRun<ends_with_work>::energy(double) {
  const FlexibleDynamics::Energies energy = at.energies();
  return energy.kinetic + energy.gravity + energy.elastic;
}

template <bool ends_with_work>
void FlexibleModelOfRun<ends_with_work>::put(double, std::span<const double> q,
                                             std::span<const double> v, std::span<double> x) {
  const std::size_t n = task.initial.q.size();
  if (q.size() != n || v.size() != n || !all_finite(q) || !all_finite(v))
    throw Error("the state after an event is not one of the tree", "simulate",
                "let its action give finite numbers");
  std::ranges::copy(q, x.begin());
  std::ranges::copy(v, x.subspan(n).begin());
}

template <bool ends_with_work>
void FlexibleModelOfRun<ends_with_work>::stepped(double t, std::span<const double> x) {
  deflections.look(t, x);
  if (std::isnan(fell_back) && fallbacks() > 0) fell_back = t;
}

/// Where the linear mass matrix has lost most of its definiteness the linear equations are left
/// before they go astray, and taken again when it is back.
template <bool ends_with_work>
Correction FlexibleModelOfRun<ends_with_work>::correct(double t, std::span<const double> x) {
  constexpr double leave = 0.1, back = 0.3;
  const FlexibleDynamicsOptions& o = task.options.flexible.dynamics;
  if (!o.fall_back || o.model == FlexibleModel::nonlinear) return Correction::unchanged;
  look(t, x);
  const double left = at.definiteness().left;
  const bool exact = stepping.takes_exact();
  if (exact ? !(left > back) : !(left < leave)) return Correction::unchanged;
  stepping.take_exact(!exact);
  at.take_exact(!exact);
  return Correction::equations;
}

template <bool ends_with_work>
void FlexibleModelOfRun<ends_with_work>::save(std::vector<double>& numbers) const {
  numbers.insert(numbers.end(), {stepping.takes_exact() ? 1. : 0., fallbacks(), fell_back});
  save_list(deflections.saved(), numbers);
}

template <bool ends_with_work>
void FlexibleModelOfRun<ends_with_work>::load(SavedNumbers& saved) {
  const bool exact = saved.take() != 0;
  stepping.take_exact(exact);
  at.take_exact(exact);
  fallbacks_before = saved.take() - static_cast<double>(stepping.fallbacks());
  fell_back = saved.take();
  deflections.load(saved.take_list());
}

/// True and explained if the mass matrix is what failed: lost, or so near to it that no step is short
/// enough.
template <bool ends_with_work>
bool FlexibleModelOfRun<ends_with_work>::explain_mass(RunResult& result) {
  constexpr double nearly_lost = 0.1;
  const bool linear = task.options.flexible.dynamics.model == FlexibleModel::linear;
  MassLoss loss = stepping.dynamics().loss();
  if (loss.coordinate < 0 || stepping.failed_at() < result.t) {
    stepping.place(result.t, at.q(), at.v());
    const FlexibleSystem::Definiteness now = stepping.definiteness();
    if (now.left > nearly_lost) return false;
    loss = {now.coordinate, link_of(task.tree, now.coordinate), stepping.smallest_mass()};
  }
  result.ending = Ending::singular;
  result.message = fmt::format(
      "at t = {:.6g} s: the {} mass matrix {} positive definite at link '{}' (coordinate '{}'), "
      "its "
      "smallest eigenvalue is {:.3g}; {}",
      result.t, name(task.options.flexible.dynamics.model),
      loss.smallest_eigenvalue > 0 ? "is hardly" : "is not", task.tree.links[loss.link].name,
      task.tree.coordinate_names[loss.coordinate], loss.smallest_eigenvalue,
      linear ? "take the exact equations (model nonlinear), let the run fall back to them, or keep "
               "the "
               "largest deflections exact"
             : "give the link a mass");
  return true;
}

template <bool ends_with_work>
void FlexibleModelOfRun<ends_with_work>::explain_limit(const StepLimit& limit, RunResult& result) {
  result.ending = Ending::step_limit;
  result.message = fmt::format(
      "at t = {:.6g} s, after {}; {}; check "
      "forces, damping and stiffness, take a method for stiff systems (cvode, arkode), or raise "
      "max_steps",
      result.t, limit_text(limit, result.t), fastest_coordinate(task.tree, at.v()));
}

template <bool ends_with_work>
void FlexibleModelOfRun<ends_with_work>::explain(StepVerdict verdict, RunResult& result) {
  if (explain_mass(result)) return;
  const std::string when = fmt::format("at t = {:.6g} s: ", result.t);
  const std::string moving = fastest_coordinate(task.tree, at.v());
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

template <bool ends_with_work>
void FlexibleModelOfRun<ends_with_work>::finish(RunResult& result) {
  result.warnings = deflections.warnings();
  result.fallbacks = static_cast<long>(fallbacks());
  if (result.fallbacks > 0)
    result.warnings.push_back(fmt::format(
        "{} evaluations, the first about t = {:.6g} s, took the exact equations as the linear mass "
        "matrix was not, or hardly, positive definite",
        result.fallbacks, std::isnan(fell_back) ? result.t : fell_back));
}

namespace {

template <bool ends_with_work, class MakeStepper>
RunResult run_flexible(const FlexibleTask& task, FlexibleSystem& system,
                       MakeStepper&& make_stepper) {
  FlexibleModelOfRun<ends_with_work> model(task, system);
  if (!task.resume) {
    model.deflections.look(task.options.start, model.state());
    RunResult refused;
    refused.t = task.options.start;
    refused.method = task.method;
    refused.last = {model.q(), model.v()};
    std::vector<double> rates(model.q().size());
    if (!system.acceleration(task.options.start, model.q(), model.v(), rates)) {
      model.explain(StepVerdict::no_rate, refused);
      return refused;
    }
  }
  return run_loop(task, system, model, make_stepper, [&] { return model.state(); });
}

RunResult run_method(const FlexibleTask& task) {
  FlexibleSystem system(task.tree, task.forces, task.options.flexible.dynamics);
  const StepOptions options = step_options(task);
  const auto sundials = [&](SundialsMethod method) {
    return run_flexible<true>(task, system,
                              [&] { return Sundials(system.group(), method, options); });
  };
  switch (task.method) {
    case Method::cf4:
      return run_flexible<true>(task, system,
                                [&] { return CommutatorFree(system.group(), options, false); });
    case Method::semi_implicit:
      return run_flexible<true>(task, system, [&] {
        return SemiImplicitEuler(system.group(), system.configuration(), options);
      });
    case Method::variational:
      return run_flexible<true>(task, system, [&] {
        return Variational(system.group(), system.configuration(), options);
      });
    case Method::cvode:
      return sundials(SundialsMethod::bdf);
    case Method::adams:
      return sundials(SundialsMethod::adams);
    case Method::arkode:
      return sundials(SundialsMethod::dirk);
    case Method::generalized_alpha:
      return run_flexible<false>(task, system, [&] { return GeneralizedAlpha({.step = options}); });
    case Method::ida:
      return run_flexible<false>(task, system, [&] { return Ida(options); });
    default: {
      const int order = static_cast<int>(task.method) - static_cast<int>(Method::mk1) + 1;
      return run_flexible<true>(task, system,
                                [&] { return MuntheKaas(system.group(), order, options); });
    }
  }
}

}  // namespace
}  // namespace detail

Method check_simulation(const FlexibleTree& tree, const FlexibleForces& forces,
                        const State<double>& initial, const SimulateOptions& options) {
  detail::check_options(options);
  if (!(options.flexible.small_deflection > 0))
    throw Error("the bound of small deflections is not positive", "simulate",
                "give a fraction of the length such as 0.1");
  check_forces(tree, forces);
  for (const std::vector<double>& numbers : {initial.q, initial.v}) {
    if (static_cast<int>(numbers.size()) != tree.size)
      throw Error(
          fmt::format("a state of {} numbers for {} coordinates", numbers.size(), tree.size),
          tree.name, "give q and v of all joints and modes");
    if (!all_finite(numbers))
      throw Error("a number of the state is not finite", tree.name, "give finite q and v");
  }
  const bool accurate = options.rtol < 1e-7;
  const Method method = options.method != Method::automatic ? options.method
                        : accurate                          ? Method::adams
                                                            : Method::cvode;
  if (method == Method::momentum_preserving)
    throw Error(
        "method 'momentum-preserving' keeps momenta of rigid bodies, which elastic links have not",
        "simulate",
        "choose mk1 to mk5, cf4, semi-implicit, variational, cvode, adams, arkode, "
        "generalized-alpha or ida");
  check_method(method, ModelKind::flexible_tree);
  if (method == Method::variational && !forces.prescribed.empty())
    throw Error("method 'variational' knows no prescribed joints", "simulate",
                "choose another method such as mk5 or arkode");
  return method;
}

RunResult simulate(const FlexibleTree& tree, const FlexibleForces& forces,
                   const State<double>& initial, const SimulateOptions& options,
                   const RunObserver& observer, const Checkpoint* resume) {
  const Method method = check_simulation(tree, forces, initial, options);
  std::optional<ControlForce> control = detail::control_of(options, tree.joints);
  const FlexibleForces acting = control ? with_control(forces, *control, tree.joints) : forces;
  return detail::run_method(
      {{options, observer, resume, method, default_flexible_step, control ? &*control : nullptr},
       tree,
       acting,
       initial});
}

}  // namespace axode
