/// A planar mechanism as SVG: bodies through their points, joints, the world, paths of points.
/// Tests: tests/view/plot/mechanism_svg_test.cpp
#pragma once
#include <span>
#include <string>
#include <vector>

#include "axode/lie/se3.hpp"
#include "axode/mechanism/description/mechanism.hpp"

namespace axode {

/// Where a point of the mechanism has been, in the world [m].
struct PointPath {
  std::string name;
  std::vector<Vec3<double>> points;
};

/// The mechanism with its bodies at the poses T_WB, seen along -z; spatial mechanisms are projected.
/// Points that are not finite are left out.
std::string mechanism_svg(const Mechanism& mechanism, std::span<const SE3<double>> poses,
                          std::span<const PointPath> paths = {});

}  // namespace axode
