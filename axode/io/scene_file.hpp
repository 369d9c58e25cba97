/// A scene: a tree with the forces that act on it and its state at the start, from one model file.
///
/// Files of Axode's format say all of it (docs/model_format.md); URDF has the tree alone, with friction
/// and limits of its joints. load_tree reads the tree of the same files.
/// Tests: tests/io/scene_file_test.cpp
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "axode/io/model_file.hpp"
#include "axode/io/native/native.hpp"
#include "axode/simulate/forces/forces.hpp"

namespace axode {

struct Scene {
  Tree tree;
  Forces forces;
  State<double> initial;  ///< neutral and at rest unless the file says other
};
/// Throws IoError, LimitError and Error "file:line: problem; remedy" like load_tree.
Scene load_scene(const std::filesystem::path& file, const LoadOptions& options = {});
/// The same from text in Axode's format.
Scene parse_scene(std::string_view text, const std::string& source,
                  const NativeOptions& options = {}, const BuildOptions& build_options = {});

/// What a file of Axode's format says beside the tree, as text for NativeWriteOptions::parts; empty for
/// URDF and for files that say nothing. A model written anew keeps it so.
std::string scene_parts(const std::filesystem::path& file);

}  // namespace axode
