#include "cli/arguments/duration.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "cli/commands/commands.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

double parse_duration(std::string_view text, const std::string& option) {
  constexpr std::array<std::pair<std::string_view, double>, 7> units{
      {{"", 1}, {"s", 1}, {"ms", 1e3}, {"us", 1e6}, {"ns", 1e9}, {"min", -60}, {"h", -3600}}};
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit = text.substr(end - text.data());
  for (const auto& [name, factor] : units) {
    if (error != std::errc() || unit != name) continue;
    // Divided where the unit is a part: 10ms is to be the number 0.01, to the last bit.
    const double seconds = factor > 0 ? value / factor : value * -factor;
    if (!std::isfinite(seconds) || std::signbit(seconds)) break;
    return seconds;
  }
  throw UsageError(fmt::format("{}: '{}' is not a duration; write such as 10s, 5ms or 2min", option,
                               printable(text)));
}

std::string clock_text(double seconds) {
  constexpr double longest = 359999;  // 99:59:59
  const auto s = static_cast<int>(std::min(std::max(seconds, 0.0) + 0.5, longest));
  if (s < 3600) return fmt::format("{}:{:02}", s / 60, s % 60);
  return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

}  // namespace axode::cli
