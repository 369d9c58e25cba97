/// `axode linearize`: the equations of motion linearized about a state, for control and stability.
#include <CLI/CLI.hpp>
#include <array>

#include "cli/arguments/forces.hpp"
#include "cli/arguments/kind_options.hpp"
#include "cli/commands/flexible/flexible.hpp"
#include "cli/commands/mechanism/mechanism.hpp"
#include "cli/commands/state/state_run.hpp"
#include "cli/commands/tree/tree.hpp"

namespace axode::cli {
namespace {

/// Options that only some kinds of model have: t(rees), m(echanisms), f(lexible trees).
constexpr std::array<OptionEffect, 20> linearize_effects{
    {{"--merge-fixed", "t"}, {"--free-base", "t"},   {"--base-velocity", "t"},
     {"--mesh-root", "t"},   {"--a", "t"},           {"--states", "t"},
     {"--external", "t"},    {"--no-gravity", "t"},  {"--no-armature", "t"},
     {"--no-damping", "t"},  {"--no-friction", "t"}, {"--loops", "m"},
     {"--formulation", "m"}, {"--add", "m"},         {"--set", "m"},
     {"--no-drivers", "m"},  {"--at", "m"},          {"--independent", "m"},
     {"--equations", "f"},   {"--exact", "f"}}};

}  // namespace

CLI::App* add_linearize(CLI::App& app, LinearizeOptions& o) {
  CLI::App* command =
      app.add_subcommand("linearize", "Linearize the equations of motion about a state");
  add_model(*command, o.model);
  command->get_option("model")->description(any_model_help);
  add_values(*command, "--q", o.states.q,
             "Coordinates [rad, m]; default: neutral, or those of the\nfile");
  add_values(*command, "--v", o.states.v,
             "Velocities [rad/s, m/s]; default: zero, or those of the\nfile");
  add_values(*command, "--a", o.states.a, "Trees: accelerations; default: zero without --tau");
  add_values(*command, "--tau", o.states.tau,
             "Joint forces [N m, N]; default: those that hold the\nstate");
  add_forces(*command, o.forces);
  add_state_run(*command, o.states);
  add_loops(*command, o.model);
  add_mechanism_options(*command, o.kind);
  add_formulation_option(*command, o.coordinates);
  command->add_option("--at", o.at, "Mechanisms: time of drivers, default: 0")->type_name("TIME");
  command
      ->add_option("--independent", o.independent,
                   "Mechanisms: independent coordinates: names[,..];\ndefault: chosen")
      ->type_name("NAMES")
      ->delimiter(',');
  add_equations_options(*command, o.kind, false);
  command->footer(
      std::string(values_help) +
      "Prints x' = A x + B du with x = (dq, dv), and M dv' + D dv + K dq = du, and of each\n"
      "eigenvalue of A its natural frequency and damping ratio. Mechanisms are linearized in\n"
      "independent coordinates with their drivers held; --no-drivers leaves these out.\n\n"
      "Examples:\n"
      "  axode linearize models/scara.json --q elbow=90deg\n"
      "  axode linearize models/scara.json --q elbow=90deg --v shoulder=1 --tau elbow=2 --json\n"
      "  axode linearize examples/mechanisms/example_2_1_four_bar.json --no-drivers \\\n"
      "      --q A.angle=60deg\n"
      "  axode linearize examples/flexible/arm4.json --equations linear --json");
  command->parse_complete_callback(
      [command, &o] { o.kind.given = given_options(*command, linearize_effects); });
  return command;
}

int run_linearize(const LinearizeOptions& o) {
  check_state_options(o.states);
  switch (kind_with_options(o.model, o.kind, linearize_effects)) {
    case FileKind::tree:
      return tree_linearize(o);
    case FileKind::flexible: {
      FlexibleOptions with = flexible_options(o.model.file, o.kind);
      with.action = "linearize";
      with.q = split(o.states.q), with.v = split(o.states.v), with.tau = split(o.states.tau);
      with.csv = o.states.csv, with.json = o.states.json;
      return flexible_linearize(with);
    }
    case FileKind::mechanism: {
      MechanismOptions with = mechanism_options(o.model, o.kind, o.coordinates);
      with.action = "linearize";
      with.q = split(o.states.q), with.v = split(o.states.v), with.tau = split(o.states.tau);
      with.csv = o.states.csv, with.json = o.states.json;
      with.at = o.at, with.independent = o.independent;
      return mechanism_linearize(with);
    }
    case FileKind::run:
      break;
  }
  throw UsageError("a run cannot be linearized; give the model, see `axode info`");
}

}  // namespace axode::cli
