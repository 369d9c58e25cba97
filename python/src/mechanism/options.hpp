/// Options of the position problem and results with matrices, as several bindings have them.
#pragma once
#include "axode/mechanism/analysis/position.hpp"
#include "src/mechanism/mechanism.hpp"

namespace axode::python::mechanisms {

/// Throws Error on what is out of range.
PositionOptions position_options(const std::string& method, double tolerance, int iterations,
                                 bool refuse_mirror, bool count_rank);
/// A SparseMatrix.
nb::object sparse_result(const SparseRows& A);

}  // namespace axode::python::mechanisms
