/// Points of bodies by "body.point", and where they are in the world.
/// Tests: tests/mechanism/description/named_points_test.cpp
#pragma once
#include <span>
#include <string>
#include <vector>

#include "axode/mechanism/description/mechanism.hpp"

namespace axode {

struct PointName {
  std::string name;  ///< "body.point"
  int body = 0;
  Vec3<double> local{};  ///< in the body frame [m]
};
/// Throws Error for a name that does not exist, with those that do, and for one that is given twice.
std::vector<PointName> points_named(const Mechanism& mechanism, std::span<const std::string> names);
/// All named points but those of the world.
std::vector<PointName> all_points(const Mechanism& mechanism);

/// In the world, for poses of all bodies.
Vec3<double> position_of(const PointName& point, std::span<const SE3<double>> T_WB);
/// v + omega x r, for twists of all bodies in world axes about their origins.
Vec3<double> velocity_of(const PointName& point, std::span<const SE3<double>> T_WB,
                         std::span<const Twist<Rep::hybrid>> twists);
/// v' + omega' x r + omega x (omega x r), with the rates of the twists.
Vec3<double> acceleration_of(const PointName& point, std::span<const SE3<double>> T_WB,
                             std::span<const Twist<Rep::hybrid>> twists,
                             std::span<const Vec6<double>> rates);

}  // namespace axode
