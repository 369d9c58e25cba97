/// Building a tree: each body with its inertia and joint, in the order and geometry form at hand.
///
///   auto tree = TreeBuilder{}
///     .body("upper", {.mass = 2.1, .com = {0, 0, .2}})
///       .joint("shoulder", revolute({.axis = {0, 1, 0}, .point = {0, 0, .3}}))   // world, q = 0
///     .body("lower", {.mass = 1.2}).on("upper")
///       .joint("elbow", revolute({.axis = {0, 1, 0}}), body_screws(translation(Vec3{0., 0., .4})))
///       .limits(-2, 2).damping(.1)
///     .frame("tool", {.on = "lower", .at = translation(Vec3{0., 0., .4})})
///     .build();
///
/// All checks are made by build(), once for builders and files.
/// Tests: tests/model/builder_test.cpp
#pragma once
#include <string>

#include "axode/model/description.hpp"
#include "axode/model/tree.hpp"

namespace axode {

struct BuildOptions {
  /// Bodies on fixed joints become part of the body they are on; their own frames stay as named
  /// frames, their shapes and inertias move over.
  bool merge_fixed_joints = false;
};

/// Checks the description and makes the tree. Throws Error, with name (and file:line), on: empty or
/// duplicate names; unknown parents, children or leaders; a body with no or two joints; cycles;
/// numbers that are not finite; negative mass; clearly indefinite inertia; a rotation that is not
/// orthonormal; lower limit above upper; negative damping, friction or armature; couplings with
/// itself, in a cycle, or of joints with several degrees of freedom. Smaller sins leave warnings.
Tree build(const TreeDescription& description, const BuildOptions& options = {});

struct FrameOn {
  std::string on = world_name;
  SE3<double> at{};
};

class TreeBuilder {
 public:
  explicit TreeBuilder(std::string name = {});
  TreeBuilder& gravity(const Vec3<double>& g);
  /// Begins a body; what follows up to the next belongs to it. Inertia in the body frame.
  TreeBuilder& body(std::string name, const Inertia<double>& inertia = {});
  /// The parent: a body, also one declared later. Without this the world.
  TreeBuilder& on(std::string parent);
  /// The joint. Its screws are in the frame of the placement's form, by default the world at q = 0
  /// with the body frame there, too.
  TreeBuilder& joint(std::string name, const Joint& joint, const Placement& placement = {});
  TreeBuilder& joint(std::string name, const PlacedJoint& placed);
  /// For degree of freedom k of the joint (of the last body).
  TreeBuilder& limits(double lower, double upper, int k = 0);
  TreeBuilder& max_velocity(double value, int k = 0);
  TreeBuilder& max_effort(double value, int k = 0);
  TreeBuilder& damping(double value, int k = 0);
  TreeBuilder& friction(double value, int k = 0);
  TreeBuilder& armature(double value, int k = 0);
  /// q = ratio * q_leader + offset.
  TreeBuilder& mimic(std::string leader, double ratio = 1, double offset = 0);
  TreeBuilder& shape(Shape shape);
  /// A named frame on a body or the world.
  TreeBuilder& frame(std::string name, const FrameOn& place);

  Tree build(const BuildOptions& options = {}) const;
  /// What was said so far.
  const TreeDescription& description() const noexcept { return description_; }

 private:
  JointDescription& current_joint(const char* what);
  Dof& dof(int k, const char* what);
  TreeDescription description_;
};

}  // namespace axode
