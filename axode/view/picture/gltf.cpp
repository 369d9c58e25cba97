#include "axode/view/picture/gltf.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "axode/core/error.hpp"
#include "axode/lie/rotation.hpp"

namespace axode {

namespace {

using Json = nlohmann::ordered_json;

// Numbers that glTF gives to types and uses.
constexpr int float32 = 5126, unsigned32 = 5125;
constexpr int vertices_use = 34962, indices_use = 34963, no_use = 0;

void append_bits(std::string& bytes, std::uint32_t bits) {
  for (int k = 0; k < 4; ++k) bytes += static_cast<char>(bits >> 8 * k & 255U);
}
void append_number(std::string& bytes, double number) {
  append_bits(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(number)));
}

/// The two parts of a file: what there is, and its numbers.
class Gltf {
 public:
  explicit Gltf(const Drawing& drawing);
  std::string file() const;

 private:
  /// Begins a view of what is appended to the numbers until `end` gives its accessor.
  void begin() { start_ = numbers_.size(); }
  int end(int component, const char* type, std::size_t count, int use);
  int vectors(std::span<const Vec3<double>> all, bool with_range);
  int scalars(std::span<const double> all, bool with_range);
  int material(const std::array<double, 4>& rgba);
  Json primitive(const DrawingPart& part);
  int mesh(const std::string& name, Json primitives);
  int node(Json node);
  int part_node(std::size_t index);
  int body_node(int body, const std::string& name);
  void animate();
  void animate_body(std::size_t body, int times);
  void animate_weights(const DrawingPart& part, int times, int target);
  void channel(int times, int output, int target, const char* path);

  const Drawing& drawing_;
  Json json_;
  std::string numbers_;
  std::size_t start_ = 0;
  std::vector<std::size_t> rows_;                     ///< of the drawing that are animated
  std::vector<int> body_nodes_;                       ///< by body
  std::vector<std::pair<std::size_t, int>> bending_;  ///< part and its node
  std::vector<std::array<double, 4>> colours_;
};

int Gltf::end(int component, const char* type, std::size_t count, int use) {
  Json view{{"buffer", 0}, {"byteOffset", start_}, {"byteLength", numbers_.size() - start_}};
  if (use != no_use) view["target"] = use;
  json_["bufferViews"].push_back(std::move(view));
  json_["accessors"].push_back({{"bufferView", json_["bufferViews"].size() - 1},
                                {"componentType", component},
                                {"count", count},
                                {"type", type}});
  return static_cast<int>(json_["accessors"].size()) - 1;
}

int Gltf::vectors(std::span<const Vec3<double>> all, bool with_range) {
  begin();
  constexpr double far = std::numeric_limits<double>::infinity();
  Vec3<double> low{far, far, far}, high = -low;
  for (const Vec3<double>& p : all)
    for (int k = 0; k < 3; ++k) {
      append_number(numbers_, p[k]);
      low[k] = std::min<double>(low[k], static_cast<float>(p[k]));
      high[k] = std::max<double>(high[k], static_cast<float>(p[k]));
    }
  const int accessor = end(float32, "VEC3", all.size(), vertices_use);
  if (with_range) {
    json_["accessors"].back()["min"] = {low.x, low.y, low.z};
    json_["accessors"].back()["max"] = {high.x, high.y, high.z};
  }
  return accessor;
}
int Gltf::scalars(std::span<const double> all, bool with_range) {
  begin();
  for (const double x : all) append_number(numbers_, x);
  const int accessor = end(float32, "SCALAR", all.size(), no_use);
  if (with_range) {
    const auto [low, high] = std::minmax_element(all.begin(), all.end());
    json_["accessors"].back()["min"] = {static_cast<double>(static_cast<float>(*low))};
    json_["accessors"].back()["max"] = {static_cast<double>(static_cast<float>(*high))};
  }
  return accessor;
}

int Gltf::material(const std::array<double, 4>& rgba) {
  const auto known = std::find(colours_.begin(), colours_.end(), rgba);
  if (known != colours_.end()) return static_cast<int>(known - colours_.begin());
  colours_.push_back(rgba);
  Json look{{"pbrMetallicRoughness",
             {{"baseColorFactor", rgba}, {"metallicFactor", 0.05}, {"roughnessFactor", 0.65}}},
            {"doubleSided", true}};
  if (rgba[3] < 1) look["alphaMode"] = "BLEND";
  json_["materials"].push_back(std::move(look));
  return static_cast<int>(colours_.size()) - 1;
}

Json Gltf::primitive(const DrawingPart& part) {
  Json result{{"attributes",
               {{"POSITION", vectors(part.mesh.positions, true)},
                {"NORMAL", vectors(part.mesh.normals, false)}}}};
  begin();
  for (const std::uint32_t corner : part.mesh.triangles) append_bits(numbers_, corner);
  result["indices"] = end(unsigned32, "SCALAR", part.mesh.triangles.size(), indices_use);
  result["material"] = material(part.rgba);
  for (const MorphTarget& target : part.targets)
    result["targets"].push_back({{"POSITION", vectors(target.positions, true)},
                                 {"NORMAL", vectors(target.normals, false)}});
  return result;
}

int Gltf::mesh(const std::string& name, Json primitives) {
  json_["meshes"].push_back({{"name", name}, {"primitives", std::move(primitives)}});
  return static_cast<int>(json_["meshes"].size()) - 1;
}
int Gltf::node(Json node) {
  json_["nodes"].push_back(std::move(node));
  return static_cast<int>(json_["nodes"].size()) - 1;
}

/// A part that bends has a mesh and node of its own: all of a mesh have the same targets.
int Gltf::part_node(std::size_t index) {
  const DrawingPart& part = drawing_.parts[index];
  const std::string name = drawing_.bodies[part.body] + ".shape";
  const int number = mesh(name, Json::array({primitive(part)}));
  Json names = Json::array(), weights = Json::array();
  for (std::size_t k = 0; k < part.targets.size(); ++k) {
    names.push_back(part.targets[k].name);
    weights.push_back(static_cast<float>(drawing_.weights[part.first_weight + k]));
  }
  json_["meshes"].back()["weights"] = weights;
  json_["meshes"].back()["extras"] = {{"targetNames", names}};
  const int result = node({{"name", name}, {"mesh", number}});
  bending_.emplace_back(index, result);
  return result;
}

Json vector_json(const Vec3<double>& p) {
  return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
}
Json quaternion_json(const Quaternion<double>& q) {
  return {static_cast<float>(q.v.x), static_cast<float>(q.v.y), static_cast<float>(q.v.z),
          static_cast<float>(q.w)};
}

int Gltf::body_node(int body, const std::string& name) {
  Json primitives = Json::array(), children = Json::array(), result{{"name", name}};
  for (std::size_t k = 0; k < drawing_.parts.size(); ++k) {
    const DrawingPart& part = drawing_.parts[k];
    if (part.body != body || part.mesh.triangles.empty()) continue;
    if (part.targets.empty())
      primitives.push_back(primitive(part));
    else
      children.push_back(part_node(k));
  }
  if (body >= 0) {
    const SE3<double>& T = drawing_.poses[body];
    result["translation"] = vector_json(T.p);
    result["rotation"] = quaternion_json(to_quaternion(T.R));
  }
  if (!primitives.empty()) result["mesh"] = mesh(name, std::move(primitives));
  if (!children.empty()) result["children"] = std::move(children);
  return node(std::move(result));
}

void Gltf::channel(int times, int output, int target, const char* path) {
  Json& animation = json_["animations"][0];
  animation["samplers"].push_back(
      {{"input", times}, {"interpolation", "LINEAR"}, {"output", output}});
  animation["channels"].push_back({{"sampler", animation["samplers"].size() - 1},
                                   {"target", {{"node", target}, {"path", path}}}});
}

/// What stands needs no channel.
void Gltf::animate_body(std::size_t body, int times) {
  const std::size_t bodies = drawing_.bodies.size();
  const auto pose = [&](std::size_t row) -> const SE3<double>& {
    return drawing_.poses[row * bodies + body];
  };
  const SE3<double>& first = pose(rows_[0]);
  const auto differs = [&](auto&& part) {
    return std::any_of(rows_.begin(), rows_.end(),
                       [&](std::size_t row) { return !(part(pose(row)) == part(first)); });
  };
  const int target = body_nodes_[body];
  if (differs([](const SE3<double>& T) { return T.p; })) {
    begin();
    for (const std::size_t row : rows_)
      for (int k = 0; k < 3; ++k) append_number(numbers_, pose(row).p[k]);
    channel(times, end(float32, "VEC3", rows_.size(), no_use), target, "translation");
  }
  if (!differs([](const SE3<double>& T) { return T.R; })) return;
  begin();
  Quaternion<double> last;
  for (const std::size_t row : rows_) {  // q and -q turn alike: the nearer one, for interpolation
    Quaternion<double> q = to_quaternion(pose(row).R);
    if (q.w * last.w + dot(q.v, last.v) < 0) q = -q;
    for (const double x : {q.v.x, q.v.y, q.v.z, q.w}) append_number(numbers_, x);
    last = q;
  }
  channel(times, end(float32, "VEC4", rows_.size(), no_use), target, "rotation");
}

void Gltf::animate_weights(const DrawingPart& part, int times, int target) {
  std::vector<double> weights;
  for (const std::size_t row : rows_)
    for (std::size_t k = 0; k < part.targets.size(); ++k)
      weights.push_back(drawing_.weights[row * drawing_.weight_count + part.first_weight + k]);
  channel(times, scalars(weights, false), target, "weights");
}

void Gltf::animate() {
  std::vector<double> times;
  const double shift = drawing_.times.empty() ? 0 : std::min(0.0, drawing_.times[0]);
  for (std::size_t row = 0; row < drawing_.times.size(); ++row) {
    const double t = static_cast<float>(drawing_.times[row] - shift);
    if (!times.empty() && !(t > times.back())) continue;
    times.push_back(t);
    rows_.push_back(row);
  }
  if (times.size() < 2) return;
  json_["animations"] =
      Json::array({{{"name", "run"}, {"channels", Json::array()}, {"samplers", Json::array()}}});
  const int input = scalars(times, true);
  for (std::size_t body = 0; body < drawing_.bodies.size(); ++body) animate_body(body, input);
  for (const auto& [part, target] : bending_) animate_weights(drawing_.parts[part], input, target);
  if (!json_["animations"][0]["channels"].empty()) return;
  json_.erase("animations");  // nothing moves
  json_["accessors"].erase(json_["accessors"].size() - 1);
  json_["bufferViews"].erase(json_["bufferViews"].size() - 1);
  numbers_.resize(start_);
}

Gltf::Gltf(const Drawing& drawing) : drawing_(drawing) {
  json_["asset"] = {{"version", "2.0"}, {"generator", "axode"}};
  json_["scene"] = 0;
  json_["scenes"] = Json::array({{{"nodes", {0}}}});
  // z up becomes y up: a quarter turn about x.
  const auto half = static_cast<float>(-std::sqrt(0.5));
  node(
      {{"name", drawing.name.empty() ? "model" : drawing.name}, {"rotation", {half, 0, 0, -half}}});
  Json children = Json::array();
  const bool ground = std::any_of(drawing.parts.begin(), drawing.parts.end(),
                                  [](const DrawingPart& part) { return part.body < 0; });
  if (ground) children.push_back(body_node(-1, "world"));
  for (std::size_t body = 0; body < drawing.bodies.size(); ++body) {
    body_nodes_.push_back(body_node(static_cast<int>(body), drawing.bodies[body]));
    children.push_back(body_nodes_.back());
  }
  if (!children.empty()) json_["nodes"][0]["children"] = std::move(children);
  animate();
  if (!numbers_.empty()) json_["buffers"] = Json::array({{{"byteLength", numbers_.size()}}});
}

/// Header and two chunks, each a multiple of four bytes long.
std::string Gltf::file() const {
  std::string text = json_.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.resize((text.size() + 3) / 4 * 4, ' ');
  const std::size_t size = 12 + 8 + text.size() + (numbers_.empty() ? 0 : 8 + numbers_.size());
  if (size > std::numeric_limits<std::uint32_t>::max())
    throw LimitError("the animation has more than 4 GB", "glTF", "use a smaller model");
  std::string bytes;
  bytes.reserve(size);
  const auto word = [&](std::size_t n) { append_bits(bytes, static_cast<std::uint32_t>(n)); };
  bytes += "glTF";
  word(2);
  word(size);
  word(text.size());
  bytes += "JSON";
  bytes += text;
  if (numbers_.empty()) return bytes;
  word(numbers_.size());
  bytes += std::string_view("BIN\0", 4);
  bytes += numbers_;
  return bytes;
}

}  // namespace

std::string gltf_of(const Drawing& drawing) { return Gltf(drawing).file(); }

}  // namespace axode
