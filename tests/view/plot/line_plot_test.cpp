#include "axode/view/plot/line_plot.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "axode/view/plot/detail/plot_axis.hpp"

namespace axode::test::line_plot_test {
namespace {

PlotLine sine(int points) {
  PlotLine line{"sine", {}, {}};
  for (int i = 0; i < points; ++i) {
    line.x.push_back(10.0 * i / (points - 1));
    line.y.push_back(std::sin(line.x.back()));
  }
  return line;
}
PlotRange range_of(double low, double high) { return {low, high}; }

TEST(PlotAxis, TicksAreRoundAndWithinTheRange) {
  for (const double size : {1e-9, 1e-3, 1., 7., 1e6, 1e300})
    for (const double low : {-1., 0., 0.3}) {
      const PlotAxis axis = axis_of(range_of(low * size, (low + 1) * size), 5);
      ASSERT_GE(axis.ticks.size(), 3U) << size;
      ASSERT_LE(axis.ticks.size(), 11U) << size;
      for (const PlotTick& tick : axis.ticks) {
        EXPECT_GE(axis.range.share(tick.at), -1e-9);
        EXPECT_LE(axis.range.share(tick.at), 1 + 1e-9);
      }
      const double step = axis.ticks[1].at - axis.ticks[0].at;
      const double mantissa = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
      EXPECT_TRUE(std::abs(mantissa - 1) < 1e-6 || std::abs(mantissa - 2) < 1e-6 ||
                  std::abs(mantissa - 5) < 1e-6)
          << mantissa;
    }
}

TEST(PlotAxis, NotesWhatLabelsLeaveOut) {
  EXPECT_EQ(axis_of(range_of(0, 3e-6), 4).plain_note, "x10^-6");
  const PlotAxis offset = axis_of(range_of(1000, 1000.000001), 4);
  EXPECT_NE(offset.plain_note.find("+1000"), std::string::npos) << offset.plain_note;
  EXPECT_EQ(axis_of(range_of(0, 1), 4).note, "");
}

TEST(PlotRange, IsNeverEmpty) {
  PlotRange none;
  none.take(std::nan(""));
  none.widen(0.05);
  EXPECT_LT(none.low, none.high);
  PlotRange one;
  one.take(5);
  one.widen(0);
  EXPECT_LT(one.low, 5);
  EXPECT_GT(one.high, 5);
  PlotRange all;
  all.take(std::numeric_limits<double>::max());
  all.take(-std::numeric_limits<double>::max());
  all.widen(0.05);
  EXPECT_TRUE(std::isfinite(all.high - all.low));
}

TEST(PlotLine, IsThinnedWithoutLosingExtremes) {
  PlotLine line = sine(100'001);
  line.y[12'345] = 40;
  line.y[54'321] = -40;
  const PlotLine thin = thinned(line, x_range({{"", "", "", {line}}}), 500);
  EXPECT_LE(thin.x.size(), 2000U);
  EXPECT_EQ(*std::max_element(thin.y.begin(), thin.y.end()), 40);
  EXPECT_EQ(*std::min_element(thin.y.begin(), thin.y.end()), -40);
  EXPECT_EQ(thin.x.front(), line.x.front());
  EXPECT_EQ(thin.x.back(), line.x.back());
  EXPECT_TRUE(std::is_sorted(thin.x.begin(), thin.x.end()));
}

TEST(PlotLine, KeepsInterruptions) {
  PlotLine line = sine(1001);
  for (std::size_t i = 400; i < 600; ++i) line.y[i] = std::nan("");
  const PlotLine thin = thinned(line, x_range({{"", "", "", {line}}}), 100);
  EXPECT_EQ(std::count_if(thin.y.begin(), thin.y.end(), [](double y) { return std::isnan(y); }), 1);
}

TEST(LinePlot, IsAsLargeAsItsPanelsNeed) {
  Plot plot{"runs", {{"one", "time [s]", "q [rad]", {sine(50)}}}};
  const PlotSize small = least_size(plot);
  const Figure figure = figure_of(plot);
  EXPECT_GE(figure.width, small.width);
  EXPECT_GE(figure.height, small.height);
  plot.panels.push_back(plot.panels[0]);
  EXPECT_GT(figure_of(plot).height, figure.height);
  const Figure fixed = figure_of(plot, {1000, 900});
  EXPECT_EQ(fixed.width, 1000);
  EXPECT_EQ(fixed.height, 900);
  for (const auto& part : fixed.parts)
    if (const auto* stroke = std::get_if<FigureStroke>(&part))
      for (const FigurePoint& p : stroke->points) {
        EXPECT_TRUE(p.x >= 0 && p.x <= 1000 && p.y >= 0 && p.y <= 900) << p.x << ' ' << p.y;
      }
  EXPECT_EQ(plot_svg(plot), figure_svg(figure_of(plot), Theme::light));
}

TEST(LinePlot, FitsTheTerminal) {
  const Plot plot{"runs", {{"one", "time [s]", "q [rad]", {sine(500)}}}};
  for (const int columns : {40, 80, 120}) {
    const std::string text = plot_text(plot, {columns, false, false});
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = text.find('\n', begin);
      EXPECT_LE(end - begin, std::size_t(columns));
      begin = end + 1;
    }
    EXPECT_NE(text.find("one: q [rad] over time [s]"), std::string::npos);
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
  }
  EXPECT_NE(plot_text(plot, {80, true, true}).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace axode::test::line_plot_test
