/// The parts of assemble (assemble.hpp): the position problem from a start, and the motion there.
/// Tests: tests/mechanism/analysis/assemble_test.cpp
#pragma once
#include <vector>

#include "axode/mechanism/analysis/assemble.hpp"

namespace axode::detail {

/// Where the search begins: poses, and the time at which drivers are led to their values.
struct AssemblyStart {
  double t = 0;
  std::vector<SE3<double>> poses{};
  bool is_guess = false;
};
/// The guess of the options at their time, or the start of the mechanism at t = 0.
AssemblyStart assembly_start(MechanismSystem& system, const Mechanism& mechanism,
                             const AssembleOptions& options);

/// The position problem at time t.
Assembly close_loops(MechanismSystem& system, double t, const AssemblyStart& start);

/// Velocities and accelerations where it is closed; at t = 0 with the starting rates of the mechanism,
/// if they can be met.
void find_motion(MechanismSystem& system, Assembly& found);

/// By coordinate of the mechanism: a number to hold, NaN where there is none.
using HeldNumbers = std::vector<double>;
/// Closed and moved with these values and rates.
Assembly assemble_holding(MechanismSystem& system, const AssembleOptions& options,
                          const HeldNumbers& values, const HeldNumbers& rates);

std::vector<SE3<double>> poses_of(MechanismSystem& system, std::span<const double> q);

}  // namespace axode::detail
