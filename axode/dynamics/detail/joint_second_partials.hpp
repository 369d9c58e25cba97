/// Second derivatives of the relative motion of one joint by its coordinates and velocities.
///
/// They continue joint_partials.hpp: d_m of d_k S_l, d_k U, d_k U' and dU'/dv_k, each again along a
/// velocity coordinate, numbers v and a held.
///
///   second kind, free   the formulas of the first derivatives are products of screws: their
///                       derivatives along d_m S by dual numbers
///   first kind          by polarizing the second and third time derivatives of S at constant
///                       velocities, quadratic and cubic forms of them
///
/// In free joints the order matters, d_m d_k - d_k d_m being the derivative along the screw product of
/// the two velocities; else it does not.
/// Tests: tests/dynamics/detail/joint_second_partials_test.cpp
#pragma once
#include <array>
#include <vector>

#include "axode/dynamics/detail/joint_partials.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

/// The second derivatives of one joint of moving screws, in its body frame. Make one per tree.
template <class S = double>
struct JointSecondPartials {
  explicit JointSecondPartials(const Tree& tree);
  std::array<std::array<std::array<Vec6<S>, 6>, 6>, 6> screws;  ///< [m][k][l]: d_m d_k S_l
  std::array<std::array<Vec6<S>, 6>, 6> twist;                  ///< [m][k]: d_m d_k U
  std::array<std::array<Vec6<S>, 6>, 6> acceleration;           ///< [m][k]: d_m d_k U'
  std::array<std::array<Vec6<S>, 6>, 6> acceleration_by_v;      ///< [m][k]: d_m dU'/dv_k
  JointPartials<Dual<S>> moving;                                ///< scratch
  std::vector<S> velocity, zero;  ///< scratch, by velocity of the tree
};

/// Those of joint i at the configuration of the poses, velocities v and accelerations a of the whole
/// tree. `first` holds its first derivatives there (joint_partials). All zero for a joint of constant
/// screws. Does not allocate.
template <class S>
void joint_second_partials(const Tree& tree, int i, const Poses<S>& poses, In<S> v, In<S> a,
                           const JointPartials<S>& first, JointSecondPartials<S>& result) noexcept;

}  // namespace axode
