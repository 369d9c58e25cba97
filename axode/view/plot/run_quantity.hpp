/// Quantities of a run by the names users give them, and their numbers.
/// Tests: tests/view/plot/run_quantity_test.cpp
#pragma once
#include <string>
#include <vector>

#include "axode/view/scene/clip.hpp"

namespace axode {

/// A number for each sample: a column of a series, or the sum of that column of several.
struct PlotColumn {
  std::string name, unit;
  std::vector<std::string> series;  ///< by name
  std::size_t index = 0;
};
/// What belongs together: "q", "energy", "q:elbow,wrist".
struct PlotQuantity {
  std::string title, symbol;
  std::vector<PlotColumn> columns;
};

/// Adds the series "drift": energy less that of the start and the work done since. Stored energy
/// counts where the work leaves it out; that of trees is done by all that acts beside gravity.
void add_drift(Clip& clip, bool with_stored);
/// Names of all that can be plotted.
std::vector<std::string> quantity_names(const Clip& clip);
/// "q", "v", "energy", ..., or some of its columns: "q:elbow,wrist". A name that no column has
/// stands for all of a joint or link: "ball" for "ball[0]", ..., "arm" for "arm.bend_y1", ...
/// Throws Error, which lists the names that exist.
PlotQuantity quantity_named(const Clip& clip, const std::string& text);
/// The numbers of a column; empty if the clip has none of the name.
std::vector<double> column_values(const Clip& clip, const PlotColumn& column);

}  // namespace axode
