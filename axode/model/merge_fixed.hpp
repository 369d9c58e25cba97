/// Bodies on fixed joints joined with the body they are on.
/// Tests: tests/model/merge_fixed_test.cpp
#pragma once
#include "axode/model/tree.hpp"

namespace axode {

/// The same mechanism with fewer bodies: a body on a fixed joint becomes part of its parent; its
/// inertia and shapes move over, its frame stays as a named frame, its joint name is gone. Bodies
/// fixed to the world itself stay. Coordinates keep their order and meaning.
Tree merge_fixed_joints(const Tree& tree);

}  // namespace axode
