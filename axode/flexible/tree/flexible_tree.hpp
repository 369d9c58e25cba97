/// Trees of rigid and elastic links: chains, branches, several elastic links in a row.
///
/// A link's frame sits at its joint, the joint's axis through its origin; an elastic link is a beam along
/// x. The child's joint frame is fixed to the parent's frame, or to the section of the parent at `station`
/// (the tip if not told). Coordinates: all joints in the order of the links, then the modes of each
/// elastic link (torsion, bending in x-y, bending in x-z, axial) [CibicikEgeland (86)-(87), (113)].
/// Tests: tests/flexible/tree/flexible_tree_test.cpp
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "axode/flexible/beam/modal_invariants.hpp"
#include "axode/lie/se3.hpp"
#include "axode/screw/inertia.hpp"

namespace axode {

/// The order in which the small rotations of a section are taken; first-order equations depend on it.
/// zyx keeps the section square to the tangent of the beam to second order.
enum class SectionRotation : std::uint8_t { zyx, xyz, exp };
std::string_view name(SectionRotation rotation) noexcept;

struct FlexibleLink {
  enum class Joint : std::uint8_t { fixed, revolute, prismatic, helical };
  std::string name;
  int parent = -1;  ///< -1: world
  std::vector<int> children{};
  SE3<> mount;               ///< joint frame at q = 0 in the parent's frame or section
  double station = 0;        ///< x of that section on an elastic parent [m]
  StationModes mount_modes;  ///< of the parent there; empty if it is rigid

  Joint joint = Joint::revolute;
  Vec3<> axis{0, 0, 1};  ///< unit vector in the link's frame
  double pitch = 0;      ///< of helical joints [m/rad]
  int coordinate = -1;   ///< of the joint; -1: fixed

  InertiaParameters<> rigid;  ///< of what is rigid on the link, in its frame
  std::optional<Beam> beam;
  std::vector<BeamMode> modes;
  ModeBoundary boundary_y, boundary_z, boundary_x;  ///< for which the modes were made
  ModalInvariants invariants;
  int first_mode = 0;  ///< coordinate of the first mode
  /// Damping ratio of each mode at its own frequency, and Rayleigh's alpha [1/s] (mass) and beta [s]
  /// (stiffness) of the beam.
  double damping_ratio = 0, damping_mass = 0, damping_stiffness = 0;
};

/// Coordinates are numbered, invariants taken and K and D put together by complete().
struct FlexibleTree {
  std::string name;
  Vec3<> gravity{0, 0, -9.81};  ///< [m/s^2] in the world frame
  SectionRotation rotation = SectionRotation::zyx;
  bool stiffening = false;          ///< shortening by bending is kept: geometric stiffening
  std::vector<FlexibleLink> links;  ///< parents first
  int joints = 0;                   ///< coordinates of joints
  int size = 0;                     ///< all coordinates
  std::vector<std::string>
      coordinate_names;           ///< "elbow", "forearm.torsion1", "forearm.bend_y1", ...
  std::vector<double> stiffness;  ///< of all coordinates, size x size by rows: K
  std::vector<double> damping;    ///< D: damping forces are -D v
};

/// A tree of which names, gravity, options and for each link parent, mount, station, joint, rigid inertia,
/// beam, modes and damping are given: all else is made. Throws Error on what cannot be, naming the link.
FlexibleTree complete(FlexibleTree tree);

/// Number of the link of that name. Throws Error, naming those that exist.
int link_named(const FlexibleTree& tree, std::string_view wanted);

/// Whether a coordinate is an angle [rad], as those of torsion are; else a length [m].
bool is_angle(const FlexibleTree& tree, int coordinate);

/// The part of a list of all coordinates, or of their rates, that belongs to the modes of a link.
inline std::span<const double> modes_of(const FlexibleLink& link, std::span<const double> q) {
  return q.subspan(link.first_mode, link.invariants.modes);
}

}  // namespace axode
