/// The command `axode`: finds the subcommand, runs it, and turns what is thrown into one line on
/// standard error and an exit code. `axode --help` and docs/command_line.md explain it to users.
/// Tests: tests/cli/cli_test.py
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "axode/core/error.hpp"
#include "axode/core/names.hpp"
#include "axode/io/text/descriptor.hpp"
#include "axode/io/text/json.hpp"
#include "axode/version.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/help/help.hpp"
#include "cli/commands/help/option_tree.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {
namespace {

struct Command {
  CLI::App* app;
  std::function<int()> run;
  const std::string* file;  ///< the model, or run
};

constexpr const char* exit_codes =
    "Exit codes: 0 ok, 1 internal error, 2 usage, 3 invalid model or input, 4 not reached or\n"
    "converged, results not finite, 5 file not read or written, 6 too large, 130 interrupted.";

/// CLI11 would take "-.5" for an option; "-0.5" it knows to be a number.
std::vector<std::string> arguments(int argc, char** argv) {
  std::vector<std::string> args;
  for (int i = 1; i < argc; ++i) {
    std::string arg = argv[i];
    if (arg.size() > 2 && arg.starts_with("-.") && arg[2] >= '0' && arg[2] <= '9')
      arg.insert(1, "0");
    args.push_back(std::move(arg));
  }
  return args;
}

/// The command line as a shell would take it, for the record. What is about live pages and --resume are
/// left out: the run, and its file, are the same without.
std::string command_line(int argc, char** argv) {
  std::string line = "axode";
  for (int i = 1; i < argc; ++i) {
    const std::string_view arg = argv[i];
    if (arg == "--live-wait") ++i;
    if (arg == "--live" || arg == "--no-browser" || arg == "--resume") continue;
    if (arg.starts_with("--live-wait")) continue;
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
    if (!arg.empty() && arg.find_first_not_of(plain) == std::string_view::npos) {
      line += fmt::format(" {}", arg);
      continue;
    }
    line += " '";
    for (const char c : arg) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

/// What CLI11 reports, with the name of the option that may have been meant.
std::string usage_message(const CLI::ParseError& error, const CLI::App& app) {
  std::string message = error.what();
  if (message.starts_with("model is required")) message = "a model file is needed";
  const CLI::App* verb = &app;
  while (!verb->get_subcommands().empty()) verb = verb->get_subcommands().front();
  if (const auto extras = verb->remaining(); !extras.empty()) {
    std::vector<std::string> names;
    for (const CLI::Option* option : options_of(*verb))
      for (const std::string& name : names_of(*option)) names.push_back(name);
    const std::string proposal = did_you_mean(extras.front(), names);
    message = fmt::format("argument '{}' was not expected{}{}", extras.front(),
                          proposal.empty() ? "" : "; ", proposal);
  }
  const std::string words = words_of(*verb);
  return fmt::format("{}; see `axode{}{} --help`", message, words.empty() ? "" : " ", words);
}

/// Reads the command line; an exit code if there is nothing more to do.
std::optional<int> parse(CLI::App& app, const std::vector<std::string>& args) {
  if (args.empty()) {
    note(app.help());
    return exit_usage;
  }
  verb_of(app, args);
  try {
    std::vector<std::string> reversed(args.rbegin(), args.rend());
    app.parse(std::move(reversed));
  } catch (const CLI::Success& wish) {  // --help or --version
    Output output;
    output.text(wish.get_name() == "CallForVersion" ? fmt::format("{}\n", wish.what())
                                                    : app.help());
    output.flush();
    return exit_ok;
  } catch (const CLI::ParseError& error) {
    throw UsageError(usage_message(error, app));
  }
  return {};
}

int run(int argc, char** argv) {
  CLI::App app("Kinematics and dynamics of multibody systems by screw theory.", "axode");
  app.set_version_flag("-V,--version", fmt::format("axode {}", version),
                       "Print the version and exit");
  app.footer(exit_codes);
  app.require_subcommand(1);
  app.get_formatter()->column_width(30);

  InfoOptions info;
  CheckOptions check;
  ConvertOptions convert;
  KinematicsOptions kinematics;
  DynamicsOptions dynamics;
  LinearizeOptions linearize;
  IkOptions ik;
  SimulateCommandOptions simulate;
  simulate.command_line = command_line(argc, argv);
  ExportOptions exports;
  PlotOptions plot;
  ReportOptions report;
  MechanismOptions mechanism;
  FlexibleOptions flexible;
  ViewOptions view;
  HelpOptions help;
  CompletionOptions completion;
  const std::string no_file;
  const std::vector<Command> commands{
      {add_info(app, info), [&] { return run_info(info); }, &info.model.file},
      {add_check(app, check), [&] { return run_check(check); }, &check.model.file},
      {add_convert(app, convert), [&] { return run_convert(convert); }, &convert.model.file},
      {add_kinematics(app, kinematics), [&] { return run_kinematics(kinematics); },
       &kinematics.model.file},
      {add_dynamics(app, dynamics), [&] { return run_dynamics(dynamics); }, &dynamics.model.file},
      {add_linearize(app, linearize), [&] { return run_linearize(linearize); },
       &linearize.model.file},
      {add_ik(app, ik), [&] { return run_ik(ik); }, &ik.model.file},
      {add_simulate(app, simulate), [&] { return run_simulate(simulate); }, &simulate.model.file},
      {add_export(app, exports), [&] { return run_export(exports); }, &exports.model.file},
      {add_plot(app, plot), [&] { return run_plot(plot); }, &plot.run},
      {add_report(app, report), [&] { return run_report(report); }, &report.run},
      {add_mechanism(app, mechanism), [&] { return run_mechanism(mechanism); }, &mechanism.file},
      {add_flexible(app, flexible), [&] { return run_flexible(flexible); }, &flexible.file},
      {add_view(app, view), [&] { return run_view(view); }, &view.model.file},
      {add_completion(app, completion), [&] { return run_completion(app, completion); }, &no_file},
      {add_manual(app), [&] { return run_manual(app); }, &no_file},
      {add_help(app, help), [&] { return run_help(app, help); }, &no_file},
  };

  if (const auto done = parse(app, arguments(argc, argv))) return *done;
  for (const Command& command : commands) {
    if (!command.app->parsed()) continue;
    set_model_file(*command.file);
    const int code = command.run();
    if (code != exit_ok || first_not_finite().empty()) return code;
    report_error(fmt::format("a result is not finite: {}", first_not_finite()));
    return exit_numerical;
  }
  return exit_usage;
}

/// Ends at once: what a command has not yet printed is not worth waiting for.
void stop_when_interrupted() {
  struct sigaction action {};
  action.sa_handler = [](int) {
    constexpr std::string_view line = "axode: error: interrupted\n";
    [[maybe_unused]] const ssize_t n = ::write(STDERR_FILENO, line.data(), line.size());
    ::_exit(exit_interrupted);
  };
  sigaction(SIGINT, &action, nullptr);
}

}  // namespace
}  // namespace axode::cli

int main(int argc, char** argv) {
  using namespace axode;
  using namespace axode::cli;
  hold_standard_streams();  // before any file is opened
  // As other filters do: who closes the pipe wants no more and no message.
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may grow no more is told as such
  stop_when_interrupted();
  try {
    return run(argc, argv);
  } catch (const UsageError& error) {
    report_plain_error(error.what());
    return exit_usage;
  } catch (const IoError& error) {
    report_plain_error(error.what());
    return exit_io;
  } catch (const LimitError& error) {
    report_error(error.what());
    return exit_limit;
  } catch (const NumericalError& error) {
    report_error(error.what());
    return exit_numerical;
  } catch (const Error& error) {
    report_error(error.what());
    return exit_invalid;
  } catch (const std::bad_alloc&) {
    report_error("out of memory; use a smaller model or more memory");
    return exit_limit;
  } catch (const std::exception& error) {
    report_error(fmt::format("internal error: {}; please report it", error.what()));
    return exit_internal;
  }
}
