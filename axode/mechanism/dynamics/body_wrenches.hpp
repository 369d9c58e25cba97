/// Wrenches by which joints, coordinates and loads act on bodies: all in world axes about the
/// world's origin, so that the two bodies of a joint get W and -W.
///
/// A unit force on a coordinate has on any motion the power of the coordinate's rate; the wrenches a
/// joint can pass on are reciprocal to the motions it allows [MuellerKin].
/// Tests: tests/mechanism/dynamics/body_wrenches_test.cpp
#pragma once
#include <array>
#include <span>
#include <vector>

#include "axode/mechanism/equations/system.hpp"

namespace axode {

/// About the world's origin: torque, force.
Vec6<double> wrench_of_force(const Vec3<double>& at, const Vec3<double>& force) noexcept;

/// What a unit force on a coordinate does to bodies.
struct CoordinateWrench {
  std::array<int, 2> body{};
  std::array<Vec6<double>, 2> wrench{};
};
CoordinateWrench coordinate_wrench(const Mechanism& mechanism, int coordinate,
                                   std::span<const SE3<double>> poses);
/// The rate of a coordinate, for twists of bodies (world axes, about their origins).
double coordinate_rate(const CoordinateWrench& wrench, std::span<const SE3<double>> poses,
                       std::span<const Twist<Rep::hybrid>> twists) noexcept;
/// A basis of the wrenches a joint passes from i to j.
std::vector<Vec6<double>> joint_wrenches(const Mechanism& mechanism, int joint,
                                         std::span<const SE3<double>> poses);
/// Gravity, springs, forces on coordinates and loads, on each body. `values`: of the coordinates
/// that forces act on, by force (angles over full turns); empty: as measured.
std::vector<Vec6<double>> applied_wrenches(const Mechanism& mechanism, double t,
                                           std::span<const SE3<double>> poses,
                                           std::span<const Twist<Rep::hybrid>> twists,
                                           std::span<const double> values = {});
/// The rate of the momentum of each body.
std::vector<Vec6<double>> inertia_wrenches(const Mechanism& mechanism,
                                           std::span<const SE3<double>> poses,
                                           std::span<const Twist<Rep::hybrid>> twists,
                                           std::span<const Vec6<double>> rates);

}  // namespace axode
