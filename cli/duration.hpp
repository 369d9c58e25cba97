/// Durations as users write them: "10s", "5ms", "2min"; without a unit seconds.
/// Tests: tests/cli/cli_test.py
#pragma once
#include <string>
#include <string_view>

namespace axode::cli {

/// In seconds, not negative. Throws UsageError, naming the option.
double parse_duration(std::string_view text, const std::string& option);
/// "0:07", "12:30", "3:00:00": minutes and seconds, with hours if there are any.
std::string clock_text(double seconds);

}  // namespace axode::cli
