#include "axode/view/plot/run_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <span>

#include "axode/view/plot/detail/plot_axis.hpp"

namespace axode {

namespace {

constexpr std::size_t max_panels = 24;

std::string counted(std::size_t n, std::string_view noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

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
    if (result.plot.panels.size() >= max_panels) {
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
        fmt::format("{} left out, always 0", counted(zeros, "reaction component")));
  if (left_out > 0)
    result.remarks.push_back(
        fmt::format("{} left out, {} panels are the most", counted(left_out, "line"), max_panels));
  Plot& plot = result.plot;
  plot.columns = plot.panels.size() <= 5 ? 1 : plot.panels.size() <= 14 ? 2 : 3;
  plot.shares_x = true;
  for (const RunEvent& event : clip.events)
    if (event.t >= options.from && event.t <= options.to)
      plot.marks.push_back({event.t, fmt::format("{} at {:.6g} s", event.name, event.t)});
  return result;
}

}  // namespace axode
