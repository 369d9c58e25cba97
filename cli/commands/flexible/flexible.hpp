/// What the actions of `axode flexible` share: the model with what the command line adds, states by
/// name, and files that are checked before work is done.
/// Tests: tests/cli/flexible_test.py
#pragma once
#include <numbers>
#include <string>
#include <vector>

#include "axode/flexible/tree/dynamics.hpp"
#include "axode/flexible/tree/tree_facts.hpp"
#include "axode/io/flexible/flexible_file.hpp"
#include "axode/view/plot/flexible_plot.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/mechanism/mechanism.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

inline constexpr double two_pi = 2 * std::numbers::pi;

/// Reads the file; --q and --v go over its initial state. Throws also where outputs exist already.
FlexibleSetup flexible_setup(const FlexibleOptions& options);
/// --model, or `otherwise` if it is not given. Throws UsageError.
FlexibleModel flexible_model(const FlexibleOptions& options, FlexibleModel otherwise);
/// Elastic coordinates that --exact names. Throws UsageError.
std::vector<int> exact_coordinates(const FlexibleOptions& options, const FlexibleTree& tree);
/// A joint or coordinate that an option names. Throws UsageError that begins with the option.
int flexible_coordinate(const FlexibleTree& tree, const std::string& name, const char* option,
                        bool only_joints);
/// Values by name=value or in order, from an option, into `numbers`.
void set_values(const FlexibleTree& tree, const std::vector<std::string>& texts, const char* option,
                std::vector<double>& numbers);

/// Writes a text to a file unless the name is empty.
void write_if_named(const std::string& file, const std::string& text, bool force);

// The actions; each returns the exit code.
int flexible_info(const FlexibleOptions& options);
int flexible_modes_action(const FlexibleOptions& options);
int flexible_linearize(const FlexibleOptions& options);
int flexible_simulate(const SimulateCommandOptions& command);
/// Both models and the five figures of [CibicikEgeland].
int flexible_figures(const FlexibleOptions& options);

}  // namespace axode::cli
