/// `axode simulate` of a mechanism: the motion of a mechanism under forces and drivers.
#include <optional>
#include <utility>

#include "axode/io/mechanism/mechanism_file.hpp"
#include "axode/io/mechanism/mechanism_run.hpp"
#include "axode/io/run/run_model_file.hpp"
#include "axode/io/text/crc32.hpp"
#include "axode/io/text/json.hpp"
#include "axode/io/text/json_values.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/view/scene/scene.hpp"
#include "cli/arguments/kind_options.hpp"
#include "cli/commands/mechanism/mechanism.hpp"
#include "cli/commands/mechanism/recorder.hpp"
#include "cli/commands/recording.hpp"

namespace axode::cli {

namespace {

/// More than a file or a memory should have.
void check_size(const SimulateOptions& how) {
  constexpr double most = 1e7;
  if (how.sample_interval > 0 && how.duration / how.sample_interval > most)
    throw LimitError(fmt::format("{:.3g} samples", how.duration / how.sample_interval), "--sample",
                     fmt::format("give a longer --sample: {:.0e} are the most", most));
  if (how.step > 0 && how.sample_interval == 0 && how.duration / how.step > most)
    throw LimitError(fmt::format("{:.3g} steps, each with a sample", how.duration / how.step),
                     "--step", "give a --sample");
}

/// Drivers are what they can be at all samples, or the error names the first that is not.
void check_drivers_of_run(const Mechanism& mechanism, const SimulateOptions& how,
                          const std::string& file) {
  if (mechanism.drivers.empty()) return;
  const double samples = how.sample_interval > 0 ? how.duration / how.sample_interval : 1000;
  const int n = static_cast<int>(std::min(std::max(samples, 100.0), 1e5));
  for (int k = 0; k <= n; ++k) check_drivers(mechanism, how.start + how.duration * k / n, file);
}

void print_summary(const Mechanism& m, const RunResult& run, const MechanismRecorder& record,
                   Output& output) {
  output.print("{} at {} s\n", name(run.ending), rounded(run.t));
  output.print("  steps             {}, and {} rejected\n", run.statistics.steps,
               run.statistics.rejected);
  output.print("  energy drift      {} J of {} J\n", rounded(run.energy_drift),
               rounded(run.energy_scale));
  output.print("  equations missed  {} in position, {} in velocity\n",
               fmt::format("{:.2g}", run.mechanism.position_error),
               fmt::format("{:.2g}", run.mechanism.velocity_error));
  Table table({"coordinate", "value", "rate", "unit"}, "lrrl");
  for (std::size_t c = 0; c < m.coordinates.size() && c < record.last.size(); ++c)
    table.row({printable(m.coordinates[c].name), rounded(record.last[c].value),
               rounded(record.last[c].rate), m.coordinates[c].is_angle ? "rad" : "m"});
  if (!table.empty()) table.print(output);
}

void write_json(const MechanismOptions& options, const Mechanism& m, const RunResult& run,
                const MechanismRecorder& record, Output& output) {
  Json json(output);
  json.begin_object();
  json.text("schema", "axode.mechanism_simulate/1");
  json.text("model", options.file);
  json.text("formulation", options.coordinates);
  json.text("ending", name(run.ending));
  json.number("time", run.t);
  json.integer("steps", run.statistics.steps);
  json.integer("samples", run.samples);
  json.number("energy_drift", run.energy_drift);
  json.number("energy_scale", run.energy_scale);
  json.number("position_error", run.mechanism.position_error);
  json.number("velocity_error", run.mechanism.velocity_error);
  json.begin_object("coordinates");
  for (std::size_t c = 0; c < m.coordinates.size() && c < record.last.size(); ++c)
    json.numbers(m.coordinates[c].name, std::array{record.last[c].value, record.last[c].rate});
  json.end();
  json.end();
  output.text("\n");
}

/// Whether the model is that of the file: no loops of another one, no drivers and starting values of
/// options.
bool is_as_in_file(const MechanismOptions& o) {
  return o.loops.empty() && o.set.empty() && o.q.empty() && o.v.empty() && !o.no_drivers;
}

std::string options_json(const SimulateCommandOptions& command, const MechanismOptions& o,
                         const SimulateOptions& how) {
  std::string added;
  for (const std::string& name : o.added) added += (added.empty() ? "" : ", ") + json_string(name);
  return fmt::format(
      "{{\"method\": {}, \"coordinates\": {}, \"added\": [{}], \"duration\": {}, \"sample\": {}, "
      "\"step\": {}, \"max_step\": {}, \"max_steps\": {}, \"rtol\": {}, \"atol\": {}, "
      "\"checkpoint\": {}, \"binary\": {}}}",
      json_string(name(how.method)), json_string(o.coordinates), added, shortest(how.duration),
      shortest(how.sample_interval), shortest(how.step), shortest(how.max_step), how.max_steps,
      shortest(how.rtol), shortest(how.atol), shortest(how.checkpoint_interval), command.binary);
}

std::string summary_json(const RunResult& r) {
  return fmt::format(
      "{{\"ending\": {}, \"message\": {}, \"t\": {}, \"steps\": {}, \"rejected\": {}, "
      "\"energy_drift\": {}, \"energy_scale\": {}, \"position_error\": {}, "
      "\"velocity_error\": {}}}",
      json_string(name(r.ending)), json_string(r.message), json_number(r.t), r.statistics.steps,
      r.statistics.rejected, json_number(r.energy_drift), json_number(r.energy_scale),
      json_number(r.mechanism.position_error), json_number(r.mechanism.velocity_error));
}

/// What a simulation and the other actions have in common; a run file is no output of theirs.
MechanismOptions options_of(const SimulateCommandOptions& o, bool to_run_file) {
  MechanismOptions result = mechanism_options(o.model, o.kind, o.coordinates);
  result.action = "simulate";
  result.q = split(o.q), result.v = split(o.v);
  if (!to_run_file) result.out = o.out;
  result.json = o.json, result.force = o.force;
  return result;
}

RunMetadata metadata_of(const SimulateCommandOptions& command, const MechanismOptions& options,
                        const SimulateOptions& how, const Mechanism& mechanism,
                        const std::string& file_text) {
  RunMetadata metadata = run_metadata(mechanism);
  metadata.command_line = command.command_line;
  metadata.model_file = options.file;
  metadata.model_text = is_as_in_file(options) ? file_text : mechanism_text(mechanism);
  metadata.options = options_json(command, options, how);
  note_model_file(metadata, crc32(file_text));
  return metadata;
}

/// The page of a running simulation, at its start.
std::optional<LiveRun> live_run(const SimulateCommandOptions& command, MechanismSystem& system,
                                const Assembly& start) {
  if (!command.live.on) return {};
  std::vector<SE3<double>> poses(system.mechanism().bodies.size());
  system.poses(start.q, poses);
  return std::optional<LiveRun>(std::in_place, command.live,
                                mechanism_scene(system.mechanism(), poses, {}, {.live = true}),
                                run_metadata(system.mechanism()));
}

}  // namespace

int mechanism_simulate(const SimulateCommandOptions& command) {
  SimulateOptions how = simulation_options(command, ModelKind::mechanism);
  const bool to_run_file = has_run_file(command, ModelKind::mechanism);
  const MechanismOptions options = options_of(command, to_run_file);
  if (to_run_file) check_run_file(command);
  const std::string file_text = to_run_file ? read_text_file(options.file) : "";
  const Mechanism mechanism = mechanism_of(options);
  if (to_run_file)
    reread_text_file(options.file, crc32(file_text));  // the mechanism is of this text
  const std::vector<PointName> points = points_named(mechanism, options.points);
  check_size(how);
  check_drivers_of_run(mechanism, how, options.file);
  const FormulationOptions formulation = formulation_of(options, mechanism);
  how.stop = &stop_at_interrupt();
  MechanismSystem system(make_equations(mechanism, formulation));
  AssembleOptions state = state_of(options, mechanism, how.start);
  state.hold_start = true;
  const Assembly start = assembled(system, state, options.file);
  const State<double> initial{start.q, start.v};
  check_simulation(system, initial, how);  // before a file is touched
  std::optional<LiveRun> live = live_run(command, system, start);
  Recording recording;
  if (to_run_file)
    recording = Recording(command, metadata_of(command, options, how, mechanism, file_text));
  MechanismRecorder record(system, points);
  MechanismSampler sampler(system);
  RunProgress progress(recording.begin(how.start), how.start + how.duration, command.quiet);
  const bool samples = to_run_file || live;
  RunObserver observer = observer_of(recording, live ? &*live : nullptr, progress,
                                     [&](const Sample& sample) { return sampler.take(sample); });
  observer.sample = [&record, samples, next = std::move(observer.sample)](const Sample& sample) {
    record.take(sample);
    if (samples) next(sample);
  };
  const RunResult run = simulate(system, initial, how, observer, recording.from());
  progress.clear();
  recording.finish(run.t, summary_json(run));
  if (!start.warning.empty()) warn(start.warning);
  for (const std::string& warning : run.warnings) warn(warning);
  Output output;
  if (options.json)
    write_json(options, mechanism, run, record, output);
  else if (!options.csv)
    print_summary(mechanism, run, record, output);
  const std::string csv = to_run_file ? "" : options.out;
  if (options.csv || !csv.empty()) record.rows.finish(csv, options.force, output);
  if (!record.first_poses.empty()) write_svg(options, mechanism, record.first_poses, record.paths);
  output.flush();
  if (live) live->finish(run.ending, run.t, run.message);
  return exit_of(command, ModelKind::mechanism, run, options.file);
}

}  // namespace axode::cli
