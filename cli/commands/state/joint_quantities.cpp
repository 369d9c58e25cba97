#include "cli/commands/state/joint_quantities.hpp"

namespace axode::cli {

JointNames joint_names(const StateSpace& space, bool only_independent) {
  JointNames names;
  for (const Coordinate& c : space.v) {
    if (only_independent && c.follows) continue;
    names.names.push_back(c.label);
    names.acceleration_units.push_back(c.angle ? "rad/s^2" : "m/s^2");
    names.force_units.push_back(c.angle ? "N m" : "N");
  }
  return names;
}

namespace {

const std::vector<std::string> acceleration_column{"a"}, force_column{"tau"};

}  // namespace

Quantity accelerations_quantity(const JointNames& names, std::vector<double> numbers) {
  return {.keys = {"a"},
          .title = "Joint accelerations",
          .csv = "a:",
          .what = "acceleration",
          .of = "joint",
          .rows = names.names,
          .columns = acceleration_column,
          .units = names.acceleration_units,
          .numbers = std::move(numbers)};
}

Quantity forces_quantity(const JointNames& names, std::vector<double> numbers) {
  return {.keys = {"tau"},
          .title = "Joint forces",
          .csv = "tau:",
          .what = "force",
          .of = "joint",
          .rows = names.names,
          .columns = force_column,
          .units = names.force_units,
          .numbers = std::move(numbers)};
}

Quantity matrix_quantity(const MatrixNames& names, std::span<const std::string> rows,
                         std::span<const std::string> columns, std::vector<double> numbers) {
  return {.keys = names.keys,
          .title = names.title,
          .csv = names.csv,
          .what = names.what,
          .rows = rows,
          .columns = columns,
          .numbers = std::move(numbers),
          .shape = Shape::matrix};
}

}  // namespace axode::cli
