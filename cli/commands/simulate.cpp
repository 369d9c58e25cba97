/// `axode simulate`: a model of any kind moves; the file says what it is.
#include <CLI/CLI.hpp>
#include <array>

#include "axode/io/file_kind.hpp"
#include "cli/arguments/duration.hpp"
#include "cli/arguments/kind_options.hpp"
#include "cli/arguments/values.hpp"
#include "cli/commands/flexible/flexible.hpp"
#include "cli/commands/mechanism/mechanism.hpp"
#include "cli/commands/state/state_run.hpp"
#include "cli/commands/tree/tree.hpp"
#include "cli/output/live/live.hpp"

namespace axode::cli {
namespace {

/// Options that only some kinds of model have: t(rees), m(echanisms), f(lexible trees).
constexpr std::array<OptionEffect, 13> simulate_effects{{{"--merge-fixed", "t"},
                                                         {"--free-base", "t"},
                                                         {"--base-velocity", "t"},
                                                         {"--mesh-root", "t"},
                                                         {"--formulation", "tm"},
                                                         {"--loops", "m"},
                                                         {"--add", "m"},
                                                         {"--set", "m"},
                                                         {"--no-drivers", "m"},
                                                         {"--points", "m"},
                                                         {"--exact", "f"},
                                                         {"--equations", "f"},
                                                         {"--fallback", "f"}}};

constexpr const char* examples =
    "An interrupted run (Ctrl-C) is recorded up to there and can be resumed: the same command\n"
    "with --resume gives the file that an uninterrupted run gives.\n\n"
    "Examples:\n"
    "  axode simulate models/scara.json --for 5s --q elbow=60deg --out swing.mcap\n"
    "  axode simulate models/scara.json --controller computed-torque:at=2s --target elbow=90deg\n"
    "  axode simulate models/scara.json --for 1h --out long.mcap --live\n"
    "  axode simulate examples/mechanisms/example_2_1_four_bar.json --no-drivers \\\n"
    "      --q A.angle=60deg --for 5s --out run.csv\n"
    "  axode simulate examples/flexible/arm4.json --equations both --for 6s -o plots/";

void add_common(CLI::App& command, SimulateCommandOptions& o) {
  const auto text = [&](const char* name, std::string& to, const char* help, const char* type) {
    command.add_option(name, to, help)->type_name(type);
  };
  text("--for", o.duration, "How long, such as 500ms or 2min; default: as the file\nsays, or 10s",
       "TIME");
  add_values(command, "--q", o.q, "Coordinates at the start, instead of the model's");
  add_values(command, "--v", o.v, "Velocities at the start, instead of the model's");
  such_as(command.add_option("--method", o.method,
                             "Of integration: automatic (default), mk1 .. mk5, cvode,\n...; "
                             "mechanisms: projection, null-space, ..."),
          "NAME", method_names());
  text("--formulation", o.coordinates,
       "Trees: relative (default) or absolute; mechanisms:\nnatural (default), mixed, relative, "
       "reference-point,\neuler-angles or quasi-velocities",
       "KIND");
  command.add_option("--rtol", o.rtol, "Relative tolerance, default: 1e-6")->type_name("X");
  command.add_option("--atol", o.atol, "Absolute tolerance, default: 1e-9")->type_name("X");
  text("--step", o.step, "Fixed step, or first step of methods that choose it", "TIME");
  text("--max-step", o.max_step, "Longest step of methods that choose it", "TIME");
  command.add_option("--max-steps", o.max_steps, max_steps_help)
      ->option_text("N")
      ->check(CLI::Range(1L, 1L << 60U));
  text("--sample", o.sample, "Between samples, default: 10ms; 0: every step", "TIME");
  file_with(command.add_option("-o,--out", o.out,
                               "Run file (.mcap) or table (.csv) to write; of mechanisms\nalso a "
                               "drawing (.svg, planar), of flexible trees also a\nfolder of plots "
                               "(plots/)"),
            {".mcap", ".csv", ".svg"});
}

void add_special(CLI::App& command, SimulateCommandOptions& o) {
  const auto flag = [&](const char* name, bool& to, const char* help) {
    command.add_flag(name, to, help);
  };
  command
      .add_option(
          "--controller", o.controllers,
          "pd, of trees also computed-torque, or none, instead of\nthe model's; with values "
          "such as pd:kp=100,kd=20,gravity=on\nor computed-torque:at=2s; may be repeated")
      ->type_name("KIND")
      ->allow_extra_args(false);
  add_values(
      command, "--target", o.target,
      "Where controllers go to; default: the start; of\nmechanisms the coordinates to drive");
  flag("--no-gravity", o.no_gravity, "Without the weights");
  flag("--binary", o.binary, "States in the run file as rows of float64");
  command
      .add_option("--checkpoint", o.checkpoint, "Between checkpoints in the run file, default: 1s")
      ->type_name("TIME");
  flag("--resume", o.resume,
       "Go on with the run in --out after its last checkpoint,\nor start it if there is none");
  add_loops(command, o.model);
  add_mechanism_options(command, o.kind);
  command.add_option("--points", o.kind.points, "Mechanisms: points to follow: body.point[,..]")
      ->type_name("NAMES")
      ->delimiter(',');
  add_equations_options(command, o.kind);
  flag("--fallback", o.kind.fallback,
       "Flexible trees: the exact equations where the linear\nones fail");
  flag("--csv", o.kind.csv, "Print CSV");
  flag("--force", o.force, "Overwrite files that exist");
  flag("--quiet", o.quiet, "No progress on standard error");
  flag("--json", o.json, "Print the summary as a JSON object");
  add_live(command, o.live);
}

}  // namespace

CLI::App* add_simulate(CLI::App& app, SimulateCommandOptions& o) {
  CLI::App* command = app.add_subcommand("simulate", "Let a model move, and record the run");
  add_model(*command, o.model);
  command->get_option("model")->description(any_model_help);
  add_common(*command, o);
  add_special(*command, o);
  command->footer(std::string(values_help) + examples);
  command->parse_complete_callback(
      [command, &o] { o.kind.given = given_options(*command, simulate_effects); });
  return command;
}

int run_simulate(const SimulateCommandOptions& o) {
  switch (kind_with_options(o.model, o.kind, simulate_effects)) {
    case FileKind::tree:
      return tree_simulate(o);
    case FileKind::mechanism:
      return mechanism_simulate(o);
    case FileKind::flexible:
      return flexible_simulate(o);
    case FileKind::run:
      break;
  }
  throw UsageError("a run cannot be simulated; give the model, see `axode info`");
}

}  // namespace axode::cli
