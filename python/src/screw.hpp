/// The parts of the bindings of axode/screw.
#pragma once
#include "src/lie.hpp"

namespace axode::python {

void bind_six_vectors(nb::module_& m);
void bind_inertia(nb::module_& m);
void bind_screws(nb::module_& m);
void bind_subgroups(nb::module_& m);

}  // namespace axode::python
