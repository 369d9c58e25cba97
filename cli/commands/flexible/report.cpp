/// `axode flexible`: what is printed of runs.
#include <algorithm>

#include "cli/commands/flexible/runs.hpp"

namespace axode::cli {

namespace {

void print_run(const FlexibleRecord& run, Output& output) {
  const RunResult& r = run.result;
  output.print("{} model: {} at {} s\n", name(run.model), name(r.ending), rounded(r.t));
  output.print("  method        {}\n", name(r.method));
  output.print("  steps         {}, and {} rejected\n", r.statistics.steps, r.statistics.rejected);
  output.print("  energy drift  {} J of {} J\n", rounded(r.energy_drift), rounded(r.energy_scale));
  output.print("  CPU time      {:.3g} s\n", r.cpu_seconds);
  if (r.fallbacks > 0)
    output.print("  fallbacks     {} to the exact equations\n", count(r.fallbacks, "evaluation"));
}

void print_end(const FlexibleTree& tree, const FlexibleRecord& run, Output& output) {
  Table table({"coordinate", "value", "rate", "unit"}, "lrrl");
  for (int c = 0; c < tree.size; ++c)
    table.row({printable(tree.coordinate_names[c]), rounded(run.result.last.q[c]),
               rounded(run.result.last.v[c]), unit_of(tree, c)});
  table.print(output);
}

void print_difference(const FlexibleTree& tree, const FlexibleRecord& a, const FlexibleRecord& b,
                      Output& output) {
  const RunDifference d = difference_of(a, b);
  output.text("\nLargest values, and differences of the models\n");
  Table table({"coordinate", "value", "difference", "rate", "difference", "unit"}, "lrrrrl");
  for (int c = 0; c < tree.size && c < std::ssize(d.q); ++c)
    table.row({printable(tree.coordinate_names[c]), rounded(d.largest_q[c]),
               fmt::format("{:.3g}", d.q[c]), rounded(d.largest_v[c]),
               fmt::format("{:.3g}", d.v[c]), unit_of(tree, c)});
  table.print(output);
  if (a.result.cpu_seconds > 0)
    output.print("  CPU time of the {} model / {} model: {:.3g}\n", name(b.model), name(a.model),
                 b.result.cpu_seconds / a.result.cpu_seconds);
}

}  // namespace

void print_runs(const FlexibleTree& tree, const std::vector<FlexibleRecord>& runs, Output& output) {
  for (const FlexibleRecord& run : runs) print_run(run, output);
  if (runs.size() == 1)
    print_end(tree, runs[0], output);
  else if (runs.size() > 1)
    print_difference(tree, runs[0], runs[1], output);
}

namespace {

void write_run(const FlexibleRecord& run, Json& json) {
  const RunResult& r = run.result;
  json.begin_object();
  json.text("equations", name(run.model));
  json.text("ending", name(r.ending));
  json.text("message", r.message);
  json.text("method", name(r.method));
  json.number("time", r.t);
  json.integer("steps", r.statistics.steps);
  json.integer("rejected", r.statistics.rejected);
  json.integer("samples", r.samples);
  json.integer("fallbacks", r.fallbacks);
  json.number("energy_drift", r.energy_drift);
  json.number("energy_scale", r.energy_scale);
  json.number("cpu_seconds", r.cpu_seconds);
  json.begin_short_list("warnings");
  for (const std::string& warning : r.warnings) json.text({}, warning);
  json.end();
  json.numbers("q", r.last.q);
  json.numbers("v", r.last.v);
  json.end();
}

}  // namespace

void write_runs(const FlexibleOptions& options, const FlexibleTree& tree,
                const std::vector<FlexibleRecord>& runs, Output& output) {
  Json json(output);
  json.begin_object();
  json.text("schema", "axode.flexible_simulate/1");
  json.text("model", options.file);
  json.begin_short_list("names");
  for (const std::string& name : tree.coordinate_names) json.text({}, name);
  json.end();
  json.begin_list("runs");
  for (const FlexibleRecord& run : runs) write_run(run, json);
  json.end();
  if (runs.size() > 1) {
    const RunDifference d = difference_of(runs[0], runs[1]);
    json.begin_object("difference");
    json.numbers("q", d.q);
    json.numbers("v", d.v);
    json.numbers("largest_q", d.largest_q);
    json.numbers("largest_v", d.largest_v);
    json.end();
  }
  json.end();
  output.text("\n");
}

CsvRows rows_of(const FlexibleTree& tree, const std::vector<FlexibleRecord>& runs) {
  std::vector<std::string> titles{"time [s]"};
  for (const FlexibleRecord& run : runs) {
    const std::string before = runs.size() > 1 ? fmt::format("{} ", name(run.model)) : "";
    for (int c = 0; c < tree.size; ++c)
      titles.push_back(
          fmt::format("{}{} [{}]", before, tree.coordinate_names[c], unit_of(tree, c)));
    for (int c = 0; c < tree.size; ++c)
      titles.push_back(
          fmt::format("{}{}' [{}/s]", before, tree.coordinate_names[c], unit_of(tree, c)));
    for (int c = 0; c < tree.joints; ++c)
      titles.push_back(
          fmt::format("{}tau {} [{}]", before, tree.coordinate_names[c], force_unit_of(tree, c)));
    for (const char* energy : {"kinetic", "gravity", "elastic", "work"})
      titles.push_back(fmt::format("{}{} [J]", before, energy));
  }
  CsvRows rows(titles);
  std::size_t samples = runs.front().times.size();
  for (const FlexibleRecord& run : runs) samples = std::min(samples, run.times.size());
  for (std::size_t i = 0; i < samples; ++i) {
    std::vector<double> row{runs.front().times[i]};
    for (const FlexibleRecord& run : runs) {
      row.insert(row.end(), run.q[i].begin(), run.q[i].end());
      row.insert(row.end(), run.v[i].begin(), run.v[i].end());
      row.insert(row.end(), run.tau[i].begin(), run.tau[i].begin() + tree.joints);
      for (const double x : {run.kinetic[i], run.gravity[i], run.elastic[i], run.work[i]})
        row.push_back(x);
    }
    rows.row(row);
  }
  return rows;
}

}  // namespace axode::cli
