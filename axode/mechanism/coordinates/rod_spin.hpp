/// The idle spin of slender rods between balls, in coordinates that know it.
///
/// A body that joints and forces hold by points of one line only, with its centre of mass there, may
/// spin about that line as nothing says. Where it is a rod, or has no inertia about the line, the
/// spin must change nothing: the rod has the inertia of a line in all coordinates, torques about the
/// line are dropped, and
///
///   u . omega = 0,   u . alpha = 0                               u: the line
///
/// are what tells velocities and accelerations apart that differ in it (MechanismSystem::motion_rows).
/// Runs need a number where nature has none: a small inertia that acts on u . alpha alone, which is
/// then zero for any spin. Cost: O(bodies + joints).
/// Tests: tests/mechanism/coordinates/rod_spin_test.cpp
#pragma once
#include <span>

#include "axode/mechanism/equations/system.hpp"

namespace axode::detail {

/// The inertia of a line along the unit vector u with the mean of the moments across it.
Sym3<double> slender_inertia(const Sym3<double>& inertia, const Vec3<double>& u) noexcept;
/// Finds idle spins, takes the inertia about the line from rods that have one, with a remark. A rod
/// that forces turn about its line gets a hundredth of its inertia across, if it has none.
void find_idle_spins(MechanismEquations& equations);
/// Takes the spin of those bodies from velocities that meet the equations.
void stop_idle_spins(MechanismSystem& system, std::span<const double> q, std::vector<double>& v);

}  // namespace axode::detail
