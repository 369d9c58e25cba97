/// Drawings of model files and runs: see view_scenes.hpp.
#include "axode/io/scene_file.hpp"
#include "cli/commands/info.hpp"
#include "cli/commands/view_scenes.hpp"
#include "cli/output/loaded_run.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

namespace {

Drawing drawing_of_run(const ModelOptions& options, bool salvage) {
  const LoadedRun loaded = load_run(options.file, salvage, options.mesh_roots);
  if (const auto* flexible = std::get_if<FlexibleSetup>(&loaded.model))
    return flexible_drawing(flexible->tree, flexible->q, loaded.clip);
  if (const auto* mechanism = std::get_if<Mechanism>(&loaded.model))
    return mechanism_drawing(*mechanism, first_poses(*mechanism, loaded.clip), loaded.clip);
  const Tree& tree = std::get<Tree>(loaded.model);
  return tree_drawing(tree, neutral(tree), loaded.clip);
}

Drawing drawing_of_model(FileKind kind, const ModelOptions& options) {
  if (kind == FileKind::mechanism) {
    const ShownMechanism shown = shown_mechanism(options);
    for (const std::string& message : shown.messages) warn(message);
    return mechanism_drawing(shown.mechanism, shown.poses, shown.clip);
  }
  if (kind == FileKind::flexible) {
    const FlexibleSetup setup = load_flexible(options.file);
    return flexible_drawing(setup.tree, setup.q);
  }
  const Scene scene = load_scene(options.file, load_options(options));
  check_base_velocity(scene.tree, options);
  remark_on(scene.tree, options);
  return tree_drawing(scene.tree, scene.initial.q);
}

}  // namespace

Drawing drawing_of_file(const ModelOptions& options, bool salvage) {
  const FileKind kind = kind_of(options);
  Drawing drawing =
      kind == FileKind::run ? drawing_of_run(options, salvage) : drawing_of_model(kind, options);
  for (const std::string& message : drawing.messages) warn(message);
  return drawing;
}

}  // namespace axode::cli
