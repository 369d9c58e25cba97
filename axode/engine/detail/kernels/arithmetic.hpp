/// The arithmetic of the fast algorithms, in two kinds under one set of names.
///
/// `ManyStates<S>`: each number is S, a Pack of lanes or a double; vectors are Vec3<S>. Rotations
/// use that K turns about x only where it does. `OneState<P>`: numbers are doubles, vectors Wide3,
/// and runs of numbers packs P. The algorithms are templates over the kind: constants come from
/// EngineBody by load(), numbers that depend on the state by take(); frames change by down() (from
/// the parent's to the body's) and up(). Matrices are three columns x, y, z of any struct R.
/// Tests: tests/engine/detail/kernels/arithmetic_lanes_test.cpp
#pragma once
#include "axode/engine/detail/kernels/many_states.hpp"  // IWYU pragma: export
#include "axode/engine/detail/kernels/one_state.hpp"    // IWYU pragma: export
