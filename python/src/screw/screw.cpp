/// Twists, wrenches, inertias, screws: axode/screw.
#include "src/screw/screw.hpp"

namespace axode::python {

void bind_screw(nb::module_& m) {
  bind_six_vectors(m);
  bind_inertia(m);
  bind_conversions(m);
  bind_screws(m);
  bind_subgroups(m);
}

}  // namespace axode::python
