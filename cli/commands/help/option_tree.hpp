/// The verbs and options of the command, read off CLI11: the one source of help, manual page and completions.
/// Tests: tests/cli/help_test.py
#pragma once
#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <vector>

namespace axode::cli {

/// The verbs below the command, or the actions of a verb.
std::vector<const CLI::App*> verbs_of(const CLI::App& app);
/// All that can be run, "info" as well as "mechanism solve".
std::vector<const CLI::App*> runnable(const CLI::App& app);
/// "mechanism solve"; empty for the command itself.
std::string words_of(const CLI::App& verb);
/// Options with names, and arguments without.
std::vector<const CLI::Option*> options_of(const CLI::App& verb);
std::vector<const CLI::Option*> arguments_of(const CLI::App& verb);
/// "-o", "--out".
std::vector<std::string> names_of(const CLI::Option& option);
/// Whether it may be given several times, or takes several values.
bool is_repeated(const CLI::Option& option);
/// Without line breaks.
std::string one_line(std::string text);

/// The verb of these words, as far as there are verbs: {"mechanism", "solve", "file.json"} are those of
/// `axode mechanism solve`. Throws UsageError for a word that should name a verb and does not.
const CLI::App& verb_of(const CLI::App& app, std::span<const std::string> words);

}  // namespace axode::cli
