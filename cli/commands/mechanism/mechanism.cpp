/// `axode mechanism`: what only closed-loop mechanisms have: positions, sweeps, mobility, comparison.
#include "cli/commands/mechanism/mechanism.hpp"

#include <CLI/CLI.hpp>

#include "axode/io/text/json.hpp"
#include "cli/arguments/kind_options.hpp"
#include "cli/arguments/values.hpp"

namespace axode::cli {

namespace {

/// Declares an action with the model and the options that all actions have.
CLI::App* add_action(CLI::App& command, MechanismOptions& o, const std::string& name,
                     const char* help) {
  const bool exact = name == "solve" || name == "mobility";
  CLI::App* action = command.add_subcommand(name, help);
  file_with(action->add_option("model", o.file, "Mechanism file (.json), or URDF with --loops")
                ->required(),
            model_endings(), "MODEL");
  file_with(action->add_option("--loops", o.loops, "Joints that close the loops of a URDF tree"),
            {".json"});
  const auto list = [&](const char* option, std::vector<std::string>& to, const char* text) {
    action->add_option(option, to, text)->type_name("COORD=X")->allow_extra_args(false);
  };
  action->add_option("--add", o.added, "Mixed coordinates to add: names[,..]")
      ->type_name("NAMES")
      ->delimiter(',');
  list("--set", o.set, "Drive a coordinate: name=value, or an expression in t");
  const auto values = [&](const char* option, std::vector<std::string>& to, const char* text) {
    action->add_option(option, to, text)->type_name("VALUES")->delimiter(',')->expected(1, 1 << 20);
  };
  values("--q", o.q,
         exact ? "Coordinates [rad, m]: name=value[,..]"
               : "Coordinates where the search starts: name=value[,..]");
  if (name == "solve") values("--v", o.v, "Velocities [rad/s, m/s]: name=value[,..]");
  action->add_flag("--no-drivers", o.no_drivers, "Without the drivers of the file");
  action->add_flag("--json", o.json, "Print one JSON object");
  action->parse_complete_callback([action, &o] {
    o.action = action->get_name();
    sort_outputs(o.outs, o.out, o.svg);
    if (o.json && o.csv) throw UsageError("--json excludes --csv; give one of them");
    if (o.print && (o.json || o.csv))
      throw UsageError("--print has no effect with --json and --csv; leave it out");
    if (o.reactions && o.csv)
      throw UsageError("--reactions has no effect with --csv; leave it out");
  });
  return action;
}
void add_formulation(CLI::App* action, MechanismOptions& o) {
  add_formulation_option(*action, o.coordinates, "");
}
void add_time(CLI::App* action, MechanismOptions& o) {
  action->add_option("--at", o.at, "Time of drivers, default: 0")->type_name("TIME");
}
void add_results(CLI::App* action, MechanismOptions& o) {
  file_with(action
                ->add_option("-o,--out", o.outs,
                             "Table (.csv), or drawing of a planar mechanism (.svg);\nmay be "
                             "repeated")
                ->allow_extra_args(false),
            {".csv", ".svg"});
  action->add_flag("--force", o.force, "Overwrite files that exist");
  action->add_flag("--csv", o.csv, "Print CSV");
}

void add_solve(CLI::App& command, MechanismOptions& o) {
  CLI::App* action =
      add_action(command, o, "solve", "Position, velocity and acceleration at a time");
  add_formulation(action, o);
  add_time(action, o);
  action->add_flag("--reactions", o.reactions, "Forces of drivers and reactions of joints");
  action->add_flag("--print", o.print, "The equations with their origin, and their pattern");
  add_results(action, o);
  action->footer(
      "Examples:\n"
      "  axode mechanism solve examples/mechanisms/slider_crank.json --print\n"
      "  axode mechanism solve examples/tutorials/four_bar.json --set A.angle=60deg --reactions");
}
void add_assembly_modes(CLI::App& command, MechanismOptions& o) {
  CLI::App* action = add_action(command, o, "assembly-modes", "All ways to assemble it");
  add_formulation(action, o);
  add_time(action, o);
  add_results(action, o);
  action->footer(
      "Examples:\n"
      "  axode mechanism assembly-modes examples/mechanisms/example_2_10_rscr.json\n"
      "  axode mechanism assembly-modes examples/mechanisms/stewart.json --csv");
}
void add_sweep(CLI::App& command, MechanismOptions& o) {
  CLI::App* action = add_action(command, o, "sweep", "The path over the range of a driver");
  add_formulation(action, o);
  action->add_option("--drive", o.drive, "The range: name=from:to[:steps]")
      ->type_name("RANGE")
      ->required();
  action->add_option("--points", o.points, "Points to follow: body.point[,..]")
      ->type_name("NAMES")
      ->delimiter(',');
  add_results(action, o);
  action->footer(
      "Examples:\n"
      "  axode mechanism sweep examples/mechanisms/example_2_1_four_bar.json \\\n"
      "      --drive A.angle=0:360deg:100 --points coupler.P -o path.svg");
}
void add_mobility(CLI::App& command, MechanismOptions& o) {
  CLI::App* action = add_action(command, o, "mobility",
                                "Degrees of freedom by rank, redundant equations, singularity");
  add_formulation(action, o);
  add_time(action, o);
  action->footer(
      "Examples:\n"
      "  axode mechanism mobility examples/mechanisms/stewart.json --no-drivers");
}
void add_equations(CLI::App& command, MechanismOptions& o) {
  CLI::App* action = add_action(command, o, "equations",
                                "The equations written out in coordinates, lengths and angles");
  add_formulation(action, o);
  one_of(action->add_option("--style", o.style,
                            "text, latex or python (a SymPy program); default: text"),
         "STYLE", {"text", "latex", "python"});
  one_of(action->add_option("--lengths", o.lengths,
                            "Lengths as numbers, or as names with a table; default: numbers"),
         "HOW", {"numbers", "names"});
  action->add_flag("--jacobian", o.with_jacobian, "Their derivatives by velocities, too");
  action->footer(
      "Examples:\n"
      "  axode mechanism equations examples/mechanisms/example_2_1_four_bar.json \\\n"
      "      --formulation relative --lengths names\n"
      "  axode mechanism equations examples/mechanisms/slider_crank.json --style latex --jacobian");
}
void add_compare(CLI::App& command, MechanismOptions& o) {
  CLI::App* action = add_action(command, o, "compare", "All formulations against each other");
  add_time(action, o);
  action->add_option("--tolerance", o.tolerance, "Largest difference, default: 1e-6")
      ->type_name("X");
  action->footer(
      "Examples:\n"
      "  axode mechanism compare examples/mechanisms/slider_crank.json --at 0.2s");
}

}  // namespace

CLI::App* add_mechanism(CLI::App& app, MechanismOptions& o) {
  CLI::App* command =
      app.add_subcommand("mechanism", "Positions, sweeps and mobility of closed loops");
  command->require_subcommand(1);
  add_solve(*command, o);
  add_assembly_modes(*command, o);
  add_sweep(*command, o);
  add_mobility(*command, o);
  add_compare(*command, o);
  add_equations(*command, o);
  command->footer("Also: axode info, check, simulate, linearize, view and export FILE.");
  return command;
}

int run_mechanism(const MechanismOptions& options) {
  if (options.action == "solve") return mechanism_solve(options);
  if (options.action == "assembly-modes") return mechanism_assembly_modes(options);
  if (options.action == "sweep") return mechanism_sweep(options);
  if (options.action == "mobility") return mechanism_mobility(options);
  if (options.action == "equations") return mechanism_equations(options);
  return mechanism_compare(options);
}

}  // namespace axode::cli
