/// Simulations of flexible trees: axode/simulate/run/simulate.hpp.
#include "axode/simulate/run/simulate.hpp"

#include "axode/core/error.hpp"
#include "axode/io/flexible/flexible_run.hpp"
#include "axode/io/run/run_model_file.hpp"
#include "src/flexible/flexible.hpp"
#include "src/flexible/forces.hpp"
#include "src/simulate/run_request.hpp"

namespace axode::python {
namespace {

void simulate(const PyFlexibleTree& t, nb::handle forces_given, nb::handle q_argument,
              nb::handle v_argument, const nb::dict& given, nb::dict to) {
  const FlexibleTree& tree = t.tree();
  FlexibleForces forces =
      forces_given.is_none() ? t.setup.forces : forces_argument(tree, forces_given);
  const nb::object control = given["control"], model = given["model"],
                   exact = given["exact_coordinates"];
  if (!control.is_none() && PyCallable_Check(control.ptr()) == 0)
    forces.control = control_argument(tree, control);
  RunRequest request = request_from(given, ModelKind::flexible_tree);
  SimulateOptions& options = request.options;
  options.flexible.dynamics.model = model_named(text_from(model, "model"));
  options.flexible.dynamics.exact_coordinates =
      coordinates_argument(tree, exact, "exact_coordinates");
  const State<double> initial{one_state(tree, q_argument, "q", t.setup.q),
                              one_state(tree, v_argument, "v", t.setup.v)};
  options.method = check_simulation(tree, forces, initial, options);
  RunErrors errors;
  RunMetadata metadata = run_metadata(tree);
  RunRecording recording(request, errors, ModelKind::flexible_tree, columns_of(metadata));
  metadata.options = run_options_json(tree, options);
  if (!request.out.empty()) {
    metadata.model_file = t.setup.description.source;
    metadata.model_text = flexible_text(t.setup);
    note_model_file(metadata, t.setup.source_crc32);
  }
  recording.open(std::move(metadata));
  {
    const GilRelease release;
    recording.run([&](const Sample& s) { keep(s, recording.columns); }, run_sample,
                  [&](const RunObserver& observer, const Checkpoint* from) {
                    return axode::simulate(tree, forces, initial, options, observer, from);
                  });
  }
  recording.write(to);
  errors.rethrow();
}

}  // namespace

void bind_flexible_simulate(nb::module_& m, nb::class_<PyFlexibleTree>& tree) {
  m.def("_simulate_flexible", &simulate, nb::arg("tree"), nb::arg("forces").none(),
        nb::arg("q").none(), nb::arg("v").none(), nb::arg("options"), nb::arg("to"));
  bind_simulate_method(tree);
}

}  // namespace axode::python
