/// Letters as lines on a grid of 4 x 6: see canvas.hpp.
#include <algorithm>
#include <array>
#include <cmath>

#include "axode/view/picture/detail/canvas.hpp"

namespace axode {

namespace {

struct Letter {
  char letter;
  double width;
  std::string_view strokes;  ///< points as two digits, x and y; a comma lifts the pen
};
constexpr std::array<Letter, 16> letters{{
    {'0', 4, "10 30 41 45 36 16 05 01 10"},
    {'1', 4, "05 26 20"},
    {'2', 4, "05 16 36 45 44 00 40"},
    {'3', 4, "05 16 36 45 44 33 42 41 30 10 01,13 33"},
    {'4', 4, "30 36 02 42"},
    {'5', 4, "46 06 03 14 34 43 41 30 10 01"},
    {'6', 4, "45 36 16 05 01 10 30 41 42 33 13 02"},
    {'7', 4, "06 46 45 20"},
    {'8', 4, "13 04 05 16 36 45 44 33 13 02 01 10 30 41 42 33"},
    {'9', 4, "01 10 30 41 45 36 16 05 04 13 33 44"},
    {'t', 3, "16 11 20 30,04 34"},
    {'s', 3, "33 24 14 03 12 22 31 20 10 01"},
    {'=', 4, "02 42,04 44"},
    {'-', 3, "03 33"},
    {'.', 0, "00 00"},
    {' ', 2, ""},
}};

}  // namespace

void Canvas::text(std::string_view text, double x, double y, double height, const Paint& paint) {
  const double unit = height / 6, pen = 0.75 * unit;
  for (const char c : text) {
    const auto* const found = std::find_if(letters.begin(), letters.end(),
                                           [&](const Letter& l) { return l.letter == c; });
    if (found == letters.end()) continue;
    const std::string_view strokes = found->strokes;
    const auto point = [&](std::size_t at) {
      return CanvasCorner{
          x + unit * (strokes[at] - '0'), y - unit * (strokes[at + 1] - '0'), 0, {}};
    };
    for (std::size_t at = 0; at + 4 < strokes.size(); at += 3) {
      if (strokes[at + 2] == ',') continue;
      CanvasCorner a = point(at), b = point(at + 3);
      const double length = std::hypot(b.x - a.x, b.y - a.y);
      // Square ends, so that corners are filled; a point is a square.
      const double ex = length > 0 ? (b.x - a.x) / length : 1;
      const double ey = length > 0 ? (b.y - a.y) / length : 0;
      const double more = (length > 0 ? 0.4 : 0.6) * pen;
      line({a.x - more * ex, a.y - more * ey, 0, {}}, {b.x + more * ex, b.y + more * ey, 0, {}},
           length > 0 ? pen : 1.2 * pen, paint);
    }
    x += unit * (found->width + 1.8);
  }
}

}  // namespace axode
