/// A spanning tree of a mechanism's bodies, rooted at the world, and its loops.
///
/// Every joint that is not in the tree is cut and closes one fundamental loop; there are
/// (joints) - (bodies without ground) of them, free joints of otherwise loose bodies counted
/// [GarciaBayo 2.1.1, Ex. 2.4]. The tree is grown breadth first, which gives short chains, and then
/// improved by exchanging a cut joint with one of its loop as long as fewer closing equations, or
/// joints in loops, result: of an RSCR loop the spherical joint is cut, three equations are left.
/// Cost: O((joints + joints in all loops) log bodies); loops through many others are left as grown.
/// Tests: tests/mechanism/description/spanning_tree_test.cpp
#pragma once
#include <span>
#include <vector>

#include "axode/mechanism/description/mechanism.hpp"

namespace axode {

struct SpanningTree {
  /// parent_joint of a body that hangs on the world by a free joint (in the plane: of three
  /// degrees of freedom), as no joint that can carry a body leads to it.
  static constexpr int free_joint = -2;
  std::vector<int> parent_joint;  ///< by body: the joint it hangs on; -1 the world, or free_joint
  std::vector<int> parent;        ///< by body: the body it hangs on; -1 of the world
  std::vector<int> order;         ///< bodies without the world, parents first
  std::vector<int> cut;           ///< joints not in the tree, ascending
  /// Of each cut joint: itself and then the tree joints of its loop, from its body j round to i;
  /// free joints, which are no joints of the mechanism, left out.
  std::vector<std::vector<int>> loops;
};

/// Whether a body can hang on such a joint: its coordinates place one body against the other. Rods,
/// points on lines and the like are always cut.
bool carries_body(PairType type) noexcept;

/// The joints `cut` are cut whatever it costs, even if bodies then hang on the world by free
/// joints; those of `keep` are cut only if their loops have no others, and so, next to them, those
/// with coordinates that are driven, coupled or loaded: these are then coordinates of the tree.
/// Throws Error on numbers that are no joints.
SpanningTree spanning_tree(const Mechanism& mechanism, std::span<const int> cut = {},
                           std::span<const int> keep = {});

}  // namespace axode
