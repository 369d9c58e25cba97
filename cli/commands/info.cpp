/// `axode info`: what is in a model of any kind, or in a run.
#include "cli/commands/info.hpp"

#include <CLI/CLI.hpp>
#include <array>

#include "cli/arguments/kind_options.hpp"
#include "cli/arguments/values.hpp"
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
                                                     {"--out", "mf"},
                                                     {"--force", "mf"}}};

}  // namespace

CLI::App* add_info(CLI::App& app, InfoOptions& o) {
  CLI::App* command = app.add_subcommand("info", "Show what is in a model, or a run");
  add_model(*command, o.model);
  file_with(command->get_option("model")->description(any_model_or_run_help),
            model_and_run_endings(), "MODEL");
  add_loops(*command, o.model);
  add_mechanism_options(*command, o.kind);
  add_formulation_option(*command, o.coordinates);
  command->add_flag("--print", o.kind.print,
                    "Mechanisms: the equations with their origin, and\ntheir pattern");
  file_with(command->add_option("-o,--out", o.kind.svg,
                                "Mechanisms: a drawing to write (planar); flexible trees:\na plot "
                                "of the modes (.svg)"),
            {".svg"});
  command->add_flag("--force", o.force, "Overwrite files that exist");
  command->add_flag("--json", o.json, "Print one JSON object");
  command->footer(
      "Axes and points of trees are in the world at the zero configuration.\n\n"
      "Examples:\n  axode info models/scara.json\n"
      "  axode info models/arm.urdf --free-base --merge-fixed\n"
      "  axode info models/scara.json --json | jq .mass\n"
      "  axode info examples/mechanisms/slider_crank.json --print --formulation relative\n"
      "  axode info examples/flexible/pendulum.json -o modes.svg\n"
      "  axode info swing.mcap");
  command->parse_complete_callback([command, &o] {
    o.kind.given = given_options(*command, info_effects);
    if (!o.kind.svg.empty()) check_drawing(o.kind.svg);
  });
  return command;
}

int run_info(const InfoOptions& o) {
  switch (kind_with_options(o.model, o.kind, info_effects)) {
    case FileKind::tree:
      return tree_info(o);
    case FileKind::mechanism: {
      MechanismOptions with = mechanism_options(o.model, o.kind, o.coordinates);
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
