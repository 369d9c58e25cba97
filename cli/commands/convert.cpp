/// `axode convert`: a model in another format, or in another geometry form.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>

#include "axode/core/names.hpp"
#include "axode/io/model_file.hpp"
#include "axode/io/native/native.hpp"
#include "axode/io/scene_file.hpp"
#include "axode/io/text/text_file.hpp"
#include "cli/arguments/values.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

namespace {
constexpr std::array geometry_forms{GeometryForm::zero_reference, GeometryForm::body_screws,
                                    GeometryForm::parent_screws, GeometryForm::joint_frames};
}

CLI::App* add_convert(CLI::App& app, ConvertOptions& options) {
  CLI::App* command = app.add_subcommand("convert", "Write a model in another format or form");
  add_model(*command, options.model);
  file_with(
      command->add_option("-o,--out", options.output, "File to write: .urdf or .json")->required(),
      {".urdf", ".json"});
  command->add_flag("--force", options.force, "Overwrite the file if it exists");
  std::vector<std::string> forms(geometry_forms.size());
  std::ranges::transform(geometry_forms, forms.begin(),
                         [](GeometryForm form) { return name(form); });
  one_of(command->add_option(
             "--form", options.form,
             wrapped(fmt::format("Geometry of all bodies in a .json file: {}; default: that "
                                 "of the model",
                                 alternatives(forms)))),
         "FORM", forms);
  command->footer(
      "Examples:\n  axode convert models/arm.urdf -o arm.json\n"
      "  axode convert models/scara.json -o screws.json --form zero_reference\n"
      "  axode convert models/scara.json -o scara.urdf --merge-fixed --force");
  return command;
}

namespace {

GeometryForm form_named(const std::string& text) {
  for (const GeometryForm form : geometry_forms)
    if (is_same_name(name(form), text)) return form;
  throw UsageError("--form: '" + text + "' is not a geometry form");
}

/// The ending as save_tree understands it: lower case.
std::string ending_of(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return ending;
}

/// What a URDF file cannot say.
void warn_of_losses(const Tree& tree, const std::string& file) {
  const Vec3<double>& g = tree.gravity;
  if (g.x != 0 || g.y != 0 || g.z != -9.81)
    warn(fmt::format("{}: URDF has no gravity, {} m/s^2 is lost; who reads it takes (0 0 -9.81)",
                     file, rounded(g)));
  std::size_t lost = 0;
  std::string first;
  for (std::size_t i = 0; i < tree.links.size(); ++i)
    if (tree.links[i].map == JointMap::free && tree.links[i].velocity != Rep::body && lost++ == 0)
      first = tree.bodies[i].joint_name;
  if (lost > 0)
    warn(
        fmt::format("{}: URDF has no velocity forms, that of free joint '{}'{} is lost; read it "
                    "with --base-velocity",
                    file, first, lost > 1 ? fmt::format(" and {} more", lost - 1) : ""));
}

}  // namespace

int run_convert(const ConvertOptions& options) {
  const std::filesystem::path file = options.output;
  const std::string ending = ending_of(file);
  const bool to_urdf = ending == ".urdf" || ending == ".xml", formed = !options.form.empty();
  if (!to_urdf && ending != ".json")
    throw UsageError(fmt::format(
        "{}: the ending names no model format; write to .urdf, .xml or .json", options.output));
  if (formed && to_urdf)
    throw UsageError("--form: only .json files have geometry forms; name the output so");
  const GeometryForm form = formed ? form_named(options.form) : GeometryForm{};
  std::error_code error;
  if (!options.force && std::filesystem::exists(std::filesystem::symlink_status(file, error)))
    throw IoError("exists already", options.output,
                  "choose another name, or overwrite it with --force");
  const Tree tree = load_with_remark(options.model);
  const std::string parts = scene_parts(options.model.file);
  if (to_urdf) {
    save_tree(tree, file, options.force);
    warn_of_losses(tree, options.output);
    if (!parts.empty())
      warn(
          fmt::format("{}: URDF has no forces, controllers, contacts and initial states: those of "
                      "{} are lost",
                      options.output, options.model.file));
    return exit_ok;
  }
  NativeWriteOptions how{.parts = parts};
  if (formed) how.form = form;
  const std::string text = native_text(tree, how);
  if (!parts.empty()) parse_scene(text, options.output);  // bodies merged away may be named in it
  write_text_file(file, text, options.force);
  return exit_ok;
}

}  // namespace axode::cli
