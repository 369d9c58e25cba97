/// Runs of flexible models for `axode flexible simulate` and `figures`: records, tables, plots.
/// Tests: tests/cli/flexible_test.py
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "axode/simulate/run/simulate_flexible.hpp"
#include "cli/commands/flexible/flexible.hpp"

namespace axode::cli {

/// One run, sample by sample.
struct FlexibleRecord {
  FlexibleModel model = FlexibleModel::linear;
  std::vector<double> times;
  std::vector<std::vector<double>> q, v, tau;           ///< by sample and coordinate
  std::vector<double> kinetic, gravity, elastic, work;  ///< [J]
  FlexibleRunResult result;
};
/// The options of a run. Throws UsageError.
FlexibleSimulateOptions flexible_run_options(const FlexibleOptions& options,
                                             const FlexibleSetup& setup);
/// Runs the models in turn; `observer` sees each sample.
std::vector<FlexibleRecord> flexible_runs(
    const FlexibleOptions& options, const FlexibleSetup& setup,
    const std::vector<FlexibleModel>& models,
    const std::function<void(const FlexibleSample&)>& observer = {});
/// 0 where all finished; a warning and 130 if one was interrupted. Throws NumericalError otherwise.
int exit_of(const FlexibleOptions& options, const std::vector<FlexibleRecord>& runs);

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
