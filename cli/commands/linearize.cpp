/// `axode linearize`: the equations of motion linearized about a state, for control and stability.
#include <CLI/CLI.hpp>
#include <array>

#include "cli/arguments/forces.hpp"
#include "cli/arguments/kind_options.hpp"
#include "cli/commands/flexible/flexible.hpp"
#include "cli/commands/state/state_run.hpp"
#include "cli/commands/tree/tree.hpp"

namespace axode::cli {
namespace {

/// Options that only some kinds of model have: t(rees), f(lexible trees).
constexpr std::array<OptionEffect, 16> linearize_effects{{{"--merge-fixed", "t"},
                                                          {"--free-base", "t"},
                                                          {"--base-velocity", "t"},
                                                          {"--mesh-root", "t"},
                                                          {"--a", "t"},
                                                          {"--states", "t"},
                                                          {"--external", "t"},
                                                          {"--no-gravity", "t"},
                                                          {"--no-armature", "t"},
                                                          {"--no-damping", "t"},
                                                          {"--no-friction", "t"},
                                                          {"--equations", "f"},
                                                          {"--exact", "f"},
                                                          {"--print", "f"},
                                                          {"--out", "f"},
                                                          {"--force", "f"}}};

}  // namespace

CLI::App* add_linearize(CLI::App& app, LinearizeOptions& o) {
  CLI::App* command =
      app.add_subcommand("linearize", "Linearize the equations of motion about a state");
  add_model(*command, o.model);
  command->get_option("model")->description(
      "Model file: .urdf, or .json of a tree or elastic links");
  add_values(*command, "--q,--at", o.states.q,
             "Coordinates [rad, m]; default: neutral, or those\nof the file");
  add_values(*command, "--v", o.states.v, "Velocities [rad/s, m/s]; default: zero");
  add_values(*command, "--a", o.states.a, "Trees: accelerations; without --tau zero");
  add_values(*command, "--tau", o.states.tau, "Joint forces [N m, N], instead of --a");
  add_forces(*command, o.forces);
  add_state_run(*command, o.states);
  add_equations_options(*command, o.kind);
  command->add_flag("--print", o.kind.print, "Flexible trees: also M, D, K and the forces");
  command->add_option("-o,--out", o.out, "Flexible trees: CSV file to write")->type_name("FILE");
  command->add_flag("--force", o.force, "Overwrite files that exist");
  command->footer(
      std::string(values_help) +
      "Prints x' = A x + B du with x = (dq, dv), and M dv' + D dv + K dq = du. Without --a\n"
      "and --tau about rest, held by the forces that are printed.\n\n"
      "Examples:\n"
      "  axode linearize arm.urdf --at elbow=90deg\n"
      "  axode linearize arm.urdf --q 0.1,30deg,-0.5 --v shoulder=1 --tau 0,0,0 --json\n"
      "  axode linearize pendulum.json --at 180deg --no-damping\n"
      "  axode linearize elastic_arm.json --equations linear --json");
  command->parse_complete_callback(
      [command, &o] { o.kind.given = given_options(*command, linearize_effects); });
  return command;
}

int run_linearize(const LinearizeOptions& o) {
  switch (kind_with_options(o.model, o.kind, linearize_effects)) {
    case FileKind::tree:
      return tree_linearize(o);
    case FileKind::flexible: {
      FlexibleOptions with = flexible_options(o.model.file, o.kind);
      with.action = "linearize";
      with.q = split(o.states.q), with.v = split(o.states.v), with.tau = split(o.states.tau);
      with.csv = o.states.csv, with.json = o.states.json;
      with.out = o.out, with.force = o.force;
      return flexible_linearize(with);
    }
    case FileKind::mechanism:
      throw UsageError("mechanisms with loops are not linearized; give a tree or elastic links");
    case FileKind::run:
      break;
  }
  throw UsageError("a run cannot be linearized; give the model, see `axode info`");
}

}  // namespace axode::cli
