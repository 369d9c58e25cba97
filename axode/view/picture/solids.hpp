/// Solids to draw with: boxes, surfaces of revolution and what is made of them.
/// Tests: tests/view/picture/solids_test.cpp
#pragma once
#include <span>

#include "axode/io/mesh/mesh_file.hpp"
#include "axode/lie/se3.hpp"

namespace axode {

/// About the origin with these sides.
TriangleMesh box_mesh(const Vec3<double>& sides);

/// A point of a profile that turns about z; the surface is on its right as the profile goes upwards.
struct ProfilePoint {
  double radius = 0, z = 0;
  double normal_radius = 0, normal_z = 0;
};
/// Each point of the profile becomes `sides` vertices, one ring after the other. Where two points
/// that follow each other are at one place, the surface has an edge.
TriangleMesh revolved(std::span<const ProfilePoint> profile, int sides);
TriangleMesh sphere_mesh(double radius, int sides = 24);
/// Along z, about the origin.
TriangleMesh cylinder_mesh(double radius, double length, int sides = 32);
/// A cylinder of that length with half spheres at its ends.
TriangleMesh capsule_mesh(double radius, double length, int sides = 16);

/// A pose at `origin` whose z axis is along `direction`, which may have any length but zero.
SE3<double> frame_along(const Vec3<double>& origin, const Vec3<double>& direction);
TriangleMesh moved(const SE3<double>& T, TriangleMesh mesh);
void append(TriangleMesh& mesh, const TriangleMesh& more);

}  // namespace axode
