/// URDF files of robots, read strictly and written.
///
/// Reading. Links become bodies in their link frames, joints are placed by their origin with the
/// axis through it: revolute, continuous, prismatic, fixed, planar (normal = axis; with axis z the
/// displacements are along x and y of the joint frame), floating (free). Mimic, limits, dynamics,
/// shapes and materials are kept. A root link named "world" is the world itself; any other root is
/// fixed to it, or free. What is wrong throws Error with file:line and a remedy; what is only odd
/// (no limits, unknown elements, meshes not found) leaves warnings in the description.
///
///   Tree tree = build(read_urdf("arm.urdf"));
///   write_text_file("copy.urdf", urdf_text(tree), false);
///
/// Reading is O(size of the file). Tests: tests/io/urdf/urdf_test.cpp, tests/io/urdf/hostile_urdf_test.cpp
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "axode/model/tree.hpp"

namespace axode {

struct UrdfOptions {
  /// Folders in which meshes may lie; no other is looked into. read_urdf adds the folder of the
  /// file.
  std::vector<std::filesystem::path> mesh_roots;
  /// The root link moves freely instead of being fixed to the world.
  bool free_base = false;
  /// Form of the velocity of floating joints: body, spatial or hybrid.
  Rep base_velocity = Rep::body;
};

/// The model in the text, for build(). `source` is the name for messages.
TreeDescription parse_urdf(std::string_view text, std::string source,
                           const UrdfOptions& options = {});
TreeDescription read_urdf(const std::filesystem::path& file, const UrdfOptions& options = {});

/// The tree as URDF. Who reads it gets all bodies with the same names, inertias, shapes and poses,
/// and besides them massless ones, where URDF has no such thing:
///  - a link frame must lie on its joint's axis: a body whose frame does not hangs, by a fixed
///    joint, on a massless link that does;
///  - helical joints are a revolute joint of the same name and a prismatic one that follows it;
///    other joints of several degrees of freedom are chains of joints NAME_1, NAME_2, ... of one degree of freedom
///    (planar ones too if they have limits or friction);
///  - named frames are massless links on fixed joints.
/// The root link is "world". The largest number stands for no limit. Gravity and the velocity form
/// of free joints are not part of URDF. Throws Error on spherical joints in quaternions, joints in
/// coordinates of the first kind whose screws do not commute, limits and friction of free joints,
/// and armatures.
std::string urdf_text(const Tree& tree);

}  // namespace axode
