/// Newton-Euler equations of one rigid body: the net wrench on it from its motion, in each form.
///
///   spatial  W = M V' - ad_V^T M V                                             [MuellerDyn (38)]
///   body     the same, in the body frame                                  [MuellerDyn (41)-(46)]
///   hybrid   W = M V' + ad_w M (w, 0)                                      [MuellerDyn (48)-(55)]
///   mixed    torque in body axes, force in world axes                      [MuellerDyn (56)-(58)]
///   frame F  W = M (V' + ad_(V_F) V) - ad_V^T M V                          [MuellerDyn (59)-(64)]
///
/// Computed about the centre of mass, where they are Newton's and Euler's equations, the wrench
/// then taken at the origin of the frame: 51 products in the body form, of 66 as it is written
/// here. The acceleration is the time derivative of the components of the twist. Subtract (0, g)
/// from it (g in the axes of its linear part) and gravity is no part of the wrench any more: what
/// is left are the other forces on the body. Units: N m, N.
/// Tests: tests/dynamics/inverse/newton_euler_test.cpp
#pragma once
#include "axode/model/joint_map.hpp"
#include "axode/screw/inertia.hpp"

namespace axode {

namespace detail {
/// M (w, v) of a body whose inertia is given about its centre c.
template <class S>
constexpr Vec6<S> times(const Inertia<S>& I, const Vec6<S>& V) noexcept {
  const Vec3<S> linear = (V.linear + cross(V.angular, I.com)) * I.mass;
  return {I.about_com * V.angular + cross(I.com, linear), linear};
}
/// The inertia of a body of the tree in its own frame, in the scalar of the computation.
template <class S>
constexpr Inertia<S> cast(const Inertia<double>& I) noexcept {
  using R = Real<S>;
  const auto s = [](double x) { return S(static_cast<R>(x)); };
  const Sym3<double>& A = I.about_com;
  return {s(I.mass), cast<S>(I.com), {s(A.xx), s(A.yy), s(A.zz), s(A.xy), s(A.xz), s(A.yz)}};
}
/// Torque and force of the motion of the centre c, where velocity v and acceleration a are those of
/// the point at the origin that moves with the body: v_c = v + w x c, v_c' = a + w' x c + w x v_c.
/// The part of the torque that does not come from the force, `inner`, is that of the rotation
/// alone.
template <class S>
constexpr Vec6<S> wrench_at_origin(const S& mass, const Vec3<S>& c, const Vec6<S>& V,
                                   const Vec6<S>& A, const Vec3<S>& inner) noexcept {
  const Vec3<S> v_c = V.linear + cross(V.angular, c);
  const Vec3<S> f = (A.linear + cross(A.angular, c) + cross(V.angular, v_c)) * mass;
  return {inner + cross(c, f), f};
}
/// I w' + w x I w, Euler's equation.
template <class S>
constexpr Vec3<S> spin_torque(const Sym3<S>& I, const Vec3<S>& w, const Vec3<S>& w_rate) noexcept {
  return I * w_rate + cross(w, I * w);
}
}  // namespace detail

/// Body form (41), as (42), (43) about the centre of mass. I in the body frame.
template <class S>
constexpr Wrench<Rep::body, S> net_wrench(const Inertia<S>& I, const Twist<Rep::body, S>& V,
                                          const Acceleration<Rep::body, S>& A) noexcept {
  // M V' - ad_V^T M V  [MuellerDyn (41)], written as (42)-(43) about the centre of mass
  const Vec3<S> inner = detail::spin_torque(I.about_com, V.angular, A.angular);
  const Vec6<S> W = detail::wrench_at_origin(I.mass, I.com, V.six(), A.six(), inner);
  return {W.angular, W.linear};
}

/// Any form; T_WB the pose of the body, I in its own frame.
template <Rep rep, class S>
constexpr Wrench<rep, S> net_wrench_with_pose(const SE3<S>& T_WB, const Inertia<S>& I,
                                              const Twist<rep, S>& V,
                                              const Acceleration<rep, S>& A) noexcept {
  if constexpr (rep == Rep::body) {
    return net_wrench(I, V, A);
  } else if constexpr (rep == Rep::mixed) {  // [MuellerDyn (56)-(57)]
    const Vec3<S>& w = V.angular;
    const Vec3<S> turning = cross(A.angular, I.com) + cross(w, cross(w, I.com));
    const Vec3<S> f_B = (inverse_times(T_WB.R, A.linear) + turning) * I.mass;
    return {detail::spin_torque(I.about_com, w, A.angular) + cross(I.com, f_B), T_WB.R * f_B};
  } else {  // the rotation in body axes: two vectors there and one back instead of the tensor
    const Vec3<S> inner =
        T_WB.R * detail::spin_torque(I.about_com, inverse_times(T_WB.R, V.angular),
                                     inverse_times(T_WB.R, A.angular));
    if constexpr (rep == Rep::spatial) {  // M V' - ad_V^T M V  [MuellerDyn (38)]
      const Vec6<S> W = detail::wrench_at_origin(I.mass, T_WB * I.com, V.six(), A.six(), inner);
      return {W.angular, W.linear};
    } else {  // M V' + ad_w M (w, 0)  [MuellerDyn (53)-(55), corrected: docs/errata.md]
      const Vec3<S> d = T_WB.R * I.com;
      const Vec3<S> f =
          (A.linear + cross(A.angular, d) + cross(V.angular, cross(V.angular, d))) * I.mass;
      return {inner + cross(d, f), f};
    }
  }
}

/// In any moving frame F, (60): V and A are the twist of the body in coordinates of F and the
/// derivative of these numbers, V_F is the twist of F itself, in F, and I the inertia of the body
/// seen in F, transform(T_FB, I) (61). All motions are those in the world. F = body: body form; F =
/// world: spatial form; F = body with the axes of the world: hybrid form.
template <class S>
constexpr Vec6<S> net_wrench_in_frame(const Inertia<S>& I, const Vec6<S>& V, const Vec6<S>& A,
                                      const Vec6<S>& V_F) noexcept {
  const Vec6<S> absolute = A + ad(V_F, V);  // M (V' + ad_(V_F) V) - ad_V^T M V  [MuellerDyn (60)]
  const Vec3<S> inner = detail::spin_torque(I.about_com, V.angular, absolute.angular);
  return detail::wrench_at_origin(I.mass, I.com, V, absolute, inner);
}
/// Measured at the origin of F_j and resolved in the axes of F_k (63): V, A and I (64) are those in
/// the frame with that origin and these axes, V_j the twist of F_j in F_j, w_k the angular velocity
/// of F_k in F_k.
template <class S>
constexpr Vec6<S> net_wrench_in_frame(const Inertia<S>& I, const Vec6<S>& V, const Vec6<S>& A,
                                      const Vec6<S>& V_j, const SO3<S>& R_kj,
                                      const Vec3<S>& w_k) noexcept {
  // ad of V_j in the axes of F_k, and ad of (w_k - w_j, 0): the angular velocity of F_j drops out
  // [MuellerDyn (63)].
  return net_wrench_in_frame(I, V, A, {w_k, R_kj * V_j.linear});
}

/// From the rate of the numbers of the momentum P = M V, without the inertia:
///
///   spatial  W = P'  (36)        body  W = P' - ad_V^T P  (41)
///   hybrid   W = P' - ad_(0, r')^T P          [MuellerDyn (52), corrected: docs/errata.md]
template <Rep rep, class S>
constexpr Wrench<rep, S> net_wrench_of_momentum(const Twist<rep, S>& V, const Momentum<rep, S>& P,
                                                const Momentum<rep, S>& P_rate) noexcept {
  static_assert(rep != Rep::mixed, "mixed momenta change with the pose, too: convert them first");
  // spatial P'  [MuellerDyn (36)], body P' - ad_V^T P  [MuellerDyn (41)],
  // hybrid P' - ad_(0, r')^T P  [MuellerDyn (52), corrected: docs/errata.md]
  Wrench<rep, S> W{P_rate.angular, P_rate.linear};
  if constexpr (rep == Rep::body) {
    const Vec6<S> turned = ad_transpose(V.six(), P.six());
    W -= {turned.angular, turned.linear};
  }
  if constexpr (rep == Rep::hybrid) W.angular += cross(V.linear, P.linear);
  return W;
}

}  // namespace axode
