#include "axode/view/plot/flexible_plot.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/flexible/reference_chains.hpp"

namespace axode::test::flexible_plot_test {
namespace {

TEST(FlexiblePlot, ModeShapesHaveAPanelForEachDirectionOfALink) {
  const FlexibleTree tree = reference_chain("arm4");
  const Plot plot = mode_shapes_plot(tree);
  std::size_t lines = 0;
  for (const PlotPanel& panel : plot.panels) {
    lines += panel.lines.size();
    for (const PlotLine& line : panel.lines) {
      EXPECT_EQ(line.x.front(), 0);
      EXPECT_EQ(line.x.back(), 1);
      EXPECT_NEAR(line.y.front(), 0, 1e-12) << "clamped";
    }
  }
  EXPECT_EQ(lines, std::size_t(tree.size - tree.joints));
}

TEST(FlexiblePlot, ModesOfTheWholeAreScaledToTheirTips) {
  const FlexibleTree tree = reference_chain("arm4");
  FlexibleModesOptions options;
  options.gravity = false;
  const FlexibleModesResult found =
      find_flexible_modes(tree, std::vector<double>(tree.size), options);
  const Plot plot = modes_plot(tree, found);
  ASSERT_EQ(plot.panels.size(), 6U);
  for (const PlotPanel& panel : plot.panels) EXPECT_FALSE(panel.lines.empty());
}

/// Two samples of q = +-1 and v = 2, and of a run that is off by `error`.
FlexibleRecord record(const FlexibleTree& tree, double error) {
  FlexibleRecord run;
  const auto all = [&](double x) { return std::vector<double>(tree.size, x); };
  run.times = {0, 0.5};
  run.q = {all(1 + error), all(-1 + error)};
  run.v = {all(2), all(2 + error)};
  run.tau = {all(3), all(3)};
  run.kinetic = run.gravity = run.elastic = run.work = {0, 1};
  return run;
}

TEST(FlexiblePlot, DifferencesOfRunsAreTheLargest) {
  const FlexibleTree tree = reference_chain("arm4");
  const RunDifference d = difference_of(record(tree, 0.25), record(tree, 0));
  for (int c = 0; c < tree.size; ++c) {
    EXPECT_EQ(d.q[c], 0.25);
    EXPECT_EQ(d.v[c], 0.25);
    EXPECT_EQ(d.largest_q[c], 1);
    EXPECT_EQ(d.largest_v[c], 2);
  }
}

TEST(FlexiblePlot, FiguresHaveTheirCoordinatesInTheirUnits) {
  const FlexibleTree tree = reference_chain("arm4");
  const std::vector<FlexibleRecord> runs{record(tree, 0.25), record(tree, 0)};
  const Plot joints = plot_of_runs(tree, runs, FlexibleFigure::joints, "Joints");
  ASSERT_EQ(joints.panels.size(), 4U);  // values, rates and their differences
  EXPECT_EQ(joints.panels[0].y_label, "q [deg]");
  EXPECT_EQ(joints.panels[0].lines.size(), 2U * tree.joints);
  EXPECT_NEAR(joints.panels[2].lines[0].y[0], 0.25 * 180 / M_PI, 1e-12);
  const Plot forces = plot_of_runs(tree, runs, FlexibleFigure::forces, "Forces", 0.1);
  EXPECT_EQ(forces.panels[0].y_label, "torque [N m]");
  EXPECT_EQ(forces.panels[0].lines[0].y, std::vector<double>{3}) << "up to 0.1 s";
  EXPECT_EQ(plot_of_runs(tree, runs, FlexibleFigure::energies, "E").panels[0].lines.size(), 8U);
}

}  // namespace
}  // namespace axode::test::flexible_plot_test
