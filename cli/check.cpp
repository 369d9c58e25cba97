/// `axode check`: whether a model is one a mechanism can have, and all that is odd about it.
#include <CLI/CLI.hpp>
#include <algorithm>

#include "axode/error.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"

namespace axode::cli {

CLI::App* add_check(CLI::App& app, CheckOptions& options) {
  CLI::App* command = app.add_subcommand("check", "Check a model strictly");
  add_model(*command, options.model);
  command->add_flag("--json", options.json, "Print one JSON object");
  command->footer(
      "Exits with 3 if the file is not a model, or has what no mechanism can have, such as an\n"
      "inertia that violates the triangle inequality. What is only odd is listed.\n\n"
      "Examples:\n  axode check arm.urdf && echo good\n  axode check arm.urdf --json");
  return command;
}

int run_check(const CheckOptions& options) {
  const Tree tree = load(options.model);
  const std::size_t impossible = std::count_if(tree.warnings.begin(), tree.warnings.end(),
                                               [](const Warning& w) { return w.impossible; });
  Output output;
  if (options.json) {
    Json json(output);
    json.begin_object();
    json.text("schema", "axode.check/1");
    json.text("model", options.model.file);
    json.boolean("ok", impossible == 0);
    write_warnings(json, tree);
    json.end();
  } else {
    if (impossible == 0) output.text("ok\n");
    print_warnings(tree, output, "", "warning: ");
  }
  output.flush();
  if (impossible == 0) return exit_ok;
  report_error(fmt::format("{}: {} that no mechanism can have", options.model.file,
                           count(impossible, "property")));
  return exit_invalid;
}

}  // namespace axode::cli
