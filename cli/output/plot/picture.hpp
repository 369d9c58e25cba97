/// Pictures as lists of strokes, boxes and texts, written as SVG, PNG or PDF.
///
/// SVG is written by hand, so that words in it can be searched, selected and styled by a page; PNG
/// and PDF are drawn by cairo. The same picture gives the same bytes: there are no dates in it.
/// Tests: tests/cli/plot_test.py
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace axode::cli {

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

struct DrawnPoint {
  double x = 0, y = 0;  ///< y downwards
};
struct Stroke {
  std::vector<DrawnPoint> points;
  Ink ink = Ink::text;
  double width = 1;
  bool dashed = false;
  bool is_curve = false;  ///< data, not rulers
  std::string hint = {};  ///< shown when pointed at, where that can be
};
struct Box {
  double x = 0, y = 0, width = 0, height = 0;
  Ink ink = Ink::frame;
  bool is_filled = false;
};
enum class Anchor : std::uint8_t { start, middle, end };
struct Label {
  double x = 0, y = 0;
  std::string text;
  Anchor anchor = Anchor::start;
  double size = 11;
  Ink ink = Ink::text;
  bool is_bold = false;
  bool is_upright = false;  ///< reads from below to above
  std::string hint = {};
};
struct Picture {
  double width = 0, height = 0;
  std::string title;
  std::vector<std::variant<Stroke, Box, Label>> parts;
};

std::string picture_svg(const Picture& picture, Theme theme);
/// `scale` pixels for each unit of the picture. Throws Error if it cannot be drawn.
std::string picture_png(const Picture& picture, Theme theme, double scale);
/// 96 units are an inch.
std::string picture_pdf(const Picture& picture, Theme theme);

/// "#0072b2"; of light or dark.
std::string_view ink_colour(Ink ink, Theme theme);
/// The classes that pictures of Theme::page have, in the colours of a theme.
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

}  // namespace axode::cli
