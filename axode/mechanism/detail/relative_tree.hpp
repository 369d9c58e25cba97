/// The tree (model/tree.hpp) that a mechanism is when its cut joints are left out.
///
/// Bodies have the frames they have in the mechanism, and joints its joint coordinates, whichever
/// way they are passed. Where loops are closed as a whole [GarciaBayo (2.3)] cut joints stay, too:
/// each carries a body without mass, at the end of the chain, that has to coincide with body j.
/// Tests: tests/mechanism/detail/relative_tree_test.cpp
#pragma once
#include <vector>

#include "axode/mechanism/description/spanning_tree.hpp"
#include "axode/mechanism/detail/joint_motion.hpp"
#include "axode/model/tree.hpp"

namespace axode {

struct RelativeTree {
  Tree tree;
  std::vector<int> tree_body;   ///< by body of the mechanism; -1 the world
  std::vector<int> joint;       ///< by body of the tree: joint of the mechanism; -1 a free joint
  std::vector<int> stands_for;  ///< by body of the tree: body of the mechanism it is, or at its end
  /// By velocity of the tree: the coordinate of the mechanism that it is the rate of; -1: none,
  /// as of spherical and free joints.
  std::vector<int> coordinate;
  std::vector<int> ends;  ///< bodies of the tree without mass, of cut joints, ascending
};

RelativeTree relative_tree(const Mechanism& mechanism, const SpanningTree& spanning,
                           bool close_whole = false);

/// The coordinates of the tree at these poses of the bodies of the mechanism: measured joint by
/// joint, exact if the poses agree with the joints; angles on the turn that is nearest to the starting
/// value, those of screws on the turn that their distance has.
std::vector<double> coordinates_at(const Mechanism& mechanism, const Tree& tree,
                                   const std::vector<int>& tree_joints,
                                   const std::vector<int>& stands_for,
                                   std::span<const SE3<double>> poses);

}  // namespace axode
