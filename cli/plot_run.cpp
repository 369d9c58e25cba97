#include "cli/plot_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "axode/io/json.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/plot_axis.hpp"

namespace axode::cli {

namespace {

/// A quantity as users call it, the series it is, and what is written beside it.
struct QuantityWords {
  std::string_view name, series, title, symbol;
};
constexpr QuantityWords quantity_words[] = {
    {"q", "q", "Coordinates", "q"},
    {"qd", "v", "Velocities", "qd"},
    {"qdd", "a", "Accelerations", "qdd"},
    {"tau", "tau", "Joint forces", "tau"},
    {"kinetic", "kinetic", "Kinetic energy", "energy"},
    {"potential", "potential", "Potential energy", "energy"},
    {"stored", "stored", "Stored energy", "energy"},
    {"work", "work", "Work", "work"},
    {"drift", "drift", "Energy drift", "drift"},
    {"violation", "violation", "Constraint violation", "violation"},
    {"reactions", "reactions", "Reactions", "reaction"},
};

const ClipSeries* series_named(const Clip& clip, std::string_view name) {
  for (const ClipSeries& series : clip.series)
    if (series.name == name) return &series;
  return nullptr;
}

/// What a series is called; itself if it is not known.
QuantityWords words_of(std::string_view series) {
  for (const QuantityWords& words : quantity_words)
    if (words.series == series) return words;
  return {series, series, series, series};
}
std::string_view series_of(std::string_view name) {
  for (const QuantityWords& words : quantity_words)
    if (words.name == name) return words.series;
  return name;
}

const std::vector<std::string> total_parts{"kinetic", "potential", "stored"};

bool has_energies(const Clip& clip) {
  return std::all_of(total_parts.begin(), total_parts.end(),
                     [&](const std::string& part) { return series_named(clip, part) != nullptr; });
}

PlotQuantity energies(const Clip& clip) {
  PlotQuantity all{"Energies", "energy", {}};
  for (const std::string& part : total_parts) all.columns.push_back({part, "J", {part}, 0});
  all.columns.push_back({"total", "J", total_parts, 0});
  if (series_named(clip, "work") != nullptr) all.columns.push_back({"work", "J", {"work"}, 0});
  return all;
}

PlotQuantity whole_quantity(const Clip& clip, const std::string& name) {
  if (has_energies(clip) && name == "energy") return energies(clip);
  if (has_energies(clip) && name == "total")
    return {"Total energy", "energy", {{"total", "J", total_parts, 0}}};
  const ClipSeries* series = series_named(clip, series_of(name));
  if (series == nullptr) {
    const std::vector<std::string> names = quantity_names(clip);
    const std::string_view similar =
        most_similar(name, std::vector<std::string_view>(names.begin(), names.end()));
    throw UsageError(
        fmt::format("there is no quantity '{}' in the run{}; there are {}", printable(name),
                    similar.empty() ? "" : fmt::format(", did you mean '{}'?", similar),
                    fmt::join(names, ", ")));
  }
  const QuantityWords words = words_of(series->name);
  PlotQuantity all{std::string(words.title), std::string(words.symbol), {}};
  for (std::size_t i = 0; i < series->names.size(); ++i)
    all.columns.push_back({series->names[i], series->units[i], {series->name}, i});
  return all;
}

std::vector<std::string> parts_of(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end != std::string_view::npos) text.remove_prefix(end + 1);
  }
  return parts;
}

bool is_part(const std::string& column, const std::string& name) {
  return column.size() > name.size() && column.starts_with(name) &&
         (column[name.size()] == '[' || column[name.size()] == '.');
}

[[noreturn]] void refuse_column(const PlotQuantity& all, const std::string& what,
                                const std::string& name) {
  std::vector<std::string_view> names;
  for (const PlotColumn& column : all.columns) names.push_back(column.name);
  const std::string_view similar = most_similar(name, names);
  const std::size_t most = 12;
  const std::string more =
      names.size() > most ? fmt::format(" and {} more", names.size() - most) : "";
  names.resize(std::min(names.size(), most));
  throw UsageError(fmt::format("{}: there is no '{}'{}; there are {}{}", printable(what),
                               printable(name),
                               similar.empty() ? "" : fmt::format(", did you mean '{}'?", similar),
                               printable(fmt::format("{}", fmt::join(names, ", "))), more));
}

void choose(const PlotQuantity& all, const std::string& what, const std::string& name,
            std::vector<PlotColumn>& chosen) {
  const std::size_t before = chosen.size();
  for (const PlotColumn& column : all.columns)
    if (column.name == name) chosen.push_back(column);
  if (chosen.size() > before) return;
  for (const PlotColumn& column : all.columns)
    if (is_part(column.name, name)) chosen.push_back(column);
  if (chosen.size() == before) refuse_column(all, what, name);
}

}  // namespace

void add_drift(Clip& clip, bool with_stored) {
  if (!has_energies(clip) || series_named(clip, "work") == nullptr) return;
  const auto energy = [&](const char* name) { return column_values(clip, {name, "J", {name}, 0}); };
  ClipSeries drift{"drift", {"drift"}, {"J"}, energy("kinetic")};
  const std::vector<double> potential = energy("potential"), stored = energy("stored"),
                            work = energy("work");
  for (std::size_t i = 0; i < work.size(); ++i)
    drift.values[i] += potential[i] + (with_stored ? stored[i] : 0) - work[i];
  const double start = drift.values.empty() ? 0 : drift.values.front();
  for (double& value : drift.values) value -= start;
  clip.series.push_back(std::move(drift));
}

std::vector<std::string> quantity_names(const Clip& clip) {
  std::vector<std::string> names;
  for (const ClipSeries& series : clip.series) names.emplace_back(words_of(series.name).name);
  if (has_energies(clip)) names.insert(names.end(), {"total", "energy"});
  return names;
}

PlotQuantity quantity_named(const Clip& clip, const std::string& text) {
  const std::size_t colon = text.find(':');
  const PlotQuantity all = whole_quantity(clip, text.substr(0, colon));
  if (colon == std::string::npos) return all;
  const std::string what = text.substr(0, colon), rest = text.substr(colon + 1);
  PlotQuantity some{all.title, all.symbol, {}};
  for (const PlotColumn& column : all.columns)
    if (column.name == rest) some.columns.push_back(column);  // names may hold commas
  if (some.columns.empty())
    for (const std::string& name : parts_of(rest, ',')) choose(all, what, name, some.columns);
  return some;
}

std::vector<double> column_values(const Clip& clip, const PlotColumn& column) {
  std::vector<double> values;
  for (const std::string& name : column.series) {
    const ClipSeries* series = series_named(clip, name);
    if (series == nullptr) return {};
    const bool is_energy = series->names.size() == 1 && column.unit == "J";
    const auto found = is_energy
                           ? series->names.begin()
                           : std::find(series->names.begin(), series->names.end(), column.name);
    if (found == series->names.end()) return {};
    const std::size_t width = series->names.size();
    const auto index = static_cast<std::size_t>(found - series->names.begin());
    values.resize(clip.times.size(), 0.0);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += series->values[i * width + index];
  }
  return values;
}

namespace {

constexpr std::size_t most_panels = 24;

/// Radians, also in other units, as degrees if asked for.
struct ShownUnit {
  std::string text;
  double factor = 1;
};
ShownUnit shown_unit(const std::string& unit, bool degrees) {
  if (!degrees || !unit.starts_with("rad")) return {unit, 1};
  return {"deg" + unit.substr(3), 180 / std::numbers::pi};
}

PlotLine line_of(const Clip& clip, const PlotColumn& column, const RunPlotOptions& options,
                 int colour, bool dashed) {
  constexpr int columns = 4000;  // finer than any picture
  PlotLine line{dashed ? "" : column.name, {}, {}, colour, dashed};
  const std::vector<double> values = column_values(clip, column);
  const double factor = shown_unit(column.unit, options.degrees).factor;
  PlotRange range;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (clip.times[i] < options.from || clip.times[i] > options.to) continue;
    line.x.push_back(clip.times[i]);
    line.y.push_back(factor * values[i]);
    range.take(clip.times[i]);
  }
  range.widen(0);
  return thinned(line, range, columns);
}

/// Columns of one unit, in the order they have.
std::vector<std::vector<PlotColumn>> by_unit(const std::vector<PlotColumn>& columns) {
  std::vector<std::vector<PlotColumn>> groups;
  for (const PlotColumn& column : columns) {
    const auto group = std::find_if(groups.begin(), groups.end(),
                                    [&](const auto& g) { return g.front().unit == column.unit; });
    if (group == groups.end())
      groups.push_back({column});
    else
      group->push_back(column);
  }
  return groups;
}

PlotPanel panel_of(const Clip& clip, const PlotQuantity& quantity,
                   std::span<const PlotColumn> columns, const RunPlotOptions& options) {
  const std::string unit = shown_unit(columns.front().unit, options.degrees).text;
  PlotPanel panel{quantity.title,
                  "time [s]",
                  unit.empty() ? quantity.symbol : fmt::format("{} [{}]", quantity.symbol, unit),
                  {}};
  int colour = 0;
  for (const PlotColumn& column : columns) {
    panel.lines.push_back(line_of(clip, column, options, colour, false));
    if (options.other != nullptr) {
      PlotLine other = line_of(*options.other, column, options, colour, true);
      if (!other.y.empty()) panel.lines.push_back(std::move(other));
    }
    ++colour;
  }
  return panel;
}

/// As few panels as possible, of about as many lines each.
void add_panels(const Clip& clip, const PlotQuantity& quantity, std::span<const PlotColumn> group,
                const RunPlotOptions& options, RunPlot& result, std::size_t& left_out) {
  const std::size_t parts = (group.size() + line_inks - 1) / line_inks;
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t begin = part * group.size() / parts;
    const std::size_t count = (part + 1) * group.size() / parts - begin;
    if (result.plot.panels.size() >= most_panels) {
      left_out += count;
      continue;
    }
    PlotPanel panel = panel_of(clip, quantity, group.subspan(begin, count), options);
    if (parts > 1) panel.title += fmt::format(" ({} of {})", part + 1, parts);
    result.plot.panels.push_back(std::move(panel));
  }
}

/// Of reactions those that are never there, such as out of the plane; the others.
std::vector<PlotColumn> without_zeros(const Clip& clip, const std::vector<PlotColumn>& columns) {
  std::vector<PlotColumn> others;
  for (const PlotColumn& column : columns) {
    const std::vector<double> values = column_values(clip, column);
    if (std::any_of(values.begin(), values.end(), [](double x) { return x != 0; }))
      others.push_back(column);
  }
  return others.empty() ? columns : others;
}

}  // namespace

RunPlot plot_of(const Clip& clip, const std::vector<PlotQuantity>& quantities,
                const RunPlotOptions& options) {
  RunPlot result;
  std::size_t left_out = 0, zeros = 0;
  for (const PlotQuantity& quantity : quantities) {
    const bool is_reaction = quantity.symbol == "reaction";
    const std::vector<PlotColumn> columns =
        is_reaction ? without_zeros(clip, quantity.columns) : quantity.columns;
    zeros += quantity.columns.size() - columns.size();
    for (const std::vector<PlotColumn>& group : by_unit(columns))
      add_panels(clip, quantity, group, options, result, left_out);
  }
  if (zeros > 0)
    result.remarks.push_back(
        fmt::format("{} left out, always 0", count(zeros, "reaction component")));
  if (left_out > 0)
    result.remarks.push_back(
        fmt::format("{} left out, {} panels are the most", count(left_out, "line"), most_panels));
  Plot& plot = result.plot;
  plot.columns = plot.panels.size() <= 5 ? 1 : plot.panels.size() <= 14 ? 2 : 3;
  plot.shares_x = true;
  for (const RunEvent& event : clip.events)
    if (event.t >= options.from && event.t <= options.to)
      plot.marks.push_back({event.t, fmt::format("{} at {:.6g} s", event.name, event.t)});
  return result;
}

}  // namespace axode::cli
