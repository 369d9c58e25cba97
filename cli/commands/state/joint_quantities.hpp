/// Quantities with a number, or a row and a column, for each velocity of a tree.
/// Tests: tests/cli/cli_test.py
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments/states.hpp"
#include "cli/output/quantity.hpp"

namespace axode::cli {

/// Velocities by name, with units.
struct JointNames {
  std::vector<std::string> names, acceleration_units, force_units;
};
/// Those of all velocities, or of those that follow no other.
JointNames joint_names(const StateSpace& space, bool only_independent = false);

/// Accelerations "a", forces "tau" by joint.
Quantity accelerations_quantity(const JointNames& names, std::vector<double> numbers);
Quantity forces_quantity(const JointNames& names, std::vector<double> numbers);

/// What a matrix is called: {{"mass_matrix"}, "Mass matrix", "mass_matrix.", "mass matrix"}.
struct MatrixNames {
  std::vector<std::string_view> keys;
  std::string_view title, csv, what;
};
/// `numbers` row by row.
Quantity matrix_quantity(const MatrixNames& names, std::span<const std::string> rows,
                         std::span<const std::string> columns, std::vector<double> numbers);

}  // namespace axode::cli
