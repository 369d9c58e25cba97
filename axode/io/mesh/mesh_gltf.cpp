/// glTF: triangles of the scene with their colours. See mesh_file.hpp.
#include <algorithm>
#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>

#include "axode/core/error.hpp"
#include "axode/io/mesh/mesh_file.hpp"
#include "axode/lie/rotation.hpp"

namespace axode {

namespace {

using Json = nlohmann::json;
using detail::Affine;

constexpr int deepest = 100;  ///< nodes in nodes

[[noreturn]] void refuse_gltf(const std::string& problem) {
  throw Error(problem, "glTF", "export the mesh anew");
}

std::string from_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const int digit = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (c == '=') break;
    if (digit < 0) refuse_gltf("its numbers are damaged");
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    if ((count += 6) < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 255U);
  }
  return bytes;
}

/// Entry k of a list of the file. Throws where there is none.
const Json& entry(const Json& file, const char* list, std::size_t k) {
  const auto found = file.find(list);
  if (found == file.end() || !found->is_array() || k >= found->size())
    refuse_gltf(std::string("something is missing in \"") + list + "\"");
  return (*found)[k];
}
/// A whole number that is small enough to be counted on; `otherwise` where the key is not there.
std::size_t whole(const Json& object, const char* key, std::size_t otherwise) {
  const auto found = object.find(key);
  if (found == object.end()) return otherwise;
  if (!found->is_number_unsigned() || found->get<std::uint64_t>() > 0xffffffffU)
    refuse_gltf(std::string("\"") + key + "\" is not a count");
  return found->get<std::size_t>();
}
constexpr std::size_t none = ~std::size_t{0};

std::vector<double> numbers(const Json& object, const char* key, std::vector<double> otherwise) {
  const auto found = object.find(key);
  if (found == object.end()) return otherwise;
  auto all = found->get<std::vector<double>>();
  if (all.size() != otherwise.size())
    refuse_gltf(std::string("\"") + key + "\" is too short or long");
  return all;
}

class Gltf {
 public:
  explicit Gltf(std::string_view bytes);
  std::vector<MeshPiece> pieces();

 private:
  std::vector<std::uint32_t> words(std::size_t accessor, std::size_t columns);
  void add_node(std::size_t number, const Affine& parent, int depth);
  void add_primitive(const Json& primitive, const Affine& at);

  Json file_;
  std::string_view chunk_;
  std::vector<std::string> buffers_;
  std::vector<MeshPiece> pieces_;
  std::size_t work_ = 0;
};

std::uint32_t word_at(std::string_view bytes, std::size_t at, std::size_t size = 4) {
  std::uint32_t word = 0;
  for (std::size_t k = size; k-- > 0;) word = word << 8 | static_cast<unsigned char>(bytes[at + k]);
  return word;
}

Gltf::Gltf(std::string_view bytes) {
  std::string_view text = bytes;
  if (bytes.starts_with("glTF")) {
    if (bytes.size() < 20 || word_at(bytes, 12) > bytes.size() - 20)
      refuse_gltf("the mesh is cut off");
    const std::size_t length = word_at(bytes, 12);
    text = bytes.substr(20, length);
    if (bytes.size() >= 28 + length)
      chunk_ = bytes.substr(28 + length, word_at(bytes, 20 + length));
  }
  file_ = Json::parse(text);
  if (!file_.is_object()) refuse_gltf("it is not glTF");
  if (!file_.contains("buffers")) return;
  for (const Json& buffer : file_["buffers"]) {
    const std::string uri = buffer.value("uri", "");
    const std::size_t data = uri.find(";base64,");
    if (!uri.empty() && (!uri.starts_with("data:") || data == std::string::npos))
      refuse_gltf("its numbers are in another file; take a .glb");
    if (uri.empty() && !buffers_.empty()) refuse_gltf("a buffer is missing");
    buffers_.push_back(uri.empty() ? std::string(chunk_) : from_base64(uri.substr(data + 8)));
  }
}

/// The bits of an accessor: float32 in columns, or whole numbers of one.
std::vector<std::uint32_t> Gltf::words(std::size_t accessor, std::size_t columns) {
  const Json& a = entry(file_, "accessors", accessor);
  const Json& view = entry(file_, "bufferViews", whole(a, "bufferView", none));
  const std::size_t type = whole(a, "componentType", 0), count = whole(a, "count", 0);
  const std::size_t size = type == 5121 ? 1 : type == 5123 ? 2 : 4;
  if (a.contains("sparse") || (columns == 3) != (type == 5126))
    refuse_gltf("its numbers are packed");
  const std::size_t step = whole(view, "byteStride", columns * size);
  const std::size_t buffer = whole(view, "buffer", none);
  if (buffer >= buffers_.size()) refuse_gltf("a buffer is missing");
  const std::string& bytes = buffers_[buffer];
  const std::size_t first = whole(view, "byteOffset", 0) + whole(a, "byteOffset", 0);
  work_ += 1000 + columns * count;
  if (work_ > 20 * max_mesh_triangles)
    throw LimitError("the mesh is too large", "glTF", "simplify it");
  if (count > 0 && first + (count - 1) * step + columns * size > bytes.size())
    refuse_gltf("the mesh is cut off");
  std::vector<std::uint32_t> all;
  all.reserve(columns * count);
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t c = 0; c < columns; ++c)
      all.push_back(word_at(bytes, first + k * step + c * size, size));
  return all;
}

double screen_of(double c) {
  return c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
}

void Gltf::add_primitive(const Json& primitive, const Affine& at) {
  const std::size_t mode = whole(primitive, "mode", 4);
  if (mode == 5 || mode == 6) refuse_gltf("it has strips or fans; write single triangles");
  if (mode != 4) return;  // lines and points
  if (primitive.contains("extensions") &&
      primitive["extensions"].contains("KHR_draco_mesh_compression"))
    refuse_gltf("it is compressed");
  const std::vector<std::uint32_t> bits =
      words(whole(primitive.at("attributes"), "POSITION", none), 3);
  std::vector<Vec3<double>> points;
  for (std::size_t k = 0; k + 2 < bits.size(); k += 3)
    points.push_back(at.M * Vec3<double>{std::bit_cast<float>(bits[k]),
                                         std::bit_cast<float>(bits[k + 1]),
                                         std::bit_cast<float>(bits[k + 2])} +
                     at.p);
  MeshPiece piece;
  if (primitive.contains("indices")) {
    for (const std::uint32_t index : words(whole(primitive, "indices", none), 1)) {
      if (index >= points.size()) refuse_gltf("an index is out of range");
      piece.corners.push_back(points[index]);
    }
  } else {
    piece.corners = points;
  }
  piece.corners.resize(piece.corners.size() / 3 * 3);
  if (determinant(at.M) < 0) detail::turn_round(piece.corners);
  if (primitive.contains("material")) {
    const Json& look = entry(file_, "materials", whole(primitive, "material", none));
    const auto c = numbers(look.value("pbrMetallicRoughness", Json::object()), "baseColorFactor",
                           {1, 1, 1, 1});
    piece.rgba = {screen_of(c[0]), screen_of(c[1]), screen_of(c[2]), c[3]};
  }
  if (!piece.corners.empty()) pieces_.push_back(std::move(piece));
}

Affine transform_of(const Json& node) {
  if (node.contains("matrix")) {
    const auto m = numbers(node, "matrix", std::vector<double>(16));
    return {{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}}, {m[12], m[13], m[14]}};
  }
  const auto t = numbers(node, "translation", {0, 0, 0}), s = numbers(node, "scale", {1, 1, 1});
  const auto r = numbers(node, "rotation", {0, 0, 0, 1});
  const Quaternion<double> q{r[3], {r[0], r[1], r[2]}};
  if (!(squared_norm(q) > 0)) refuse_gltf("a rotation is none");
  return {rotation_from_quaternion(q).matrix * Mat3<double>::diagonal({s[0], s[1], s[2]}),
          {t[0], t[1], t[2]}};
}

void Gltf::add_node(std::size_t number, const Affine& parent, int depth) {
  work_ += 1000;
  if (depth > deepest || work_ > 20 * max_mesh_triangles)
    throw LimitError("the mesh is too large", "glTF", "simplify it");
  const Json& node = entry(file_, "nodes", number);
  const Affine at = parent * transform_of(node);
  if (node.contains("mesh"))
    for (const Json& primitive : entry(file_, "meshes", whole(node, "mesh", none)).at("primitives"))
      add_primitive(primitive, at);
  if (node.contains("children"))
    for (const Json& child : node["children"]) add_node(child.get<std::size_t>(), at, depth + 1);
}

std::vector<MeshPiece> Gltf::pieces() {
  const Json& scene = entry(file_, "scenes", whole(file_, "scene", 0));
  if (scene.contains("nodes"))
    for (const Json& node : scene["nodes"]) add_node(node.get<std::size_t>(), {}, 0);
  if (pieces_.empty()) refuse_gltf("there are no triangles in its scene");
  return std::move(pieces_);
}

}  // namespace

std::vector<MeshPiece> parse_gltf(std::string_view bytes, const std::string& source) {
  try {
    return Gltf(bytes).pieces();
  } catch (const Json::exception& error) {
    throw Error("it is not glTF that can be read", source, "export the mesh anew");
  }
}

}  // namespace axode
