/// Simulations of mechanisms.
#include "axode/simulate/run/simulate.hpp"

#include <nanobind/stl/string.h>

#include "axode/core/error.hpp"
#include "axode/io/mechanism/mechanism_file.hpp"
#include "src/mechanism/record.hpp"

namespace axode::python::mechanisms {
namespace {

/// More than a memory should have.
void check_size(const SimulateOptions& how, std::size_t numbers) {
  constexpr double most = 1e9;
  const double interval = how.sample_interval > 0 ? how.sample_interval : how.step;
  if (interval > 0 && how.duration / interval * static_cast<double>(numbers) > most)
    throw LimitError("more than 1e9 numbers", "sample_interval", "give a longer one");
}

/// Turns are counted at every step; what is left is too fast for these.
void warn_of_turns(const RunResult& run) {
  if (run.mechanism.sure_of_turns) return;
  if (PyErr_WarnEx(PyExc_RuntimeWarning,
                   "simulate: coordinates may miss full turns of angles; take shorter steps",
                   1) < 0)
    throw nb::python_error();
}

/// The state at the start: that of the arguments, or assembled.
struct Start {
  State<double> state;
  std::string message;
  bool found = true;
};
Start start_from(const PySystem& py, nb::handle q, nb::handle v) {
  Start start;
  if (q.is_none() && !v.is_none()) throw Error("is given without q", "v", "give both");
  if (q.is_none()) return start;
  start.state.q = state(q, "q", py.nq(), coordinates_text);
  if (v.is_none())
    start.state.v.assign(py.nv(), 0);
  else
    start.state.v = state(v, "v", py.nv(), velocities_text);
  return start;
}
void assemble_start(MechanismSystem& system, double t, Start& start) {
  Assembly found = assemble(system, {.t = t, .hold_start = true});
  start.message = message_of(found);
  start.found = found.is_assembled();
  if (start.found) start.state = {std::move(found.q), std::move(found.v)};
}

void open(RunRecording& recording, const MechanismSystem& system, const RunRequest& request) {
  RunMetadata metadata = run_metadata(system.mechanism());
  metadata.options = run_options_json(system, request.options);
  if (!request.out.empty()) metadata.model_text = mechanism_text(system.mechanism());
  recording.open(std::move(metadata));
}

void run_system(MechanismSystem& system, Start& start, bool assembled, RunRequest& request,
                const std::vector<PointName>& points, const SystemColumns& kept,
                RunRecording& recording) {
  SimulateOptions& options = request.options;
  if (!assembled) assemble_start(system, options.start, start);
  if (start.found) options.method = check_simulation(system, start.state, options);
  open(recording, system, request);
  MechanismSampler sampler(system, points);
  recording.run([&](const Sample& s) { kept.keep(s, sampler, recording.columns); },
                [&](const Sample& s) { return sampler.take(s); },
                [&](const RunObserver& observer, const Checkpoint* from) {
                  if (start.found)
                    return axode::simulate(system, start.state, options, observer, from);
                  RunResult refused;
                  refused.ending = Ending::not_assembled;
                  refused.t = options.start;
                  refused.message = start.message;
                  return refused;
                });
}

void simulate_system(PySystem& py, nb::handle q, nb::handle v, const nb::dict& given, nb::dict to) {
  RunRequest request = request_from(given, ModelKind::mechanism);
  SimulateOptions& options = request.options;
  const nb::object point_names = given["points"], controlled = given["controlled"];
  check_finite(options.sample_times, "sample_times");
  check_size(options, py.nq() + 2 * std::size_t(py.nv()) + py.rows());
  if (options.control.force)
    for (const nb::handle item : controlled)
      options.control.coordinates.push_back(
          coordinate_argument(py.mechanism(), item, "controlled"));
  const std::vector<PointName> points = points_argument(py.mechanism(), point_names);
  const SystemColumns kept(py.equations(), points, nb::cast<bool>(given["bodies"]));
  Start start = start_from(py, q, v);
  RunErrors errors;
  RunRecording recording(request, errors, ModelKind::mechanism, kept.columns);
  std::exception_ptr refused;
  const bool assembled = !start.state.q.empty() || !q.is_none();
  try {
    py.use(
        [&](MechanismSystem& system) {
          run_system(system, start, assembled, request, points, kept, recording);
        },
        errors);
  } catch (...) {
    refused = std::current_exception();
  }
  if (!refused || !recording.columns.t.empty()) {
    recording.write(to);
    to["start_message"] = start.message;
  }
  if (refused) std::rethrow_exception(refused);
  warn_of_turns(recording.result);
}

}  // namespace

void bind_mechanism_simulate(nb::module_& m, MechanismClasses& c) {
  m.def("_simulate_mechanism", &simulate_system, nb::arg("system"), nb::arg("q").none(),
        nb::arg("v").none(), nb::arg("options"), nb::arg("to"));
  bind_simulate_method(c.systems);
  bind_simulate_method(c.mechanisms);
}

}  // namespace axode::python::mechanisms
