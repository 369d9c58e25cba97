/// What tables, plots and files tell of a flexible tree: units of coordinates, where modes stand, quality of links.
/// Tests: tests/flexible/tree/tree_facts_test.cpp
#pragma once
#include <cstddef>

#include "axode/flexible/tree/flexible_tree.hpp"

namespace axode {

/// The link of an elastic coordinate and the number of its mode there.
struct ModePlace {
  std::size_t link = 0, mode = 0;
};
/// Throws Error if it is not an elastic coordinate.
ModePlace mode_place(const FlexibleTree& tree, int coordinate);

/// "rad" or "m", of a coordinate; "N m" or "N" of its force. Throw Error if there is no such coordinate.
const char* unit_of(const FlexibleTree& tree, int coordinate);
const char* force_unit_of(const FlexibleTree& tree, int coordinate);

/// Of what is rigid and of the beam [kg].
double mass_of(const FlexibleLink& link);
/// The worst of the directions of an elastic link, each with the boundary its modes were made for.
Orthogonality orthogonality(const FlexibleLink& link);

}  // namespace axode
