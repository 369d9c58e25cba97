/// How the relative motion of one joint changes with its coordinates and velocities.
///
/// The twist of a body in its parent, in the body frame, is U = S(q) v, and U' = S a + S'(q, v) v.
/// All vanish but dU'/da = S where the screws S are constant. d_k is the derivative along velocity
/// coordinate k of the joint, v and a held:
///
///   second kind   d_k S_m = [S_m, S_k] for m before k, else 0
///   first kind    from joint_screw_derivatives, and d_k S' by polarizing the second derivative,
///                 a quadratic form of the velocities
///   free          d_k S_m = -[G_k, S_m], G the generator of joint_map.hpp
///
/// Tests: tests/dynamics/detail/joint_partials_test.cpp
#pragma once
#include <array>
#include <vector>

#include "axode/kinematics/poses.hpp"

namespace axode {

/// The partial derivatives of one joint of moving screws, in its body frame. Make one per tree.
template <class S = double>
struct JointPartials {
  explicit JointPartials(const Tree& tree);
  std::array<std::array<Vec6<S>, 6>, 6> screws;  ///< [k][m]: d_k S_m
  std::array<Vec6<S>, 6> twist;                  ///< [k]: d_k U
  std::array<Vec6<S>, 6> acceleration;           ///< [k]: d_k U'
  std::array<Vec6<S>, 6> acceleration_by_v;      ///< [k]: dU'/dv_k
  std::vector<S> velocity, zero;                 ///< scratch, by velocity of the tree
};

/// Those of joint i at the configuration of the poses, velocities v and accelerations a of the whole
/// tree. All zero for a joint of constant screws. Does not allocate.
template <class S>
void joint_partials(const Tree& tree, int i, const Poses<S>& poses, In<S> v, In<S> a,
                    JointPartials<S>& result) noexcept;

}  // namespace axode
