/// `axode view`: a model or a run as a page for the browser.
#include <CLI/CLI.hpp>
#include <filesystem>

#include "axode/io/text/text_file.hpp"
#include "cli/arguments/kind_options.hpp"
#include "cli/arguments/values.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/view_scenes.hpp"
#include "cli/output/live/browser.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

CLI::App* add_view(CLI::App& app, ViewOptions& options) {
  CLI::App* command = app.add_subcommand("view", "Show a model or a run in the browser");
  add_model(*command, options.model);
  file_with(command->get_option("model")->description(any_model_or_run_help),
            model_and_run_endings(), "MODEL");
  add_loops(*command, options.model);
  file_with(command->add_option("more", options.more, "Further models and runs, in the same page"),
            model_and_run_endings(), "MODEL");
  file_with(command->add_option("-o,--out", options.out,
                                "Page to write (.html); default: a temporary file"),
            {".html"});
  command->add_flag("--no-browser", options.no_browser, "Print the name of the page, open nothing");
  command->add_flag("--force", options.force, "Overwrite the page if it exists");
  command->footer(
      "Examples:\n  axode view models/panda.json\n  axode view swing.mcap\n"
      "  axode view models/scara.json models/puma560.json\n"
      "  axode view examples/mechanisms/stewart.json -o stewart.html --no-browser");
  return command;
}

namespace {

void check_page(const ViewOptions& options) {
  std::error_code error;
  if (options.out.empty()) return;
  std::vector<std::string> files = options.more;
  files.push_back(options.model.file);
  for (const std::string& file : files)
    if (std::filesystem::equivalent(file, options.out, error))
      throw UsageError(
          fmt::format("--out: {} is shown itself; choose another name", printable(options.out)));
  if (!options.force &&
      std::filesystem::exists(std::filesystem::symlink_status(options.out, error)))
    throw IoError("exists already", options.out,
                  "choose another name, or overwrite it with --force");
}

}  // namespace

int run_view(const ViewOptions& options) {
  check_page(options);
  std::vector<std::string> scenes{scene_of_file(options)};
  for (ViewOptions other = options; const std::string& file : options.more) {
    other.model.file = file;
    other.model.loops.clear();
    scenes.push_back(scene_of_file(other));
  }
  const std::string page = view_page(scenes);
  const std::string stem = std::filesystem::path(options.model.file).stem().string();
  const std::string file = options.out.empty() ? temporary_page(stem) : options.out;
  write_text_file(file, page, options.force);
  if (!options.no_browser) opened(file);
  Output output;  // a browser may have failed behind our back
  output.print("{}\n", printable(file));
  output.flush();
  return exit_ok;
}

}  // namespace axode::cli
