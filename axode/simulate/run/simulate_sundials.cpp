#include "axode/integrate/sundials/sundials.hpp"
#include "axode/simulate/run/detail/tree_run.hpp"

namespace axode::detail {

RunResult run_sundials(const TreeTask& task) {
  TreeSystem system(task.tree, task.forces);
  const SundialsMethod method = task.method == Method::cvode   ? SundialsMethod::bdf
                                : task.method == Method::adams ? SundialsMethod::adams
                                                               : SundialsMethod::dirk;
  return run_relative(task, system,
                      [&] { return Sundials(system.group(), method, step_options(task)); });
}

}  // namespace axode::detail
