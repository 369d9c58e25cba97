/// `axode mechanism`: what only closed-loop mechanisms have: positions, sweeps, mobility, comparison.
#include "cli/commands/mechanism/mechanism.hpp"

#include <CLI/CLI.hpp>
#include <array>

#include "axode/io/text/json.hpp"
#include "cli/arguments/option_effects.hpp"

namespace axode::cli {

namespace {

struct Action {
  std::string_view name;
  int (*run)(const MechanismOptions&);
};
constexpr std::array<Action, 4> actions{{{"solve", mechanism_solve},
                                         {"sweep", mechanism_sweep},
                                         {"mobility", mechanism_mobility},
                                         {"compare", mechanism_compare}}};

constexpr const char* mechanism_footer =
    "Actions:\n"
    "  solve     position, velocity, acceleration at a time (default); with --modes all\n"
    "            assemblies\n"
    "  sweep     the path over the range of a driver\n"
    "  mobility  degrees of freedom by rank, redundant equations, singularity\n"
    "  compare   all formulations against each other\n\n"
    "Also: axode info, simulate, check and view FILE.\n\n"
    "Examples:\n"
    "  axode mechanism four_bar.json --print --formulation natural\n"
    "  axode mechanism four_bar.json solve --set A.angle=60deg --modes\n"
    "  axode mechanism four_bar.json sweep --drive A.angle=0:6.28:100 --points coupler.P\n"
    "  axode mechanism robot.urdf mobility --loops loops.json";

/// Options that only some actions have, and the letters of these: solve, s(w)eep, mo(b)ility, compare.
constexpr std::string_view action_letters = "swbc";
constexpr std::array<OptionEffect, 13> mechanism_effects{{{"--at", "sbc"},
                                                          {"--modes", "s"},
                                                          {"--drive", "w"},
                                                          {"--points", "w"},
                                                          {"--out", "sw"},
                                                          {"--svg", "sw"},
                                                          {"--print", "s"},
                                                          {"--reactions", "s"},
                                                          {"--csv", "sw"},
                                                          {"--force", "sw"},
                                                          {"--q", "swbc"},
                                                          {"--formulation", "swb"},
                                                          {"--tolerance", "c"}}};

void check_mechanism_action(const std::string& action) {
  std::vector<std::string_view> names;
  for (const Action& known : actions) names.push_back(known.name);
  check_action_name(action, names, "mechanism");
}

/// Throws UsageError for options that would be ignored.
void check_effects(const CLI::App& command, const MechanismOptions& o) {
  if (o.json && o.csv) throw UsageError("--json excludes --csv; give one of them");
  for (std::size_t k = 0; k < actions.size(); ++k)
    if (actions[k].name == o.action)
      refuse_ignored(given_options(command, mechanism_effects), mechanism_effects,
                     action_letters[k], o.action);
  const auto excludes = [](bool a, const char* first, bool b, const char* second) {
    if (a && b) throw UsageError(fmt::format("{} has no effect with {}", first, second));
  };
  for (const auto& [given, by] : {std::pair{o.modes, "--modes"}, {o.csv, "--csv"}})
    excludes(o.reactions, "--reactions", given, by);
  for (const auto& [given, by] :
       {std::pair{o.modes, "--modes"}, {o.csv, "--csv"}, {o.json, "--json"}})
    excludes(o.print, "--print", given, by);
}

void add_outputs(CLI::App& command, MechanismOptions& o) {
  command.add_option("--points", o.points, "Points to follow: body.point[,..]")
      ->type_name("NAMES")
      ->delimiter(',');
  command.add_option("-o,--out", o.out, "CSV file to write (solve, sweep)")->type_name("FILE");
  command.add_option("--svg", o.svg, "Drawing to write (planar)")->type_name("FILE");
  command.add_flag("--print", o.print, "The equations with their origin, and their pattern");
  command.add_flag("--reactions", o.reactions, "Forces of drivers and reactions of joints (solve)");
  command.add_flag("--csv", o.csv, "Print CSV");
  command.add_flag("--json", o.json, "Print one JSON object");
  command.add_flag("--force", o.force, "Overwrite files that exist");
}

}  // namespace

CLI::App* add_mechanism(CLI::App& app, MechanismOptions& o) {
  CLI::App* command =
      app.add_subcommand("mechanism", "Positions, sweeps and mobility of closed loops");
  command->add_option("model", o.file, "Mechanism file (.json), or URDF with --loops")
      ->type_name("FILE")
      ->required();
  command->add_option("action", o.action, "solve (default), sweep, mobility or compare")
      ->type_name("ACTION");
  const auto text = [&](const char* name, std::string& to, const char* help, const char* type) {
    command->add_option(name, to, help)->type_name(type);
  };
  const auto list = [&](const char* name, std::vector<std::string>& to, const char* help,
                        const char* type) {
    command->add_option(name, to, help)->type_name(type)->allow_extra_args(false);
  };
  text("--loops", o.loops, "Joints that close the loops of a URDF tree", "FILE");
  text("--formulation", o.coordinates,
       "relative, reference-point, euler-angles, quasi-velocities,\n"
       "natural (default) or mixed",
       "KIND");
  command->add_option("--add", o.added, "Mixed coordinates to add: names[,..]")
      ->type_name("NAMES")
      ->delimiter(',');
  list("--set", o.set, "Drive a coordinate: name=value, or an expression in t", "COORD=X");
  list("--q", o.q, "Where to start looking: value of a coordinate", "COORD=X");
  command->add_flag("--no-drivers", o.no_drivers, "Without the drivers of the file");
  text("--at", o.at, "Time of drivers, 0 without it", "TIME");
  command->add_flag("--modes", o.modes, "All ways to assemble it (solve)");
  text("--drive", o.drive, "Sweep: name=from:to[:steps]", "RANGE");
  command->add_option("--tolerance", o.tolerance, "Compare: what may differ, 1e-6 without it")
      ->type_name("X");
  add_outputs(*command, o);
  command->footer(mechanism_footer);
  command->parse_complete_callback([command, &o] {
    check_mechanism_action(o.action);
    check_effects(*command, o);
  });
  return command;
}

int run_mechanism(const MechanismOptions& options) {
  for (const Action& action : actions)
    if (action.name == options.action) return action.run(options);
  return exit_internal;  // not reached: check_action
}

}  // namespace axode::cli
