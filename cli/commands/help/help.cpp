/// `axode help`: the command, a verb, or an action of one.
#include "cli/commands/help/help.hpp"

#include "cli/arguments/values.hpp"
#include "cli/commands/help/option_tree.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

CLI::App* add_help(CLI::App& app, HelpOptions& o) {
  CLI::App* command = app.add_subcommand("help", "Explain the command, or one of its verbs");
  std::vector<std::string> words;
  for (const CLI::App* verb : verbs_of(app)) words.push_back(verb->get_name());
  such_as(command->add_option("verb", o.words, "Verb, and action of it")->expected(0, 2), "VERB",
          words);
  command->footer("Examples:\n  axode help simulate\n  axode help mechanism solve");
  return command;
}

int run_help(const CLI::App& app, const HelpOptions& o) {
  const CLI::App& verb = verb_of(app, o.words);
  const std::string words = words_of(verb);
  Output output;
  output.text(verb.get_formatter()->make_help(&verb, words.empty() ? "axode" : "axode " + words,
                                              CLI::AppFormatMode::Normal));
  output.flush();
  return exit_ok;
}

}  // namespace axode::cli
