// Trees as models of run_loop.hpp; simulate_explicit.cpp and its neighbours instantiate it.
#pragma once
#include <limits>
#include <utility>

#include "axode/dynamics/energy.hpp"
#include "axode/dynamics/errors.hpp"
#include "axode/dynamics/potential.hpp"
#include "axode/simulate/run/detail/run_loop.hpp"
#include "axode/simulate/systems/tree_system.hpp"

namespace axode::detail {

struct TreeTask : RunTask {
  const Tree& tree;
  const Forces& forces;
  const State<double>& initial;
};

/// A failed step: the joint with the largest acceleration at the last good state.
void explain_failure(const TreeTask& task, StepVerdict verdict, TreeSystem& at, RunResult& result);
/// A run that needs too many steps.
void explain_limit(const TreeTask& task, TreeSystem& at, const StepLimit& limit, RunResult& result);

RunResult run_explicit(const TreeTask& task);
RunResult run_geometric(const TreeTask& task);
RunResult run_sundials(const TreeTask& task);
RunResult run_absolute(const TreeTask& task);

/// What trees have in common, whatever the state of the integrator. Samples are evaluated by another
/// system than steps: that of the stepper keeps what it has evaluated.
struct TreeModel {
  static constexpr bool samples_the_end = false;
  const TreeTask& task;
  TreeSystem at;
  std::vector<double> nothing{};

  explicit TreeModel(const TreeTask& of) : task(of), at(of.tree, of.forces) {}
  const std::vector<double>& q() const noexcept { return at.all_q(); }
  const std::vector<double>& v() const noexcept { return at.all_v(); }

  double fill(double t, Sample& s) {
    const bool known = at.evaluate(t);
    if (!known) nothing.assign(at.all_a().size(), std::numeric_limits<double>::quiet_NaN());
    s.q = at.all_q();
    s.v = at.all_v();
    s.a = known ? at.all_a() : nothing;
    s.tau = at.joint_forces();
    const double energy = mechanical_energy(s);
    s.stored = at.stored_energy_now(t);
    return energy;
  }
  double energy(double) {
    Sample s;
    return mechanical_energy(s);
  }
  double mechanical_energy(Sample& s) {
    s.kinetic =
        kinetic_energy(task.tree, at.motion_now()) + armature_energy<double>(task.tree, at.all_v());
    s.potential = potential_energy(task.tree, at.poses_now());
    return s.kinetic + s.potential;
  }
  static bool does_work() { return true; }
  double power(double t) { return at.evaluate(t) ? at.power() : 0; }
  template <class F>
  void see_controlled(F&& f) {
    f(at.all_q(), at.all_v());
  }
  double next_discontinuity(double t) const { return axode::next_discontinuity(task.forces, t); }
  void check(const std::vector<double>& q, const std::vector<double>& v) const {
    check_configuration(task.tree, q, "q after an event");
    check_velocity(task.tree, v, "v after an event");
    check_couplings(task.tree, q, v, "after an event");
  }
  static void stepped(double, std::span<const double>) {}
  static Correction correct(double, std::span<double>) { return Correction::unchanged; }
  static void save(std::vector<double>&) {}
  static void load(SavedNumbers&) {}
  static long factorizations() { return 0; }
  void explain(StepVerdict verdict, RunResult& result) {
    explain_failure(task, verdict, at, result);
  }
  void explain_limit(const StepLimit& limit, RunResult& result) {
    detail::explain_limit(task, at, limit, result);
  }
  static void finish(RunResult&) {}
};

/// States (q, v, work) of a TreeSystem.
struct RelativeModel : TreeModel {
  std::size_t nq, nv;
  static constexpr bool has_work = true;  ///< or none is done

  RelativeModel(const TreeTask& of, const TreeSystem& system)
      : TreeModel(of), nq(system.configuration().nx), nv(system.configuration().nv) {}
  void look(double, std::span<const double> x) { at.expand_state(x.first(nq), x.subspan(nq, nv)); }
  double work(std::span<const double> x) const { return x.size() > nq + nv ? x[nq + nv] : 0; }
  void put(double, const std::vector<double>& q, const std::vector<double>& v,
           std::span<double> x) const {
    check(q, v);
    const std::vector<double> state = at.reduce_state({q, v});
    std::copy_n(state.begin(), nq + nv, x.begin());
  }
};

template <class MakeStepper>
RunResult run_relative(const TreeTask& task, TreeSystem& system, MakeStepper&& make_stepper) {
  RelativeModel model(task, system);
  return run_loop(task, system, model, make_stepper,
                  [&] { return model.at.reduce_state(task.initial); });
}

}  // namespace axode::detail
