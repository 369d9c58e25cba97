/// Jacobians of frames, row by row.
#pragma once
#include "axode/kinematics/jacobian.hpp"
#include "src/kinematics/kinematics.hpp"

namespace axode::python {

/// Writes the Jacobian of the frame at one state. Needs no GIL.
void write_jacobian(Workspace& work, std::span<const double> q, const Frame& frame, Rep rep,
                    std::span<double> result);

}  // namespace axode::python
