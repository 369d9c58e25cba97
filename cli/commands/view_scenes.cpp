/// `axode view`: scenes of model files and mechanisms.
#include "cli/commands/view_scenes.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "axode/io/flexible/flexible_file.hpp"
#include "axode/io/mechanism/mechanism_file.hpp"
#include "axode/io/mechanism/mechanism_run.hpp"
#include "axode/io/scene_file.hpp"
#include "axode/io/text/json.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/lie/rotation.hpp"
#include "cli/arguments/duration.hpp"
#include "cli/commands/info.hpp"
#include "cli/commands/mechanism/mechanism.hpp"

namespace axode::cli {

namespace {

constexpr double frames_per_second = 60, shown_seconds = 1;

constexpr std::chrono::seconds longest_wait{5};

/// Says when a time is over, from a thread of its own.
struct TimeLimit {
  explicit TimeLimit(std::chrono::seconds most)
      : watch([this, most](std::stop_token stop) {
          std::mutex mutex;
          std::unique_lock lock(mutex);
          std::condition_variable_any waiting;
          over = !waiting.wait_for(lock, stop, most, [&] { return stop.stop_requested(); });
        }) {}
  std::atomic<bool> over{false};
  std::jthread watch;
};

Clip driven_clip(const Mechanism& mechanism, MechanismSystem& system, const std::string& file,
                 std::vector<std::string>& messages) {
  MechanismSampler sampler(system);
  Run run;
  run.metadata = run_metadata(mechanism);
  try {
    const Assembly start = assembled(system, {.hold_start = true}, file);
    SimulateOptions how;
    how.duration = shown_seconds;
    how.sample_interval = 1 / frames_per_second;
    const TimeLimit limit(longest_wait);
    how.stop = &limit.over;
    const RunResult result =
        simulate(system, {start.q, start.v}, how,
                 {.sample = [&](const Sample& sample) { append(run, sampler.take(sample)); }});
    if (limit.over)
      messages.push_back(
          fmt::format("The motion is shown up to {:.4g} s: following it took too long.", result.t));
    else if (!result.message.empty())
      messages.push_back(fmt::format("The motion ends at {:.4g} s: {}.", result.t, result.message));
  } catch (const Error& error) {
    messages.push_back(fmt::format("The drivers were not followed: {}", error.what()));
  }
  return run.times.size() > 1 ? clip_of(run) : Clip{};
}

}  // namespace

std::vector<SE3<double>> first_poses(const Mechanism& mechanism, const Clip& clip) {
  std::vector<SE3<double>> poses;
  for (const MechanismBody& body : mechanism.bodies) poses.push_back(body.pose);
  if (clip.times.empty()) return poses;
  for (std::size_t b = 1; b < poses.size(); ++b) {
    const double* x = &clip.poses[7 * (b - 1)];
    poses[b] = {rotation_from_quaternion(Quaternion<double>{x[0], {x[1], x[2], x[3]}}),
                {x[4], x[5], x[6]}};
  }
  return poses;
}

ShownMechanism shown_mechanism(const ModelOptions& options) {
  const std::string& file = options.file;
  ShownMechanism shown{mechanism_of(options), {}, {}, {}};
  MechanismSystem system(make_equations(shown.mechanism, {}));
  const Assembly start = assembled(system, {}, file);
  shown.poses.resize(shown.mechanism.bodies.size());
  system.poses(start.q, shown.poses);
  if (!start.warning.empty()) shown.messages.push_back(start.warning);
  if (!shown.mechanism.drivers.empty())
    shown.clip = driven_clip(shown.mechanism, system, file, shown.messages);
  return shown;
}

std::string scene_of_file(const ViewOptions& options) {
  const std::string& file = options.model.file;
  const FileKind kind = kind_of(options.model);
  if (kind == FileKind::run) {
    const ModelOptions& o = options.model;
    if (options.more.empty() && (o.merge_fixed || o.free_base || !o.base_velocity.empty()))
      throw UsageError(
          "--merge-fixed, --free-base, --base-velocity: a run has its model as it was; "
          "leave them out");
    return scene_of_run(file, false, o.mesh_roots);
  }
  if (kind == FileKind::mechanism) {
    const ShownMechanism shown = shown_mechanism(options.model);
    return mechanism_scene(shown.mechanism, shown.poses, shown.clip, {.messages = shown.messages});
  }
  if (kind == FileKind::flexible) {
    const FlexibleSetup setup = load_flexible(file);
    return flexible_scene(setup.tree, setup.q);
  }
  const Scene scene = load_scene(file, load_options(options.model));
  check_base_velocity(scene.tree, options.model);
  remark_on(scene.tree, options.model);
  return tree_scene(scene.tree, scene.initial.q);
}

}  // namespace axode::cli
