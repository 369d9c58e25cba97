/// Mesh files as triangles: STL (binary and text), OBJ, COLLADA (.dae) and glTF (.glb, or .gltf with
/// its numbers inside).
///
/// Only what is drawn is read: positions, and colours that whole surfaces have. Units of COLLADA are
/// turned into metres; up axes are not applied, as is the custom of URDF. Normals are made anew. Files
/// are checked as they are read: O(size of the file), and never more than `max_mesh_triangles`.
/// Tests: tests/io/mesh/mesh_file_test.cpp
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "axode/lie/vec3.hpp"

namespace axode {

inline constexpr std::size_t max_mesh_triangles = 2'000'000;

/// A surface of one colour: three corners for each triangle, counter-clockwise seen from outside.
struct MeshPiece {
  std::vector<Vec3<double>> corners;
  std::optional<std::array<double, 4>> rgba{};  ///< as on the screen (sRGB)
};

/// The file, by its ending. Throws Error if it is none of these formats or broken, IoError if it
/// cannot be read, LimitError if it is too large.
std::vector<MeshPiece> load_mesh(const std::filesystem::path& file);
MeshPiece parse_stl(std::string_view bytes, const std::string& source);
MeshPiece parse_obj(std::string_view text, const std::string& source);
std::vector<MeshPiece> parse_collada(std::string_view text, const std::string& source);
std::vector<MeshPiece> parse_gltf(std::string_view bytes, const std::string& source);

/// Triangles that share their corners.
struct TriangleMesh {
  std::vector<Vec3<double>> positions, normals;  ///< by corner; normals have unit length
  std::vector<std::uint32_t> triangles;          ///< three corners of each
};
/// Normals of a surface: across edges that bend by less than `crease` [rad] it is smooth. Triangles
/// without area are left out. O(n log n).
TriangleMesh with_normals(std::span<const Vec3<double>> corners, double crease = 0.6);

namespace detail {
/// x -> M x + p.
struct Affine {
  Mat3<double> M = Mat3<double>::identity();
  Vec3<double> p{};
  Affine operator*(const Affine& b) const { return {M * b.M, M * b.p + p}; }
};
/// Turns triangles round: a mirror makes outside inside.
void turn_round(std::vector<Vec3<double>>& corners);
/// Words of a text, one after the other.
struct TextWords {
  std::string_view rest;
  /// The next one; empty at the end.
  std::string_view next();
};
}  // namespace detail

}  // namespace axode
