/// The numbers of a group's state as an ordinary vector: x' = N(x) w, and tangents of dx.
///
/// For integrators that know no groups. Quaternions are w, x, y, z of any length:
///   so3        q' = q w/2               se3        p' = R(q) u
///   so3_left   q' = w q/2               se3_left   p' = u + omega x p
/// with p the position and w = (omega, u) the velocity. The tangent of dx is that of the state with
/// its quaternion brought to unit length.
/// Tests: tests/integrate/sundials/number_rates_test.cpp
#pragma once
#include <array>
#include <span>

#include "axode/integrate/lie_group.hpp"

namespace axode {

/// Of one factor that is no real one: at most 7 numbers and 6 velocities; row by row.
struct FactorMaps {
  int nx = 0, nv = 0;
  std::array<std::array<double, 6>, 7> N{};        ///< x' = N w
  std::array<std::array<double, 7>, 6> tangent{};  ///< of dx
  std::array<std::array<double, 7>, 7> slope{};    ///< d(N w)/dx
};
/// x: the first number of the factor, w: its first velocity.
FactorMaps factor_maps(LieGroup::Kind kind, const double* x, const double* w) noexcept;

/// rate = N(x) w for the whole group.
void number_rates(const LieGroup& group, std::span<const double> x, std::span<const double> w,
                  std::span<double> rate) noexcept;

}  // namespace axode
