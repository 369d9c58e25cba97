/// Facts about closed surfaces, from their triangles alone.
#pragma once
#include <array>
#include <cmath>
#include <map>

#include "axode/io/mesh/mesh_file.hpp"

namespace axode::test {

/// Whether each edge is run through once in either direction; corners within 1e-9 are one.
inline bool is_closed(const TriangleMesh& mesh) {
  using Place = std::array<long long, 3>;
  const auto place = [&](std::uint32_t corner) {
    const Vec3<double>& p = mesh.positions[corner];
    return Place{std::llround(p.x * 1e9), std::llround(p.y * 1e9), std::llround(p.z * 1e9)};
  };
  std::map<std::pair<Place, Place>, int> edges;
  for (std::size_t k = 0; k < mesh.triangles.size(); ++k) {
    const std::size_t next = k % 3 == 2 ? k - 2 : k + 1;
    ++edges[{place(mesh.triangles[k]), place(mesh.triangles[next])}];
  }
  for (const auto& [edge, count] : edges) {
    const auto back = edges.find({edge.second, edge.first});
    if (count != 1 || back == edges.end()) return false;
  }
  return !edges.empty();
}

/// By the divergence theorem: > 0 where triangles are counter-clockwise seen from outside.
inline double volume(const TriangleMesh& mesh) {
  double sum = 0;
  for (std::size_t k = 0; k < mesh.triangles.size(); k += 3)
    sum += dot(mesh.positions[mesh.triangles[k]],
               cross(mesh.positions[mesh.triangles[k + 1]], mesh.positions[mesh.triangles[k + 2]]));
  return sum / 6;
}

/// The largest angle [rad] between the normal of a triangle and those of its corners; infinite if one
/// of these has no unit length.
inline double normal_error(const TriangleMesh& mesh) {
  double worst = 0;
  for (std::size_t k = 0; k < mesh.triangles.size(); k += 3) {
    const std::uint32_t* c = &mesh.triangles[k];
    const Vec3<double> n = normalized(cross(mesh.positions[c[1]] - mesh.positions[c[0]],
                                            mesh.positions[c[2]] - mesh.positions[c[0]]));
    for (int i = 0; i < 3; ++i) {
      const Vec3<double>& own = mesh.normals[c[i]];
      if (std::abs(norm(own) - 1) > 1e-12) return INFINITY;
      worst = std::max(worst, std::acos(std::min(1.0, dot(n, own))));
    }
  }
  return worst;
}

}  // namespace axode::test
