#include "axode/view/plot/detail/plot_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace axode {

void PlotRange::take(double x) {
  if (!std::isfinite(x)) return;
  low = std::min(low, x);
  high = std::max(high, x);
}

void PlotRange::widen(double share) {
  if (!(high >= low)) low = high = 0;
  const double largest = std::max(std::abs(low), std::abs(high));
  double more = share * (high - low);
  if (high - low <= 1e-14 * largest || high - low < 1e-300)
    more = largest < 1e-300 ? 1 : 0.1 * largest;
  constexpr double most = 8e307;  // such that differences are finite
  low = std::clamp(low - more, -most, most / 2);
  high = std::clamp(high + more, -most / 2, most);
}

namespace {

/// Halves first: ends of the range of numbers are not far away.
double tick_step(const PlotRange& range, int about) {
  const double rough = (range.high / 2 - range.low / 2) / about * 2;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (rough <= factor * power * 1.0001) return factor * power;
  return 10 * power;
}

std::string superscript(int number) {
  constexpr std::array<std::string_view, 10> digits{"\u2070", "\u00b9", "\u00b2", "\u00b3",
                                                    "\u2074", "\u2075", "\u2076", "\u2077",
                                                    "\u2078", "\u2079"};
  std::string text = number < 0 ? "\u207b" : "";
  for (const char c : std::to_string(std::abs(number))) text += digits[c - '0'];
  return text;
}

/// Steps between labels that all begin alike are lost: what they have in common goes to the note.
double common_part(const PlotRange& range, double step) {
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  if (step > 1e-5 * largest) return 0;
  const double coarse = std::pow(10, std::ceil(std::log10(range.high - range.low)));
  return std::floor(range.low / coarse) * coarse;
}

}  // namespace

PlotAxis axis_of(const PlotRange& range, int about) {
  PlotAxis axis{range, {}, {}, {}};
  const double step = tick_step(range, about), common = common_part(range, step);
  const double largest = std::max(std::abs(range.low - common), std::abs(range.high - common));
  const int order = static_cast<int>(std::floor(std::log10(largest)));
  const bool scaled = order >= 5 || order <= -4;
  const double unit = scaled ? std::pow(10, order) : 1;
  const int digits =
      std::clamp(static_cast<int>(-std::floor(std::log10(step / unit) + 1e-9)), 0, 12);
  const double first = std::ceil((range.low - common) / step - 1e-9);
  for (int i = 0; i < 4 * about + 4; ++i) {
    const double at = (first + i) * step;
    if (at > range.high - common + 1e-9 * step) break;
    const double shown = std::abs(at) < 1e-9 * step ? 0.0 : at / unit;
    axis.ticks.push_back({at + common, fmt::format("{:.{}f}", shown, digits)});
  }
  const std::string offset = common == 0 ? "" : fmt::format(" {:+.15g}", common);
  axis.note = (scaled ? fmt::format("\u00d710{}", superscript(order)) : "") + offset;
  axis.plain_note = (scaled ? fmt::format("x10^{}", order) : "") + offset;
  return axis;
}

PlotRange x_range(const std::vector<PlotPanel>& panels) {
  PlotRange range;
  for (const PlotPanel& panel : panels)
    for (const PlotLine& line : panel.lines)
      for (const double x : line.x) range.take(x);
  range.widen(0);
  return range;
}

PlotRange y_range(const PlotPanel& panel) {
  PlotRange range;
  for (const PlotLine& line : panel.lines)
    for (const double y : line.y) range.take(y);
  range.widen(0.05);
  return range;
}

namespace {

/// The points of one stretch that are kept, by number.
struct Stretch {
  std::size_t first = 0, low = 0, high = 0, last = 0;
};

void append(const PlotLine& line, const Stretch& s, PlotLine& kept) {
  std::array<std::size_t, 4> order{s.first, s.low, s.high, s.last};
  std::sort(order.begin(), order.end());
  auto* const end = std::unique(order.begin(), order.end());
  for (auto* i = order.begin(); i != end; ++i) {
    kept.x.push_back(line.x[*i]);
    kept.y.push_back(line.y[*i]);
  }
}

}  // namespace

PlotLine thinned(const PlotLine& line, const PlotRange& x, int columns) {
  PlotLine kept{line.name, {}, {}, line.colour, line.dashed};
  Stretch stretch;
  bool is_empty = true, is_interrupted = false;
  int column = 0;
  for (std::size_t i = 0; i < std::min(line.x.size(), line.y.size()); ++i) {
    if (!std::isfinite(line.x[i]) || !std::isfinite(line.y[i])) {
      is_interrupted = true;
      continue;
    }
    const double place = std::clamp(x.share(line.x[i]), 0.0, 1.0) * columns;
    const int here = std::min(static_cast<int>(place), columns - 1);
    if (is_empty || here != column) {
      if (!is_empty) append(line, stretch, kept);
      if (!is_empty && is_interrupted) {
        kept.x.push_back(line.x[i]);
        kept.y.push_back(std::numeric_limits<double>::quiet_NaN());
      }
      stretch = {i, i, i, i};
      column = here;
      is_empty = false;
    }
    is_interrupted = false;
    if (line.y[i] < line.y[stretch.low]) stretch.low = i;
    if (line.y[i] > line.y[stretch.high]) stretch.high = i;
    stretch.last = i;
  }
  if (!is_empty) append(line, stretch, kept);
  return kept;
}

}  // namespace axode
