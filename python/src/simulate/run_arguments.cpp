#include "src/simulate/run_arguments.hpp"

#include <algorithm>

#include "axode/core/error.hpp"
#include "src/shared/errors.hpp"
#include "src/simulate/control_function.hpp"

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

}  // namespace

std::vector<SimulationEvent> events_argument(nb::handle events) {
  const nb::module_ module = nb::module_::import_("axode._simulate");
  const nb::object checked = module.attr("_checked")(events);
  std::vector<SimulationEvent> result;
  for (nb::handle event : checked) result.push_back(event_from(event));
  return result;
}

std::optional<Checkpoint> checkpoint_argument(nb::handle checkpoint) {
  if (checkpoint.is_none()) return {};
  const nb::module_ module = nb::module_::import_("axode._results.simulate");
  if (!nb::isinstance(checkpoint, module.attr("Checkpoint")))
    throw nb::type_error("resume: not an axode.run.Checkpoint");
  const nb::object t = checkpoint.attr("t"), numbers = checkpoint.attr("numbers");
  return Checkpoint{nb::cast<double>(t), vector(numbers, "resume")};
}

void RunMarks::observe(RunObserver& observer, const SimulateOptions& options, RunErrors& errors) {
  observer.event = [this](const EventRecord& e) { events.push_back(e); };
  if (options.checkpoint_interval > 0)
    observer.checkpoint = [this, &errors](const Checkpoint& c) {
      if (!errors.failed()) checkpoint = c;
    };
}
nb::list RunMarks::event_list() const {
  nb::list all;
  for (const EventRecord& e : events) all.append(nb::make_tuple(e.t, e.event));
  return all;
}
nb::object RunMarks::checkpoint_tuple() const {
  if (!checkpoint) return nb::none();
  return nb::make_tuple(checkpoint->t, array(checkpoint->numbers));
}

}  // namespace axode::python
