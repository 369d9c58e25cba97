/// `axode export`: a run for other programs: tables, pages, animations, pictures.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "axode/io/export/export_run.hpp"
#include "cli/arguments/values.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/export_pictures.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

CLI::App* add_export(CLI::App& app, ExportOptions& options) {
  CLI::App* command =
      app.add_subcommand("export", "Write a run as table, page, animation or pictures");
  add_model(*command, options.model);
  file_with(
      command->get_option("model")->description("Run (.mcap); for all but tables also a model"),
      model_and_run_endings(), "RUN");
  add_loops(*command, options.model);
  file_with(
      command
          ->add_option("-o,--out", options.out,
                       "File to write: .csv, .npz, .h5 or .hdf5 (tables),\n.html (page), .glb "
                       "(glTF animation), .png (picture),\nor a folder for pictures (frames/)")
          ->required(),
      {".csv", ".npz", ".h5", ".hdf5", ".html", ".glb", ".png"});
  such_as(command
              ->add_option("--quantities", options.quantities,
                           "Tables: names[,..] such as q,v,tau; default: all")
              ->delimiter(','),
          "NAMES", run_quantities());
  command->add_option("--size", options.size, "Pictures: pixels, default: 1280x720")
      ->type_name("WxH");
  one_of(command->add_option("--camera", options.camera, "Pictures: from where, default: home"),
         "NAME", camera_names());
  command->add_flag("--screws", options.screws, "Pictures: draw the axes of the joints");
  command->add_option("--fps", options.fps, "Folders: pictures for each second, default: 30")
      ->type_name("N");
  command->add_option("--at", options.at, "One picture: time of the run, default: its start")
      ->type_name("TIME");
  command->add_flag("--force", options.force,
                    "Overwrite the file if it exists, replace pictures in a folder");
  command->add_flag("--salvage", options.salvage, "Read a damaged run file up to the damage");
  command->footer(
      "Examples:\n  axode export swing.mcap -o swing.csv\n"
      "  axode export swing.mcap -o swing.npz --quantities q,v\n"
      "  axode export swing.mcap -o swing.glb\n"
      "  axode export swing.mcap -o swing.png --at 1.5s --camera side\n"
      "  axode export swing.mcap -o frames/ --fps 25 --size 1920x1080\n"
      "  axode export models/panda.json -o panda.glb --force");
  return command;
}

namespace {

void check_quantities(const std::vector<std::string>& names) {
  const std::vector<std::string> known = run_quantities();
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(known.begin(), known.end(), *name) == known.end())
      throw UsageError(fmt::format("--quantities: there is no '{}'; choose among {}",
                                   printable(*name), fmt::join(known, ", ")));
    if (std::find(names.begin(), name, *name) != name)
      throw UsageError(fmt::format("--quantities: '{}' is there twice; name it once", *name));
  }
}

void check_file(const ExportOptions& options, const std::string& out) {
  std::error_code error;
  if (std::filesystem::equivalent(options.model.file, out, error))
    throw UsageError(fmt::format("{} is the run itself; choose another name", printable(out)));
  if (!options.force && std::filesystem::exists(std::filesystem::symlink_status(out, error)))
    throw IoError("exists already", out, "choose another name, or overwrite it with --force");
}

void export_table(const ExportOptions& options, const std::string& out) {
  const Run run = read_run(options.model.file, options.salvage);
  if (!run.complete)
    warn(fmt::format("{} ends early, at {:.6g} s; what is there is exported", options.model.file,
                     run.times.empty() ? 0 : run.times.back()));
  export_run(run, out, options.quantities, options.force);
}

}  // namespace

int run_export(const ExportOptions& options) {
  const std::string& out = options.out;
  check_quantities(options.quantities);
  const ExportKind kind = export_kind(out);
  picture_settings(options, kind);
  if (kind != ExportKind::frames) check_file(options, out);
  if (kind == ExportKind::table)
    export_table(options, out);
  else
    export_drawn(options, kind, out);
  return exit_ok;
}

}  // namespace axode::cli
