/// A mechanism from a tree, such as one read from URDF, and joints that close loops in it.
///
/// Every joint of the tree becomes one of the mechanism, with the same coordinates: zero where the
/// tree's are. Joints that follow others become couplings. The reference configuration is that of
/// the q given. Motions that no joint of a mechanism has (translations in two or three directions,
/// given screws) are refused; free joints are none: the body is just not held. Damping of joints of
/// one degree of freedom stays; limits, dry friction and armature do not. Named frames become points.
/// Tests: tests/mechanism/description/from_tree_test.cpp
#pragma once
#include <array>
#include <span>
#include <string>
#include <vector>

#include "axode/mechanism/description/builder.hpp"
#include "axode/model/tree.hpp"

namespace axode {

/// A joint that closes a loop, between two bodies of the tree (or world_name), each with the frame
/// of the joint on it: z the axis, x the direction from which angles count. Of universal joints z
/// is the axis on each body; of those that keep a length, `value` is it.
struct TreeLoop {
  std::string name{};
  PairType type = PairType::spherical;
  std::array<std::string, 2> body{};
  std::array<SE3<double>, 2> frame{};  ///< T_BJ on each body
  double value = 0, pitch = 0, offset = 0;
};

/// The tree by names, to add loops, drivers and forces to. Reference poses are those at q, or at
/// the zero configuration if it is empty. Throws Error, naming the joint, on what mechanisms cannot
/// express.
MechanismDescription describe_tree(const Tree& tree, std::span<const double> q = {});

/// The same with loops, checked and finished. Throws Error also on unknown bodies and names used
/// twice.
Mechanism mechanism_from_tree(const Tree& tree, std::span<const TreeLoop> loops,
                              std::span<const double> q = {});

}  // namespace axode
