/// STL and OBJ, and the normals of what was read: see mesh_file.hpp. Others are in mesh_*.cpp.
#include "axode/io/mesh/mesh_file.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <fstream>
#include <numeric>
#include <utility>

#include "axode/io/text/text_file.hpp"

namespace axode {

std::string_view detail::TextWords::next() {
  constexpr std::string_view space = " \t\r\n\v\f";
  rest.remove_prefix(std::min(rest.find_first_not_of(space), rest.size()));
  const std::string_view word = rest.substr(0, rest.find_first_of(space));
  rest.remove_prefix(word.size());
  return word;
}
void detail::turn_round(std::vector<Vec3<double>>& corners) {
  for (std::size_t k = 0; k + 2 < corners.size(); k += 3) std::swap(corners[k + 1], corners[k + 2]);
}

namespace {

/// Nothing that is drawn is as far away; beyond, single precision would end.
constexpr double farthest = 1e15;

void check_piece(const MeshPiece& piece, const std::string& source) {
  if (piece.corners.empty())
    throw Error("there is no triangle in it", source, "export the mesh anew");
  if (piece.corners.size() / 3 > max_mesh_triangles)
    throw LimitError("more than " + std::to_string(max_mesh_triangles) + " triangles", source,
                     "simplify the mesh");
  for (const Vec3<double>& p : piece.corners)
    if (!(max_abs(p) < farthest))
      throw Error("a coordinate is not a usable number", source, "export the mesh anew");
}

double float_at(std::string_view bytes, std::size_t at) {
  std::uint32_t bits = 0;
  for (std::size_t k = 4; k-- > 0;) bits = bits << 8 | static_cast<unsigned char>(bytes[at + k]);
  return std::bit_cast<float>(bits);
}

Vec3<double> next_point(detail::TextWords& words, const std::string& source) {
  Vec3<double> p{};
  for (int k = 0; k < 3; ++k) p[k] = parse_number(words.next(), source);
  return p;
}

MeshPiece text_stl(std::string_view text, const std::string& source) {
  MeshPiece piece;
  detail::TextWords words{text};
  bool ended = false;
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word == "vertex") piece.corners.push_back(next_point(words, source));
    ended = ended || word == "endsolid";
  }
  if (!ended || piece.corners.size() % 3 != 0)
    throw Error("the mesh is cut off", source, "export it anew");
  return piece;
}

MeshPiece binary_stl(std::string_view bytes, std::size_t triangles) {
  MeshPiece piece;
  piece.corners.reserve(3 * triangles);
  for (std::size_t k = 0; k < triangles; ++k)
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const std::size_t at = 84 + 50 * k + 12 + 12 * corner;
      piece.corners.push_back(
          {float_at(bytes, at), float_at(bytes, at + 4), float_at(bytes, at + 8)});
    }
  return piece;
}

/// The point that a corner of a face names: "7", "7/2/3", or counted from the end, "-1//4".
std::size_t named_point(std::string_view word, std::size_t points, const std::string& source) {
  const std::string_view number = word.substr(0, word.find('/'));
  long long n = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), n);
  const auto count = static_cast<long long>(points);
  const long long index = n < 0 ? count + n : n - 1;
  if (error != std::errc{} || end != number.data() + number.size() || index < 0 || index >= count)
    throw Error("a face names the point " + in_quotes(word) + ", which is not there", source,
                "export the mesh anew");
  return static_cast<std::size_t>(index);
}

}  // namespace

MeshPiece parse_stl(std::string_view bytes, const std::string& source) {
  std::uint32_t triangles = 0;
  if (bytes.size() >= 84)
    for (std::size_t k = 4; k-- > 0;)
      triangles = triangles << 8 | static_cast<unsigned char>(bytes[80 + k]);
  const std::size_t needed = 84 + std::size_t{50} * triangles;
  const bool is_text = bytes.starts_with("solid") && bytes.size() != needed;
  if (!is_text && (bytes.size() < 84 || bytes.size() < needed))
    throw Error("the mesh is cut off, or no STL", source, "export it anew");
  MeshPiece piece = is_text ? text_stl(bytes, source) : binary_stl(bytes, triangles);
  check_piece(piece, source);
  return piece;
}

MeshPiece parse_obj(std::string_view text, const std::string& source) {
  MeshPiece piece;
  std::vector<Vec3<double>> points;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    detail::TextWords words{text.substr(0, end)};
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view kind = words.next();
    if (kind == "v") points.push_back(next_point(words, source));
    if (kind != "f") continue;
    std::vector<std::size_t> face;
    for (std::string_view word = words.next(); !word.empty(); word = words.next())
      face.push_back(named_point(word, points.size(), source));
    for (std::size_t k = 2; k < face.size(); ++k)
      for (const std::size_t corner : {face[0], face[k - 1], face[k]})
        piece.corners.push_back(points[corner]);
  }
  check_piece(piece, source);
  return piece;
}

std::vector<MeshPiece> load_mesh(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  for (char& c : ending)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  const std::string source = file.string();
  const bool is_gltf = ending == ".glb" || ending == ".gltf";
  if (!is_gltf && ending != ".stl" && ending != ".obj" && ending != ".dae")
    throw Error("it is of no known format", source, "take STL, OBJ, COLLADA (.dae) or glTF");
  const std::string bytes = read_text_file(file);
  if (ending == ".stl") return {parse_stl(bytes, source)};
  if (ending == ".obj") return {parse_obj(bytes, source)};
  std::vector<MeshPiece> pieces =
      is_gltf ? parse_gltf(bytes, source) : parse_collada(bytes, source);
  std::size_t corners = 0;
  for (const MeshPiece& piece : pieces) {
    check_piece(piece, source);
    corners += piece.corners.size();
  }
  if (corners / 3 > max_mesh_triangles)
    throw LimitError("more than " + std::to_string(max_mesh_triangles) + " triangles", source,
                     "simplify the mesh");
  return pieces;
}

namespace {

/// Numbers of equal points: the same for those at the same place.
std::vector<std::uint32_t> places_of(std::span<const Vec3<double>> points) {
  std::vector<std::uint32_t> order(points.size()), place(points.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto less = [&](std::uint32_t a, std::uint32_t b) {
    const Vec3<double>&p = points[a], &q = points[b];
    return p.x != q.x ? p.x < q.x : p.y != q.y ? p.y < q.y : p.z < q.z;
  };
  std::sort(order.begin(), order.end(), less);
  std::uint32_t count = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k > 0 && less(order[k - 1], order[k])) ++count;
    place[order[k]] = count;
  }
  return place;
}

/// Corners of triangles by the place they are at: those of place p are at[first[p]] .. first[p + 1].
struct Fans {
  std::vector<std::uint32_t> first, at;
};
Fans fans_of(const std::vector<std::uint32_t>& place) {
  const std::uint32_t places =
      place.empty() ? 0 : *std::max_element(place.begin(), place.end()) + 1;
  Fans fans{std::vector<std::uint32_t>(places + 2), std::vector<std::uint32_t>(place.size())};
  for (const std::uint32_t p : place) ++fans.first[p + 2];
  std::partial_sum(fans.first.begin(), fans.first.end(), fans.first.begin());
  for (std::uint32_t corner = 0; corner < place.size(); ++corner)
    fans.at[fans.first[place[corner] + 1]++] = corner;
  return fans;
}

/// A fan of very many triangles is searched only so far: its normals are blurred anyway.
constexpr std::uint32_t longest_fan = 256;

/// The vertex of that normal among those made at this place, `made` and on; a new one if there is none.
std::uint32_t vertex_at(TriangleMesh& mesh, std::size_t made, const Vec3<double>& position,
                        const Vec3<double>& normal) {
  const std::size_t count = mesh.positions.size();
  for (std::size_t v = std::max(made, count - std::min<std::size_t>(count, longest_fan)); v < count;
       ++v)
    if (max_abs(mesh.normals[v] - normal) < 1e-9) return static_cast<std::uint32_t>(v);
  mesh.positions.push_back(position);
  mesh.normals.push_back(normal);
  return static_cast<std::uint32_t>(count);
}

}  // namespace

TriangleMesh with_normals(std::span<const Vec3<double>> corners, double crease) {
  std::vector<Vec3<double>> kept, area;  // area: normals as long as twice the area
  for (std::size_t k = 0; k + 2 < corners.size(); k += 3) {
    const Vec3<double>*p = &corners[k], n = cross(p[1] - p[0], p[2] - p[0]);
    if (!(max_abs(n) > 0) || !is_finite(n)) continue;
    kept.insert(kept.end(), p, p + 3);
    area.push_back(n);
  }
  const Fans fans = fans_of(places_of(kept));
  TriangleMesh mesh;
  mesh.triangles.resize(kept.size());
  const double cosine = std::cos(crease);
  for (std::size_t p = 0; p + 2 < fans.first.size(); ++p) {
    const auto from = fans.first[p], to = fans.first[p + 1];
    const std::size_t made = mesh.positions.size();
    for (std::uint32_t k = from; k < to; ++k) {
      const Vec3<double> own = normalized(area[fans.at[k] / 3]);
      Vec3<double> sum{};
      for (std::uint32_t m = from; m < std::min(to, from + longest_fan); ++m) {
        const Vec3<double>& other = area[fans.at[m] / 3];
        if (dot(own, normalized(other)) >= cosine) sum += other;
      }
      mesh.triangles[fans.at[k]] =
          vertex_at(mesh, made, kept[fans.at[k]], max_abs(sum) > 0 ? normalized(sum) : own);
    }
  }
  return mesh;
}

}  // namespace axode
