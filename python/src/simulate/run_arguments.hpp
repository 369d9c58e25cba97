/// Events and checkpoints of simulations of any kind of model, from Python and back.
#pragma once
#include <optional>
#include <vector>

#include "axode/simulate/run/simulate.hpp"
#include "src/shared/arrays.hpp"
#include "src/shared/callbacks.hpp"

namespace axode::python {

/// Of a sequence of axode.Event, whose functions are called while a RunErrors is current.
std::vector<SimulationEvent> events_argument(nb::handle events);
/// Of an axode.run.Checkpoint; none for None.
std::optional<Checkpoint> checkpoint_argument(nb::handle checkpoint);

/// What observers keep of a run beside its samples.
struct RunMarks {
  std::vector<EventRecord> events;
  std::optional<Checkpoint> checkpoint;  ///< the last one
  /// Adds itself to the observer; errors: nothing is kept after a function has failed.
  void observe(RunObserver& observer, const SimulateOptions& options, RunErrors& errors);
  /// (t, number of the event), ...
  nb::list event_list() const;
  /// (t, numbers), or None.
  nb::object checkpoint_tuple() const;
};

}  // namespace axode::python
