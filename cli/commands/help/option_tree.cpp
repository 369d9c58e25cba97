#include "cli/commands/help/option_tree.hpp"

#include <algorithm>

#include "axode/core/names.hpp"
#include "cli/arguments/values.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

std::vector<const CLI::App*> verbs_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<const CLI::App*> runnable(const CLI::App& app) {
  std::vector<const CLI::App*> all;
  for (const CLI::App* verb : verbs_of(app)) {
    const auto actions = verbs_of(*verb);
    if (actions.empty()) all.push_back(verb);
    all.insert(all.end(), actions.begin(), actions.end());
  }
  return all;
}

std::string words_of(const CLI::App& verb) {
  const CLI::App* parent = verb.get_parent();
  if (parent == nullptr) return {};
  const std::string before = words_of(*parent);
  return before.empty() ? verb.get_name() : before + " " + verb.get_name();
}

std::vector<const CLI::Option*> options_of(const CLI::App& verb) {
  return verb.get_options([](const CLI::Option* o) { return !o->get_positional(); });
}
std::vector<const CLI::Option*> arguments_of(const CLI::App& verb) {
  return verb.get_options([](const CLI::Option* o) { return o->get_positional(); });
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

bool is_repeated(const CLI::Option& option) { return option.get_items_expected_max() > 1; }

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

namespace {

std::vector<std::string> names_of(const std::vector<const CLI::App*>& verbs) {
  std::vector<std::string> names(verbs.size());
  std::ranges::transform(verbs, names.begin(), [](const CLI::App* v) { return v->get_name(); });
  return names;
}

[[noreturn]] void throw_unknown(const CLI::App& app, const CLI::App& parent,
                                const std::string& word) {
  const std::vector<std::string> names = names_of(verbs_of(parent));
  if (&parent == &app)
    throw UsageError(fmt::format("there is no command '{}'; {}", printable(word),
                                 did_you_mean(word, names, "see `axode --help`")));
  const std::vector<std::string> verbs = names_of(verbs_of(app));
  if (std::ranges::find(verbs, word) != verbs.end())
    throw UsageError(fmt::format("'{0}' is for models of all kinds: axode {0} FILE", word));
  throw UsageError(fmt::format("there is no action '{}' of `axode {}`; {}", printable(word),
                               words_of(parent),
                               did_you_mean(word, names, "choose " + alternatives(names))));
}

}  // namespace

const CLI::App& verb_of(const CLI::App& app, std::span<const std::string> words) {
  const CLI::App* at = &app;
  for (const std::string& word : words) {
    const std::vector<const CLI::App*> verbs = verbs_of(*at);
    if (verbs.empty() || word.starts_with('-')) break;
    const auto found =
        std::ranges::find(verbs, word, [](const CLI::App* v) { return v->get_name(); });
    if (found == verbs.end()) throw_unknown(app, *at, word);
    at = *found;
  }
  return *at;
}

}  // namespace axode::cli
