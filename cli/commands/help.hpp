/// `axode help`, which explains the other verbs.
/// Tests: tests/cli/help_test.py
#pragma once
#include <string>

#include "cli/commands/commands.hpp"

namespace axode::cli {

struct HelpOptions {
  std::string verb, shell;
  bool man = false;
};
CLI::App* add_help(CLI::App& app, HelpOptions& options);
/// `app` has all verbs.
int run_help(const CLI::App& app, const HelpOptions& options);

}  // namespace axode::cli
