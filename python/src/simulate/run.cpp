/// Simulations of trees; axode/_simulate.py makes a Run of what is written down here.
#include "axode/core/error.hpp"
#include "axode/io/native/native.hpp"
#include "axode/io/run/run_model_file.hpp"
#include "src/shared/errors.hpp"
#include "src/simulate/control_function.hpp"
#include "src/simulate/run_request.hpp"
#include "src/simulate/simulate.hpp"

namespace axode::python {
namespace {

Forces forces_of(nb::handle given, const Tree& tree) {
  if (given.is_none()) return {};
  const PyForces* forces = instance<PyForces>(given);
  if (forces == nullptr) throw nb::type_error("forces: not an axode.Forces");
  if (forces->tree->nq != tree.nq || forces->tree->nv != tree.nv ||
      forces->tree->size() != tree.size())
    throw Error("act on another tree", "forces");
  return forces->forces;
}

void simulate_tree(nb::handle tree_object, nb::handle forces_object, nb::handle wrenches,
                   nb::handle q, nb::handle v, const nb::dict& given, nb::dict to) {
  const Tree& tree = tree_of(tree_object);
  Forces forces = forces_of(forces_object, tree);
  RunRequest request = request_from(given, ModelKind::tree);
  const State<double> initial{vector(q, "q"), vector(v, "v")};
  if (!wrenches.is_none()) {
    const std::size_t bodies = tree.size();
    add_wrenches(forces,
                 std::make_shared<StateFunction>(PyFunction(wrenches, "wrenches"),
                                                 std::vector{bodies, std::size_t{6}}),
                 tree.size());
  }
  SimulateOptions& options = request.options;
  options.method = check_simulation(tree, forces, initial, options);
  RunErrors errors;
  RunMetadata metadata = run_metadata(tree);
  RunRecording recording(request, errors, ModelKind::tree, columns_of(metadata));
  metadata.options = run_options_json(tree, options);
  if (!request.out.empty()) {
    metadata.model_text = native_text(tree, {.form = GeometryForm::body_screws});
    note_model_file(metadata, tree.source_crc32);
  }
  recording.open(std::move(metadata));
  {
    const GilRelease release;
    recording.run([&](const Sample& s) { keep(s, recording.columns); }, run_sample,
                  [&](const RunObserver& observer, const Checkpoint* from) {
                    return simulate(tree, forces, initial, options, observer, from);
                  });
  }
  recording.write(to);
  errors.rethrow();
}

}  // namespace

void bind_simulation(nb::module_& m) {
  m.def("_simulate", &simulate_tree, nb::arg("tree"), nb::arg("forces").none(),
        nb::arg("wrenches").none(), nb::arg("q"), nb::arg("v"), nb::arg("options"), nb::arg("to"));
  const nb::object tree = m.attr("Tree");
  bind_simulate_method(tree);
}

}  // namespace axode::python
