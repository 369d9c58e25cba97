/// `axode convert`: a model in another format, or in another geometry form.
#include <CLI/CLI.hpp>
#include <array>
#include <filesystem>

#include "axode/io/model_file.hpp"
#include "axode/io/native.hpp"
#include "axode/io/text_file.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"

namespace axode::cli {

CLI::App* add_convert(CLI::App& app, ConvertOptions& options) {
  CLI::App* command = app.add_subcommand("convert", "Write a model in another format or form");
  add_model(*command, options.model);
  command->add_option("output", options.output, "File to write: .urdf or .json")
      ->type_name("OUT")
      ->required();
  command->add_flag("--force", options.force, "Overwrite the file if it exists");
  command
      ->add_option("--form", options.form,
                   "Geometry of all bodies in a .json file: zero_reference, body_screws,\n"
                   "parent_screws or joint_frames; without it that of the model")
      ->type_name("FORM");
  command->footer(
      "Examples:\n  axode convert arm.urdf arm.json\n"
      "  axode convert arm.json screws.json --form zero_reference\n"
      "  axode convert arm.json arm.urdf --merge-fixed --force");
  return command;
}

namespace {

GeometryForm form_named(const std::string& text) {
  for (const GeometryForm form : {GeometryForm::zero_reference, GeometryForm::body_screws,
                                  GeometryForm::parent_screws, GeometryForm::joint_frames})
    if (name(form) == text) return form;
  throw UsageError(
      fmt::format("--form: there is no geometry form '{}'; choose zero_reference, body_screws, "
                  "parent_screws or joint_frames",
                  text));
}

}  // namespace

int run_convert(const ConvertOptions& options) {
  const std::filesystem::path file = options.output;
  if (options.form.empty()) {
    save_tree(load_with_remark(options.model), file, options.force);
    return exit_ok;
  }
  const GeometryForm form = form_named(options.form);
  if (file.extension() != ".json")
    throw UsageError("--form: only .json files have geometry forms; name the output so");
  const Tree tree = load_with_remark(options.model);
  write_text_file(file, native_text(tree, {.form = form}), options.force);
  return exit_ok;
}

}  // namespace axode::cli
