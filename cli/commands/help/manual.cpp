/// `axode man`: the manual page.
#include "axode/version.hpp"
#include "cli/arguments/values.hpp"
#include "cli/commands/help/help.hpp"
#include "cli/commands/help/option_tree.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

CLI::App* add_manual(CLI::App& app) {
  CLI::App* command = app.add_subcommand("man", "Print the manual page (roff)");
  command->footer("Examples:\n  axode man | man -l -");
  return command;
}

namespace {

/// Text in which roff finds none of its commands.
std::string roff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\' || c == '-') result += '\\';
    if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
    result += c == '\\' ? 'e' : c;
  }
  return result;
}

void print_options(const CLI::App& verb, Output& output) {
  for (const CLI::Option* argument : arguments_of(verb))
    output.print(".TP\n\\fI{}\\fR\n{}\n", roff(metavar(*argument)),
                 roff(one_line(argument->get_description())));
  for (const CLI::Option* option : options_of(verb)) {
    std::string names;
    for (const std::string& name : names_of(*option))
      names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", roff(name));
    if (takes_value(*option)) names += fmt::format(" \\fI{}\\fR", roff(metavar(*option)));
    std::string text = one_line(option->get_description());
    if (const ValueKind kind = value_kind(*option); !kind.names.empty())
      text += fmt::format(" (one of {})", fmt::join(kind.names, ", "));
    output.print(".TP\n{}\n{}\n", names, roff(text));
  }
}

void print_verb(const CLI::App& verb, Output& output) {
  const std::string words = words_of(verb);
  output.print(".SS \"axode {}\"\n{}.\n", roff(words), roff(verb.get_description()));
  print_options(verb, output);
  if (const std::string footer = verb.get_footer(); !footer.empty())
    output.print(".PP\n.nf\n{}\n.fi\n", roff(footer));
}

}  // namespace

int run_manual(const CLI::App& app) {
  Output output;
  output.print(".TH AXODE 1 \"\" \"axode {}\" \"User Commands\"\n", version);
  output.print(".SH NAME\naxode \\- {}\n", roff(app.get_description()));
  output.text(".SH SYNOPSIS\n");
  for (const CLI::App* verb : runnable(app)) {
    output.print(".br\n\\fBaxode {}\\fR", roff(words_of(*verb)));
    for (const CLI::Option* argument : arguments_of(*verb))
      output.print(" \\fI{}\\fR{}", roff(metavar(*argument)), is_repeated(*argument) ? "..." : "");
    output.text(" [\\fIOPTIONS\\fR]\n");
  }
  output.text(".SH OPTIONS\n");
  print_options(app, output);
  output.text(".SH VERBS\n");
  for (const CLI::App* verb : runnable(app)) print_verb(*verb, output);
  output.print(".SH \"EXIT STATUS\"\n.nf\n{}\n.fi\n", roff(app.get_footer()));
  output.flush();
  return exit_ok;
}

}  // namespace axode::cli
