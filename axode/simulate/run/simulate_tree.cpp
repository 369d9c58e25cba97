// Simulation of trees: checks, how failures are explained, the choice of the loop.
#include <algorithm>
#include <cmath>

#include "axode/simulate/run/detail/tree_run.hpp"

namespace axode {

namespace {

constexpr double default_fixed_step = 1e-3;

/// The joint with the largest of the numbers, by velocity.
int largest_joint(const Tree& tree, const std::vector<double>& numbers, double& size) {
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

/// The forces with the control instead of their controllers.
Forces with_control(Forces forces, ControlForce& control, int nv) {
  forces.controllers.clear();
  for (int k = 0; k < nv; ++k) {
    JointForce& force = forces.joint_forces.emplace_back();
    force.velocity = k;
    force.force.form =
        SignalFunction([&control, k](double t, std::span<const double> q,
                                     std::span<const double> v) { return control.at(t, q, v)[k]; });
  }
  return forces;
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

namespace detail {

void explain_failure(const TreeTask& task, StepVerdict verdict, TreeSystem& at, RunResult& result) {
  const std::string when = "at t = " + six_digits(result.t) + " s";
  const bool evaluated = at.evaluate(result.t);
  double size = 0;
  const bool wild = verdict == StepVerdict::not_finite || verdict == StepVerdict::no_rate;
  result.joint = at.singular_body() >= 0
                     ? at.singular_body()
                     : largest_joint(task.tree, wild ? at.all_v() : at.all_a(), size);
  const std::string joint = joint_text(task.tree, result.joint);
  const std::string accelerating =
      joint + (wild ? " has the largest velocity, " : " has the largest acceleration, ") +
      six_digits(size) + (wild ? " rad/s or m/s" : " rad/s^2 or m/s^2");
  if (!evaluated && at.singular_body() >= 0) {
    result.ending = Ending::singular;
    result.message =
        when + ": " + joint +
        " has a degree of freedom that moves no inertia; give its body a mass or its drive an "
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

void explain_limit(const TreeTask& task, TreeSystem& at, const StepLimit& limit,
                   RunResult& result) {
  double size = 0;
  if (at.evaluate(result.t)) result.joint = largest_joint(task.tree, at.all_a(), size);
  result.ending = Ending::step_limit;
  result.message = "at t = " + six_digits(result.t) + " s, after " + limit_text(limit, result.t) +
                   "; " + joint_text(task.tree, result.joint) + " has the largest acceleration, " +
                   six_digits(size) +
                   " rad/s^2 or m/s^2; check forces, damping and masses, take a method for stiff "
                   "systems (cvode), or raise max_steps";
}

}  // namespace detail

Method check_simulation(const Tree& tree, const Forces& forces, const State<double>& initial,
                        const SimulateOptions& options) {
  check_configuration(tree, initial.q);
  check_velocity(tree, initial.v);
  detail::check_couplings(tree, initial.q, initial.v, "simulate");
  detail::check_options(options);
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
  std::optional<ControlForce> control = detail::control_of(options, tree.nv);
  if (control) control->see(initial.q, initial.v);
  const Forces acting = control ? with_control(forces, *control, tree.nv) : forces;
  const detail::TreeTask task{
      {options, observer, resume, method, default_fixed_step, control ? &*control : nullptr},
      tree,
      acting,
      initial};
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
