/// What evaluation along paths leaves: valid for the bodies listed only.
#pragma once
#include <vector>

#include "axode/kinematics/poses.hpp"

namespace axode::engine {

/// Angular velocity, velocity of the origin, and their time derivatives, in world axes.
struct PointMotion {
  Vec3<double> w{}, v{}, w_rate{}, v_rate{};
};

struct PathMemory {
  explicit PathMemory(const Tree& tree) : poses(tree), motions(tree.links.size()) {
    poses.screws = tree.screws;
    bodies.reserve(tree.links.size());
  }
  std::vector<int> bodies;  ///< on the paths, each after its parent
  Poses<double> poses;      ///< T_WB and screws
  std::vector<PointMotion> motions;
};

}  // namespace axode::engine
