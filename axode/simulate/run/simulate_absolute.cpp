#include <algorithm>

#include "axode/integrate/steppers/generalized_alpha.hpp"
#include "axode/integrate/sundials/ida.hpp"
#include "axode/simulate/run/detail/tree_run.hpp"
#include "axode/simulate/systems/absolute_system.hpp"

namespace axode::detail {

namespace {

/// States (x, v) of an AbsoluteSystem; they hold no work.
struct AbsoluteModel : TreeModel {
  AbsoluteSystem& system;
  static constexpr bool has_work = false;

  AbsoluteModel(const TreeTask& of, AbsoluteSystem& bodies) : TreeModel(of), system(bodies) {}
  void look(double, std::span<const double> x) {
    at.set_state(system.tree_q(x), system.tree_v(system.velocity(x)));
  }
  void put(double, const std::vector<double>& q, const std::vector<double>& v,
           std::span<double> x) const {
    check(q, v);
    const std::vector<double> state = system.state(q, v);
    std::copy(state.begin(), state.end(), x.begin());
  }
};

/// Forces of the tree on the bodies and joints of an AbsoluteSystem.
struct AbsoluteForces {
  const Tree& tree;
  const Forces& forces;
  ForceWork work{tree, forces};
  ForceDerivatives derivatives{tree};

  bool add(double t, std::span<const double> q, std::span<const double> v,
           std::span<const SE3<double>> T_WB, std::span<const Twist<Rep::body>> twists,
           std::span<double> tau, std::span<Wrench<Rep::body>> wrenches) {
    add_forces(tree, forces, t, q, v, {T_WB, twists}, work, tau, wrenches);
    return true;
  }
  /// Which derivatives Newton's iteration gets: all where bodies are pushed or drives know the
  /// whole tree, but not of large trees, whose matrices shall stay sparse.
  std::vector<ForceSlopes::Entry> entries() const {
    constexpr int largest_dense = 100;
    const bool all = tree.nv <= largest_dense && (work.needs_bodies || !forces.controllers.empty());
    std::vector<ForceSlopes::Entry> result;
    for (int i = 0; i < tree.nv; ++i)
      for (int j = all ? 0 : i; j < (all ? tree.nv : i + 1); ++j) result.push_back({i, j});
    return result;
  }
  void add_slopes(const std::vector<ForceSlopes::Entry>& of, double t, std::span<const double> q,
                  std::span<const double> v, std::span<double> stiffness,
                  std::span<double> damping) {
    std::fill(derivatives.by_q.values.begin(), derivatives.by_q.values.end(), 0.);
    std::fill(derivatives.by_v.values.begin(), derivatives.by_v.values.end(), 0.);
    add_force_derivatives(tree, forces, t, q, v, work, derivatives);
    for (std::size_t k = 0; k < of.size(); ++k) {
      stiffness[k] -= derivatives.by_q(of[k].row, of[k].column);
      damping[k] -= derivatives.by_v(of[k].row, of[k].column);
    }
  }
};

}  // namespace

RunResult run_absolute(const TreeTask& task) {
  AbsoluteForces on{task.tree, task.forces};
  const std::vector<ForceSlopes::Entry> entries = on.entries();
  AbsoluteSystem system(task.tree, {}, [&](auto&&... a) { return on.add(a...); },
                        {entries, [&](auto&&... a) { on.add_slopes(entries, a...); }});
  AbsoluteModel model(task, system);
  const StepOptions options = step_options(task);
  const auto initial = [&] { return system.state(task.initial.q, task.initial.v); };
  if (task.method == Method::ida)
    return run_loop(
        task, system, model, [&] { return Ida(options); }, initial);
  return run_loop(
      task, system, model, [&] { return GeneralizedAlpha({.step = options}); }, initial);
}

}  // namespace axode::detail
