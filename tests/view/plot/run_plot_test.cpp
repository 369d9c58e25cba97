#include "axode/view/plot/run_plot.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace axode::test::run_plot_test {
namespace {

/// 16 angles and a length, each growing at its own rate, at 101 times; an event half-way.
Clip example() {
  Clip clip;
  ClipSeries q{"q", {}, {}, {}};
  for (int k = 0; k < 17; ++k) {
    q.names.push_back("joint" + std::to_string(k));
    q.units.emplace_back(k < 16 ? "rad" : "m");
  }
  for (int i = 0; i <= 100; ++i) {
    clip.times.push_back(0.01 * i);
    for (int k = 0; k < 17; ++k) q.values.push_back(0.01 * i * k);
  }
  clip.series = {q, {"reactions", {"fx", "fz"}, {"N", "N"}, {}}};
  for (int i = 0; i <= 100; ++i)
    clip.series[1].values.insert(clip.series[1].values.end(), {1.0 * i, 0});
  clip.events = {{.t = 0.5, .name = "impact", .text = ""}};
  return clip;
}

TEST(RunPlot, GivesEachUnitPanelsOfAFewLines) {
  const Clip clip = example();
  const RunPlot drawn = plot_of(clip, {quantity_named(clip, "q")}, {});
  ASSERT_EQ(drawn.plot.panels.size(), 4U);  // 16 angles in three panels, then the length
  std::size_t lines = 0;
  for (const PlotPanel& panel : drawn.plot.panels) {
    EXPECT_LE(panel.lines.size(), std::size_t(line_inks));
    lines += panel.lines.size();
  }
  EXPECT_EQ(lines, 17U);
  EXPECT_EQ(drawn.plot.panels[0].y_label, "q [rad]");
  EXPECT_EQ(drawn.plot.panels[3].y_label, "q [m]");
  ASSERT_EQ(drawn.plot.marks.size(), 1U);
  EXPECT_EQ(drawn.plot.marks[0].text, "impact at 0.5 s");
}

TEST(RunPlot, ShowsAStretchOfTimeInDegrees) {
  const Clip clip = example();
  const RunPlot drawn =
      plot_of(clip, {quantity_named(clip, "q:joint2")}, {.from = 0.6, .to = 0.8, .degrees = true});
  ASSERT_EQ(drawn.plot.panels.size(), 1U);
  const PlotLine& line = drawn.plot.panels[0].lines[0];
  EXPECT_EQ(drawn.plot.panels[0].y_label, "q [deg]");
  EXPECT_DOUBLE_EQ(line.x.front(), 0.6);
  EXPECT_DOUBLE_EQ(line.x.back(), 0.8);
  EXPECT_DOUBLE_EQ(line.y.back(), 0.8 * 2 * 180 / std::numbers::pi);
  EXPECT_TRUE(drawn.plot.marks.empty());
}

TEST(RunPlot, DrawsAnotherRunDashed) {
  const Clip clip = example();
  Clip other = example();
  for (double& x : other.series[0].values) x *= 2;
  const RunPlot drawn = plot_of(clip, {quantity_named(clip, "q:joint1")}, {.other = &other});
  const std::vector<PlotLine>& lines = drawn.plot.panels[0].lines;
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_FALSE(lines[0].dashed);
  EXPECT_TRUE(lines[1].dashed);
  EXPECT_EQ(lines[0].colour, lines[1].colour);
  EXPECT_DOUBLE_EQ(lines[1].y.back(), 2 * lines[0].y.back());
}

TEST(RunPlot, LeavesOutReactionsThatAreNeverThere) {
  const Clip clip = example();
  const RunPlot drawn = plot_of(clip, {quantity_named(clip, "reactions")}, {});
  ASSERT_EQ(drawn.plot.panels.size(), 1U);
  EXPECT_EQ(drawn.plot.panels[0].lines.size(), 1U);
  ASSERT_EQ(drawn.remarks.size(), 1U);
  EXPECT_EQ(drawn.remarks[0], "1 reaction component left out, always 0");
}

}  // namespace
}  // namespace axode::test::run_plot_test
