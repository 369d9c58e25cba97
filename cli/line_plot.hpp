/// Line plots as SVG: panels in a grid, each with axes in round numbers, lines and a legend.
/// Tests: tests/cli/flexible_test.py
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace axode::cli {

struct PlotLine {
  std::string name;
  std::vector<double> x, y;  ///< points that are not finite are left out
  int colour = 0;            ///< by number; they repeat
  bool dashed = false;
};
struct PlotPanel {
  std::string title, x_label, y_label;
  std::vector<PlotLine> lines;
};
struct Plot {
  std::string title;
  std::vector<PlotPanel> panels;
  int columns = 1;
};

/// The picture. Lines of very many points are thinned to what can be seen.
std::string plot_svg(const Plot& plot);
/// Text with the characters that XML keeps for itself written as entities.
std::string xml_text(std::string_view text);

}  // namespace axode::cli
