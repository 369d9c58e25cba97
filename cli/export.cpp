/// `axode export`: a run for other programs.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "axode/io/export_run.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"

namespace axode::cli {

CLI::App* add_export(CLI::App& app, ExportOptions& options) {
  CLI::App* command = app.add_subcommand("export", "Write a run as CSV, NPZ or HDF5");
  command->add_option("run", options.run, "Run that `axode simulate` has written")
      ->type_name("RUN")
      ->required();
  command->add_option("--to", options.to, "File to write: .csv, .npz, .h5 or .hdf5")
      ->type_name("OUT")
      ->required();
  command
      ->add_option("--quantities", options.quantities,
                   "Among q, v, a, tau, kinetic, potential, stored, work; all without it")
      ->type_name("NAMES")
      ->delimiter(',');
  command->add_flag("--force", options.force, "Overwrite the file if it exists");
  command->add_flag("--salvage", options.salvage, "Take what is before the damage in a run file");
  command->footer(
      "Examples:\n  axode export fall.mcap --to fall.csv\n"
      "  axode export fall.mcap --to fall.npz --quantities q,v\n"
      "  axode export fall.mcap --to fall.h5 --force");
  return command;
}

namespace {

void check_export(const ExportOptions& options) {
  const std::vector<std::string> known = run_quantities();
  const std::vector<std::string>& names = options.quantities;
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(known.begin(), known.end(), *name) == known.end())
      throw UsageError(fmt::format("--quantities: there is no '{}'; choose among {}",
                                   printable(*name), fmt::join(known, ", ")));
    if (std::find(names.begin(), name, *name) != name)
      throw UsageError(fmt::format("--quantities: '{}' is there twice; name it once", *name));
  }
  std::string ending = std::filesystem::path(options.to).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (ending != ".csv" && ending != ".npz" && ending != ".h5" && ending != ".hdf5")
    throw UsageError(fmt::format(
        "{}: the ending names no format of runs; write to .csv, .npz, .h5 or .hdf5", options.to));
  std::error_code error;
  if (std::filesystem::equivalent(options.run, options.to, error))
    throw UsageError(
        fmt::format("--to: {} is the run itself; choose another name", printable(options.to)));
  if (!options.force && std::filesystem::exists(std::filesystem::symlink_status(options.to, error)))
    throw IoError("exists already", options.to,
                  "choose another name, or overwrite it with --force");
}

}  // namespace

int run_export(const ExportOptions& options) {
  check_export(options);
  const Run run = read_run(options.run, options.salvage);
  if (!run.complete)
    warn(fmt::format("{} ends early, at {:.6g} s; what is there is exported", options.run,
                     run.times.empty() ? 0 : run.times.back()));
  export_run(run, options.to, options.quantities, options.force);
  return exit_ok;
}

}  // namespace axode::cli
