/// Overall inverse kinematics: the joint velocities and accelerations of the twists of all bodies.
///
/// Two answers, both O(n), which agree if some motion of the tree has exactly these twists:
///
///   joint by joint  v_i = (S_i^T S_i)^-1 S_i^T (V_i - Ad(C_ip) V_p)   [MuellerKin (26), Remark 14]
///                   a_i likewise from V'_i - Ad(C_ip) V'_p + [S_i v_i, V_i] - S'_i v_i
///                                                                               [MuellerDyn (11)]
///   least squares   the v of least sum_i (V_i - (J v)_i)^T W_i (V_i - (J v)_i)
///
/// For twists with errors they differ: the first makes |A^-1 (V - J v)| least, not |V - J v|; the
/// error of a body goes to its own joint and those of its children alone, and one that is not
/// measured leaves the method helpless [MuellerKin Remark 9, corrected: docs/errata.md]. Prefer it
/// for exact twists. Least squares weighs all measurements by W, by components and bodies, zero for
/// those not measured; its result depends on the representation of the twists, in which the errors
/// are weighed. It is found by orthogonal elimination from the leaves inwards, as the articulated
/// bodies of forward dynamics are; no normal equations, which would square the condition number.
/// Tests: tests/kinematics/inverse/overall_inverse_test.cpp
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "axode/kinematics/poses.hpp"
#include "axode/screw/twist.hpp"

namespace axode {

template <class S = double>
struct OverallInverse {
  /// How far the twists are from any motion: what was made least, |A^-1 (V - J v)| in body screws,
  /// or the root of the weighted sum of squares.
  S residual{};
  /// How many velocities are not determined; they are set to zero. A joint may be in a position
  /// where its screws depend on each other, or nothing behind it is measured.
  int undetermined = 0;
  int joint = -1;  ///< the first joint with such a velocity, by its body
  constexpr bool rank_deficient() const noexcept { return undetermined > 0; }
};

/// Writes the joint velocities of the twists, joint by joint. Does not allocate.
template <Rep rep, class S>
OverallInverse<S> joint_velocities(const Tree& tree, const Poses<S>& poses,
                                   In<Twist<rep, S>> twists, Out<S> v) noexcept;
/// Writes the derivatives a of the joint velocities v from twists and accelerations, joint by joint.
/// Does not allocate.
template <Rep rep, class S>
OverallInverse<S> joint_accelerations(const Tree& tree, const Poses<S>& poses,
                                      In<Twist<rep, S>> twists,
                                      In<Acceleration<rep, S>> accelerations, In<S> v, Out<S> a);

/// Scratch of least_squares_velocities. Make it once per tree and thread, then reuse it.
struct LeastSquaresWork {
  explicit LeastSquaresWork(const Tree& tree);

  /// A row of the triangular factor: coefficients of the joint's velocities and of the parent's
  /// twist, right-hand side, and the velocity it determines.
  struct Row {
    std::array<double, 6> velocity, parent;
    double rhs;
    int pivot;
  };
  std::vector<std::array<std::array<double, 7>, 6>> knowledge;  ///< by body: rows on its twist
  std::vector<double> scale;               ///< by body: size of what was known behind it
  std::vector<Row> rows;                   ///< by velocity
  std::vector<std::uint8_t> undetermined;  ///< by velocity: whether the twists leave it open
};
struct LeastSquaresOptions {
  /// A velocity counts as determined if it changes the weighted twists by more than this part of
  /// what their size suggests. Below 1e-8 rounding errors of one velocity hardly determined may
  /// pass for knowledge of the next.
  double rank_tolerance = 1e-7;
};
/// Writes the joint velocities of least squares. Weights by body, none negative; they weigh the
/// squares of the components of the twist, in rad/s and m/s. Without weights all are one. What has
/// weight zero is not read, so it may be NaN. Throws Error on weights that are negative or not
/// finite, or of the wrong number. Does not allocate.
template <Rep rep>
OverallInverse<double> least_squares_velocities(const Tree& tree, const Poses<double>& poses,
                                                In<Twist<rep>> twists, In<Vec6<double>> weights,
                                                LeastSquaresWork& work, Out<double> v,
                                                const LeastSquaresOptions& options = {});

}  // namespace axode
