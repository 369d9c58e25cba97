#include "axode/integrate/steppers/commutator_free.hpp"
#include "axode/integrate/steppers/munthe_kaas.hpp"
#include "axode/integrate/steppers/semi_implicit_euler.hpp"
#include "axode/simulate/run/detail/tree_run.hpp"

namespace axode::detail {

RunResult run_explicit(const TreeTask& task) {
  TreeSystem system(task.tree, task.forces);
  const StepOptions options = step_options(task);
  switch (task.method) {
    case Method::cf4:
      return run_relative(task, system,
                          [&] { return CommutatorFree(system.group(), options, false); });
    case Method::semi_implicit:
      return run_relative(task, system, [&] {
        return SemiImplicitEuler(system.group(), system.configuration(), options);
      });
    default: {
      const int order = static_cast<int>(task.method) - static_cast<int>(Method::mk1) + 1;
      return run_relative(task, system, [&] { return MuntheKaas(system.group(), order, options); });
    }
  }
}

}  // namespace axode::detail
