/// Figures of flexible trees: shapes of modes, and runs of the linear and the exact equations side by side, as those
/// of [CibicikEgeland].
/// Tests: tests/view/plot/flexible_plot_test.cpp
#pragma once
#include <string>
#include <vector>

#include "axode/flexible/tree/modal.hpp"
#include "axode/simulate/run/simulate.hpp"
#include "axode/view/plot/line_plot.hpp"

namespace axode {

/// The modes of each link over x / L, a panel for each direction.
Plot mode_shapes_plot(const FlexibleTree& tree);
/// Displacements of the elastic links along each link, of the first six modes of the whole tree.
Plot modes_plot(const FlexibleTree& tree, const FlexibleModesResult& found);

/// One run, sample by sample.
struct FlexibleRecord {
  FlexibleModel model = FlexibleModel::linear;
  std::vector<double> times;
  std::vector<std::vector<double>> q, v, tau;           ///< by sample and coordinate
  std::vector<double> kinetic, gravity, elastic, work;  ///< [J]
  RunResult result;
};
/// How far two runs are apart at common samples, and how far the second went: by coordinate.
struct RunDifference {
  std::vector<double> q, v, largest_q, largest_v;
};
RunDifference difference_of(const FlexibleRecord& a, const FlexibleRecord& b);

/// Which coordinates a plot has.
enum class FlexibleFigure { joints, bend_y, torsion, bend_z, axial, forces, energies };
/// Values over time, of all runs, up to a time; without panels if there is nothing of the kind.
Plot plot_of_runs(const FlexibleTree& tree, const std::vector<FlexibleRecord>& runs,
                  FlexibleFigure figure, const std::string& title, double until = 1e300);

}  // namespace axode
