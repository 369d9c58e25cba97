/// The constants of an EngineTree that algorithms take in forms of their own, of those it places.
/// Tests: tests/engine/detail/tree/engine_constants_test.cpp
#pragma once
#include "axode/engine/detail/tree/engine_tree.hpp"

namespace axode::detail {

/// Of an inertia in E.
EngineCentre centre_of(const Inertia<double>& I);

/// Makes `steps`, of bodies, angles and places.
void add_steps(const Tree& tree, EngineTree& engine);

}  // namespace axode::detail
