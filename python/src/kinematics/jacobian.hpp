/// Jacobians of frames, row by row.
#pragma once
#include "axode/kinematics/jacobian.hpp"
#include "src/kinematics/frames.hpp"

namespace axode::python {

/// Writes the Jacobian between the frames at one state. Needs no GIL.
void write_jacobian(Workspace& work, std::span<const double> q, const TwistFrames& frames,
                    std::span<double> result);

}  // namespace axode::python
