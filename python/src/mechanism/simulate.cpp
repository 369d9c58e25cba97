/// Runs of mechanisms.
#include "axode/simulate/run/simulate.hpp"

#include <algorithm>
#include <chrono>
#include <future>

#include "axode/core/error.hpp"
#include "src/mechanism/record.hpp"
#include "src/shared/errors.hpp"
#include "src/simulate/run_arguments.hpp"

namespace axode::python::mechanisms {
namespace {

/// Whether the mechanism calls functions of the program, which have no text.
bool calls_python(const Mechanism& m) {
  const auto has_function = [](const auto& force) { return force.force && force.text.empty(); };
  return std::ranges::any_of(m.drivers, [](const auto& d) { return d.text.empty(); }) ||
         std::ranges::any_of(m.coordinate_forces, has_function) ||
         std::ranges::any_of(m.springs, has_function) ||
         std::ranges::any_of(m.loads, [](const auto& l) { return l.varying && l.text.empty(); });
}

/// f(), which calls no Python, in another thread: this one, where Python handles signals, looks for
/// Ctrl-C meanwhile.
template <class F>
auto watched(RunErrors& errors, F&& f) {
  auto done = std::async(std::launch::async, std::forward<F>(f));
  while (done.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready)
    errors.check_signals();
  return done.get();
}

/// Hands the exception, with the run so far as its attribute `run`, over to Python.
[[noreturn]] void raise_with_run(const std::exception_ptr& failed, const nb::object& run) {
  const nb::module_ module = nb::module_::import_("axode._simulate");
  const nb::object fail = module.attr("_fail");
  try {
    std::rethrow_exception(failed);
  } catch (nb::python_error& error) {
    fail(nb::borrow(error.value()), run);
    throw;
  } catch (const Error& error) {
    const nb::object value = exception_object(error);
    fail(value, run);
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(value.ptr())), value.ptr());
    throw nb::python_error();
  }
}

/// Throws Error on times a run would not get on with.
void check_times(const SimulateOptions& how) {
  const double end = how.start + how.duration;
  check_interval(how.sample_interval, how.start, end, "sample_interval");
  check_interval(how.checkpoint_interval, how.start, end, "checkpoint_interval");
  check_interval(how.step, how.start, end, "step");
  check_interval(how.max_step, how.start, end, "max_step");
  check_finite(how.sample_times, "sample_times");
}

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

nb::object run_object(const nb::object& self, const RunResult& r, const RunMarks& marks,
                      const std::vector<SimulationEvent>& events, std::span<const double> t,
                      const nb::dict& columns, const nb::dict& options,
                      const std::string& start_message) {
  const nb::module_ run = nb::module_::import_("axode._run");
  const nb::object type = run.attr("Run");
  const nb::object make = type.attr("_from_columns");
  nb::dict figures;
  figures["samples"] = r.samples;
  figures["restarts"] = r.mechanism.restarts;
  figures["energy_drift"] = r.energy_drift;
  figures["energy_scale"] = r.energy_scale;
  figures["position_error"] = r.mechanism.position_error;
  figures["velocity_error"] = r.mechanism.velocity_error;
  figures["acceleration_residual"] = r.mechanism.acceleration_residual;
  figures["redundant"] = r.mechanism.redundant;
  figures["sure_of_turns"] = r.mechanism.sure_of_turns;
  figures["left_out"] = int_list(r.mechanism.left_out);
  figures["start_message"] = start_message;
  figures["cpu_seconds"] = r.cpu_seconds;
  const StepStatistics& s = r.statistics;
  nb::list records;
  for (const EventRecord& e : marks.events)
    records.append(result("EventRecord", e.t, events[e.event].name, e.event));
  nb::object checkpoint = nb::none();
  if (marks.checkpoint)
    checkpoint = result("Checkpoint", marks.checkpoint->t, array(marks.checkpoint->numbers));
  return make(array(t), columns, nb::arg("ending") = name(r.ending), nb::arg("message") = r.message,
              nb::arg("events") = records, nb::arg("checkpoint") = checkpoint,
              nb::arg("statistics") = result("StepStatistics", s.steps, s.rejected, s.rates,
                                             s.jacobians, s.factorizations, s.iterations),
              nb::arg("last") = result("State", array(r.last.q), array(r.last.v)),
              nb::arg("last_t") = r.t, nb::arg("tree") = self, nb::arg("options") = options,
              nb::arg("figures") = figures);
}

struct Start {
  std::vector<double> q, v;
  std::string message;
};

nb::object simulate_of(const nb::object& self, nb::handle q_argument, nb::handle v_argument,
                       double start, double duration, const std::string& method, double rtol,
                       double atol, double step, double max_step, nb::handle max_steps,
                       double sample_interval, nb::handle sample_times, nb::handle events,
                       double checkpoint_interval, nb::handle resume_from, bool exact_start,
                       double start_tolerance, double baumgarte_alpha, double baumgarte_beta,
                       double penalty, double omega, double mu, int max_iterations,
                       double iteration_tolerance, bool project, double spectral_radius,
                       nb::handle points_argument, bool bodies) {
  PySystem* system_of_self = nullptr;
  if (!nb::try_cast<PySystem*>(self, system_of_self) || system_of_self == nullptr)
    throw nb::type_error("self: not a MechanismSystem");
  PySystem& py = *system_of_self;
  SimulateOptions how;
  how.start = start;
  how.duration = duration;
  how.method = method_named(method, ModelKind::mechanism);
  how.rtol = rtol;
  how.atol = atol;
  how.step = step;
  how.max_step = max_step;
  how.max_steps = steps_argument(max_steps);
  how.sample_interval = sample_interval;
  if (!sample_times.is_none()) how.sample_times = vector(sample_times, "sample_times");
  how.checkpoint_interval = checkpoint_interval;
  how.events = events_argument(events);
  const std::optional<Checkpoint> resume = checkpoint_argument(resume_from);
  how.mechanism.exact_start = exact_start;
  how.mechanism.start_tolerance = start_tolerance;
  how.mechanism.baumgarte_alpha = baumgarte_alpha;
  how.mechanism.baumgarte_beta = baumgarte_beta;
  how.mechanism.penalty = penalty;
  how.mechanism.omega = omega;
  how.mechanism.mu = mu;
  how.mechanism.max_iterations = max_iterations;
  how.mechanism.iteration_tolerance = iteration_tolerance;
  how.mechanism.project = project;
  how.mechanism.spectral_radius = spectral_radius;
  check_times(how);
  check_size(how, py.nq() + 2 * std::size_t(py.nv()) + py.rows());
  const std::vector<PointName> points = points_named(py.mechanism(), points_argument);
  Start from;
  if (!q_argument.is_none()) from.q = state(q_argument, "q", py.nq(), coordinates_text);
  if (!v_argument.is_none()) {
    if (q_argument.is_none()) throw Error("is given without q", "v", "give both");
    from.v = state(v_argument, "v", py.nv(), velocities_text);
  } else if (!q_argument.is_none()) {
    from.v.assign(py.nv(), 0);
  }
  RunErrors errors;
  how.stop = errors.stop();
  RunResult run;
  RunMarks marks;
  std::optional<Recorder> record;
  const auto work = [&](MechanismSystem& system) {
    record.emplace(system, points, bodies);
    if (from.q.empty()) {
      Assembly found = assemble(system, {.t = start, .hold_start = true});
      from.message = message_of(found);
      if (!found.is_assembled()) {
        run.ending = Ending::not_assembled;
        run.t = start;
        run.message = from.message;
        return;
      }
      from.q = std::move(found.q);
      from.v = std::move(found.v);
    }
    const bool python = calls_python(system.mechanism()) || !how.events.empty();
    RunObserver observer;
    observer.sample = [&](const Sample& sample) {
      if (python && errors.failed()) return;  // numbers are no more finite
      record->take(sample);
      if (python) errors.check_signals();
    };
    marks.observe(observer, how, errors);
    const auto simulated = [&] {
      return axode::simulate(system, {from.q, from.v}, how, observer, resume ? &*resume : nullptr);
    };
    run = python ? simulated() : watched(errors, simulated);
  };
  std::exception_ptr failed;
  try {
    py.use(work, errors);
  } catch (...) {
    failed = std::current_exception();
  }
  if (failed && (!record || record->t.empty())) std::rethrow_exception(failed);
  nb::dict columns = columns_of(py, *record, points), options;
  options["method"] = name(how.method);
  options["start"] = start;
  options["duration"] = duration;
  options["rtol"] = rtol;
  options["atol"] = atol;
  options["formulation"] = py.name();
  if (!failed) {
    warn_of_turns(run);
    return run_object(self, run, marks, how.events, record->t, columns, options, from.message);
  }
  run.t = record->t.back();
  raise_with_run(
      failed, run_object(self, run, marks, how.events, record->t, columns, options, from.message));
}

}  // namespace

void bind_mechanism_simulate(MechanismClasses& c) {
  using nb::arg;
  const SimulateOptions o;
  c.both(
      {"simulate",
       "q: axode.typing.ArrayLike | None = None, v: axode.typing.ArrayLike | None = None, *, "
       "start: float = 0.0, duration: float = 10.0, method: axode.typing.MechanismMethod = "
       "'automatic', rtol: float = 1e-06, atol: float = 1e-09, step: float = 0.0, max_step: "
       "float = 0.0, max_steps: int = 0, sample_interval: float = 0.01, sample_times: "
       "axode.typing.ArrayLike | None = None, events: "
       "collections.abc.Sequence[axode._simulate.Event] = (), checkpoint_interval: float = 0.0, "
       "resume: axode._results.simulate.Checkpoint | None = None, "
       "exact_start: bool = False, "
       "start_tolerance: float = 1e-08, baumgarte_alpha: float = 20.0, baumgarte_beta: float = "
       "20.0, penalty: float = 0.0, omega: float = 10.0, mu: float = 1.0, max_iterations: int "
       "= 30, iteration_tolerance: float = 1e-12, project: bool = True, spectral_radius: float "
       "= 0.8, points: collections.abc.Iterable[str] | None = None, bodies: bool = False",
       "axode._run.Run",
       "Runs the mechanism from (q, v), or from its starting values, for `duration` [s]. "
       "A run that needs more steps than max_steps (0: a million per second of `duration`, from "
       "ten thousand to one million, more where step or max_step ask for them) ends with the "
       "ending 'step limit'. Samples at start + k sample_interval, or "
       "at sample_times instead, and where the run ends; 0 and none: after each step. Events are "
       "functions of t and of q and v of the system, see axode.Event; an action gives the nearest "
       "state that meets the equations. With a checkpoint_interval [s] the run has a checkpoint, "
       "from which `resume` goes on to the same bits, with the same model and options. "
       "Quantities of the run: q, v, a, lambda_ of the system; coordinates and coordinate_rates "
       "of the mechanism, angles going on over full turns, also those between samples; points "
       "('body.point') in the world "
       "[m]; with `bodies` body_poses (quaternion w, x, y, z and position of each body) and "
       "body_twists (world axes, about the body's origin); kinetic, potential, work [J]. How it "
       "ended is `ending`. An exception in a Python "
       "function of time, and KeyboardInterrupt, come through with the samples so far as their "
       "attribute `run`."},
      &simulate_of, arg("q") = nb::none(), arg("v") = nb::none(), nb::kw_only(),
      arg("start") = o.start, arg("duration") = o.duration, arg("method") = "automatic",
      arg("rtol") = o.rtol, arg("atol") = o.atol, arg("step") = o.step,
      arg("max_step") = o.max_step, arg("max_steps") = o.max_steps,
      arg("sample_interval") = o.sample_interval, arg("sample_times") = nb::none(),
      arg("events") = nb::make_tuple(), arg("checkpoint_interval") = o.checkpoint_interval,
      arg("resume") = nb::none(), arg("exact_start") = o.mechanism.exact_start,
      arg("start_tolerance") = o.mechanism.start_tolerance,
      arg("baumgarte_alpha") = o.mechanism.baumgarte_alpha,
      arg("baumgarte_beta") = o.mechanism.baumgarte_beta, arg("penalty") = o.mechanism.penalty,
      arg("omega") = o.mechanism.omega, arg("mu") = o.mechanism.mu,
      arg("max_iterations") = o.mechanism.max_iterations,
      arg("iteration_tolerance") = o.mechanism.iteration_tolerance,
      arg("project") = o.mechanism.project, arg("spectral_radius") = o.mechanism.spectral_radius,
      arg("points") = nb::none(), arg("bodies") = false);
}

}  // namespace axode::python::mechanisms
