/// Chasles: every displacement is a rotation about a line and a translation along it.
///
///   T = (exp(phi e~), (I - exp(phi e~)) p + phi h e)                       [MuellerKin (69)-(70)]
///
/// Tests: tests/screw/chasles_test.cpp
#pragma once
#include "axode/lie/se3.hpp"
#include "axode/screw/screw.hpp"

namespace axode {

/// What kind of displacement it is; at `translation` the pitch is infinite and phi a length.
enum class DisplacementKind { identity, translation, screw };

template <class S = double>
struct ScrewDisplacement {
  DisplacementKind kind = DisplacementKind::identity;
  Screw<S> screw;    ///< its point is the one of the axis nearest to the origin
  S displacement{};  ///< the angle in [0, pi] rad; of a translation the length [m]
};

/// The screw motion that makes the displacement T. Rotations by less than `angle_tolerance` count
/// as none, by default those that are only rounding of a rotation matrix; the axis of a small
/// rotation is far away, and at 0 all are told. The sign of the axis at pi is that of log.
/// Throws Error on NaN or infinity.
template <std::floating_point S>
ScrewDisplacement<S> chasles(const SE3<S>& T,
                             std::type_identity_t<S> angle_tolerance = S(4) * epsilon<S>);

/// The displacement of a screw motion; inverse of chasles.
template <std::floating_point S>
SE3<S> displacement(const ScrewDisplacement<S>& motion) noexcept;

}  // namespace axode
