/// What `axode simulate` does for every kind of model: options, the run file with its checkpoints, live
/// pages, progress, how it ended.
/// Tests: tests/cli/simulate_test.py, tests/cli/verbs_test.py
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "axode/io/run/run_file.hpp"
#include "axode/simulate/run/simulate.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output/live/live.hpp"
#include "cli/output/run_progress.hpp"

namespace axode::cli {

/// What can be said before the model is read, but for methods and formulations of trees. Throws UsageError.
SimulateOptions simulation_options(const SimulateCommandOptions& command, ModelKind kind,
                                   double duration_of_file = 0);
/// Throws IoError or UsageError where the run file may not be written.
void check_run_file(const SimulateCommandOptions& command);
/// Whether --out names a run file; else it is a table, of mechanisms and flexible trees.
bool has_run_file(const SimulateCommandOptions& command, ModelKind kind);

/// The run file, if there is one, and where an interrupted run in it goes on.
class Recording {
 public:
  Recording() = default;
  /// With --resume the file is opened at once, else by the first use.
  Recording(const SimulateCommandOptions& command, RunMetadata metadata);
  void open();
  const Checkpoint* from() const noexcept { return from_ ? &*from_ : nullptr; }
  double begin(double start) const noexcept { return from_ ? from_->t : start; }

  void sample(const RunSample& sample);
  void checkpoint(const Checkpoint& checkpoint);
  void finish(double t, std::string_view summary);

 private:
  std::string file_;
  RunMetadata metadata_;
  RunWriterOptions how_;
  std::optional<RunWriter> writer_;
  std::optional<Checkpoint> from_;
};

/// Where a sample goes: as `run_sample` has it to the file and to pages, be they there or not.
RunObserver observer_of(Recording& recording, LiveRun* live, RunProgress& progress,
                        std::function<RunSample(const Sample&)> run_sample);
/// Names and values as trees and flexible trees have them.
RunSample plain_run_sample(const Sample& sample);

/// 0 where it finished or an event ended it; a warning and 130 where it was interrupted. Throws LimitError
/// and NumericalError, which name `where`.
int exit_of(const SimulateCommandOptions& command, ModelKind kind, const RunResult& result,
            const std::string& where);

}  // namespace axode::cli
