/// Screws: a line in space with a pitch, and their coordinates as six-vectors.
///
///   X = (e, p x e + h e)    finite pitch h [m/rad], h = 0 a revolute axis    [MuellerKin (1),(67)]
///   X = (0, e)              infinite pitch, a pure translation               [MuellerKin (2)]
///
/// The axis e is a unit vector, p any point of the line [m]. Exponentials, adjoints and the screw
/// product ad(X, Y) are in axode/lie.
/// Tests: tests/screw/screw_test.cpp
#pragma once
#include <limits>

#include "axode/lie/vec6.hpp"

namespace axode {

/// The pitch of a pure translation.
template <class S = double>
inline constexpr S infinite_pitch = S(std::numeric_limits<Real<S>>::infinity());

template <class S = double>
struct Screw {
  Vec3<S> axis{S(0), S(0), S(1)};  ///< unit vector
  Vec3<S> point{};                 ///< any point of the line [m]; without meaning at infinite pitch
  S pitch{};                       ///< advance per radian [m/rad], or infinite_pitch
};

/// A screw from an axis of any length but zero, a point and a pitch (0, finite or infinite). The
/// axis is made a unit vector. Throws Error on a zero axis and on NaN.
template <std::floating_point S>
Screw<S> make_screw(const Vec3<S>& axis, const Vec3<S>& point,
                    const std::type_identity_t<S>& pitch = S(0));
/// A screw of infinite pitch. Throws Error on a zero axis and on NaN.
template <std::floating_point S>
Screw<S> make_translation_screw(const Vec3<S>& axis);
/// The line of Pluecker coordinates (direction, moment = point x direction), any multiple of them,
/// as a screw of pitch 0. Throws Error if direction and moment are not perpendicular: such
/// coordinates are no line but a screw, see screw_from_coordinates. `length` [m] is the size of the
/// mechanism, relative to which a pitch is taken for rounding.
template <std::floating_point S>
Screw<S> screw_from_pluecker(const Vec3<S>& direction, const Vec3<S>& moment,
                             const std::type_identity_t<S>& length = S(1));

/// The unit screw coordinates (e, p x e + h e), or (0, e).
template <class S>
constexpr Vec6<S> coordinates(const Screw<S>& screw) noexcept {
  return choose(
      abs(screw.pitch) == infinite_pitch<S>,
      [&] {
        return Vec6<S>{{S(0), S(0), S(0)}, screw.axis};
      },
      [&] {
        return Vec6<S>{screw.axis, cross(screw.point, screw.axis) + screw.pitch * screw.axis};
      });
}

/// A screw and its intensity: magnitude * coordinates(screw) are the coordinates it came from.
template <class S>
struct ScrewWithMagnitude {
  Screw<S> screw;  ///< its point is the one of the line nearest to the origin
  S magnitude;     ///< angular speed [rad/s], of a translation the speed [m/s]; 0 for X = 0
};
/// The screw of a six-vector X = (xi, eta): the instantaneous screw axis of a twist. An xi of zero
/// gives infinite pitch (so does one so small that its pitch or point would overflow), X = 0 the
/// default screw with magnitude 0. Throws Error on NaN, infinity or a magnitude that overflows.
template <std::floating_point S>
ScrewWithMagnitude<S> screw_from_coordinates(const Vec6<S>& X);

/// Reciprocal product (Klein form) of two screws: xi1.eta2 + eta1.xi2. Zero if a wrench on the one
/// does no work on a twist about the other.
template <class S>
constexpr S reciprocal_product(const Vec6<S>& a, const Vec6<S>& b) noexcept {
  return dot(a.angular, b.linear) + dot(a.linear, b.angular);
}

}  // namespace axode
