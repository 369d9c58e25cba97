/// What `axode view` shows of a file: its scene, by the kind of the file.
/// Tests: tests/cli/view_test.py
#pragma once
#include <string>

#include "axode/io/file_kind.hpp"
#include "axode/view/picture/drawing.hpp"
#include "axode/view/scene/scene.hpp"
#include "cli/commands/commands.hpp"

namespace axode::cli {

/// Of a tree (URDF or native), a mechanism, a flexible model, or a run of any of them.
std::string scene_of_file(const ViewOptions& options);
/// A mechanism moved by its drivers for a second;
/// without drivers, or if that fails, as it is assembled.
struct ShownMechanism {
  Mechanism mechanism;
  std::vector<SE3<double>> poses;  ///< assembled
  Clip clip;
  std::vector<std::string> messages;
};
ShownMechanism shown_mechanism(const ModelOptions& options);
/// Poses of all bodies at the first sample of the clip, at the reference if there is none.
std::vector<SE3<double>> first_poses(const Mechanism& mechanism, const Clip& clip);
/// A run; the page says if it is cut, or if the file of the model has changed since.
std::string scene_of_run(const std::string& file, bool salvage = false,
                         const std::vector<std::string>& mesh_roots = {});

/// The same files as drawings, for pictures and animations. What the drawing says of itself are
/// warnings on standard error.
Drawing drawing_of_file(const ModelOptions& options, bool salvage);

}  // namespace axode::cli
