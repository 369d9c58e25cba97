#include "cli/commands/recording.hpp"

#include <filesystem>
#include <utility>

#include "axode/core/names.hpp"
#include "cli/arguments/duration.hpp"
#include "cli/commands/info.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

namespace {

Method method_option(std::string_view text, ModelKind kind) {
  std::string known;
  for (const Method method : methods_of(kind)) {
    if (is_same_name(name(method), text)) return method;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", name(method));
  }
  throw UsageError(
      fmt::format("--method: there is no '{}'; choose among {}", printable(text), known));
}

double tolerance(double value, const char* option) {
  if (value > 0 && value < 1) return value;
  throw UsageError(
      fmt::format("{}: {} is not a tolerance; give tolerances between 0 and 1", option, value));
}

}  // namespace

bool has_run_file(const SimulateCommandOptions& o, ModelKind kind) {
  return !o.out.empty() && (kind == ModelKind::tree || is_run_file(o.out));
}

SimulateOptions simulation_options(const SimulateCommandOptions& o, ModelKind kind,
                                   double duration_of_file) {
  SimulateOptions result;
  if (!o.duration.empty())
    result.duration = parse_duration(o.duration, "--for");
  else if (duration_of_file > 0)
    result.duration = duration_of_file;
  if (result.duration <= 0) throw UsageError("--for: give a time above 0");
  result.method = method_option(o.method, kind);
  if (o.rtol) result.rtol = tolerance(*o.rtol, "--rtol");
  if (o.atol) result.atol = tolerance(*o.atol, "--atol");
  if (!o.step.empty()) result.step = parse_duration(o.step, "--step");
  if (!o.max_step.empty()) result.max_step = parse_duration(o.max_step, "--max-step");
  if (!o.step.empty() && result.step <= 0) throw UsageError("--step: give a time above 0");
  if (has_fixed_step(result.method) && !o.max_step.empty())
    throw UsageError("--max-step: this method has a fixed step; give --step");
  result.max_steps = o.max_steps;
  result.sample_interval = parse_duration(o.sample, "--sample");
  const bool run_file = has_run_file(o, kind);
  const double interval = parse_duration(o.checkpoint, "--checkpoint");
  if (run_file) result.checkpoint_interval = interval;
  if (!run_file && (o.resume || o.binary))
    throw UsageError("--resume and --binary are about a run file; name it by --out");
  if (o.out.empty() && o.force && kind == ModelKind::tree)
    throw UsageError("--force is about a file; name it by --out");
  if (o.resume && o.force) throw UsageError("--resume excludes --force; give one of them");
  if (o.resume && (o.kind.csv || !o.kind.svg.empty()))
    throw UsageError(
        "--resume excludes --csv and --svg, which would begin at the checkpoint; make them of the "
        "run "
        "file by axode export and axode plot");
  check_live(o.live);
  return result;
}

void check_run_file(const SimulateCommandOptions& o) {
  std::error_code error;
  if (!o.out.empty() && !o.force && !o.resume &&
      std::filesystem::exists(std::filesystem::symlink_status(o.out, error)))
    throw IoError("exists already", o.out,
                  "choose another name, overwrite it with --force or go on with --resume");
  if (!o.out.empty() && !o.resume && std::filesystem::equivalent(o.out, o.model.file, error))
    throw UsageError("--out: this is the model file; name another");
}

Recording::Recording(const SimulateCommandOptions& command, RunMetadata metadata)
    : file_(command.out),
      metadata_(std::move(metadata)),
      how_{.overwrite = command.force, .binary = command.binary} {
  if (!command.resume) return;
  RunWriter::Continued run = RunWriter::resume_or_start(file_, metadata_, how_);
  writer_.emplace(std::move(run.writer));
  if (run.checkpoint) from_ = {run.checkpoint->t, std::move(run.checkpoint->numbers)};
}

void Recording::open() {
  if (!writer_ && !file_.empty()) writer_.emplace(file_, metadata_, how_);
}
void Recording::sample(const RunSample& sample) {
  open();
  if (writer_) writer_->sample(sample);
}
void Recording::checkpoint(const Checkpoint& checkpoint) {
  open();
  if (writer_) writer_->checkpoint(checkpoint.t, checkpoint.numbers);
}
void Recording::finish(double t, std::string_view summary) {
  open();
  if (writer_) writer_->finish(t, summary);
}

RunSample plain_run_sample(const Sample& s) {
  return {s.t, s.q, s.v, s.a, s.tau, s.kinetic, s.potential, s.stored, s.work};
}

RunObserver observer_of(Recording& recording, LiveRun* live, RunProgress& progress,
                        std::function<RunSample(const Sample&)> run_sample) {
  RunObserver observer;
  observer.progress = [&progress](double t, const StepStatistics&) { progress.update(t); };
  observer.sample = [&recording, live, take = std::move(run_sample)](const Sample& s) {
    const RunSample sample = take(s);
    recording.sample(sample);
    if (live) live->sample(sample);
  };
  observer.checkpoint = [&recording](const Checkpoint& c) { recording.checkpoint(c); };
  return observer;
}

int exit_of(const SimulateCommandOptions& command, ModelKind kind, const RunResult& result,
            const std::string& where) {
  if (result.ending == axode::Ending::stopped) {
    const bool can_resume =
        has_run_file(command, kind) && parse_duration(command.checkpoint, "--checkpoint") > 0;
    warn(fmt::format("interrupted at {:.6g} s{}", result.t,
                     can_resume            ? "; the same command with --resume goes on"
                     : command.out.empty() ? ""
                                           : "; the file has the samples up to there"));
    return exit_interrupted;
  }
  if (result.ending == axode::Ending::step_limit) throw LimitError(result.message, where);
  if (result.ending != axode::Ending::finished && result.ending != axode::Ending::event)
    throw NumericalError(result.message.empty() ? std::string(name(result.ending)) : result.message,
                         where);
  return exit_ok;
}

}  // namespace axode::cli
