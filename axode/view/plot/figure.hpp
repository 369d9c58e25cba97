/// Figures of lines and words: strokes, boxes and labels, written as SVG.
///
/// Words in the SVG can be searched, selected and styled by a page. The same figure gives the same bytes:
/// there are no dates in it.
/// Tests: tests/view/plot/figure_test.cpp
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace axode {

/// What something is drawn with; the theme says which colour that is. The first seven are for lines
/// in plots: people who see few colours can tell them apart [Okabe and Ito's set without yellow].
enum class Ink : std::uint8_t {
  line_1,
  line_2,
  line_3,
  line_4,
  line_5,
  line_6,
  line_7,
  text,
  faint,  ///< text that steps back
  grid,
  frame,
  mark,
  paper
};
inline constexpr int line_inks = 7, all_inks = 13;
/// For lines by number; they repeat.
Ink line_ink(int number);

enum class Theme : std::uint8_t {
  light,
  dark,
  page  ///< SVG only: classes, coloured by the page around it (theme_css)
};

struct FigurePoint {
  double x = 0, y = 0;  ///< y downwards
};
struct FigureStroke {
  std::vector<FigurePoint> points;
  Ink ink = Ink::text;
  double width = 1;
  bool dashed = false;
  bool is_curve = false;  ///< data, not rulers
  std::string hint = {};  ///< shown when pointed at, where that can be
};
struct FigureBox {
  double x = 0, y = 0, width = 0, height = 0;
  Ink ink = Ink::frame;
  bool is_filled = false;
};
enum class FigureAnchor : std::uint8_t { start, middle, end };
struct FigureLabel {
  double x = 0, y = 0;
  std::string text;
  FigureAnchor anchor = FigureAnchor::start;
  double size = 11;
  Ink ink = Ink::text;
  bool is_bold = false;
  bool is_upright = false;  ///< reads from below to above
  std::string hint = {};
};
struct Figure {
  double width = 0, height = 0;
  std::string title;
  std::vector<std::variant<FigureStroke, FigureBox, FigureLabel>> parts;
};

std::string figure_svg(const Figure& figure, Theme theme);

/// "#0072b2"; of light or dark.
std::string_view ink_colour(Ink ink, Theme theme);
/// The classes that figures of Theme::page have, in the colours of a theme.
std::string theme_css(Theme theme);

/// About the width of a line of text; fonts differ.
double text_width(std::string_view text, double size);
/// The text, or its beginning and end with an ellipsis between them, in at most so many characters.
std::string shortened(std::string_view text, std::size_t most);
/// Foreign text that can be drawn: control characters become spaces; bytes that are no UTF-8 and
/// characters that turn the direction of writing become U+FFFD.
std::string clean_text(std::string_view text);
/// The same with the characters that XML and HTML keep for themselves written as entities.
std::string xml_text(std::string_view text);

}  // namespace axode
