/// The inertia of a body that carries others on joints free to move: a symmetric 6x6 matrix.
///
///   [t]   [aa   al] [w']
///   [f] = [al^T ll] [v']          + bias
///
/// Unlike that of a rigid body it has no mass and centre: the mass felt depends on the direction. 21
/// numbers, in packed blocks. What the articulated-body algorithm does with it: add, move to another
/// frame, and eliminate a degree of freedom of the joint that carries the body,
///
///   I - U U^T / D,   U = I S,   D = S^T I S + armature.
///
/// Units: kg m^2, kg m, kg.
/// Tests: tests/dynamics/forward/detail/articulated_inertia_test.cpp
#pragma once
#include "axode/screw/inertia.hpp"

namespace axode {

template <class S = double>
struct ArticulatedInertia {
  Sym3<S> aa;
  Mat3<S> al;
  Sym3<S> ll;

  constexpr ArticulatedInertia& operator+=(const ArticulatedInertia& b) noexcept {
    aa = aa + b.aa, al += b.al, ll = ll + b.ll;
    return *this;
  }
  /// Wrench of an acceleration, momentum of a twist.
  friend constexpr Vec6<S> operator*(const ArticulatedInertia& I, const Vec6<S>& V) noexcept {
    return {I.aa * V.angular + I.al * V.linear, transpose_times(I.al, V.angular) + I.ll * V.linear};
  }
};

/// That of a rigid body alone, in the frame of I.
template <class S>
constexpr ArticulatedInertia<S> articulated(const Inertia<S>& I) noexcept {
  return {about_origin(I), skew(I.com * I.mass), Sym3<S>::diagonal({I.mass, I.mass, I.mass})};
}
/// The whole matrix, to look at.
template <class S>
constexpr Mat6<S> matrix(const ArticulatedInertia<S>& I) noexcept {
  return {I.aa.matrix(), I.al, transpose(I.al), I.ll.matrix()};
}

namespace detail {
/// A - u w^T for w parallel to u.
template <class S>
constexpr Sym3<S> minus_outer(const Sym3<S>& A, const Vec3<S>& u, const Vec3<S>& w) noexcept {
  return {A.xx - u.x * w.x, A.yy - u.y * w.y, A.zz - u.z * w.z,
          A.xy - u.x * w.y, A.xz - u.x * w.z, A.yz - u.y * w.z};
}
}  // namespace detail

/// I - U U^T / D.
template <class S>
constexpr ArticulatedInertia<S> without(const ArticulatedInertia<S>& I, const Vec6<S>& U,
                                        const S& inverse_D) noexcept {
  const Vec6<S> W = U * inverse_D;
  return {detail::minus_outer(I.aa, U.angular, W.angular), I.al - outer(U.angular, W.linear),
          detail::minus_outer(I.ll, U.linear, W.linear)};
}

/// From about the point p to about the origin, in the same axes.
template <class S>
constexpr ArticulatedInertia<S> shift(const Vec3<S>& p, const ArticulatedInertia<S>& I) noexcept {
  // ll' = ll,  al' = al + p~ ll,  aa' = aa + (p~ al^T)^T + p~ al'^T.
  const Mat3<S> L = I.ll.matrix(), T = transpose(I.al);
  const Mat3<S> al{I.al.x + cross(p, L.x), I.al.y + cross(p, L.y), I.al.z + cross(p, L.z)};
  const Mat3<S> T_new = transpose(al);
  const Mat3<S> X{cross(p, T.x), cross(p, T.y), cross(p, T.z)};
  const Mat3<S> Z{cross(p, T_new.x), cross(p, T_new.y), cross(p, T_new.z)};
  return {{I.aa.xx + X.x.x + Z.x.x, I.aa.yy + X.y.y + Z.y.y, I.aa.zz + X.z.z + Z.z.z,
           I.aa.xy + X.x.y + Z.y.x, I.aa.xz + X.x.z + Z.z.x, I.aa.yz + X.y.z + Z.z.y},
          al,
          I.ll};
}
/// In frame A: Ad^-T I Ad^-1, T_AB the pose of the frame B in which I is given.
template <class S>
constexpr ArticulatedInertia<S> transform(const SE3<S>& T_AB,
                                          const ArticulatedInertia<S>& I) noexcept {
  const Mat3<S>& R = T_AB.R.matrix;
  return shift(T_AB.p, ArticulatedInertia<S>{congruence(R, I.aa), (R * I.al) * transpose(R),
                                             congruence(R, I.ll)});
}

}  // namespace axode
