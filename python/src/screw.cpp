/// Twists, wrenches, inertias, screws: axode/screw.
#include "src/screw.hpp"

namespace axode::python {

void bind_screw(nb::module_& m) { bind_inertia(m); }

}  // namespace axode::python
