/// `axode info` of a run: what is recorded, and how it was made.
#include "axode/io/run/run_file.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/info.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

bool is_run_file(const std::string& file) {
  return file.ends_with(".mcap") || file.ends_with(".MCAP");
}

namespace {

void run_as_json(const InfoOptions& options, const Run& run, Output& output) {
  const RunMetadata& m = run.metadata;
  Json json(output);
  json.begin_object();
  json.text("schema", "axode.run_info/1");
  json.text("run", options.model.file);
  json.boolean("complete", run.complete);
  json.text("model", m.model_name);
  json.text("model_file", m.model_file);
  json.text("axode_version", m.axode_version);
  json.text("command_line", m.command_line);
  json.integer("samples", static_cast<long long>(run.times.size()));
  json.number("first_time", run.times.empty() ? 0 : run.times.front());
  json.number("last_time", run.times.empty() ? 0 : run.times.back());
  json.integer("events", static_cast<long long>(run.events.size()));
  if (run.checkpoint) json.number("last_checkpoint", run.checkpoint->t);
  for (const auto& [key, names] :
       {std::pair{"coordinates", &m.q_names}, std::pair{"velocities", &m.v_names}}) {
    json.begin_short_list(key);
    for (const std::string& name : *names) json.text({}, name);
    json.end();
  }
  json.end();
}

void run_as_text(const InfoOptions& options, const Run& run, Output& output) {
  const RunMetadata& m = run.metadata;
  output.print("{}: run of {} ({}){}\n", printable(options.model.file), printable(m.model_name),
               printable(m.model_file), run.complete ? "" : ", cut off at its end");
  output.print("  made by      Axode {}: {}\n", printable(m.axode_version),
               printable(m.command_line));
  output.print("  samples      {}", run.times.size());
  if (!run.times.empty())
    output.print(" from {} to {} s", rounded(run.times.front()), rounded(run.times.back()));
  output.print("\n  events       {}\n", run.events.size());
  if (run.checkpoint)
    output.print("  checkpoint   at {} s, the last\n", rounded(run.checkpoint->t));
  if (!run.summary.empty()) output.print("  summary      {}\n", printable(run.summary));
  Table table({"coordinate", "unit"}, "ll");
  for (std::size_t i = 0; i < m.q_names.size(); ++i)
    table.row({printable(m.q_names[i]), printable(m.q_units[i])});
  if (table.empty()) return;
  output.print("\n");
  table.print(output);
}

}  // namespace

int print_run_info(const InfoOptions& options) {
  const Run run = read_run(options.model.file);
  Output output;
  if (options.json)
    run_as_json(options, run, output);
  else
    run_as_text(options, run, output);
  output.flush();
  return exit_ok;
}

}  // namespace axode::cli
