/// `axode completion`: scripts that complete command lines in bash, zsh and fish.
///
/// Verbs, options, and what their values are (values.hpp): names, files with certain endings, folders.
#include <algorithm>

#include "cli/arguments/values.hpp"
#include "cli/commands/help/help.hpp"
#include "cli/commands/help/option_tree.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

CLI::App* add_completion(CLI::App& app, CompletionOptions& o) {
  CLI::App* command =
      app.add_subcommand("completion", "Print a script that completes command lines in a shell");
  one_of(command->add_option("shell", o.shell, "Of which shell")->required(), "SHELL",
         {"bash", "zsh", "fish"});
  command->footer(
      "Examples:\n"
      "  source <(axode completion bash)\n"
      "  axode completion fish > ~/.config/fish/completions/axode.fish");
  return command;
}

namespace {

std::string verb_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : verbs_of(app)) names.push_back(verb->get_name());
  return fmt::format("{}", fmt::join(names, " "));
}
/// Verbs that have actions.
std::vector<const CLI::App*> groups_of(const CLI::App& app) {
  std::vector<const CLI::App*> groups = verbs_of(app);
  std::erase_if(groups, [](const CLI::App* verb) { return verbs_of(*verb).empty(); });
  return groups;
}

/// 'it'\''s'.
std::string shell_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

// --- bash -----------------------------------------------------------------------------------------

/// "names a b", "files .csv .svg", "folders", "value": how bash is told of a value.
std::string bash_kind(const CLI::Option& option) {
  if (!takes_value(option)) return "";
  const ValueKind kind = value_kind(option);
  if (!kind.names.empty()) return fmt::format("names {}", fmt::join(kind.names, " "));
  if (kind.is_folder) return "folders";
  if (!kind.is_file) return "value";
  return fmt::format("files{}{}", kind.endings.empty() ? "" : " ", fmt::join(kind.endings, " "));
}

constexpr const char* bash_functions = R"bash(
_axode_names() {
  local IFS=$'\n'
  COMPREPLY=($(compgen -W "${1// /$'\n'}" -- "$cur"))
}
# Files with one of the endings (any without), and folders.
_axode_files() {
  local file
  while IFS= read -r file; do
    if (($# == 0)) || [[ -d $file || " $* " == *" .${file##*.} "* ]]; then COMPREPLY+=("$file"); fi
  done < <(compgen -f -- "$cur")
}
_axode() {
  local cur=${COMP_WORDS[COMP_CWORD]} verb= open= word kind i arguments=0
  local -a words=("${COMP_WORDS[@]:1:COMP_CWORD-1}") folders
  COMPREPLY=()
  [[ $cur == = ]] && cur=  # --option=value comes as three words
  for ((i = 0; i < ${#words[@]}; ++i)); do
    word=${words[i]}
    if [[ $word == = ]]; then
      continue
    elif [[ -n $open ]]; then
      open=
    elif [[ $word == -* ]]; then
      [[ -n $(_axode_kind "$verb $word") ]] && open=$word
    elif [[ -n $(_axode_verbs "$verb") ]]; then
      verb="${verb:+$verb }$word"
    else
      ((++arguments))
    fi
  done
  if [[ -n $open ]]; then
    kind=$(_axode_kind "$verb $open")
  elif [[ $cur == -* ]]; then
    kind="names $(_axode_options "$verb")"
  elif [[ -n $(_axode_verbs "$verb") ]]; then
    kind="names $(_axode_verbs "$verb")"
  else
    kind=$(_axode_kind "$verb $((arguments + 1))")
    [[ -z $kind ]] && kind=$(_axode_kind "$verb *")
  fi
  case $kind in
    names\ *) _axode_names "${kind#names }" ;;
    files*) _axode_files ${kind#files} ;;
    folders) mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
  esac
}
complete -o filenames -F _axode axode
)bash";

void complete_bash(const CLI::App& app, Output& output) {
  output.text("# Completion of axode for bash, made by `axode completion bash`.\n");
  output.print("_axode_verbs() {{\n  case $1 in\n    '') echo '{}' ;;\n", verb_names(app));
  for (const CLI::App* group : groups_of(app))
    output.print("    {}) echo '{}' ;;\n", words_of(*group), verb_names(*group));
  output.text("  esac\n}\n_axode_options() {\n  case $1 in\n");
  std::vector<const CLI::App*> all{&app};
  for (const CLI::App* group : groups_of(app)) all.push_back(group);
  for (const CLI::App* verb : runnable(app)) all.push_back(verb);
  for (const CLI::App* verb : all) {
    std::vector<std::string> names;
    for (const CLI::Option* option : options_of(*verb))
      for (const std::string& name : names_of(*option)) names.push_back(name);
    output.print("    '{}') echo '{}' ;;\n", words_of(*verb), fmt::join(names, " "));
  }
  output.text("  esac\n}\n# What the value of an option, or an argument by its number, is.\n");
  output.text("_axode_kind() {\n  case $1 in\n");
  for (const CLI::App* verb : runnable(app)) {
    for (const CLI::Option* option : options_of(*verb)) {
      if (!takes_value(*option)) continue;
      std::vector<std::string> patterns;
      for (const std::string& name : names_of(*option))
        patterns.push_back(fmt::format("'{} {}'", words_of(*verb), name));
      output.print("    {}) echo '{}' ;;\n", fmt::join(patterns, " | "), bash_kind(*option));
    }
    int number = 0;
    for (const CLI::Option* argument : arguments_of(*verb)) {
      ++number;
      output.print("    '{} {}') echo '{}' ;;\n", words_of(*verb),
                   is_repeated(*argument) ? "*" : fmt::format("{}", number), bash_kind(*argument));
    }
  }
  output.print("  esac\n}}{}", bash_functions);
}

// --- zsh ------------------------------------------------------------------------------------------

/// Text inside of a specification of _arguments.
std::string zsh_text(const std::string& text) {
  std::string result;
  for (const char c : one_line(text)) {
    if (std::string_view("[]:\\").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}
/// ":FILE:_files -g '*.(csv|svg)'".
std::string zsh_value(const CLI::Option& option) {
  const ValueKind kind = value_kind(option);
  std::string action = " ";  // nothing to propose
  if (!kind.names.empty()) action = fmt::format("({})", fmt::join(kind.names, " "));
  if (kind.is_folder) action = "_files -/";
  if (kind.is_file) {
    action = "_files";
    std::string endings;
    for (const std::string& ending : kind.endings)
      endings += (endings.empty() ? "" : "|") + ending.substr(1);
    if (!endings.empty()) action += fmt::format(" -g \"*.({})\"", endings);
  }
  return fmt::format(":{}:{}", zsh_text(metavar(option)), action);
}

void print_zsh_verbs(const CLI::App& app, std::string_view indent, Output& output) {
  for (const CLI::App* verb : verbs_of(app))
    output.print("{}{}\n", indent,
                 shell_quoted(verb->get_name() + ":" + one_line(verb->get_description())));
}

void complete_zsh(const CLI::App& app, Output& output) {
  output.text("#compdef axode\n# Completion of axode for zsh, made by `axode completion zsh`.\n");
  output.text("_axode() {\n  local verb=$words[2]\n  local -a verbs\n");
  output.text("  if ((CURRENT == 2)); then\n    verbs=(\n");
  print_zsh_verbs(app, "      ", output);
  output.text("    )\n    _describe verb verbs\n    return\n  fi\n");
  output.text("  shift words\n  ((CURRENT--))\n  case $verb in\n");
  for (const CLI::App* group : groups_of(app)) {
    output.print("    {})\n      if ((CURRENT == 2)); then\n        verbs=(\n", group->get_name());
    print_zsh_verbs(*group, "          ", output);
    output.text(
        "        )\n        _describe action verbs\n        return\n      fi\n"
        "      verb=\"$verb $words[2]\"\n      shift words\n      ((CURRENT--)) ;;\n");
  }
  output.text("  esac\n  case $verb in\n");
  for (const CLI::App* verb : runnable(app)) {
    output.print("    '{}') _arguments -S", words_of(*verb));
    for (const CLI::Option* option : options_of(*verb))
      for (const std::string& name : names_of(*option)) {
        const bool value = takes_value(*option);
        const std::string sign = !value ? "" : name.starts_with("--") ? "=" : "+";
        output.print(
            " \\\n        {}",
            shell_quoted(fmt::format("*{}{}[{}]{}", name, sign, zsh_text(option->get_description()),
                                     value ? zsh_value(*option) : "")));
      }
    for (const CLI::Option* argument : arguments_of(*verb))
      output.print(" \\\n        {}",
                   shell_quoted((is_repeated(*argument) ? "*" : "") + zsh_value(*argument)));
    output.text(" ;;\n");
  }
  // Found by its name in $fpath it runs at once; sourced it is only declared.
  output.text(
      "  esac\n}\n"
      "if [[ ${funcstack[1]-} == _axode ]]; then _axode \"$@\"; else compdef _axode axode; fi\n");
}

// --- fish -----------------------------------------------------------------------------------------

std::string fish_condition(const CLI::App& verb) {
  std::string text;
  for (const CLI::App* at = &verb; at->get_parent() != nullptr; at = at->get_parent())
    text = fmt::format("__fish_seen_subcommand_from {}{}{}", at->get_name(),
                       text.empty() ? "" : "; and ", text);
  return text;
}
std::string fish_value(const CLI::Option& option) {
  const ValueKind kind = value_kind(option);
  if (!kind.names.empty()) return fmt::format(" -xa '{}'", fmt::join(kind.names, " "));
  if (kind.is_folder) return " -xa '(__fish_complete_directories)'";
  if (!kind.is_file) return " -x";
  if (kind.endings.empty()) return " -rF";
  std::string text;
  for (const std::string& ending : kind.endings)
    text += fmt::format("{}(__fish_complete_suffix {})", text.empty() ? "" : " ", ending);
  return fmt::format(" -kxa '{}'", text);
}

void complete_fish(const CLI::App& app, Output& output) {
  output.text("# Completion of axode for fish, made by `axode completion fish`.\n");
  for (const CLI::App* verb : verbs_of(app))
    output.print("complete -c axode -n __fish_use_subcommand -xa {} -d {}\n", verb->get_name(),
                 shell_quoted(one_line(verb->get_description())));
  for (const CLI::App* group : groups_of(app))
    for (const CLI::App* action : verbs_of(*group))
      output.print(
          "complete -c axode -n '{}; and not __fish_seen_subcommand_from {}' -xa {} -d {}\n",
          fish_condition(*group), verb_names(*group), action->get_name(),
          shell_quoted(one_line(action->get_description())));
  for (const CLI::App* verb : runnable(app)) {
    const std::string condition = fish_condition(*verb);
    for (const CLI::Option* option : options_of(*verb)) {
      std::string names;
      for (const std::string& name : option->get_snames()) names += " -s " + name;
      for (const std::string& name : option->get_lnames()) names += " -l " + name;
      output.print("complete -c axode -n '{}'{}{} -d {}\n", condition, names,
                   takes_value(*option) ? fish_value(*option) : "",
                   shell_quoted(one_line(option->get_description())));
    }
    for (const CLI::Option* argument : arguments_of(*verb))
      output.print("complete -c axode -n '{}'{} -d {}\n", condition, fish_value(*argument),
                   shell_quoted(one_line(argument->get_description())));
  }
}

}  // namespace

int run_completion(const CLI::App& app, const CompletionOptions& o) {
  Output output;
  if (o.shell == "bash") complete_bash(app, output);
  if (o.shell == "zsh") complete_zsh(app, output);
  if (o.shell == "fish") complete_fish(app, output);
  output.flush();
  return exit_ok;
}

}  // namespace axode::cli
