/// The velocities with which a mechanism starts: coordinates that no driver moves have their starting
/// rates (Mechanism::initial_rate) where they have any.
///
///   min |v|  with  Phi_q v = -Phi_t  and  c' = rate     for each told coordinate c
///
/// Cost: that of formulating once more, and of a velocity analysis.
/// Tests: tests/mechanism/analysis/starting_rates_test.cpp
#pragma once
#include <span>
#include <string>
#include <vector>

#include "axode/mechanism/equations/system.hpp"

namespace axode {

struct StartingVelocity {
  std::vector<double> v;  ///< without told rates, or where they cannot be met: zero
  std::string message;    ///< why rates cannot be met; else empty
};
/// Velocities to begin with at an assembled configuration at time t. Those of drivers are left to
/// solve_velocity, which finds the nearest to these.
StartingVelocity starting_velocity(MechanismSystem& system, double t, std::span<const double> q);

}  // namespace axode
