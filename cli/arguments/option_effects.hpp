/// Commands with several actions: options that an action would ignore are refused.
#pragma once
#include <CLI/CLI.hpp>
#include <span>
#include <string_view>

namespace axode::cli {

struct OptionEffect {
  const char* option;
  std::string_view actions;  ///< letters of those that have it
};
/// Throws UsageError for an option given that the action of this letter does not have.
void refuse_ignored(const CLI::App& command, std::span<const OptionEffect> effects, char letter,
                    std::string_view action);

}  // namespace axode::cli
