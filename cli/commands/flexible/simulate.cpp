/// `axode simulate` of a flexible tree: the motion by the linear or the exact equations, or both.
#include <array>
#include <filesystem>
#include <optional>

#include "axode/io/run/run_file.hpp"
#include "axode/io/text/json.hpp"
#include "axode/io/text/json_values.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/version.hpp"
#include "axode/view/scene/scene.hpp"
#include "cli/arguments/duration.hpp"
#include "cli/commands/flexible/runs.hpp"
#include "cli/output/live/live.hpp"
#include "cli/output/run_progress.hpp"

namespace axode::cli {

FlexibleSimulateOptions flexible_run_options(const FlexibleOptions& o, const FlexibleSetup& setup) {
  FlexibleSimulateOptions how;
  how.duration = !o.duration.empty()  ? parse_duration(o.duration, "--for")
                 : setup.duration > 0 ? setup.duration
                                      : 10;
  if (!(how.duration > 0)) throw UsageError("--for: give a time above 0");
  try {
    how.method = method_named(o.method);
  } catch (const Error& e) {
    throw UsageError(fmt::format("--method: {}; {}", e.problem(), e.remedy()));
  }
  how.sample_interval = parse_duration(o.sample, "--sample");
  if (how.sample_interval > 0 && how.duration / how.sample_interval > 1e6)
    throw LimitError(fmt::format("{:.3g} samples", how.duration / how.sample_interval), "--sample",
                     "give a longer --sample: 1e6 are the most");
  if (!o.step.empty()) how.step = parse_duration(o.step, "--step");
  if (!o.step.empty() && !(how.step > 0)) throw UsageError("--step: give a time above 0");
  how.max_steps = o.max_steps;
  for (const double x : {o.rtol, o.atol})
    if (!(x > 0 && x < 1)) throw UsageError("--rtol, --atol: give tolerances between 0 and 1");
  how.rtol = o.rtol;
  how.atol = o.atol;
  how.dynamics.fall_back = o.fallback;
  how.dynamics.exact_coordinates = exact_coordinates(o, setup.tree);
  return how;
}

std::vector<FlexibleRecord> flexible_runs(
    const FlexibleOptions& options, const FlexibleSetup& setup,
    const std::vector<FlexibleModel>& models,
    const std::function<void(const FlexibleSample&)>& observer) {
  FlexibleSimulateOptions how = flexible_run_options(options, setup);
  how.stop = &stop_at_interrupt();
  std::vector<FlexibleRecord> runs;
  for (const FlexibleModel model : models) {
    if (*how.stop) break;
    FlexibleRecord record;
    record.model = how.dynamics.model = model;
    FlexibleSimulateOptions mine = how;
    if (model == FlexibleModel::nonlinear) mine.dynamics.exact_coordinates.clear();
    RunProgress progress(how.start, how.start + how.duration, options.quiet);
    const auto take = [&](const FlexibleSample& s) {
      record.times.push_back(s.t);
      record.q.emplace_back(s.q.begin(), s.q.end());
      record.v.emplace_back(s.v.begin(), s.v.end());
      record.tau.emplace_back(s.tau.begin(), s.tau.end());
      record.kinetic.push_back(s.kinetic);
      record.gravity.push_back(s.gravity);
      record.elastic.push_back(s.elastic);
      record.work.push_back(s.work);
      if (observer) observer(s);
      progress.update(s.t);
    };
    record.result = simulate_flexible(setup.tree, setup.forces, setup.q, setup.v, mine, take);
    progress.clear();
    for (const std::string& warning : record.result.warnings)
      warn(fmt::format("{}: {} model: {}", options.file, name(model), warning));
    runs.push_back(std::move(record));
  }
  return runs;
}

int exit_of(const FlexibleOptions& options, const std::vector<FlexibleRecord>& runs) {
  for (const FlexibleRecord& run : runs) {
    if (run.result.ending == Ending::stopped) {
      warn(fmt::format("interrupted at {:.6g} s", run.result.t));
      return exit_interrupted;
    }
    if (run.result.ending == Ending::step_limit) throw LimitError(run.result.message, options.file);
    if (run.result.ending != Ending::finished)
      throw NumericalError(
          run.result.message.empty() ? std::string(name(run.result.ending)) : run.result.message,
          fmt::format("{}: {} model", options.file, name(run.model)));
  }
  return exit_ok;
}

namespace {

RunMetadata metadata_of(const FlexibleOptions& options, const FlexibleSetup& setup,
                        const FlexibleSimulateOptions& how) {
  const FlexibleTree& tree = setup.tree;
  RunMetadata all;
  all.axode_version = version;
  all.command_line = options.command_line;
  all.model_name = tree.name;
  all.model_file = options.file;
  all.model_text = reread_text_file(options.file, setup.source_crc32);
  all.q_names = all.v_names = tree.coordinate_names;
  for (int c = 0; c < tree.size; ++c) {
    const std::string unit = unit_of(tree, c);
    all.q_units.push_back(unit);
    all.v_units.push_back(unit + "/s");
    all.a_units.push_back(unit + "/s^2");
    all.tau_units.emplace_back(force_unit_of(tree, c));
  }
  all.options = fmt::format(
      "{{\"equations\": {}, \"method\": {}, \"duration\": {}, \"sample\": {}, \"rtol\": {}, "
      "\"atol\": {}}}",
      json_string(name(flexible_model(options, FlexibleModel::linear))),
      json_string(name(how.method)), json_number(how.duration), json_number(how.sample_interval),
      json_number(how.rtol), json_number(how.atol));
  return all;
}

std::string closing_json(const FlexibleRunResult& r) {
  std::string warnings;
  for (const std::string& text : r.warnings)
    warnings += (warnings.empty() ? "" : ", ") + json_string(text);
  return fmt::format(
      "{{\"ending\": {}, \"message\": {}, \"method\": {}, \"steps\": {}, \"rejected\": {}, "
      "\"fallbacks\": {}, \"energy_drift\": {}, \"energy_scale\": {}, \"warnings\": [{}]}}",
      json_string(name(r.ending)), json_string(r.message), json_string(name(r.method)),
      r.statistics.steps, r.statistics.rejected, r.fallbacks, json_number(r.energy_drift),
      json_number(r.energy_scale), warnings);
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

}  // namespace

int flexible_simulate(const FlexibleOptions& options) {
  const std::vector<FlexibleModel> models = models_of(options);
  const bool run_file = options.out.ends_with(".mcap");
  if (run_file && models.size() > 1)
    throw UsageError("--out: a run file holds one run; choose one by --equations, or a CSV file");
  if (options.live.on && models.size() > 1)
    throw UsageError("--live: a page shows one run; choose one by --equations");
  check_live(options.live);
  const FlexibleSetup setup = flexible_setup(options);
  const FlexibleSimulateOptions how = flexible_run_options(options, setup);
  check_flexible_simulation(setup.tree, setup.forces, setup.q, setup.v, how);
  check_folder(options);
  std::optional<LiveRun> live;
  if (options.live.on)
    live.emplace(options.live, flexible_scene(setup.tree, setup.q, {}, {.live = true}),
                 metadata_of(options, setup, how));
  std::optional<RunWriter> writer;
  if (run_file)
    writer.emplace(options.out, metadata_of(options, setup, how),
                   RunWriterOptions{options.force, false});
  const std::vector<FlexibleRecord> runs =
      flexible_runs(options, setup, models, [&](const FlexibleSample& s) {
        const RunSample sample{s.t,       s.q,       s.v,       s.rates, s.tau,
                               s.kinetic, s.gravity, s.elastic, s.work};
        if (writer) writer->sample(sample);
        if (live) live->sample(sample);
      });
  if (runs.empty()) return exit_interrupted;
  if (writer) writer->finish(runs[0].result.t, closing_json(runs[0].result));
  Output output;
  if (options.json)
    write_runs(options, setup.tree, runs, output);
  else if (!options.csv)
    print_runs(setup.tree, runs, output);
  if (options.csv) rows_of(setup.tree, runs).finish("", false, output);
  if (!run_file && !options.out.empty())
    rows_of(setup.tree, runs).finish(options.out, options.force, output);
  write_plots(options, setup.tree, runs);
  output.flush();
  if (live) live->finish(runs[0].result.ending, runs[0].result.t, runs[0].result.message);
  return exit_of(options, runs);
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
  const FlexibleSetup setup = flexible_setup(with);
  for (const PaperFigure& figure : paper_figures)
    if (!options.force && std::filesystem::exists(figure_file(options, figure.number)))
      throw IoError("exists already", figure_file(options, figure.number).string(),
                    "choose another folder or overwrite it with --force");
  if (!options.svg.empty()) {
    std::error_code error;
    std::filesystem::create_directories(options.svg, error);
  }
  const std::vector<FlexibleRecord> runs =
      flexible_runs(with, setup, {FlexibleModel::linear, FlexibleModel::nonlinear});
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
  return exit_of(options, runs);
}

}  // namespace axode::cli
