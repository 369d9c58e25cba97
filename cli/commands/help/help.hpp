/// `axode help`, `axode man` and `axode completion`, which explain the other verbs to people, to `man` and to
/// shells.
/// Tests: tests/cli/help_test.py
#pragma once
#include <string>
#include <vector>

#include "cli/commands/commands.hpp"

namespace axode::cli {

struct HelpOptions {
  std::vector<std::string> words;  ///< verb, action
};
/// The verbs that are declared so far are those it proposes.
CLI::App* add_help(CLI::App& app, HelpOptions& options);
int run_help(const CLI::App& app, const HelpOptions& options);

CLI::App* add_manual(CLI::App& app);
/// The manual page, in roff.
int run_manual(const CLI::App& app);

struct CompletionOptions {
  std::string shell;
};
CLI::App* add_completion(CLI::App& app, CompletionOptions& options);
int run_completion(const CLI::App& app, const CompletionOptions& options);

}  // namespace axode::cli
