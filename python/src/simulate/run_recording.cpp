// Samples, figures and checkpoints of a run to Python and to its file.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "axode/core/error.hpp"
#include "src/simulate/run_request.hpp"

namespace axode::python {

void RunColumns::write(nb::dict& to) const {
  const std::size_t n = t.size();
  nb::dict all;
  for (const RunColumn& c : columns) {
    const bool one = c.labels.empty() && c.units.size() == 1;
    const nb::object values = one ? array(c.values) : matrix(c.values, n, c.labels.size());
    all[c.name.c_str()] = nb::make_tuple(values, c.labels, c.units);
  }
  to["t"] = array(t);
  to["columns"] = all;
}

RunColumns columns_of(const RunMetadata& m) {
  RunColumns all;
  all.columns = {{"q", m.q_names, m.q_units}, {"v", m.v_names, m.v_units},
                 {"a", m.v_names, m.a_units}, {"tau", m.v_names, m.tau_units},
                 {"kinetic", {}, {"J"}},      {"potential", {}, {"J"}},
                 {"stored", {}, {"J"}},       {"work", {}, {"J"}}};
  return all;
}

void keep(const Sample& s, RunColumns& all) {
  all.t.push_back(s.t);
  const std::span<const double> lists[] = {s.q, s.v, s.a, s.tau};
  const double energies[] = {s.kinetic, s.potential, s.stored, s.work};
  std::size_t k = 0;
  for (const auto list : lists) all.columns[k++].add(list);
  for (const double energy : energies) all.columns[k++].add({&energy, 1});
}

RunRecording::RunRecording(RunRequest& request, RunErrors& errors, ModelKind kind,
                           RunColumns columns_)
    : columns(std::move(columns_)), request_(&request), errors_(&errors), kind_(kind) {
  request.options.stop = errors.stop();
}

void RunRecording::open(RunMetadata metadata) {
  options_json = metadata.options;
  if (request_->out.empty()) return;
  metadata.command_line = "axode.simulate in Python";
  file_.emplace(request_->out, std::move(metadata), request_->how, request_->resume_file);
  file_->open();
  if (const Checkpoint* from = file_->from()) request_->resume = *from;
}

RunObserver RunRecording::observer(const std::function<void(const Sample&)>& take,
                                   const std::function<RunSample(const Sample&)>& file_sample) {
  RunObserver observer;
  observer.sample = [this, &take, &file_sample](const Sample& s) {
    errors_->check_signals();       // one step may have many samples
    if (errors_->failed()) return;  // forces are no numbers from there on
    take(s);
    if (file_) file_->sample(file_sample(s));
  };
  observer.event = [this](const EventRecord& e) {
    events_.push_back(e);
    if (file_) file_->event({e.t, request_->options.events[e.event].name, ""});
  };
  observer.progress = [this](double, const StepStatistics&) { errors_->check_signals(); };
  if (request_->options.checkpoint_interval > 0)
    observer.checkpoint = [this](const Checkpoint& c) {
      if (errors_->failed()) return;
      checkpoint_ = c;
      if (file_) file_->checkpoint(c);
    };
  return observer;
}

void RunRecording::run(
    const std::function<void(const Sample&)>& take,
    const std::function<RunSample(const Sample&)>& file_sample,
    const std::function<RunResult(const RunObserver&, const Checkpoint*)>& simulate) {
  try {
    const RunObserver watching = observer(take, file_sample);
    result = simulate(watching, request_->resume ? &*request_->resume : nullptr);
    known = true;
    if (errors_->failed()) result.ending = Ending::stopped;
    if (file_) file_->finish(result.t, run_summary_json(result, kind_));
  } catch (...) {
    errors_->keep(std::current_exception());
  }
}

void RunRecording::write_result(nb::dict& to) const {
  const RunResult& r = result;
  const StepStatistics& s = r.statistics;
  to["ending"] = std::string(name(r.ending));
  to["message"] = r.message;
  to["last_t"] = r.t;
  to["last"] = nb::make_tuple(array(r.last.q), array(r.last.v));
  to["statistics"] =
      nb::make_tuple(s.steps, s.rejected, s.rates, s.jacobians, s.factorizations, s.iterations);
  nb::dict figures;
  figures["samples"] = r.samples;
  figures["method"] = std::string(name(r.method));
  figures["warnings"] = r.warnings;
  figures["energy_drift"] = r.energy_drift;
  figures["energy_scale"] = r.energy_scale;
  figures["cpu_seconds"] = r.cpu_seconds;
  figures["joint"] = r.joint;
  figures["fallbacks"] = r.fallbacks;
  if (kind_ == ModelKind::mechanism) {
    const MechanismRunFigures& m = r.mechanism;
    figures["restarts"] = m.restarts;
    figures["position_error"] = m.position_error;
    figures["velocity_error"] = m.velocity_error;
    figures["acceleration_residual"] = m.acceleration_residual;
    figures["redundant"] = m.redundant;
    figures["sure_of_turns"] = m.sure_of_turns;
    figures["left_out"] = m.left_out;
  }
  to["figures"] = figures;
}

void RunRecording::write(nb::dict& to) const {
  columns.write(to);
  nb::list events;
  for (const EventRecord& e : events_) events.append(nb::make_tuple(e.t, e.event));
  to["events"] = events;
  to["checkpoint"] = nb::none();
  if (checkpoint_) to["checkpoint"] = nb::make_tuple(checkpoint_->t, array(checkpoint_->numbers));
  to["options"] = options_json;
  to["known"] = known;
  if (known) write_result(to);
}

void bind_simulate_method(nb::handle type) {
  nb::cpp_function_def(
      [](nb::handle self, const nb::args& args, const nb::kwargs& options) {
        const nb::object run =
            nb::module_::import_("axode._simulate").attr("simulate")(self, *args, **options);
        return run;
      },
      nb::scope(type), nb::name("simulate"), nb::is_method(),
      nb::sig("def simulate(self, duration: float | None = None, *, "
              "q: axode.typing.ArrayLike | None = None, v: axode.typing.ArrayLike | None = None, "
              "forces: Forces | axode._flexible.FlexibleForces | None = None, "
              "control: axode._flexible.FlexibleControl | axode._simulate.ControlFunction | None = "
              "None, control_interval: float | None = None, "
              "controlled: collections.abc.Sequence[str | int] = (), "
              "wrenches: axode._simulate.ControlFunction | None = None, "
              "events: collections.abc.Sequence[axode._simulate.Event] = (), start: float = 0, "
              "method: axode.typing.AnyMethod = 'automatic', formulation: str | None = None, "
              "rtol: float = 1e-06, atol: float = 1e-09, step: float = 0, max_step: float = 0, "
              "max_steps: int = 0, sample_interval: float = 0.01, "
              "sample_times: axode.typing.ArrayLike | None = None, "
              "checkpoint_interval: float | None = None, "
              "resume: axode._results.simulate.Checkpoint | bool | None = None, "
              "out: str | os.PathLike[str] | None = None, overwrite: bool = False, binary: bool = "
              "False, points: collections.abc.Iterable[str] | None = None, bodies: bool = False, "
              "exact_start: bool = False, start_tolerance: float = 1e-08, baumgarte_alpha: float = "
              "20.0, baumgarte_beta: float = 20.0, penalty: float = 0.0, omega: float = 10.0, mu: "
              "float = 1.0, max_iterations: int = 30, iteration_tolerance: float = 1e-12, project: "
              "bool = True, spectral_radius: float = 0.8, model: axode.typing.FlexibleModel = "
              "'linear', exact_coordinates: axode.typing.CoordinateNames = (), fall_back: bool = "
              "False, small_deflection: float = 0.1) -> axode._run.Run"),
      "The same as axode.simulate(self, ...).");
}

}  // namespace axode::python
