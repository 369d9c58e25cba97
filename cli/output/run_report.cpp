#include "cli/output/run_report.hpp"

#include <algorithm>
#include <filesystem>

#include "axode/io/text/json.hpp"
#include "axode/io/text/json_values.hpp"
#include "axode/io/text/text_file.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {
namespace {

/// Members of a JSON object on one line.
class JsonLine {
 public:
  void raw(std::string_view key, const std::string& value) {
    text_ += (text_.empty() ? "{" : ", ") + json_string(key) + ": " + value;
  }
  void text(std::string_view key, std::string_view value) { raw(key, json_string(value)); }
  void number(std::string_view key, double value) { raw(key, json_number(value)); }
  void count(std::string_view key, long value) { raw(key, std::to_string(value)); }
  void flag(std::string_view key, bool value) { raw(key, value ? "true" : "false"); }
  std::string finish() { return text_ + "}"; }

 private:
  std::string text_;
};

std::string texts_json(const std::vector<std::string>& texts) {
  std::string list = "[";
  for (const std::string& text : texts) list += (list.size() > 1 ? ", " : "") + json_string(text);
  return list + "]";
}

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
  output.print("  run file       {}, {}", printable(command.out),
               count(std::max(result.samples, 0L), "sample"));
  if (!error) output.print(" in {:.3g} MB", static_cast<double>(size) / 1e6);
  output.text("\n");
}

}  // namespace

std::string run_options_json(const SimulateCommandOptions& command, const State<double>& initial,
                             const SimulateOptions& options) {
  JsonLine json;
  json.number("start", options.start);
  json.number("duration", options.duration);
  json.text("method", name(options.method));
  json.text("formulation", name(options.formulation));
  json.number("rtol", options.rtol);
  json.number("atol", options.atol);
  json.number("step", options.step);
  json.number("max_step", options.max_step);
  json.number("max_steps", static_cast<double>(options.max_steps));
  json.number("sample", options.sample_interval);
  json.number("checkpoint", options.checkpoint_interval);
  json.raw("controllers", texts_json(command.controllers));
  json.raw("target", texts_json(command.target));
  json.flag("gravity", !command.no_gravity);
  json.flag("binary", command.binary);
  json.flag("merge_fixed", command.model.merge_fixed);
  json.flag("free_base", command.model.free_base);
  json.text("base_velocity", command.model.base_velocity);
  json.raw("q", json_numbers(initial.q));
  json.raw("v", json_numbers(initial.v));
  return json.finish();
}

std::string run_summary_json(const RunResult& result) {
  JsonLine json;
  json.text("ending", name(result.ending));
  json.text("message", result.message);
  json.number("t", result.t);
  json.count("steps", result.statistics.steps);
  json.count("rejected", result.statistics.rejected);
  json.count("evaluations", result.statistics.rates);
  json.count("jacobians", result.statistics.jacobians);
  json.count("samples", result.samples);
  json.number("energy_drift", result.energy_drift);
  json.number("energy_scale", result.energy_scale);
  return json.finish();
}

void report_run(const SimulateCommandOptions& command, const RunResult& result,
                const RunTiming& timing) {
  Output output;
  if (command.json)
    print_json(command, result, timing, output);
  else
    print_lines(command, result, timing, output);
  output.flush();
}

}  // namespace axode::cli
