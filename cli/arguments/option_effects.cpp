#include "cli/arguments/option_effects.hpp"

#include <fmt/format.h>

#include "cli/commands/commands.hpp"

namespace axode::cli {

void refuse_ignored(const CLI::App& command, std::span<const OptionEffect> effects, char letter,
                    std::string_view action) {
  for (const OptionEffect& effect : effects)
    if (command.count(effect.option) > 0 && effect.actions.find(letter) == std::string_view::npos)
      throw UsageError(fmt::format("{} has no effect with {}", effect.option, action));
}

}  // namespace axode::cli
