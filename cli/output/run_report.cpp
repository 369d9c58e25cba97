#include "cli/output/run_report.hpp"

#include <algorithm>
#include <filesystem>

#include "cli/commands/info.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {
namespace {

double factor(const RunTiming& timing) {
  return timing.wall > 0 ? timing.simulated / timing.wall : 0;
}

void print_json(const SimulateCommandOptions& command, const RunResult& result,
                const RunTiming& timing, Output& output) {
  Json json(output);
  json.begin_object();
  json.text("schema", "axode.simulate/1");
  json.text("model", command.model.file);
  json.text("ending", name(result.ending));
  if (!result.message.empty()) json.text("message", result.message);
  json.number("time", result.t);
  json.integer("steps", result.statistics.steps);
  json.integer("rejected", result.statistics.rejected);
  json.integer("evaluations", result.statistics.rates);
  json.integer("jacobians", result.statistics.jacobians);
  json.integer("samples", result.samples);
  json.number("energy_drift", result.energy_drift);
  json.number("energy_scale", result.energy_scale);
  json.number("cpu_seconds", result.cpu_seconds);
  json.number("real_time_factor", factor(timing));
  if (!command.out.empty()) json.text("out", command.out);
  json.numbers("q", result.last.q);
  json.numbers("v", result.last.v);
  json.end();
}

void print_lines(const SimulateCommandOptions& command, const RunResult& result,
                 const RunTiming& timing, Output& output) {
  const StepStatistics& s = result.statistics;
  output.print("{}: {} at {} s\n", printable(command.model.file), name(result.ending),
               rounded(result.t));
  output.print("  steps          {}, and {} rejected\n", s.steps, s.rejected);
  output.print("  evaluations    {}", s.rates);
  if (s.jacobians > 0) output.print(", {} of Jacobians", s.jacobians);
  output.print("\n  energy drift   {} J of {} J\n", rounded(result.energy_drift),
               rounded(result.energy_scale));
  output.print("  CPU time       {:.3g} s; {:.3g} x real time by the clock\n", result.cpu_seconds,
               factor(timing));
  if (command.out.empty()) return;
  std::error_code error;
  const auto size = std::filesystem::file_size(command.out, error);
  output.print("  {:<14} {}, {}", is_run_file(command.out) ? "run file" : "table",
               printable(command.out), count(std::max(result.samples, 0L), "sample"));
  if (!error) output.print(" in {:.3g} MB", static_cast<double>(size) / 1e6);
  output.text("\n");
}

}  // namespace

void report_run(const SimulateCommandOptions& command, const RunResult& result,
                const RunTiming& timing, Output& output) {
  if (command.json)
    print_json(command, result, timing, output);
  else
    print_lines(command, result, timing, output);
}

}  // namespace axode::cli
