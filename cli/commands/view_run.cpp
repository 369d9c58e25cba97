/// `axode view RUN`: the scene of a run, by the model that is kept in it.
#include <algorithm>
#include <cmath>

#include "axode/core/finite.hpp"
#include "axode/view/scene/tree_reactions.hpp"
#include "cli/commands/view_scenes.hpp"
#include "cli/output/loaded_run.hpp"

namespace axode::cli {

namespace {

/// Of the first sample that is finite; neutral if there is none.
std::vector<double> first_coordinates(const Tree& tree, const Run& run) {
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    const auto first = run.q.begin() + static_cast<std::ptrdiff_t>(i * run.nq());
    std::vector<double> q(first, first + static_cast<std::ptrdiff_t>(run.nq()));
    if (all_finite(q)) return q;
  }
  return neutral(tree);
}

}  // namespace

std::string scene_of_run(const std::string& file, bool salvage,
                         const std::vector<std::string>& mesh_roots) {
  const LoadedRun loaded = load_run(file, salvage, mesh_roots);
  const Run& run = loaded.run;
  const SceneOptions how{.title = title_of(run.metadata, file), .messages = loaded.messages};
  if (const auto* flexible = std::get_if<FlexibleSetup>(&loaded.model))
    return flexible_scene(flexible->tree, flexible->q, loaded.clip, how);
  if (const auto* mechanism = std::get_if<Mechanism>(&loaded.model))
    return mechanism_scene(*mechanism, first_poses(*mechanism, loaded.clip), loaded.clip, how);
  const Tree& tree = std::get<Tree>(loaded.model);
  const std::vector<double> start = first_coordinates(tree, run);
  Clip clip = loaded.clip;
  clip.series.push_back(tree_reactions(tree, loaded.forces, run));
  if (clip_bytes(clip) > how.max_bytes) clip.series.pop_back();  // what was recorded goes first
  return tree_scene(tree, start, clip, how);
}

}  // namespace axode::cli
