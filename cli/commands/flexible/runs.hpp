/// Runs of flexible models for `axode simulate` and `axode flexible figures`: records and tables.
/// Tests: tests/cli/flexible_test.py
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "axode/simulate/run/simulate.hpp"
#include "axode/view/plot/flexible_plot.hpp"
#include "cli/commands/flexible/flexible.hpp"

namespace axode::cli {

/// What only flexible trees have, by their options. Throws UsageError, and LimitError for too many samples.
void set_flexible(SimulateOptions& how, const FlexibleOptions& options, const FlexibleTree& tree);
/// Makes the observer of the next run.
using FlexibleObserver = std::function<RunObserver()>;
/// Runs the models in turn; `how.stop` must be set.
std::vector<FlexibleRecord> flexible_runs(const std::string& file, const FlexibleSetup& setup,
                                          const SimulateOptions& how,
                                          const std::vector<FlexibleModel>& models,
                                          const FlexibleObserver& observer_of_run,
                                          const Checkpoint* from = nullptr);
/// As exit_of of one run, of the first that did not finish.
int exit_of(const SimulateCommandOptions& command, const std::vector<FlexibleRecord>& runs);

/// The summary of runs, with their difference if there are two.
void print_runs(const FlexibleTree& tree, const std::vector<FlexibleRecord>& runs, Output& output);
void write_runs(const FlexibleOptions& options, const FlexibleTree& tree,
                const std::vector<FlexibleRecord>& runs, Output& output);
CsvRows rows_of(const FlexibleTree& tree, const std::vector<FlexibleRecord>& runs);

}  // namespace axode::cli
