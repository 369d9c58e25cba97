#include "cli/commands/report.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>

#include "axode/io/text/json.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/view/plot/run_quantity.hpp"
#include "cli/arguments/values.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

CLI::App* add_report(CLI::App& app, ReportOptions& options) {
  CLI::App* command = app.add_subcommand("report", "Write a page on a run: plots, numbers, model");
  file_with(
      command->add_option("run", options.run, "Run that `axode simulate` has written")->required(),
      {".mcap"}, "RUN");
  file_with(command->add_option("-o,--out", options.out, "Page to write (.html)"), {".html"});
  command->add_flag("--json", options.json, "Print the numbers as JSON");
  command->add_flag("--force", options.force, "Overwrite the page if it exists");
  command->add_flag("--salvage", options.salvage, "Read a damaged run file up to the damage");
  command->footer(
      "Examples:\n  axode report swing.mcap -o swing.html\n  axode report swing.mcap --json");
  return command;
}

namespace {

void check_report(const ReportOptions& o) {
  if (o.out.empty() && !o.json)
    throw UsageError("name a page by -o FILE.html, or print the numbers with --json");
  if (o.out.empty()) return;
  const std::string ending = std::filesystem::path(o.out).extension().string();
  if (ending != ".html" && ending != ".htm" && ending != ".HTML")
    throw UsageError(
        fmt::format("-o: {}: a page is HTML; let the name end in .html", printable(o.out)));
  std::error_code error;
  if (std::filesystem::equivalent(o.run, o.out, error))
    throw UsageError(
        fmt::format("-o: {} is the run itself; choose another name", printable(o.out)));
  if (!o.force && std::filesystem::exists(std::filesystem::symlink_status(o.out, error)))
    throw IoError("exists already", o.out, "choose another name, or overwrite it with --force");
}

/// Members of a JSON object that are numbers, texts, flags or lists of numbers.
void write_members(const char* key, const std::string& text, Json& json) {
  json.begin_object(key);
  try {
    const JsonDocument document(text, key);
    for (const JsonValue& value : document.root().members()) {
      const std::string name(value.key());
      if (value.kind() == JsonKind::number) json.number(name, value.number());
      if (value.kind() == JsonKind::text) json.text(name, value.text());
      if (value.kind() == JsonKind::boolean) json.boolean(name, value.boolean());
      if (value.kind() != JsonKind::list || value.size() == 0) continue;
      if (value.items().front().kind() != JsonKind::number) continue;
      std::vector<double> numbers(value.size());
      value.numbers(numbers);
      json.numbers(name, numbers);
    }
  } catch (const Error&) {  // told among the warnings
  }
  json.end();
}

void write_numbers(const std::vector<NumberStatistics>& numbers, Json& json) {
  json.begin_list("numbers");
  for (const NumberStatistics& s : numbers) {
    json.begin_object();
    json.text("quantity", s.quantity);
    json.text("name", s.name);
    json.text("unit", s.unit);
    json.number("min", s.min);
    json.number("min_time", s.min_time);
    json.number("max", s.max);
    json.number("max_time", s.max_time);
    json.number("rms", s.rms);
    json.number("last", s.last);
    json.integer("not_finite", static_cast<long long>(s.not_finite));
    json.end();
  }
  json.end();
}

void print_report_json(const ReportOptions& o, const LoadedRun& loaded, const RunReport& report) {
  const Run& run = loaded.run;
  Output output;
  Json json(output);
  json.begin_object();
  json.text("schema", "axode.report/1");
  json.text("run", o.run);
  json.boolean("complete", run.complete);
  json.text("axode_version", run.metadata.axode_version);
  json.text("command_line", run.metadata.command_line);
  json.begin_object("model");
  json.text("name", run.metadata.model_name);
  json.text("file", run.metadata.model_file);
  json.text("kind", report.model.kind);
  json.integer("bodies", static_cast<long long>(report.model.bodies));
  json.integer("joints", static_cast<long long>(report.model.joints));
  json.number("mass", report.model.mass);
  json.end();
  write_members("options", run.metadata.options, json);
  write_members("closing", run.summary, json);
  json.integer("samples", static_cast<long long>(run.times.size()));
  json.number("first_time", run.times.empty() ? 0 : run.times.front());
  json.number("last_time", run.times.empty() ? 0 : run.times.back());
  json.integer("events", static_cast<long long>(run.events.size()));
  json.number("energy_drift", report.energy_drift);
  json.number("energy_scale", report.energy_scale);
  write_numbers(report.numbers, json);
  json.begin_list("warnings");
  for (const std::string& warning : report.warnings) json.text({}, warning);
  json.end();
  json.end();
  output.flush();
}

}  // namespace

int run_report(const ReportOptions& options) {
  check_report(options);
  LoadedRun loaded = load_run(options.run, options.salvage);
  add_drift(loaded.clip, std::holds_alternative<FlexibleSetup>(loaded.model));
  const RunReport report = report_of(loaded);
  if (!options.out.empty())
    write_text_file(options.out, report_page(loaded, report, options.run), options.force);
  if (options.json) print_report_json(options, loaded, report);
  return exit_ok;
}

}  // namespace axode::cli
