/// Plots of runs: quantities in panels of one unit each.
/// Tests: tests/view/plot/run_plot_test.cpp
#pragma once
#include <limits>
#include <string>
#include <vector>

#include "axode/view/plot/line_plot.hpp"
#include "axode/view/plot/run_quantity.hpp"

namespace axode {

struct RunPlotOptions {
  double from = -std::numeric_limits<double>::infinity();  ///< [s]
  double to = std::numeric_limits<double>::infinity();
  bool degrees = false;
  const Clip* other = nullptr;  ///< drawn dashed where it has the same names
};
struct RunPlot {
  Plot plot;
  std::vector<std::string> remarks;  ///< what is left out
};
/// Panels of at most seven lines; without title.
RunPlot plot_of(const Clip& clip, const std::vector<PlotQuantity>& quantities,
                const RunPlotOptions& options);

}  // namespace axode
