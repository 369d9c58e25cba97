/// Poses of links and sections in the world frame, and generalized forces of wrenches that act
/// there.
///
///   tau = P^T w          exact
///   tau = P_r^T (w_0 + w_1) + P_d^T w_0     to first order: P the projecting form
///                                           [CibicikEgeland (93), (109)], w_0 and w_1 the wrench
///                                           in the link's axes, orders 0 and 1
/// A wrench of the world's axes is turned into the link's axes, where it has an order 1
/// [CibicikEgeland (80)-(85), (123)-(127), corrected]. The first-order poses are elements of G2
/// [CibicikEgeland (42)-(51)]: real part with all elastic coordinates zero, dual part
/// linear in them. Cost O(depth), with the modes of the links on the way; nothing allocates once
/// loads are made.
/// Tests: tests/flexible/tree/loads_test.cpp
#pragma once
#include <span>
#include <vector>

#include "axode/flexible/link/section_motion.hpp"
#include "axode/lie/g2.hpp"

namespace axode {

/// A wrench on a section of an elastic link; on a rigid one at (station, 0, 0) of its frame.
struct FlexibleLoad {
  int link = 0;
  double station = 0;    ///< [m]
  Vec6<> wrench;         ///< (torque, force) at the section [N m, N]
  bool follows = false;  ///< in the axes of the section, else in those of the world
};

/// The pose type of a policy: SE3, or G2 to first order.
template <class P>
struct FlexiblePose {
  using S = typename P::Scalar;
  typename P::Rotation R;
  Vec3<S> p;
};
inline SE3<> pose_of(const FlexiblePose<Exact<double>>& T) noexcept { return {T.R, T.p}; }
inline G2<> pose_of(const FlexiblePose<FirstOrder>& T) noexcept { return {T.R, T.p}; }

/// T_0i of all links at q, in the order of the tree; `poses` has one entry for each.
void link_poses(const FlexibleTree& tree, std::span<const double> q,
                std::span<SE3<>> poses) noexcept;
void link_poses(const FlexibleTree& tree, std::span<const double> q,
                std::span<G2<>> poses) noexcept;

/// Pose in the world frame of the section at `station` [m] of a link; of a rigid one that of its
/// frame moved by `station` along x. Throws Error if there is no such link or section.
SE3<> section_pose(const FlexibleTree& tree, std::span<const double> q, int link, double station);
G2<> dual_section_pose(const FlexibleTree& tree, std::span<const double> q, int link,
                       double station);
/// Sections of one link with the mode shapes there, taken once for any number of states.
struct LinkSections {
  int link = 0;
  std::vector<StationModes> modes;
};
/// At places [m] along the link. Throws Error if there is no such link or section.
LinkSections make_link_sections(const FlexibleTree& tree, int link,
                                std::span<const double> stations);
/// Poses of the sections in the world frame; `poses` has one entry for each.
void section_poses(const FlexibleTree& tree, std::span<const double> q,
                   const LinkSections& sections, std::span<SE3<>> poses) noexcept;
void section_poses(const FlexibleTree& tree, std::span<const double> q,
                   const LinkSections& sections, std::span<G2<>> poses) noexcept;
/// Orders 0 and 1 together, as the linear model has it: the matrix is a rotation to first order
/// only.
SE3<> sum_of_orders(const G2<>& pose) noexcept;

/// Loads with the mode shapes at their sections and scratch memory; of one thread.
template <class P>
struct FlexibleLoads {
  using S = typename P::Scalar;
  std::vector<FlexibleLoad> loads;
  std::vector<StationModes> modes;           ///< at the sections of the loads
  std::vector<FlexiblePose<P>> poses;        ///< of links, in the frames of their parents
  std::vector<FlexiblePose<P>> in_world;     ///< in the world frame
  std::vector<std::vector<Vec6<S>>> mounts;  ///< by link: twists of the parent's modes
  std::vector<Vec6<S>> twists;
};
/// Throws Error on links, sections and wrenches that cannot be.
template <class P>
FlexibleLoads<P> make_flexible_loads(const FlexibleTree& tree,
                                     const std::vector<FlexibleLoad>& loads);
/// Adds the generalized forces of all loads to tau. The wrenches in `loads` may be changed between
/// calls.
template <class P>
void add_load_forces(const FlexibleTree& tree, std::span<const double> q, FlexibleLoads<P>& loads,
                     std::span<double> tau) noexcept;

extern template FlexibleLoads<Exact<double>> make_flexible_loads(const FlexibleTree&,
                                                                 const std::vector<FlexibleLoad>&);
extern template FlexibleLoads<FirstOrder> make_flexible_loads(const FlexibleTree&,
                                                              const std::vector<FlexibleLoad>&);
extern template void add_load_forces(const FlexibleTree&, std::span<const double>,
                                     FlexibleLoads<Exact<double>>&, std::span<double>) noexcept;
extern template void add_load_forces(const FlexibleTree&, std::span<const double>,
                                     FlexibleLoads<FirstOrder>&, std::span<double>) noexcept;

}  // namespace axode
