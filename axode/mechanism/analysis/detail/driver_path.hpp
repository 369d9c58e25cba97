/// Configurations followed along the motion of drivers, in steps short enough to stay on the branch.
///
///   q(t + h) ~ q(t) + h v(t),   Phi_q v = -Phi_t,   then Phi(q, t + h) = 0 by Newton
///
/// No body turns by more than 0.05 rad in a step, or moves by more than as much of the size of the
/// mechanism; a step is shortened where Newton corrects much of the prediction: that may be another
/// branch. Cost: two factorisations a step.
/// Tests: tests/mechanism/analysis/detail/driver_path_test.cpp
#pragma once
#include <span>
#include <vector>

#include "axode/mechanism/equations/system.hpp"

namespace axode::detail {

/// Takes q, assembled at time `begin`, to time `end`. False: the drivers cannot be followed so far;
/// q is where they ended.
bool follow_time(MechanismSystem& system, double begin, double end, std::vector<double>& q);

/// The configuration with drivers as at time t on the branch of `start`: assembled with drivers at the
/// values that these poses have, then led to their values at t all at once, angles by the shorter
/// way. Empty if that does not succeed.
std::vector<double> lead_drivers(MechanismSystem& system, double t,
                                 std::span<const SE3<double>> start);

}  // namespace axode::detail
