/// Poses of all bodies of a tree: recursively, and by the two products of exponentials
/// [MuellerDyn (92)-(93)].
///
///   T_WB = T_WP B D(q)                       recursive, O(n)                   [MuellerKin (4)]
///   T_WB = B_1 exp(X_1 q_1) ... B_i exp(X_i q_i)       over the path to i      [MuellerKin (8)]
///   T_WB = exp(Y_1 q_1) ... exp(Y_i q_i) A_i           over the path to i      [MuellerKin (10)]
///
/// `Poses` also holds the joint screws S(q) in the body frames, constant for most joints
/// (joint_map.hpp): with them everything else in kinematics and dynamics is the same for all joints.
/// Tests: tests/kinematics/poses_test.cpp
#pragma once
#include <vector>

#include "axode/model/state.hpp"
#include "axode/model/tree.hpp"

namespace axode {

/// The configuration of a tree in space. Make it once per tree and thread, then reuse it.
template <class S = double>
struct Poses {
  explicit Poses(const Tree& tree);
  std::vector<S> q;             ///< the coordinates these poses belong to
  std::vector<SE3<S>> T_WB;     ///< by body: in the world
  std::vector<SE3<S>> T_PB;     ///< by body: in the parent
  std::vector<Vec6<S>> screws;  ///< by velocity: S(q) in the body frame
};

/// Poses and joint screws at the coordinates q. Does not allocate.
template <class S>
void poses(const Tree& tree, In<S> q, Poses<S>& result) noexcept;
/// The same as a new object. Throws Error if q has the wrong length or is not finite.
Poses<double> poses(const Tree& tree, In<double> q);

/// The pose T_WB of one body alone by the product of exponentials in body screws (8), O(depth).
template <class S = double>
SE3<S> pose_by_body_screws(const Tree& tree, In<S> q, int body) noexcept;
/// The same by the product in screws at the zero reference (10), which needs no other data of the
/// bodies in between: `geometry` holds zero_reference(tree, i) of all bodies.
template <class S = double>
SE3<S> pose_by_zero_reference(const Tree& tree, std::span<const ZeroReference> geometry, In<S> q,
                              int body) noexcept;

}  // namespace axode
