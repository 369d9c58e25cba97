/// Random trees and states of them, for tests that shall hold for every tree.
#pragma once
#include <vector>

#include "axode/model/tree.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test {

struct RandomTreeOptions {
  bool chain = false;             ///< each body on the one before, else on any or the world
  bool one_screw_joints = false;  ///< revolute, prismatic and helical joints only
  bool fixed_joints = true;
  bool first_kind = true;   ///< some joints in coordinates of the first kind
  bool quaternions = true;  ///< spherical and free joints with quaternions, in all velocities
  bool zero_mass = false;   ///< some bodies without inertia
  double size = .5;         ///< of offsets and lever arms [m]
};
/// Bodies "b0", "b1", ... on joints "j0", "j1", ... of all types, each in some geometry form.
Tree random_tree(Random& random, int bodies, const RandomTreeOptions& options = {});

/// Coordinates away from the singularities of angles: magnitudes up to 1.2 rad or m, quaternions
/// of any rotation.
std::vector<double> random_coordinates(Random& random, const Tree& tree);
/// As many numbers as the tree has velocities, in [-size, size].
std::vector<double> random_velocities(Random& random, const Tree& tree, double size = 1);

}  // namespace axode::test
