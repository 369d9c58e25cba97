#include "axode/flexible/tree/tree_facts.hpp"

#include <fmt/format.h>

#include "axode/core/error.hpp"

namespace axode {
namespace {

const ModeBoundary& boundary_of(const FlexibleLink& link, ModeDirection direction) {
  return direction == ModeDirection::bend_y   ? link.boundary_y
         : direction == ModeDirection::bend_z ? link.boundary_z
                                              : link.boundary_x;
}

[[noreturn]] void refuse(const FlexibleTree& tree, int coordinate, const char* kind) {
  throw Error(fmt::format("there is no {} {}", kind, coordinate), tree.name,
              fmt::format("coordinates are 0 to {}, the first {} those of joints", tree.size - 1,
                          tree.joints));
}

void check_coordinate(const FlexibleTree& tree, int coordinate) {
  if (coordinate < 0 || coordinate >= tree.size) refuse(tree, coordinate, "coordinate");
}

}  // namespace

ModePlace mode_place(const FlexibleTree& tree, int coordinate) {
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const int mode = coordinate - tree.links[i].first_mode;
    if (mode >= 0 && mode < tree.links[i].invariants.modes) return {i, std::size_t(mode)};
  }
  refuse(tree, coordinate, "elastic coordinate");
}

const char* unit_of(const FlexibleTree& tree, int coordinate) {
  check_coordinate(tree, coordinate);
  return is_angle(tree, coordinate) ? "rad" : "m";
}
const char* force_unit_of(const FlexibleTree& tree, int coordinate) {
  check_coordinate(tree, coordinate);
  return is_angle(tree, coordinate) ? "N m" : "N";
}

double mass_of(const FlexibleLink& link) { return link.rigid.mass + link.invariants.mass; }

Orthogonality orthogonality(const FlexibleLink& link) {
  Orthogonality worst;
  for (const ModeDirection d : {ModeDirection::torsion, ModeDirection::bend_y,
                                ModeDirection::bend_z, ModeDirection::axial}) {
    std::vector<BeamMode> modes;
    for (const BeamMode& mode : link.modes)
      if (mode.direction == d) modes.push_back(mode);
    if (modes.size() < 2) continue;
    const Orthogonality found = orthogonality(*link.beam, modes, boundary_of(link, d));
    worst.mass = std::max(worst.mass, found.mass);
    worst.stiffness = std::max(worst.stiffness, found.stiffness);
  }
  return worst;
}

}  // namespace axode
