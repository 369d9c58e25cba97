#include "cli/arguments/option_effects.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/commands/commands.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

std::vector<std::string> given_options(const CLI::App& command,
                                       std::span<const OptionEffect> effects) {
  std::vector<std::string> given;
  for (const OptionEffect& effect : effects)
    if (command.count(effect.option) > 0) given.emplace_back(effect.option);
  return given;
}

void refuse_ignored(std::span<const std::string> given, std::span<const OptionEffect> effects,
                    char letter, std::string_view what) {
  for (const OptionEffect& effect : effects)
    if (effect.letters.find(letter) == std::string_view::npos &&
        std::ranges::find(given, effect.option) != given.end())
      throw UsageError(fmt::format("{} has no effect with {}", effect.option, what));
}

}  // namespace axode::cli
