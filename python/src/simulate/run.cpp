/// The simulation itself; axode/_simulate.py makes a Run of what it writes down.
#include <nanobind/stl/filesystem.h>

#include <algorithm>
#include <cmath>

#include "axode/core/error.hpp"
#include "axode/integrate/step_limit.hpp"
#include "axode/io/native/native.hpp"
#include "axode/io/run/run_model_file.hpp"
#include "src/run/record.hpp"
#include "src/shared/errors.hpp"
#include "src/simulate/control_function.hpp"
#include "src/simulate/run_arguments.hpp"
#include "src/simulate/simulate.hpp"

namespace axode::python {
namespace {

SimulateOptions options_from(const nb::dict& from) {
  const auto number = [&](const char* key) {
    const nb::object value = from[key];
    const double x = PyFloat_AsDouble(value.ptr());
    if (x == -1 && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      throw nb::type_error((std::string(key) + ": not a number").c_str());
    }
    return x;
  };
  const auto text = [&](const char* key) {
    const nb::object value = from[key];
    if (!PyUnicode_Check(value.ptr()))
      throw nb::type_error((std::string(key) + ": not a text").c_str());
    return text_from(value, key);
  };
  SimulateOptions o;
  o.start = number("start");
  o.duration = number("duration");
  o.method = method_named(text("method"));
  o.formulation = formulation_named(text("formulation"));
  o.rtol = number("rtol");
  o.atol = number("atol");
  o.step = number("step");
  o.max_step = number("max_step");
  o.max_steps = steps_argument(from["max_steps"]);
  o.sample_interval = number("sample_interval");
  const nb::object times = from["sample_times"];
  if (!times.is_none()) o.sample_times = vector(times, "sample_times");
  o.checkpoint_interval = number("checkpoint_interval");
  const double end = o.start + o.duration;
  if (o.sample_times.empty()) check_interval(o.sample_interval, o.start, end, "sample_interval");
  check_interval(o.checkpoint_interval, o.start, end, "checkpoint_interval");
  check_interval(o.step, o.start, end, "step");
  check_interval(o.max_step, o.start, end, "max_step");
  return o;
}

/// What is recorded while the simulation runs.
struct Recording {
  Run run;
  std::vector<EventRecord> events;
  std::optional<Checkpoint> checkpoint;
  std::optional<std::vector<double>> held;
  std::optional<RunWriter> writer;
};

RunObserver observer_of(Recording& record, const SimulateOptions& options, RunErrors& errors,
                        const std::shared_ptr<SampledControl>& sampled) {
  RunObserver observer;
  observer.sample = [&](const Sample& s) {
    errors.check_signals();       // one step may have many samples
    if (errors.failed()) return;  // forces are no numbers from there on
    append(record.run, run_sample(s));
    if (record.writer) record.writer->sample(run_sample(s));
  };
  observer.event = [&](const EventRecord& e) {
    record.events.push_back(e);
    const std::string& event = options.events[e.event].name;
    if (record.writer) record.writer->event({e.t, event, ""});
  };
  observer.progress = [&](double, const StepStatistics&) { errors.check_signals(); };
  if (options.checkpoint_interval > 0)
    observer.checkpoint = [&record, &errors, sampled](const Checkpoint& c) {
      if (errors.failed()) return;
      record.checkpoint = c;
      if (sampled) record.held = sampled->held(c.t);
      if (record.writer) record.writer->checkpoint(c.t, c.numbers);
    };
  return observer;
}

void write_result(const Recording& record, const RunResult& result, bool known, Method method,
                  nb::dict& to) {
  write_run(record.run, to);
  nb::list events;
  for (const EventRecord& e : record.events) events.append(nb::make_tuple(e.t, e.event));
  to["events"] = events;
  if (record.checkpoint)
    to["checkpoint"] = nb::make_tuple(record.checkpoint->t, array(record.checkpoint->numbers),
                                      record.held ? array(*record.held) : nb::object(nb::none()));
  to["method"] = nb::cast(std::string(name(method)));
  to["known"] = known;
  if (!known) return;
  const StepStatistics& s = result.statistics;
  to["ending"] = nb::cast(std::string(name(result.ending)));
  to["message"] = nb::cast(result.message);
  to["last_t"] = result.t;
  to["last"] = nb::make_tuple(array(result.last.q), array(result.last.v));
  to["statistics"] =
      nb::make_tuple(s.steps, s.rejected, s.rates, s.jacobians, s.factorizations, s.iterations);
  to["joint"] = result.joint;
  to["energy_drift"] = result.energy_drift;
  to["energy_scale"] = result.energy_scale;
  to["cpu_seconds"] = result.cpu_seconds;
}

/// What Python gives beside tree, forces and state.
struct Request {
  nb::dict options;
  nb::object control, control_interval, wrenches, events, resume, out;
  bool overwrite, binary;
  std::string options_json;
};

/// Opens the run file, new or (resume is True) of a run to go on with, whose checkpoint it gives.
std::optional<Checkpoint> open_file(const Request& request, const Tree& tree, bool sampled,
                                    Recording& record) {
  const auto path = nb::cast<std::filesystem::path>(request.out);
  RunMetadata metadata = record.run.metadata;
  metadata.command_line = "axode.simulate in Python";
  metadata.model_text = native_text(tree, {.form = GeometryForm::body_screws});
  metadata.options = request.options_json;
  note_model_file(metadata, tree.source_crc32);
  const RunWriterOptions how{request.overwrite, request.binary};
  if (!request.resume.is(nb::bool_(true))) {
    record.writer.emplace(path, metadata, how);
    return {};
  }
  if (sampled)
    throw Error("the force a sampled controller holds is in no file", "resume",
                "resume from run.checkpoint");
  RunWriter::Continued run = RunWriter::resume_or_start(path, metadata, how);
  record.writer.emplace(std::move(run.writer));
  if (!run.checkpoint) return {};
  return Checkpoint{run.checkpoint->t, std::move(run.checkpoint->numbers)};
}

std::optional<Checkpoint> checkpoint_from(nb::handle from, SampledControl* sampled) {
  if (from.is_none() || nb::isinstance<nb::bool_>(from)) return {};
  const nb::object t = from.attr("t"), numbers = from.attr("numbers"), held = from.attr("held");
  Checkpoint c{nb::cast<double>(t), vector(numbers, "resume")};
  if (sampled != nullptr)
    sampled->resume(c.t, held.is_none() ? std::vector<double>{} : vector(held, "resume"));
  return c;
}

void run_simulation(nb::handle tree_object, nb::handle forces_object, nb::handle q, nb::handle v,
                    const Request& request, nb::dict to) {
  const Tree& tree = tree_of(tree_object);
  Forces forces;
  if (!forces_object.is_none()) {
    const PyForces* given = instance<PyForces>(forces_object);
    if (given == nullptr) throw nb::type_error("forces: not an axode.Forces");
    if (given->tree->nq != tree.nq || given->tree->nv != tree.nv ||
        given->tree->size() != tree.size())
      throw Error("act on another tree", "forces");
    forces = given->forces;
  }
  const State<double> initial{vector(q, "q"), vector(v, "v")};
  SimulateOptions options = options_from(request.options);
  options.events = events_argument(request.events);
  const Method method = check_simulation(tree, forces, initial, options);

  std::shared_ptr<SampledControl> sampled;
  const std::size_t nv = tree.nv, bodies = tree.size();
  if (!request.control.is_none()) {
    forces.controllers.clear();  // control stands instead of them, as --controller of the command
    PyFunction function(request.control, "control");
    if (request.control_interval.is_none()) {
      add_control(forces, std::make_shared<StateFunction>(std::move(function), std::vector{nv}),
                  tree.nv);
    } else {
      sampled = std::make_shared<SampledControl>(std::move(function), options, initial,
                                                 nb::cast<double>(request.control_interval));
      add_control(forces, options, sampled, tree.nv);
      if (options.max_steps == 0)
        options.max_steps =
            default_max_steps(options.duration, options.step,
                              std::min(options.max_step > 0 ? options.max_step : HUGE_VAL,
                                       nb::cast<double>(request.control_interval)),
                              share_of_steps(many_steps, options.duration));
    }
  }
  if (!request.wrenches.is_none())
    add_wrenches(forces,
                 std::make_shared<StateFunction>(PyFunction(request.wrenches, "wrenches"),
                                                 std::vector{bodies, std::size_t{6}}),
                 tree.size());
  std::optional<Checkpoint> resume = checkpoint_from(request.resume, sampled.get());

  RunErrors errors;
  options.stop = errors.stop();
  Recording record;
  record.run.metadata = run_metadata(tree);
  if (!request.out.is_none())
    if (auto from_file = open_file(request, tree, sampled != nullptr, record))
      resume = std::move(from_file);
  const RunObserver observer = observer_of(record, options, errors, sampled);
  RunResult result;
  bool known = false;
  {
    const GilRelease release;
    try {
      result = simulate(tree, forces, initial, options, observer, resume ? &*resume : nullptr);
      known = true;
      if (errors.failed()) result.ending = Ending::stopped;
      if (record.writer) record.writer->finish(result.t, summary_json(result));
    } catch (...) {
      errors.keep(std::current_exception());
    }
  }
  write_result(record, result, known, method, to);
  errors.rethrow();
}

}  // namespace

void bind_simulation(nb::module_& m) {
  m.def(
      "_simulate",
      [](nb::handle tree, nb::handle forces, nb::handle q, nb::handle v, nb::dict options,
         nb::object control, nb::object control_interval, nb::object wrenches, nb::object events,
         nb::object resume, nb::object out, bool overwrite, bool binary, std::string options_json,
         nb::dict to) {
        run_simulation(tree, forces, q, v,
                       {std::move(options), std::move(control), std::move(control_interval),
                        std::move(wrenches), std::move(events), std::move(resume), std::move(out),
                        overwrite, binary, std::move(options_json)},
                       std::move(to));
      },
      nb::arg("tree"), nb::arg("forces").none(), nb::arg("q"), nb::arg("v"), nb::arg("options"),
      nb::arg("control").none(), nb::arg("control_interval").none(), nb::arg("wrenches").none(),
      nb::arg("events"), nb::arg("resume").none(), nb::arg("out").none(), nb::arg("overwrite"),
      nb::arg("binary"), nb::arg("options_json"), nb::arg("to"));
}

}  // namespace axode::python
