#include "cli/line_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace axode::cli {

namespace {

constexpr std::array<std::string_view, 8> colours{"#1f77b4", "#d62728", "#2ca02c", "#9467bd",
                                                  "#ff7f0e", "#8c564b", "#17becf", "#e377c2"};
constexpr double panel_width = 600, panel_height = 260;  // with labels and legend
constexpr double left = 70, right = 180, top = 30, bottom = 44, head = 34;

struct Range {
  double low = 1e300, high = -1e300;
  void take(double x) {
    if (!std::isfinite(x)) return;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  /// Never empty, so that constant lines are seen.
  void widen(double share) {
    if (!(high >= low)) low = high = 0;
    double more = share * (high - low);
    if (high - low <= 1e-12 * std::max(std::abs(low), std::abs(high)))
      more = high == 0 ? 1 : 0.1 * std::abs(high);
    low -= more;
    high += more;
  }
};

/// The step of ticks: 1, 2 or 5 times a power of ten, about five of them.
double tick_step(const Range& range) {
  const double rough = (range.high - range.low) / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (rough <= factor * power * 1.0001) return factor * power;
  return 10 * power;
}

struct Frame {
  double x0 = 0, y0 = 0;  ///< of the panel
  Range x, y;
  double across(double value) const {
    return x0 + left + (value - x.low) / (x.high - x.low) * (panel_width - left - right);
  }
  double up(double value) const {
    return y0 + panel_height - bottom -
           (value - y.low) / (y.high - y.low) * (panel_height - top - bottom);
  }
};

Frame frame_of(const PlotPanel& panel, double x0, double y0) {
  Frame frame{x0, y0, {}, {}};
  for (const PlotLine& line : panel.lines) {
    for (const double x : line.x) frame.x.take(x);
    for (const double y : line.y) frame.y.take(y);
  }
  frame.x.widen(0);
  frame.y.widen(0.05);
  return frame;
}

void write_text(std::string& svg, double x, double y, std::string_view anchor,
                std::string_view text, std::string_view more = "") {
  svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" {}>{}</text>\n", x, y,
                     anchor, more, xml_text(text));
}

void write_ticks(std::string& svg, const Frame& f) {
  const double bottom_y = f.up(f.y.low), top_y = f.up(f.y.high);
  const double left_x = f.across(f.x.low), right_x = f.across(f.x.high);
  const auto line = [&](double x1, double y1, double x2, double y2) {
    svg += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>\n", x1, y1,
        x2, y2);
  };
  const auto label = [](double value, double step) {
    return fmt::format("{:.6g}", std::abs(value) < 1e-9 * step ? 0.0 : value);
  };
  const double dx = tick_step(f.x), dy = tick_step(f.y);
  for (double k = std::ceil(f.x.low / dx); k * dx <= f.x.high + 1e-9 * dx; ++k) {
    line(f.across(k * dx), bottom_y, f.across(k * dx), top_y);
    write_text(svg, f.across(k * dx), bottom_y + 15, "middle", label(k * dx, dx));
  }
  for (double k = std::ceil(f.y.low / dy); k * dy <= f.y.high + 1e-9 * dy; ++k) {
    line(left_x, f.up(k * dy), right_x, f.up(k * dy));
    write_text(svg, left_x - 6, f.up(k * dy) + 4, "end", label(k * dy, dy));
  }
  svg += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" "
      "stroke=\"#444\"/>\n",
      left_x, top_y, right_x - left_x, bottom_y - top_y);
}

/// Which points are drawn: of each of many stretches the lowest and the highest.
std::vector<std::size_t> thinned(const PlotLine& line) {
  constexpr std::size_t most = 1500;
  const std::size_t n = std::min(line.x.size(), line.y.size());
  const std::size_t stretch = n > 2 * most ? n / most + 1 : 1;
  std::vector<std::size_t> kept;
  kept.reserve(std::min(n, 2 * most + 2));
  for (std::size_t i = 0; i < n; i += stretch) {
    const std::size_t end = std::min(i + stretch, n);
    std::size_t low = i, high = i;
    for (std::size_t k = i; k < end; ++k) {
      if (line.y[k] < line.y[low]) low = k;
      if (line.y[k] > line.y[high]) high = k;
    }
    kept.push_back(std::min(low, high));
    if (low != high) kept.push_back(std::max(low, high));
  }
  if (n > 0 && kept.back() != n - 1) kept.push_back(n - 1);
  return kept;
}

void write_line(std::string& svg, const Frame& f, const PlotLine& line) {
  std::string points;
  for (const std::size_t i : thinned(line))
    if (std::isfinite(line.x[i]) && std::isfinite(line.y[i]))
      points += fmt::format("{:.1f},{:.1f} ", f.across(line.x[i]), f.up(line.y[i]));
  svg +=
      fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.4\"{}/>\n",
                  points, colours[static_cast<std::size_t>(line.colour) % colours.size()],
                  line.dashed ? " stroke-dasharray=\"5 4\"" : "");
}

void write_legend(std::string& svg, const Frame& f, const PlotPanel& panel) {
  const double x = f.x0 + panel_width - right + 10;
  double y = f.y0 + top + 6;
  for (const PlotLine& line : panel.lines) {
    if (line.name.empty()) continue;
    svg += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{2:.1f}\" y2=\"{1:.1f}\" stroke=\"{3}\" "
        "stroke-width=\"1.4\"{4}/>\n",
        x, y, x + 22, colours[static_cast<std::size_t>(line.colour) % colours.size()],
        line.dashed ? " stroke-dasharray=\"5 4\"" : "");
    write_text(svg, x + 27, y + 4, "start", line.name);
    y += 15;
  }
}

void write_panel(std::string& svg, const PlotPanel& panel, double x0, double y0) {
  const Frame f = frame_of(panel, x0, y0);
  write_ticks(svg, f);
  for (const PlotLine& line : panel.lines) write_line(svg, f, line);
  write_legend(svg, f, panel);
  const double middle = x0 + left + (panel_width - left - right) / 2;
  write_text(svg, middle, y0 + top - 9, "middle", panel.title, "font-weight=\"bold\"");
  write_text(svg, middle, y0 + panel_height - 10, "middle", panel.x_label);
  const double x = x0 + 14, y = y0 + (panel_height - bottom + top) / 2;
  write_text(svg, x, y, "middle", panel.y_label,
             fmt::format("transform=\"rotate(-90 {:.1f} {:.1f})\"", x, y));
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '&')
      safe += "&amp;";
    else
      safe += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return safe;
}

std::string plot_svg(const Plot& plot) {
  const int columns = std::max(plot.columns, 1);
  const int rows = (static_cast<int>(plot.panels.size()) + columns - 1) / columns;
  const double width = columns * panel_width, height = head + rows * panel_height;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"11\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      width, height);
  write_text(svg, width / 2, 22, "middle", plot.title, "font-size=\"15\"");
  for (std::size_t k = 0; k < plot.panels.size(); ++k) {
    const auto [row, column] = std::div(static_cast<int>(k), columns);
    write_panel(svg, plot.panels[k], column * panel_width, head + row * panel_height);
  }
  return svg + "</svg>\n";
}

}  // namespace axode::cli
