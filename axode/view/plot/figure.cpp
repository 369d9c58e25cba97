#include "axode/view/plot/figure.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace axode {

namespace {

constexpr std::array<std::string_view, all_inks> light_colours{
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#3b3b3b",
    "#1c2127", "#626b75", "#e6e9ec", "#8f98a1", "#7d6b91", "#ffffff"};
constexpr std::array<std::string_view, all_inks> dark_colours{
    "#4ba3e3", "#f0803c", "#2fc39a", "#e39bc4", "#f2bb3f", "#9bd6f5", "#d0d0d0",
    "#e8eaed", "#9aa4af", "#2c333b", "#5f6973", "#a994c0", "#15191e"};

/// ` stroke="#0072b2"`, or the class that has it.
std::string painted(std::string_view what, Ink ink, Theme theme) {
  if (theme == Theme::page) return fmt::format(" class=\"{}{}\"", what[0], static_cast<int>(ink));
  return fmt::format(" {}=\"{}\"", what, ink_colour(ink, theme));
}

std::string hint_of(const std::string& hint) {
  return hint.empty() ? "" : fmt::format("<title>{}</title>", xml_text(hint));
}

/// With two digits behind the point at most, as short as that can be.
std::string coordinate(double x) {
  std::string text = fmt::format("{:.2f}", std::abs(x) < 0.005 ? 0.0 : x);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

void write_svg(const FigureStroke& stroke, Theme theme, std::string& svg) {
  const std::string paint =
      painted("stroke", stroke.ink, theme) +
      (stroke.width == 1 ? "" : fmt::format(" stroke-width=\"{}\"", stroke.width)) +
      (stroke.dashed ? " stroke-dasharray=\"5 3\"" : "");
  if (stroke.points.empty()) return;
  const FigurePoint &a = stroke.points.front(), &b = stroke.points.back();
  if (!stroke.is_curve) {
    svg += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}", coordinate(a.x),
                       coordinate(a.y), coordinate(b.x), coordinate(b.y), paint);
    svg += stroke.hint.empty() ? "/>\n" : fmt::format(">{}</line>\n", hint_of(stroke.hint));
    return;
  }
  svg += "<polyline points=\"";
  for (const FigurePoint& p : stroke.points)
    svg += fmt::format("{},{} ", coordinate(p.x), coordinate(p.y));
  if (stroke.points.size() == 1)  // a dot
    svg += fmt::format("{},{} ", coordinate(a.x), coordinate(a.y));
  svg.back() = '"';
  svg += fmt::format(" fill=\"none\"{} stroke-linejoin=\"round\" stroke-linecap=\"round\"", paint);
  svg += stroke.hint.empty() ? "/>\n" : fmt::format(">{}</polyline>\n", hint_of(stroke.hint));
}

void write_svg(const FigureBox& box, Theme theme, std::string& svg) {
  svg +=
      fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}{}/>\n", coordinate(box.x),
                  coordinate(box.y), coordinate(box.width), coordinate(box.height),
                  painted(box.is_filled ? "fill" : "stroke", box.ink, theme),
                  box.is_filled ? "" : " fill=\"none\"");
}

void write_svg(const FigureLabel& label, Theme theme, std::string& svg) {
  constexpr std::array<std::string_view, 3> anchors{"start", "middle", "end"};
  const std::string x = coordinate(label.x), y = coordinate(label.y);
  svg += fmt::format("<text x=\"{}\" y=\"{}\"{}{}{}{}{}>{}{}</text>\n", x, y,
                     label.anchor == FigureAnchor::start
                         ? ""
                         : fmt::format(" text-anchor=\"{}\"", anchors[std::size_t(label.anchor)]),
                     painted("fill", label.ink, theme),
                     label.size == 11 ? "" : fmt::format(" font-size=\"{}\"", label.size),
                     label.is_bold ? " font-weight=\"bold\"" : "",
                     label.is_upright ? fmt::format(" transform=\"rotate(-90 {} {})\"", x, y) : "",
                     xml_text(label.text), hint_of(label.hint));
}

}  // namespace

Ink line_ink(int number) { return static_cast<Ink>(number % line_inks); }

std::string_view ink_colour(Ink ink, Theme theme) {
  const auto i = static_cast<std::size_t>(ink);
  return theme == Theme::dark ? dark_colours[i] : light_colours[i];
}

std::string theme_css(Theme theme) {
  std::string css;
  for (int i = 0; i < all_inks; ++i) {
    const std::string_view colour = ink_colour(static_cast<Ink>(i), theme);
    css += fmt::format(".s{0}{{stroke:{1}}}.f{0}{{fill:{1}}}", i, colour);
  }
  return css;
}

std::string figure_svg(const Figure& figure, Theme theme) {
  const std::string width = coordinate(figure.width), height = coordinate(figure.height);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" "
      "font-size=\"11\" role=\"img\">\n<title>{2}</title>\n",
      width, height, xml_text(figure.title));
  if (theme != Theme::page)
    write_svg(FigureBox{0, 0, figure.width, figure.height, Ink::paper, true}, theme, svg);
  for (const auto& part : figure.parts)
    std::visit([&](const auto& p) { write_svg(p, theme, svg); }, part);
  return svg + "</svg>\n";
}

}  // namespace axode
