/// Texts in figures: what foreign names may hold, and how wide they are.
#include <fmt/format.h>

#include "axode/view/plot/figure.hpp"

namespace axode {

namespace {

constexpr std::string_view unknown_character = "\xef\xbf\xbd";  // U+FFFD

struct Decoded {
  char32_t character = 0xfffd;
  std::size_t bytes = 1;
  bool is_valid = false;
};

/// The first character of a text that is not empty.
Decoded decoded(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1, true};
  const std::size_t n = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < n) return {};
  char32_t c = first & (0x7fU >> n);
  for (std::size_t i = 1; i < n; ++i) {
    if (byte(i) >> 6 != 2) return {};
    c = c << 6 | (byte(i) & 0x3fU);
  }
  constexpr char32_t least[] = {0x80, 0x800, 0x10000};
  if (c < least[n - 2] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return {};
  return {c, n, true};
}

bool is_allowed(char32_t c) {
  const bool turns = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
  return !turns && (c & 0xfffeU) != 0xfffe;
}
bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029;
}

/// In shares of the size of the font; those of usual fonts without serifs.
double character_width(char32_t c) {
  constexpr std::u32string_view narrow = U" .,:;'|!iljItf()[]/\\-";
  if (narrow.find(c) != std::u32string_view::npos) return 0.37;
  if (c == 'm' || c == 'w' || c == 'M' || c == 'W' || c == '@' || c == '%') return 0.95;
  if (c >= 0x1100) return c == 0x2026 ? 0.9 : 1.05;
  return c >= 'A' && c <= 'Z' ? 0.69 : 0.62;
}

}  // namespace

std::string clean_text(std::string_view text) {
  std::string clean;
  for (std::size_t i = 0; i < text.size();) {
    const Decoded next = decoded(text.substr(i));
    if (!next.is_valid || !is_allowed(next.character))
      clean += unknown_character;
    else if (is_control(next.character))
      clean += ' ';
    else
      clean += text.substr(i, next.bytes);
    i += next.bytes;
  }
  return clean;
}

std::string xml_text(std::string_view text) {
  std::string safe;
  for (const char c : clean_text(text)) {
    if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '&')
      safe += "&amp;";
    else if (c == '"')
      safe += "&quot;";
    else if (c == '\'')
      safe += "&#39;";
    else
      safe += c;
  }
  return safe;
}

double text_width(std::string_view text, double size) {
  double width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const Decoded next = decoded(text.substr(i));
    width += character_width(next.character);
    i += next.bytes;
  }
  return width * size;
}

std::string shortened(std::string_view text, std::size_t most) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < text.size(); i += decoded(text.substr(i)).bytes) starts.push_back(i);
  if (starts.size() <= most || most < 3) return std::string(text);
  const std::size_t front = (most - 1) / 2, back = most - 1 - front;
  return fmt::format("{}\u2026{}", text.substr(0, starts[front]),
                     text.substr(starts[starts.size() - back]));
}

}  // namespace axode
