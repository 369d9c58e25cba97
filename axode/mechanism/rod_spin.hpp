/// The spin of slender rods between balls, in coordinates that know it.
///
/// A rod without inertia about its line, held by points of that line only, turns about it as nothing
/// says. A small inertia about the line keeps the spin what it was at the start; as momentum about
/// the line is kept, no other motion changes. Cost: O(bodies + joints).
/// Tests: tests/mechanism/rod_spin_test.cpp
#pragma once
#include <span>

#include "axode/mechanism/system.hpp"

namespace axode::detail {

/// Gives bodies marked `rod` whose spin is free and without inertia a hundredth of their inertia
/// across as inertia about their line, with a remark.
void hold_spin_of_rods(MechanismEquations& equations);
/// Takes the spin of those rods from velocities that meet the equations.
void stop_spin_of_rods(MechanismSystem& system, std::span<const double> q, std::vector<double>& v);

}  // namespace axode::detail
