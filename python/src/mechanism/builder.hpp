/// What the methods of axode.MechanismBuilder do.
#pragma once
#include "axode/mechanism/description/builder.hpp"
#include "src/mechanism/mechanism.hpp"

namespace axode::python::mechanisms {

/// Texts of drivers belong to files; the builder does not know them.
struct PyMechanismBuilder {
  MechanismBuilder builder;
  bool is_planar = false;
  std::vector<std::string> driver_texts{};
};
using Builder = PyMechanismBuilder;

void add_body(Builder& self, const std::string& name, const Inertia<double>* given, double mass,
              nb::handle com, nb::handle about);
void add_joint(Builder& self, const std::string& name, const std::string& type,
               const std::string& body_i, const std::string& body_j, nb::handle at, nb::handle axis,
               nb::handle points, nb::handle axes, nb::handle zero, std::optional<double> value,
               std::optional<double> pitch, std::optional<double> ratio,
               std::optional<double> offset, std::optional<double> angle);
void drive(Builder& self, const std::string& coordinate, nb::handle motion);
void add_force(Builder& self, const std::string& coordinate, double stiffness, double rest,
               double damping, nb::handle force, const std::string& name);
void add_spring(Builder& self, nb::handle from, nb::handle to, double stiffness, double length,
                double damping, nb::handle force, const std::string& name);
void add_load(Builder& self, nb::handle on, nb::handle force, nb::handle torque, nb::handle varying,
              const std::string& name);
void add_cable(Builder& self, const std::string& name, const nb::iterable& over,
               std::optional<double> length);
void couple(Builder& self, const std::string& name, const nb::dict& sum, double constant);
PyMechanism build(const Builder& self);
Vec3<double> place(const Builder& self, nb::handle value, const char* argument);
SpotOn spot_on(const Builder& self, nb::handle value, const char* argument);

}  // namespace axode::python::mechanisms
