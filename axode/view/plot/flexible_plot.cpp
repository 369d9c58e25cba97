#include "axode/view/plot/flexible_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "axode/flexible/tree/tree_facts.hpp"

namespace axode {

Plot mode_shapes_plot(const FlexibleTree& t) {
  Plot plot{"Mode shapes of the links of " + t.name, {}, 2};
  for (const FlexibleLink& link : t.links) {
    if (!link.beam) continue;
    for (const ModeDirection d : {ModeDirection::torsion, ModeDirection::bend_y,
                                  ModeDirection::bend_z, ModeDirection::axial}) {
      PlotPanel panel{fmt::format("{}: {}", link.name, name(d)), "x / length", "shape", {}};
      for (std::size_t k = 0; k < link.modes.size(); ++k) {
        if (link.modes[k].direction != d) continue;
        PlotLine line{t.coordinate_names[link.first_mode + k],
                      {},
                      {},
                      static_cast<int>(panel.lines.size()),
                      false};
        for (int i = 0; i <= 100; ++i) {
          line.x.push_back(i / 100.0);
          line.y.push_back(shape_at(link.modes[k].shape, link.beam->length * i / 100).value);
        }
        panel.lines.push_back(std::move(line));
      }
      if (!panel.lines.empty()) plot.panels.push_back(std::move(panel));
    }
  }
  return plot;
}

Plot modes_plot(const FlexibleTree& tree, const FlexibleModesResult& found) {
  Plot plot{"Modes of " + tree.name, {}, 2};
  for (std::size_t k = 0; k < std::min<std::size_t>(found.modes.size(), 6); ++k) {
    const FlexibleMode& mode = found.modes[k];
    PlotPanel panel{
        fmt::format("mode {}: {:.4g} Hz", k + 1, mode.frequency / (2 * std::numbers::pi)),
        "x / length",
        "shape [m, rad]",
        {}};
    for (const FlexibleLink& link : tree.links) {
      if (!link.beam) continue;
      std::array<PlotLine, 4> lines;
      for (int i = 0; i <= 50; ++i) {
        std::array<double, 4> sum{};
        for (std::size_t m = 0; m < link.modes.size(); ++m)
          sum[std::size_t(link.modes[m].direction)] +=
              mode.shape[link.first_mode + m] *
              shape_at(link.modes[m].shape, link.beam->length * i / 50).value;
        for (std::size_t d = 0; d < 4; ++d) {
          lines[d].x.push_back(i / 50.0);
          lines[d].y.push_back(sum[d]);
        }
      }
      for (std::size_t d = 0; d < 4; ++d) {
        if (std::ranges::none_of(lines[d].y, [](double y) { return std::abs(y) > 1e-3; })) continue;
        lines[d].name = fmt::format("{} {}", link.name, name(static_cast<ModeDirection>(d)));
        lines[d].colour = static_cast<int>(panel.lines.size());
        panel.lines.push_back(std::move(lines[d]));
      }
    }
    plot.panels.push_back(std::move(panel));
  }
  return plot;
}

RunDifference difference_of(const FlexibleRecord& a, const FlexibleRecord& b) {
  const std::size_t samples = std::min(a.times.size(), b.times.size());
  const std::size_t n = b.q.empty() ? 0 : b.q[0].size();
  RunDifference d{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n),
                  std::vector<double>(n)};
  const auto most = [](double& largest, double x) { largest = std::max(largest, std::abs(x)); };
  for (std::size_t i = 0; i < samples; ++i)
    for (std::size_t k = 0; k < n; ++k) {
      most(d.q[k], a.q[i][k] - b.q[i][k]);
      most(d.v[k], a.v[i][k] - b.v[i][k]);
      most(d.largest_q[k], b.q[i][k]);
      most(d.largest_v[k], b.v[i][k]);
    }
  return d;
}

namespace {

/// Values of one coordinate over time, of all runs: solid, then dashed.
void add_lines(PlotPanel& panel, const std::vector<FlexibleRecord>& runs,
               std::vector<std::vector<double>> FlexibleRecord::*values, std::size_t c,
               const std::string& title, double factor, double until, int colour) {
  for (std::size_t r = 0; r < runs.size(); ++r) {
    PlotLine line{runs.size() > 1 ? fmt::format("{}{}", title, r == 0 ? "" : " (exact)") : title,
                  {},
                  {},
                  colour,
                  r > 0};
    for (std::size_t i = 0; i < runs[r].times.size() && runs[r].times[i] <= until; ++i) {
      line.x.push_back(runs[r].times[i]);
      line.y.push_back(factor * (runs[r].*values)[i][c]);
    }
    panel.lines.push_back(std::move(line));
  }
}

/// The first run minus the second, where both have samples.
void add_difference(PlotPanel& panel, const std::vector<FlexibleRecord>& runs,
                    std::vector<std::vector<double>> FlexibleRecord::*values, std::size_t c,
                    const std::string& title, double factor, double until, int colour) {
  if (runs.size() < 2) return;
  PlotLine line{title, {}, {}, colour, false};
  const std::size_t samples = std::min(runs[0].times.size(), runs[1].times.size());
  for (std::size_t i = 0; i < samples && runs[0].times[i] <= until; ++i) {
    line.x.push_back(runs[0].times[i]);
    line.y.push_back(factor * ((runs[0].*values)[i][c] - (runs[1].*values)[i][c]));
  }
  panel.lines.push_back(std::move(line));
}

Plot energy_plot(const std::vector<FlexibleRecord>& runs, const std::string& title, double until) {
  PlotPanel panel{"energies", "time [s]", "energy [J]", {}};
  using List = std::vector<double> FlexibleRecord::*;
  int colour = 0;
  for (const auto& [what, list] :
       {std::pair<const char*, List>{"kinetic", &FlexibleRecord::kinetic},
        {"gravity", &FlexibleRecord::gravity},
        {"elastic", &FlexibleRecord::elastic},
        {"work", &FlexibleRecord::work}}) {
    for (std::size_t r = 0; r < runs.size(); ++r) {
      PlotLine line{fmt::format("{}{}", what, r == 0 ? "" : " (exact)"), {}, {}, colour, r > 0};
      for (std::size_t i = 0; i < runs[r].times.size() && runs[r].times[i] <= until; ++i) {
        line.x.push_back(runs[r].times[i]);
        line.y.push_back((runs[r].*list)[i]);
      }
      panel.lines.push_back(std::move(line));
    }
    ++colour;
  }
  return {title, {panel}, 1};
}

bool belongs(const FlexibleTree& tree, int coordinate, FlexibleFigure figure) {
  if (coordinate < tree.joints)
    return figure == FlexibleFigure::joints || figure == FlexibleFigure::forces;
  const ModePlace place = mode_place(tree, coordinate);
  switch (tree.links[place.link].modes[place.mode].direction) {
    case ModeDirection::torsion:
      return figure == FlexibleFigure::torsion;
    case ModeDirection::bend_y:
      return figure == FlexibleFigure::bend_y;
    case ModeDirection::bend_z:
      return figure == FlexibleFigure::bend_z;
    case ModeDirection::axial:
      break;
  }
  return figure == FlexibleFigure::axial;
}

}  // namespace

Plot plot_of_runs(const FlexibleTree& tree, const std::vector<FlexibleRecord>& runs,
                  FlexibleFigure figure, const std::string& title, double until) {
  if (figure == FlexibleFigure::energies) return energy_plot(runs, title, until);
  Plot plot{title, {}, figure == FlexibleFigure::forces ? 1 : 2};
  for (const std::string_view unit : {"rad", "m"}) {
    const bool degrees = unit == "rad" && figure == FlexibleFigure::joints;
    const double factor = degrees ? 180 / std::numbers::pi : 1;
    const std::string shown = degrees ? "deg" : std::string(unit);
    const std::string force = unit == "rad" ? "torque [N m]" : "force [N]";
    const bool is_force = figure == FlexibleFigure::forces;
    PlotPanel values{is_force ? "forces" : "coordinates",
                     "time [s]",
                     is_force ? force : fmt::format("q [{}]", shown),
                     {}};
    PlotPanel rates{"speeds", "time [s]", fmt::format("v [{}/s]", shown), {}};
    PlotPanel apart = values, rates_apart = rates;
    apart.title = rates_apart.title = "linear minus exact";
    int colour = 0;
    for (int c = 0; c < tree.size; ++c) {
      if (!belongs(tree, c, figure) || unit != unit_of(tree, c)) continue;
      const std::string& name = tree.coordinate_names[c];
      const auto list = is_force ? &FlexibleRecord::tau : &FlexibleRecord::q;
      add_lines(values, runs, list, c, name, factor, until, colour);
      add_difference(apart, runs, list, c, name, factor, until, colour);
      if (!is_force) {
        add_lines(rates, runs, &FlexibleRecord::v, c, name, factor, until, colour);
        add_difference(rates_apart, runs, &FlexibleRecord::v, c, name, factor, until, colour);
      }
      ++colour;
    }
    for (PlotPanel* panel : {&values, &rates, &apart, &rates_apart})
      if (!panel->lines.empty()) plot.panels.push_back(std::move(*panel));
  }
  return plot;
}

}  // namespace axode
