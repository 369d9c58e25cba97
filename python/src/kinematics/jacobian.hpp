/// Jacobians of frames, row by row.
#pragma once
#include "axode/kinematics/jacobian.hpp"
#include "src/kinematics/kinematics.hpp"

namespace axode::python {

/// Writes the Jacobian of the frame at one state.
void jacobian_of_state(Workspace& work, std::span<const double> q, const Frame& frame, Rep rep,
                       std::span<double> result);

/// Writes those at all states q. Needs no GIL; Ctrl-C is heard.
void jacobians_of_batch(Workspace& work, std::span<const double> q, const Frame& frame, Rep rep,
                        RunErrors& errors, std::span<double> result);

}  // namespace axode::python
