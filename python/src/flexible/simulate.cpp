/// Simulation of flexible trees: axode/simulate/run/simulate.hpp.
#include "axode/simulate/run/simulate.hpp"

#include <nanobind/stl/vector.h>

#include "axode/core/error.hpp"
#include "src/flexible/flexible.hpp"
#include "src/flexible/forces.hpp"
#include "src/simulate/run_arguments.hpp"

namespace axode::python {
namespace {

/// All samples, row after row.
struct Record {
  std::vector<double> t, q, v, a, tau, kinetic, potential, stored, work;
  void take(const Sample& s) {
    const auto append = [](std::vector<double>& to, std::span<const double> numbers) {
      to.insert(to.end(), numbers.begin(), numbers.end());
    };
    t.push_back(s.t);
    append(q, s.q);
    append(v, s.v);
    append(a, s.a);
    append(tau, s.tau);
    kinetic.push_back(s.kinetic);
    potential.push_back(s.potential);
    stored.push_back(s.stored);
    work.push_back(s.work);
  }
};

SimulateOptions options_of(const FlexibleTree& tree, const nb::dict& told) {
  SimulateOptions o;
  const auto get = [&](const char* key) -> nb::object { return told[key]; };
  const auto number = [&](const char* key) {
    const nb::object value = get(key);
    double x = 0;
    if (!nb::try_cast(value, x))
      throw nb::type_error((std::string(key) + ": give a number").c_str());
    return x;
  };
  const auto text = [&](const char* key) {
    const nb::object value = get(key);
    std::string x;
    if (!nb::try_cast(value, x)) throw nb::type_error((std::string(key) + ": give a text").c_str());
    return x;
  };
  o.start = number("start");
  o.duration = number("duration");
  o.method = method_named(text("method"), ModelKind::flexible_tree);
  o.rtol = number("rtol");
  o.atol = number("atol");
  o.step = number("step");
  o.max_step = number("max_step");
  o.max_steps = steps_argument(get("max_steps"));
  o.sample_interval = number("sample_interval");
  o.flexible.small_deflection = number("small_deflection");
  o.checkpoint_interval = number("checkpoint_interval");
  const nb::object times = get("sample_times"), exact = get("exact_coordinates"),
                   fall_back = get("fall_back");
  if (!times.is_none()) o.sample_times = vector(times, "sample_times");
  const double end = o.start + o.duration;
  if (o.sample_times.empty()) check_interval(o.sample_interval, o.start, end, "sample_interval");
  check_interval(o.checkpoint_interval, o.start, end, "checkpoint_interval");
  check_interval(o.step, o.start, end, "step");
  check_interval(o.max_step, o.start, end, "max_step");
  o.flexible.dynamics.model = model_named(text("model"));
  o.flexible.dynamics.exact_coordinates = coordinates_argument(tree, exact, "exact_coordinates");
  o.flexible.dynamics.fall_back = nb::cast<bool>(fall_back);
  return o;
}

nb::dict columns(const Record& r, std::size_t n) {
  nb::dict all;
  const std::size_t rows = r.t.size();
  all["t"] = array(r.t);
  all["q"] = matrix(r.q, rows, n);
  all["v"] = matrix(r.v, rows, n);
  all["a"] = matrix(r.a, rows, n);
  all["tau"] = matrix(r.tau, rows, n);
  all["kinetic"] = array(r.kinetic);
  all["potential"] = array(r.potential);
  all["stored"] = array(r.stored);
  all["work"] = array(r.work);
  return all;
}

void write_result(const Record& record, const RunMarks& marks, const RunResult& run, std::size_t n,
                  nb::dict& to) {
  to["columns"] = columns(record, n);
  to["events"] = marks.event_list();
  to["checkpoint"] = marks.checkpoint_tuple();
  to["ending"] = std::string(name(run.ending));
  to["t"] = run.t;
  to["message"] = run.message;
  to["warnings"] = run.warnings;
  to["method"] = std::string(name(run.method));
  const StepStatistics& s = run.statistics;
  to["statistics"] =
      nb::make_tuple(s.steps, s.rejected, s.rates, s.jacobians, s.factorizations, s.iterations);
  to["fallbacks"] = run.fallbacks;
  to["energy_drift"] = run.energy_drift;
  to["energy_scale"] = run.energy_scale;
  to["cpu_seconds"] = run.cpu_seconds;
  to["q"] = array(run.last.q);
  to["v"] = array(run.last.v);
}

/// Also where a function of the user raises, all so far is written to `to`.
void simulate(const PyFlexibleTree& t, nb::handle forces_told, nb::handle control,
              nb::handle q_argument, nb::handle v_argument, const nb::dict& told, nb::dict to) {
  const FlexibleTree& tree = t.tree();
  RunErrors errors;
  FlexibleForces forces =
      forces_told.is_none() ? t.setup.forces : forces_argument(tree, forces_told);
  // Either kind stands instead of the servo of the file or of the forces: two of them would pull.
  if (PyCallable_Check(control.ptr()) != 0) {
    forces.control = {};
    add_control_function(tree, control, forces);
  } else if (!control.is_none()) {
    forces.control = control_argument(tree, control);
  }
  SimulateOptions options = options_of(tree, told);
  options.events = events_argument(told["events"]);
  const std::optional<Checkpoint> resume = checkpoint_argument(told["resume"]);
  options.stop = errors.stop();
  const std::vector<double> q = one_state(tree, q_argument, "q", t.setup.q),
                            v = one_state(tree, v_argument, "v", t.setup.v);
  watch_signals(tree, errors, forces);
  Record record;
  RunMarks marks;
  RunObserver observer;
  observer.sample = [&](const Sample& s) {
    errors.check_signals();
    if (!errors.failed()) record.take(s);
  };
  marks.observe(observer, options, errors);
  RunResult run;
  bool known = false;
  {
    const GilRelease release;
    try {
      run = axode::simulate(tree, forces, {q, v}, options, observer, resume ? &*resume : nullptr);
      known = true;
    } catch (...) {
      errors.keep(std::current_exception());
    }
  }
  if (known) write_result(record, marks, run, t.size(), to);
  errors.rethrow();
}

}  // namespace

void bind_flexible_simulate(nb::module_& m, nb::class_<PyFlexibleTree>& tree) {
  m.def("_simulate_flexible", &simulate, nb::arg("tree"), nb::arg("forces").none(),
        nb::arg("control").none(), nb::arg("q").none(), nb::arg("v").none(), nb::arg("options"),
        nb::arg("to"), "The run of axode._flexible.simulate as plain columns.");
  tree.def(
      "simulate",
      [](nb::handle self, const nb::args& args, const nb::kwargs& options) {
        const nb::object run =
            nb::module_::import_("axode._flexible").attr("simulate")(self, *args, **options);
        return run;
      },
      nb::sig("def simulate(self, duration: float | None = None, *, "
              "q: axode.typing.ArrayLike | None = None, v: axode.typing.ArrayLike | None = None, "
              "forces: axode._flexible.FlexibleForces | None = None, "
              "control: axode._flexible.FlexibleControl | "
              "collections.abc.Callable[[float, axode.typing.Array, axode.typing.Array], "
              "axode.typing.ArrayLike] | None = None, "
              "model: axode.typing.FlexibleModel = 'linear', "
              "method: str = 'automatic', rtol: float = 1e-06, "
              "atol: float = 1e-09, step: float = 0.0, max_step: float = 0.0, "
              "max_steps: int = 0, sample_interval: float = 0.01, "
              "sample_times: axode.typing.ArrayLike | None = None, start: float = 0.0, "
              "events: collections.abc.Sequence[axode._simulate.Event] = (), "
              "checkpoint_interval: float = 0.0, resume: axode._results.simulate.Checkpoint | None "
              "= None, "
              "exact_coordinates: axode.typing.CoordinateNames = (), fall_back: bool = False, "
              "small_deflection: float = 0.1) -> axode.Run"),
      "The motion from (q, v), by default the initial state of the tree, over `duration` [s] (that "
      "of the file, else 10 s) by the linear or the exact equations. `forces` acts instead of what "
      "the file says; `control`, instead of the PD control of the file or of the forces, is "
      "another "
      "one, or a function f(t, q, v) that returns a force for each joint [N m, N]. See "
      "axode.simulate for the options all models have.");
}

}  // namespace axode::python
