/// Poinsot: every wrench is a force along a line and a couple about it.
///
/// Tests: tests/screw/poinsot_test.cpp
#pragma once
#include "axode/screw/screw.hpp"

namespace axode {

/// What kind of wrench it is; a `couple` has no axis of its own, only a direction.
enum class WrenchKind { zero, couple, force };

template <class S = double>
struct CentralAxis {
  WrenchKind kind = WrenchKind::zero;
  Screw<S> screw;  ///< central axis, its point nearest to the origin; pitch [m] = couple/force
  S intensity{};   ///< the force [N]; of a couple the torque [N m]
};

/// The central axis of the wrench W = (torque about the origin, force), the line about which its
/// moment is smallest. A couple is reported with infinite pitch. Throws Error on NaN or infinity.
template <std::floating_point S>
CentralAxis<S> central_axis(const Vec6<S>& W);

/// The wrench (torque about the origin, force); inverse of central_axis.
template <std::floating_point S>
Vec6<S> wrench(const CentralAxis<S>& axis) noexcept;

}  // namespace axode
