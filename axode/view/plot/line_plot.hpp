/// Line plots: panels in a grid, each with axes in round numbers, lines and a legend. They are laid
/// out once, whatever they are written as: a figure (figure.hpp), or dots in a terminal.
/// Tests: tests/view/plot/line_plot_test.cpp
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "axode/view/plot/figure.hpp"

namespace axode {

struct PlotLine {
  std::string name;          ///< in the legend; none if empty
  std::vector<double> x, y;  ///< the line is interrupted where they are not finite
  int colour = 0;            ///< by number; they repeat
  bool dashed = false;
};
struct PlotPanel {
  std::string title, x_label, y_label;
  std::vector<PlotLine> lines;
};
/// Something that happened: a thin line across all panels.
struct PlotMark {
  double x = 0;
  std::string text;
};
struct Plot {
  std::string title;
  std::vector<PlotPanel> panels;
  int columns = 1;
  std::string subtitle = {};
  std::vector<PlotMark> marks = {};
  bool shares_x = false;  ///< all panels over the same x, labelled below the last ones
};
/// The whole figure; 0: as large as its panels need.
struct PlotSize {
  double width = 0, height = 0;
};

/// The least size in which the panels can be read.
PlotSize least_size(const Plot& plot);
/// Lines of very many points are thinned to what can be seen.
Figure figure_of(const Plot& plot, PlotSize size = {});
/// As SVG, in its own size.
std::string plot_svg(const Plot& plot);

struct TermOptions {
  int columns = 80;
  bool colour = false;  ///< by ANSI sequences
  bool utf8 = true;     ///< dots of Braille; else letters
};
/// For terminals: panels one below the other.
std::string plot_text(const Plot& plot, const TermOptions& options);

}  // namespace axode
