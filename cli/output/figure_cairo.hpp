/// Figures as PNG and PDF, drawn by cairo.
/// Tests: tests/cli/plot_test.py
#pragma once
#include "axode/view/plot/figure.hpp"

namespace axode::cli {

/// `scale` pixels for each unit of the figure. Throws Error if it cannot be drawn.
std::string figure_png(const Figure& figure, Theme theme, double scale);
/// 96 units are an inch.
std::string figure_pdf(const Figure& figure, Theme theme);

}  // namespace axode::cli
