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

}  // namespace axode::python
