/// Runs of flexible models for `axode simulate` and `axode flexible figures`: records, tables, plots.
/// Tests: tests/cli/flexible_test.py
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "axode/simulate/run/simulate.hpp"
#include "cli/commands/flexible/flexible.hpp"

namespace axode::cli {

/// One run, sample by sample.
struct FlexibleRecord {
  FlexibleModel model = FlexibleModel::linear;
  std::vector<double> times;
  std::vector<std::vector<double>> q, v, tau;           ///< by sample and coordinate
  std::vector<double> kinetic, gravity, elastic, work;  ///< [J]
  RunResult result;
};
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

/// How far two runs are apart at common samples, and how far the second went: by coordinate.
struct RunDifference {
  std::vector<double> q, v, largest_q, largest_v;
};
RunDifference difference_of(const FlexibleRecord& a, const FlexibleRecord& b);

/// The summary of runs, with their difference if there are two.
void print_runs(const FlexibleTree& tree, const std::vector<FlexibleRecord>& runs, Output& output);
void write_runs(const FlexibleOptions& options, const FlexibleTree& tree,
                const std::vector<FlexibleRecord>& runs, Output& output);
CsvRows rows_of(const FlexibleTree& tree, const std::vector<FlexibleRecord>& runs);

/// Which coordinates a plot has.
enum class FlexibleFigure { joints, bend_y, torsion, bend_z, axial, forces, energies };
/// Values over time, of all runs, up to a time; without panels if there is nothing of the kind.
Plot plot_of_runs(const FlexibleTree& tree, const std::vector<FlexibleRecord>& runs,
                  FlexibleFigure figure, const std::string& title, double until = 1e300);

}  // namespace axode::cli
