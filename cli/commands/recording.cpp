#include "cli/commands/recording.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "axode/core/names.hpp"
#include "axode/io/text/json.hpp"
#include "axode/io/text/json_values.hpp"
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

std::string texts_json(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + json_string(text);
  return "[" + list + "]";
}

std::string lower_ending(const std::string& file) {
  std::string ending = std::filesystem::path(file).extension().string();
  std::ranges::transform(ending, ending.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  });
  return ending;
}

}  // namespace

SimulateOutput output_of(const SimulateCommandOptions& o, ModelKind kind) {
  if (o.out.empty()) return SimulateOutput::none;
  std::error_code error;
  if (kind == ModelKind::flexible_tree &&
      (o.out.ends_with('/') || std::filesystem::is_directory(o.out, error)))
    return SimulateOutput::plots;
  if (is_run_file(o.out)) return SimulateOutput::run_file;
  const std::string ending = lower_ending(o.out);
  if (ending == ".csv") return SimulateOutput::table;
  if (ending == ".svg" && kind == ModelKind::mechanism) return SimulateOutput::drawing;
  const char* const endings =
      kind == ModelKind::mechanism       ? ".csv (table) or .svg (drawing of the first position)"
      : kind == ModelKind::flexible_tree ? ".csv (table) or a folder of plots (plots/)"
                                         : "or .csv (table)";
  throw UsageError(
      fmt::format("--out: {}: the ending names no output of a {}; write to .mcap (run file), {}; "
                  "`axode export` and `axode plot` make other files of a run file",
                  printable(o.out), name(kind), endings));
}

void check_rows(const SimulateOptions& how, double max_rows) {
  if (how.sample_interval > 0 && how.duration / how.sample_interval > max_rows)
    throw LimitError(fmt::format("{:.3g} samples", how.duration / how.sample_interval), "--sample",
                     fmt::format("give a longer --sample: {:.0e} are the most", max_rows));
  if (how.step > 0 && how.sample_interval == 0 && how.duration / how.step > max_rows)
    throw LimitError(fmt::format("{:.3g} steps, each with a sample", how.duration / how.step),
                     "--step", "give a --sample");
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
    throw UsageError("--resume and --binary are about a run file (.mcap); name it by --out");
  if (o.out.empty() && o.force && kind == ModelKind::tree)
    throw UsageError("--force is about a file; name it by --out");
  if (o.resume && o.force) throw UsageError("--resume excludes --force; give one of them");
  if (o.resume && o.kind.csv)
    throw UsageError(
        "--resume excludes --csv, which would begin at the checkpoint; make a table of the run "
        "file "
        "by axode export");
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

std::vector<RunOption> run_options(const SimulateCommandOptions& o, const State<double>& initial) {
  return {{"controllers", texts_json(o.controllers)},
          {"target", texts_json(o.target)},
          {"gravity", o.no_gravity ? "false" : "true"},
          {"binary", o.binary ? "true" : "false"},
          {"q", json_numbers(initial.q)},
          {"v", json_numbers(initial.v)}};
}

RunRecorder recorder_of(const SimulateCommandOptions& o, RunMetadata metadata) {
  metadata.command_line = o.command_line;
  metadata.model_file = o.model.file;
  return {o.out, std::move(metadata), {.overwrite = o.force, .binary = o.binary}, o.resume};
}

RunObserver observer_of(RunRecorder& recording, LiveRun* live, RunProgress& progress,
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
                     can_resume             ? "; the same command with --resume goes on"
                     : !command.out.empty() ? "; the file has the samples up to there"
                                            : ""));
    return exit_interrupted;
  }
  if (result.ending == axode::Ending::step_limit) throw LimitError(result.message, where);
  if (result.ending != axode::Ending::finished && result.ending != axode::Ending::event)
    throw NumericalError(result.message.empty() ? std::string(name(result.ending)) : result.message,
                         where);
  return exit_ok;
}

}  // namespace axode::cli
