/// `axode simulate` of a flexible tree: the motion by the linear or the exact equations, or both.
#include <array>
#include <filesystem>
#include <optional>

#include "axode/io/flexible/flexible_run.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/view/scene/scene.hpp"
#include "cli/arguments/controllers.hpp"
#include "cli/arguments/kind_options.hpp"
#include "cli/commands/flexible/runs.hpp"
#include "cli/commands/recording.hpp"

namespace axode::cli {

void set_flexible(SimulateOptions& how, const FlexibleOptions& options, const FlexibleTree& tree) {
  constexpr double max_rows = 1e6;  // all are kept
  check_rows(how, max_rows);
  how.flexible.dynamics.fall_back = options.fallback;
  how.flexible.dynamics.exact_coordinates = exact_coordinates(options, tree);
}

std::vector<FlexibleRecord> flexible_runs(const std::string& file, const FlexibleSetup& setup,
                                          const SimulateOptions& how,
                                          const std::vector<FlexibleModel>& models,
                                          const FlexibleObserver& observer_of_run,
                                          const Checkpoint* from) {
  std::vector<FlexibleRecord> runs;
  for (const FlexibleModel model : models) {
    if (*how.stop) break;
    FlexibleRecord record;
    record.model = model;
    SimulateOptions mine = how;
    mine.flexible.dynamics.model = model;
    if (model == FlexibleModel::nonlinear) mine.flexible.dynamics.exact_coordinates.clear();
    RunObserver observer = observer_of_run();
    observer.sample = [&record, next = std::move(observer.sample)](const Sample& s) {
      record.times.push_back(s.t);
      record.q.emplace_back(s.q.begin(), s.q.end());
      record.v.emplace_back(s.v.begin(), s.v.end());
      record.tau.emplace_back(s.tau.begin(), s.tau.end());
      record.kinetic.push_back(s.kinetic);
      record.gravity.push_back(s.potential);
      record.elastic.push_back(s.stored);
      record.work.push_back(s.work);
      if (next) next(s);
    };
    record.result = simulate(setup.tree, setup.forces, {setup.q, setup.v}, mine, observer, from);
    for (const std::string& warning : record.result.warnings)
      warn(fmt::format("{}: {} model: {}", file, name(model), warning));
    runs.push_back(std::move(record));
  }
  return runs;
}

int exit_of(const SimulateCommandOptions& command, const std::vector<FlexibleRecord>& runs) {
  for (const FlexibleRecord& run : runs)
    if (const int code = exit_of(command, ModelKind::flexible_tree, run.result,
                                 fmt::format("{}: {} model", command.model.file, name(run.model)));
        code != exit_ok)
      return code;
  return exit_ok;
}

namespace {

RunMetadata metadata_of(const SimulateCommandOptions& command, const FlexibleSetup& setup,
                        const SimulateOptions& how) {
  RunMetadata all = run_metadata(setup.tree);
  all.model_text = reread_text_file(command.model.file, setup.source_crc32);
  all.options = run_options_json(setup.tree, how, run_options(command, {setup.q, setup.v}));
  return all;
}

struct NamedFigure {
  std::string_view file;
  FlexibleFigure figure;
  std::string_view title;
};
constexpr std::array<NamedFigure, 7> run_figures{{
    {"joints.svg", FlexibleFigure::joints, "Joints"},
    {"torsion.svg", FlexibleFigure::torsion, "Torsion modes"},
    {"bend_y.svg", FlexibleFigure::bend_y, "Bending modes along y"},
    {"bend_z.svg", FlexibleFigure::bend_z, "Bending modes along z"},
    {"axial.svg", FlexibleFigure::axial, "Axial modes"},
    {"forces.svg", FlexibleFigure::forces, "Joint forces"},
    {"energies.svg", FlexibleFigure::energies, "Energies"},
}};

/// Before a long run: plots would be written.
void check_folder(const FlexibleOptions& options) {
  if (options.svg.empty() || options.force) return;
  for (const NamedFigure& figure : run_figures) {
    const auto file = std::filesystem::path(options.svg) / figure.file;
    if (std::filesystem::exists(file))
      throw IoError("exists already", file.string(),
                    "choose another folder or overwrite it with --force");
  }
}

void write_plots(const FlexibleOptions& options, const FlexibleTree& tree,
                 const std::vector<FlexibleRecord>& runs) {
  if (options.svg.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(options.svg, error);
  for (const auto& [file, figure, title] : run_figures) {
    const Plot plot = plot_of_runs(tree, runs, figure, fmt::format("{}: {}", tree.name, title));
    if (!plot.panels.empty())
      write_text_file(std::filesystem::path(options.svg) / file, plot_svg(plot), options.force);
  }
}

std::vector<FlexibleModel> models_of(const FlexibleOptions& options) {
  if (options.equations == "both") return {FlexibleModel::linear, FlexibleModel::nonlinear};
  if (!options.equations.empty() && options.equations != "linear" &&
      options.equations != "nonlinear")
    throw UsageError(fmt::format("--equations: there is no '{}'; choose linear, nonlinear or both",
                                 printable(options.equations)));
  return {flexible_model(options, FlexibleModel::linear)};
}

FlexibleOptions flexible_run_options(const SimulateCommandOptions& command) {
  FlexibleOptions options = flexible_options(command.model.file, command.kind);
  options.action = "simulate";
  options.q = split(command.q), options.v = split(command.v);
  const SimulateOutput output = output_of(command, ModelKind::flexible_tree);
  if (output == SimulateOutput::table) options.out = command.out;
  if (output == SimulateOutput::plots) options.svg = command.out;
  options.json = command.json, options.force = command.force, options.quiet = command.quiet;
  return options;
}

/// The model of the file with --controller, --target and --no-gravity.
FlexibleSetup controlled_setup(const SimulateCommandOptions& command,
                               const FlexibleOptions& options) {
  if (!command.target.empty() && command.controllers.empty())
    throw UsageError("--target: there is no controller to go there; give --controller, too");
  FlexibleSetup setup = flexible_setup(options);
  std::vector<double> target = setup.q;
  set_values(setup.tree, split(command.target), "--target", target);
  set_flexible_control(setup.tree, command.controllers, target, setup.forces);
  if (command.no_gravity) setup.tree.gravity = {};
  return setup;
}

}  // namespace

int flexible_simulate(const SimulateCommandOptions& command) {
  const FlexibleOptions options = flexible_run_options(command);
  const bool to_run_file = has_run_file(command, ModelKind::flexible_tree);
  const std::vector<FlexibleModel> models = models_of(options);
  if (to_run_file && models.size() > 1)
    throw UsageError("--out: a run file holds one run; choose one by --equations, or a CSV file");
  if (command.live.on && models.size() > 1)
    throw UsageError("--live: a page shows one run; choose one by --equations");
  if (to_run_file) check_run_file(command);
  const FlexibleSetup setup = controlled_setup(command, options);
  SimulateOptions how = simulation_options(command, ModelKind::flexible_tree, setup.duration);
  set_flexible(how, options, setup.tree);
  how.flexible.dynamics.model = models[0];
  how.method = check_simulation(setup.tree, setup.forces, {setup.q, setup.v}, how);
  check_folder(options);
  how.stop = &stop_at_interrupt();
  std::optional<LiveRun> live;
  if (command.live.on)
    live.emplace(command.live, flexible_scene(setup.tree, setup.q, {}, {.live = true}),
                 metadata_of(command, setup, how));
  RunRecorder recording;
  if (to_run_file) recording = recorder_of(command, metadata_of(command, setup, how));
  std::optional<RunProgress> progress;
  const std::vector<FlexibleRecord> runs = flexible_runs(
      options.file, setup, how, models,
      [&] {
        progress.emplace(recording.begin(how.start), how.start + how.duration, command.quiet);
        return observer_of(recording, live ? &*live : nullptr, *progress, run_sample);
      },
      recording.from());
  progress.reset();
  if (runs.empty()) return exit_interrupted;
  recording.finish(runs[0].result.t, run_summary_json(runs[0].result, ModelKind::flexible_tree));
  Output output;
  if (options.json)
    write_runs(options, setup.tree, runs, output);
  else if (!options.csv)
    print_runs(setup.tree, runs, output);
  if (options.csv) rows_of(setup.tree, runs).finish("", false, output);
  if (!options.out.empty()) rows_of(setup.tree, runs).finish(options.out, options.force, output);
  write_plots(options, setup.tree, runs);
  output.flush();
  if (live) live->finish(runs[0].result.ending, runs[0].result.t, runs[0].result.message);
  return exit_of(command, runs);
}

namespace {

struct PaperFigure {
  int number;
  FlexibleFigure figure;
  std::string_view title;
  double until;  ///< what the paper shows of the run [s]
};
constexpr std::array<PaperFigure, 5> paper_figures{{
    {6, FlexibleFigure::joints, "rigid motion", 1e300},
    {7, FlexibleFigure::bend_y, "flexural motion in the xy planes", 3},
    {8, FlexibleFigure::torsion, "torsional motion", 1e300},
    {9, FlexibleFigure::bend_z, "flexural motion in the xz planes", 1e300},
    {10, FlexibleFigure::forces, "input torques", 4},
}};

std::filesystem::path figure_file(const FlexibleOptions& options, int number) {
  return std::filesystem::path(options.svg.empty() ? "." : options.svg) /
         fmt::format("figure_{}.svg", number);
}

}  // namespace

int flexible_figures(const FlexibleOptions& options) {
  FlexibleOptions with = options;
  with.svg.clear();                                // a folder here
  if (with.sample == "10ms") with.sample = "5ms";  // fast modes are to be seen
  SimulateCommandOptions command;
  command.model.file = with.file;
  command.duration = with.duration, command.method = with.method;
  command.step = with.step, command.sample = with.sample;
  command.max_steps = with.max_steps;
  command.rtol = with.rtol, command.atol = with.atol;
  const FlexibleSetup setup = flexible_setup(with);
  for (const PaperFigure& figure : paper_figures)
    if (!options.force && std::filesystem::exists(figure_file(options, figure.number)))
      throw IoError("exists already", figure_file(options, figure.number).string(),
                    "choose another folder or overwrite it with --force");
  if (!options.svg.empty()) {
    std::error_code error;
    std::filesystem::create_directories(options.svg, error);
  }
  SimulateOptions how = simulation_options(command, ModelKind::flexible_tree, setup.duration);
  set_flexible(how, with, setup.tree);
  how.stop = &stop_at_interrupt();
  std::optional<RunProgress> progress;
  const std::vector<FlexibleRecord> runs =
      flexible_runs(with.file, setup, how, {FlexibleModel::linear, FlexibleModel::nonlinear}, [&] {
        progress.emplace(how.start, how.start + how.duration, with.quiet);
        RunObserver observer;
        observer.progress = [&](double t, const StepStatistics&) { progress->update(t); };
        return observer;
      });
  progress.reset();
  Output output;
  if (options.json)
    write_runs(options, setup.tree, runs, output);
  else
    print_runs(setup.tree, runs, output);
  for (const auto& [number, figure, title, until] : paper_figures) {
    const Plot plot =
        plot_of_runs(setup.tree, runs, figure,
                     fmt::format("Figure {}: {} of {}", number, title, setup.tree.name), until);
    const auto file = figure_file(options, number);
    if (plot.panels.empty()) continue;
    write_text_file(file, plot_svg(plot), options.force);
    if (!options.json) output.print("  {}\n", file.string());
  }
  output.flush();
  return exit_of(command, runs);
}

}  // namespace axode::cli
