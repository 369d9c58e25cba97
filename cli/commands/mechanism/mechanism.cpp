/// `axode mechanism`: closed-loop mechanisms: equations, positions, sweeps, runs, mobility.
#include "cli/commands/mechanism/mechanism.hpp"

#include <CLI/CLI.hpp>
#include <array>

#include "axode/io/text/json.hpp"
#include "cli/arguments/duration.hpp"
#include "cli/arguments/option_effects.hpp"

namespace axode::cli {

namespace {

struct Action {
  std::string_view name;
  int (*run)(const MechanismOptions&);
};
constexpr std::array<Action, 6> actions{{{"info", mechanism_info},
                                         {"solve", mechanism_solve},
                                         {"sweep", mechanism_sweep},
                                         {"simulate", mechanism_simulate},
                                         {"mobility", mechanism_mobility},
                                         {"compare", mechanism_compare}}};

constexpr const char* mechanism_footer =
    "Actions:\n"
    "  info      bodies, joints, coordinates and equations (default)\n"
    "  solve     position, velocity, acceleration at a time; with --modes all assemblies\n"
    "  sweep     the path over the range of a driver\n"
    "  simulate  the motion under forces\n"
    "  mobility  freedoms by rank, redundant equations, singularity\n"
    "  compare   all formulations against each other\n\n"
    "Examples:\n"
    "  axode mechanism four_bar.json --print --formulation natural\n"
    "  axode mechanism four_bar.json solve --set A.angle=60deg --modes\n"
    "  axode mechanism four_bar.json sweep --drive A.angle=0:6.28:100 --points coupler.P\n"
    "  axode mechanism four_bar.json simulate --no-drivers --duration 5s --out run.csv\n"
    "  axode mechanism robot.urdf --loops loops.json mobility";

/// Options that only some actions have, and the letters of these: info, solve, s(w)eep, si(m)ulate,
/// mo(b)ility, compare.
constexpr std::string_view action_letters = "iswmbc";
constexpr std::array<OptionEffect, 22> effects{
    {{"--start", "swmbc"},      {"--rate", "m"},
     {"--at", "sbc"},           {"--modes", "s"},
     {"--drive", "w"},          {"--duration", "m"},
     {"--method", "m"},         {"--rtol", "m"},
     {"--atol", "m"},           {"--step", "m"},
     {"--sample", "m"},         {"--points", "wm"},
     {"--out", "swm"},          {"--svg", "iswm"},
     {"--print", "is"},         {"--reactions", "s"},
     {"--csv", "swm"},          {"--force", "iswm"},
     {"--set", action_letters}, {"--formulation", "iswmb"},
     {"--tolerance", "c"},      {"--max-steps", "m"}}};

/// Throws UsageError for options that would be ignored.
void check_effects(const CLI::App& command, const MechanismOptions& o) {
  if (o.json && o.csv) throw UsageError("--json excludes --csv; give one of them");
  for (std::size_t k = 0; k < actions.size(); ++k)
    if (actions[k].name == o.action) refuse_ignored(command, effects, action_letters[k], o.action);
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
  command
      .add_option("--out", o.out,
                  "CSV file to write (solve, sweep, simulate), or\nrun file if its name ends in "
                  ".mcap (simulate)")
      ->type_name("FILE");
  command.add_option("--svg", o.svg, "Drawing to write (planar)")->type_name("FILE");
  command.add_flag("--print", o.print, "The equations with their origin, and their pattern");
  command.add_flag("--reactions", o.reactions, "Forces of drivers and reactions of joints (solve)");
  command.add_flag("--csv", o.csv, "Print CSV");
  command.add_flag("--json", o.json, "Print one JSON object");
  command.add_flag("--force", o.force, "Overwrite files that exist");
}

}  // namespace

CLI::App* add_mechanism(CLI::App& app, MechanismOptions& o) {
  CLI::App* command = app.add_subcommand("mechanism", "Solve and simulate closed-loop mechanisms");
  command->add_option("model", o.file, "Mechanism file (.json), or URDF with --loops")
      ->type_name("FILE")
      ->required();
  command->add_option("action", o.action, "info, solve, sweep, simulate, mobility or compare")
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
  list("--start", o.start, "Starting value of a coordinate", "COORD=X");
  list("--rate", o.rate, "Starting rate of a coordinate", "COORD=X");
  command->add_flag("--no-drivers", o.no_drivers, "Without the drivers of the file");
  text("--at", o.at, "Time of drivers, 0 without it", "TIME");
  command->add_flag("--modes", o.modes, "All ways to assemble it (solve)");
  text("--drive", o.drive, "Sweep: name=from:to[:steps]", "RANGE");
  text("--duration", o.duration, "Simulate: how long, 1s without it", "TIME");
  text("--method", o.method, "Simulate: projection (default), null_space, ...", "NAME");
  command->add_option("--rtol", o.rtol, "Simulate: relative tolerance")->type_name("X");
  command->add_option("--atol", o.atol, "Simulate: absolute tolerance")->type_name("X");
  text("--step", o.step, "Simulate: fixed step", "TIME");
  command->add_option("--max-steps", o.max_steps, max_long_steps_help)
      ->type_name("N")
      ->check(CLI::Range(1L, 1L << 60U));
  text("--sample", o.sample, "Simulate: between samples, 10ms without it;\n0: after every step",
       "TIME");
  command->add_option("--tolerance", o.tolerance, "Compare: what may differ, 1e-6 without it")
      ->type_name("X");
  add_outputs(*command, o);
  command->footer(mechanism_footer);
  command->parse_complete_callback([command, &o] { check_effects(*command, o); });
  return command;
}

int run_mechanism(const MechanismOptions& options) {
  std::vector<std::string_view> names;
  for (const Action& action : actions) {
    if (action.name == options.action) return action.run(options);
    names.push_back(action.name);
  }
  const std::string_view similar = most_similar(options.action, names);
  throw UsageError(fmt::format("there is no action '{}'; {}", printable(options.action),
                               similar.empty()
                                   ? fmt::format("choose among {}", fmt::join(names, ", "))
                                   : fmt::format("did you mean '{}'?", similar)));
}

}  // namespace axode::cli
