/// `axode help`: of the command or of one verb; the same as a manual page and as completion for shells.
#include "cli/commands/help.hpp"

#include <CLI/CLI.hpp>

#include "axode/core/names.hpp"
#include "axode/version.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

CLI::App* add_help(CLI::App& app, HelpOptions& o) {
  CLI::App* command = app.add_subcommand("help", "Explain the command, or one of its verbs");
  command->add_option("verb", o.verb, "What to explain")->type_name("VERB");
  command->add_flag("--man", o.man, "Print the manual page (roff)");
  command
      ->add_option("--completion", o.shell,
                   "Print a script that completes command lines: bash,\nzsh or fish")
      ->type_name("SHELL");
  command->footer(
      "Examples:\n"
      "  axode help simulate\n"
      "  axode help --man | man -l -\n"
      "  source <(axode help --completion bash)\n"
      "  axode help --completion fish > ~/.config/fish/completions/axode.fish");
  return command;
}

namespace {

std::vector<const CLI::App*> verbs_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}
std::vector<const CLI::Option*> flags_of(const CLI::App& verb) {
  return verb.get_options([](const CLI::Option* o) { return !o->get_positional(); });
}
/// "-o", "--out".
std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}
bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// Text in which roff finds none of its commands.
std::string roff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\' || c == '-') result += '\\';
    if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
    result += c;
  }
  return result;
}
void print_options(const CLI::App& app, Output& output) {
  for (const CLI::Option* option : flags_of(app)) {
    std::string names;
    for (const std::string& name : names_of(*option))
      names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", roff(name));
    if (takes_value(*option)) names += fmt::format(" \\fI{}\\fR", roff(option->get_type_name()));
    output.print(".TP\n{}\n{}\n", names, roff(one_line(option->get_description())));
  }
}
void print_manual(const CLI::App& app, Output& output) {
  output.print(".TH AXODE 1 \"\" \"axode {}\" \"User Commands\"\n", version);
  output.print(".SH NAME\naxode \\- {}\n", roff(app.get_description()));
  output.print(".SH SYNOPSIS\n\\fBaxode\\fR \\fIVERB\\fR [\\fIFILE\\fR] [\\fIOPTIONS\\fR]\n");
  output.print(".SH OPTIONS\n");
  print_options(app, output);
  for (const CLI::App* verb : verbs_of(app)) {
    output.print(".SH \"{}\"\n{}.\n", roff(fmt::format("axode {}", verb->get_name())),
                 roff(verb->get_description()));
    for (const CLI::Option* option : verb->get_options()) {
      if (!option->get_positional()) continue;
      output.print(".TP\n\\fI{}\\fR\n{}\n", roff(option->get_type_name()),
                   roff(one_line(option->get_description())));
    }
    print_options(*verb, output);
    if (const std::string footer = verb->get_footer(); !footer.empty())
      output.print(".PP\n.nf\n{}\n.fi\n", roff(footer));
  }
  output.print(".SH \"EXIT STATUS\"\n.nf\n{}\n.fi\n", roff(app.get_footer()));
}

std::string verb_words(const CLI::App& app) {
  std::string all;
  for (const CLI::App* verb : verbs_of(app)) all += " " + verb->get_name();
  return all.substr(1);
}
std::string option_words(const CLI::App& verb) {
  std::string all;
  for (const CLI::Option* option : flags_of(verb))
    for (const std::string& name : names_of(*option)) all += " " + name;
  return all.empty() ? all : all.substr(1);
}

void complete_bash(const CLI::App& app, Output& output) {
  output.text(
      "_axode() {\n"
      "  local cur=${COMP_WORDS[COMP_CWORD]} options=\n"
      "  if ((COMP_CWORD == 1)); then\n");
  output.print("    COMPREPLY=($(compgen -W \"{}\" -- \"$cur\"))\n    return\n  fi\n",
               verb_words(app));
  output.text("  case ${COMP_WORDS[1]} in\n");
  for (const CLI::App* verb : verbs_of(app))
    output.print("    {}) options=\"{}\" ;;\n", verb->get_name(), option_words(*verb));
  output.print(
      "  esac\n"
      "  if [[ ${{COMP_WORDS[1]}} == help && $cur != -* ]]; then\n"
      "    COMPREPLY=($(compgen -W \"{}\" -- \"$cur\"))\n"
      "  elif [[ $cur == -* ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
      "  else\n"
      "    COMPREPLY=($(compgen -f -- \"$cur\"))\n"
      "  fi\n"
      "}}\n"
      "complete -o filenames -F _axode axode\n",
      verb_words(app));
}

/// Quoted for zsh and fish: 'it'\''s'.
std::string shell_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : one_line(text))
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

void complete_zsh(const CLI::App& app, Output& output) {
  output.text("#compdef axode\n_axode() {\n  local -a verbs options\n  verbs=(\n");
  const auto entry = [](const std::string& name, const std::string& help) {
    std::string escaped;
    for (const char c : name) escaped += c == ':' ? std::string("\\:") : std::string(1, c);
    return shell_quoted(fmt::format("{}:{}", escaped, help));
  };
  for (const CLI::App* verb : verbs_of(app))
    output.print("    {}\n", entry(verb->get_name(), verb->get_description()));
  output.text("  )\n  if ((CURRENT == 2)); then\n    _describe verb verbs\n    return\n  fi\n");
  output.text("  case $words[2] in\n");
  for (const CLI::App* verb : verbs_of(app)) {
    output.print("    {}) options=(\n", verb->get_name());
    for (const CLI::Option* option : flags_of(*verb))
      for (const std::string& name : names_of(*option))
        output.print("      {}\n", entry(name, option->get_description()));
    output.text("    ) ;;\n");
  }
  output.text(
      "  esac\n"
      "  if [[ $words[2] == help && $words[CURRENT] != -* ]]; then\n"
      "    _describe verb verbs\n"
      "  elif [[ $words[CURRENT] == -* ]]; then\n"
      "    _describe option options\n"
      "  else\n"
      "    _files\n"
      "  fi\n"
      "}\n"
      "compdef _axode axode\n");
}

void complete_fish(const CLI::App& app, Output& output) {
  for (const CLI::App* verb : verbs_of(app)) {
    output.print("complete -c axode -n __fish_use_subcommand -f -a {} -d {}\n", verb->get_name(),
                 shell_quoted(verb->get_description()));
    for (const CLI::Option* option : flags_of(*verb)) {
      std::string names;
      for (const std::string& name : option->get_snames()) names += " -s " + name;
      for (const std::string& name : option->get_lnames()) names += " -l " + name;
      output.print("complete -c axode -n '__fish_seen_subcommand_from {}'{}{} -d {}\n",
                   verb->get_name(), names, takes_value(*option) ? " -r" : "",
                   shell_quoted(option->get_description()));
    }
  }
  output.print("complete -c axode -n '__fish_seen_subcommand_from help' -f -a '{}'\n",
               verb_words(app));
}

void print_completion(const CLI::App& app, const std::string& shell, Output& output) {
  if (shell == "bash") return complete_bash(app, output);
  if (shell == "zsh") return complete_zsh(app, output);
  if (shell == "fish") return complete_fish(app, output);
  throw UsageError(
      fmt::format("--completion: there is no '{}'; choose bash, zsh or fish", printable(shell)));
}

const CLI::App& verb_named(const CLI::App& app, const std::string& name) {
  std::vector<std::string_view> known;
  for (const CLI::App* verb : verbs_of(app)) {
    if (verb->get_name() == name) return *verb;
    known.push_back(verb->get_name());
  }
  const std::string_view similar = most_similar(name, known);
  throw UsageError(fmt::format("there is no command '{}'; {}", printable(name),
                               similar.empty() ? std::string("see `axode --help`")
                                               : fmt::format("did you mean '{}'?", similar)));
}

}  // namespace

int run_help(const CLI::App& app, const HelpOptions& o) {
  if (int(!o.verb.empty()) + int(o.man) + int(!o.shell.empty()) > 1)
    throw UsageError("a verb, --man and --completion exclude each other; give one of them");
  Output output;
  if (o.man)
    print_manual(app, output);
  else if (!o.shell.empty())
    print_completion(app, o.shell, output);
  else if (o.verb.empty())
    output.text(app.get_formatter()->make_help(&app, "axode", CLI::AppFormatMode::Normal));
  else {
    const CLI::App& verb = verb_named(app, o.verb);
    output.text(verb.get_formatter()->make_help(&verb, "axode " + verb.get_name(),
                                                CLI::AppFormatMode::Normal));
  }
  output.flush();
  return exit_ok;
}

}  // namespace axode::cli
