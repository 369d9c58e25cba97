#include "axode/view/picture/solids.hpp"

#include <cmath>

#include "axode/lie/rotation.hpp"

namespace axode {

TriangleMesh box_mesh(const Vec3<double>& sides) {
  TriangleMesh mesh;
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {-1.0, 1.0}) {
      const auto first = static_cast<std::uint32_t>(mesh.positions.size());
      Vec3<double> n{}, u{}, v{};
      n[axis] = sign;
      u[(axis + 1) % 3] = 1;
      v[(axis + 2) % 3] = sign;  // u x v = n
      for (const auto& [a, b] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) {
        const Vec3<double> p = n + u * a + v * b;
        mesh.positions.push_back({p.x * sides.x / 2, p.y * sides.y / 2, p.z * sides.z / 2});
        mesh.normals.push_back(n);
      }
      for (const std::uint32_t k : {0U, 1U, 2U, 0U, 2U, 3U}) mesh.triangles.push_back(first + k);
    }
  return mesh;
}

TriangleMesh revolved(std::span<const ProfilePoint> profile, int sides) {
  TriangleMesh mesh;
  const auto n = static_cast<std::uint32_t>(sides);
  for (const ProfilePoint& point : profile)
    for (std::uint32_t k = 0; k < n; ++k) {
      const double angle = 2 * pi<double> * k / n, c = std::cos(angle), s = std::sin(angle);
      mesh.positions.push_back({point.radius * c, point.radius * s, point.z});
      mesh.normals.push_back({point.normal_radius * c, point.normal_radius * s, point.normal_z});
    }
  for (std::uint32_t i = 0; i + 1 < profile.size(); ++i) {
    const ProfilePoint &a = profile[i], &b = profile[i + 1];
    if (a.radius == b.radius && a.z == b.z) continue;
    for (std::uint32_t k = 0; k < n; ++k) {
      const std::uint32_t p = i * n + k, q = i * n + (k + 1) % n;
      if (a.radius > 0) mesh.triangles.insert(mesh.triangles.end(), {p, q, q + n});
      if (b.radius > 0) mesh.triangles.insert(mesh.triangles.end(), {p, q + n, p + n});
    }
  }
  return mesh;
}

namespace {
/// The points of a half circle from the lower pole, or of its upper half about z = above.
void add_arc(std::vector<ProfilePoint>& profile, double radius, double z, int from, int to,
             int steps) {
  for (int k = from; k <= to; ++k) {
    const double angle = pi<double> * (static_cast<double>(k) / steps - 0.5);
    const bool pole = k == 0 || k == steps;
    const double c = pole ? 0 : std::cos(angle), s = std::sin(angle);
    profile.push_back({radius * c, z + radius * s, c, s});
  }
}
}  // namespace

TriangleMesh sphere_mesh(double radius, int sides) {
  std::vector<ProfilePoint> profile;
  add_arc(profile, radius, 0, 0, sides / 2, sides / 2);
  return revolved(profile, sides);
}
TriangleMesh cylinder_mesh(double radius, double length, int sides) {
  const double h = length / 2;
  return revolved(std::vector<ProfilePoint>{{0, -h, 0, -1},
                                            {radius, -h, 0, -1},
                                            {radius, -h, 1, 0},
                                            {radius, h, 1, 0},
                                            {radius, h, 0, 1},
                                            {0, h, 0, 1}},
                  sides);
}
TriangleMesh capsule_mesh(double radius, double length, int sides) {
  std::vector<ProfilePoint> profile;
  const int steps = sides / 4 * 2;
  add_arc(profile, radius, -length / 2, 0, steps / 2, steps);
  add_arc(profile, radius, length / 2, steps / 2, steps, steps);
  return revolved(profile, sides);
}

SE3<double> frame_along(const Vec3<double>& origin, const Vec3<double>& direction) {
  const Vec3<double> z = normalized(direction);
  Vec3<double> other{};  // the axis that is farthest from z
  const double x = std::abs(z.x), y = std::abs(z.y), w = std::abs(z.z);
  other[x <= y && x <= w ? 0 : y <= w ? 1 : 2] = 1;
  const Vec3<double> u = normalized(cross(other, z));
  return {{Mat3<double>{u, cross(z, u), z}}, origin};
}
TriangleMesh moved(const SE3<double>& T, TriangleMesh mesh) {
  for (Vec3<double>& p : mesh.positions) p = T * p;
  for (Vec3<double>& n : mesh.normals) n = T.R * n;
  return mesh;
}
void append(TriangleMesh& mesh, const TriangleMesh& more) {
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  mesh.positions.insert(mesh.positions.end(), more.positions.begin(), more.positions.end());
  mesh.normals.insert(mesh.normals.end(), more.normals.begin(), more.normals.end());
  for (const std::uint32_t corner : more.triangles) mesh.triangles.push_back(first + corner);
}

}  // namespace axode
