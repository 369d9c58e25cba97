/// Durations as users write them: "10s", "5ms", "2min"; without a unit seconds.
/// Tests: tests/cli/cli_test.py
#pragma once
#include <string>
#include <string_view>

namespace axode::cli {

/// In seconds, not negative. Throws UsageError, naming the option.
double parse_duration(std::string_view text, const std::string& option);
/// Of --max-steps.
inline constexpr const char* max_steps_help =
    "End the run where it needs more; default: a million per\n"
    "second of --for, from ten thousand to ten million";
inline constexpr const char* max_long_steps_help =
    "End the run where it needs more; default: a million per\n"
    "second of --for, from ten thousand to one million";
/// "0:07", "12:30", "3:00:00": minutes and seconds, with hours if there are any.
std::string clock_text(double seconds);

}  // namespace axode::cli
