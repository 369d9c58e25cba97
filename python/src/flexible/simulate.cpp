/// Simulation of flexible trees: axode/simulate/run/simulate_flexible.hpp.
#include <nanobind/stl/vector.h>

#include "axode/core/error.hpp"
#include "axode/simulate/run/simulate_flexible.hpp"
#include "src/flexible/flexible.hpp"
#include "src/flexible/forces.hpp"

namespace axode::python {
namespace {

/// All samples, row after row.
struct Record {
  std::vector<double> t, q, v, rates, tau, kinetic, gravity, elastic, work;
  void take(const FlexibleSample& s) {
    const auto append = [](std::vector<double>& to, std::span<const double> numbers) {
      to.insert(to.end(), numbers.begin(), numbers.end());
    };
    t.push_back(s.t);
    append(q, s.q);
    append(v, s.v);
    append(rates, s.rates);
    append(tau, s.tau);
    kinetic.push_back(s.kinetic);
    gravity.push_back(s.gravity);
    elastic.push_back(s.elastic);
    work.push_back(s.work);
  }
};

FlexibleSimulateOptions options_of(const FlexibleTree& tree, const nb::dict& told) {
  FlexibleSimulateOptions o;
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
  o.method = method_named(text("method"));
  o.rtol = number("rtol");
  o.atol = number("atol");
  o.step = number("step");
  o.max_step = number("max_step");
  o.max_steps = steps_argument(get("max_steps"));
  o.sample_interval = number("sample_interval");
  o.small_deflection = number("small_deflection");
  const nb::object times = get("sample_times"), exact = get("exact_coordinates"),
                   fall_back = get("fall_back");
  if (!times.is_none()) o.sample_times = vector(times, "sample_times");
  const double end = o.start + o.duration;
  if (o.sample_times.empty()) check_interval(o.sample_interval, o.start, end, "sample_interval");
  check_interval(o.step, o.start, end, "step");
  check_interval(o.max_step, o.start, end, "max_step");
  o.dynamics.model = model_named(text("model"));
  o.dynamics.exact_coordinates = coordinates_argument(tree, exact, "exact_coordinates");
  o.dynamics.fall_back = nb::cast<bool>(fall_back);
  return o;
}

nb::dict columns(const Record& r, std::size_t n) {
  nb::dict all;
  const std::size_t rows = r.t.size();
  all["t"] = array(r.t);
  all["q"] = matrix(r.q, rows, n);
  all["v"] = matrix(r.v, rows, n);
  all["rates"] = matrix(r.rates, rows, n);
  all["tau"] = matrix(r.tau, rows, n);
  all["kinetic"] = array(r.kinetic);
  all["gravity"] = array(r.gravity);
  all["elastic"] = array(r.elastic);
  all["work"] = array(r.work);
  return all;
}

void write_result(const Record& record, const FlexibleRunResult& run, std::size_t n, nb::dict& to) {
  to["columns"] = columns(record, n);
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
  to["q"] = array(run.q);
  to["v"] = array(run.v);
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
  FlexibleSimulateOptions options = options_of(tree, told);
  options.stop = errors.stop();
  const std::vector<double> q = one_state(tree, q_argument, "q", t.setup.q),
                            v = one_state(tree, v_argument, "v", t.setup.v);
  watch_signals(tree, errors, forces);
  Record record;
  FlexibleRunResult run;
  bool known = false;
  {
    const GilRelease release;
    try {
      run = simulate_flexible(tree, forces, q, v, options, [&](const FlexibleSample& s) {
        errors.check_signals();
        if (!errors.failed()) record.take(s);
      });
      known = true;
    } catch (...) {
      errors.keep(std::current_exception());
    }
  }
  if (known) write_result(record, run, t.size(), to);
  errors.rethrow();
}

}  // namespace

void bind_flexible_simulate(nb::module_& m, nb::class_<PyFlexibleTree>& tree) {
  m.def("_simulate_flexible", &simulate, nb::arg("tree"), nb::arg("forces").none(),
        nb::arg("control").none(), nb::arg("q").none(), nb::arg("v").none(), nb::arg("options"),
        nb::arg("to"), "The run of axode._flexible.simulate_flexible as plain columns.");
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
              "atol: float = 1e-06, step: float = 0.0, max_step: float = 0.0, "
              "sample_interval: float = 0.01, "
              "sample_times: axode.typing.ArrayLike | None = None, start: float = 0.0, "
              "exact_coordinates: axode.typing.CoordinateNames = (), fall_back: bool = False, "
              "small_deflection: float = 0.1) -> axode.Run"),
      "The motion from (q, v), by default the initial state of the tree, over `duration` [s] (that "
      "of the file, else 1 s) by the linear or the exact equations. `forces` acts instead of what "
      "the file says; `control`, instead of the PD control of the file or of the forces, is "
      "another "
      "one, or a function f(t, q, v) that returns a force for each joint [N m, N]. See "
      "simulate_flexible for the options.");
}

}  // namespace axode::python
