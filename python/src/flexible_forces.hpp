/// What acts on a flexible tree, from the classes of axode/_flexible.py, and calls of Python
/// functions from within a run.
#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>

#include "axode/simulate/flexible_system.hpp"
#include "src/flexible.hpp"

namespace axode::python {

/// Python functions that a run calls. The first exception is kept and ends the run: it must not
/// pass through integrators.
class Callbacks {
 public:
  /// f() with the GIL; NaN once something was raised.
  double number(const std::function<double()>& f);
  /// Looks now and then whether the user has pressed Ctrl-C.
  void check_signals();
  bool failed() const noexcept { return failed_; }
  const std::atomic<bool>& stop() const noexcept { return stop_; }
  /// The exception, or None.
  nb::object error() const { return failed_ ? error_ : nb::none(); }

 private:
  void keep_exception();
  std::atomic<bool> stop_ = false;
  bool failed_ = false;
  nb::object error_;
  std::chrono::steady_clock::time_point looked_ = std::chrono::steady_clock::now();
};

FlexibleLoad load_argument(const FlexibleTree& tree, nb::handle load);
/// The forces of a FlexibleForces. `calls` must outlive them.
FlexibleForces forces_argument(const FlexibleTree& tree, nb::handle forces, Callbacks& calls);
FlexibleControl control_argument(const FlexibleTree& tree, nb::handle control);
/// Adds the joint forces of a Python function f(t, q, u).
void add_control_function(const FlexibleTree& tree, nb::object function, Callbacks& calls,
                          FlexibleForces& forces);
/// Lets evaluations look for Ctrl-C.
void watch_signals(const FlexibleTree& tree, Callbacks& calls, FlexibleForces& forces);

}  // namespace axode::python
