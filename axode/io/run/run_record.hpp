/// What a simulation of any kind of model leaves in a run file: options, samples, checkpoints, closing figures.
///
///   options   start, duration, method, formulation or model, rtol, atol, step, max_step, max_steps,
///             sample_interval, sample_times, checkpoint_interval, control_interval; further ones of a kind
///   summary   ending, message, t, method, steps, rejected, evaluations, jacobians, samples, energy_drift,
///             energy_scale; further ones of a kind
///
/// Members have the names of SimulateOptions and RunResult; those of a kind, of the structs of that kind.
/// Tests: tests/io/run/run_record_test.cpp
#pragma once
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "axode/io/run/run_file.hpp"
#include "axode/simulate/run/simulate.hpp"

namespace axode {

/// A further member of the options of a run, such as what a program has changed of the model.
struct RunOption {
  std::string name, json;
};
/// All that decides about the numbers of a run, as one line of JSON.
std::string run_options_json(const Tree& tree, const SimulateOptions& options,
                             std::span<const RunOption> more = {});
std::string run_options_json(const MechanismSystem& system, const SimulateOptions& options,
                             std::span<const RunOption> more = {});
std::string run_options_json(const FlexibleTree& tree, const SimulateOptions& options,
                             std::span<const RunOption> more = {});

/// The closing figures: nothing that differs from one time to the next, such as the time it took.
std::string run_summary_json(const RunResult& result, ModelKind kind);

/// Names and values as trees and flexible trees have them; of mechanisms see MechanismSampler.
RunSample run_sample(const Sample& sample) noexcept;

/// The run file of a simulation, if there is one, and where an interrupted run in it continues.
class RunRecorder {
 public:
  /// Writes nothing.
  RunRecorder() = default;
  /// With `resume` the file is opened at once, else by the first use. Throws as RunWriter does.
  RunRecorder(std::filesystem::path file, RunMetadata metadata, RunWriterOptions how, bool resume);
  void open();
  bool is_open() const noexcept { return writer_.has_value(); }
  /// The checkpoint to continue from, or null.
  const Checkpoint* from() const noexcept { return from_ ? &*from_ : nullptr; }
  /// The time from which the run is simulated.
  double begin(double start) const noexcept { return from_ ? from_->t : start; }

  void sample(const RunSample& sample);
  void event(const RunEvent& event);
  void checkpoint(const Checkpoint& checkpoint);
  void finish(double t, std::string_view summary);

 private:
  std::filesystem::path file_;
  RunMetadata metadata_;
  RunWriterOptions how_;
  std::optional<RunWriter> writer_;
  std::optional<Checkpoint> from_;
};

}  // namespace axode
