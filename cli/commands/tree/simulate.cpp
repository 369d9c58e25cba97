/// `axode simulate` of a tree: it moves under its forces; the run goes to a file as it comes.
#include "axode/simulate/run/simulate.hpp"

#include <chrono>
#include <utility>

#include "axode/io/export/export_run.hpp"
#include "axode/io/scene_file.hpp"
#include "axode/io/text/json.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/view/scene/scene.hpp"
#include "cli/arguments/controllers.hpp"
#include "cli/arguments/duration.hpp"
#include "cli/commands/recording.hpp"
#include "cli/output/output.hpp"
#include "cli/output/run_report.hpp"

namespace axode::cli {

namespace {

/// With the formulation, and what only trees have.
SimulateOptions tree_options(const SimulateCommandOptions& o) {
  SimulateOptions result = simulation_options(o, ModelKind::tree);
  try {
    result.formulation = formulation_named(o.coordinates.empty() ? "relative" : o.coordinates);
  } catch (const Error& error) {
    throw UsageError(fmt::format("--formulation: there is no '{}'; {}", printable(o.coordinates),
                                 error.remedy()));
  }
  try {
    method_for(result.method, result.formulation);
  } catch (const Error& error) {
    throw UsageError(fmt::format("--method: {}; {}", error.problem(), error.remedy()));
  }
  if (!o.target.empty() && o.controllers.empty())
    throw UsageError("--target: there is no controller to go there; give --controller, too");
  return result;
}

/// The numbers of the option, the others being those of before; joints that follow do so.
void set_given(const StateSpace& space, Order order, std::span<const std::string> values,
               const char* option, std::vector<double>& numbers) {
  if (values.empty()) return;
  const Values given = from_arguments(space, order, values, option);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (given.given[i]) numbers[i] = given.numbers[i];
  const Tree& tree = space.tree;
  numbers = order == Order::q ? expand_configuration(tree, independent_configuration(tree, numbers))
                              : expand_velocity(tree, independent_velocity(tree, numbers));
}

Scene scene_of(const SimulateCommandOptions& o) {
  Scene scene = load_scene(o.model.file, load_options(o.model));
  check_base_velocity(scene.tree, o.model);
  remark_on(scene.tree, o.model);
  if (o.no_gravity) scene.tree.gravity = {0, 0, 0};
  const StateSpace space(scene.tree);
  set_given(space, Order::q, o.q, "--q", scene.initial.q);
  set_given(space, Order::v, o.v, "--v", scene.initial.v);
  if (!o.controllers.empty()) {
    std::vector<double> target = scene.initial.q;
    set_given(space, Order::q, o.target, "--target", target);
    scene.forces.controllers =
        parse_controllers(scene.tree, o.controllers, scene.initial.q, target);
  }
  return scene;
}

RunMetadata metadata_of(const SimulateCommandOptions& o, const Scene& scene,
                        const SimulateOptions& how) {
  RunMetadata metadata = run_metadata(scene.tree);
  metadata.model_text = reread_text_file(o.model.file, scene.tree.source_crc32);
  std::vector<RunOption> more = run_options(o, scene.initial);
  more.push_back({"merge_fixed", o.model.merge_fixed ? "true" : "false"});
  more.push_back({"free_base", o.model.free_base ? "true" : "false"});
  more.push_back({"base_velocity", json_string(o.model.base_velocity)});
  metadata.options = run_options_json(scene.tree, how, more);
  return metadata;
}

/// Samples for a table, if one is requested.
std::optional<Run> table_of(const SimulateCommandOptions& o, const Scene& scene,
                            const SimulateOptions& how) {
  constexpr double max_rows = 1e7;
  if (!o.kind.csv && output_of(o, ModelKind::tree) != SimulateOutput::table) return {};
  check_rows(how, max_rows);
  std::optional<Run> table(std::in_place);
  table->metadata = run_metadata(scene.tree);
  return table;
}

void write_results(const SimulateCommandOptions& o, const std::optional<Run>& table,
                   const RunResult& result, const RunTiming& timing) {
  Output output;
  const bool to_file = output_of(o, ModelKind::tree) == SimulateOutput::table;
  if (to_file) export_run(*table, o.out, {}, o.force);
  if (o.json || !o.kind.csv) report_run(o, result, timing, output);
  if (o.kind.csv) output.text(csv_of(*table));
  output.flush();
}

}  // namespace

int tree_simulate(const SimulateCommandOptions& options) {
  SimulateOptions how = tree_options(options);
  check_run_file(options);
  const Scene scene = scene_of(options);
  how.method =
      check_simulation(scene.tree, scene.forces, scene.initial, how);  // before a file is touched
  std::optional<LiveRun> live;
  if (options.live.on)
    live.emplace(options.live, tree_scene(scene.tree, scene.initial.q, {}, {.live = true}),
                 run_metadata(scene.tree));
  RunRecorder record;
  if (has_run_file(options, ModelKind::tree)) {
    record = recorder_of(options, metadata_of(options, scene, how));
    record.open();
  }
  std::optional<Run> table = table_of(options, scene, how);
  how.stop = &stop_at_interrupt();
  const double begin = record.begin(how.start);
  RunProgress progress(begin, how.start + how.duration, options.quiet);
  RunObserver observer = observer_of(record, live ? &*live : nullptr, progress, run_sample);
  if (table)
    observer.sample = [&table, next = std::move(observer.sample)](const Sample& sample) {
      append(*table, run_sample(sample));
      next(sample);
    };
  const auto started = std::chrono::steady_clock::now();
  const RunResult result =
      simulate(scene.tree, scene.forces, scene.initial, how, observer, record.from());
  progress.clear();
  record.finish(result.t, run_summary_json(result, ModelKind::tree));
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - started;
  write_results(options, table, result, {.simulated = result.t - begin, .wall = wall.count()});
  if (live) live->finish(result.ending, result.t, result.message);
  return exit_of(options, ModelKind::tree, result, options.model.file);
}

}  // namespace axode::cli
