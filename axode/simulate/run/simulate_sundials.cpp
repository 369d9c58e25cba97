#include "axode/integrate/sundials/sundials.hpp"
#include "axode/simulate/run/detail/run_loop.hpp"

namespace axode::detail {

RunResult run_sundials(const RunTask& task) {
  TreeSystem system(task.tree, task.forces);
  const SundialsMethod method = task.method == Method::cvode   ? SundialsMethod::bdf
                                : task.method == Method::adams ? SundialsMethod::adams
                                                               : SundialsMethod::dirk;
  return run_relative(task, system, Sundials(system.group(), method, step_options(task)));
}

}  // namespace axode::detail
