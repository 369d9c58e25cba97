/// What plots of any kind need: ranges, ticks at round numbers, and lines of as many points as can
/// be seen.
/// Tests: tests/view/plot/line_plot_test.cpp
#pragma once
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "axode/view/plot/line_plot.hpp"

namespace axode {

struct PlotRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void take(double x);
  /// By a share on both sides. Never empty afterwards, so that constant lines are seen.
  void widen(double share);
  /// From 0 at `low` to 1 at `high`; not far outside even for what is.
  double share(double x) const { return std::clamp((x - low) / (high - low), -1.0, 2.0); }
};

struct PlotTick {
  double at = 0;
  std::string label;
};
struct PlotAxis {
  PlotRange range;
  std::vector<PlotTick> ticks;
  std::string note, plain_note;  ///< what the labels leave out: "x10^-6 +12.3"; or empty
};
/// About that many ticks, at 1, 2 or 5 times a power of ten.
PlotAxis axis_of(const PlotRange& range, int about);

/// Of the lines of some panels.
PlotRange x_range(const std::vector<PlotPanel>& panels);
PlotRange y_range(const PlotPanel& panel);

/// The line with, of the points that follow each other in one of `columns` stretches of x, only the
/// first, the lowest, the highest and the last. Interruptions that are wide enough stay as one NaN.
PlotLine thinned(const PlotLine& line, const PlotRange& x, int columns);

}  // namespace axode
