/// What acts on a flexible tree, from the classes of axode/_flexible.py.
#pragma once
#include "axode/simulate/systems/flexible_system.hpp"
#include "src/flexible/flexible.hpp"
#include "src/shared/callbacks.hpp"

namespace axode::python {

FlexibleLoad load_argument(const FlexibleTree& tree, nb::handle load);
FlexibleControl control_argument(const FlexibleTree& tree, nb::handle control);
/// The forces of a FlexibleForces.
FlexibleForces forces_argument(const FlexibleTree& tree, nb::handle forces);
/// Adds the joint forces of a Python function f(t, q, v).
void add_control_function(const FlexibleTree& tree, nb::handle function, FlexibleForces& forces);
/// Lets evaluations look for Ctrl-C.
void watch_signals(const FlexibleTree& tree, RunErrors& errors, FlexibleForces& forces);

}  // namespace axode::python
