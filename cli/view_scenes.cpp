/// `axode view`: scenes of model files and mechanisms.
#include "cli/view_scenes.hpp"

#include <cmath>

#include "axode/io/flexible_file.hpp"
#include "axode/io/json.hpp"
#include "axode/io/mechanism_file.hpp"
#include "axode/io/scene_file.hpp"
#include "axode/io/text_file.hpp"
#include "axode/mechanism/simulate_mechanism.hpp"
#include "cli/duration.hpp"
#include "cli/info.hpp"
#include "cli/mechanism.hpp"

namespace axode::cli {

namespace {

constexpr double frames_per_second = 60;

ClipSeries coordinate_series(const Mechanism& m, const char* name, const char* per) {
  ClipSeries series{name, {}, {}, {}};
  for (const MechanismCoordinate& c : m.coordinates) {
    series.names.push_back(c.name);
    series.units.push_back(std::string(c.is_angle ? "rad" : "m") + per);
  }
  return series;
}

/// A clip filled sample by sample.
struct MechanismClip {
  MechanismSystem& system;
  ClipSeries values, rates;
  ClipSeries kinetic{"kinetic", {"kinetic"}, {"J"}, {}};
  ClipSeries potential{"potential", {"potential"}, {"J"}, {}};
  ClipSeries work{"work", {"work"}, {"J"}, {}};
  Clip clip{};

  explicit MechanismClip(MechanismSystem& of)
      : system(of),
        values(coordinate_series(of.mechanism(), "q", "")),
        rates(coordinate_series(of.mechanism(), "v", "/s")) {}

  void take(const MechanismSample& s) {
    const Mechanism& m = system.mechanism();
    const MechanismReading now = reading_of(
        system,
        {s.t, {s.q.begin(), s.q.end()}, {s.v.begin(), s.v.end()}, {s.a.begin(), s.a.end()}, {}});
    const std::size_t n = m.coordinates.size();
    for (std::size_t c = 0; c < n; ++c) {
      double x = now.coordinates[c].value;
      if (m.coordinates[c].is_angle && !clip.times.empty()) {  // goes on over full turns
        const double last = values.values[values.values.size() - n];
        x += 2 * pi<double> * std::round((last - x) / (2 * pi<double>));
      }
      values.values.push_back(x);
      rates.values.push_back(now.coordinates[c].rate);
    }
    clip.times.push_back(s.t);
    for (std::size_t b = 1; b < now.poses.size(); ++b) append_pose(now.poses[b], clip.poses);
    kinetic.values.push_back(s.kinetic);
    potential.values.push_back(s.potential);
    work.values.push_back(s.work);
  }
  Clip finished() {
    for (ClipSeries* series : {&values, &rates, &kinetic, &potential, &work})
      if (!series->names.empty()) clip.series.push_back(std::move(*series));
    return std::move(clip);
  }
};

Clip driven_clip(const Mechanism& mechanism, MechanismSystem& system,
                 const FormulationOptions& formulation, const std::string& file,
                 std::vector<std::string>& messages) {
  MechanismClip record(system);
  try {
    const MechanismState start = simulation_start(mechanism, system, formulation, file);
    MechanismSimulateOptions how;
    how.duration = parse_duration(MechanismOptions{}.duration, "--duration");
    how.sample_interval = 1 / frames_per_second;
    const MechanismRunResult run = simulate_mechanism(
        system, start.q, start.v, how, [&](const MechanismSample& sample) { record.take(sample); });
    if (!run.message.empty())
      messages.push_back(fmt::format("The motion ends at {:.4g} s: {}.", run.t, run.message));
  } catch (const Error& error) {
    messages.push_back(fmt::format("The drivers were not followed: {}", error.what()));
  }
  return record.clip.times.size() > 1 ? record.finished() : Clip{};
}

enum class Kind { run, tree, mechanism, flexible };

/// By the ending, or by the key that names the format.
Kind kind_of(const std::string& file) {
  if (is_run_file(file)) return Kind::run;
  if (model_format(file) == ModelFormat::urdf) return Kind::tree;
  const JsonDocument document(read_text_file(file), file);
  if (document.root().kind() != JsonKind::object) return Kind::tree;
  if (document.root().find("axode_mechanism")) return Kind::mechanism;
  return document.root().find("axode_flexible") ? Kind::flexible : Kind::tree;
}

}  // namespace

std::string scene_of_mechanism(const std::string& file) {
  const Mechanism mechanism = load_mechanism(file);
  const FormulationOptions formulation =
      formulation_named(mechanism, MechanismOptions{}.coordinates, {});
  MechanismSystem system(make_equations(mechanism, formulation));
  const MechanismState start = assembled_at(system, 0, file);
  std::vector<SE3<double>> poses(mechanism.bodies.size());
  system.poses(start.q, poses);
  SceneOptions how;
  if (!start.remark.empty()) how.messages.push_back(start.remark);
  Clip clip;
  if (!mechanism.drivers.empty())
    clip = driven_clip(mechanism, system, formulation, file, how.messages);
  return mechanism_scene(mechanism, poses, clip, how);
}

std::string scene_of_file(const ViewOptions& options) {
  const std::string& file = options.model.file;
  const Kind kind = kind_of(file);
  if (kind == Kind::run) return scene_of_run(file);
  if (kind == Kind::mechanism) return scene_of_mechanism(file);
  if (kind == Kind::flexible) {
    const FlexibleSetup setup = load_flexible(file);
    return flexible_scene(setup.tree, setup.q);
  }
  const Scene scene = load_scene(file, load_options(options.model));
  check_base_velocity(scene.tree, options.model);
  remark_on(scene.tree, options.model);
  return tree_scene(scene.tree, scene.initial.q);
}

}  // namespace axode::cli
