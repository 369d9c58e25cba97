/// `axode report`: numbers over the samples of a run, and what they give cause to warn of.
#include <algorithm>
#include <cmath>

#include "axode/io/text/json.hpp"
#include "axode/view/plot/run_quantity.hpp"
#include "cli/commands/report.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

namespace {

std::vector<NumberStatistics> numbers_of(const Clip& clip) {
  std::vector<NumberStatistics> all;
  for (const std::string& quantity : quantity_names(clip)) {
    if (quantity == "energy") continue;  // its parts are there
    for (const PlotColumn& column : quantity_named(clip, quantity).columns) {
      NumberStatistics s{statistics_of(clip.times, column_values(clip, column)), {}, {}, {}};
      s.quantity = quantity;
      s.name = column.name;
      s.unit = column.unit;
      all.push_back(std::move(s));
    }
  }
  return all;
}

std::string value_text(const JsonValue& value) {
  if (value.kind() == JsonKind::text) return std::string(value.text());
  if (value.kind() == JsonKind::number) return fmt::format("{:.6g}", value.number());
  if (value.kind() == JsonKind::boolean) return value.boolean() ? "yes" : "no";
  if (value.kind() != JsonKind::list) return "";
  std::string list;
  for (const JsonValue& item : value.items()) list += (list.empty() ? "" : ", ") + value_text(item);
  return list;
}

/// Members of a JSON object; none where there is no text. Lists of warnings go there.
ReportFacts facts_of(const std::string& text, const std::string& what,
                     std::vector<std::string>& warnings) {
  ReportFacts facts;
  if (text.empty()) return facts;
  try {
    const JsonDocument document(text, what);
    if (document.root().kind() != JsonKind::object) return facts;
    for (const JsonValue& value : document.root().members()) {
      if (value.key() == "warnings" && value.kind() == JsonKind::list)
        for (const JsonValue& item : value.items()) warnings.push_back(value_text(item));
      else if (!value_text(value).empty())
        facts.emplace_back(std::string(value.key()), value_text(value));
    }
  } catch (const Error& error) {
    warnings.push_back(fmt::format("The {} cannot be read: {}", what, error.problem()));
  }
  return facts;
}

void warn_of_limits(const Tree& tree, const RunReport& report, std::vector<std::string>& warnings) {
  constexpr double tolerance = 1e-9;
  for (const Link& link : tree.links) {
    if (link.nq != 1 || link.nv != 1) continue;
    const Dof& dof = tree.dofs[link.v];
    const auto q = report.numbers.begin() + link.q;  // coordinates come first, in their order
    const std::string name = q->name;
    if (q->min < dof.lower - tolerance)
      warnings.push_back(
          fmt::format("Joint '{}' goes below its limit of {} {}: to {}, at {:.6g} s.", name,
                      rounded(dof.lower), q->unit, rounded(q->min), q->min_time));
    if (q->max > dof.upper + tolerance)
      warnings.push_back(
          fmt::format("Joint '{}' goes above its limit of {} {}: to {}, at {:.6g} s.", name,
                      rounded(dof.upper), q->unit, rounded(q->max), q->max_time));
  }
}

void warn_of_numbers(const RunReport& report, std::vector<std::string>& warnings) {
  constexpr std::size_t most = 10;
  std::size_t columns = 0;
  for (const NumberStatistics& s : report.numbers) {
    if (s.not_finite == 0 || ++columns > most) continue;
    warnings.push_back(fmt::format("{} {} is not finite at {}.", s.quantity, s.name,
                                   count(s.not_finite, "sample")));
  }
  if (columns > most)
    warnings.push_back(fmt::format("{} more are not finite at samples.", columns - most));
  if (report.energy_scale > 0 && report.energy_drift > 1e-3 * report.energy_scale)
    warnings.push_back(fmt::format(
        "The energy drifts by {:.3g} J, {:.2g} of the largest kinetic energy; take smaller "
        "tolerances or steps, unless impacts take it away.",
        report.energy_drift, report.energy_drift / report.energy_scale));
}

std::string fact(const ReportFacts& facts, std::string_view key) {
  for (const auto& [name, value] : facts)
    if (name == key) return value;
  return "";
}

}  // namespace

RunReport report_of(const LoadedRun& loaded) {
  RunReport report;
  const Run& run = loaded.run;
  report.model = model_report(loaded.model);
  report.warnings = loaded.messages;
  report.options = facts_of(run.metadata.options, "options", report.warnings);
  report.closing = facts_of(run.summary, "closing figures", report.warnings);
  const std::string ending = fact(report.closing, "ending");
  if (!ending.empty() && ending != "finished")
    report.warnings.push_back(fmt::format("The simulation ended early ({}){}{}", ending,
                                          fact(report.closing, "message").empty() ? "." : ": ",
                                          fact(report.closing, "message")));
  report.numbers = numbers_of(loaded.clip);
  for (const NumberStatistics& s : report.numbers) {
    if (run.times.empty()) break;  // nothing drifts in a run without samples
    if (s.quantity == "drift") report.energy_drift = std::max(std::abs(s.min), std::abs(s.max));
    if (s.quantity == "kinetic") report.energy_scale = s.max;
  }
  if (const auto* tree = std::get_if<Tree>(&loaded.model); tree && !run.times.empty())
    warn_of_limits(*tree, report, report.warnings);
  warn_of_numbers(report, report.warnings);
  return report;
}

}  // namespace axode::cli
