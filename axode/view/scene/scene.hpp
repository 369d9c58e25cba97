/// Scenes for the viewer: a model and what happens with it as one JSON object, all a page needs.
///
///   write_text_file("arm.html", view_page({tree_scene(tree, neutral(tree))}), false);
///
/// Trees and flexible trees are moved by their coordinates, mechanisms by recorded poses; viewer/src
/// reads the format. Shapes are those of the model; mesh files are put into the page. O(size of the
/// clip).
/// Tests: tests/view/scene/scene_test.cpp
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "axode/flexible/tree/flexible_tree.hpp"
#include "axode/mechanism/description/mechanism.hpp"
#include "axode/model/state.hpp"
#include "axode/view/scene/clip.hpp"

namespace axode {

struct SceneOptions {
  std::string title = {};                  ///< by default the name of the model
  std::vector<std::string> messages = {};  ///< shown on the page
  /// Larger clips are decimated, and the page says so [bytes of float32].
  std::size_t max_bytes = 50'000'000;
  /// Larger mesh files are left out, and those that make their sum larger; the page says so.
  std::size_t max_mesh_bytes = 20'000'000, max_meshes_bytes = 200'000'000;
  bool live = false;  ///< samples come by the stream beside the page (live.hpp)
};

/// The tree at the coordinates `start`, or its run.
std::string tree_scene(const Tree& tree, In<double> start, const Clip& clip = {},
                       const SceneOptions& options = {});
/// Links are drawn as their beams, bent as the modes say.
std::string flexible_scene(const FlexibleTree& tree, In<double> start, const Clip& clip = {},
                           const SceneOptions& options = {});
/// The clip has poses of all bodies but the ground; without one the mechanism stands at `poses`.
std::string mechanism_scene(const Mechanism& mechanism, std::span<const SE3<double>> poses,
                            const Clip& clip = {}, const SceneOptions& options = {});

/// The page with these scenes: one HTML file that needs nothing else.
std::string view_page(const std::vector<std::string>& scenes);

}  // namespace axode
