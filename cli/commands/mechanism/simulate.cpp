/// `axode simulate` of a mechanism: the motion of a mechanism under forces and drivers.
#include <optional>
#include <utility>

#include "axode/io/mechanism/mechanism_file.hpp"
#include "axode/io/mechanism/mechanism_run.hpp"
#include "axode/io/run/run_model_file.hpp"
#include "axode/io/text/crc32.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/view/scene/scene.hpp"
#include "cli/arguments/controllers.hpp"
#include "cli/arguments/kind_options.hpp"
#include "cli/commands/mechanism/mechanism.hpp"
#include "cli/commands/mechanism/recorder.hpp"
#include "cli/commands/recording.hpp"

namespace axode::cli {

namespace {

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
  return o.loops.empty() && o.set.empty() && o.q.empty() && o.v.empty() && !o.no_drivers &&
         !o.no_gravity;
}

/// What a simulation and the other actions have in common; a run file is no output of theirs.
MechanismOptions mechanism_run_options(const SimulateCommandOptions& o) {
  MechanismOptions result = mechanism_options(o.model, o.kind, o.coordinates);
  result.action = "simulate";
  result.q = split(o.q), result.v = split(o.v);
  const SimulateOutput output = output_of(o, ModelKind::mechanism);
  if (output == SimulateOutput::table) result.out = o.out;
  if (output == SimulateOutput::drawing) result.svg = o.out;
  result.json = o.json, result.force = o.force, result.no_gravity = o.no_gravity;
  return result;
}

RunMetadata metadata_of(const SimulateCommandOptions& command, const MechanismOptions& options,
                        const SimulateOptions& how, const MechanismSystem& system,
                        const Mechanism& mechanism, const State<double>& initial,
                        const std::string& file_text) {
  RunMetadata metadata = run_metadata(mechanism);
  metadata.model_file = options.file;
  metadata.model_text = is_as_in_file(options) ? file_text : mechanism_text(mechanism);
  metadata.options = run_options_json(system, how, run_options(command, initial));
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

/// Errors about the model name its file.
Method checked_method(const MechanismSystem& system, const State<double>& initial,
                      const SimulateOptions& how, const std::string& file) {
  try {
    return check_simulation(system, initial, how);
  } catch (const Error& error) {
    if (error.where() != system.mechanism().name) throw;
    throw Error(error.problem(), file, error.remedy());
  }
}

void write_results(const MechanismOptions& options, const Mechanism& mechanism,
                   const RunResult& run, const MechanismRecorder& record) {
  Output output;
  if (options.json)
    write_json(options, mechanism, run, record, output);
  else if (!options.csv)
    print_summary(mechanism, run, record, output);
  if (options.csv || !options.out.empty()) record.rows.finish(options.out, options.force, output);
  if (!record.first_poses.empty()) write_svg(options, mechanism, record.first_poses, record.paths);
  output.flush();
}

}  // namespace

int mechanism_simulate(const SimulateCommandOptions& command) {
  constexpr double max_rows = 1e7;
  SimulateOptions how = simulation_options(command, ModelKind::mechanism);
  const bool to_run_file = has_run_file(command, ModelKind::mechanism);
  const MechanismOptions options = mechanism_run_options(command);
  if (to_run_file) check_run_file(command);
  const std::string file_text = to_run_file ? read_text_file(options.file) : "";
  const Mechanism mechanism = mechanism_of(options);
  if (to_run_file)
    reread_text_file(options.file, crc32(file_text));  // the mechanism is of this text
  const std::vector<PointName> points = points_option(mechanism, options.points);
  check_rows(how, max_rows);
  how.control = mechanism_control(mechanism, command.controllers, split(command.target));
  FormulationOptions formulation = formulation_of(options, mechanism);
  formulation.controlled = how.control.coordinates;
  how.stop = &stop_at_interrupt();
  MechanismSystem system(make_equations(mechanism, formulation));
  AssembleOptions state = state_of(options, mechanism, how.start);
  state.hold_start = true;
  const Assembly start = assembled(system, state, options.file);
  const State<double> initial{start.q, start.v};
  how.method = checked_method(system, initial, how, options.file);  // before a file is touched
  std::optional<LiveRun> live = live_run(command, system, start);
  RunRecorder recorder;
  if (to_run_file)
    recorder = recorder_of(
        command, metadata_of(command, options, how, system, mechanism, initial, file_text));
  MechanismRecorder record(system, points);
  MechanismSampler sampler(system);
  RunProgress progress(recorder.begin(how.start), how.start + how.duration, command.quiet);
  const bool samples = to_run_file || live;
  RunObserver observer = observer_of(recorder, live ? &*live : nullptr, progress,
                                     [&](const Sample& sample) { return sampler.take(sample); });
  observer.sample = [&record, samples, next = std::move(observer.sample)](const Sample& sample) {
    record.take(sample);
    if (samples) next(sample);
  };
  const RunResult run = simulate(system, initial, how, observer, recorder.from());
  progress.clear();
  recorder.finish(run.t, run_summary_json(run, ModelKind::mechanism));
  if (!start.warning.empty()) warn(start.warning);
  for (const std::string& warning : run.warnings) warn(warning);
  write_results(options, mechanism, run, record);
  if (live) live->finish(run.ending, run.t, run.message);
  return exit_of(command, ModelKind::mechanism, run, options.file);
}

}  // namespace axode::cli
