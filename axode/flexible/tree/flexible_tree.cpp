#include "axode/flexible/tree/flexible_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "axode/core/error.hpp"
#include "axode/model/bounds.hpp"

namespace axode {
namespace {

void check_link(const FlexibleTree& tree, std::size_t i, std::set<std::string>& names) {
  const FlexibleLink& link = tree.links[i];
  const std::string where = fmt::format("link '{}'", link.name);
  if (link.name.empty())
    throw Error(fmt::format("link {} has no name", i + 1), tree.name, "give each link a name");
  if (!names.insert(link.name).second)
    throw Error("there are two links of this name", where, "names must differ");
  if (link.parent < -1 || link.parent >= static_cast<int>(i))
    throw Error("its parent does not come before it", where, "list parents first");
  const double length = norm(link.axis);
  if (!(std::abs(length - 1) < 1e-9))
    throw Error(fmt::format("the joint's axis has length {}", length), where, "give a unit vector");
  if (!is_finite(link.mount.p) || !is_finite(link.mount.R.matrix) || !std::isfinite(link.pitch))
    throw Error("its mount or pitch is not finite", where, "check the numbers");
  detail::check_place(link.mount.p, "the place of its mount", where);
  detail::check_length(link.pitch, "its pitch", where);
  if (!(link.rigid.mass >= 0) || !std::isfinite(link.rigid.mass))
    throw Error(fmt::format("its mass is {} kg", link.rigid.mass), where,
                "masses must not be negative");
  detail::check_number(link.rigid.mass, "its mass", where);
  const Sym3<>& J = link.rigid.about_origin;
  if (!(J.xx >= 0 && J.yy >= 0 && J.zz >= 0) || !is_finite(J.matrix()) ||
      !is_finite(link.rigid.first_moment))
    throw Error("its rotational inertia is negative or not finite", where,
                "moments of inertia about axes must not be negative");
  detail::check_vector(link.rigid.first_moment, "its first moment of mass", where);
  for (const double moment : {J.xx, J.yy, J.zz})
    detail::check_number(moment, "its rotational inertia", where);
  for (const double d : {link.damping_ratio, link.damping_mass, link.damping_stiffness})
    if (!(d >= 0) || !std::isfinite(d))
      throw Error(fmt::format("a damping of {}", d), where, "damping must not be negative");
    else
      detail::check_number(d, "a damping", where);
  if (!link.beam && !link.modes.empty())
    throw Error("a rigid link has modes", where, "give it a beam, or no modes");
  const bool elastic_parent = link.parent >= 0 && tree.links[link.parent].beam;
  if (!elastic_parent) return;
  const double most = tree.links[link.parent].beam->length;
  if (!(link.station >= 0 && link.station <= most))
    throw Error(
        fmt::format("its station {} m is not on '{}'", link.station, tree.links[link.parent].name),
        where, fmt::format("choose one in [0, {}] m", most));
}

/// Modes of a pinned root turn it, which only a joint about the same axis allows.
void check_roots(const FlexibleLink& link, const std::string& where) {
  const bool turns =
      link.joint == FlexibleLink::Joint::revolute || link.joint == FlexibleLink::Joint::helical;
  for (const BeamMode& mode : link.modes) {
    const bool y = mode.direction == ModeDirection::bend_y,
               z = mode.direction == ModeDirection::bend_z;
    const ModeBoundary& boundary = y ? link.boundary_y : link.boundary_z;
    if ((!y && !z) || boundary.root != ModeBoundary::Root::pinned) continue;
    if (!turns || std::abs(y ? link.axis.z : link.axis.y) < 1 - 1e-9)
      throw Error(
          fmt::format("its {} modes have a pinned root, but its joint does not turn about {}",
                      name(mode.direction), y ? 'z' : 'y'),
          where, "clamp the root of these modes");
  }
}

/// Names such as "arm.bend_y2".
void name_modes(const FlexibleLink& link, std::vector<std::string>& names) {
  int count[4] = {};
  for (const BeamMode& mode : link.modes)
    names.push_back(fmt::format("{}.{}{}", link.name, name(mode.direction),
                                ++count[static_cast<int>(mode.direction)]));
}

/// K and D of one link: modal damping on the diagonal of modal masses, Rayleigh's on both.
void add_stiffness(FlexibleTree& tree, const FlexibleLink& link) {
  const ModalInvariants& b = link.invariants;
  const std::size_t n = tree.size, m = b.modes, first = link.first_mode;
  const auto mass = [&](std::size_t j, std::size_t k) {
    double sum = 0;
    for (int d = 0; d < 4; ++d) {
      const std::size_t from = b.first[d], to = b.first[d + 1];
      if (j < from || j >= to || k < from || k >= to) continue;
      if (d > 0) sum += b.product[j * m + k];
      if (d < 3) sum += b.angle_product[d == 0 ? 0 : d == 1 ? 2 : 1][j * m + k];
    }
    return sum;
  };
  // With what hangs at the tip, where the mode was made for that.
  const auto frequency = [&](std::size_t j) {
    return link.modes[j].frequency > 0 ? link.modes[j].frequency
                                       : std::sqrt(b.stiffness[j * m + j] / mass(j, j));
  };
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t k = 0; k < m; ++k) {
      const std::size_t entry = (first + j) * n + first + k, entry_of_link = j * m + k;
      tree.stiffness[entry] = b.stiffness[entry_of_link];
      tree.damping[entry] =
          link.damping_mass * mass(j, k) + link.damping_stiffness * b.stiffness[entry_of_link];
      if (j == k && link.damping_ratio > 0 && b.stiffness[entry_of_link] > 0)
        tree.damping[entry] += 2 * link.damping_ratio * b.stiffness[entry_of_link] / frequency(j);
    }
}

}  // namespace

std::string_view name(SectionRotation rotation) noexcept {
  switch (rotation) {
    case SectionRotation::zyx:
      return "zyx";
    case SectionRotation::xyz:
      return "xyz";
    case SectionRotation::exp:
      break;
  }
  return "exp";
}

int link_named(const FlexibleTree& tree, std::string_view wanted) {
  std::vector<std::string> names;
  names.reserve(tree.links.size());
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    if (tree.links[i].name == wanted) return static_cast<int>(i);
    names.push_back(tree.links[i].name);
  }
  throw Error(fmt::format("there is no link '{}'", wanted), tree.name,
              fmt::format("links are {}", fmt::join(names, ", ")));
}

FlexibleTree complete(FlexibleTree tree) {
  if (tree.links.empty()) throw Error("the tree has no links", tree.name, "add one");
  detail::check_vector(tree.gravity, "gravity", tree.name);
  std::set<std::string> names;
  tree.joints = 0;
  tree.coordinate_names.clear();
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    check_link(tree, i, names);
    FlexibleLink& link = tree.links[i];
    link.children.clear();
    link.coordinate = link.joint == FlexibleLink::Joint::fixed ? -1 : tree.joints++;
    if (link.coordinate >= 0) tree.coordinate_names.push_back(link.name);
    if (link.parent >= 0) tree.links[link.parent].children.push_back(static_cast<int>(i));
  }
  // q = (joints; modes link by link)  [CibicikEgeland (86)-(87), (113)]
  tree.size = tree.joints;
  for (FlexibleLink& link : tree.links) {
    link.first_mode = tree.size;
    if (link.beam) {
      const std::string where = fmt::format("link '{}'", link.name);
      check_beam(*link.beam, where);
      check_roots(link, where);
      std::ranges::stable_sort(link.modes, {}, &BeamMode::direction);
      link.invariants = modal_invariants(*link.beam, link.modes);
      name_modes(link, tree.coordinate_names);
    }
    tree.size += link.invariants.modes;
    if (link.parent >= 0 && tree.links[link.parent].beam) {
      const FlexibleLink& parent = tree.links[link.parent];
      link.mount_modes = station_modes(*parent.beam, parent.modes, link.station);
    }
  }
  std::set<std::string> coordinates;
  for (const std::string& coordinate : tree.coordinate_names)
    if (!coordinates.insert(coordinate).second)
      throw Error(fmt::format("two coordinates are called '{}'", coordinate), tree.name,
                  "give links names that are not those of modes");
  tree.stiffness.assign(std::size_t(tree.size) * tree.size, 0);
  tree.damping = tree.stiffness;
  for (const FlexibleLink& link : tree.links) add_stiffness(tree, link);
  return tree;
}

bool is_angle(const FlexibleTree& tree, int coordinate) {
  for (const FlexibleLink& link : tree.links) {
    if (coordinate == link.coordinate) return link.joint != FlexibleLink::Joint::prismatic;
    const int mode = coordinate - link.first_mode;
    if (mode >= 0 && mode < link.invariants.modes)
      return link.modes[mode].direction == ModeDirection::torsion;
  }
  return false;
}

}  // namespace axode
