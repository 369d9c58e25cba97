#include "cli/arguments/option_effects.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "axode/core/names.hpp"
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

void check_action_name(const std::string& action, std::span<const std::string_view> names,
                       std::string_view command) {
  if (std::ranges::find(names, action) != names.end()) return;
  for (const std::string_view verb : {"info", "check", "simulate", "linearize", "view", "export"})
    if (action == verb)
      throw UsageError(fmt::format("'{}' is for models of all kinds: axode {} FILE", verb, verb));
  const std::string_view similar = most_similar(action, names);
  throw UsageError(
      fmt::format("there is no action '{}' of `axode {}`; {}", printable(action), command,
                  similar.empty() ? fmt::format("choose among {}", fmt::join(names, ", "))
                                  : fmt::format("did you mean '{}'?", similar)));
}

}  // namespace axode::cli
