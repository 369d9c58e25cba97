/// The displacement of a joint from its coordinates, its screws then, and their time derivatives.
///
/// D(q) takes the joint from the zero configuration, T_PB = B D(q). The twist of the body in its
/// parent, in the body frame, is S(q) v with [MuellerKin Remark 4; TraversaroSaccon sec. 8]
///
///   one screw          S = X                              constant
///   second kind        S_k = Ad^-1(exp(X_k+1 q_k+1)..exp(X_m q_m)) X_k
///   first kind         S = dexp_(-x) X,  x = sum X_k q_k
///   quaternion         S = X (angular velocity in the axes of the body's joint frame)
///   free               S = X, or in spatial or hybrid velocities X moved from the joint frame of
///                      the parent, or to its axes
///
/// Derivatives of any order follow from dS_k/dt = -ad_G S_k with a generator G that each kind has
/// (the twist of the factors behind k, of the whole joint, or its rotation), and for the first kind
/// from the series of dexp at a fraction of x, differentiated term by term, and its doubling formula.
/// Tests: tests/model/joint_map_test.cpp
#pragma once
#include <span>

#include "axode/lie/adjoint.hpp"
#include "axode/lie/trig.hpp"
#include "axode/model/tree.hpp"

namespace axode {

/// exp(X q) of a unit screw of finite pitch: cheaper and more exact than the general exponential.
template <class S>
inline SE3<S> screw_displacement(const Vec6<double>& X, const S& q) noexcept;
/// D(q) of joint i; q points to the coordinates of the whole tree. A quaternion need not have unit
/// length, but must not be zero.
template <class S>
inline SE3<S> joint_displacement(const Tree& tree, int i, const S* q) noexcept;
/// S(q): writes the nv screws of joint i, in the body frame. D is its displacement.
template <class S>
inline void joint_screws(const Tree& tree, int i, const S* q, const SE3<S>& D,
                         Vec6<S>* screws) noexcept;
/// Time derivatives of S along a motion. On entry screws[0..nv) hold S; writes the k-th derivative
/// to screws[k * nv ..), k = 1..order. velocity[k] points to the k-th time derivative of v, of the
/// whole tree, k < order. Does not allocate for order <= 4.
template <class S>
void joint_screw_derivatives(const Tree& tree, int i, const S* q,
                             std::span<const S* const> velocity, int order, Vec6<S>* screws);
/// Whether S(q) of the joint is constant, so that all derivatives vanish.
constexpr bool has_constant_screws(const Link& link) noexcept {
  return link.map != JointMap::product && link.map != JointMap::exponential &&
         (link.map != JointMap::free || link.velocity == Rep::body);
}

// --- implementation -------------------------------------------------------------------------------

namespace detail {
template <class S>
constexpr Vec3<S> cast(const Vec3<double>& a) noexcept {
  using R = Real<S>;
  return {S(static_cast<R>(a.x)), S(static_cast<R>(a.y)), S(static_cast<R>(a.z))};
}
template <class S>
constexpr Vec6<S> cast(const Vec6<double>& a) noexcept {
  return {cast<S>(a.angular), cast<S>(a.linear)};
}
template <class S>
constexpr SE3<S> cast(const SE3<double>& T) noexcept {
  const Mat3<double>& R = T.R.matrix;
  return {{Mat3<S>{cast<S>(R.x), cast<S>(R.y), cast<S>(R.z)}}, cast<S>(T.p)};
}

template <class S>
inline SE3<S> quaternion_pose(const S* q) noexcept {
  return {{rotation_matrix(normalized(Quaternion<S>{q[0], {q[1], q[2], q[3]}}))}, {}};
}
}  // namespace detail

template <class S>
inline SE3<S> screw_displacement(const Vec6<double>& X, const S& q) noexcept {
  // exp of (e, eta) q with |e| = 1: p = s eta + (1-c) e x eta + (q - s) (e . eta) e.
  const Vec6<S> Y = detail::cast<S>(X);
  const SinCos<S> t = sincos(q);
  const S versine = S(1) - t.cos;
  return {{skew_polynomial(t.sin, versine, Y.angular)},
          t.sin * Y.linear + versine * cross(Y.angular, Y.linear) +
              ((q - t.sin) * dot(Y.angular, Y.linear)) * Y.angular};
}

namespace detail {
template <class S>
inline SE3<S> one_displacement(const Vec6<double>& X, const S& q) noexcept {
  if (max_abs(X.angular) == 0.0) return {{}, q * cast<S>(X.linear)};
  return screw_displacement(X, q);
}
template <class S>
SE3<S> several_displacement(const Tree& tree, int i, const S* q) noexcept;
template <class S>
void several_screws(const Tree& tree, int i, const S* q, const SE3<S>& D, Vec6<S>* screws) noexcept;
}  // namespace detail

template <class S>
inline SE3<S> joint_displacement(const Tree& tree, int i, const S* q) noexcept {
  const Link& link = tree.links[i];
  const Vec6<double>* X = tree.screws.data() + link.v;
  switch (link.map) {
    case JointMap::fixed:
      return {};
    case JointMap::translation:
      return {{}, q[link.q] * detail::cast<S>(X->linear)};
    case JointMap::screw:
      return screw_displacement(*X, q[link.q]);
    default:
      return detail::several_displacement(tree, i, q);
  }
}

template <class S>
inline void joint_screws(const Tree& tree, int i, const S* q, const SE3<S>& D,
                         Vec6<S>* screws) noexcept {
  const Link& link = tree.links[i];
  const Vec6<double>* X = tree.screws.data() + link.v;
  if (has_constant_screws(link))
    for (int k = 0; k < link.nv; ++k) screws[k] = detail::cast<S>(X[k]);
  else
    detail::several_screws(tree, i, q, D, screws);
}

}  // namespace axode
