#include "axode/flexible/tree/loads.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "axode/core/error.hpp"
#include "axode/flexible/tree/equations.hpp"

namespace axode {
namespace {

/// The section of an elastic link, or the place of a rigid one; rates are not wanted.
template <class P>
SectionMotion<P> section_of_link(const FlexibleTree& tree, const FlexibleLink& link,
                                 const StationModes& station, std::span<const double> q) {
  if (link.beam) {
    const auto e = modes_of(link, q);
    return section_motion<P>(tree, link.invariants, station, e, e);
  }
  SectionMotion<P> section;
  section.p.x = typename P::Scalar(station.x);
  return section;
}
/// Pose of a link in its parent's frame; `section` is what it is mounted on.
template <class P>
FlexiblePose<P> pose_in_parent(const FlexibleTree& tree, const FlexibleLink& link,
                               std::span<const double> q, SectionMotion<P>& section) {
  if (link.parent >= 0 && tree.links[link.parent].beam)
    section = section_of_link<P>(tree, tree.links[link.parent], link.mount_modes, q);
  // T_ji = T_jj' T_j'i  [CibicikEgeland (50)]
  const auto [R, arm] = detail::placement<P>(link, section.R, q);
  return {R, section.p + arm};
}
template <class P>
FlexiblePose<P> after(const FlexiblePose<P>& a, const FlexiblePose<P>& b) {
  return {a.R * b.R, a.p + a.R * b.p};
}

template <class P, class Pose>
void all_poses(const FlexibleTree& tree, std::span<const double> q, std::span<Pose> poses) {
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const FlexibleLink& link = tree.links[i];
    SectionMotion<P> section;
    const Pose own = pose_of(pose_in_parent<P>(tree, link, q, section));
    // orders 0 and 1 of products of poses  [CibicikEgeland (44)]
    poses[i] = link.parent < 0 ? own : poses[link.parent] * own;
  }
}

void check_place(const FlexibleTree& tree, int link, double station) {
  if (link < 0 || link >= static_cast<int>(tree.links.size()))
    throw Error(fmt::format("there is no link {}", link), tree.name,
                fmt::format("links are 0 to {}", tree.links.size() - 1));
  const FlexibleLink& chosen = tree.links[link];
  const double most = chosen.beam ? chosen.beam->length : std::abs(station);
  if (!std::isfinite(station) || (chosen.beam && !(station >= 0 && station <= most)))
    throw Error(fmt::format("there is no section at {} m", station),
                fmt::format("link '{}'", chosen.name),
                chosen.beam ? fmt::format("choose one in [0, {}] m", most) : "give a number");
}
StationModes station_of(const FlexibleTree& tree, int link, double station) {
  check_place(tree, link, station);
  const FlexibleLink& chosen = tree.links[link];
  if (chosen.beam) return station_modes(*chosen.beam, chosen.modes, station);
  StationModes made;
  made.x = station;
  return made;
}

/// T_0i T_is: the poses from the link inwards, then those of its sections in it.
template <class P, class Pose>
void poses_of_sections(const FlexibleTree& tree, std::span<const double> q,
                       const LinkSections& sections, std::span<Pose> poses) {
  FlexiblePose<P> of_link{};
  for (int i = sections.link; i >= 0; i = tree.links[i].parent) {
    SectionMotion<P> mount;
    of_link = after(pose_in_parent<P>(tree, tree.links[i], q, mount), of_link);
  }
  for (std::size_t k = 0; k < poses.size(); ++k) {
    const SectionMotion<P> section =
        section_of_link<P>(tree, tree.links[sections.link], sections.modes[k], q);
    poses[k] = pose_of(after(of_link, FlexiblePose<P>{section.R, section.p}));
  }
}

template <class Pose>
Pose pose_of_section(const FlexibleTree& tree, std::span<const double> q, int link,
                     double station) {
  const LinkSections sections = make_link_sections(tree, link, {&station, 1});
  if (std::ssize(q) != tree.size)
    throw Error(fmt::format("{} coordinates for a tree of {}", q.size(), tree.size), tree.name,
                "give all, joints first");
  Pose pose;
  section_poses(tree, q, sections, {&pose, 1});
  return pose;
}

/// Adds what a wrench in the frame of link i does to all coordinates inwards of it.
template <class P>
void project_inwards(const FlexibleTree& tree, const FlexibleLoads<P>& loads, std::size_t i,
                     Vec6<typename P::Scalar> wrench, std::span<double> tau) {
  using S = typename P::Scalar;
  for (;;) {
    const FlexibleLink& link = tree.links[i];
    if (link.coordinate >= 0)
      // tau = sum P~^T w: columns of joints and modes inwards  [CibicikEgeland (93), (109)]
      tau[link.coordinate] +=
          detail::total_dot(detail::constant<S>(detail::joint_screw(link)), wrench, P{});
    if (link.parent < 0) return;
    // axes and point of reference of the parent  [CibicikEgeland (84)-(85)]
    wrench = detail::wrench_seen_from(loads.poses[i].R, loads.poses[i].p, wrench);
    const std::size_t first = tree.links[link.parent].first_mode;
    for (std::size_t k = 0; k < loads.mounts[i].size(); ++k)
      tau[first + k] += detail::total_dot(loads.mounts[i][k], wrench, P{});
    i = link.parent;
  }
}

}  // namespace

void link_poses(const FlexibleTree& tree, std::span<const double> q,
                std::span<SE3<>> poses) noexcept {
  all_poses<Exact<double>>(tree, q, poses);
}
void link_poses(const FlexibleTree& tree, std::span<const double> q,
                std::span<G2<>> poses) noexcept {
  all_poses<FirstOrder>(tree, q, poses);
}
LinkSections make_link_sections(const FlexibleTree& tree, int link,
                                std::span<const double> stations) {
  LinkSections sections{link, {}};
  for (const double x : stations) sections.modes.push_back(station_of(tree, link, x));
  return sections;
}
void section_poses(const FlexibleTree& tree, std::span<const double> q,
                   const LinkSections& sections, std::span<SE3<>> poses) noexcept {
  poses_of_sections<Exact<double>>(tree, q, sections, poses);
}
void section_poses(const FlexibleTree& tree, std::span<const double> q,
                   const LinkSections& sections, std::span<G2<>> poses) noexcept {
  poses_of_sections<FirstOrder>(tree, q, sections, poses);
}
SE3<> section_pose(const FlexibleTree& tree, std::span<const double> q, int link, double station) {
  return pose_of_section<SE3<>>(tree, q, link, station);
}
G2<> dual_section_pose(const FlexibleTree& tree, std::span<const double> q, int link,
                       double station) {
  return pose_of_section<G2<>>(tree, q, link, station);
}
SE3<> sum_of_orders(const G2<>& pose) noexcept {
  const Mat3<Dual<double>> R = to_dual(pose.X).matrix;
  return {{real_part(R) + dual_part(R)}, real_part(pose.v) + dual_part(pose.v)};
}

template <class P>
FlexibleLoads<P> make_flexible_loads(const FlexibleTree& tree,
                                     const std::vector<FlexibleLoad>& loads) {
  FlexibleLoads<P> made;
  made.loads = loads;
  made.modes.reserve(made.loads.size());
  for (const FlexibleLoad& load : made.loads) {
    made.modes.push_back(station_of(tree, load.link, load.station));
    if (!is_finite(load.wrench))
      throw Error("the wrench of a load is not finite",
                  fmt::format("link '{}'", tree.links[load.link].name), "check the numbers");
  }
  made.poses.resize(tree.links.size());
  made.in_world.resize(tree.links.size());
  made.mounts.resize(tree.links.size());
  std::size_t most = 0;
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    made.mounts[i].resize(tree.links[i].mount_modes.angle.size());
    most = std::max(most, std::size_t(tree.links[i].invariants.modes));
  }
  made.twists.resize(most);
  return made;
}

template <class P>
void add_load_forces(const FlexibleTree& tree, std::span<const double> q, FlexibleLoads<P>& loads,
                     std::span<double> tau) noexcept {
  using S = typename P::Scalar;
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const FlexibleLink& link = tree.links[i];
    SectionMotion<P> section;
    loads.poses[i] = pose_in_parent<P>(tree, link, q, section);
    loads.in_world[i] =
        link.parent < 0 ? loads.poses[i] : after(loads.in_world[link.parent], loads.poses[i]);
    if (loads.mounts[i].empty()) continue;
    const FlexibleLink& parent = tree.links[link.parent];
    section_twists<P>(tree, parent.invariants, link.mount_modes, modes_of(parent, q), section,
                      loads.mounts[i]);
  }
  for (std::size_t n = 0; n < loads.loads.size(); ++n) {
    const FlexibleLoad& load = loads.loads[n];
    const FlexibleLink& link = tree.links[load.link];
    const SectionMotion<P> section = section_of_link<P>(tree, link, loads.modes[n], q);
    Vec6<S> wrench = detail::constant<S>(load.wrench);
    if (load.follows) {
      // from the axes of the section, as torques of the next joint at the tip
      // [CibicikEgeland (127), corrected: docs/errata.md]
      wrench = {section.R * wrench.angular, section.R * wrench.linear};
    } else {
      // w^i = R_i0 w^0, of orders 0 and 1  [CibicikEgeland (123), corrected: docs/errata.md]
      const typename P::Rotation& R = loads.in_world[load.link].R;
      wrench = {detail::inverse_times(R, wrench.angular), detail::inverse_times(R, wrench.linear)};
    }
    // from the section to the origin of the link
    wrench.angular += cross(section.p, wrench.linear);
    const std::size_t m = link.invariants.modes;
    section_twists<P>(tree, link.invariants, loads.modes[n], modes_of(link, q), section,
                      std::span<Vec6<S>>(loads.twists).first(m));
    for (std::size_t k = 0; k < m; ++k)
      // the link's own modes S~  [CibicikEgeland (95), (109), corrected: docs/errata.md]
      tau[link.first_mode + k] += detail::total_dot(loads.twists[k], wrench, P{});
    project_inwards(tree, loads, load.link, wrench, tau);
  }
}

template FlexibleLoads<Exact<double>> make_flexible_loads(const FlexibleTree&,
                                                          const std::vector<FlexibleLoad>&);
template FlexibleLoads<FirstOrder> make_flexible_loads(const FlexibleTree&,
                                                       const std::vector<FlexibleLoad>&);
template void add_load_forces(const FlexibleTree&, std::span<const double>,
                              FlexibleLoads<Exact<double>>&, std::span<double>) noexcept;
template void add_load_forces(const FlexibleTree&, std::span<const double>,
                              FlexibleLoads<FirstOrder>&, std::span<double>) noexcept;

}  // namespace axode
