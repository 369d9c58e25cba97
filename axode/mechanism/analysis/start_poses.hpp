/// Poses from which a search for an assembled configuration begins.
///
/// Walks a spanning tree from the world in which joints with told starting values stay where their
/// loops allow it: these have the values told (Mechanism::initial), all other joint coordinates
/// those that the reference poses measure; bodies on free joints stand at their reference poses.
/// Every body hangs exactly on its joint, only cut joints may gape. Cost: that of spanning_tree.
/// Tests: tests/mechanism/analysis/start_poses_test.cpp
#pragma once
#include <vector>

#include "axode/mechanism/description/spanning_tree.hpp"

namespace axode {

/// By body, in the world; that of the world itself is the identity.
std::vector<SE3<double>> start_poses(const Mechanism& mechanism);
/// The same with coordinates that are driven at their values of time t.
std::vector<SE3<double>> start_poses(const Mechanism& mechanism, double t);
/// The same along a tree at hand.
std::vector<SE3<double>> start_poses(const Mechanism& mechanism, const SpanningTree& tree);

}  // namespace axode
