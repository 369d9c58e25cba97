/// Line plots for terminals: eight dots of Braille in each character, so that lines can be followed
/// over a connection that shows nothing but text. Where that is not UTF-8, letters stand for dots.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "axode/view/plot/detail/plot_axis.hpp"

namespace axode {

namespace {

constexpr int term_rows = 10;
constexpr std::array<int, line_inks> term_colours{32, 166, 36, 175, 214, 117, 245};  // of 256

struct TermCell {
  unsigned dots = 0;  ///< of Braille
  int line = -1;      ///< that drew last
  bool is_marked = false;
};

/// The field of lines.
struct TermField {
  int width = 0, across = 2, down = 4;  ///< cells in a row; dots in a cell
  std::vector<TermCell> cells;

  TermCell& cell(int column, int row) { return cells[row * width + column]; }
  void dot(int x, int y, int line) {
    if (x < 0 || y < 0 || x >= width * across || y >= term_rows * down) return;
    constexpr unsigned bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    TermCell& c = cell(x / across, y / down);
    c.dots |= bits[y % down][x % across];
    c.line = line;
  }
  /// Dashed ones leave out every other three dots.
  void join(FigurePoint a, FigurePoint b, int line, bool dashed) {
    const double steps = std::max({std::abs(b.x - a.x), std::abs(b.y - a.y), 1.0});
    for (int i = 0; i <= static_cast<int>(steps); ++i) {
      const double s = i / steps;
      const int x = static_cast<int>(std::lround(a.x + s * (b.x - a.x)));
      const int y = static_cast<int>(std::lround(a.y + s * (b.y - a.y)));
      if (!dashed || x / 3 % 2 == 0) dot(x, y, line);
    }
  }
};

/// a, b, ...; compared lines have that of the one before.
char letter_of(const PlotPanel& panel, int line) {
  int named = 0;
  for (int i = 0; i <= line; ++i) named += panel.lines[i].name.empty() ? 0 : 1;
  return static_cast<char>('a' + std::max(named - 1, 0) % 26);
}

std::string coloured(const std::string& text, int colour, const TermOptions& options) {
  if (!options.colour) return text;
  return fmt::format("\033[38;5;{}m{}\033[0m", term_colours[colour % line_inks], text);
}

std::string utf8_of(unsigned character) {  // of three bytes
  return {static_cast<char>(0xe0U | character >> 12),
          static_cast<char>(0x80U | (character >> 6 & 0x3fU)),
          static_cast<char>(0x80U | (character & 0x3fU))};
}

void draw_lines(const PlotPanel& panel, const PlotAxis& x, const PlotAxis& y, TermField& field) {
  const int dots_across = field.width * field.across - 1, dots_down = term_rows * field.down - 1;
  for (std::size_t k = 0; k < panel.lines.size(); ++k) {
    const PlotLine line = thinned(panel.lines[k], x.range, dots_across + 1);
    for (std::size_t i = 0; i < line.y.size(); ++i) {
      if (!std::isfinite(line.y[i])) continue;
      const auto place = [&](std::size_t n) {
        return FigurePoint{x.range.share(line.x[n]) * dots_across,
                           (1 - y.range.share(line.y[n])) * dots_down};
      };
      const bool goes_on = i > 0 && std::isfinite(line.y[i - 1]);
      field.join(place(goes_on ? i - 1 : i), place(i), static_cast<int>(k), line.dashed);
    }
  }
}

std::string cell_text(const PlotPanel& panel, const TermCell& cell, const TermOptions& options) {
  if (cell.dots == 0) return !cell.is_marked ? " " : options.utf8 ? "\u250a" : ":";
  const std::string shown =
      options.utf8 ? utf8_of(0x2800U + cell.dots) : std::string(1, letter_of(panel, cell.line));
  return coloured(shown, panel.lines[cell.line].colour, options);
}

/// At the right: which lines end in each row.
std::array<std::string, term_rows> ends_of(const PlotPanel& panel, const PlotAxis& y,
                                           const TermOptions& options) {
  std::array<std::string, term_rows> ends;
  for (std::size_t k = 0; k < panel.lines.size(); ++k) {
    const PlotLine& line = panel.lines[k];
    const auto last = std::find_if(line.y.rbegin(), line.y.rend(),
                                   [](double value) { return std::isfinite(value); });
    if (line.name.empty() || last == line.y.rend() || panel.lines.size() < 2) continue;
    const int row = static_cast<int>((1 - y.range.share(*last)) * term_rows);
    ends[std::clamp(row, 0, term_rows - 1)] +=
        coloured(std::string(1, letter_of(panel, static_cast<int>(k))), line.colour, options);
  }
  return ends;
}

/// The line below the field, and the numbers below that.
std::string x_axis_text(const PlotAxis& x, int width, std::size_t indent,
                        const TermOptions& options) {
  std::string ruler, numbers;
  std::vector<bool> ticks(width, false);
  for (const PlotTick& tick : x.ticks) {
    const std::size_t at = std::lround(x.range.share(tick.at) * (width - 1));
    const std::size_t begin = at + 1 - std::min(at + 1, tick.label.size() / 2);
    ticks[at] = true;
    if (begin < numbers.size() + (numbers.empty() ? 0 : 1)) continue;
    if (begin + tick.label.size() > static_cast<std::size_t>(width) + 4) continue;
    numbers.resize(begin, ' ');
    numbers += tick.label;
  }
  for (const bool is_tick : ticks)
    ruler += options.utf8 ? (is_tick ? "\u252c" : "\u2500") : (is_tick ? "+" : "-");
  const std::string space(indent, ' ');
  const std::string note = x.note.empty() ? "" : "  " + (options.utf8 ? x.note : x.plain_note);
  return fmt::format("{0}{1}{2}\n{0}{3}{4}\n", space, options.utf8 ? "\u2514" : "+", ruler, numbers,
                     note);
}

std::string legend_text(const PlotPanel& panel, const TermOptions& options) {
  std::string text, separator = "  ";
  std::size_t used = 0;
  if (panel.lines.size() < 2 && !panel.lines.empty() && panel.lines[0].name.empty()) return text;
  for (std::size_t k = 0; k < panel.lines.size(); ++k) {
    const PlotLine& line = panel.lines[k];
    if (line.name.empty()) continue;
    const std::string name = shortened(clean_text(line.name), 40);
    const std::size_t width = name.size() + 4;
    if (used > 0 && used + width > static_cast<std::size_t>(options.columns)) {
      text += '\n';
      used = 0;
    }
    const std::string letter(1, letter_of(panel, static_cast<int>(k)));
    text += "  " + coloured(letter, line.colour, options) + ' ' + name;
    used += width;
  }
  return text.empty() ? text : text + '\n';
}

void mark_events(const std::vector<PlotMark>& marks, const PlotRange& x, TermField& field) {
  for (const PlotMark& mark : marks) {
    const double share = x.share(mark.x);
    if (share < 0 || share > 1) continue;
    for (int row = 0; row < term_rows; ++row)
      field.cell(static_cast<int>(std::lround(share * (field.width - 1))), row).is_marked = true;
  }
}

/// The rows of the field, with numbers before and letters behind them.
std::string field_text(const PlotPanel& panel, const PlotAxis& y, TermField& field,
                       std::size_t labels, const TermOptions& options) {
  std::array<std::string, term_rows> row_labels;
  for (const PlotTick& tick : y.ticks) {
    const int row = static_cast<int>((1 - y.range.share(tick.at)) * term_rows);
    row_labels[std::clamp(row, 0, term_rows - 1)] = tick.label;
  }
  const auto ends = ends_of(panel, y, options);
  std::string text;
  for (int row = 0; row < term_rows; ++row) {
    const std::string& label = row_labels[row];
    const char* rule = options.utf8 ? (label.empty() ? "\u2502" : "\u2524") : "|";
    std::string line = fmt::format("{:>{}} {}", label, labels + 1, rule);
    for (int column = 0; column < field.width; ++column)
      line += cell_text(panel, field.cell(column, row), options);
    line += ' ' + ends[row];
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string panel_text(const Plot& plot, const PlotPanel& panel, const PlotRange& shared,
                       const TermOptions& options) {
  const PlotAxis y = axis_of(y_range(panel), 4);
  std::size_t labels = 0;
  for (const PlotTick& tick : y.ticks) labels = std::max(labels, tick.label.size());
  TermField field;
  field.width = std::max(20, options.columns - static_cast<int>(labels) - 11);
  if (!options.utf8) field.across = field.down = 1;
  field.cells.resize(std::size_t(field.width) * term_rows);
  const PlotAxis x = axis_of(plot.shares_x ? shared : x_range({panel}), field.width / 14);
  mark_events(plot.marks, x.range, field);
  draw_lines(panel, x, y, field);
  const std::string& note = options.utf8 ? y.note : y.plain_note;
  return fmt::format("{}: {} over {}{}\n", clean_text(panel.title), clean_text(panel.y_label),
                     clean_text(panel.x_label), note.empty() ? "" : "  " + note) +
         field_text(panel, y, field, labels, options) +
         x_axis_text(x, field.width, labels + 2, options) + legend_text(panel, options);
}

}  // namespace

std::string plot_text(const Plot& plot, const TermOptions& options) {
  std::string text = clean_text(plot.title) + '\n';
  if (!plot.subtitle.empty()) text += clean_text(plot.subtitle) + '\n';
  PlotRange shared;
  if (plot.shares_x) shared = x_range(plot.panels);
  for (const PlotPanel& panel : plot.panels)
    text += '\n' + panel_text(plot, panel, shared, options);
  return text;
}

}  // namespace axode
