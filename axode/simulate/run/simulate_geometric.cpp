#include "axode/integrate/steppers/momentum_preserving.hpp"
#include "axode/integrate/steppers/variational.hpp"
#include "axode/simulate/run/detail/tree_run.hpp"

namespace axode::detail {

RunResult run_geometric(const TreeTask& task) {
  TreeSystem system(task.tree, task.forces);
  const StepOptions options = step_options(task);
  if (task.method == Method::variational)
    return run_relative(
        task, system, [&] { return Variational(system.group(), system.configuration(), options); });
  return run_relative(task, system, [&] {
    return MomentumPreserving(system.group(), system.configuration(), system.carried_size(),
                              options);
  });
}

}  // namespace axode::detail
