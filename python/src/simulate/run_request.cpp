// Options, events and control of a run from Python.
#include "src/simulate/run_request.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "axode/core/error.hpp"
#include "src/shared/errors.hpp"

namespace axode::python {
namespace {

/// Calls action(t, q, v), which changes the arrays or returns new (q, v).
void act(const PyFunction& action, double t, std::span<double> q, std::span<double> v) {
  const GilAcquire gil;
  nb::object q_new = array(q), v_new = array(v);
  const nb::object returned = action.object()(t, q_new, v_new);
  if (!returned.is_none()) {
    if (!PyTuple_Check(returned.ptr()) || nb::len(returned) != 2)
      throw Error("returned neither None nor (q, v)", action.name());
    const auto pair = nb::borrow<nb::tuple>(returned);
    q_new = pair[0];
    v_new = pair[1];
  }
  const States q_given(q_new, "q after an event", static_cast<int>(q.size()), "coordinates"),
      v_given(v_new, "v after an event", static_cast<int>(v.size()), "velocities");
  if (q_given.batched() || v_given.batched())
    throw Error("returned a batch of states", action.name());
  std::copy(q_given[0].begin(), q_given[0].end(), q.begin());
  std::copy(v_given[0].begin(), v_given[0].end(), v.begin());
}

SimulationEvent event_from(nb::handle from) {
  const nb::object name = from.attr("name"), value = from.attr("value"),
                   direction = from.attr("direction"), terminal = from.attr("terminal"),
                   tolerance = from.attr("tolerance"), action = from.attr("action");
  SimulationEvent e;
  e.name = text_from(name, "events");
  e.value = PySignal{PyFunction(value, "event '" + e.name + "'")};
  e.direction = nb::cast<int>(direction);
  e.terminal = nb::cast<bool>(terminal);
  e.tolerance = nb::cast<double>(tolerance);
  if (!action.is_none())
    e.action = [f = PyFunction(action, "action of event '" + e.name + "'")](
                   double t, std::span<double> q, std::span<double> v) {
      RunErrors::current()->guard([&] { act(f, t, q, v); });
    };
  return e;
}

/// The members of a dictionary, with errors that name them.
struct Members {
  const nb::dict& from;

  nb::object item(const char* key) const { return from[key]; }
  double number(const char* key) const {
    const nb::object value = item(key);
    const double x = PyFloat_AsDouble(value.ptr());
    if (x == -1 && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      throw nb::type_error((std::string(key) + ": not a number").c_str());
    }
    return x;
  }
  std::string text(const char* key) const {
    const nb::object value = item(key);
    if (!PyUnicode_Check(value.ptr()))
      throw nb::type_error((std::string(key) + ": not a text").c_str());
    return text_from(value, key);
  }
  int count(const char* key) const { return nb::cast<int>(item(key)); }
  bool flag(const char* key) const { return nb::cast<bool>(item(key)); }
};

/// Intervals that a run would not get on with are named by the words of Python.
void check_intervals(const SimulateOptions& o) {
  const double end = o.start + o.duration;
  if (o.sample_times.empty()) check_interval(o.sample_interval, o.start, end, "sample_interval");
  check_interval(o.checkpoint_interval, o.start, end, "checkpoint_interval");
  check_interval(o.control.interval, o.start, end, "control_interval");
  check_interval(o.step, o.start, end, "step");
  check_interval(o.max_step, o.start, end, "max_step");
}

void read_mechanism_options(const Members& m, MechanismRunOptions& o) {
  o.exact_start = m.flag("exact_start");
  o.start_tolerance = m.number("start_tolerance");
  o.baumgarte_alpha = m.number("baumgarte_alpha");
  o.baumgarte_beta = m.number("baumgarte_beta");
  o.penalty = m.number("penalty");
  o.omega = m.number("omega");
  o.mu = m.number("mu");
  o.max_iterations = m.count("max_iterations");
  o.iteration_tolerance = m.number("iteration_tolerance");
  o.project = m.flag("project");
  o.spectral_radius = m.number("spectral_radius");
}

void set_control(const Members& m, Control& control) {
  const nb::object function = m.item("control"), interval = m.item("control_interval");
  if (PyCallable_Check(function.ptr()) == 0) return;
  control.force = [f = PyFunction(function, "control")](double t, std::span<const double> q,
                                                        std::span<const double> v,
                                                        std::span<double> force) {
    const std::size_t shape[] = {force.size()};
    if (!RunErrors::current()->guard([&] { f.numbers(t, q, v, shape, force); }))
      std::ranges::fill(force, std::numeric_limits<double>::quiet_NaN());
  };
  if (!interval.is_none()) control.interval = m.number("control_interval");
}

std::optional<Checkpoint> checkpoint_from(nb::handle checkpoint) {
  if (checkpoint.is_none() || nb::isinstance<nb::bool_>(checkpoint)) return {};
  const nb::object t = checkpoint.attr("t"), numbers = checkpoint.attr("numbers");
  return Checkpoint{nb::cast<double>(t), vector(numbers, "resume")};
}

}  // namespace

std::vector<SimulationEvent> events_argument(nb::handle events) {
  const nb::module_ module = nb::module_::import_("axode._simulate");
  const nb::object checked = module.attr("_checked")(events);
  std::vector<SimulationEvent> result;
  for (nb::handle event : checked) result.push_back(event_from(event));
  return result;
}

RunRequest request_from(const nb::dict& from, ModelKind kind) {
  const Members m{from};
  RunRequest request;
  SimulateOptions& o = request.options;
  o.start = m.number("start");
  o.duration = m.number("duration");
  o.method = kind == ModelKind::tree ? method_named(m.text("method"))
                                     : method_named(m.text("method"), kind);
  if (kind == ModelKind::tree) o.formulation = formulation_named(m.text("formulation"));
  o.rtol = m.number("rtol");
  o.atol = m.number("atol");
  o.step = m.number("step");
  o.max_step = m.number("max_step");
  o.max_steps = steps_argument(m.item("max_steps"));
  o.sample_interval = m.number("sample_interval");
  const nb::object times = m.item("sample_times"), out = m.item("out"), resume = m.item("resume");
  if (!times.is_none()) o.sample_times = vector(times, "sample_times");
  o.checkpoint_interval = m.number("checkpoint_interval");
  set_control(m, o.control);
  check_intervals(o);
  o.events = events_argument(m.item("events"));
  if (kind == ModelKind::mechanism) read_mechanism_options(m, o.mechanism);
  if (kind == ModelKind::flexible_tree) {
    o.flexible.dynamics.fall_back = m.flag("fall_back");
    o.flexible.small_deflection = m.number("small_deflection");
  }
  request.resume = checkpoint_from(resume);
  request.resume_file = resume.is(nb::bool_(true));
  if (!out.is_none()) request.out = nb::cast<std::filesystem::path>(out);
  request.how = {.overwrite = m.flag("overwrite"), .binary = m.flag("binary")};
  return request;
}

}  // namespace axode::python
