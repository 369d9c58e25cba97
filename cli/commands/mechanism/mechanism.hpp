/// What the actions of `axode mechanism` share: the mechanism with what the command line adds, the
/// system in the coordinates asked for, its assembly, and states with names for printing.
/// Tests: tests/cli/mechanism_test.py
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "axode/mechanism/analysis/assemble.hpp"
#include "axode/mechanism/analysis/diagnosis.hpp"
#include "axode/mechanism/description/named_points.hpp"
#include "axode/mechanism/equations/formulate.hpp"
#include "axode/mechanism/equations/system.hpp"
#include "axode/view/plot/mechanism_svg.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

/// The names of --formulation of mechanisms.
std::vector<std::string> formulations();
/// Coordinates by the name of the option, "relative" .. "mixed", with the mixed ones of --add.
/// Throws UsageError.
FormulationOptions formulation_named(const Mechanism& mechanism, const std::string& name,
                                     const std::vector<std::string>& added);

/// Reads the file (and --loops), sets drivers of --set and starting values of --q and --v. Throws also
/// where outputs could not be written (check_outputs).
Mechanism mechanism_of(const MechanismOptions& options);
/// The state of --q and --v at time t, exact. Throws UsageError where a driver says otherwise.
AssembleOptions state_of(const MechanismOptions& options, const Mechanism& mechanism, double t);
FormulationOptions formulation_of(const MechanismOptions& options, const Mechanism& mechanism);

/// A coordinate that an option names. Throws UsageError that begins with the option.
int coordinate_option(const Mechanism& mechanism, const std::string& name, const char* option);

/// "COORD=NUMBER" of an option: the coordinate and its value. Throws UsageError that begins with the option.
std::pair<int, double> coordinate_value(const Mechanism& mechanism, const std::string& text,
                                        const char* option);

/// Throws Error with what is wrong with drivers at a time.
void check_drivers(const Mechanism& mechanism, double t, const std::string& file);
/// `assemble`. Throws Error where drivers cannot be computed with, NumericalError where it cannot be
/// assembled or has no velocities: geometry, too many drivers, a dead point.
Assembly assembled(MechanismSystem& system, const AssembleOptions& options,
                   const std::string& file);

/// What is printed of a state: coordinates of the mechanism, poses, points.
struct MechanismReading {
  std::vector<SE3<double>> poses;
  std::vector<Twist<Rep::hybrid>> twists;
  std::vector<Vec6<double>> rates;
  std::vector<TimeValue> coordinates;  ///< by coordinate: value, rate, acceleration
};
MechanismReading reading_of(MechanismSystem& system, const Assembly& state);

/// "degrees_of_freedom_left" and "to_drive".
void write_dofs(const Mechanism& mechanism, const DofsLeft& left, Json& json);

/// The points that --points names. Throws UsageError.
std::vector<PointName> points_option(const Mechanism& mechanism,
                                     const std::vector<std::string>& names);
/// "COORD=VALUE": name and the rest. Throws UsageError.
std::pair<std::string, std::string> assignment(const std::string& text, const char* option);

/// Rows of numbers as CSV, to a file or standard output.
class CsvRows {
 public:
  explicit CsvRows(std::vector<std::string> titles);
  void row(std::span<const double> numbers);
  /// Writes to the file, or to standard output if there is none.
  void finish(const std::string& file, bool force, Output& output) const;

 private:
  std::string text_;
};

/// Before work is done: throws UsageError for drawings of spatial mechanisms, IoError for files
/// that exist and may not be overwritten.
void check_outputs(const MechanismOptions& options, const Mechanism& mechanism);
/// Writes it if a file is named.
void write_svg(const MechanismOptions& options, const Mechanism& mechanism,
               std::span<const SE3<double>> poses, std::span<const PointPath> paths = {});

// The actions; each returns the exit code.
int mechanism_info(const MechanismOptions& options);
int mechanism_solve(const MechanismOptions& options);
int mechanism_assembly_modes(const MechanismOptions& options);
int mechanism_sweep(const MechanismOptions& options);
int mechanism_linearize(const MechanismOptions& options);
int mechanism_simulate(const SimulateCommandOptions& command);
int mechanism_mobility(const MechanismOptions& options);
int mechanism_compare(const MechanismOptions& options);
int mechanism_equations(const MechanismOptions& options);

/// The equations with their origin, and the pattern of the Jacobian as characters.
void print_equations(MechanismSystem& system, const Assembly& state, Output& output);

}  // namespace axode::cli
