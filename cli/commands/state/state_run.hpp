/// Commands that compute something of one state after the other: the state of the options, or those of a
/// file, with the results printed as they come.
/// Tests: tests/cli/cli_test.py
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/arguments/states.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output/quantity.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace axode::cli {

/// Declares --states, --json and --csv; the values are declared by the command.
void add_state_run(CLI::App& command, StateOptions& options);
/// Declares an option that takes VALUES.
CLI::Option* add_values(CLI::App& command, const char* flag, std::vector<std::string>& to,
                        const char* text);
/// What every such command says about VALUES in its help.
extern const char* const values_help;
/// Throws UsageError if options exclude one another.
void check_state_options(const StateOptions& options);

struct StateRun {
  const StateSpace& space;
  const StateOptions& options;
  /// Members at the beginning of the JSON object, the schema first.
  std::vector<std::pair<std::string, std::string>> head = {};
  /// Lists of names after those of coordinates and velocities.
  std::vector<std::pair<std::string, std::vector<std::string>>> lists = {};
  bool still = false;  ///< with neither a nor tau, a is zero
  /// The results at a state. What is thrown names it `which`. `prepared` is its place among the states
  /// prepared last, if it is one of them.
  std::function<std::vector<Quantity>(const GivenState& state, const std::string& which,
                                      std::optional<std::size_t> prepared)>
      evaluate = {};
  /// May be missing. Computes in advance what is faster for several states; never throws because of
  /// a state.
  std::function<void(std::span<const GivenState> states)> prepare = {};
  std::size_t most = 1;  ///< states that are prepared at once
};
/// Prints the results of all states and returns the exit code. States are prepared as they come:
/// those of a pipe do not wait for others that may come later. What could be computed before
/// something went wrong is printed, and complete in its form. Throws what `evaluate` throws, and
/// NumericalError if results are not finite.
int run_states(const StateRun& run);

}  // namespace axode::cli
