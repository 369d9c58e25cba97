/// What pictures and animations show: coloured meshes on bodies, and where the bodies are over time.
///
///   const Drawing drawing = tree_drawing(tree, neutral(tree), clip_of(run));
///   write_text_file("fall.glb", gltf_of(drawing), false);
///
/// It looks as in the viewer: shapes and meshes of the model where it has any, else rods between the
/// joints; elastic links are tubes. A tube bends by its morph targets, one for each elastic coordinate
/// [m, rad]: displacements are exact, as they are linear in these; rotations of sections are of first
/// order. O(samples * bodies + size of the meshes).
/// Tests: tests/view/picture/drawing_test.cpp
#pragma once
#include <array>
#include <string>
#include <vector>

#include "axode/flexible/tree/flexible_tree.hpp"
#include "axode/io/mesh/mesh_file.hpp"
#include "axode/mechanism/description/mechanism.hpp"
#include "axode/model/state.hpp"
#include "axode/view/scene/clip.hpp"

namespace axode {

/// What a unit of a weight adds to the positions and normals of a mesh.
struct MorphTarget {
  std::string name;
  std::vector<Vec3<double>> positions, normals;
};
struct DrawingPart {
  int body = -1;                                 ///< that carries it; -1: the world
  TriangleMesh mesh{};                           ///< in the frame of the body [m]
  std::array<double, 4> rgba{0.5, 0.5, 0.5, 1};  ///< linear, as light adds up
  std::vector<MorphTarget> targets{};
  std::size_t first_weight = 0;  ///< of those, among the weights of the drawing
};
/// The axis of a joint, in the frame of the body it moves.
struct DrawingAxis {
  int body = -1;
  Vec3<double> point{}, direction{};  ///< unit vector
};

struct Drawing {
  std::string name;
  std::vector<std::string> bodies;  ///< their names
  std::vector<DrawingPart> parts;
  std::vector<DrawingAxis> axes;
  std::vector<double> times;       ///< increasing [s]; empty if it stands
  std::vector<SE3<double>> poses;  ///< T_WB by time and body; one row if it stands
  std::size_t weight_count = 0;
  std::vector<double> weights;        ///< by time and elastic coordinate
  double size = 1;                    ///< about [m]
  bool planar = false;                ///< seen from above at home
  std::vector<std::string> messages;  ///< what is left out
};

struct DrawingOptions {
  std::size_t max_bytes = 50'000'000;       ///< of poses as float32: longer runs are thinned out
  std::size_t max_mesh_bytes = 20'000'000;  ///< larger mesh files are left out
};

/// The tree at the coordinates `start`, or its run.
Drawing tree_drawing(const Tree& tree, In<double> start, const Clip& clip = {},
                     const DrawingOptions& options = {});
Drawing flexible_drawing(const FlexibleTree& tree, In<double> start, const Clip& clip = {},
                         const DrawingOptions& options = {});
/// The clip has poses of all bodies but the ground; without one the mechanism stands at `poses`.
Drawing mechanism_drawing(const Mechanism& mechanism, std::span<const SE3<double>> poses,
                          const Clip& clip = {}, const DrawingOptions& options = {});

/// Poses of the bodies and weights at one time.
struct DrawingState {
  std::vector<SE3<double>> poses;
  std::vector<double> weights;
};
/// Between samples positions and weights are linear and rotations steady; outside it stands.
DrawingState state_at(const Drawing& drawing, double t);
/// Positions and normals of a part in the world.
TriangleMesh mesh_at(const DrawingPart& part, const DrawingState& state);

}  // namespace axode
