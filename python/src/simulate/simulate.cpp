/// Simulations, forces, integrators and runs: axode/simulate, axode/integrate, axode/io.
#include "src/simulate/simulate.hpp"

#include "axode/core/error.hpp"
#include "axode/simulate/run/method.hpp"

namespace axode::python {

void bind_simulate(nb::module_& m) {
  m.def(
      "methods_of",
      [](std::string_view kind) {
        nb::list names;
        for (const ModelKind k :
             {ModelKind::tree, ModelKind::mechanism, ModelKind::flexible_tree}) {
          if (name(k) != kind) continue;
          for (const Method method : methods_of(k)) names.append(std::string(name(method)));
          return names;
        }
        throw Error("there is no kind of model '" + std::string(kind) + "'", "methods_of",
                    "choose tree, mechanism or flexible tree");
      },
      nb::arg("kind") = "tree", nb::sig("def methods_of(kind: str = 'tree') -> list[str]"),
      "Names of the methods of integration of a kind of model (\"tree\", \"mechanism\", \"flexible "
      "tree\"), \"automatic\" first.");
  m.def(
      "method_for",
      [](std::string_view method, std::string_view formulation) {
        return std::string(name(method_for(method_named(method), formulation_named(formulation))));
      },
      nb::arg("method"), nb::arg("formulation") = "relative",
      nb::sig("def method_for(method: str, formulation: str = 'relative') -> str"),
      "What \"automatic\" means in a formulation, \"relative\" or \"absolute\"; other methods are "
      "themselves. Raises Error where the method does not exist there.");
  m.def(
      "has_fixed_step",
      [](std::string_view method) { return has_fixed_step(method_named(method)); },
      nb::arg("method"), nb::sig("def has_fixed_step(method: str) -> bool"),
      "Whether every step of the method has the same length.");
  bind_signals(m);
  bind_controllers(m);
  bind_forces(m);
  bind_force_functions(m);
  bind_scene(m);
  bind_simulation(m);
  bind_run(m);
  bind_integrate(m);
}

}  // namespace axode::python
