/// Constants of bodies that only the algorithms for packs take.
/// Tests: tests/engine/detail/batch/batch_body_test.cpp
#pragma once
#include <vector>

#include "axode/engine/detail/tree/engine_tree.hpp"

namespace axode::batch {

struct BatchBody {
  /// The inertia of an engine body about the origin of its frame, with the masses that its revolute
  /// joints carry at the origins of these joints: where those are does not depend on the state.
  double inertia[3][3]{};
  double moment[3]{};
  double mass = 0;     ///< of the body and all it carries, by whatever joints
  double second[3]{};  ///< integrals of x^2, y^2 and z^2 over the mass of the body alone
};

/// By engine body.
std::vector<BatchBody> batch_bodies(const EngineTree& tree);

/// Whether mass matrices are found faster in world axes than by carrying momenta from body to body
/// up all paths.
bool has_long_paths(const EngineTree& tree);

}  // namespace axode::batch
