/// `axode info`: what is in a model of any kind, or in a run.
#include "cli/commands/info.hpp"

#include <CLI/CLI.hpp>
#include <array>

#include "cli/arguments/kind_options.hpp"
#include "cli/commands/flexible/flexible.hpp"
#include "cli/commands/mechanism/mechanism.hpp"
#include "cli/commands/tree/tree.hpp"

namespace axode::cli {
namespace {

/// Options that only some files have: t(rees), m(echanisms), f(lexible trees), r(uns).
constexpr std::array<OptionEffect, 12> info_effects{{{"--merge-fixed", "t"},
                                                     {"--free-base", "t"},
                                                     {"--base-velocity", "t"},
                                                     {"--mesh-root", "t"},
                                                     {"--loops", "m"},
                                                     {"--formulation", "m"},
                                                     {"--add", "m"},
                                                     {"--set", "m"},
                                                     {"--no-drivers", "m"},
                                                     {"--print", "m"},
                                                     {"--svg", "mf"},
                                                     {"--force", "mf"}}};

}  // namespace

CLI::App* add_info(CLI::App& app, InfoOptions& o) {
  CLI::App* command = app.add_subcommand("info", "Show what is in a model, or a run");
  add_model(*command, o.model);
  command->get_option("model")->description(
      "Model file: .urdf, or .json of a tree, a mechanism or\nelastic links; or a run (.mcap)");
  add_mechanism_options(*command, o.kind);
  command
      ->add_option("--formulation", o.coordinates,
                   "Mechanisms: natural (default), mixed, relative,\nreference-point, "
                   "euler-angles or quasi-velocities")
      ->type_name("KIND");
  command->add_flag("--print", o.kind.print,
                    "Mechanisms: the equations with their origin, and\ntheir pattern");
  command
      ->add_option("--svg", o.kind.svg,
                   "Mechanisms: a drawing to write (planar); flexible\ntrees: a plot of the modes")
      ->type_name("FILE");
  command->add_flag("--force", o.force, "Overwrite files that exist");
  command->add_flag("--json", o.json, "Print one JSON object");
  command->footer(
      "Axes and points of trees are in the world at the zero configuration.\n\n"
      "Examples:\n  axode info arm.urdf\n  axode info arm.urdf --free-base --merge-fixed\n"
      "  axode info arm.json --json | jq .mass\n"
      "  axode info four_bar.json --print --formulation natural\n  axode info fall.mcap");
  command->parse_complete_callback(
      [command, &o] { o.kind.given = given_options(*command, info_effects); });
  return command;
}

int run_info(const InfoOptions& o) {
  switch (kind_with_options(o.model, o.kind, info_effects)) {
    case FileKind::tree:
      return tree_info(o);
    case FileKind::mechanism: {
      MechanismOptions with = mechanism_options(o.model.file, o.kind, o.coordinates);
      with.action = "info";
      with.json = o.json, with.force = o.force;
      return mechanism_info(with);
    }
    case FileKind::flexible: {
      FlexibleOptions with = flexible_options(o.model.file, o.kind);
      with.action = "info";
      with.json = o.json, with.force = o.force;
      return flexible_info(with);
    }
    case FileKind::run:
      break;
  }
  return print_run_info(o);
}

}  // namespace axode::cli
