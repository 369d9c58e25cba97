/// The inertia of a rigid body: mass, centre of mass, rotational inertia.
///
///   M = [Theta, m c~; -m c~, m I],   Theta = Theta_c - m c~^2
///                             [MuellerDyn (39)-(40), (47), (51); TraversaroSaccon (67)-(69)]
///
/// in any frame, c [m] the centre of mass and Theta_c [kg m^2] the rotational inertia about it, in
/// the axes of that frame. The products of inertia are entries of the tensor: xy = -integral x y dm.
/// An Inertia need not be physically possible (massless and fitted bodies occur); the check is
/// there for those who ask.
/// Tests: tests/screw/inertia_test.cpp
#pragma once
#include <array>
#include <string>

#include "axode/lie/adjoint.hpp"
#include "axode/screw/convert.hpp"
#include "axode/screw/twist.hpp"

namespace axode {

template <class S = double>
struct Inertia {
  S mass{};             ///< [kg]
  Vec3<S> com{};        ///< centre of mass [m]
  Sym3<S> about_com{};  ///< rotational inertia about the centre of mass [kg m^2]

  friend constexpr bool operator==(const Inertia&, const Inertia&) = default;
};

/// Rotational inertia about the origin of the frame (Huygens-Steiner).
template <class S>
constexpr Sym3<S> about_origin(const Inertia<S>& I) noexcept {
  return I.about_com + minus_skew_squared(I.com) * I.mass;
}
/// The 6x6 matrix in the frame of I; in another frame B: matrix(transform(T_BA, I)).
template <class S>
constexpr Mat6<S> matrix(const Inertia<S>& I) noexcept {
  const Mat3<S> mc = skew(I.com * I.mass);
  return {about_origin(I).matrix(), mc, -mc, Mat3<S>::diagonal({I.mass, I.mass, I.mass})};
}
/// From a 6x6 matrix. Throws Error if it does not have the structure of M, saying by how much, if
/// an entry is not finite, or if it has no mass but a first moment.
template <std::floating_point S>
Inertia<S> inertia_from_matrix(const Mat6<S>& M,
                               std::type_identity_t<S> tolerance = S(1e6) * epsilon<S>);

/// The ten numbers the equations of motion are linear in: m, m c, and the tensor about the origin.
template <class S = double>
struct InertiaParameters {
  S mass{};                ///< [kg]
  Vec3<S> first_moment{};  ///< m c [kg m]
  Sym3<S> about_origin{};  ///< [kg m^2]
};
template <class S>
constexpr InertiaParameters<S> parameters(const Inertia<S>& I) noexcept {
  return {I.mass, I.com * I.mass, about_origin(I)};
}
/// With zero mass the centre of mass is the origin; throws Error if there is a first moment then,
/// and on NaN or infinity.
template <std::floating_point S>
Inertia<S> inertia_from_parameters(const InertiaParameters<S>& p);

/// The 4x4 pseudo-inertia [Sigma, m c; m c^T, m], Sigma = integral x x^T dm about the origin.
template <class S>
constexpr std::array<std::array<S, 4>, 4> pseudo_inertia(const Inertia<S>& I) noexcept;
/// From a 4x4 pseudo-inertia, of which the upper half is taken. Throws Error if it is not symmetric
/// within `tolerance` of its largest entry, saying by how much, and like inertia_from_parameters.
template <std::floating_point S>
Inertia<S> inertia_from_pseudo_inertia(const std::array<std::array<S, 4>, 4>& J,
                                       std::type_identity_t<S> tolerance = S(1e6) * epsilon<S>);

/// trace(A)/2 I - A: takes a rotational inertia to its Binet tensor integral x x^T dm.
template <class S>
constexpr Sym3<S> binet_of(const Sym3<S>& A) noexcept {
  const S half = S(Real<S>(0.5)) * trace(A);
  return {half - A.xx, half - A.yy, half - A.zz, -A.xy, -A.xz, -A.yz};
}
/// trace(B) I - B: the rotational inertia of a Binet tensor.
template <class S>
constexpr Sym3<S> rotational_inertia_of_binet(const Sym3<S>& B) noexcept {
  const S t = trace(B);
  return {t - B.xx, t - B.yy, t - B.zz, -B.xy, -B.xz, -B.yz};
}
/// Binet's tensor about the centre of mass, as in [MuellerDyn (87), corrected: docs/errata.md].
template <class S>
constexpr Sym3<S> binet_tensor(const Inertia<S>& I) noexcept {
  return binet_of(I.about_com);
}

/// Empty if a body of positive mass can have this inertia: finite numbers, mass > 0, principal
/// moments about the centre of mass >= 0 and none larger than the sum of the others. Otherwise one
/// sentence that names what is violated, with the numbers. Flat and straight bodies pass; `tolerance`
/// is relative to the moments about the origin.
template <std::floating_point S>
std::string physical_violation(const Inertia<S>& I,
                               std::type_identity_t<S> tolerance = S(1e3) * epsilon<S>);
/// Throws Error with that sentence; `where` names the body.
template <std::floating_point S>
void check_physical(const Inertia<S>& I, const std::string& where = "inertia");

/// The same body in frame A: T_AB the pose of the frame B in which I is given.
template <class S>
constexpr Inertia<S> transform(const SE3<S>& T_AB, const Inertia<S>& I) noexcept {
  return {I.mass, T_AB * I.com, congruence(T_AB.R.matrix, I.about_com)};
}
/// Two bodies as one, given in the same frame. Where a negative mass cancels the other, the sum has no
/// centre of mass: the origin is put for it, and the first moment is lost.
template <class S>
constexpr Inertia<S> operator+(const Inertia<S>& a, const Inertia<S>& b) noexcept {
  const S mass = a.mass + b.mass;
  const auto massless = mass == S(0);
  const S divisor = select(massless, S(1), mass);
  const Vec3<S> apart = a.com - b.com, moment = a.com * a.mass + b.com * b.mass;
  return {mass, select(massless, Vec3<S>{S(0), S(0), S(0)}, moment / divisor),
          a.about_com + b.about_com + minus_skew_squared(apart) * (a.mass * b.mass / divisor)};
}

/// Momentum of the body of inertia I, given in its own frame: M V.
template <class S>
constexpr Momentum<Rep::body, S> momentum(const Inertia<S>& I,
                                          const Twist<Rep::body, S>& V) noexcept {
  const Vec3<S> linear = (V.linear + cross(V.angular, I.com)) * I.mass;
  return {I.about_com * V.angular + cross(I.com, linear), linear};
}
/// Momentum in the representation of the twist; T_WB the pose of the body, I in its own frame.
template <Rep rep, class S>
constexpr Momentum<rep, S> momentum_with_pose(const SE3<S>& T_WB, const Inertia<S>& I,
                                              const Twist<rep, S>& V) noexcept {
  return convert_with_pose<rep>(T_WB, momentum(I, convert_with_pose<Rep::body>(T_WB, V)));
}
/// Kinetic energy [J]; I in the body's own frame.
template <class S>
constexpr S kinetic_energy(const Inertia<S>& I, const Twist<Rep::body, S>& V) noexcept {
  const Vec3<S> v_com = V.linear + cross(V.angular, I.com);
  return S(Real<S>(0.5)) * (dot(V.angular, I.about_com * V.angular) + I.mass * squared_norm(v_com));
}
/// Kinetic energy [J] from a twist of any representation.
template <Rep rep, class S>
constexpr S kinetic_energy_with_pose(const SE3<S>& T_WB, const Inertia<S>& I,
                                     const Twist<rep, S>& V) noexcept {
  return kinetic_energy(I, convert_with_pose<Rep::body>(T_WB, V));
}

template <class S>
constexpr std::array<std::array<S, 4>, 4> pseudo_inertia(const Inertia<S>& I) noexcept {
  const Sym3<S> B = binet_of(about_origin(I));
  const Vec3<S> h = I.com * I.mass;
  return {{{B.xx, B.xy, B.xz, h.x},
           {B.xy, B.yy, B.yz, h.y},
           {B.xz, B.yz, B.zz, h.z},
           {h.x, h.y, h.z, I.mass}}};
}

}  // namespace axode
