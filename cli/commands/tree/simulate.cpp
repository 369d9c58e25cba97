/// `axode simulate` of a tree: it moves under its forces; the run goes to a file as it comes.
#include "axode/simulate/run/simulate.hpp"

#include <filesystem>

#include "axode/core/names.hpp"
#include "axode/io/run/run_file.hpp"
#include "axode/io/scene_file.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/view/scene/scene.hpp"
#include "cli/arguments/controllers.hpp"
#include "cli/arguments/duration.hpp"
#include "cli/commands/state/state_run.hpp"
#include "cli/output/live/live.hpp"
#include "cli/output/output.hpp"
#include "cli/output/run_progress.hpp"
#include "cli/output/run_report.hpp"

namespace axode::cli {

namespace {

template <class Kind>
Kind kind_named(std::string_view text, std::span<const Kind> kinds, const char* option) {
  std::string known;
  for (const Kind kind : kinds) {
    if (is_same_name(name(kind), text)) return kind;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", name(kind));
  }
  throw UsageError(
      fmt::format("{}: there is no '{}'; choose among {}", option, printable(text), known));
}

double tolerance(double value, const char* option) {
  if (value > 0 && value < 1) return value;
  throw UsageError(
      fmt::format("{}: {} is not a tolerance; give a number between 0 and 1", option, value));
}

/// What can be said before the model is read.
SimulateOptions simulation_options(const SimulateCommandOptions& o) {
  constexpr std::array formulations{Formulation::relative, Formulation::absolute};
  SimulateOptions result;
  result.duration = parse_duration(o.duration.empty() ? "10s" : o.duration, "--for");
  if (result.duration <= 0) throw UsageError("--for: give a time above 0");
  result.method = kind_named<Method>(o.method, all_methods(), "--method");
  result.formulation = kind_named<Formulation>(o.coordinates.empty() ? "relative" : o.coordinates,
                                               formulations, "--formulation");
  try {
    method_for(result.method, result.formulation);
  } catch (const Error& error) {
    throw UsageError(fmt::format("--method: {}; {}", error.problem(), error.remedy()));
  }
  if (has_fixed_step(result.method) && !o.max_step.empty())
    throw UsageError("--max-step: this method has a fixed step; give --step");
  if (o.rtol) result.rtol = tolerance(*o.rtol, "--rtol");
  if (o.atol) result.atol = tolerance(*o.atol, "--atol");
  if (!o.step.empty()) result.step = parse_duration(o.step, "--step");
  if (!o.max_step.empty()) result.max_step = parse_duration(o.max_step, "--max-step");
  result.max_steps = o.max_steps;
  result.sample_interval = parse_duration(o.sample, "--sample");
  if (!o.out.empty()) result.checkpoint_interval = parse_duration(o.checkpoint, "--checkpoint");
  if (o.out.empty() && (o.resume || o.binary || o.force))
    throw UsageError("--resume, --binary and --force are about a run file; name it by --out");
  if (o.resume && o.force) throw UsageError("--resume excludes --force; give one of them");
  if (!o.target.empty() && o.controllers.empty())
    throw UsageError("--target: there is no controller to go there; give --controller, too");
  check_live(o.live);
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

/// The file to write to, if any, and where to go on.
struct Recording {
  std::optional<RunWriter> writer;
  std::optional<Checkpoint> from;
};

Recording recording(const SimulateCommandOptions& o, const Scene& scene,
                    const SimulateOptions& how) {
  Recording result;
  if (o.out.empty()) return result;
  RunMetadata metadata = run_metadata(scene.tree);
  metadata.command_line = o.command_line;
  metadata.model_file = o.model.file;
  metadata.model_text = reread_text_file(o.model.file, scene.tree.source_crc32);
  metadata.options = run_options_json(o, scene.initial, how);
  const RunWriterOptions how_to_write{.overwrite = o.force, .binary = o.binary};
  if (!o.resume) {
    result.writer.emplace(o.out, metadata, how_to_write);
    return result;
  }
  RunWriter::Continued run = RunWriter::resume_or_start(o.out, metadata, how_to_write);
  result.writer.emplace(std::move(run.writer));
  if (run.checkpoint) result.from = {run.checkpoint->t, std::move(run.checkpoint->numbers)};
  return result;
}

/// Where samples go: to a file, to pages, to both.
RunObserver observer_of(Recording& recording, LiveRun* live, RunProgress& progress) {
  RunObserver observer;
  observer.progress = [&progress](double t, const StepStatistics&) { progress.update(t); };
  if (recording.writer || live)
    observer.sample = [&recording, live](const Sample& s) {
      const RunSample sample{s.t, s.q, s.v, s.a, s.tau, s.kinetic, s.potential, s.stored, s.work};
      if (recording.writer) recording.writer->sample(sample);
      if (live) live->sample(sample);
    };
  if (!recording.writer) return observer;
  RunWriter& writer = *recording.writer;
  observer.checkpoint = [&writer](const Checkpoint& c) { writer.checkpoint(c.t, c.numbers); };
  return observer;
}

}  // namespace

int tree_simulate(const SimulateCommandOptions& options) {
  SimulateOptions how = simulation_options(options);
  std::error_code error;
  if (!options.out.empty() && !options.force && !options.resume &&
      std::filesystem::exists(std::filesystem::symlink_status(options.out, error)))
    throw IoError("exists already", options.out,
                  "choose another name, overwrite it with --force or go on with --resume");
  if (!options.out.empty() && !options.resume &&
      std::filesystem::equivalent(options.out, options.model.file, error))
    throw UsageError("--out: this is the model file; name another");
  const Scene scene = scene_of(options);
  check_simulation(scene.tree, scene.forces, scene.initial, how);  // before a file is touched
  std::optional<LiveRun> live;
  if (options.live.on)
    live.emplace(options.live, tree_scene(scene.tree, scene.initial.q, {}, {.live = true}),
                 run_metadata(scene.tree));
  Recording record = recording(options, scene, how);
  how.stop = &stop_at_interrupt();
  const double begin = record.from ? record.from->t : how.start;
  RunProgress progress(begin, how.start + how.duration, options.quiet);
  const auto started = std::chrono::steady_clock::now();
  const RunResult result = simulate(scene.tree, scene.forces, scene.initial, how,
                                    observer_of(record, live ? &*live : nullptr, progress),
                                    record.from ? &*record.from : nullptr);
  progress.clear();
  if (record.writer) record.writer->finish(result.t, run_summary_json(result));
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - started;
  report_run(options, result, {.simulated = result.t - begin, .wall = wall.count()});
  if (live) live->finish(result.ending, result.t, result.message);
  if (result.ending == axode::Ending::stopped) {
    warn(fmt::format("interrupted at {:.6g} s{}", result.t,
                     options.out.empty() || how.checkpoint_interval == 0
                         ? ""
                         : "; the same command with --resume goes on"));
    return exit_interrupted;
  }
  if (result.ending == axode::Ending::step_limit) throw LimitError(result.message, options.model.file);
  if (result.ending != axode::Ending::finished && result.ending != axode::Ending::event)
    throw NumericalError(result.message, options.model.file);
  return exit_ok;
}

}  // namespace axode::cli
