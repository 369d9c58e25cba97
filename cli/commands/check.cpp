/// `axode check`: whether a model of any kind is one that can be simulated and that a mechanism can have,
/// and all that is odd about it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "axode/core/error.hpp"
#include "axode/io/mechanism/mechanism_file.hpp"
#include "axode/io/model_check.hpp"
#include "axode/simulate/run/simulate.hpp"
#include "cli/arguments/kind_options.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/mechanism/mechanism.hpp"
#include "cli/commands/view_scenes.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

namespace {

/// Options that only some kinds of model have: t(rees), m(echanisms).
constexpr std::array<OptionEffect, 5> check_effects{{{"--merge-fixed", "t"},
                                                     {"--free-base", "t"},
                                                     {"--base-velocity", "t"},
                                                     {"--mesh-root", "t"},
                                                     {"--loops", "m"}}};

}  // namespace

CLI::App* add_check(CLI::App& app, CheckOptions& options) {
  CLI::App* command = app.add_subcommand("check", "Check a model strictly");
  add_model(*command, options.model);
  command->get_option("model")->description(any_model_help);
  add_loops(*command, options.model);
  command->add_flag("--json", options.json, "Print one JSON object");
  command->footer(
      "Reads all of the file: bodies, forces, controllers, contacts, states, meshes; assembles\n"
      "mechanisms; takes the first step of a simulation. The exit code is 3 if that fails, if the\n"
      "model has properties that no mechanism can have, such as an inertia that violates the\n"
      "triangle inequality, or if a mesh file is broken. Odd properties are listed as warnings; a\n"
      "model without any mass, which serves kinematics, cannot be simulated.\n\n"
      "Examples:\n  axode check models/scara.json && echo good\n  axode check models/puma560.json "
      "--json\n"
      "  axode check examples/mechanisms/slider_crank.json");
  command->parse_complete_callback(
      [command, &options] { options.kind.given = given_options(*command, check_effects); });
  return command;
}

namespace {

/// The first step of a simulation by the default options of `axode simulate FILE`. Throws
/// NumericalError where the start cannot be assembled.
RunResult first_step(const Mechanism& mechanism, const std::string& file) {
  MechanismSystem system(make_equations(mechanism, {}));
  const Assembly start = assembled(system, {.hold_start = true}, file);
  SimulateOptions options;
  options.max_steps = 1;
  return simulate(system, {start.q, start.v}, options);
}

/// Throws Error where no simulation starts: the mechanism cannot be assembled, its rates contradict each
/// other, or the first step fails. That none has mass, which kinematics does without, is a warning.
void check_start(const Mechanism& mechanism, const std::string& file,
                 std::vector<Warning>& warnings) {
  using axode::Ending;
  RunResult run;
  try {
    run = first_step(mechanism, file);
  } catch (const NumericalError& e) {  // a fault of the model, whatever the numbers say
    throw Error(e.problem(), e.where(), e.remedy());
  }
  if (run.ending == Ending::finished || run.ending == Ending::step_limit) return;
  const bool massless =
      std::ranges::all_of(std::span(mechanism.bodies).subspan(1),  // the world
                          [](const MechanismBody& body) { return body.inertia.mass == 0; });
  const std::string reason = run.message.empty() ? std::string(name(run.ending)) : run.message;
  if (!massless || run.ending != Ending::singular) throw Error(reason, file);
  warnings.push_back({file + ": no body has mass; kinematics only", false});
}

ModelFindings findings_of(const CheckOptions& options) {
  const std::string& file = options.model.file;
  const FileKind kind = kind_with_options(options.model, options.kind, check_effects);
  if (kind == FileKind::run)
    throw Error("is a run, not a model", file, "see `axode info`, which says whether it is whole");
  if (kind == FileKind::mechanism) {
    const Mechanism mechanism = mechanism_of(options.model);
    ModelFindings found = check_model(mechanism);
    check_start(mechanism, file, found.warnings);
    return found;
  }
  if (kind == FileKind::flexible) return check_model(load_flexible(file));
  const Scene scene = load_scene(file, load_options(options.model));
  check_base_velocity(scene.tree, options.model);
  return check_model(scene);
}

}  // namespace

int run_check(const CheckOptions& options) {
  const ModelFindings found = findings_of(options);
  const std::size_t impossible =
      std::ranges::count_if(found.warnings, [](const Warning& w) { return w.impossible; });
  const bool ok = impossible == 0 && found.broken_meshes.empty();
  Output output;
  if (options.json) {
    Json json(output);
    json.begin_object();
    json.text("schema", "axode.check/1");
    json.text("model", options.model.file);
    json.boolean("ok", ok);
    write_warnings(json, found.warnings);
    json.begin_list("broken_meshes");
    for (const std::string& mesh : found.broken_meshes) json.text({}, mesh);
    json.end();
    json.end();
  } else {
    if (ok) output.text("ok\n");
    for (const std::string& mesh : found.broken_meshes)
      output.print("broken: {}\n", printable(mesh));
    print_warnings(found.warnings, output, "", "warning: ");
  }
  output.flush();
  if (ok) return exit_ok;
  std::vector<std::string> faults;
  if (impossible > 0)
    faults.push_back(count(impossible, "property") + " that no mechanism can have");
  if (!found.broken_meshes.empty())
    faults.push_back(count(found.broken_meshes.size(), "broken mesh file"));
  report_error(fmt::format("{}: {}", options.model.file, fmt::join(faults, ", ")));
  return exit_invalid;
}

}  // namespace axode::cli
