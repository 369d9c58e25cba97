/// What the joints of a tree bear during a run: "reactions" of a clip.
///
/// By body the wrench that its joint transmits on it, torque and force in the axes of the world, about
/// the body's origin; from inverse dynamics of what was recorded, with the wrenches that forces of the
/// model put on bodies. O(bodies) for each sample.
/// Tests: tests/view/scene/tree_reactions_test.cpp
#pragma once
#include "axode/simulate/forces/forces.hpp"
#include "axode/view/scene/clip.hpp"

namespace axode {

/// The tree with gravity as it was in the run.
ClipSeries tree_reactions(const Tree& tree, const Forces& forces, const Run& run);

}  // namespace axode
