/// How well a mechanism can move and push at a configuration: the singular values of a Jacobian.
///
///   W J = U diag(sigma) V^T
///
/// J is any 6 x nv Jacobian, given by its columns (jacobian.hpp, frame_kinematics.hpp). W chooses rows
/// and multiplies the rotational ones by a characteristic length, because rad/s and m/s cannot be
/// compared: |omega| = 1 rad/s counts as `length` m/s. With translations or rotations alone no such
/// choice is needed. From it follow Yoshikawa's index, condition, rank, null space, pseudo-inverses
/// and the ellipsoids of velocity and force. All for looking at one configuration: it allocates.
/// Tests: tests/kinematics/manipulability_test.cpp
#pragma once
#include <array>
#include <span>
#include <vector>

#include "axode/kinematics/frames/frame_kinematics.hpp"

namespace axode {

/// Which of the six rows count, angular part first.
using TaskRows = std::array<bool, 6>;
inline constexpr TaskRows all_rows{true, true, true, true, true, true};
inline constexpr TaskRows rotation_rows{true, true, true, false, false, false};
inline constexpr TaskRows translation_rows{false, false, false, true, true, true};

struct ManipulabilityOptions {
  TaskRows rows = all_rows;
  double length = 1;  ///< [m] of one radian; for instance the size of the tool
  /// Singular values below this part of the largest count as zero.
  double rank_tolerance = 1e-10;
};

/// A principal axis of the ellipsoids: the set of velocities reached with |v| = 1, and that of the
/// wrenches balanced with joint forces |tau| = 1 (the same axes, inverse radii).
struct PrincipalAxis {
  Vec6<double> axis;    ///< unit vector in the scaled rows, zero in those that do not count
  double velocity = 0;  ///< radius: the singular value
  double force = 0;     ///< radius: its inverse, infinite in directions that cannot move
};

struct Manipulability {
  std::vector<double> singular_values;  ///< min(rows, nv), descending
  std::vector<PrincipalAxis> axes;      ///< one per row, by descending velocity
  /// Orthonormal joint velocities, nv numbers each: joint_vectors[i] moves along axes[i] with speed
  /// singular_values[i].
  std::vector<std::vector<double>> joint_vectors;
  /// Orthonormal basis of the joint velocities that leave the frame at rest: nv - rank of them.
  std::vector<std::vector<double>> null_space;
  /// Yoshikawa's index sqrt(det(W J J^T W)): the product of the singular values (with fewer joints
  /// than rows sqrt(det(J^T W W J)), so that it does not vanish for planar arms in space).
  double index = 0;
  double condition = 0;  ///< largest over smallest singular value; infinite if that is zero
  int rank = 0;
  ManipulabilityOptions options;
};

/// Throws Error on no columns, numbers that are not finite, no rows, a length that is not positive or
/// a negative tolerance.
Manipulability manipulability(std::span<const Vec6<double>> columns,
                              const ManipulabilityOptions& options = {});
/// From all nv columns of a Jacobian of the tree. Joint vectors are of the independent velocities where
/// joints are coupled: expand_velocity gives all.
Manipulability manipulability(const Tree& tree, std::span<const Vec6<double>> J,
                              const ManipulabilityOptions& options = {});

/// The joint velocities of least norm whose twist is nearest to the one given [rad/s, m/s] in the
/// rows that count: J^+ V, singular values beyond the rank left out.
std::vector<double> pseudo_inverse_times(const Manipulability& m, const Vec6<double>& twist);
/// The same with sigma / (sigma^2 + damping^2) in place of 1 / sigma: velocities stay below
/// |V| / (2 damping). It minimises |J v - V|^2 + damping^2 |v|^2. Throws Error unless damping > 0.
std::vector<double> damped_inverse_times(const Manipulability& m, const Vec6<double>& twist,
                                         double damping);

}  // namespace axode
