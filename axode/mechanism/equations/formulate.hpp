/// The equations of a mechanism in the coordinates asked for.
///
///   MechanismSystem system(make_equations(mechanism, {.family = CoordinateFamily::natural}));
///
/// Tests: tests/mechanism/equations/formulate_test.cpp
#pragma once
#include <span>
#include <string_view>

#include "axode/mechanism/equations/equations.hpp"

namespace axode {

/// Throws Error when the mechanism has a joint that the formulation cannot express, naming it.
MechanismEquations make_equations(const Mechanism& mechanism, const FormulationOptions& options);

/// Coordinates by name: "relative", "reference_point" (attitudes by Euler parameters), "euler_angles",
/// "quasi_velocities", "natural", or "mixed": natural ones with all coordinates of the mechanism added.
/// '-' stands for '_' as well. Throws Error naming those that exist.
FormulationOptions formulation_named(const Mechanism& mechanism, std::string_view wanted);
/// The names it takes, with '_'.
std::span<const std::string_view> formulation_names() noexcept;

namespace detail {
MechanismEquations relative_equations(const Mechanism&, const FormulationOptions&);
MechanismEquations reference_point_equations(const Mechanism&, const FormulationOptions&);
MechanismEquations natural_equations(const Mechanism&, const FormulationOptions&);
}  // namespace detail

}  // namespace axode
