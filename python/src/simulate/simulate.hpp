/// What the bindings of simulations share: signals and forces from and to Python.
#pragma once
#include "axode/simulate/forces/forces.hpp"
#include "src/model/py_tree.hpp"
#include "src/shared/arrays.hpp"

namespace axode::python {

/// A number, an expression as text or compiled, samples or a function f(t, q, v). Throws Error.
Signal signal_from(nb::handle value, const Tree& tree, const char* argument);
/// The same back: a float, the text, Samples or the function.
nb::object signal_object(const Signal& signal);
/// A degree of freedom by name or number; a body by name or number (-1, None or "world": the world).
int dof_from(nb::handle value, const Tree& tree, const char* argument);
int body_from(nb::handle value, const Tree& tree, const char* argument, bool world);

/// axode.Forces: forces on one tree, which it keeps.
struct PyForces {
  nb::object tree_object;
  const Tree* tree;
  Forces forces;
};
/// axode.forces.Trajectory and axode.forces.Controller, of one tree.
struct PyTrajectory {
  nb::object tree_object;
  const Tree* tree;
  Trajectory trajectory;
};
struct PyController {
  nb::object tree_object;
  const Tree* tree;
  Controller controller;
};
/// The object in a Python one of that class; null if it is another, or was never initialised.
template <class T>
T* instance(nb::handle value) {
  return nb::isinstance<T>(value) && nb::inst_ready(value) ? nb::inst_ptr<T>(value) : nullptr;
}
/// The tree of an axode.Tree. Throws nb::type_error on another object.
const Tree& tree_of(nb::handle tree_object);

void bind_signals(nb::module_& m);
void bind_controllers(nb::module_& m);
void bind_forces(nb::module_& m);
void bind_force_functions(nb::module_& m);
void bind_scene(nb::module_& m);
void bind_simulation(nb::module_& m);
void bind_run(nb::module_& m);
void bind_integrate(nb::module_& m);

}  // namespace axode::python
