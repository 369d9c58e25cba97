/// Time derivatives of any order of all twists and poses: acceleration, jerk, snap, ..., O(n nu^2).
///
/// Each representation differentiates its own recursion by Leibniz's rule. With U_i = S_i v_i the
/// twist of body i in its parent, in the body frame, U^(k) = sum_j binom(k, j) S^(j) v^(k-j):
///
///   body     V_i = Ad(C_ip) V_p + U_i,     d/dt Ad(C_ip) = -ad(U_i) Ad(C_ip)  [MuellerDyn (65), (13)]
///   spatial  V_i = V_p + Ad(C_i) U_i,      d/dt Ad(C_i) = ad(V_i) Ad(C_i)     [MuellerDyn (69), (21)]
///   hybrid   V_i = Ad(r_ip) V_p + Ad(R_i) U_i,  d/dt R_i = w~_i R_i      [MuellerDyn (72), (31)-(32)]
///   mixed    w_i = R_ip w_p + u_i,  r'_i = r'_p + r_ip x R_p w_p + R_i (linear part of U_i); from
///            the jerk on not that of the hybrid twist in other axes
///                                                     [MuellerDyn (33), corrected: docs/errata.md]
///
/// with r_ip = r_p - r_i. The poses follow from C^(k+1) = sum_j binom(k, j) C^(k-j) V^(j) and its
/// like. All are plain derivatives of components; no gravity is in them.
/// Tests: tests/kinematics/higher_order_test.cpp
#pragma once
#include <array>
#include <cassert>
#include <span>
#include <vector>

#include "axode/kinematics/poses.hpp"
#include "axode/screw/twist.hpp"

namespace axode {

/// Derivatives of the twists of all bodies in one representation, with the scratch to find them.
/// Make it once, then reuse it.
template <Rep rep, class S = double>
struct HigherOrder {
  /// For derivatives up to `order` of the twist: 1 acceleration, 2 jerk, 3 snap. Throws Error if
  /// the order is negative or above 56, where binomial coefficients cease to be exact.
  HigherOrder(const Tree& tree, int order);
  /// The k-th time derivative of the twist of a body [rad/s^(k+1), m/s^(k+1)].
  const Vec6<S>& derivative(int body, int k) const noexcept {
    return derivatives[body * (order + 1) + k];
  }
  Twist<rep, S> twist(int body) const noexcept {
    return {derivative(body, 0).angular, derivative(body, 0).linear};
  }
  Acceleration<rep, S> acceleration(int body) const noexcept {
    return {derivative(body, 1).angular, derivative(body, 1).linear};
  }
  const Vec6<S>& jerk(int body) const noexcept { return derivative(body, 2); }
  const Vec6<S>& snap(int body) const noexcept { return derivative(body, 3); }

  int order = 0;
  int computed = -1;                 ///< the highest derivative the last call wrote
  std::vector<Vec6<S>> derivatives;  ///< by body, then by k = 0..order

  struct Scratch {
    std::vector<Real<S>> binomials;         ///< rows of Pascal's triangle
    std::vector<Vec6<S>> screws, relative;  ///< S^(k) of one joint, U^(k)
    std::vector<Mat3<S>> rotation, moment;  ///< derivatives of the blocks of Ad, or of R
    std::vector<Mat3<S>> turned;            ///< mixed: of the body's rotation
    std::vector<Vec3<S>> angular;           ///< mixed: of R w by body
  } scratch;
};

/// Twists and their derivatives up to the order velocities.size() - 1 (at most result.order) at the
/// configuration of the poses; velocities[k] points to the k-th derivative of v, nv numbers. Does
/// not allocate, except beyond order 4 in joints of the first kind.
template <Rep rep, class S>
void twist_derivatives(const Tree& tree, const Poses<S>& poses,
                       std::type_identity_t<std::span<const S* const>> velocities,
                       HigherOrder<rep, S>& result);
/// Up to the jerk: v and its derivatives a, j. The result must have order 2 at least.
template <Rep rep, class S>
void jerks(const Tree& tree, const Poses<S>& poses, In<S> v, In<S> a, In<S> j,
           HigherOrder<rep, S>& result) {
  assert(result.order >= 2);
  const std::array<const S*, 3> velocities{v.data(), a.data(), j.data()};
  twist_derivatives<rep, S>(tree, poses, velocities, result);
}
/// Up to the snap: v and its derivatives a, j, s. The result must have order 3 at least.
template <Rep rep, class S>
void snaps(const Tree& tree, const Poses<S>& poses, In<S> v, In<S> a, In<S> j, In<S> s,
           HigherOrder<rep, S>& result) {
  assert(result.order >= 3);
  const std::array<const S*, 4> velocities{v.data(), a.data(), j.data(), s.data()};
  twist_derivatives<rep, S>(tree, poses, velocities, result);
}

/// A derivative of a pose, as the upper part of the matrix [R p; 0 0] (k = 0: [R p; 0 1]).
template <class S = double>
struct PoseDerivative {
  Mat3<S> R;
  Vec3<S> p;
};
/// Derivatives of the poses of all bodies. Make it once, then reuse it.
template <class S = double>
struct PoseDerivatives {
  /// Up to `order`: one more than that of the twists.
  PoseDerivatives(const Tree& tree, int order);
  const PoseDerivative<S>& derivative(int body, int k) const noexcept {
    return derivatives[body * (order + 1) + k];
  }
  int order = 0;
  std::vector<PoseDerivative<S>> derivatives;  ///< by body, then by k = 0..order
};
/// From the twists: up to the order result.order or twists.computed + 1, whichever is less, and
/// zeros beyond. Does not allocate.
template <Rep rep, class S>
void pose_derivatives(const Tree& tree, const Poses<S>& poses, const HigherOrder<rep, S>& twists,
                      PoseDerivatives<S>& result) noexcept;
/// The Taylor polynomial of the pose of a body after the time dt [s]. R is a rotation only to the
/// order of the polynomial.
template <class S>
PoseDerivative<S> taylor_pose(const PoseDerivatives<S>& poses, int body,
                              const std::type_identity_t<S>& dt) noexcept;

}  // namespace axode
