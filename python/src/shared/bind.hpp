/// The parts of the module, one per folder of the library; each in a file of its name.
#pragma once
#include <nanobind/nanobind.h>

#include "src/shared/gil.hpp"

namespace axode::python {
namespace nb = nanobind;

/// Lets calls of the class raise a TypeError that names what makes objects of it.
template <class Type>
void made_by(nb::class_<Type>& type, const char* functions) {
  type.def("__init__", [functions](Type*, const nb::args&, const nb::kwargs&) {
    throw nb::type_error(functions);
  });
}

void bind_errors(nb::module_& m);
void bind_lie(nb::module_& m);
void bind_screw(nb::module_& m);
void bind_model(nb::module_& m);
void bind_kinematics(nb::module_& m);
void bind_dynamics(nb::module_& m);
void bind_dynamics_oscillations(nb::module_& m);
void bind_simulate(nb::module_& m);
void bind_mechanism(nb::module_& m);
void bind_flexible(nb::module_& m);
void bind_view(nb::module_& m);

}  // namespace axode::python
