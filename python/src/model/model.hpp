/// The parts of the bindings of axode/model and of the readers and writers of model files.
#pragma once
#include <string>

#include "axode/model/tree.hpp"
#include "src/model/py_tree.hpp"
#include "src/shared/bind.hpp"

namespace axode::python {

void bind_shapes(nb::module_& m);
void bind_joints(nb::module_& m);
void bind_geometry(nb::module_& m);
void bind_joint_maps(nb::module_& m);
void bind_tree(nb::module_& m, nb::class_<PyTree>& type);
void bind_tree_files(nb::module_& m, nb::class_<PyTree>& type);
void bind_tree_pickle(nb::class_<PyTree>& type);
void bind_tree_states(nb::module_& m, nb::class_<PyTree>& type);
void bind_builder(nb::module_& m);

/// Names in files and signatures. The readers throw Error on another name.
GeometryForm geometry_form(std::string_view text);
Coordinates joint_coordinates(std::string_view text);
/// "body", "spatial" or "hybrid", the velocities that a free joint can have.
Rep free_velocity(std::string_view text, const char* argument);

/// An SE3, a 4x4 array, or None for the identity.
SE3<double> pose_or_identity(nb::handle value, const char* argument);
/// A whole number of Python's, from 0 to `largest`. Throws Error, or nb::type_error if it is none.
std::uint64_t whole_number(nb::handle value, const char* argument,
                           std::uint64_t largest = UINT64_MAX);
/// A body by name or number. Throws Error.
int body_argument(const Tree& tree, nb::handle value, const char* argument = "body");

}  // namespace axode::python
