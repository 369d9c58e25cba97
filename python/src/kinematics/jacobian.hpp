/// Jacobians of batches.
#pragma once
#include "axode/kinematics/jacobian.hpp"
#include "src/kinematics/kinematics.hpp"

namespace axode::python {

/// Writes the Jacobians of the frame at all states q, row by row. Needs no GIL; Ctrl-C is heard.
void jacobians_of_batch(const Tree& tree, Batch& batch, std::span<const double> q,
                        const Frame& frame, Rep rep, RunErrors& errors, std::span<double> result);

}  // namespace axode::python
