#include "axode/view/plot/line_plot.hpp"

#include <algorithm>
#include <cmath>

#include "axode/view/plot/detail/plot_axis.hpp"

namespace axode {

namespace {

constexpr double legend_step = 15, legend_mark = 22, legend_gap = 14;
constexpr std::size_t longest_name = 26;

/// Where things are in a panel; margins are the same in a column of the grid, so that axes line up.
struct PanelFrame {
  double x0 = 0, y0 = 0, width = 0, height = 0;  ///< of the field of lines
  PlotAxis x, y;
  bool tells_x = true;
  double across(double value) const { return x0 + x.range.share(value) * width; }
  double up(double value) const { return y0 + (1 - y.range.share(value)) * height; }
};

struct Margins {
  double left = 0, right = 0, top = 27, bottom = 20;
};

struct Legend {
  int rows = 1;
  std::vector<double> widths;  ///< of its columns
  double width() const {
    double sum = widths.empty() ? 14 : 8;
    for (const double w : widths) sum += w;
    return sum;
  }
};

Legend legend_of(const PlotPanel& panel, double height) {
  Legend legend{std::max(1, static_cast<int>(height / legend_step)), {}};
  int place = 0;
  for (const PlotLine& line : panel.lines) {
    if (line.name.empty()) continue;
    if (place++ % legend.rows == 0) legend.widths.push_back(0);
    const double width = legend_mark + 5 + legend_gap +
                         text_width(shortened(clean_text(line.name), longest_name), 11);
    legend.widths.back() = std::max(legend.widths.back(), width);
  }
  return legend;
}

void draw_text(Figure& figure, double x, double y, FigureAnchor anchor, std::string text,
               Ink ink = Ink::text) {
  figure.parts.emplace_back(FigureLabel{x, y, std::move(text), anchor, 11, ink});
}

void draw_axes(Figure& figure, const PanelFrame& f) {
  const double low = f.y0 + f.height, right = f.x0 + f.width;
  for (const PlotTick& tick : f.x.ticks) {
    const double x = f.across(tick.at);
    figure.parts.emplace_back(FigureStroke{{{x, low}, {x, f.y0}}, Ink::grid});
    if (f.tells_x) draw_text(figure, x, low + 15, FigureAnchor::middle, tick.label, Ink::faint);
  }
  for (const PlotTick& tick : f.y.ticks) {
    const double y = f.up(tick.at);
    figure.parts.emplace_back(FigureStroke{{{f.x0, y}, {right, y}}, Ink::grid});
    draw_text(figure, f.x0 - 6, y + 4, FigureAnchor::end, tick.label, Ink::faint);
  }
  if (f.tells_x && !f.x.note.empty())
    draw_text(figure, right + 4, low + 15, FigureAnchor::start, f.x.note, Ink::faint);
  if (!f.y.note.empty())
    draw_text(figure, f.x0, f.y0 - 6, FigureAnchor::start, f.y.note, Ink::faint);
}

void draw_marks(Figure& figure, const PanelFrame& f, const std::vector<PlotMark>& marks) {
  double before = -1;
  for (const PlotMark& mark : marks) {
    const double x = f.across(mark.x);
    if (x < f.x0 || x > f.x0 + f.width || std::abs(x - before) < 0.5) continue;
    figure.parts.emplace_back(
        FigureStroke{{{x, f.y0}, {x, f.y0 + f.height}}, Ink::mark, 0.8, true, false, mark.text});
    before = x;
  }
}

/// In pieces, where it is interrupted.
void draw_line(Figure& figure, const PanelFrame& f, const PlotLine& line) {
  const PlotLine seen = thinned(line, f.x.range, static_cast<int>(f.width));
  FigureStroke stroke{{}, line_ink(line.colour), 1.5, line.dashed, true, line.name};
  for (std::size_t i = 0; i <= seen.y.size(); ++i) {
    if (i < seen.y.size() && std::isfinite(seen.y[i])) {
      stroke.points.push_back({f.across(seen.x[i]), f.up(seen.y[i])});
    } else if (!stroke.points.empty()) {
      figure.parts.emplace_back(stroke);
      stroke.points.clear();
    }
  }
}

void draw_legend(Figure& figure, const PanelFrame& f, const PlotPanel& panel) {
  const Legend legend = legend_of(panel, f.height);
  double x = f.x0 + f.width + 12;
  int place = 0;
  for (const PlotLine& line : panel.lines) {
    if (line.name.empty()) continue;
    const std::size_t column = place / legend.rows;
    if (place > 0 && place % legend.rows == 0) x += legend.widths[column - 1];
    const double y = f.y0 + 8 + legend_step * (place % legend.rows);
    figure.parts.emplace_back(
        FigureStroke{{{x, y}, {x + legend_mark, y}}, line_ink(line.colour), 2, line.dashed});
    const std::string name = clean_text(line.name), shown = shortened(name, longest_name);
    figure.parts.emplace_back(FigureLabel{x + legend_mark + 5, y + 4, shown, FigureAnchor::start,
                                          11, Ink::text, false, false, shown == name ? "" : name});
    ++place;
  }
}

void draw_panel(Figure& figure, const PanelFrame& f, const Plot& plot, const PlotPanel& panel,
                double left) {
  draw_axes(figure, f);
  draw_marks(figure, f, plot.marks);
  for (const PlotLine& line : panel.lines) draw_line(figure, f, line);
  figure.parts.emplace_back(FigureBox{f.x0, f.y0, f.width, f.height, Ink::frame, false});
  draw_legend(figure, f, panel);
  const double middle = f.x0 + f.width / 2;
  figure.parts.emplace_back(
      FigureLabel{middle, f.y0 - 8, panel.title, FigureAnchor::middle, 12, Ink::text, true});
  if (f.tells_x)
    draw_text(figure, middle, f.y0 + f.height + 32, FigureAnchor::middle, panel.x_label);
  figure.parts.emplace_back(FigureLabel{f.x0 - left + 14, f.y0 + f.height / 2, panel.y_label,
                                        FigureAnchor::middle, 11, Ink::text, false, true});
}

/// How the grid is shared out.
struct Grid {
  int columns = 1, rows = 1;
  double head = 0, foot = 0, cell_width = 0, cell_height = 0;
  double margin = 0;  ///< of the whole figure, left and right
  int row(std::size_t k) const { return static_cast<int>(k) / columns; }
  int column(std::size_t k) const { return static_cast<int>(k) % columns; }
};

constexpr double below_x_axis = 38;

Grid grid_of(const Plot& plot) {
  Grid g;
  g.columns = std::max(plot.columns, 1);
  g.rows = std::max(1, (static_cast<int>(plot.panels.size()) + g.columns - 1) / g.columns);
  g.head = plot.title.empty() ? 4 : plot.subtitle.empty() ? 38 : 54;
  g.foot = plot.shares_x ? below_x_axis - 12 : 4;
  g.margin = 8;
  return g;
}

Margins margins_of(const Plot& plot, const Grid& g, int column, double height) {
  Margins m;
  if (!plot.shares_x) m.bottom = below_x_axis + 4;
  for (std::size_t k = 0; k < plot.panels.size(); ++k) {
    if (g.column(k) != column) continue;
    const PlotPanel& panel = plot.panels[k];
    double labels = 0;
    for (const PlotTick& tick : axis_of(y_range(panel), 7).ticks)
      labels = std::max(labels, text_width(tick.label, 11));
    m.left = std::max(m.left, labels + 30);
    m.right = std::max(m.right, legend_of(panel, height - m.top - m.bottom).width());
  }
  m.right = std::min(m.right, 0.45 * g.cell_width);
  return m;
}

PanelFrame frame_of(const Plot& plot, const Grid& g, const Margins& m, const PlotRange& shared,
                    std::size_t k) {
  const PlotPanel& panel = plot.panels[k];
  PanelFrame f;
  f.x0 = g.margin + g.column(k) * g.cell_width + m.left;
  f.y0 = g.head + g.row(k) * g.cell_height + m.top;
  f.width = g.cell_width - m.left - m.right;
  f.height = g.cell_height - m.top - m.bottom;
  f.x = axis_of(plot.shares_x ? shared : x_range({panel}),
                std::max(2, static_cast<int>(f.width / 80)));
  f.y = axis_of(y_range(panel), std::clamp(static_cast<int>(f.height / 24), 2, 7));
  f.tells_x = !plot.shares_x || k + static_cast<std::size_t>(g.columns) >= plot.panels.size();
  return f;
}

}  // namespace

PlotSize least_size(const Plot& plot) {
  const Grid g = grid_of(plot);
  return {2 * g.margin + 300 * g.columns, g.head + g.foot + 100 * g.rows};
}

Figure figure_of(const Plot& plot, PlotSize size) {
  Grid g = grid_of(plot);
  const double usual_width = g.columns == 1 ? 880 : 600;
  g.cell_width = size.width > 0 ? (size.width - 2 * g.margin) / g.columns : usual_width;
  g.cell_height = size.height > 0 ? (size.height - g.head - g.foot) / g.rows : 216;
  Figure figure{size.width > 0 ? size.width : 2 * g.margin + g.columns * g.cell_width,
                size.height > 0 ? size.height : g.head + g.foot + g.rows * g.cell_height,
                plot.title,
                {}};
  if (!plot.title.empty())
    figure.parts.emplace_back(
        FigureLabel{figure.width / 2, 24, plot.title, FigureAnchor::middle, 15, Ink::text, true});
  if (!plot.subtitle.empty())
    figure.parts.emplace_back(
        FigureLabel{figure.width / 2, 42, plot.subtitle, FigureAnchor::middle, 11, Ink::faint});
  PlotRange shared;
  if (plot.shares_x) shared = x_range(plot.panels);
  std::vector<Margins> margins;
  margins.reserve(g.columns);
  for (int c = 0; c < g.columns; ++c) margins.push_back(margins_of(plot, g, c, g.cell_height));
  for (std::size_t k = 0; k < plot.panels.size(); ++k) {
    const Margins& m = margins[g.column(k)];
    draw_panel(figure, frame_of(plot, g, m, shared, k), plot, plot.panels[k], m.left);
  }
  return figure;
}

std::string plot_svg(const Plot& plot) { return figure_svg(figure_of(plot), Theme::light); }

}  // namespace axode
