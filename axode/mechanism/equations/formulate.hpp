/// The equations of a mechanism in the coordinates asked for.
///
///   MechanismSystem system(make_equations(mechanism, {.family = CoordinateFamily::natural}));
///
/// Tests: tests/mechanism/equations/formulate_test.cpp
#pragma once
#include "axode/mechanism/equations/equations.hpp"

namespace axode {

struct FormulationOptions {
  CoordinateFamily family = CoordinateFamily::natural;
  AttitudeForm attitude = AttitudeForm::euler_parameters;  ///< spatial reference-point coordinates
  /// Coordinates of the mechanism to be added as mixed ones; those that joints, drivers and forces
  /// need are added without being told.
  std::vector<int> mixed{};
  /// Relative: the joints to cut, if not chosen by graph theory.
  std::vector<int> cut{};
  /// Relative: keep the coordinates of cut joints and close the loop as a whole: six equations.
  bool close_whole = false;
  /// Natural, planar: elements of three points by three distances, as in the book, instead of one
  /// distance and linear combinations, which know left from right.
  bool distances_only = false;
  bool with_drivers = true;  ///< false: those of the mechanism without its drivers
};

/// Throws Error when the mechanism has a joint that the formulation cannot express, naming it.
MechanismEquations make_equations(const Mechanism& mechanism, const FormulationOptions& options);

namespace detail {
MechanismEquations relative_equations(const Mechanism&, const FormulationOptions&);
MechanismEquations reference_point_equations(const Mechanism&, const FormulationOptions&);
MechanismEquations natural_equations(const Mechanism&, const FormulationOptions&);
}  // namespace detail

}  // namespace axode
