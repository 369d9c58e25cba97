/// `axode simulate` of a mechanism: the motion of a mechanism under forces and drivers.
#include <chrono>
#include <utility>

#include "axode/io/mechanism/mechanism_file.hpp"
#include "axode/io/mechanism/mechanism_run.hpp"
#include "axode/io/run/run_model_file.hpp"
#include "axode/io/text/crc32.hpp"
#include "axode/io/text/json.hpp"
#include "axode/io/text/json_values.hpp"
#include "axode/io/text/text_file.hpp"
#include "cli/arguments/duration.hpp"
#include "cli/commands/info.hpp"
#include "cli/commands/mechanism/mechanism.hpp"
#include "cli/commands/mechanism/recorder.hpp"
#include "cli/output/run_progress.hpp"

namespace axode::cli {

namespace {

MechanismMethod method_option(std::string_view text) {
  try {
    return mechanism_method_named(text);
  } catch (const Error& e) {
    throw UsageError(fmt::format("--method: there is no '{}'; {}", printable(text), e.remedy()));
  }
}

MechanismSimulateOptions simulation_options(const MechanismOptions& o) {
  MechanismSimulateOptions how;
  how.duration = parse_duration(o.duration, "--for");
  if (!(how.duration > 0)) throw UsageError("--for: give a time above 0");
  how.method = method_option(o.method);
  how.sample_interval = parse_duration(o.sample, "--sample");
  if (!o.step.empty()) how.step = parse_duration(o.step, "--step");
  if (!o.step.empty() && !(how.step > 0)) throw UsageError("--step: give a time above 0");
  how.max_steps = o.max_steps;
  for (const double x : {o.rtol, o.atol})
    if (!(x > 0 && x < 1)) throw UsageError("--rtol, --atol: give tolerances between 0 and 1");
  how.rtol = o.rtol;
  how.atol = o.atol;
  return how;
}

/// More than a file or a memory should have.
void check_size(const MechanismSimulateOptions& how) {
  constexpr double most = 1e7;
  if (how.sample_interval > 0 && how.duration / how.sample_interval > most)
    throw LimitError(fmt::format("{:.3g} samples", how.duration / how.sample_interval), "--sample",
                     fmt::format("give a longer --sample: {:.0e} are the most", most));
  if (how.step > 0 && how.sample_interval == 0 && how.duration / how.step > most)
    throw LimitError(fmt::format("{:.3g} steps, each with a sample", how.duration / how.step),
                     "--step", "give a --sample");
}

/// Drivers are what they can be at all samples, or the error names the first that is not.
void check_drivers_of_run(const Mechanism& mechanism, const MechanismSimulateOptions& how,
                          const std::string& file) {
  if (mechanism.drivers.empty()) return;
  const double samples = how.sample_interval > 0 ? how.duration / how.sample_interval : 1000;
  const int n = static_cast<int>(std::min(std::max(samples, 100.0), 1e5));
  for (int k = 0; k <= n; ++k) check_drivers(mechanism, how.start + how.duration * k / n, file);
}

void print_summary(const Mechanism& m, const MechanismRunResult& run,
                   const MechanismRecorder& record, Output& output) {
  output.print("{} at {} s\n", name(run.ending), rounded(run.t));
  output.print("  steps             {}, and {} rejected\n", run.statistics.steps,
               run.statistics.rejected);
  output.print("  energy drift      {} J of {} J\n", rounded(run.energy_drift),
               rounded(run.energy_scale));
  output.print("  equations missed  {} in position, {} in velocity\n",
               fmt::format("{:.2g}", run.position_error),
               fmt::format("{:.2g}", run.velocity_error));
  Table table({"coordinate", "value", "rate", "unit"}, "lrrl");
  for (std::size_t c = 0; c < m.coordinates.size() && c < record.last.size(); ++c)
    table.row({printable(m.coordinates[c].name), rounded(record.last[c].value),
               rounded(record.last[c].rate), m.coordinates[c].is_angle ? "rad" : "m"});
  if (!table.empty()) table.print(output);
}

void write_json(const MechanismOptions& options, const Mechanism& m, const MechanismRunResult& run,
                const MechanismRecorder& record, Output& output) {
  Json json(output);
  json.begin_object();
  json.text("schema", "axode.mechanism_simulate/1");
  json.text("model", options.file);
  json.text("formulation", options.coordinates);
  json.text("ending", name(run.ending));
  json.number("time", run.t);
  json.integer("steps", run.statistics.steps);
  json.integer("samples", record.count);
  json.number("energy_drift", run.energy_drift);
  json.number("energy_scale", run.energy_scale);
  json.number("position_error", run.position_error);
  json.number("velocity_error", run.velocity_error);
  json.begin_object("coordinates");
  for (std::size_t c = 0; c < m.coordinates.size() && c < record.last.size(); ++c)
    json.numbers(m.coordinates[c].name, std::array{record.last[c].value, record.last[c].rate});
  json.end();
  json.end();
  output.text("\n");
}

MechanismRunResult run_from(const Assembly& start, MechanismSystem& system,
                            const MechanismSimulateOptions& how, MechanismRecorder& record,
                            bool quiet) {
  RunProgress progress(how.start, how.start + how.duration, quiet);
  return simulate_mechanism(system, start.q, start.v, how, [&](const MechanismSample& sample) {
    record.take(sample);
    progress.update(sample.t);
  });
}

/// Whether the model is that of the file: no loops of another one, no drivers and starting values of
/// options.
bool is_as_in_file(const MechanismOptions& o) {
  return o.loops.empty() && o.set.empty() && o.q.empty() && o.v.empty() && !o.no_drivers;
}

std::string options_json(const MechanismOptions& o, const MechanismSimulateOptions& how) {
  return fmt::format(
      "{{\"method\": {}, \"coordinates\": {}, \"duration\": {}, \"sample\": {}, \"step\": {}, "
      "\"max_steps\": {}, \"rtol\": {}, \"atol\": {}}}",
      json_string(name(how.method)), json_string(o.coordinates), shortest(how.duration),
      shortest(how.sample_interval), shortest(how.step), how.max_steps, shortest(how.rtol),
      shortest(how.atol));
}

std::string summary_json(const MechanismRunResult& r) {
  return fmt::format(
      "{{\"ending\": {}, \"message\": {}, \"t\": {}, \"steps\": {}, \"rejected\": {}, "
      "\"energy_drift\": {}, \"energy_scale\": {}, \"position_error\": {}, "
      "\"velocity_error\": {}}}",
      json_string(name(r.ending)), json_string(r.message), json_number(r.t), r.statistics.steps,
      r.statistics.rejected, json_number(r.energy_drift), json_number(r.energy_scale),
      json_number(r.position_error), json_number(r.velocity_error));
}

/// The run file of a simulation, if one is named.
MechanismRecorder::OpenRun run_file(const MechanismOptions& options,
                                    const MechanismSimulateOptions& how, const Mechanism& mechanism,
                                    const std::string& file_text) {
  if (!is_run_file(options.out)) return {};
  RunMetadata metadata = run_metadata(mechanism);
  metadata.command_line = options.command_line;
  metadata.model_file = options.file;
  metadata.model_text = is_as_in_file(options) ? file_text : mechanism_text(mechanism);
  metadata.options = options_json(options, how);
  note_model_file(metadata, crc32(file_text));
  return [metadata = std::move(metadata), out = options.out, overwrite = options.force] {
    return RunWriter(out, metadata, {.overwrite = overwrite});
  };
}

}  // namespace

int mechanism_simulate(const MechanismOptions& options) {
  MechanismSimulateOptions how = simulation_options(options);
  const std::string file_text = is_run_file(options.out) ? read_text_file(options.file) : "";
  const Mechanism mechanism = mechanism_of(options);
  if (is_run_file(options.out))
    reread_text_file(options.file, crc32(file_text));  // the mechanism is of this text
  const std::vector<PointName> points = points_named(mechanism, options.points);
  check_size(how);
  check_drivers_of_run(mechanism, how, options.file);
  const FormulationOptions formulation = formulation_of(options, mechanism);
  how.stop = &stop_at_interrupt();
  MechanismRecorder::OpenRun open_run = run_file(options, how, mechanism, file_text);
  MechanismSystem system(make_equations(mechanism, formulation));
  AssembleOptions state = state_of(options, mechanism, how.start);
  state.hold_start = true;
  const Assembly start = assembled(system, state, options.file);
  MechanismRecorder record(system, points, std::move(open_run));
  const MechanismRunResult run = run_from(start, system, how, record, options.quiet);
  record.finish(run.t, summary_json(run));
  if (!start.warning.empty()) warn(start.warning);
  if (run.ending == MechanismRunResult::Ending::finished && !run.sure_of_turns)
    warn("angles may miss full turns; give a shorter --step");
  Output output;
  if (options.json)
    write_json(options, mechanism, run, record, output);
  else if (!options.csv)
    print_summary(mechanism, run, record, output);
  const std::string csv = is_run_file(options.out) ? "" : options.out;
  if (options.csv || !csv.empty()) record.rows.finish(csv, options.force, output);
  if (!record.first_poses.empty()) write_svg(options, mechanism, record.first_poses, record.paths);
  output.flush();
  if (run.ending == MechanismRunResult::Ending::stopped) {
    warn(fmt::format("interrupted at {:.6g} s{}", run.t,
                     options.out.empty() ? "" : "; the file has the samples up to there"));
    return exit_interrupted;
  }
  if (run.ending == MechanismRunResult::Ending::step_limit)
    throw LimitError(run.message, options.file);
  if (run.ending != MechanismRunResult::Ending::finished)
    throw NumericalError(run.message.empty() ? std::string(name(run.ending)) : run.message,
                         options.file);
  return exit_ok;
}

}  // namespace axode::cli
