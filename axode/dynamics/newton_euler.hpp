/// Newton-Euler equations of one rigid body: the net wrench on it from its motion, in each form.
///
///   spatial  W = M V' - ad_V^T M V                                             [MuellerDyn (38)]
///   body     the same, in the body frame                                       [MuellerDyn (41)]
///   hybrid   W = M V' + ad_w M (w, 0)                                      [MuellerDyn (53)-(55)]
///   mixed    torque in body axes, force in world axes                      [MuellerDyn (56)-(57)]
///
/// The acceleration is the time derivative of the components of the twist. Subtract (0, g) from it
/// (g in the axes of its linear part) and gravity is no part of the wrench any more: what is left are
/// the other forces on the body. Units: N m, N.
/// Tests: tests/dynamics/newton_euler_test.cpp
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
}  // namespace detail

/// Body form (41). I in the body frame.
template <class S>
constexpr Wrench<Rep::body, S> net_wrench(const Inertia<S>& I, const Twist<Rep::body, S>& V,
                                          const Acceleration<Rep::body, S>& A) noexcept {
  const Vec6<S> W =
      detail::times(I, A.six()) - ad_transpose(V.six(), detail::times(I, V.six()));
  return {W.angular, W.linear};
}

/// Any form; T_WB the pose of the body, I in its own frame.
template <Rep rep, class S>
constexpr Wrench<rep, S> net_wrench_with_pose(const SE3<S>& T_WB, const Inertia<S>& I,
                                              const Twist<rep, S>& V,
                                              const Acceleration<rep, S>& A) noexcept {
  if constexpr (rep == Rep::body) {
    return net_wrench(I, V, A);
  } else if constexpr (rep == Rep::spatial) {  // (38)
    const Inertia<S> I_W = transform(T_WB, I);
    const Vec6<S> W =
        detail::times(I_W, A.six()) - ad_transpose(V.six(), detail::times(I_W, V.six()));
    return {W.angular, W.linear};
  } else if constexpr (rep == Rep::hybrid) {  // (54), (55) about the centre of mass
    const Vec3<S> d = T_WB.R * I.com, w = V.angular, w_B = inverse_times(T_WB.R, w);
    const Vec3<S> f = (A.linear + cross(A.angular, d) + cross(w, cross(w, d))) * I.mass;
    const Vec3<S> inner = I.about_com * inverse_times(T_WB.R, A.angular) +
                          cross(w_B, I.about_com * w_B);
    return {T_WB.R * inner + cross(d, f), f};
  } else {  // (56), (57) about the centre of mass
    const Vec3<S> w = V.angular;
    const Vec3<S> turning = cross(A.angular, I.com) + cross(w, cross(w, I.com));
    const Vec3<S> f = (A.linear + T_WB.R * turning) * I.mass;
    const Vec3<S> f_B = (inverse_times(T_WB.R, A.linear) + turning) * I.mass;
    return {I.about_com * A.angular + cross(w, I.about_com * w) + cross(I.com, f_B), f};
  }
}

}  // namespace axode
