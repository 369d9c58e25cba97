/// Forces of a simulation that are Python functions of the whole state: control and wrenches.
///
/// The library asks for one number of them at a time; the numbers of the last few states are kept,
/// so that the function is called once for each state.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "axode/simulate/run/simulate.hpp"
#include "src/shared/callbacks.hpp"

namespace axode::python {

/// f(t, q, v) -> array, evaluated where the integrator asks.
class StateFunction {
 public:
  StateFunction(PyFunction function, std::vector<std::size_t> shape);
  /// The numbers, row by row; NaN once something has gone wrong in the run.
  const std::vector<double>& at(double t, std::span<const double> q, std::span<const double> v);

 private:
  struct Entry {
    double t = 0;
    std::vector<double> q, v, values;
    bool known = false;
  };
  PyFunction function_;
  std::vector<std::size_t> shape_;
  std::size_t size_ = 1, oldest_ = 0;
  std::array<Entry, 3> entries_;  ///< differences need two
};

/// f(t, q, v) -> (nv,), evaluated at start + k interval and held until the next such time.
///
/// The integrator lands on these times. The state there is told by an event that never happens
/// (watch), as not every method evaluates forces at the start of a step.
class SampledControl {
 public:
  /// Throws Error on an interval that is not positive, LimitError on more than 1e7 of them.
  SampledControl(PyFunction function, const SimulateOptions& options, const State<double>& initial,
                 double interval);
  const std::vector<double>& at(double t);
  void see(double t, std::span<const double> q, std::span<const double> v);
  /// Times at which it changes, after the start.
  std::vector<double> switch_times() const { return {times_.begin() + 1, times_.end()}; }
  /// The force of the interval that time lies in, if it is known.
  std::optional<std::vector<double>> held(double t) const;
  void resume(double t, std::vector<double> held);

 private:
  std::size_t interval_of(double t) const noexcept;
  struct Held {
    std::size_t k;
    std::vector<double> tau;
  };
  PyFunction function_;
  std::vector<double> times_;
  State<double> seen_;  ///< at the end of the interval, or at the start
  std::vector<Held> held_;
  std::vector<double> nothing_;
};

/// What is added to the forces and events of a run.
void add_control(Forces& forces, std::shared_ptr<StateFunction> control, int nv);
void add_control(Forces& forces, SimulateOptions& options, std::shared_ptr<SampledControl> control,
                 int nv);
/// Wrenches in the body frames.
void add_wrenches(Forces& forces, std::shared_ptr<StateFunction> wrenches, int bodies);

}  // namespace axode::python
