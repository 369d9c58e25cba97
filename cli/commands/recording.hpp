/// What `axode simulate` does for every kind of model: options, the run file with its checkpoints, live
/// pages, progress, how it ended.
/// Tests: tests/cli/simulate_test.py, tests/cli/verbs_test.py
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "axode/io/run/run_record.hpp"
#include "axode/simulate/run/simulate.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output/live/live.hpp"
#include "cli/output/run_progress.hpp"

namespace axode::cli {

/// What can be said before the model is read, but for methods and formulations of trees. Throws UsageError.
SimulateOptions simulation_options(const SimulateCommandOptions& o, ModelKind kind,
                                   double duration_of_file = 0);
/// Throws IoError or UsageError where the run file may not be written.
void check_run_file(const SimulateCommandOptions& o);
/// What --out names, by its ending.
enum class SimulateOutput : std::uint8_t {
  none,
  run_file,  ///< .mcap
  table,     ///< .csv
  drawing,   ///< .svg, of mechanisms
  plots      ///< a folder, of flexible trees
};
/// Throws UsageError for other endings, with those that the kind of model has.
SimulateOutput output_of(const SimulateCommandOptions& o, ModelKind kind);
inline bool has_run_file(const SimulateCommandOptions& command, ModelKind kind) {
  return output_of(command, kind) == SimulateOutput::run_file;
}
/// Throws LimitError for more samples than a table should have.
void check_rows(const SimulateOptions& how, double max_rows);

/// What a command changes of the model and its start, for the options in a run file.
std::vector<RunOption> run_options(const SimulateCommandOptions& o, const State<double>& initial);
RunRecorder recorder_of(const SimulateCommandOptions& o, RunMetadata metadata);

/// Where a sample goes: as `run_sample` has it to the file and to pages, be they there or not.
RunObserver observer_of(RunRecorder& recording, LiveRun* live, RunProgress& progress,
                        std::function<RunSample(const Sample&)> run_sample);
/// 0 where it finished or an event ended it; a warning and 130 where it was interrupted. Throws LimitError
/// and NumericalError, which name `where`.
int exit_of(const SimulateCommandOptions& command, ModelKind kind, const RunResult& result,
            const std::string& where);

}  // namespace axode::cli
