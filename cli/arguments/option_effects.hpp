/// Options that only some kinds of model, or some actions, have: others refuse them.
#pragma once
#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace axode::cli {

struct OptionEffect {
  const char* option;
  std::string_view letters;  ///< of the kinds of model or actions that have it
};
/// The options of the table that the command line gives; after parsing.
std::vector<std::string> given_options(const CLI::App& command,
                                       std::span<const OptionEffect> effects);
/// Throws UsageError for a given option that the kind or action of this letter does not have; `what`
/// names it.
void refuse_ignored(std::span<const std::string> given, std::span<const OptionEffect> effects,
                    char letter, std::string_view what);

}  // namespace axode::cli
