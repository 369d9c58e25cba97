/// How a section of a beam stands and moves in the frame of its link.
///
/// Rotations R(theta) of sections in three orders, with their angular velocity Gamma(theta) theta' in the
/// axes of the link and the part Gamma' theta' of its derivative. To first order in theta
///   R = I + theta~,   Gamma = I + B(theta)
///                     [CibicikEgeland (22)-(29), (93)-(95), (148); B is missing there]
///   xyz  B = [[0, 0, y], [0, 0, -x], [0, x, 0]]     zyx  B = [[0, -z, 0], [z, 0, 0], [-y, 0, 0]]
///   exp  B = theta~ / 2
/// Tests: tests/flexible/link/section_motion_test.cpp
#pragma once
#include <span>

#include "axode/flexible/tree/flexible_tree.hpp"
#include "axode/lie/g1.hpp"

namespace axode {

/// Exact in all coordinates. With S = Dual: derivatives, or linear in coordinates put into `dual`.
template <class S = double>
struct Exact {
  using Scalar = S;
  using Coordinate = S;
  using Rotation = SO3<S>;
  static S joint(const S& q) noexcept { return q; }
  static S elastic(const S& q) noexcept { return q; }
};
/// Elastic motion is of first order: the dual part [CibicikEgeland II-A].
struct FirstOrder {
  using Scalar = Dual<double>;
  using Coordinate = double;
  using Rotation = G1<double>;
  static double joint(double q) noexcept { return q; }
  static Dual<double> elastic(double q) noexcept { return {0, q}; }
};

/// B(theta), linear in theta.
template <class S>
constexpr Mat3<S> first_order_rate(SectionRotation order, const Vec3<S>& theta) noexcept {
  const S o(0);
  const auto& [x, y, z] = theta;
  // omega = (I + B) theta' to first order  [CibicikEgeland (27), corrected: docs/errata.md]
  switch (order) {
    case SectionRotation::xyz:
      return Mat3<S>::rows({o, o, y}, {o, o, -x}, {o, x, o});
    case SectionRotation::zyx:
      return Mat3<S>::rows({o, -z, o}, {z, o, o}, {-y, o, o});
    case SectionRotation::exp:
      break;
  }
  return skew(theta) * S(Real<S>(0.5));
}

/// R(theta), Gamma(theta) and Gamma' theta' for the rates `rate` of theta.
template <class S>
struct SectionTurn {
  SO3<S> R;
  Mat3<S> gamma;
  Vec3<S> spin, spin_bias;  ///< Gamma theta', Gamma' theta'
};
template <class S>
SectionTurn<S> section_turn(SectionRotation order, const Vec3<S>& theta,
                            const Vec3<S>& rate) noexcept {
  SectionTurn<S> at;
  if (order == SectionRotation::exp) {
    // R = exp(theta~)  [CibicikEgeland (22)], Gamma = J(theta), the left Jacobian
    const Mat3<Dual<S>> gamma = left_jacobian(make_dual(theta, rate));
    at = {exp(theta), real_part(gamma), {}, dual_part(gamma) * rate};
    at.spin = at.gamma * rate;
    return at;
  }
  const S o(0), l(1);
  const auto [sx, cx] = sincos(theta.x);
  const auto [sy, cy] = sincos(theta.y);
  const auto [sz, cz] = sincos(theta.z);
  const Mat3<S> X = Mat3<S>::rows({l, o, o}, {o, cx, -sx}, {o, sx, cx});
  const Mat3<S> Y = Mat3<S>::rows({cy, o, sy}, {o, l, o}, {-sy, o, cy});
  const Mat3<S> Z = Mat3<S>::rows({cz, -sz, o}, {sz, cz, o}, {o, o, l});
  if (order == SectionRotation::xyz) {
    // R = X Y Z, the order of [CibicikEgeland (23)]; turns about e_x, X e_y and X Y e_z
    // [CibicikEgeland (148), corrected: docs/errata.md]
    const Vec3<S> second = X.y, third = (X * Y).z;
    at.R = {X * Y * Z};
    at.gamma = {{l, o, o}, second, third};
    const Vec3<S> first_spin{rate.x, o, o}, two_spins = first_spin + second * rate.y;
    at.spin = two_spins + third * rate.z;
    at.spin_bias = cross(first_spin, second) * rate.y + cross(two_spins, third) * rate.z;
  } else {
    // R = Z Y X: turns about e_z, Z e_y and Z Y e_x
    const Vec3<S> second = Z.y, third = (Z * Y).x;
    at.R = {Z * Y * X};
    at.gamma = {third, second, {o, o, l}};
    const Vec3<S> first_spin{o, o, rate.z}, two_spins = first_spin + second * rate.y;
    at.spin = two_spins + third * rate.x;
    at.spin_bias = cross(first_spin, second) * rate.y + cross(two_spins, third) * rate.x;
  }
  return at;
}

/// A section in the frame of its link: pose, rates, and what the rates of modes do to it.
template <class P>
struct SectionMotion {
  using S = typename P::Scalar;
  typename P::Rotation R;
  Vec3<S> p, p_rate, p_bias;  ///< place; its rate; its second rate where modes do not accelerate
  Mat3<S> gamma;
  Vec3<S> spin, spin_bias;
};

/// Axes of link (x 0, y 1, z 2) along which a mode displaces and about which it turns; -1: it does not.
constexpr int displacement_axis(ModeDirection d) noexcept {
  return d == ModeDirection::bend_y   ? 1
         : d == ModeDirection::bend_z ? 2
         : d == ModeDirection::axial  ? 0
                                      : -1;
}
constexpr int rotation_axis(ModeDirection d) noexcept {
  return d == ModeDirection::torsion  ? 0
         : d == ModeDirection::bend_y ? 2
         : d == ModeDirection::bend_z ? 1
                                      : -1;
}

/// The section at `at` for modal coordinates e and rates r of the link.
template <class P>
SectionMotion<P> section_motion(const FlexibleTree& tree, const ModalInvariants& beam,
                                const StationModes& at, std::span<const typename P::Coordinate> e,
                                std::span<const typename P::Coordinate> r) noexcept;
/// For each mode the twist that its unit rate gives to a body fixed to the section, at the origin and in
/// the axes of the link: (alpha Gamma b; psi a + p x alpha Gamma b), shortening included
/// [CibicikEgeland (67)-(75), with the sign of (71) corrected].
template <class P>
void section_twists(const FlexibleTree& tree, const ModalInvariants& beam, const StationModes& at,
                    std::span<const typename P::Coordinate> e, const SectionMotion<P>& section,
                    std::span<Vec6<typename P::Scalar>> twists) noexcept;

}  // namespace axode
